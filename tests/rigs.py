"""Rigs from literals, for tests on every floor."""

import math

import numpy as np

from anim import Skeleton, Transform

HALF = math.sqrt(0.5)
QUARTER_TURN_Z = (0.0, 0.0, HALF, HALF)


def two_bone() -> Skeleton:
    """An upper arm at the origin and a forearm one metre up it, bound as they stand."""
    down = np.eye(4)
    down[1, 3] = -1.0
    return Skeleton(
        names=["upper", "lower"],
        parents=[-1, 0],
        rest=[Transform(), Transform(translation=(0.0, 1.0, 0.0))],
        joints=[0, 1],
        inverse_bind=[np.eye(4), down],
    )


def chain(count: int, *, length: float = 1.0) -> Skeleton:
    """A chain of bones up the y axis, each `length` metres above its parent, bound as they stand."""
    binds = np.tile(np.eye(4), (count, 1, 1))
    binds[:, 1, 3] = [-length * i for i in range(count)]
    return Skeleton(
        names=[f"bone{i}" for i in range(count)],
        parents=[i - 1 for i in range(count)],
        rest=[Transform(translation=(0.0, length if i else 0.0, 0.0)) for i in range(count)],
        joints=range(count),
        inverse_bind=binds,
    )
