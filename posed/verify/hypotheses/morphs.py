"""Morph targets: not applied, left at rest, or applied after skinning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from posed.arrays import AnyArray
from posed.model_pose import rest_pose
from posed.scene.description import Object, Part
from posed.skinning import PosedVertices
from posed.snapshot import Posed
from posed.verify.diagnosing.case import Case, named
from posed.verify.diagnosing.changes import is_morphed, is_skinned, with_values
from posed.verify.diagnosing.hypothesis import Family, Hypothesis
from posed.verify.diagnosing.replay import same_pose
from posed.verify.posing import Posing

MISSING, AFTER = "morphs missing", "morphs after skinning"

CURE = "the vertex stage: the deltas of morph targets are added to the bind pose, then the palette moves the sum"


class MorphedLast(Posing):
    """Skins first and adds the deltas of morph targets then."""

    def local(self, part: Part, posed: Posed) -> PosedVertices:
        """Return the vertices with their deltas as they stand in the file, whatever the palette turns."""
        base = super().local(replace(part, primitive=replace(part.primitive, targets=())), posed)
        weights = posed.morphs.get(part.object.name, {}).get(part.node, ())
        positions = base.positions.astype(np.float64)
        normals = None if base.normals is None else base.normals.astype(np.float64)
        for target, weight in zip(part.primitive.targets, weights, strict=False):
            if target.positions is not None:
                positions += weight * target.positions.astype(np.float64)
            if target.normals is not None and normals is not None:
                normals += weight * target.normals.astype(np.float64)
        return replace(
            base,
            positions=positions.astype(np.float32),
            normals=None if normals is None else _unit(normals).astype(np.float32),
        )


def propose_missing(case: Case) -> Iterator[Hypothesis]:
    """Yield that no target is applied, or each at its weight at rest."""
    for objects in case.scopes(is_morphed):
        names = [one.name for one in objects]
        none = {name: {node: np.zeros_like(w) for node, w in case.truth.morphs[name].items()} for name in names}
        rest = {one.name: rest_pose(one.model).morphs for one in objects}
        seen = [case.truth]
        for words, morphs in (("no morph target is applied", none), ("the morph targets are at rest", rest)):
            posed = with_values(case.truth, morphs=morphs)
            if any(all(same_pose(posed, other, name) for name in names) for other in seen):
                continue
            seen.append(posed)
            yield Hypothesis(
                family=MISSING,
                claim=f"{named(objects)}: {words}",
                cure=CURE,
                posed=posed,
                objects=tuple(names),
                values={"at_rest": morphs is rest},
            )


def propose_after(case: Case) -> Iterator[Hypothesis]:
    """Yield that deltas are added to skinned vertices."""
    for objects in case.scopes(lambda one: is_skinned(one) and _counts(case, one)):
        yield Hypothesis(
            family=AFTER,
            claim=f"{named(objects)}: the morph targets are applied after skinning",
            cure=CURE,
            posed=case.truth,
            posing=MorphedLast(),
            objects=tuple(one.name for one in objects),
        )


def _counts(case: Case, one: Object) -> bool:
    return any(bool((weights != 0.0).any()) for weights in case.truth.morphs.get(one.name, {}).values())


def _unit(vectors: AnyArray) -> AnyArray:
    lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    return vectors / np.where(lengths > 0.0, lengths, 1.0)


FAMILIES = (Family(MISSING, propose_missing), Family(AFTER, propose_after))
