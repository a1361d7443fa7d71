"""Cells of a sprite sheet, traced one by one: a clip of a model at even shares of its length, from every side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import numpy as np

import anim
from anim.rational import snapped
from posed.arrays import UInt8
from posed.errors import PosedError
from posed.files import written_whole
from posed.frame import Frame
from posed.gltf.image import LARGEST_SIDE
from posed.gltf.model import Model
from posed.model_pose import model_pose
from posed.scene.lone import RATE, lone_scene
from posed.scene.playing import DEFAULT_FPS
from posed.sheet.extrusion import extruded
from posed.sheet.framing import MARGIN, Framing, framing, turned
from posed.snapshot import Posed
from posed.tracing import Tracing


@dataclass(frozen=True, eq=False)
class Sheet:
    """A finished sheet.

    `texels` are (directions * H, frames * W, 4) sRGB codes with straight alpha: a row a direction, a column a frame.
    `clip` is the clip's name, `fps` plays it in its own time, `cell` is (W, H) and `framing` what each cell shows.
    """

    texels: UInt8
    clip: str
    frames: int
    directions: int
    cell: tuple[int, int]
    fps: Fraction
    framing: Framing

    def save(self, path: Path) -> None:
        """Write the picture as a PNG, whole or not at all; a `PosedError` says why it cannot be."""
        import PIL.Image

        with written_whole(path) as beside:
            PIL.Image.fromarray(self.texels).save(beside, "PNG")


class SheetRenderer:
    """A sheet in the making.

    Direction d shows the model turned about +Y by d / `directions` of a turn, under lights that stand still; the first
    one faces the viewer. Frame i is the clip at i / `frames` of its length, so that the last one leads into the first.

    Parameters
    ----------
    model
        What is shown, under its own lights or else a sun, on nothing.
    clip
        Name or index.
    frames, directions
        Columns and rows, 1 or more.
    cell
        (W, H) of a cell in pixels, 3 or more each.
    samples
        Of color a pixel.
    backend
        ``"embree"`` or ``"bvh"``; the best one of this machine unless named.

    Raises
    ------
    AssetError
        The model has no such clip.
    PosedError
        The sheet would be larger than an image may be.
    """

    def __init__(
        self,
        model: Model,
        clip: str | int,
        *,
        frames: int,
        directions: int = 1,
        cell: tuple[int, int] = (128, 128),
        samples: int | str = 16,
        backend: str | None = None,
    ) -> None:
        width, height = cell[0] * frames, cell[1] * directions
        if max(width, height) > LARGEST_SIDE:
            raise PosedError(
                f"the sheet would be {width} x {height}; an image has at most {LARGEST_SIDE} a side: "
                "take fewer frames, fewer directions or smaller cells"
            )
        if min(cell) <= 2 * MARGIN:
            raise PosedError(f"a cell is {cell[0]} x {cell[1]}; it needs at least {2 * MARGIN + 1} pixels a side")
        self.model, self.index = model, model.clip(clip)
        self.frames, self.directions, self.cell = frames, directions, cell
        period = snapped(model.clips[self.index].duration, RATE)
        self.fps = frames / period if period else DEFAULT_FPS
        self.times = [float(period * frame / frames) for frame in range(frames)]
        self.framing = framing(model, self.index, self.times, directions, cell)
        self._scene = replace(lone_scene(model), camera=self.framing.camera(), camera_node=None)
        self._samples, self._tracing = samples, Tracing(self._scene, backend=backend)

    def cells(self) -> Iterator[tuple[int, int, UInt8]]:
        """Yield direction, frame and texels, (H, W, 4), of each cell, row after row."""
        for direction in range(self.directions):
            for frame in range(self.frames):
                yield direction, frame, extruded(self._traced(self.posed(direction, frame)).rgba())

    def _traced(self, posed: Posed) -> Frame:
        return self._tracing.trace(
            posed, size=self.cell, samples=self._samples, layers=("color",), background="transparent"
        )

    def posed(self, direction: int, frame: int) -> Posed:
        """Return the snapshot that a cell shows."""
        name = self.model.name
        pose = model_pose(self.model, anim.sample(self.model.node_rig(), self.index, self.times[frame]))
        return Posed(
            tick=frame,
            rate=RATE,
            scene=self._scene.digest,
            models={name: turned(direction, self.directions)},
            nodes={name: pose.nodes},
            palettes={name: pose.palettes},
            morphs={name: pose.morphs},
            camera=self.framing.camera(),
        )

    def sheet(self, cells: Iterator[tuple[int, int, UInt8]]) -> Sheet:
        """Return the sheet that `cells`, all of those of `cells()`, make."""
        width, height = self.cell
        texels = np.zeros((height * self.directions, width * self.frames, 4), np.uint8)
        for direction, frame, cell in cells:
            texels[direction * height :, frame * width :][:height, :width] = cell
        name = self.model.clips[self.index].name
        return Sheet(texels, name, self.frames, self.directions, self.cell, self.fps, self.framing)
