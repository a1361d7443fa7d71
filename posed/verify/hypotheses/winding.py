"""Winding: the wrong side of triangles counts as their front, where a mirror has turned them or everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from posed.arrays import Float64
from posed.scene.description import Object, Part
from posed.skinning import PosedVertices
from posed.snapshot import Posed
from posed.verify.diagnosing.case import Case, named
from posed.verify.diagnosing.hypothesis import Family, Hypothesis
from posed.verify.posing import RIGHT, Posing, places

NAME = "mirrored winding"

MIRRORED = "culling where a mirror turns triangles over: a negative determinant swaps front and back"
SWAPPED = "which side is the front: counter-clockwise in glTF; a flipped projection swaps it"


class Unturned(Posing):
    """Takes the counter-clockwise side for the front, whatever mirrors it."""

    def local(self, part: Part, posed: Posed) -> PosedVertices:
        """Return the vertices with triangles as the file winds them."""
        one = super().local(part, posed)
        return replace(one, facing=np.ones_like(one.facing))

    def placed(self, part: Part, local: PosedVertices, place: Float64) -> PosedVertices:
        """Return the vertices placed, with triangles as they were wound."""
        return replace(super().placed(part, local, place), facing=local.facing)


class Swapped(Posing):
    """Takes the back for the front."""

    def placed(self, part: Part, local: PosedVertices, place: Float64) -> PosedVertices:
        """Return the vertices placed, with all triangles turned over."""
        one = super().placed(part, local, place)
        return replace(one, facing=-one.facing)


def propose(case: Case) -> Iterator[Hypothesis]:
    """Yield that mirrors do not turn triangles over, where there are any, and that all triangles are turned over."""
    for objects in case.scopes(lambda one: _is_mirrored(case, one)):
        yield _hypothesis(case, objects, "mirrored triangles keep the winding of the file", MIRRORED, Unturned())
    for objects in case.scopes(_is_one_sided):
        yield _hypothesis(case, objects, "front and back of the triangles are swapped", SWAPPED, Swapped())


def _hypothesis(case: Case, objects: tuple[Object, ...], words: str, cure: str, posing: Posing) -> Hypothesis:
    return Hypothesis(
        family=NAME,
        claim=f"{named(objects)}: {words}",
        cure=cure,
        posed=case.truth,
        posing=posing,
        objects=tuple(one.name for one in objects),
        values={"swapped": isinstance(posing, Swapped)},
    )


def _is_mirrored(case: Case, one: Object) -> bool:
    return any(
        bool((RIGHT.placed(part, RIGHT.local(part, case.truth), place).facing < 0).any())
        for part in case.scene.parts
        if part.object is one
        for place in places(part, case.truth)
    )


def _is_one_sided(one: Object) -> bool:
    return any(not one.shown(part.material).double_sided for mesh in one.model.meshes for part in mesh.primitives)


FAMILY = Family(NAME, propose)
