"""Sprites as data: an atlas of frames, clips that run through them, and events on frames."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anim.errors import AnimError
from anim.lookup import find_clip
from anim.rational import Number, exact

Rect = tuple[int, int, int, int]


@dataclass(frozen=True)
class Atlas:
    """An image cut into frames.

    Attributes
    ----------
    size
        Width and height of the image in pixels.
    frames
        `x, y, width, height` of each frame in pixels, from the image's top left corner.

    Raises
    ------
    AnimError
        For an image without pixels, no frames, or a frame that is empty or leaves the image.
    """

    size: tuple[int, int]
    frames: tuple[Rect, ...]

    def __post_init__(self) -> None:
        width, height = map(int, self.size)
        if width < 1 or height < 1:
            raise AnimError(f"the atlas is {width} x {height} pixels; expected at least 1 x 1")
        if not self.frames:
            raise AnimError("the atlas has no frames; expected at least one")
        rects: list[Rect] = []
        for index, rect in enumerate(self.frames):
            x, y, w, h = map(int, rect)
            if w < 1 or h < 1 or x < 0 or y < 0 or x + w > width or y + h > height:
                raise AnimError(
                    f"frame {index} is {[x, y, w, h]}; expected a rectangle inside {width} x {height} pixels"
                )
            rects.append((x, y, w, h))
        object.__setattr__(self, "size", (width, height))
        object.__setattr__(self, "frames", tuple(rects))

    @staticmethod
    def grid(size: tuple[int, int], cell: tuple[int, int], count: int | None = None) -> "Atlas":
        """Return an atlas of equal cells, left to right, then down.

        Parameters
        ----------
        size
            Width and height of the image in pixels.
        cell
            Width and height of a cell in pixels.
        count
            Number of frames; as many as fit unless given.

        Raises
        ------
        AnimError
            Where a cell has no pixels or the image does not hold so many.
        """
        if cell[0] < 1 or cell[1] < 1:
            raise AnimError(f"a cell is {cell[0]} x {cell[1]} pixels; expected at least 1 x 1")
        columns, rows = size[0] // cell[0], size[1] // cell[1]
        number = columns * rows if count is None else count
        if not 0 < number <= columns * rows:
            raise AnimError(
                f"{number} cells of {cell[0]} x {cell[1]} pixels in an image of {size[0]} x {size[1]}; "
                f"it holds {columns} x {rows}"
            )
        return Atlas(size, tuple((i % columns * cell[0], i // columns * cell[1], *cell) for i in range(number)))

    @staticmethod
    def rects(size: tuple[int, int], rects: Iterable[Sequence[int]]) -> "Atlas":
        """Return an atlas of given rectangles `x, y, width, height` in pixels.

        Raises
        ------
        AnimError
            For a rectangle of other than four numbers, or one that lies outside the image.
        """
        given = [tuple(rect) for rect in rects]
        for index, rect in enumerate(given):
            if len(rect) != 4:
                raise AnimError(f"frame {index} is {list(rect)}; expected x, y, width and height")
        return Atlas(size, tuple(given))  # type: ignore[arg-type]

    def uv(self, frame: int) -> tuple[float, float, float, float]:
        """Return a frame's texture coordinates `u0, v0, u1, v1`, v down from the image's top,
        in shares of its width and height.

        Raises
        ------
        AnimError
            For a frame that the atlas has not.
        """
        if not 0 <= frame < len(self.frames):
            raise AnimError(f"frame is {frame}; the atlas has {len(self.frames)}, counted from 0")
        x, y, w, h = self.frames[frame]
        width, height = self.size
        return x / width, y / height, (x + w) / width, (y + h) / height


@dataclass(frozen=True)
class FrameEvent:
    """A named mark on a frame of a sprite's clip.

    Attributes
    ----------
    name
    frame
        Place in the clip, counted from 0.
    """

    name: str
    frame: int


@dataclass(frozen=True)
class SpriteClip:
    """Frames shown one after the other.

    Attributes
    ----------
    name
    frames
        Frames of the atlas, in the order they are shown.
    fps
        Frames a second, positive; a float stands for its shortest decimal.
    events
        In the order given.

    Raises
    ------
    AnimError
        For no frames, an fps that is not positive, or an event on a place the clip does not have.
    """

    name: str
    frames: tuple[int, ...]
    fps: Number
    events: tuple[FrameEvent, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "frames", tuple(map(int, self.frames)))
        object.__setattr__(self, "events", tuple(self.events))
        if not self.frames:
            raise AnimError(f"clip {self.name!r} has no frames; expected at least one")
        if exact(self.fps, f"fps of clip {self.name!r}") <= 0:
            raise AnimError(f"fps of clip {self.name!r} is {self.fps}; expected a positive number")
        for event in self.events:
            if not 0 <= event.frame < len(self.frames):
                raise AnimError(
                    f"event {event.name!r} is on frame {event.frame} of clip {self.name!r}, which has "
                    f"{len(self.frames)}, counted from 0"
                )

    @staticmethod
    def span(name: str, first: int, last: int, fps: Number, events: Iterable[FrameEvent] = ()) -> "SpriteClip":
        """Return a clip of the atlas's frames from first to last, both with it; backwards where last is the smaller.

        `fps` is in frames a second.
        """
        step = 1 if last >= first else -1
        return SpriteClip(name, tuple(range(first, last + step, step)), fps, tuple(events))


@dataclass(frozen=True)
class SpriteSheet:
    """An atlas and the clips that run through it.

    Raises
    ------
    AnimError
        For a clip that shows a frame the atlas has not.
    """

    atlas: Atlas
    clips: tuple[SpriteClip, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "clips", tuple(self.clips))
        count = len(self.atlas.frames)
        for clip in self.clips:
            for frame in clip.frames:
                if not 0 <= frame < count:
                    raise AnimError(f"clip {clip.name!r} shows frame {frame}; the atlas has {count}, counted from 0")

    def clip_index(self, clip: str | int | SpriteClip) -> int:
        """Return the index of a clip given by its name, its index or itself.

        Raises
        ------
        AnimError
            Where the sheet has no such clip, or several of the name.
        """
        return find_clip(self.clips, clip, "sheet")

    @property
    def still_frame(self) -> int:
        """The atlas frame shown while nothing plays: the first of the first clip, 0 without clips."""
        return self.clips[0].frames[0] if self.clips else 0
