# Elements of arrays are Any to the type checker.
# mypy: disable-error-code="no-any-return"
"""The value of a keyed property at a time: step, linear and cubic spline (glTF 2.0, appendix C)."""

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from anim.clip import Channel, Clip, Interpolation, Path
from anim.errors import AnimError
from anim.kernel import kernel
from anim.quaternion import slerp

if TYPE_CHECKING:
    from anim.pose import Pose

Floats = NDArray[np.float64]

STEP, LINEAR, CUBICSPLINE = (int(kind) for kind in Interpolation)


def sample_channel(channel: Channel, time: float) -> Floats:
    """Return a channel's value (C,) float64 at a time in seconds; the ends hold outside the keys.

    Raises
    ------
    AnimError
        For a time that is not finite.
    """
    times, count = channel.times, channel.components
    key, share = locate(times, 0, len(times), _finite(time))
    interval = float(times[key + 1] - times[key]) if share > 0.0 else 0.0
    rotates = channel.path is Path.ROTATION
    out = np.empty(count)
    write_value(channel.values.ravel(), 0, int(channel.interpolation), count, rotates, key, share, interval, out, 0)
    return out


def sample_component(channel: Channel, component: int, time: float) -> float:
    """Return one number of a channel's value at a time in seconds; of a rotation, of its unit quaternion.

    Raises
    ------
    AnimError
        For a component the channel does not have, or a time that is not finite.
    """
    if not 0 <= component < channel.components:
        raise AnimError(f"component is {component}; the channel has {channel.components}, counted from 0")
    return float(sample_channel(channel, time)[component])


def sample_rotation(channel: Channel, time: float) -> tuple[float, float, float, float]:
    """Return a rotation channel's unit quaternion at a time in seconds.

    Raises
    ------
    AnimError
        For a channel of another path, or a time that is not finite.
    """
    if channel.path is not Path.ROTATION:
        raise AnimError(f"the channel moves the {channel.path.name.lower()}; expected one that moves the rotation")
    x, y, z, w = sample_channel(channel, time).tolist()
    return x, y, z, w


def sample_clip(clip: Clip, time: float, pose: "Pose") -> None:
    """Put a clip's values at a time in seconds into a pose, in place; what no channel moves is left as it is.

    Channels of nodes that are no bones of the pose's skeleton are ignored.

    Raises
    ------
    AnimError
        For a time that is not finite, or weights of another count than the bone's.
    """
    skeleton = pose.skeleton
    for channel in clip.channels:
        bone = skeleton.bone_of_node(channel.node)
        if bone < 0:
            continue
        target = (
            pose.translations[bone],
            pose.rotations[bone],
            pose.scales[bone],
            pose.morph_weights(bone),
        )[channel.path]
        if len(target) != channel.components:
            raise AnimError(
                f"clip {clip.name!r} has {channel.components} weights for bone {bone} ({skeleton.names[bone]!r}), "
                f"which has {len(target)}"
            )
        target[:] = sample_channel(channel, time)


def wrap_time(time: float, duration: float, *, loop: bool = True) -> float:
    """Return a time brought into a clip: in [0, duration) when it loops, held at the ends when not; 0 without duration.

    Raises
    ------
    AnimError
        For a time or duration that is not finite, or a negative duration.
    """
    if _finite(duration) < 0.0:
        raise AnimError(f"duration is {duration}; expected 0 or more")
    if duration == 0.0:
        return 0.0
    if not loop:
        return min(max(_finite(time), 0.0), duration)
    wrapped = _finite(time) % duration
    return 0.0 if wrapped == duration else wrapped  # a tiny negative time rounds up to the whole


def _finite(time: float) -> float:
    if not math.isfinite(time):
        raise AnimError(f"a time is {time}; expected a finite number of seconds")
    return float(time)


@kernel
def locate(times: Floats, first: int, end: int, time: float) -> tuple[int, float]:
    """Return the key at or before a time, counted from `first`, and the share of the way to the next, in [0, 1).

    The keys are `times[first:end]`, rising. Before the first and after the last the share is 0, as at a key's own time.
    """
    if time <= times[first]:
        return 0, 0.0
    if time >= times[end - 1]:
        return end - 1 - first, 0.0
    low, high = first, end - 1
    # Most clips are sampled evenly: look where the key would then be.
    guess = first + int((time - times[low]) / (times[high] - times[low]) * (high - low))
    if low < guess < high:
        if times[guess] > time:
            high = guess
            if times[guess - 1] <= time:
                low = guess - 1
        else:
            low = guess
            if times[guess + 1] > time:
                high = guess + 1
    while high - low > 1:
        middle = (low + high) // 2
        if times[middle] <= time:
            low = middle
        else:
            high = middle
    return low - first, (time - times[low]) / (times[high] - times[low])


@kernel
def write_value(
    values: Floats,
    first: int,
    interpolation: int,
    components: int,
    rotates: bool,
    key: int,
    share: float,
    interval: float,
    out: Floats,
    place: int,
) -> None:
    """Write the value a share of the way from a key to the next into `out[place:place + components]`.

    At share 0 it is the key's own, bit for bit. The channel's values (T, C) or (3 T, C) begin at `values[first]`; the
    interval to the next key is in seconds.
    """
    if interpolation == CUBICSPLINE:
        at = first + (3 * key + 1) * components
        following = at + 3 * components
    else:
        at = first + key * components
        following = at + components
    if share == 0.0 or interpolation == STEP:
        for c in range(components):
            out[place + c] = values[at + c]
    elif interpolation == LINEAR:
        if rotates:
            left = (values[at], values[at + 1], values[at + 2], values[at + 3])
            right = (values[following], values[following + 1], values[following + 2], values[following + 3])
            turn = slerp(left, right, share)
            out[place], out[place + 1], out[place + 2], out[place + 3] = turn[0], turn[1], turn[2], turn[3]
        else:
            for c in range(components):
                out[place + c] = values[at + c] + (values[following + c] - values[at + c]) * share
    else:
        for c in range(components):
            leaving, arriving = values[at + components + c], values[following - components + c]
            out[place + c] = hermite(values[at + c], leaving, arriving, values[following + c], share, interval)
        if rotates:
            length = math.sqrt(
                out[place] * out[place]
                + out[place + 1] * out[place + 1]
                + out[place + 2] * out[place + 2]
                + out[place + 3] * out[place + 3]
            )
            for c in range(4):
                # A spline through zero has no direction there, so the key's holds.
                out[place + c] = out[place + c] / length if length > 0.0 else values[at + c]


@kernel
def hermite(left: float, leaving: float, arriving: float, right: float, share: float, interval: float) -> float:
    """Return the cubic between two values with given tangents per second, a share of the interval of seconds along."""
    squared = share * share
    cubed = squared * share
    return (
        (2.0 * cubed - 3.0 * squared + 1.0) * left
        + (cubed - 2.0 * squared + share) * interval * leaving
        + (3.0 * squared - 2.0 * cubed) * right
        + (cubed - squared) * interval * arriving
    )
