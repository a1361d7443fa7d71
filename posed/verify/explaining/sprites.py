"""The sprite of a story: which step of which clip, and the texel of the atlas that a pixel shows."""

from __future__ import annotations

import math

from posed.errors import PoseError
from posed.scene.description import Part
from posed.snapshot import Posed
from posed.sources import sprite_of
from posed.verify.explaining.explanation import Sprite, Surface


def sprite_of_pixel(posed: Posed, part: Part, surface: Surface, notes: list[str]) -> Sprite | None:
    """Return what of its atlas a sprite's pixel shows, None for what shows no atlas; doubts are added to `notes`."""
    animation, name = part.object.animation, part.object.name
    if animation is None or animation.sprite is None or animation.image is None or not part.material.content:
        return None
    frame, played = posed.sprites[name], None
    try:
        played = sprite_of(posed.sources.get(name))
    except PoseError as error:
        notes.append(f'sources: object "{name}": {error}')
    if played is not None and played.frame != frame:
        notes.append(f"the snapshot shows frame {frame} and its sources say frame {played.frame}")
    left, top, width, height = animation.sprite.atlas.frames[frame]
    column = left + min(max(math.floor(surface.uv[0] * width), 0), width - 1)
    row = top + min(max(math.floor(surface.uv[1] * height), 0), height - 1)
    red, green, blue, alpha = animation.image.texels[row, column].tolist()
    return Sprite(
        clip=None if played is None else played.clip,
        step=None if played is None else played.step,
        playback=None if played is None else played.playback.name.lower(),
        frame=frame,
        rectangle=(left, top, width, height),
        texel=(column, row),
        color=(red, green, blue, alpha),
    )
