"""Normals by the plain matrix: turned like positions, which scale bends the wrong way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.scene.description import Object, Part
from posed.skinning import PosedVertices
from posed.snapshot import Posed
from posed.verify.diagnosing.case import Case, named
from posed.verify.diagnosing.hypothesis import Family, Hypothesis
from posed.verify.posing import Posing

NAME = "normals by the plain matrix"

CURE = "the normal's matrix: the cofactors of the blended 3x3, or its inverse transposed, not the 3x3 itself"


class PlainNormals(Posing):
    """Turns normals as it turns tangents: by the 3x3 itself."""

    def local(self, part: Part, posed: Posed) -> PosedVertices:
        """Return the vertices with plainly skinned normals; those without normals as they are."""
        primitive = part.primitive
        if primitive.normals is None:
            return super().local(part, posed)
        targets = tuple(replace(one, tangents=one.normals) for one in primitive.targets)
        turned = replace(primitive, tangents=_with_handedness(primitive.normals), targets=targets)
        return _exchanged(super().local(replace(part, primitive=turned), posed))

    def placed(self, part: Part, local: PosedVertices, place: Float64) -> PosedVertices:
        """Return the vertices under a matrix that turns normals plainly."""
        if local.normals is None:
            return super().placed(part, local, place)
        return _exchanged(super().placed(part, replace(local, tangents=_with_handedness(local.normals)), place))


def _with_handedness(normals: AnyArray) -> AnyArray:
    return np.concatenate([normals, np.ones((len(normals), 1), normals.dtype)], axis=1)


def _exchanged(one: PosedVertices) -> PosedVertices:
    """Return vertices whose normals are what went through as tangents."""
    assert one.tangents is not None
    return replace(one, normals=np.ascontiguousarray(one.tangents[:, :3]), tangents=None)


def propose(case: Case) -> Iterator[Hypothesis]:
    """Yield that normals are turned plainly, where the file has any."""
    for objects in case.scopes(_has_normals):
        yield Hypothesis(
            family=NAME,
            claim=f"{named(objects)}: normals are turned by the plain matrix",
            cure=CURE,
            posed=case.truth,
            posing=PlainNormals(),
            objects=tuple(one.name for one in objects),
        )


def _has_normals(one: Object) -> bool:
    return any(primitive.normals is not None for mesh in one.model.meshes for primitive in mesh.primitives)


FAMILY = Family(NAME, propose)
