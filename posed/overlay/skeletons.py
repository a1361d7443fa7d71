"""Overlays of joints: bones with names and axes, the trail of a joint over ticks, the places of events."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from posed.arrays import Float64
from posed.errors import PosedError
from posed.events import AnimationEvent
from posed.fitting import fit
from posed.overlay.base import Overlay
from posed.overlay.canvas import Canvas
from posed.overlay.joints import Joint, joints_of
from posed.overlay.labels import Label
from posed.overlay.naming import chosen_objects, joints_called
from posed.overlay.ramps import linear
from posed.overlay.strokes import Strokes
from posed.overlay.view import View
from posed.snapshot import Posed

WAIST = 0.14
"""Share of a bone at which it is thickest."""

THICK = 0.085
"""Half of a bone's greatest thickness as a share of its length in the picture."""

AXES = (linear(240, 72, 72), linear(96, 208, 96), linear(96, 150, 255))
"""Red, green and blue for x, y and z."""

BONE, EDGE, DOT = linear(205, 228, 255), linear(14, 22, 40), linear(255, 255, 255)
TRAIL = linear(255, 196, 64)
STEP = linear(72, 220, 190)

LIFT = 0.004
"""Metres that a ring floats above the ground."""

STUB = 0.45
"""Length of a bone that leads to no other joint, as a share of the bone before it."""


@dataclass(frozen=True)
class Bones(Overlay):
    """Every bone from its joint to the next, with names and axes where they are asked for.

    `object` is the object to show, all unless named. Within a body a bone is hidden by the skin: `see_through` draws it
    all the same, a little fainter.
    """

    object: str | None = None
    names: bool = True
    axes: bool = True
    see_through: bool = True

    def draw(self, view: View, canvas: Canvas) -> None:
        """Draw the bones, then axes and joints over them."""
        joints = list(joints_of(view.scene, view.posed, chosen_objects(view.scene, self.object)))
        if not joints:
            return
        hidden = 0.75 if self.see_through else 0.0
        heads, tails = _bones(joints)
        if len(heads):
            canvas.stroke(_kites(view, heads, tails, EDGE, 1.1 * view.unit), hidden=hidden)
            canvas.stroke(_kites(view, heads, tails, BONE, 0.0), hidden=hidden)
        lengths = np.sqrt(((tails - heads) ** 2).sum(axis=1)) if len(heads) else np.array([0.2])
        if self.axes:
            canvas.stroke(_axes(joints, 0.36 * float(np.median(lengths)), view), hidden=hidden)
        at = np.array([joint.position for joint in joints])
        canvas.stroke(Strokes.of(at, at, width=2.9 * view.unit, color=EDGE), hidden=hidden)
        canvas.stroke(Strokes.of(at, at, width=1.9 * view.unit, color=DOT), hidden=hidden)
        if self.names:
            _name(view, canvas, joints, at, hidden)


def _bones(joints: Sequence[Joint]) -> tuple[Float64, Float64]:
    """Return where bones begin and end, (N, 3) each: from a joint to each that hangs on it, and on past the last."""
    by_node = {(joint.object, joint.node): joint for joint in joints}
    carrying: set[tuple[str, int]] = set()
    pairs: list[tuple[Float64, Float64]] = []
    for joint in joints:
        above = by_node.get((joint.object, joint.parent))
        if above is not None:
            carrying.add((joint.object, joint.parent))
            pairs.append((above.position, joint.position))
    for joint in joints:
        above = by_node.get((joint.object, joint.parent))
        if (joint.object, joint.node) not in carrying and above is not None:
            on = above.matrix[:3, :3].T @ (joint.position - above.position)
            way = joint.matrix[:3, :3] @ on * STUB  # bent as the joint is against the one above
            pairs.append((joint.position, joint.position + way))
    pairs = [(a, b) for a, b in pairs if float(((a - b) ** 2).sum()) > 1e-12]
    ends = np.array(pairs, np.float64).reshape(-1, 2, 3)
    return ends[:, 0], ends[:, 1]


def _kites(view: View, heads: Float64, tails: Float64, color: np.ndarray, more: float) -> Strokes:
    """Return bones as strokes that swell to their waist and thin out from there, `more` pixels wider all along."""
    a, _ = view.project(heads)
    b, _ = view.project(tails)
    seen = np.hypot(*(b - a).T)
    waist = heads + WAIST * (tails - heads)
    thick = np.clip(THICK * seen, 1.2 * view.unit, 7.0 * view.unit)
    thin = np.full_like(thick, 0.5 * view.unit)
    first = Strokes.of(heads, waist, width=1.0, color=color)
    second = Strokes.of(waist, tails, width=1.0, color=color)
    return Strokes.joined(
        [
            Strokes(first.a, first.b, np.stack([thin, thick], axis=1) + more, first.colors),
            Strokes(second.a, second.b, np.stack([thick, thin], axis=1) + more, second.colors),
        ]
    )


def _axes(joints: Sequence[Joint], length: float, view: View) -> Strokes:
    at = np.array([joint.position for joint in joints])
    parts = []
    for axis, color in enumerate(AXES):
        way = np.array([joint.matrix[:3, axis] for joint in joints])
        size = np.sqrt((way * way).sum(axis=1, keepdims=True))
        parts.append(
            Strokes.of(at, at + way / np.where(size > 0.0, size, 1.0) * length, width=0.8 * view.unit, color=color)
        )
    return Strokes.joined(parts)


def _name(view: View, canvas: Canvas, joints: Sequence[Joint], at: Float64, hidden: float) -> None:
    places, depths = view.project(at)
    width, height = view.size
    for joint, (x, y), depth in zip(joints, places.tolist(), depths.tolist(), strict=True):
        inside = depth > view.near and 0 <= x < width and 0 <= y < height
        if joint.name and inside and (hidden > 0.0 or canvas.sees(x, y, depth)):
            canvas.labels.append(Label(joint.name, x, y, depth))


@dataclass(frozen=True, eq=False)
class Trail(Overlay):
    """The way of a joint over snapshots, with a dot at each and the first and last tick beside it."""

    joint: str
    poses: Sequence[Posed]
    see_through: bool = True

    def draw(self, view: View, canvas: Canvas) -> None:
        """Draw the way, fainter the longer ago."""
        poses = sorted(self.poses, key=lambda pose: pose.tick + pose.alpha)
        at = np.array([joint_position(view, pose, self.joint) for pose in poses]).reshape(-1, 3)
        if not len(at):
            return
        hidden = 0.4 if self.see_through else 0.0
        age = np.linspace(0.25, 1.0, len(at))
        colors = np.repeat(TRAIL[None], len(at), axis=0).astype(np.float64)
        colors[:, 3] = age
        pairs = np.stack([colors[:-1], colors[1:]], axis=1)
        widths = np.full((len(at) - 1, 2), 1.3 * view.unit)
        canvas.stroke(
            Strokes(at[:-1], at[1:], widths + 0.9 * view.unit, pairs * (0.05, 0.05, 0.05, 0.6)), hidden=hidden
        )
        canvas.stroke(Strokes(at[:-1], at[1:], widths, pairs), hidden=hidden)
        canvas.stroke(Strokes.of(at, at, width=2.6 * view.unit, color=colors), hidden=hidden)
        places, depths = view.project(at)
        for index in sorted({0, len(at) - 1}):
            if depths[index] > view.near:
                x, y = places[index]
                canvas.labels.append(Label(f"tick {poses[index].tick}", float(x), float(y), float(depths[index])))


@dataclass(frozen=True, eq=False)
class Footprints(Overlay):
    """Where a joint was when its event fired: a ring on the ground beneath it, with the event's name and tick.

    `joints` says which joint each event's name is the mark of; the snapshot of an event is that of its tick among
    `poses`.
    """

    events: Sequence[AnimationEvent]
    poses: Sequence[Posed]
    joints: Mapping[str, str]
    radius: float = 0.09
    see_through: bool = False

    def draw(self, view: View, canvas: Canvas) -> None:
        """Draw a ring for each event that a joint is named for."""
        by_tick = {pose.tick: pose for pose in self.poses}
        turns = np.linspace(0.0, 2.0 * math.pi, 37)
        circle = np.stack([np.cos(turns), np.zeros_like(turns), np.sin(turns)], axis=1) * self.radius
        hidden = 0.4 if self.see_through else 0.0
        for event in self.events:
            if event.event not in self.joints:
                continue
            if event.tick not in by_tick:
                raise PosedError(f'no snapshot is given for tick {event.tick}, at which "{event.event}" fired')
            middle = self._ground(view, by_tick[event.tick], self.joints[event.event])
            ring = middle + circle
            canvas.stroke(Strokes.of(ring[:-1], ring[1:], width=2.0 * view.unit, color=EDGE), hidden=hidden)
            canvas.stroke(Strokes.of(ring[:-1], ring[1:], width=1.2 * view.unit, color=STEP), hidden=hidden)
            canvas.stroke(Strokes.of(middle[None], middle[None], width=2.4 * view.unit, color=STEP), hidden=hidden)
            (place,), (depth,) = view.project(middle[None])
            if depth > view.near:
                text = f"{event.event} {event.tick}"
                canvas.labels.append(Label(text, float(place[0]), float(place[1]), float(depth)))

    def _ground(self, view: View, posed: Posed, joint: str) -> Float64:
        """Return the place under a joint at the height of its object's lowest vertex."""
        place = joint_position(view, posed, joint).copy()
        staged = view.stage(posed)
        names = [one.name for one in view.scene.objects]
        number = names.index(joints_called(view.scene, joint)[0].object) + 1
        used = np.unique(staged.triangles[staged.object == number])
        if len(used):
            place[1] = float(staged.positions[used, 1].min()) + staged.origin[1] + LIFT
        return place


def joint_position(view: View, posed: Posed, name: str) -> Float64:
    """Return where the joint called `name` is in a snapshot of the scene, (3,) metres in the world.

    Raises
    ------
    PosedError
        No joint is called so.
    """
    first = joints_called(view.scene, name)[0]
    skin = view.scene.object(first.object).model.nodes[first.node].skin
    assert skin is not None
    node = view.scene.object(first.object).model.skins[skin].joints[first.joint]
    whole = fit(view.scene, posed)
    for joint in joints_of(view.scene, whole, frozenset([first.object])):
        if joint.node == node:
            return joint.position
    raise PosedError(f'the snapshot has no palette for the joint "{name}"')
