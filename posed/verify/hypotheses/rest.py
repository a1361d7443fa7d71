"""Rest or bind pose: an object is drawn as its file stands, or as its mesh was bound."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posed.model_pose import rest_pose
from posed.verify.diagnosing.case import Case, named
from posed.verify.diagnosing.changes import is_skinned, with_palettes, with_values
from posed.verify.diagnosing.hypothesis import Family, Hypothesis

REST, BIND = "rest pose", "bind pose"

CURE = "whether the engine advances the animation and uploads its palette before it draws"


def propose_rest(case: Case) -> Iterator[Hypothesis]:
    """Yield that objects whose clips move them stand still."""
    for objects in case.scopes(lambda one: bool(one.model.clips)):
        rest = {one.name: rest_pose(one.model) for one in objects}
        yield Hypothesis(
            family=REST,
            claim=f"{named(objects)}: in the rest pose, as if no clip played",
            cure=CURE,
            posed=with_values(
                case.truth,
                nodes={name: pose.nodes for name, pose in rest.items()},
                palettes={name: pose.palettes for name, pose in rest.items()},
                morphs={name: pose.morphs for name, pose in rest.items()},
            ),
            objects=tuple(one.name for one in objects),
        )


def propose_bind(case: Case) -> Iterator[Hypothesis]:
    """Yield that skinned objects are drawn as they were bound: every matrix of the palette is the identity."""
    for objects in case.scopes(is_skinned):
        yield Hypothesis(
            family=BIND,
            claim=f"{named(objects)}: in the bind pose, as if no palette were applied",
            cure=CURE,
            posed=with_palettes(
                case.truth, objects, lambda one, node, skin, palette: np.tile(np.eye(4), (len(palette), 1, 1))
            ),
            objects=tuple(one.name for one in objects),
        )


FAMILIES = (Family(REST, propose_rest), Family(BIND, propose_bind))
