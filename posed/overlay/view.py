"""What an overlay sees: the scene and snapshot, the layers of their traced frame, and where the camera has a point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

import tracer
from posed.arrays import AnyArray, Bool, Float64
from posed.scene.description import Scene
from posed.snapshot import Posed
from tracer import view as lens

Int64 = np.ndarray[tuple[int, ...], np.dtype[np.int64]]

Traced = Callable[[Posed, Sequence[str]], Mapping[str, AnyArray]]
"""Traces named layers of another snapshot of the scene through the same camera."""

Staged = Callable[[Posed], tracer.Scene]
"""Stages another snapshot of the scene."""


@dataclass(frozen=True, eq=False)
class View:
    """A traced frame with what it was traced from.

    Attributes
    ----------
    scene, posed
        What is seen; the snapshot is whole.
    layers
        Of the frame, (H, W) or (H, W, C); `depth` is always among them.
    staged, camera
        What was traced, and by which camera, in the stage's space.
    size
        (W, H) in pixels.
    traced, stage
        Do the same for another snapshot.
    """

    scene: Scene
    posed: Posed
    layers: Mapping[str, AnyArray]
    staged: tracer.Scene
    camera: tracer.Camera
    size: tuple[int, int]
    traced: Traced
    stage: Staged

    @property
    def unit(self) -> float:
        """Pixels of a thin line: 1 in a picture of 540 rows, more in a higher one, never less."""
        return max(1.0, self.size[1] / 540.0)

    @cached_property
    def covered(self) -> Bool:
        """(H, W): where something is seen."""
        seen: Bool = np.isfinite(self.layers["depth"])
        return seen

    @cached_property
    def _lens(self) -> Float64:
        return lens.view_of(self.camera, self.size)

    def project(self, points: AnyArray) -> tuple[Float64, Float64]:
        """Return where the camera has points of the world, (N, 3): pixels (N, 2) from the upper left, and depths (N,).

        A point that is not before the camera has a depth of 0 or less, and no place.
        """
        return self.project_staged(np.asarray(points, np.float64) - self.staged.origin)

    def project_staged(self, points: AnyArray) -> tuple[Float64, Float64]:
        """As `project`, of points in the stage's space."""
        v = self._lens
        away = np.asarray(points, np.float64) - v[lens.ORIGIN : lens.ORIGIN + 3]
        right, up, depth = ((away * v[axis : axis + 3]).sum(axis=-1) for axis in (lens.RIGHT, lens.UP, lens.FORWARD))
        scale = np.ones_like(depth) if v[lens.ORTHOGRAPHIC] else np.where(depth > 0.0, depth, np.inf)
        width, height = self.size
        x = (right / scale / v[lens.HALF_WIDTH] + 1.0) * 0.5 * width
        y = (1.0 - up / scale / v[lens.HALF_HEIGHT]) * 0.5 * height
        return np.stack([x, y], axis=-1), depth

    @property
    def near(self) -> float:
        """Depth before which nothing is drawn, in metres, above 0."""
        return max(float(self._lens[lens.NEAR]), 1e-6)

    @property
    def parallel(self) -> bool:
        """Whether the camera's rays are parallel: then depth runs evenly along a line of the picture."""
        return bool(self._lens[lens.ORTHOGRAPHIC])

    def facing(self, pixels: Bool | slice = slice(None)) -> AnyArray:
        """Return how much the surface at covered pixels, row by row, is turned to the viewer, (N,) float32, 0 to 1."""
        v, (width, height) = self._lens, self.size
        normals = self.layers["normal"][self.covered][pixels].T
        right, up, forward = (
            sum(np.float32(v[axis + i]) * normals[i] for i in range(3)) for axis in (lens.RIGHT, lens.UP, lens.FORWARD)
        )
        toward = -forward
        if not v[lens.ORTHOGRAPHIC]:  # the ray through a pixel goes forward, and by these steps to the right and up
            rows, columns = (at[pixels].astype(np.float32) for at in np.nonzero(self.covered))
            x = ((columns + 0.5) / width * 2.0 - 1.0) * v[lens.HALF_WIDTH]
            y = (1.0 - (rows + 0.5) / height * 2.0) * v[lens.HALF_HEIGHT]
            toward = (toward - x * right - y * up) / np.sqrt(1.0 + x * x + y * y)
        facing: AnyArray = np.clip(toward, 0.0, 1.0).astype(np.float32)
        return facing

    @cached_property
    def triangles(self) -> Int64:
        """(N,): the staged triangle at each covered pixel, row by row."""
        part, triangle = (self.layers[name][self.covered].astype(np.int64) for name in ("part", "triangle"))
        starts = np.flatnonzero(np.diff(self.staged.part.astype(np.int64), prepend=-1))
        begins = np.full(int(self.staged.part.max(initial=0)) + 1, 0)
        begins[self.staged.part[starts[::-1]]] = starts[::-1]
        rows = begins[part] + triangle - 1
        counts = np.array([0, *(one.copies for one in self.scene.parts)])
        for number in np.flatnonzero(counts > 1):
            here = np.flatnonzero(part == number)
            if len(here):
                length = len(self.scene.parts[number - 1].primitive.triangles)
                rows[here] = self._nearest(rows[here], here, int(counts[number]), length)
        return rows

    def _nearest(self, rows: Int64, pixels: Int64, copies: int, length: int) -> Int64:
        """Return the rows among a part's copies, `length` triangles apart, that lie where the pixels see something."""
        seen = self.layers["position"][self.covered][pixels] - self.staged.origin
        best, least = rows.copy(), np.full(len(rows), np.inf)
        for copy in range(copies):
            candidates = rows + copy * length
            at = self.interpolated(self.staged.positions, candidates, pixels)
            off = ((at - seen) ** 2).sum(axis=-1)
            best, least = np.where(off < least, candidates, best), np.minimum(off, least)
        return best

    def interpolated(self, values: AnyArray, rows: Int64, pixels: Int64 | slice = slice(None)) -> AnyArray:
        """Return values of vertices, (V,) or (V, C), at covered pixels that see the triangles `rows`."""
        corners = values[self.staged.triangles[rows]]
        b = self.layers["barycentric"][self.covered][pixels].astype(np.float32)
        shares = np.stack([1.0 - b[:, 0] - b[:, 1], b[:, 0], b[:, 1]], axis=1)
        weighted: AnyArray = (corners * shares.reshape(*shares.shape, *[1] * (corners.ndim - 2))).sum(axis=1)
        return weighted
