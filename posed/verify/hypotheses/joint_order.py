"""Joints in another order: the palette lists them parents first where vertices count them as the file does."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posed.arrays import AnyArray
from posed.gltf.skin import Skin
from posed.scene.description import Object
from posed.verify.diagnosing.case import Case, named
from posed.verify.diagnosing.changes import is_skinned, with_palettes
from posed.verify.diagnosing.hypothesis import Family, Hypothesis
from posed.verify.diagnosing.replay import same_pose

NAME = "joint order"

CURE = "the palette's rows: vertices count joints in the order of the file's skin.joints"


def propose(case: Case) -> Iterator[Hypothesis]:
    """Yield that rows are in the order of the hierarchy, or sorted by their node; where the file's own is another."""
    for objects in case.scopes(is_skinned):
        tried = [case.truth]
        for key, words in (("hierarchy", "parents first"), ("node", "by the number of their nodes")):
            for backward in (False, True):
                posed = with_palettes(case.truth, objects, _Reordered(key, backward))
                if any(all(same_pose(other, posed, one.name) for one in objects) for other in tried):
                    continue
                tried.append(posed)
                way = ", and the vertices' numbers with them" if backward else ""
                yield Hypothesis(
                    family=NAME,
                    claim=f"{named(objects)}: the joints are in the order {words}, not in the file's{way}",
                    cure=CURE,
                    posed=posed,
                    objects=tuple(one.name for one in objects),
                    values={"order": key, "backward": backward},
                )


class _Reordered:
    """Puts rows in another order, or, backward, takes the file's order for that one."""

    def __init__(self, key: str, backward: bool) -> None:
        self._key, self._backward = key, backward

    def __call__(self, one: Object, node: int, skin: Skin, palette: AnyArray) -> AnyArray:
        order = _order(self._key, one, skin)
        return palette[np.argsort(order) if self._backward else order]


def _order(key: str, one: Object, skin: Skin) -> AnyArray:
    """Return which row of the file comes first, second and so on."""
    skeleton = one.model.node_rig().skeleton
    ranks = skin.joints if key == "node" else [skeleton.bone_of_node(joint) for joint in skin.joints]
    return np.argsort(np.array(ranks), kind="stable")


FAMILY = Family(NAME, propose)
