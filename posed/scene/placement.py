"""Where things stand: matrices from the numbers that people write."""

from __future__ import annotations

import math
from collections.abc import Sequence

import anim
from posed.arrays import Float64, read_only

Vector = Sequence[float]

DEGREE = math.pi / 180.0
"""Radians."""


def placed(position: Vector, rotation: Vector, scale: Vector) -> Float64:
    """Return the matrix (4, 4) that scales, then turns by the unit quaternion x, y, z, w, then moves."""
    return read_only(anim.Transform(tuple(position), tuple(rotation), tuple(scale)).matrix())  # type: ignore[arg-type]


def euler_rotation(degrees: Vector) -> tuple[float, float, float, float]:
    """Return the quaternion that turns about x, then y, then z of the fixed axes: the matrix Rz Ry Rx."""
    from anim.scalar import cos, sin

    (sx, sy, sz), (cx, cy, cz) = ([float(f(angle * DEGREE / 2.0)) for angle in degrees] for f in (sin, cos))
    return (
        sx * cy * cz - cx * sy * sz,
        cx * sy * cz + sx * cy * sz,
        cx * cy * sz - sx * sy * cz,
        cx * cy * cz + sx * sy * sz,
    )


def looking(position: Vector, target: Vector, up: Vector) -> Float64:
    """Return the matrix (4, 4) of a camera at `position` whose -Z points at `target`, +Y as near to `up` as it goes.

    Raises
    ------
    ValueError
        `up` is zero or lies along the line of sight.
    """
    back = [position[i] - target[i] for i in range(3)]
    if _length(_cross(up, back)) <= 1e-9 * _length(up) * _length(back):
        raise ValueError("up lies along the line of sight: give another, such as [0, 0, 1]")
    return _facing(position, up, back)


def rigid(matrix: Float64) -> Float64:
    """Return the placement of a camera whose node is scaled: its axes made orthonormal in the order z, y.

    Raises
    ------
    ValueError
        The axes lie in a plane.
    """
    m = matrix.tolist()
    position, top, back = ([m[row][column] for row in range(3)] for column in (3, 1, 2))
    if _length(_cross(top, back)) <= 1e-12 * _length(top) * _length(back):
        raise ValueError("the camera's node is scaled to nothing")
    return _facing(position, top, back)


def _facing(position: Vector, top: Vector, back: Vector) -> Float64:
    back = _unit(back)
    right = _unit(_cross(top, back))
    columns = (right, _cross(back, right), back, position)
    return read_only([[column[row] for column in columns] for row in range(3)] + [[0.0, 0.0, 0.0, 1.0]])


def _cross(a: Vector, b: Vector) -> list[float]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _length(a: Vector) -> float:
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


def _unit(a: Vector) -> list[float]:
    length = _length(a)
    return [part / length for part in a]
