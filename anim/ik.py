"""Inverse kinematics on a pose: a limb of two bones that reaches, and a bone that looks at a point.

Both turn bones and move none, so that every length stays. They work in the scene's space; the parents of the turned
bones may move, turn and scale alike in all directions.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from anim import quaternion
from anim.errors import AnimError
from anim.pose import Pose
from anim.quaternion import Quaternion, Vector
from anim.scalar import acos
from anim.transform import Transform

SHORTEST = 1e-12
"""Metres below which a direction is taken for none."""


def reach(
    pose: Pose,
    upper: int,
    lower: int,
    tip: int,
    target: Sequence[float],
    *,
    pole: Sequence[float] | None = None,
    weight: float = 1.0,
) -> None:
    """Turn two bones, in place, so that a third that hangs from them comes to a target.

    Out of reach, the limb lies straight toward the target, and as folded as it goes where the target is too near;
    nothing is stretched.

    Parameters
    ----------
    pose
        Written to.
    upper, lower, tip
        Bones: the shoulder, the elbow and the wrist, each below the one before it.
    target
        Point in the scene, metres.
    pole
        Point that the elbow is turned toward; the side where it is unless given.
    weight
        Share of the way from the pose as it was, in [0, 1].

    Raises
    ------
    AnimError
        For bones that do not hang from one another, a point that is not finite, or a weight out of its range.
    """
    _check(pose, weight, target, pole)
    _check_below(pose, lower, upper)
    _check_below(pose, tip, lower)
    before = pose.rotations[[upper, lower]].copy()
    shoulder, elbow, wrist = (_position(pose, bone) for bone in (upper, lower, tip))
    upper_length, lower_length = _length(_minus(elbow, shoulder)), _length(_minus(wrist, elbow))
    if upper_length < SHORTEST or lower_length < SHORTEST:
        raise AnimError(f"the limb of bones {upper}, {lower} and {tip} has a part without length; expected two lengths")
    way = _minus(_vector(target), shoulder)
    distance = min(max(_length(way), abs(upper_length - lower_length)), upper_length + lower_length)
    along = _unit(way) or _unit(_minus(wrist, shoulder)) or (0.0, 1.0, 0.0)
    side = _side(along, [_minus(_vector(pole), shoulder)] if pole is not None else [], _minus(elbow, shoulder))
    # The law of cosines, for the angle at the shoulder; without a distance the limb is folded and any direction does.
    cosine = (
        (upper_length * upper_length + distance * distance - lower_length * lower_length)
        / (2.0 * upper_length * distance)
        if distance > SHORTEST
        else 0.0
    )
    cosine = min(max(cosine, -1.0), 1.0)
    sine = math.sqrt((1.0 - cosine) * (1.0 + cosine))
    bent = _plus(_times(along, upper_length * cosine), _times(side, upper_length * sine))
    _turn(pose, upper, _minus(elbow, shoulder), bent)
    elbow, wrist = _position(pose, lower), _position(pose, tip)
    _turn(pose, lower, _minus(wrist, elbow), _minus(_plus(shoulder, _times(along, distance)), elbow))
    for bone, old in zip((upper, lower), before, strict=True):
        _keep_share(pose, bone, old, weight)


def aim(
    pose: Pose,
    bone: int,
    target: Sequence[float],
    *,
    axis: Sequence[float] = (0.0, 0.0, 1.0),
    limit: float = math.pi,
    weight: float = 1.0,
) -> None:
    """Turn a bone, in place, so that one of its axes points at a target.

    Parameters
    ----------
    pose
        Written to.
    bone
    target
        Point in the scene, metres; one at the bone itself turns nothing.
    axis
        Direction in the bone's own space.
    limit
        Radians that it may turn from the pose as it was, in [0, pi]; past it the bone turns so far toward the target.
    weight
        Share of the way, in [0, 1].

    Raises
    ------
    AnimError
        For a bone that does not exist, an axis of length 0, or a number that is not finite or out of its range.
    """
    _check(pose, weight, target, axis)
    _check_bone(pose, bone)
    if not 0.0 <= limit <= math.pi:
        raise AnimError(f"limit is {limit}; expected radians from 0 to pi")
    if _unit(_vector(axis)) is None:
        raise AnimError("axis has length 0; expected a direction")
    before = pose.rotations[bone].copy()
    transform = pose.globals()[bone]
    pointing = _unit(_apply(transform, _vector(axis)))
    wanted = _unit(_minus(_vector(target), _position(pose, bone)))
    if pointing is None or wanted is None:
        return
    turn = quaternion.between(pointing, wanted)
    angle = 2.0 * acos(abs(turn[3]))
    if angle > limit:
        turn = quaternion.slerp((0.0, 0.0, 0.0, 1.0), turn, limit / angle)
    _turn_by(pose, bone, turn)
    _keep_share(pose, bone, before, weight)


def _turn(pose: Pose, bone: int, now: Vector, wanted: Vector) -> None:
    """Turn a bone the shortest way that takes one direction of the scene to another."""
    a, b = _unit(now), _unit(wanted)
    if a is not None and b is not None:
        _turn_by(pose, bone, quaternion.between(a, b))


def _turn_by(pose: Pose, bone: int, turn: Quaternion) -> None:
    """Turn a bone about its own place by a rotation of the scene."""
    parent = int(pose.skeleton.parents[bone])
    old = _quaternion(pose.rotations[bone])
    if parent >= 0:
        frame = Transform.from_matrix(pose.globals()[parent])
        space = frame.rotation
        if frame.scale[0] < 0.0:  # in a mirrored space, a turn goes round the other way
            turn = _mirrored(turn, space)
        turn = quaternion.multiply(quaternion.conjugate(space), quaternion.multiply(turn, space))
    pose.rotations[bone] = quaternion.normalize(quaternion.multiply(turn, old))


def _mirrored(turn: Quaternion, space: Quaternion) -> Quaternion:
    """Return the turn that a space mirrored along its own x axis shows as the given one."""
    axis = quaternion.rotate(quaternion.conjugate(space), (turn[0], turn[1], turn[2]))
    # A mirror along x keeps a turn's axis along x and reverses the turn about the others.
    return (*quaternion.rotate(space, (axis[0], -axis[1], -axis[2])), turn[3])


def _keep_share(pose: Pose, bone: int, before: NDArray[np.float64], weight: float) -> None:
    """Go back to a share of the way from a bone's rotation before."""
    if weight < 1.0:
        pose.rotations[bone] = quaternion.slerp(_quaternion(before), _quaternion(pose.rotations[bone]), weight)


def _side(along: Vector, preferred: list[Vector], elbow: Vector) -> Vector:
    """Return a unit vector at right angles to a direction: toward the pole, else toward the elbow, else any."""
    x, y, z = map(abs, along)
    spare = (1.0, 0.0, 0.0) if x <= y and x <= z else (0.0, 1.0, 0.0) if y <= z else (0.0, 0.0, 1.0)
    for candidate in (*preferred, elbow, spare):
        across = _across(candidate, along)
        if _length(across) > SHORTEST * max(1.0, _length(candidate)):
            # Little is left of a candidate nearly along the direction, and its roundings with it: once more.
            across = _across(_times(across, 1.0 / _length(across)), along)
            return _times(across, 1.0 / _length(across))
    raise AssertionError("the axis least along a direction has a part at right angles to it")


def _across(a: Vector, along: Vector) -> Vector:
    """Return what is left of a vector without its part along a unit one."""
    return _minus(a, _times(along, _dot(a, along)))


def _position(pose: Pose, bone: int) -> Vector:
    x, y, z = pose.globals()[bone, :3, 3].tolist()
    return x, y, z


def _apply(matrix: NDArray[np.float64], v: Vector) -> Vector:
    """Return a direction as a matrix turns it."""
    rows = matrix[:3, :3].tolist()
    return _dot(rows[0], v), _dot(rows[1], v), _dot(rows[2], v)


def _quaternion(row: NDArray[np.float64]) -> Quaternion:
    x, y, z, w = row.tolist()
    return x, y, z, w


def _vector(given: Sequence[float]) -> Vector:
    return float(given[0]), float(given[1]), float(given[2])


def _plus(a: Vector, b: Vector) -> Vector:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _times(a: Vector, factor: float) -> Vector:
    return a[0] * factor, a[1] * factor, a[2] * factor


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _length(a: Vector) -> float:
    return math.sqrt(_dot(a, a))


def _unit(a: Vector) -> Vector | None:
    """Return a direction at unit length, None where it has none."""
    length = _length(a)
    return None if length < SHORTEST else _times(a, 1.0 / length)


def _check(pose: Pose, weight: float, *points: Sequence[float] | None) -> None:
    if not 0.0 <= weight <= 1.0:
        raise AnimError(f"weight is {weight}; expected 0 to 1")
    for point in points:
        if point is not None and (len(point) != 3 or not all(map(math.isfinite, point))):
            raise AnimError(f"a point is {list(point)}; expected three finite numbers")


def _check_bone(pose: Pose, bone: int) -> None:
    if not 0 <= bone < pose.skeleton.bone_count:
        raise AnimError(f"bone is {bone}; the skeleton has {pose.skeleton.bone_count}, counted from 0")


def _check_below(pose: Pose, bone: int, above: int) -> None:
    """Refuse a bone that does not hang from another."""
    _check_bone(pose, bone)
    _check_bone(pose, above)
    names, parents = pose.skeleton.names, pose.skeleton.parents
    ancestor = int(parents[bone])
    while ancestor > above:
        ancestor = int(parents[ancestor])
    if ancestor != above:
        raise AnimError(f"bone {bone} ({names[bone]!r}) does not hang from bone {above} ({names[above]!r})")
