"""Too few influences: only the first four of a vertex count, or its four strongest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from posed.gltf.mesh import Primitive
from posed.scene.description import Object, Part
from posed.skinning import PosedVertices
from posed.snapshot import Posed
from posed.verify.diagnosing.case import Case, named
from posed.verify.diagnosing.hypothesis import Family, Hypothesis
from posed.verify.posing import Posing

NAME = "only four influences"

FEW = 4
"""Influences of a vertex that many engines read."""

CURE = "how many sets of JOINTS_n and WEIGHTS_n the vertex layout reads: all of them count, together"


class FewInfluences(Posing):
    """Poses with four influences a vertex: the first or the strongest, their weights summing to 1 again or not."""

    def __init__(self, *, strongest: bool, normalized: bool) -> None:
        self.strongest, self.normalized = strongest, normalized

    def local(self, part: Part, posed: Posed) -> PosedVertices:
        """Return the vertices as the fewer influences pose them."""
        return super().local(replace(part, primitive=self._reduced(part.primitive)), posed)

    def _reduced(self, primitive: Primitive) -> Primitive:
        joints, weights = primitive.joints, primitive.weights
        if joints is None or weights is None or joints.shape[1] <= FEW:
            return primitive
        if self.strongest:
            order = np.argsort(-weights, axis=1, kind="stable")
            joints, weights = np.take_along_axis(joints, order, axis=1), np.take_along_axis(weights, order, axis=1)
        joints, weights = joints[:, :FEW], weights[:, :FEW]
        if self.normalized:
            total = weights.sum(axis=1, keepdims=True)
            weights = (weights / np.where(total > 0.0, total, 1.0)).astype(np.float32)
        return replace(primitive, joints=np.ascontiguousarray(joints), weights=np.ascontiguousarray(weights))


def propose(case: Case) -> Iterator[Hypothesis]:
    """Yield the ways to leave influences out, where vertices have more than four."""
    for objects in case.scopes(_has_many):
        for strongest in (False, True):
            for normalized in (True, False):
                which = "four strongest" if strongest else "first four"
                end = ", their weights not brought to 1 again" if not normalized else ""
                yield Hypothesis(
                    family=NAME,
                    claim=f"{named(objects)}: only the {which} influences of a vertex count{end}",
                    cure=CURE,
                    posed=case.truth,
                    posing=FewInfluences(strongest=strongest, normalized=normalized),
                    objects=tuple(one.name for one in objects),
                    values={"strongest": strongest, "normalized": normalized},
                )


def _has_many(one: Object) -> bool:
    return any(
        primitive.weights is not None and bool((primitive.weights[:, FEW:] > 0.0).any())
        for mesh in one.model.meshes
        for primitive in mesh.primitives
    )


FAMILY = Family(NAME, propose)
