"""Root motion: the way a clip walks, taken out of the pose and handed over as a step."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple, TypeVar

from anim import quaternion
from anim.clip import Channel, Path
from anim.pose import Pose
from anim.rig import Rig
from anim.rows import Playback
from anim.sampling import sample_channel
from anim.scalar import PI, atan2, cos, sin

Time = TypeVar("Time", Fraction, float)


class RootMotion(NamedTuple):
    """A step on the ground, in the space of the root bone's parent."""

    x: float = 0.0
    """Metres."""
    z: float = 0.0
    """Metres."""
    yaw: float = 0.0
    """Radians about +Y. Where it is tracked, x and z are relative to the heading at the beginning of the step."""

    def then(self, other: "RootMotion") -> "RootMotion":
        """Return this step and another after it."""
        if self.yaw == 0.0:
            return RootMotion(self.x + other.x, self.z + other.z, other.yaw)
        s, c = sin(self.yaw), cos(self.yaw)
        return RootMotion(self.x + c * other.x + s * other.z, self.z - s * other.x + c * other.z, self.yaw + other.yaw)

    def toward(self, other: "RootMotion", weight: float) -> "RootMotion":
        """Return the step a weight of the way to another."""
        return self.scaled(1.0 - weight).plus(other.scaled(weight))

    def scaled(self, factor: float) -> "RootMotion":
        """Return the step times a factor."""
        return RootMotion(self.x * factor, self.z * factor, self.yaw * factor)

    def plus(self, other: "RootMotion") -> "RootMotion":
        """Return the sum, number by number."""
        return RootMotion(self.x + other.x, self.z + other.z, self.yaw + other.yaw)


STANDING = RootMotion()


class RootTrack:
    """The motion of one bone through the clips of a rig.

    Parameters
    ----------
    rig
    bone
        The root that walks.
    yaw
        Whether its turn about +Y is taken out too.
    """

    def __init__(self, rig: Rig, bone: int, *, yaw: bool) -> None:
        self.bone = bone
        self._yaw = yaw
        self._rest = rig.skeleton.rest[bone].translation
        self._durations = [clip.duration for clip in rig.clips]
        channels: list[dict[Path, Channel]] = [
            {c.path: c for c in clip.channels if rig.skeleton.bone_of_node(c.node) == bone} for clip in rig.clips
        ]
        self._moves = [found.get(Path.TRANSLATION) for found in channels]
        self._turns = [found.get(Path.ROTATION) if yaw else None for found in channels]

    def moves(self, clip: int) -> bool:
        """Return whether a clip moves the root."""
        return self._moves[clip] is not None or self._turns[clip] is not None

    def travel(self, clip: int, pieces: Iterator[tuple[float, float]]) -> RootMotion:
        """Return the step through pieces of a clip, each from one time to another in seconds."""
        total = STANDING
        for start, end in pieces:
            total = total.then(self._step(clip, start, end))
        return total

    def pieces(
        self, clip: int, before: Time, after: Time, period: Time, playback: Playback
    ) -> Iterator[tuple[float, float]]:
        """Yield the pieces of a clip that an unwrapped time runs through, in order, in seconds.

        Times are in any unit; `period` is the clip's length in it.
        """
        duration = self._durations[clip]

        def seconds(share: Time) -> float:
            return duration if share == period else float(share / period) * duration

        if period == 0 or before == after:
            return
        if playback is Playback.ONCE:
            yield seconds(min(max(before, period * 0), period)), seconds(min(max(after, period * 0), period))
            return
        forward = after > before
        cell = math.floor(before / period) if forward else math.ceil(before / period) - 1
        at = before
        while at != after:
            edge = (cell + 1) * period if forward else cell * period
            to = min(edge, after) if forward else max(edge, after)
            start, end = at - cell * period, to - cell * period
            if playback is Playback.PING_PONG and cell % 2:
                start, end = period - start, period - end
            yield seconds(start), seconds(end)
            at = to
            cell += 1 if forward else -1

    def take_out(self, pose: Pose) -> None:
        """Put the root back over its rest place, and its heading ahead, in a pose."""
        pose.translations[self.bone, 0] = self._rest[0]
        pose.translations[self.bone, 2] = self._rest[2]
        if self._yaw:
            x, y, z, w = pose.rotations[self.bone].tolist()
            back = quaternion.from_axis_angle((0.0, 1.0, 0.0), -_heading(y, w))
            pose.rotations[self.bone] = quaternion.multiply(back, (x, y, z, w))

    def _step(self, clip: int, start: float, end: float) -> RootMotion:
        moves, turns = self._moves[clip], self._turns[clip]
        x = z = yaw = 0.0
        if moves is not None:
            a, b = sample_channel(moves, start).tolist(), sample_channel(moves, end).tolist()
            x, z = b[0] - a[0], b[2] - a[2]
        if turns is not None:
            p, q = sample_channel(turns, start).tolist(), sample_channel(turns, end).tolist()
            heading = _heading(p[1], p[3])
            yaw = _around(_heading(q[1], q[3]) - heading)
            s, c = sin(-heading), cos(heading)
            x, z = c * x + s * z, c * z - s * x
        return RootMotion(x, z, yaw)


def _heading(y: float, w: float) -> float:
    """Return the angle of a rotation's part about +Y, in [-pi, pi]."""
    return _around(2.0 * atan2(y, w))


def _around(angle: float) -> float:
    """Return an angle within two turns brought into [-pi, pi]."""
    if angle > PI:
        return angle - 2.0 * PI
    return angle + 2.0 * PI if angle < -PI else angle
