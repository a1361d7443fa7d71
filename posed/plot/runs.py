"""Plots of played snapshots: what was mixed, which events came, where the root went, how two runs part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from posed.arrays import Float64
from posed.errors import PosedError
from posed.events import AnimationEvent
from posed.fitting import fit
from posed.overlay.joints import joints_of
from posed.plot.figures import COLORS, figure
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.sources import mixes_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MILLIMETRES = 1000.0


def mixes(poses: Sequence[Posed], object: str) -> Figure:
    """Plot over ticks how much each mix of an object counts, and below it the weight of each layer in its mix.

    Raises
    ------
    PosedError
        No snapshot says what the object plays.
    MissingError
        matplotlib is not installed.
    """
    weights, layers = mix_weights(poses, object)
    if not weights:
        raise PosedError(f'no snapshot says what "{object}" plays: snapshots of a posed.World have sources')
    made, axes = figure(2, height=1.9)
    for one, lines, title in zip(axes, (weights, layers), ("mixes", "layers"), strict=True):
        for number, (name, points) in enumerate(lines.items()):
            ticks, values = zip(*points, strict=True)
            one.plot(ticks, values, ".-", markersize=3, color=COLORS[number % len(COLORS)], label=name)
        one.set(ylabel=f"{title}: weight", ylim=(-0.05, None))
        one.legend(fontsize=8, loc="upper right")
    axes[0].set_title(object)
    axes[-1].set_xlabel("tick")
    return made


Lines = dict[str, list[tuple[int, float]]]


def mix_weights(poses: Sequence[Posed], object: str) -> tuple[Lines, Lines]:
    """Return the (tick, weight) of each mix, and of each layer by its clip; a mix is named by its first clip.

    A mix counts by its own weight less what the newer ones over it take.
    """
    counted: Lines = {}
    layers: Lines = {}
    for pose in poses:
        left, found = 1.0, mixes_of(pose.sources.get(object)) or ()
        for mix in reversed(found):
            name = mix.layers[0].clip if mix.layers else "rest"
            counted.setdefault(name, []).append((pose.tick, left * mix.weight))
            left *= 1.0 - mix.weight
            for layer in mix.layers:
                layers.setdefault(layer.clip, []).append((pose.tick, layer.weight))
    return counted, layers


def events(found: Sequence[AnimationEvent]) -> Figure:
    """Plot events over ticks, a row for each object, clip and event.

    Raises
    ------
    MissingError
        matplotlib is not installed.
    """
    rows = sorted({(event.object, event.clip, event.event) for event in found})
    made, (one,) = figure(1, height=0.7 + 0.28 * len(rows))
    for number, row in enumerate(rows):
        ticks = [event.tick for event in found if (event.object, event.clip, event.event) == row]
        one.plot(ticks, [number] * len(ticks), "o", color=COLORS[number % len(COLORS)], markersize=5)
    one.set_yticks(range(len(rows)), ["/".join(row) for row in rows])
    one.set(title="events", xlabel="tick", ylim=(-0.6, max(len(rows), 1) - 0.4))
    return made


def root_path(poses: Sequence[Posed], object: str) -> Figure:
    """Plot from above where snapshots have an object, metres along x and z, a dot a snapshot.

    Raises
    ------
    PosedError
        A snapshot has no matrix of the object.
    MissingError
        matplotlib is not installed.
    """
    missing = [pose.tick for pose in poses if object not in pose.models]
    if missing:
        raise PosedError(f'the snapshot of tick {missing[0]} has no matrix of "{object}"')
    at = np.array([pose.models[object][:3, 3] for pose in poses]).reshape(-1, 3)
    made, (one,) = figure(1, height=4.2)
    one.plot(at[:, 0], at[:, 2], ".-", color=COLORS[2], linewidth=1.1)
    for index in sorted({0, len(at) - 1} if len(at) else ()):
        place = at[index, 0], at[index, 2]
        one.annotate(f"tick {poses[index].tick}", place, textcoords="offset points", xytext=(6, 6))
    one.set(title=f"the way of {object}, from above", xlabel="x, metres", ylabel="z, metres")
    one.set_aspect("equal", adjustable="datalim")
    one.invert_yaxis()
    return made


def joint_errors(scene: Scene, first: Sequence[Posed], second: Sequence[Posed], *, most: int = 30) -> Figure:
    """Plot how far each joint of one run is from the other's, in millimetres over ticks, the farthest joints first.

    Raises
    ------
    PosedError
        The runs are not of the same ticks, or the scene has no joints.
    PoseError
        A snapshot does not fit the scene.
    MissingError
        matplotlib is not installed.
    """
    names, apart = joint_distances(scene, first, second)
    order = np.argsort(-apart.max(axis=0, initial=0.0), kind="stable")[:most]
    made, (one,) = figure(1, height=0.9 + 0.17 * len(order))
    one.grid(visible=False)
    ticks = [pose.tick for pose in first]
    edges = (ticks[0] - 0.5, ticks[-1] + 0.5, len(order) - 0.5, -0.5)
    drawn = one.imshow(apart[:, order].T, aspect="auto", interpolation="nearest", cmap="magma", extent=edges)
    one.set_yticks(range(len(order)), [names[joint] for joint in order], fontsize=7)
    one.set(title="how far the joints of two runs are apart", xlabel="tick")
    made.colorbar(drawn, ax=one, label="millimetres")
    return made


def joint_distances(scene: Scene, first: Sequence[Posed], second: Sequence[Posed]) -> tuple[list[str], Float64]:
    """Return the joints' names and how far apart two runs have each, (T, J) millimetres; see `joint_errors`."""
    if not first or [pose.tick for pose in first] != [pose.tick for pose in second]:
        raise PosedError("the two runs are not of the same ticks: give a snapshot of each tick in both")
    everything = frozenset(one.name for one in scene.objects)
    runs = [[list(joints_of(scene, fit(scene, pose), everything)) for pose in run] for run in (first, second)]
    names = [f"{joint.object}/{joint.name or joint.node}" for joint in runs[0][0]]
    if not names:
        raise PosedError("the scene has no joints")
    places = [np.array([[joint.position for joint in joints] for joints in run]) for run in runs]
    apart: Float64 = np.sqrt(((places[0] - places[1]) ** 2).sum(axis=2)) * MILLIMETRES
    return names, apart
