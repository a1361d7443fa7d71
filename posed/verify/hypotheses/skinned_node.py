"""The skinned node's transform: applied on top of its palette, or taken out of it once too often."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.gltf.skin import Skin
from posed.model_pose import rest_pose
from posed.scene.description import Object
from posed.verify.diagnosing.case import Case, named
from posed.verify.diagnosing.changes import inverses, is_skinned, products, with_palettes
from posed.verify.diagnosing.hypothesis import Family, Hypothesis

NAME = "skinned node's transform"

APPLIED = "glTF ignores the transform of a node with a skin, and those above it: the palette alone places the mesh"
RELATIVE = "the space of the palette: relative to the skinned node it needs that node's transform again"


def propose(case: Case) -> Iterator[Hypothesis]:
    """Yield that meshes are placed by their node too, or by a palette that is relative to a node they are not under."""
    for objects in case.scopes(lambda one: is_skinned(one) and _stands_off(case, one)):
        for applied in (True, False):
            claim = (
                "the skinned node's own transform is applied"
                if applied
                else "the palette is relative to the skinned node, whose transform is not applied"
            )
            yield Hypothesis(
                family=NAME,
                claim=f"{named(objects)}: {claim}",
                cure=APPLIED if applied else RELATIVE,
                posed=with_palettes(case.truth, objects, _Placed(case, applied)),
                objects=tuple(one.name for one in objects),
                values={"applied": applied},
            )


class _Placed:
    """Puts a skinned node's global matrix, or its inverse, before every matrix of its palette."""

    def __init__(self, case: Case, applied: bool) -> None:
        self._case, self._applied = case, applied

    def __call__(self, one: Object, node: int, skin: Skin, palette: AnyArray) -> AnyArray:
        place = _global(self._case, one, node)[None]
        chosen = place if self._applied else inverses(place)
        return palette if chosen is None else products(np.repeat(chosen, len(palette), axis=0), palette)


def _global(case: Case, one: Object, node: int) -> Float64:
    """Return a node's global matrix in the truth's pose, where that says what plays, else at rest."""
    played = case.played(one)
    globals_ = rest_pose(one.model).globals if played is None else played.pose.globals()
    matrix: Float64 = globals_[one.model.node_rig().skeleton.bone_of_node(node)]
    return matrix


def _stands_off(case: Case, one: Object) -> bool:
    nodes = [node for node in one.model.mesh_nodes if one.model.nodes[node].skin is not None]
    return any((_global(case, one, node) != np.eye(4)).any() for node in nodes)


FAMILY = Family(NAME, propose)
