"""Ranges of frames as one file: animated WebP, for people and for web pages."""

from __future__ import annotations

import itertools
from collections.abc import Generator, Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from posed.arrays import UInt8
from posed.errors import PosedError
from posed.files import written_whole

if TYPE_CHECKING:
    import PIL.Image

LARGEST = 1 << 34
"""Bytes of all pictures together: compressed to less than a tenth, they wait in memory for the last one."""

QUALITY = 90
"""Of WebP's lossy compression: no artefact shows at this, and a file is a tenth of the lossless one."""


def durations(ticks: range, rate: Fraction) -> list[int]:
    """Return how long each tick's picture is shown, in milliseconds, so that none drifts from its exact time."""
    ends = [round(Fraction(index * ticks.step * 1000) / rate) for index in range(len(ticks) + 1)]
    return [after - before for before, after in itertools.pairwise(ends)]


def save_webp(path: Path, pictures: Iterable[UInt8], milliseconds: Sequence[int]) -> None:
    """Write pictures, (H, W, 4) uint8 sRGB with straight alpha, as an animation that loops.

    Each is compressed as it arrives and not kept: whoever makes them may be at the next one meanwhile. There are as
    many as `milliseconds`, all of one size. The file is there whole, or not at all where a picture cannot be made.

    Raises
    ------
    PosedError
        The place cannot be written.
    """
    coming = iter(pictures)
    try:
        with written_whole(path) as beside:
            arriving(coming, len(milliseconds)).save(
                beside, "WEBP", save_all=True, duration=list(milliseconds), loop=0, quality=QUALITY, method=4
            )
            next(coming, None)  # whoever makes them comes to an end
    finally:
        if isinstance(coming, Generator):
            coming.close()


def arriving(pictures: Iterator[UInt8], count: int) -> PIL.Image.Image:
    """Return pictures as one image of `count` frames, as Pillow writes them: asked for a frame, it takes the next one.

    Pillow writes the frames of an image one after the other; those gone by are not there any more.
    """
    import PIL.Image

    class Arriving(PIL.Image.Image):
        n_frames = count

        def __init__(self, picture: PIL.Image.Image) -> None:
            super().__init__()
            self._mode, self._size, self.im = picture.mode, picture.size, picture.im
            self._place = 0

        def tell(self) -> int:
            return self._place

        def seek(self, frame: int) -> None:
            if frame > self._place:  # at the end Pillow goes back to the first
                self.im, self._place = PIL.Image.fromarray(next(pictures)).im, frame

    return Arriving(PIL.Image.fromarray(next(pictures)))


def check_size(path: Path, size: tuple[int, int], count: int) -> None:
    """Refuse an animation whose pictures do not fit in `LARGEST`, before the first is made."""
    width, height = size
    if width * height * 4 * count > LARGEST:
        fit = LARGEST // (width * height * 4)
        raise PosedError(
            f"{path}: {count} pictures of {width} x {height} are too many for one file, which takes {fit}: "
            "number them, as frames/%04d.png, or make them smaller"
        )
