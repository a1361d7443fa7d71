"""Memory: what a frame takes on its way to its file, and how one that takes more than a worker may is made in strips.

Counted is what grows with the picture: its layers, and what encoding them takes. The program with its kernels (some 300
MiB) and the scene come on top. A check is never made in strips: blobs, shifts and FLIP are of the whole picture.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from posed.arrays import AnyArray
from posed.errors import PosedError
from posed.frame import LAYERS, Frame
from posed.frame_files import encoded, write_codes
from posed.snapshot import Posed
from posed.words import counted

if TYPE_CHECKING:
    from posed.tracing import Tracing

MEMORY = 4 << 30
"""Bytes that a worker's frames may take unless stated otherwise."""

CHECKS = 8 << 30
"""Bytes that a worker's checks may take unless stated otherwise."""

CHECKED = 640
"""Bytes a pixel that a check takes: both sides' layers, what is explained, recognized and shown on a page.

Measured at the peak: 600 at 960 x 540 and 540 at 1920 x 1080, all layers, a frame a tick late, with its page.
"""

COLORED = ("color", "variance")
"""Layers that come from samples, made for themselves; all others are made together."""

DOUBT = 1
"""Bytes a pixel that the geometry layers take while they are made."""

CODING = 47
"""Bytes a pixel while color becomes codes: a copy, indices of 64 bits, the codes."""

LEAST_ROWS = 16
"""Of a strip."""


class Cost:
    """What a frame takes, in bytes a pixel.

    Parameters
    ----------
    settings
        Options of `Tracing.trace`.
    suffix
        The file's kind.
    """

    def __init__(self, settings: Mapping[str, Any], suffix: str) -> None:
        self.size: tuple[int, int] = settings.get("size", (960, 540))
        integrator, samples = settings.get("integrator", "direct"), settings.get("samples", 16)
        absent = {"aov": COLORED, "direct": ("variance",)}.get(integrator, ("variance",) if samples == 1 else ())
        wanted = settings.get("layers")
        names = [name for name in LAYERS if name not in absent] if wanted is None else wanted
        self.layers = [name for name in names if name in LAYERS]
        geometry = [name for name in LAYERS if name not in COLORED]
        colors = COLORED if integrator == "path" else ("color",)
        self.made = _bytes(colors) if any(name in COLORED for name in self.layers) else 0
        self.is_whole = bool(settings.get("overlays"))  # drawn over layers of the whole picture
        if self.is_whole or any(name in geometry for name in self.layers):
            self.made += _bytes(geometry) + DOUBT
        kept = _bytes(self.layers)
        is_picture = suffix == ".png"
        self.coding = CODING + 4 if is_picture else 2 * kept  # each plane or member once more, and the file
        self.strip = self.made + (CODING if is_picture else kept)
        self.joined = 8 if is_picture else 3 * kept  # codes and the file; layers, planes or members, and the file

    @property
    def pixels(self) -> int:
        """Of the picture."""
        return self.size[0] * self.size[1]

    def rows(self, memory: int) -> int | None:
        """Return the rows of each strip, None where two frames at once fit: one is traced as the other is encoded.

        Raises
        ------
        PosedError
            Not even a frame made in strips fits.
        """
        width, height = self.size
        if self.pixels * (2 * self.made + self.coding) <= memory:
            return None
        left = memory - self.pixels * self.joined
        rows, fewest = int(left // (width * self.strip)), min(LEAST_ROWS, height)
        if self.is_whole or rows < fewest:
            least = self.pixels * self.joined + width * self.strip * (height if self.is_whole else fewest)
            raise PosedError(
                f"a frame of {width}x{height} with {counted(len(self.layers), 'layer')} takes {amount(least)}, more "
                f"than the {amount(memory)} that a worker may take: name fewer layers, choose a smaller size, or give "
                "it more memory (--memory)"
            )
        return min(max(rows - rows % LEAST_ROWS, 1), height)


def fit_check(size: tuple[int, int], memory: int) -> None:
    """Refuse a check of pictures of a size, width and height, that takes more than `memory`, in bytes.

    Raises
    ------
    PosedError
        It does.
    """
    needed = size[0] * size[1] * CHECKED
    if needed > memory:
        raise PosedError(
            f"a check of {size[0]}x{size[1]} takes {amount(needed)}, more than the {amount(memory)} that a worker may "
            "take, and a verdict looks at the whole picture: choose a smaller size, or give it more memory (--memory)"
        )


def frame_file(tracing: Tracing, posed: Posed, settings: Mapping[str, Any], suffix: str, memory: int) -> bytes:
    """Return the content of a frame's file, the same whatever `memory` is, in bytes, as long as that suffices.

    Raises
    ------
    PosedError
        It does not, or a setting is wrong.
    """
    rows = Cost(settings, suffix).rows(memory)
    if rows is None:
        return encoded(tracing.trace(posed, **settings), suffix)
    return stripped(tracing, posed, settings, suffix, rows)


def stripped(tracing: Tracing, posed: Posed, settings: Mapping[str, Any], suffix: str, rows: int) -> bytes:
    """Return the content of a frame's file, traced by so many rows at a time and joined."""
    width, height = size = settings.get("size", (960, 540))
    strips = _strips(tracing, posed, settings, height, rows)
    if suffix == ".png":
        codes = np.empty((height, width, 4 if settings.get("background") == "transparent" else 3), np.uint8)
        for first, strip in strips:
            codes[first : first + strip.size[1]] = strip.rgba()[..., : codes.shape[2]]
        stream = io.BytesIO()
        write_codes(codes, stream)
        return stream.getvalue()
    layers: dict[str, AnyArray] = {}
    for first, strip in strips:
        for name in strip:
            if first == 0:
                layers[name] = np.empty((height, *strip[name].shape[1:]), strip[name].dtype)
            layers[name][first : first + strip.size[1]] = strip[name]
    return encoded(replace(strip, layers=layers, size=size), suffix)


def _strips(
    tracing: Tracing, posed: Posed, settings: Mapping[str, Any], height: int, rows: int
) -> Iterator[tuple[int, Frame]]:
    for first in range(0, height, rows):
        yield first, tracing.trace(posed, **settings, rows=(first, min(first + rows, height)))


def amount(size: int) -> str:
    """Return bytes in words: 1.5 GiB."""
    unit, scale = ("GiB", 1 << 30) if size >= 1 << 30 else ("MiB", 1 << 20)
    return f"{size / scale:.1f} {unit}"


def _bytes(names: tuple[str, ...] | list[str]) -> int:
    return sum(4 * max(1, LAYERS[name][0]) for name in names)
