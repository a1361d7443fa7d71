"""`bone_mask`: how far a layer counts on each bone, from names and subtrees."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from anim.errors import AnimError
from anim.skeleton import Skeleton

Bones = Iterable[str | int]


def bone_mask(
    skeleton: Skeleton, *, bones: Bones = (), subtrees: Bones = (), weight: float = 1.0, otherwise: float = 0.0
) -> NDArray[np.float64]:
    """Return a weight for every bone (B,) float64.

    Parameters
    ----------
    skeleton
    bones
        Bones that get the weight, by name (every bone of the name) or index.
    subtrees
        Bones that get it together with all bones under them.
    weight, otherwise
        Weights in [0, 1] of those bones and of the others.

    Raises
    ------
    AnimError
        For a bone that is not there, or a weight outside [0, 1].
    """
    for name, number in (("weight", weight), ("otherwise", otherwise)):
        if not 0.0 <= number <= 1.0:
            raise AnimError(f"{name} is {number}; expected 0 to 1")
    chosen = np.zeros(skeleton.bone_count, dtype=np.bool_)
    below = np.zeros(skeleton.bone_count, dtype=np.bool_)
    for marks, given in ((chosen, bones), (below, subtrees)):
        for bone in given:
            marks[_indices(skeleton, bone)] = True
    for bone, parent in enumerate(skeleton.parents.tolist()):
        below[bone] |= parent >= 0 and below[parent]
    return np.where(chosen | below, float(weight), float(otherwise))


def _indices(skeleton: Skeleton, bone: str | int) -> list[int]:
    found = (
        [index for index, name in enumerate(skeleton.names) if name == bone]
        if isinstance(bone, str)
        else [bone]
        if 0 <= bone < skeleton.bone_count
        else []
    )
    if not found:
        raise AnimError(f"the skeleton has no bone {bone!r}; it has {', '.join(map(repr, skeleton.names)) or 'none'}")
    return found
