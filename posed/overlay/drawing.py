"""Drawing overlays into a frame that was just traced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from posed.arrays import Float32
from posed.overlay.base import Overlay
from posed.overlay.canvas import Canvas
from posed.overlay.view import View


def layers_for(overlays: Iterable[Overlay]) -> frozenset[str]:
    """Return the layers of a frame that some overlays need."""
    return frozenset({"color", "depth"}).union(*(one.needs for one in overlays))


def drawn(view: View, overlays: Sequence[Overlay]) -> Float32:
    """Return the frame's color with the overlays in it, (H, W, 4) float32 linear."""
    canvas = Canvas(view, np.array(view.layers["color"], np.float32))
    for one in sorted(overlays, key=lambda each: each.rank):
        one.draw(view, canvas)
    return canvas.finish()
