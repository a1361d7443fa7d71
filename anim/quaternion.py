"""Unit quaternions `x, y, z, w` as four float64 each: products, turns of vectors, and the shorter way between two."""

import math

from anim.kernel import kernel
from anim.scalar import acos, cos, sin, sin_acute

Quaternion = tuple[float, float, float, float]
Vector = tuple[float, float, float]

NEARLY_PARALLEL = 0.9995
"""Cosine of the half angle above which `slerp` takes the normalized lerp: the sine it would divide by is small."""


@kernel
def dot(a: Quaternion, b: Quaternion) -> float:
    """Return the dot product: the cosine of half the angle between two rotations; negative when they lie far apart."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@kernel
def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """Return the rotation that turns by b first and by a after."""
    return (
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    )


@kernel
def conjugate(q: Quaternion) -> Quaternion:
    """Return the turn back: the inverse of a unit quaternion."""
    return -q[0], -q[1], -q[2], q[3]


@kernel
def normalize(q: Quaternion) -> Quaternion:
    """Return the quaternion at unit length; one of length zero gives the identity."""
    length = math.sqrt(dot(q, q))
    if length == 0.0:
        return 0.0, 0.0, 0.0, 1.0
    return q[0] / length, q[1] / length, q[2] / length, q[3] / length


@kernel
def rotate(q: Quaternion, v: Vector) -> Vector:
    """Return the vector turned by a unit quaternion."""
    # v + 2 w (u x v) + 2 u x (u x v), with u the vector part.
    x = 2.0 * (q[1] * v[2] - q[2] * v[1])
    y = 2.0 * (q[2] * v[0] - q[0] * v[2])
    z = 2.0 * (q[0] * v[1] - q[1] * v[0])
    return (
        v[0] + q[3] * x + q[1] * z - q[2] * y,
        v[1] + q[3] * y + q[2] * x - q[0] * z,
        v[2] + q[3] * z + q[0] * y - q[1] * x,
    )


@kernel
def weighted_sum(a: Quaternion, wa: float, b: Quaternion, wb: float) -> Quaternion:
    """Return wa a + wb b, not normalized."""
    return wa * a[0] + wb * b[0], wa * a[1] + wb * b[1], wa * a[2] + wb * b[2], wa * a[3] + wb * b[3]


@kernel
def slerp(a: Quaternion, b: Quaternion, u: float) -> Quaternion:
    """Return the rotation a share u of the shorter way from a to b (glTF 2.0, appendix C.4).

    The far one of q and -q is flipped where the dot product is negative; exactly 0 is not. Above `NEARLY_PARALLEL` it
    is the normalized lerp. Meant for u in [0, 1].
    """
    cosine = dot(a, b)
    sign = -1.0 if cosine < 0.0 else 1.0
    cosine *= sign
    if cosine > NEARLY_PARALLEL:
        return normalize(weighted_sum(a, 1.0 - u, b, sign * u))
    angle = acos(cosine)
    sine = math.sqrt((1.0 - cosine) * (1.0 + cosine))
    return weighted_sum(a, sin_acute((1.0 - u) * angle) / sine, b, sign * sin_acute(u * angle) / sine)


@kernel
def from_axis_angle(axis: Vector, angle: float) -> Quaternion:
    """Return the turn by an angle in radians about an axis of unit length, counter-clockwise seen from its tip."""
    sine = sin(0.5 * angle)
    return axis[0] * sine, axis[1] * sine, axis[2] * sine, cos(0.5 * angle)


@kernel
def between(a: Vector, b: Vector) -> Quaternion:
    """Return the shortest turn that takes the direction of unit vector a to that of unit vector b.

    Opposite directions turn half a circle about some axis at right angles to them.
    """
    w = 1.0 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    if w < 1e-12:  # below it the cross product's direction is rounding error
        if abs(a[0]) > abs(a[2]):
            return normalize((-a[1], a[0], 0.0, 0.0))
        return normalize((0.0, -a[2], a[1], 0.0))
    return normalize((a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], w))
