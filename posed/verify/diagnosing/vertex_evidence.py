"""Evidence in posed vertices: those that an engine dumped or a device gave back, against those posed here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray, Bool, Float64
from posed.errors import PoseError
from posed.matrices import multiply
from posed.scene.description import Part, Scene
from posed.skinning import PosedVertices
from posed.snapshot import Posed
from posed.verify.diagnosing.diagnosis import Match
from posed.verify.diagnosing.hypothesis import Hypothesis
from posed.verify.policy import Policy
from posed.verify.posing import RIGHT, Posing
from posed.verify.vertices import PartVertices, Place, Vertices


@dataclass(frozen=True, eq=False)
class _Stated:
    """A part that the live side states: how far its vertices may be off in metres, and which of them are."""

    part: Part
    instance: int
    live: PartVertices
    within: float
    wrong: Bool


class VertexEvidence:
    """Vertices of some parts, see `Evidence`.

    Parameters
    ----------
    scene, truth
        What should have been posed; the snapshot is whole.
    live
        The vertices, in their objects' spaces.
    policy
        What differs.

    Raises
    ------
    PoseError
        A part that the scene has not, or with another number of vertices.
    """

    noun = "vertices"

    def __init__(self, scene: Scene, truth: Posed, live: Vertices, *, policy: Policy) -> None:
        self._least_cosine = float(np.cos(np.radians(policy.vertices.degrees)))
        parts = {Place(one.object.name, one.node, one.primitive.index): one for one in scene.parts}
        self._stated = []
        for place, vertices in live.parts.items():
            part = _part_at(place, parts, [one.name for one in scene.objects])
            expected = _posed_at(part, place.instance, truth, RIGHT)
            count = len(vertices.positions)
            if count != _file_count(part):
                raise PoseError(
                    f"vertices: part {'/'.join(map(str, place))} has {count} vertices, expected {_file_count(part)}: "
                    "dump all of them in the file's order"
                )
            within = policy.vertices.steps * _step(part, truth, expected)
            wrong = ~self._fits(vertices, expected, within)
            self._stated.append(_Stated(part, place.instance, vertices, within, wrong))
        self.differing = sum(int(one.wrong.sum()) for one in self._stated)
        counts: dict[str, int] = {}
        for one in self._stated:
            counts[one.part.object.name] = counts.get(one.part.object.name, 0) + int(one.wrong.sum())
        self.suspects = tuple(sorted((name for name in counts if counts[name]), key=lambda name: -counts[name]))

    def look(self, hypothesis: Hypothesis) -> Match:
        """Return how a hypothesis fits at every vertex."""
        explained = broken = 0
        gap = 0.0
        for one in self._stated:
            posing = hypothesis.posing if one.part.object.name in hypothesis.objects else RIGHT
            found = _posed_at(one.part, one.instance, hypothesis.posed, posing)
            fits = self._fits(one.live, found, one.within)
            explained += int((fits & one.wrong).sum())
            broken += int((~fits & ~one.wrong).sum())
            gap += float(_distances(one.live, found)[one.wrong].sum())
        return Match(explained, broken, self.differing, gap / max(self.differing, 1))

    def judge(self, hypothesis: Hypothesis) -> None:
        """Return None: the first look is at every vertex."""
        del hypothesis

    def undone(self) -> tuple[()]:
        """Return nothing: this is no picture."""
        return ()

    def _fits(self, live: PartVertices, posed: PosedVertices, within: float) -> Bool:
        """Return which vertices are where, and face as, they are posed, (V,)."""
        count = len(live.positions)
        fits: Bool = _distances(live, posed) <= within
        if live.normals is not None and posed.normals is not None:
            fits &= self._faces(live.normals.astype(np.float64), posed.normals[:count].astype(np.float64))
        return fits

    def _faces(self, live: AnyArray, posed: AnyArray) -> Bool:
        """Return which normals agree, (V,); one of no length states nothing."""
        lengths = np.sqrt((live * live).sum(axis=1) * (posed * posed).sum(axis=1))
        agrees: Bool = ((live * posed).sum(axis=1) >= self._least_cosine * lengths) | (lengths == 0.0)
        return agrees


def _distances(live: PartVertices, posed: PosedVertices) -> Float64:
    """Return how far each vertex lies from where it is posed, (V,) metres."""
    steps = live.positions.astype(np.float64) - posed.positions[: len(live.positions)]
    distances: Float64 = np.sqrt((steps * steps).sum(axis=1))
    return distances


def _part_at(place: Place, parts: Mapping[Place, Part], objects: list[str]) -> Part:
    if not place.object and len(objects) == 1:
        place = place._replace(object=objects[0])
    key = place._replace(instance=0)
    if key not in parts or place.instance >= parts[key].copies:
        have = ", ".join("/".join(map(str, one[:3])) for one in list(parts)[:8])
        raise PoseError(f"vertices: there is no part {'/'.join(map(str, place))} (there are {have})")
    return parts[key]


def _file_count(part: Part) -> int:
    """Return how many vertices the file has of a part; rendering may have split some, which follow."""
    mesh = part.object.model.nodes[part.node].mesh
    assert mesh is not None
    return len(part.object.model.meshes[mesh].primitives[part.primitive.index].positions)


def _posed_at(part: Part, instance: int, posed: Posed, posing: Posing) -> PosedVertices:
    """Return a part's vertices in its object's space."""
    local = posing.local(part, posed)
    if part.skinned:
        return local
    place = posed.nodes[part.object.name][part.node]
    if part.instances is not None:
        place = multiply(place, part.instances[instance])
    return posing.placed(part, local, place)


def _step(part: Part, posed: Posed, expected: PosedVertices) -> float:
    """Return the step of float32 at the largest coordinate on the way to a part's posed vertices."""
    largest = float(np.abs(expected.positions).max(initial=0.0))
    if part.skinned:
        palette = posed.palettes[part.object.name][part.node]
        largest = max(largest, float(np.abs(palette[:, :3, 3]).max(initial=0.0)))
    return float(np.spacing(np.float32(largest)))
