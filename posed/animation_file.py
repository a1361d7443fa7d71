"""Ranges of frames as one file: animated WebP, for people and for web pages."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from posed.arrays import UInt8
from posed.errors import PosedError
from posed.files import written_whole

LARGEST = 1 << 31
"""Bytes of all pictures together, which wait in memory for the last one."""

QUALITY = 90
"""Of WebP's lossy compression: no artefact shows at this, and a file is a tenth of the lossless one."""


def durations(ticks: range, rate: Fraction) -> list[int]:
    """Return how long each tick's picture is shown, in milliseconds, so that none drifts from its exact time."""
    ends = [round(Fraction(index * ticks.step * 1000) / rate) for index in range(len(ticks) + 1)]
    return [after - before for before, after in itertools.pairwise(ends)]


def save_webp(path: Path, pictures: Sequence[UInt8], milliseconds: Sequence[int]) -> None:
    """Write pictures, (H, W, 4) uint8 sRGB with straight alpha, as an animation that loops.

    Raises
    ------
    PosedError
        The place cannot be written.
    """
    import PIL.Image

    first, *others = [PIL.Image.fromarray(picture) for picture in pictures]
    with written_whole(path) as beside:
        first.save(
            beside,
            "WEBP",
            save_all=True,
            append_images=others,
            duration=list(milliseconds),
            loop=0,
            quality=QUALITY,
            method=4,
        )


def check_size(path: Path, size: tuple[int, int], count: int) -> None:
    """Refuse an animation whose pictures do not fit in `LARGEST`, before the first is made."""
    width, height = size
    if width * height * 4 * count > LARGEST:
        fit = LARGEST // (width * height * 4)
        raise PosedError(
            f"{path}: {count} pictures of {width} x {height} are too many for one file, which takes {fit}: "
            "number them, as frames/%04d.png, or make them smaller"
        )
