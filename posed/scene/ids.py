"""Ids: the numbers that integer layers hold, and the table that turns them back into names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class PartId:
    """Part `id`: primitive `primitive` of the mesh on `node` of `object`; `name` is the mesh's name in the file."""

    id: int
    object: str
    node: int
    primitive: int
    name: str


@dataclass(frozen=True)
class JointId:
    """Joint `id`: row `joint` of the palette of `node` of `object`; `name` is the joint's node name in the file."""

    id: int
    object: str
    node: int
    joint: int
    name: str


@dataclass(frozen=True)
class IdTable:
    """Names of all ids of a scene. Entry i has the id i + 1; 0 is the background, or unskinned in the joint layer."""

    objects: tuple[str, ...] = ()
    parts: tuple[PartId, ...] = ()
    materials: tuple[str, ...] = ()
    joints: tuple[JointId, ...] = ()

    def name(self, layer: str, number: int) -> str:
        """Return what `number` means in an id layer: ``object``, ``part``, ``material`` or ``joint``."""
        if number == 0:
            return "background"
        match layer:
            case "object":
                return self.objects[number - 1]
            case "part":
                part = self.parts[number - 1]
                return f"{part.object}/{part.name}/{part.primitive}"
            case "material":
                return self.materials[number - 1]
            case "joint":
                joint = self.joints[number - 1]
                return f"{joint.object}/{joint.name}"
        raise ValueError(f'layer "{layer}" holds no named ids: they are in object, part, material and joint')

    def first_joints(self) -> dict[tuple[str, int], int]:
        """Return the joint id of the first row of each palette, by object and node."""
        first: dict[tuple[str, int], int] = {}
        for joint in self.joints:
            first.setdefault((joint.object, joint.node), joint.id)
        return first

    def to_json(self) -> dict[str, object]:
        """Return the table as lists of plain values."""
        return {
            "objects": list(self.objects),
            "parts": [[p.object, p.node, p.primitive, p.name] for p in self.parts],
            "materials": list(self.materials),
            "joints": [[j.object, j.node, j.joint, j.name] for j in self.joints],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, list[object]]) -> IdTable:
        """Return the table that `to_json` wrote."""
        return cls(
            objects=tuple(str(name) for name in data["objects"]),
            parts=tuple(PartId(i, *row) for i, row in enumerate(data["parts"], 1)),  # type: ignore[misc]
            materials=tuple(str(name) for name in data["materials"]),
            joints=tuple(JointId(i, *row) for i, row in enumerate(data["joints"], 1)),  # type: ignore[misc]
        )
