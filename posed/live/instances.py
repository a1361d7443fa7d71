"""What one snapshot puts on the device: a record per copy of a visible part, palettes, morph weights, the origin."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray, Float32, Float64
from posed.camera import Camera
from posed.live import layout
from posed.live.bounds import RestBounds, frame_origin, posed_box
from posed.properties import shown_parts
from posed.scene.description import Part, Scene
from posed.snapshot import Posed

_UNPOSED = np.eye(4)[None]


@dataclass(frozen=True, eq=False)
class Instances:
    """A snapshot as the shaders read it.

    `parts` (N,) are the parts that are drawn, in id order, a repeated one once for each of its copies, and `records`
    (N,) their `layout.INSTANCE`; `palettes` (J, 3, 4) float32 and `morph_weights` (W,) float32 are those of all parts,
    one after the other. `origin` (3,) float64 is the world's point that the records' matrices are relative to;
    `farthest` the greatest depth in metres.
    """

    parts: tuple[Part, ...]
    records: AnyArray
    palettes: Float32
    morph_weights: Float32
    origin: Float64
    farthest: float


def gather(scene: Scene, posed: Posed, previous: Posed, camera: Camera, bounds: Mapping[int, RestBounds]) -> Instances:
    """Return the records of every visible part that has triangles.

    Parameters
    ----------
    scene, posed
        What is drawn; the snapshot is whole (`posed.fit`).
    previous
        The snapshot before, whole as well; at tick 0 the same one.
    camera
        The camera that looks.
    bounds
        Part id to the boxes of its primitive; parts without an entry are not drawn.
    """
    shown = [part for part in shown_parts(scene, posed) if part.id in bounds]
    copies = [(part, copy) for part in shown for copy in range(part.copies)]
    palettes, weights = _Rows((3, 4)), _Rows(())
    joints = scene.ids.first_joints()
    places: list[tuple[Float64, Float64]] = []
    boxes: list[tuple[Float64, Float64]] = []
    records = np.zeros(len(copies), layout.INSTANCE)
    for (part, copy), record in zip(copies, records, strict=True):
        key = part.object.name, part.node
        place, matrices = _placement(part, copy, posed)
        old_place, old_matrices = _placement(part, copy, previous)
        if part.skinned:
            record["palette"] = palettes.add((*key, "now"), matrices[:, :3, :])
            record["previous_palette"] = palettes.add((*key, "before"), old_matrices[:, :3, :])
            record["first_joint"] = joints[key]
        morph, old_morph = _morph_weights(part, posed), _morph_weights(part, previous)
        record["morph"] = weights.add((part.id, "now"), morph)
        record["previous_morph"] = weights.add((part.id, "before"), old_morph)
        record["object"], record["part"] = part.object_id, part.id
        rectangle = _frame_of_atlas(part, posed)
        if rectangle is not None:
            record["flags"], record["rectangle"] = layout.SPRITE, rectangle
        if _is_bumpy(part):
            record["flags"] |= layout.BUMPY
        places.append((place, old_place))
        boxes.append(posed_box(bounds[part.id], matrices, place, morph))
    eye = camera.matrix[:3, 3]
    low, high = _union(boxes, eye)
    origin = frame_origin(eye, low, high)
    for record, (place, old_place) in zip(records, places, strict=True):
        for name, matrix in (("rows", place), ("previous_rows", old_place)):
            record[name] = matrix[:3]
            record[name][:, 3] = matrix[:3, 3] - origin
        record["mirror"] = -1.0 if _determinant(place) < 0.0 else 1.0
    parts = tuple(part for part, _ in copies)
    return Instances(parts, records, palettes.joined(), weights.joined(), origin, _farthest(camera, low, high))


class _Rows:
    """Blocks of float32 rows, each stored once per key, one after the other."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._blocks: list[AnyArray] = [np.zeros((0, *shape))]
        self._starts: dict[Hashable, int] = {}
        self._count = 0

    def add(self, key: Hashable, block: AnyArray) -> int:
        """Store `block` unless `key` has been stored, and return its first row."""
        if key not in self._starts:
            self._starts[key] = self._count
            self._blocks.append(block)
            self._count += len(block)
        return self._starts[key]

    def joined(self) -> Float32:
        return np.concatenate(self._blocks, dtype=np.float32)


def _placement(part: Part, copy: int, posed: Posed) -> tuple[Float64, AnyArray]:
    """Return what takes posed vertices to the world, (4, 4), and the palette, (J, 4, 4), or the identity alone."""
    model = posed.models[part.object.name]
    if part.skinned:
        return model, posed.palettes[part.object.name][part.node]
    place = _product(model, posed.nodes[part.object.name][part.node])
    return place if part.instances is None else _product(place, part.instances[copy]), _UNPOSED


def _morph_weights(part: Part, posed: Posed) -> Float64:
    """Return one weight a target of this primitive; its mesh may have more."""
    weights = posed.morphs.get(part.object.name, {}).get(part.node, np.zeros(0))
    return weights[: len(part.primitive.targets)]


def _is_bumpy(part: Part) -> bool:
    primitive = part.primitive
    has_frame = primitive.normals is not None and primitive.tangents is not None
    return has_frame and part.material.normal_texture is not None


def _frame_of_atlas(part: Part, posed: Posed) -> tuple[float, float, float, float] | None:
    """Return u0, v0, u1, v1 of what a sprite's content material shows, None for any other part."""
    animation = part.object.animation
    if animation is None or animation.sprite is None or not part.material.content:
        return None
    u0, v0, u1, v1 = animation.sprite.atlas.uv(posed.sprites[part.object.name])
    return u0, v0, u1, v1


def _product(a: Float64, b: Float64) -> Float64:
    """Return a b of two affine (4, 4) float64, by sums in a fixed order."""
    c = np.eye(4)
    c[:3] = a[:3, 0:1] * b[0] + a[:3, 1:2] * b[1] + a[:3, 2:3] * b[2]
    c[:3, 3] += a[:3, 3]
    return c


def _determinant(m: Float64) -> float:
    return float(
        m[0, 0] * (m[1, 1] * m[2, 2] - m[1, 2] * m[2, 1])
        - m[0, 1] * (m[1, 0] * m[2, 2] - m[1, 2] * m[2, 0])
        + m[0, 2] * (m[1, 0] * m[2, 1] - m[1, 1] * m[2, 0])
    )


def _union(boxes: list[tuple[Float64, Float64]], otherwise: Float64) -> tuple[Float64, Float64]:
    if not boxes:
        return otherwise, otherwise
    return np.min([low for low, _ in boxes], axis=0), np.max([high for _, high in boxes], axis=0)


def _farthest(camera: Camera, low: Float64, high: Float64) -> float:
    """Return the depth of the box's farthest corner along the camera's forward axis."""
    forward, eye = -camera.matrix[:3, 2], camera.matrix[:3, 3]
    corner = np.where(forward > 0.0, high, low) - eye
    depth = float(forward[0] * corner[0] + forward[1] * corner[1] + forward[2] * corner[2])
    return depth if math.isfinite(depth) else 0.0
