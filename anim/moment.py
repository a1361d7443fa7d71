"""`sample`: the pose of one clip at a time in seconds, with no animator."""

from fractions import Fraction
from math import isfinite

from anim.clip import Clip
from anim.compiled import Compiled
from anim.errors import AnimError
from anim.layer import Layer, Mix
from anim.pose import Pose
from anim.rig import Rig
from anim.rows import Kind, Playback


def sample(rig: Rig, clip: str | int | Clip | None, time: float) -> Pose:
    """Return the pose of a clip at a time in seconds, or the rest pose where the clip is None.

    The ends hold: a time before the first key gives its value, one after the last that one's. What no channel moves is
    at rest.

    Raises
    ------
    AnimError
        For a clip the rig has not, or a time that is not finite.
    """
    pose = Pose(rig.skeleton)
    if clip is None:
        return pose
    if not isfinite(time):
        raise AnimError(f"a time is {time}; expected a finite number of seconds")
    index = rig.clip_index(clip)
    still = Layer(
        clip=index,
        kind=Kind.SHARE,
        weight=1.0,
        playback=Playback.ONCE,
        offset=Fraction(time),
        step=Fraction(0),
        start=0,
        period=Fraction(rig.clips[index].duration),
    )
    Compiled(rig, [Mix(0, [still])]).write(0, pose)
    return pose
