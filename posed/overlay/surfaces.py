"""Overlays that color surfaces: a joint's weight, the strongest joint, the way from one pose to another, triangles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import tracer
from posed.arrays import AnyArray, Bool
from posed.color import GOLDEN_ANGLE, decode_srgb, oklch
from posed.errors import PosedError
from posed.overlay.base import Overlay
from posed.overlay.canvas import Canvas
from posed.overlay.labels import Label, Legend
from posed.overlay.naming import joints_called
from posed.overlay.ramps import GLOW, HEAT, linear, ramp, ramp_codes
from posed.overlay.view import View
from posed.snapshot import Posed

LUMINANCE = np.array((0.2126, 0.7152, 0.0722), np.float32)
"""Of linear Rec. 709."""

SHADE = 0.38
"""Light that is left where a colored surface is turned away from the viewer: its form stays to be seen."""

LEFT = 0.4
"""Share of its light that a surface keeps, as gray, where an overlay has no color for it."""

STILL = 1e-3
"""Millimetres that count as none."""

MILLIMETRES = 1000.0


def painted(view: View, canvas: Canvas, colors: AnyArray, where: Bool, ids: AnyArray) -> None:
    """Color surfaces, darker where they turn away: `colors`, linear, (M, 3), for the covered pixels of `where`, (N,).

    All others go gray. Pixels at borders of `ids`, (H, W), are smoothed: the layers tell of one point a pixel.
    """
    red, green, blue = (canvas.color[..., channel] * LUMINANCE[channel] for channel in range(3))
    gray = LEFT * np.clip(red + green + blue, 0.0, 1.0)
    seen = view.covered[..., None]
    np.copyto(canvas.color[..., :3], gray[..., None], where=seen)
    np.copyto(canvas.color[..., 3:], np.float32(1.0), where=seen)
    chosen = view.covered.copy()
    chosen[view.covered] = where
    canvas.cover(chosen, colors * (SHADE + (1.0 - SHADE) * view.facing(where))[:, None])
    canvas.smooth(ids)


@dataclass(frozen=True)
class Weights(Overlay):
    """How much a joint pulls: gray where not at all, blue over yellow to red where alone."""

    joint: str
    needs: ClassVar = frozenset({"part", "triangle", "barycentric", "normal", "position"})
    rank: ClassVar = 0

    def draw(self, view: View, canvas: Canvas) -> None:
        """Color every surface."""
        numbers = [joint.id for joint in joints_called(view.scene, self.joint)]
        staged = view.staged
        weight = np.zeros(len(view.triangles), np.float32)
        if staged.joints is not None and staged.weights is not None:
            own = np.where(np.isin(staged.joints, numbers), staged.weights, 0.0).sum(axis=1)
            pulled = np.flatnonzero((own > 0.0)[staged.triangles].any(axis=1)[view.triangles])
            weight[pulled] = view.interpolated(own, view.triangles[pulled], pulled)
        where = weight > 1e-4
        painted(view, canvas, ramp(HEAT, weight[where]), where, view.layers["part"])
        canvas.legends.append(Legend(f"weight: {self.joint}", "0", "1", ramp_codes(HEAT)))


@dataclass(frozen=True)
class DominantJoints(Overlay):
    """The joint that pulls most, each in a color of its own; the larger regions bear its name where `names`."""

    names: bool = True
    needs: ClassVar = frozenset({"joint", "part", "normal"})
    rank: ClassVar = 0

    def draw(self, view: View, canvas: Canvas) -> None:
        """Color every surface."""
        joints = view.scene.ids.joints
        palette = np.array([(0, 0, 0), *(_joint_color(one.id) for one in joints)], np.uint8).reshape(-1, 3)
        numbers = view.layers["joint"][view.covered].astype(np.int64)
        where = numbers > 0
        colors = decode_srgb(palette)[np.minimum(numbers[where], len(palette) - 1)]
        ids = view.layers["joint"].astype(np.int64) << 32 | view.layers["part"]
        painted(view, canvas, colors, where, ids)
        if self.names:
            canvas.labels.extend(self._labels(view, numbers))

    def _labels(self, view: View, numbers: AnyArray) -> list[Label]:
        """Return the name of each region that is large enough, beside the pixel nearest to its middle."""
        rows, columns = np.nonzero(view.covered)
        depth = view.layers["depth"][view.covered]
        found = []
        for joint in view.scene.ids.joints:
            here = np.flatnonzero(numbers == joint.id)
            if len(here) < 400 * view.unit * view.unit or not joint.name:
                continue
            x, y = columns[here], rows[here]
            middle = here[((x - x.mean()) ** 2 + (y - y.mean()) ** 2).argmin()]
            found.append(Label(joint.name, float(columns[middle]), float(rows[middle]), float(depth[middle])))
        return found


def _joint_color(number: int) -> tuple[int, int, int]:
    return oklch((0.72, 0.60, 0.80)[number % 3], 0.13, GOLDEN_ANGLE * number)


@dataclass(frozen=True, eq=False)
class Displacement(Overlay):
    """How far each point is from where another snapshot of the scene has it, in millimetres.

    `most` is what the brightest color means; the largest distance in the picture unless given.
    """

    other: Posed
    most: float | None = None
    needs: ClassVar = frozenset({"part", "triangle", "barycentric", "normal", "position"})
    rank: ClassVar = 0

    def draw(self, view: View, canvas: Canvas) -> None:
        """Color every surface."""
        there = view.stage(self.other)
        if there.positions.shape != view.staged.positions.shape:
            raise PosedError("the two snapshots show different parts, so their vertices have no places to compare")
        apart = (there.positions.astype(np.float64) + there.origin) - (view.staged.positions + view.staged.origin)
        moved = view.interpolated(np.sqrt((apart * apart).sum(axis=1)) * MILLIMETRES, view.triangles)
        most = float(moved.max(initial=0.0)) if self.most is None else self.most
        where = moved > STILL
        painted(view, canvas, ramp(GLOW, moved[where] / (most or 1.0)), where, view.layers["part"])
        canvas.legends.append(Legend("displacement", "0 mm", _millimetres(most), ramp_codes(GLOW)))


def _millimetres(value: float) -> str:
    return f"{value:.3g} mm"


@dataclass(frozen=True)
class Wireframe(Overlay):
    """The edges of the triangles that are seen: dark on what is light, light on what is dark."""

    width: float = 1.0
    alpha: float = 0.8
    needs: ClassVar = frozenset({"part", "triangle", "position", "barycentric"})

    def draw(self, view: View, canvas: Canvas) -> None:
        """Draw along the inner border of each triangle, where its own pixels are."""
        rows, columns = np.nonzero(view.covered)
        x, y = columns + 0.5, rows + 0.5
        places, depth = view.project_staged(view.staged.positions)
        corners = places[view.staged.triangles]
        seen, nearest = view.triangles, np.full(len(rows), np.inf)
        lowest = np.full(len(corners), np.inf)
        for a, b, c in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            begin, edge = corners[:, a], corners[:, b] - corners[:, a]
            length = np.maximum(np.hypot(edge[:, 0], edge[:, 1]), 1e-9)
            across, down = edge[:, 1] / length, -edge[:, 0] / length
            at = begin[:, 0] * across + begin[:, 1] * down
            lowest = np.minimum(lowest, np.abs(corners[:, c, 0] * across + corners[:, c, 1] * down - at))
            nearest = np.minimum(nearest, np.abs(x * across[seen] + y * down[seen] - at[seen]))
        half = 0.5 * self.width * view.unit
        fine = np.clip(lowest / (6.0 * half), 0.12, 1.0)  # where triangles are as small as lines are wide
        fine[(depth[view.staged.triangles] <= view.near).any(axis=1)] = 0.0
        cover = np.clip(half + 0.5 - nearest, 0.0, 1.0) * fine[seen]
        drawn = cover > 0.0
        where = view.covered.copy()
        where[view.covered] = drawn
        light = canvas.color[where][:, :3] @ LUMINANCE > 0.09
        colors = np.where(light[:, None], linear(8, 14, 30)[:3], linear(235, 240, 250)[:3])
        canvas.cover(where, colors, self.alpha * cover[drawn])


@dataclass(frozen=True, eq=False)
class OnionSkin(Overlay):
    """Other snapshots of the scene as tinted ghosts: blue before this tick, orange after it, fainter farther off.

    An object's ghosts stand behind the object as it is now, unless `over`. Where other things hide them they show
    through faintly if `see_through`.
    """

    poses: Sequence[Posed]
    alpha: float = 0.6
    over: bool = False
    see_through: bool = True
    needs: ClassVar = frozenset({"object"})
    rank: ClassVar = 0

    def draw(self, view: View, canvas: Canvas) -> None:
        """Trace each ghost through the same camera and lay it over, the farthest tick first."""
        now = view.posed.tick + view.posed.alpha
        others = [pose for pose in self.poses if pose.tick + pose.alpha != now]
        order = sorted(others, key=lambda pose: -abs(pose.tick + pose.alpha - now))
        farthest = abs(order[0].tick + order[0].alpha - now) if order else 1.0
        for pose in order:
            away = pose.tick + pose.alpha - now
            ghost = view.traced(pose, ("depth", "normal", "object"))
            now_there, there = view.layers["depth"], np.isfinite(ghost["depth"])
            nearer = there & (ghost["depth"] < now_there * (1.0 - 1e-4))
            farther = there & (ghost["depth"] > now_there * (1.0 + 1e-4))
            other = ghost["object"] != view.layers["object"]
            shown = (nearer | farther) & (other | (nearer if self.over else False))
            shown &= np.isin(ghost["object"], _moved_objects(view, view.stage(pose)))
            self._lay(view, canvas, shown, nearer, ghost["normal"], away, abs(away) / farthest)

    def _lay(
        self, view: View, canvas: Canvas, moved: AnyArray, before: AnyArray, normal: AnyArray, away: float, share: float
    ) -> None:
        tint = linear(88, 166, 255) if away < 0.0 else linear(255, 160, 60)
        axis = view.camera.matrix[:3, 2]
        facing = np.clip((normal[moved] * axis).sum(axis=-1), 0.0, 1.0)
        alpha = self.alpha * (1.0 - 0.5 * share) * np.where(before[moved], 1.0, 0.35 if self.see_through else 0.0)
        rim = 0.55 + 0.45 * (1.0 - facing)  # edges of a ghost stand out
        canvas.cover(moved, (0.35 + 0.65 * facing)[:, None] * tint[:3], alpha * rim)


def _moved_objects(view: View, there: tracer.Scene) -> AnyArray:
    """Return the ids of the objects that another stage has elsewhere, or that only one of the two shows."""
    here = view.staged
    objects = np.unique(np.concatenate([here.object, there.object]))
    if here.triangles.shape != there.triangles.shape or here.positions.shape != there.positions.shape:
        return objects
    off = np.abs((there.positions + there.origin) - (here.positions + here.origin)).max(axis=1) > STILL / MILLIMETRES
    return np.unique(here.object[off[here.triangles].any(axis=1)])
