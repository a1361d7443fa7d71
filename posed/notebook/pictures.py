"""Pictures of scenes for a page: small, at one sample a pixel and twice as fine as they are shown."""

from __future__ import annotations

from posed.arrays import UInt8
from posed.overlay.base import Overlay
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.tracing import trace

SIZE = (480, 270)
"""Pixels; what a page's column has room for, traced in a fifth of a second."""

SAMPLES = 4


def traced(scene: Scene, posed: Posed, *overlays: Overlay | str, size: tuple[int, int] = SIZE) -> UInt8:
    """Return the picture of a snapshot, (H, W, 4) sRGB codes."""
    return trace(scene, posed, size=size, samples=SAMPLES, layers=("color",), overlays=overlays).rgba()
