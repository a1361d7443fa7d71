"""Plots of clips: curves with their keys and tangents, how fast rotations turn, what a loop's seam does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import anim
from posed.arrays import Float64
from posed.errors import PosedError
from posed.plot.figures import COLORS, figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = 400
MILLIMETRES = 1000.0


def channels(clip: anim.Clip, *, node: int | None = None, most: int = 12) -> Figure:
    """Plot the numbers of a clip's channels over seconds, a dot a key; of splines the tangents at each key.

    Parameters
    ----------
    clip
        The clip.
    node
        Of the file, whose channels alone are shown; all unless given.
    most
        Channels that are shown at most, the first of them.

    Raises
    ------
    PosedError
        The clip moves no such node.
    MissingError
        matplotlib is not installed.
    """
    chosen = [channel for channel in clip.channels if node is None or channel.node == node][:most]
    if not chosen:
        raise PosedError(f'clip "{clip.name}" has no channel' + ("" if node is None else f" of node {node}"))
    made, axes = figure(len(chosen), height=1.5)
    times = np.linspace(0.0, clip.duration, POINTS)
    for channel, one in zip(chosen, axes, strict=True):
        for number in range(channel.components):
            color = COLORS[number % len(COLORS)]
            curve = [anim.sample_component(channel, number, float(time)) for time in times]
            keys = [anim.sample_component(channel, number, float(time)) for time in channel.times]
            one.plot(times, curve, color=color, linewidth=1.2, label="xyzw"[number] if number < 4 else str(number))
            one.plot(channel.times, keys, ".", color=color, markersize=5)
        if channel.interpolation is anim.Interpolation.CUBICSPLINE:
            _tangents(one, channel)
        one.set_ylabel(f"node {channel.node}\n{channel.path.name.lower()}")
    axes[0].legend(loc="upper right", ncols=4, fontsize=8)
    axes[0].set_title(f'clip "{clip.name}"')
    axes[-1].set_xlabel("seconds")
    return made


def _tangents(one: Axes, channel: anim.Channel) -> None:
    """Draw a short line through each key of a spline: its in-tangent before it, its out-tangent after."""
    rows = channel.values.reshape(len(channel.times), 3, -1)
    reach = 0.2 * float(np.diff(channel.times).min(initial=1.0))
    for time, (before, value, after) in zip(channel.times.tolist(), rows, strict=True):
        for number in range(channel.components):
            line = [value[number] - reach * before[number], value[number], value[number] + reach * after[number]]
            at = [time - reach, time, time + reach]
            one.plot(at, line, color="#222222", linewidth=0.8, alpha=0.7)


def rotation_speeds(clip: anim.Clip, *, rate: float = 60.0) -> Figure:
    """Plot how fast each rotation of a clip turns, in degrees a second, from tick to tick at `rate` a second.

    The angle of the turn from one tick to the next does not depend on a quaternion's sign or on axes: a spike is a pop.

    Raises
    ------
    PosedError
        The clip turns nothing.
    MissingError
        matplotlib is not installed.
    """
    turning = [channel for channel in clip.channels if channel.path is anim.Path.ROTATION]
    if not turning:
        raise PosedError(f'clip "{clip.name}" has no channel that turns a node')
    made, (one,) = figure(1, height=3.4)
    times = np.arange(int(clip.duration * rate) + 1) / rate
    for number, channel in enumerate(turning):
        speeds = turn_speeds(channel, times)
        one.plot(times[1:], speeds, linewidth=1.1, color=COLORS[number % len(COLORS)], label=f"node {channel.node}")
    one.set(title=f'how fast the rotations of "{clip.name}" turn', xlabel="seconds", ylabel="degrees a second")
    if len(turning) <= len(COLORS):
        one.legend(fontsize=8)
    return made


def turn_speeds(channel: anim.Channel, times: Float64) -> Float64:
    """Return the angles from each of `times`, (N,), to the next over the time between, (N - 1,) degrees a second."""
    turns = np.array([anim.sample_rotation(channel, float(time)) for time in times]).reshape(-1, 4)
    apart = turns[1:] * np.where((turns[1:] * turns[:-1]).sum(axis=1, keepdims=True) < 0.0, -1.0, 1.0) - turns[:-1]
    half = np.arcsin(np.minimum(np.sqrt((apart * apart).sum(axis=1)) / 2.0, 1.0))
    speeds: Float64 = np.degrees(4.0 * half) / np.diff(times)
    return speeds


def loop_seam(rig: anim.Rig, clip: str | int | anim.Clip, *, most: int = 24) -> Figure:
    """Plot how far each bone jumps where a loop's end meets its start, in millimetres, the farthest first.

    Raises
    ------
    AnimError
        The rig has no such clip.
    MissingError
        matplotlib is not installed.
    """
    jumps = seam_jumps(rig, clip)
    order = np.argsort(-jumps, kind="stable")[:most]
    made, (one,) = figure(1, height=0.6 + 0.2 * len(order))
    names = [rig.skeleton.names[bone] or f"bone {bone}" for bone in order]
    one.barh(range(len(order)), jumps[order], color=COLORS[2])
    one.set_yticks(range(len(order)), names)
    one.invert_yaxis()
    one.set(title=f'the seam of "{rig.clips[rig.clip_index(clip)].name}"', xlabel="millimetres")
    return made


def seam_jumps(rig: anim.Rig, clip: str | int | anim.Clip) -> Float64:
    """Return how far each bone, (B,), is at the clip's end from where it is at the start, in millimetres."""
    index = rig.clip_index(clip)
    ends = [anim.sample(rig, index, time).globals()[:, :3, 3] for time in (0.0, rig.clips[index].duration)]
    jumps: Float64 = np.sqrt(((ends[1] - ends[0]) ** 2).sum(axis=1)) * MILLIMETRES
    return jumps
