"""`Transform`: a translation, rotation and scale, applied to a point in the order scale, rotation, translation."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anim.errors import AnimError

IDENTITY_ROTATION = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Transform:
    """Where a bone stands in its parent's space.

    Attributes
    ----------
    translation
        Metres, `(x, y, z)`.
    rotation
        Unit quaternion `(x, y, z, w)`; any length but 0 is taken and normalized.
    scale
        Factors along the three axes; may be negative or 0.

    Raises
    ------
    AnimError
        For a number that is not finite, a wrong count of them, or a rotation of length 0.
    """

    translation: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = IDENTITY_ROTATION
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)

    def __post_init__(self) -> None:
        for name, count in (("translation", 3), ("rotation", 4), ("scale", 3)):
            numbers = tuple(float(number) for number in getattr(self, name))
            if len(numbers) != count or not all(map(math.isfinite, numbers)):
                raise AnimError(f"{name} is {numbers}; expected {count} finite numbers")
            object.__setattr__(self, name, numbers)
        object.__setattr__(self, "rotation", unit_quaternion(self.rotation))

    def matrix(self) -> NDArray[np.float64]:
        """Return the transform as a matrix, (4, 4) float64."""
        from anim.matrix import set_transform

        out = np.empty((4, 4))
        set_transform(np.array(self.translation), np.array(self.rotation), np.array(self.scale), out)
        return out

    @staticmethod
    def from_matrix(matrix: ArrayLike) -> "Transform":
        """Return the transform nearest to a matrix, (4, 4) of numbers: exact up to rounding where it has no shear.

        The scale is the columns' lengths, the first negated for a mirror; the rotation comes from the columns made
        orthogonal in the order x, y, z. Shear is lost; a column of length 0 gives a scale of 0 and some rotation.
        """
        m = np.array(matrix, dtype=np.float64).tolist()
        columns = [[m[row][column] for row in range(3)] for column in range(3)]
        scale = [_length(column) for column in columns]
        # A flattened axis is put at right angles to the others, so that those keep theirs.
        x = _direction([columns[0], _cross(columns[1], columns[2]), *map(_perpendicular, columns[1:]), [1.0, 0.0, 0.0]])
        across = _without(columns[1], x)
        level = across if _length(across) > ROUNDING * scale[1] else _NOWHERE
        y = _direction([level, _cross(columns[2], x), _perpendicular(x)])
        z = _cross(x, y)
        if _dot(z, columns[2]) < 0.0:
            # One axis points the other way: x, as its negation keeps the other two.
            x, scale[0] = [-number for number in x], -scale[0]
            z = _cross(x, y)
        return Transform((m[0][3], m[1][3], m[2][3]), _rotation_of(x, y, z), (scale[0], scale[1], scale[2]))


def unit_quaternion(rotation: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """Return the quaternion at unit length; one that already is, within rounding, keeps its bits.

    Raises
    ------
    AnimError
        Where the length is 0.
    """
    x, y, z, w = rotation
    square = x * x + y * y + z * z + w * w
    if square == 0.0:
        raise AnimError("rotation is (0, 0, 0, 0), which turns nothing to nowhere; no turn is (0, 0, 0, 1)")
    if abs(square - 1.0) <= UNIT_WITHIN:
        return rotation
    length = math.sqrt(square)
    return x / length, y / length, z / length, w / length


UNIT_WITHIN = 2.0**-50
"""How far the squared length of a quaternion may be from 1 to be left alone.

What one normalization in float64 leaves.
"""


ROUNDING = 2.0**-40
"""A column's share outside another's line below which the two count as parallel: what remains is rounding error."""


_NOWHERE = [0.0, 0.0, 0.0]


def _dot(a: list[float], b: list[float]) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: list[float], b: list[float]) -> list[float]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _length(a: list[float]) -> float:
    return math.sqrt(_dot(a, a))


def _without(a: list[float], axis: list[float]) -> list[float]:
    """Return a without its part along an axis of unit length."""
    along = _dot(a, axis)
    return [a[i] - along * axis[i] for i in range(3)]


def _perpendicular(axis: list[float]) -> list[float]:
    """Return a vector at right angles to another, from the coordinate axis least along it; nowhere for a zero one."""
    least = min(range(3), key=lambda i: abs(axis[i]))
    return _cross(axis, [1.0 if i == least else 0.0 for i in range(3)])


def _direction(candidates: list[list[float]]) -> list[float]:
    """Return the first vector that has a length, at unit length."""
    chosen = next(vector for vector in candidates if _length(vector) > 0.0)
    length = _length(chosen)
    return [number / length for number in chosen]


def _rotation_of(x: list[float], y: list[float], z: list[float]) -> tuple[float, float, float, float]:
    """Return the quaternion that takes the coordinate axes to three orthonormal ones (Shepperd 1978)."""
    trace = x[0] + y[1] + z[2]
    largest = max(trace, x[0], y[1], z[2])
    if largest == trace:
        quaternion = (y[2] - z[1], z[0] - x[2], x[1] - y[0], 1.0 + trace)
    elif largest == x[0]:
        quaternion = (1.0 + 2.0 * x[0] - trace, x[1] + y[0], z[0] + x[2], y[2] - z[1])
    elif largest == y[1]:
        quaternion = (x[1] + y[0], 1.0 + 2.0 * y[1] - trace, y[2] + z[1], z[0] - x[2])
    else:
        quaternion = (z[0] + x[2], y[2] + z[1], 1.0 + 2.0 * z[2] - trace, x[1] - y[0])
    return unit_quaternion(quaternion)
