"""From local transforms to global matrices, parents first, and from those to the joints' palette."""

import numpy as np
from numpy.typing import NDArray

from anim.errors import AnimError
from anim.kernel import kernel
from anim.matrix import copy_matrix, multiply_affine, set_transform

Floats = NDArray[np.float64]
Indices = NDArray[np.int32]


def joint_palette(
    transforms: Floats, bones: Indices, inverse_bind: Floats, *, out: NDArray[np.float32] | None = None
) -> NDArray[np.float32]:
    """Return `transforms[bones[j]] @ inverse_bind[j]` for every joint, computed in float64 and rounded once.

    Parameters
    ----------
    transforms : (B, 4, 4) float64
        Global matrices of the bones, as `Pose.globals()` gives them.
    bones : (J,) int32
        Bone of each joint, in the order of the skin.
    inverse_bind : (J, 4, 4) float64
        Inverse bind matrices in the same order.
    out : (J, 4, 4) float32, optional
        Written to and returned.

    Raises
    ------
    AnimError
        For a bone that the transforms do not have, or lengths that differ.
    """
    bones = np.ascontiguousarray(bones, np.int32).view()
    inverse_bind = np.ascontiguousarray(inverse_bind, np.float64).view()
    bones.flags.writeable = inverse_bind.flags.writeable = False  # one kind of array, so one compilation
    if len(inverse_bind) != len(bones):
        raise AnimError(f"inverse_bind has {len(inverse_bind)} matrices for {len(bones)} joints; expected one a joint")
    if len(bones) and not 0 <= bones.min() <= bones.max() < len(transforms):
        raise AnimError(f"a joint's bone is out of range; the {len(transforms)} transforms allow 0 to one less")
    if out is None:
        out = np.empty((len(bones), 4, 4), dtype=np.float32)
    write_palette(transforms, bones, inverse_bind, out)
    return out


@kernel
def write_globals(
    parents: Indices,
    fixed_bones: Indices,
    fixed_matrices: Floats,
    rest_translations: Floats,
    rest_rotations: Floats,
    rest_scales: Floats,
    translations: Floats,
    rotations: Floats,
    scales: Floats,
    out: Floats,
) -> None:
    """Write each bone's matrix in the space of the roots into out (B,4,4).

    The fixed bones, in rising order, stand by their matrices (F,4,4) where their transform is still the rest's.
    """
    local = np.empty((4, 4))
    fixed = 0
    for bone in range(len(parents)):
        set_transform(translations[bone], rotations[bone], scales[bone], local)
        if fixed < len(fixed_bones) and fixed_bones[fixed] == bone:
            if (
                same(translations[bone], rest_translations[bone])
                and same(rotations[bone], rest_rotations[bone])
                and same(scales[bone], rest_scales[bone])
            ):
                copy_matrix(fixed_matrices[fixed], local)
            fixed += 1
        parent = parents[bone]
        if parent < 0:
            copy_matrix(local, out[bone])
        else:
            multiply_affine(out[parent], local, out[bone])


@kernel
def write_palette(transforms: Floats, bones: Indices, inverse_bind: Floats, out: NDArray[np.float32]) -> None:
    """Write `transforms[bones[j]] @ inverse_bind[j]` into out (J,4,4) float32."""
    for joint in range(len(bones)):
        multiply_affine(transforms[bones[joint]], inverse_bind[joint], out[joint])


@kernel
def write_palette_within(
    space: Floats, transforms: Floats, bones: Indices, inverse_bind: Floats, out: NDArray[np.float32]
) -> None:
    """Write `space @ transforms[bones[j]] @ inverse_bind[j]` into out (J,4,4) float32."""
    product = np.empty((4, 4))
    for joint in range(len(bones)):
        multiply_affine(space, transforms[bones[joint]], product)
        multiply_affine(product, inverse_bind[joint], out[joint])


@kernel
def same(a: Floats, b: Floats) -> bool:
    """Return whether two vectors are equal, number by number."""
    for i in range(len(a)):  # noqa: SIM110 - a generator expression is no kernel
        if a[i] != b[i]:
            return False
    return True
