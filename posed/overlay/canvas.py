"""The canvas: a frame's color that overlays are drawn into, in linear light, behind and before what is seen."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from posed.arrays import AnyArray, Bool, Float32
from posed.overlay.labels import Label, Legend, written
from posed.overlay.strokes import Marks, Strokes, rasterized
from posed.overlay.view import View

SLACK = 2e-3
"""Share of its depth by which a line may lie behind a surface and count as on it."""


@dataclass(eq=False)
class Canvas:
    """`color` is (H, W, 4) float32, linear; alpha is coverage, as in a frame's own layer."""

    view: View
    color: Float32
    labels: list[Label] = field(default_factory=list)
    legends: list[Legend] = field(default_factory=list)

    def cover(self, where: Bool, colors: AnyArray, alpha: AnyArray | float = 1.0) -> None:
        """Lay linear colors, (N, 3), over the pixels of a mask, (H, W), row by row."""
        if isinstance(alpha, float) and alpha == 1.0:
            self.color[where, :3], self.color[where, 3] = colors, 1.0
            return
        share = np.asarray(alpha, np.float32).reshape(-1, 1)
        under = self.color[where]
        over = np.empty_like(under)
        over[:, :3] = under[:, :3] + share * (colors.astype(np.float32) - under[:, :3])
        over[:, 3:] = under[:, 3:] + share * (1.0 - under[:, 3:])
        self.color[where] = over

    def sees(self, x: float, y: float, depth: float) -> bool:
        """Return whether nothing stands before a point at pixel (x, y), within the picture, and a depth."""
        return depth <= float(self.view.layers["depth"][int(y), int(x)]) * (1.0 + SLACK)

    def smooth(self, ids: AnyArray) -> None:
        """Mix half of its four neighbours into each pixel at a border between `ids`, (H, W)."""
        border = np.zeros(ids.shape, np.bool_)
        across, down = ids[:, 1:] != ids[:, :-1], ids[1:] != ids[:-1]
        border[:, 1:] |= across
        border[:, :-1] |= across
        border[1:] |= down
        border[:-1] |= down
        rows, columns = np.nonzero(border)
        height, width = ids.shape
        sides = [
            self.color[np.clip(rows + dy, 0, height - 1), np.clip(columns + dx, 0, width - 1)]
            for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0))
        ]
        self.color[rows, columns] = 0.5 * self.color[rows, columns] + 0.125 * sum(sides)

    def stroke(self, strokes: Strokes, *, hidden: float = 0.0) -> None:
        """Draw lines; where a surface hides them they keep `hidden` of their alpha."""
        if len(strokes.a):
            self.mark(rasterized(strokes, self.view), hidden=hidden)

    def mark(self, marks: Marks, *, hidden: float = 0.0) -> None:
        """Lay samples over their pixels; of several at a pixel the one that covers most, the nearer of two alike."""
        if not len(marks.pixel):
            return
        depth = self.view.layers["depth"].ravel()[marks.pixel]
        seen = marks.depth <= depth * (1.0 + SLACK)
        alpha = np.where(seen, 1.0, hidden) * marks.alpha
        order = np.lexsort((-marks.depth, alpha, marks.pixel))
        last = np.append(marks.pixel[order][1:] != marks.pixel[order][:-1], True)
        chosen = order[last]
        chosen = chosen[alpha[chosen] > 0.0]
        flat = self.color.reshape(-1, 4)
        share = alpha[chosen, None].astype(np.float32)
        under = flat[marks.pixel[chosen]]
        color = np.concatenate([marks.color[chosen], np.ones((len(chosen), 1))], axis=1).astype(np.float32)
        flat[marks.pixel[chosen]] = under + share * (color - under)

    def finish(self) -> Float32:
        """Return the color with labels and legends written over it."""
        if self.labels or self.legends:
            written(self.color, self.labels, self.legends, self.view.unit)
        return self.color
