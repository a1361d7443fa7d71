"""Weights as the file has them: they are not brought to a sum of 1."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from posed.scene.description import Object, Part
from posed.skinning import PosedVertices
from posed.snapshot import Posed
from posed.verify.diagnosing.case import Case, named
from posed.verify.diagnosing.hypothesis import Family, Hypothesis
from posed.verify.posing import Posing

NAME = "weights not normalized"

CURE = "weights when they are loaded: divided by their sum over all sets; a vertex without any follows joint 0"


class GivenWeights(Posing):
    """Poses with the weights that the file has."""

    def local(self, part: Part, posed: Posed) -> PosedVertices:
        """Return the vertices as their own weights pose them."""
        primitive = part.primitive
        if primitive.weights is None or primitive.sums is None:
            return super().local(part, posed)
        weights = (primitive.weights * primitive.sums[:, None]).astype(np.float32)
        return super().local(replace(part, primitive=replace(primitive, weights=weights)), posed)


def propose(case: Case) -> Iterator[Hypothesis]:
    """Yield that sums which are not 1 stay so."""
    for objects in case.scopes(_has_sums):
        yield Hypothesis(
            family=NAME,
            claim=f"{named(objects)}: the weights are not normalized",
            cure=CURE,
            posed=case.truth,
            posing=GivenWeights(),
            objects=tuple(one.name for one in objects),
        )


def _has_sums(one: Object) -> bool:
    return any(primitive.sums is not None for mesh in one.model.meshes for primitive in mesh.primitives)


FAMILY = Family(NAME, propose)
