"""Weighted mixing of two values of one property, the step from which blends and fades are built."""

import math

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from anim.quaternion import Quaternion, dot

Floats = NDArray[np.float64]
Arrays = tuple[Floats, Floats, Floats, Floats]


@kernel
def mix_number(a: float, b: float, weight: float) -> float:
    """Return a at weight 0 and b at weight 1, linear between."""
    # Zero first, as in a sum over many: a lone -0.0 must not tell the two apart.
    return 0.0 + a * (1.0 - weight) + b * weight


@kernel
def mix_rotation(a: Quaternion, b: Quaternion, weight: float) -> Quaternion:
    """Return the weighted sum of two unit quaternions in one hemisphere, at unit length.

    Weights 0 and 1 keep the bits.
    """
    if weight == 0.0:
        return a
    if weight == 1.0:
        return b
    sign = -1.0 if dot(a, b) < 0.0 else 1.0
    x = 0.0 + a[0] * (1.0 - weight) + sign * b[0] * weight
    y = 0.0 + a[1] * (1.0 - weight) + sign * b[1] * weight
    z = 0.0 + a[2] * (1.0 - weight) + sign * b[2] * weight
    w = 0.0 + a[3] * (1.0 - weight) + sign * b[3] * weight
    # The angle between the two is at most a right one, so the sum cannot vanish.
    length = math.sqrt(x * x + y * y + z * z + w * w)
    return x / length, y / length, z / length, w / length


@kernel
def blend_poses(into: Arrays, other: Arrays, weight: float) -> None:
    """Mix the translations, rotations, scales and morph weights of another pose into a pose's own."""
    translations, rotations, scales, weights = into
    other_translations, other_rotations, other_scales, other_weights = other
    for bone in range(len(rotations)):
        for axis in range(3):
            translations[bone, axis] = mix_number(translations[bone, axis], other_translations[bone, axis], weight)
            scales[bone, axis] = mix_number(scales[bone, axis], other_scales[bone, axis], weight)
        a, b = rotations[bone], other_rotations[bone]
        mixed = mix_rotation((a[0], a[1], a[2], a[3]), (b[0], b[1], b[2], b[3]), weight)
        for axis in range(4):
            a[axis] = mixed[axis]
    for i in range(len(weights)):
        weights[i] = mix_number(weights[i], other_weights[i], weight)
