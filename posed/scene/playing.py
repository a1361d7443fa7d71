"""What an object plays: `[object.animation]` against the clips of its mesh or the frames of its atlas."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import anim
from anim.rational import snapped
from posed.errors import PosedError
from posed.gltf.image import Image
from posed.gltf.model import Model
from posed.scene.description import Animation
from posed.scene.toml import Document, Keys

if TYPE_CHECKING:
    from posed.scene.schema import AnimationTable

DEFAULT_FPS = Fraction(12)
"""Frames a second of a sprite that names none: drawn animation "on twos"."""


def read_animation(
    document: Document,
    keys: Keys,
    table: AnimationTable,
    mesh: str,
    model: Model,
    image: Image | None,
    rate: Fraction,
) -> tuple[Animation, list[str]]:
    """Return a checked table as an `Animation`, and notes on marks that never come.

    `keys` is the table's place, `mesh` the name of the object's mesh, `image` a sprite's atlas, `rate` the
    ticks a second, on which a mark and a clip's end may meet though their floats do not.

    Raises
    ------
    SceneError
        A clip, frame or rectangle that the assets do not have.
    """
    if image is not None:
        return _sprite(document, keys, table, image)
    if not model.clips:
        raise document.error(keys, f'mesh "{mesh}" has no clips to play')

    def clip(key: str | int, place: Keys) -> int:
        try:
            return model.clip(key)
        except PosedError:
            names = [one.name for one in model.clips]
            where = [str(index) for index, name in enumerate(names) if name == key]
            if where:
                message = f'mesh "{mesh}" has several clips "{key}", at {" and ".join(where)}: give the index'
            else:
                message = f'mesh "{mesh}" has no clip {_quoted(key)} (it has {", ".join(names)})'
            raise document.error(place, message) from None

    if table.clip is not None:
        clip(table.clip, (*keys, "clip"))
    for index, item in enumerate(table.blend or ()):
        clip(item.clip, (*keys, "blend", index, "clip"))
    marks: dict[int, list[anim.ClipEvent]] = {}
    notes = []
    for index, event in enumerate(table.events):
        place = (*keys, "events", index)
        if event.frame is not None or event.time is None:
            raise document.error(place, "a mark on a mesh's clip takes a time in seconds, a sprite's takes a frame")
        number = clip(event.clip, (*place, "clip"))
        if snapped(float(event.time), rate) > snapped(model.clips[number].duration, rate):
            notes.append(
                f'{document.path}:{document.line(place)}: the mark "{event.name}" at {float(event.time):g} s never '
                f'comes: clip "{model.clips[number].name}" ends at {model.clips[number].duration:g} s'
            )
            continue
        marks.setdefault(number, []).append(anim.ClipEvent(event.name, float(event.time)))
    rig = model.node_rig()
    if marks:
        clips = [one.with_events(marks.get(index, ())) for index, one in enumerate(model.clips)]
        rig = anim.Rig(rig.skeleton, clips)
    animation = Animation(
        clip=table.clip,
        blend=tuple((item.clip, item.weight) for item in table.blend or ()),
        speed=table.speed,
        playback=table.playback,
        start=table.start,
        root_motion=table.root_motion,
        events=tuple((event.name, str(event.clip), event.time) for event in table.events if event.time is not None),
        rig=rig,
    )
    return animation, notes


def _quoted(key: str | int) -> str:
    return f'"{key}"' if isinstance(key, str) else f"{key}"


def _sprite(document: Document, keys: Keys, table: AnimationTable, image: Image) -> tuple[Animation, list[str]]:
    width, height = image.size
    if table.grid is not None:
        columns, rows = table.grid
        if width % columns or height % rows:
            message = f"{columns} x {rows} does not divide the atlas {image.name}, {width} x {height}"
            raise document.error((*keys, "grid"), message)
        atlas = anim.Atlas.grid((width, height), (width // columns, height // rows), columns * rows)
    else:
        rects = [tuple(map(int, rect)) for rect in table.rects or ()]
        for index, (x, y, w, h) in enumerate(rects):
            if not (w > 0 and h > 0 and x + w <= width and y + h <= height):
                message = f"{[x, y, w, h]} lies outside the atlas {image.name}, {width} x {height}"
                raise document.error((*keys, "rects", index), message)
        if not rects:
            raise document.error((*keys, "rects"), "an atlas has at least one frame")
        atlas = anim.Atlas.rects((width, height), rects)
    count = len(atlas.frames)
    for name, clip in table.clips.items():
        for key, frame in (("from", clip.from_), ("to", clip.to)):
            if frame >= count:
                message = f"there is no frame {frame}: the atlas has {count}, counted from 0"
                raise document.error((*keys, "clips", name, key), message)
    marks = _sprite_marks(document, keys, table)
    clips = [
        anim.SpriteClip.span(name, clip.from_, clip.to, clip.fps or table.fps or DEFAULT_FPS, marks[name])
        for name, clip in table.clips.items()
    ]
    if table.clip is not None:
        _sprite_clip(document, (*keys, "clip"), table, table.clip)
    animation = Animation(
        clip=table.clip,
        speed=table.speed,
        playback=table.playback,
        start=table.start,
        sprite=anim.SpriteSheet(atlas, tuple(clips)),
        image=image,
    )
    return animation, []


def _sprite_clip(document: Document, place: Keys, table: AnimationTable, key: str | int) -> str:
    names = list(table.clips)
    if isinstance(key, int) and key < len(names):
        return names[key]
    if key not in names:
        raise document.error(place, f"the sprite has no clip {_quoted(key)} (it has {', '.join(names)})")
    return str(key)


def _sprite_marks(document: Document, keys: Keys, table: AnimationTable) -> dict[str, list[anim.FrameEvent]]:
    """Return the marks of each clip, on its frames counted from its first."""
    marks: dict[str, list[anim.FrameEvent]] = {name: [] for name in table.clips}
    for index, event in enumerate(table.events):
        place = (*keys, "events", index)
        if event.frame is None or event.time is not None:
            raise document.error(place, "a mark on a sprite's clip takes a frame, a mesh's takes a time in seconds")
        name = _sprite_clip(document, (*place, "clip"), table, event.clip)
        length = abs(table.clips[name].to - table.clips[name].from_) + 1
        if event.frame >= length:
            message = f'clip "{name}" has {length} frames, counted from 0: there is no frame {event.frame}'
            raise document.error((*place, "frame"), message)
        marks[name].append(anim.FrameEvent(event.name, event.frame))
    return marks
