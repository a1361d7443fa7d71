"""Sprites: a frame off by one, or the rows of the atlas counted from its bottom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import anim
from posed.errors import PoseError
from posed.scene.description import Object, Scene
from posed.sources import sprite_of
from posed.verify.diagnosing.case import Case
from posed.verify.diagnosing.changes import with_values
from posed.verify.diagnosing.hypothesis import Family, Hypothesis

FRAME, ROWS = "sprite frame off by one", "atlas rows from the bottom"

FRAME_CURE = "the step of the clip: the whole steps since its start, and whether frames count from 0"
ROWS_CURE = "the atlas's coordinates: v runs down from the top of the image"


def propose_frames(case: Case) -> Iterator[Hypothesis]:
    """Yield the frames before and after, in the clip that plays and in the atlas."""
    for one in _sprites(case):
        assert one.animation is not None
        assert one.animation.sprite is not None
        own, count = case.truth.sprites[one.name], len(one.animation.sprite.atlas.frames)
        for frame in dict.fromkeys([*_steps(case, one), own - 1, own + 1]):
            if frame != own and 0 <= frame < count:
                yield Hypothesis(
                    family=FRAME,
                    claim=f'sprite "{one.name}" shows frame {frame}, not {own}',
                    cure=FRAME_CURE,
                    posed=with_values(case.truth, sprites={one.name: frame}),
                    objects=(one.name,),
                    values={"frame": frame, "expected": own},
                    shades=True,
                )


def propose_rows(case: Case) -> Iterator[Hypothesis]:
    """Yield that frames are cut out from the atlas counting rows upward."""
    for one in _sprites(case):
        scene = _turned(case.scene, one)
        if scene is not None:
            yield Hypothesis(
                family=ROWS,
                claim=f'sprite "{one.name}": the rows of its atlas are counted from the bottom',
                cure=ROWS_CURE,
                posed=case.truth,
                scene=scene,
                objects=(one.name,),
                shades=True,
            )


def _sprites(case: Case) -> Iterator[Object]:
    for one in map(case.scene.object, case.suspects):
        if one.animation is not None and one.animation.sprite is not None:
            yield one


def _steps(case: Case, one: Object) -> Iterator[int]:
    """Yield the frames before and after in the clip that plays, where the snapshot says which."""
    assert one.animation is not None
    assert one.animation.sprite is not None
    try:
        played = sprite_of(case.truth.sources.get(one.name))
        if played is not None:
            frames = one.animation.sprite.clips[played.index].frames
            yield from (frames[(played.step + way) % len(frames)] for way in (-1, 1))
    except (PoseError, IndexError) as error:
        case.note(f'sources: object "{one.name}": {error}')


def _turned(scene: Scene, one: Object) -> Scene | None:
    """Return the scene with a sprite's atlas cut from the bottom; None where that is the same."""
    assert one.animation is not None
    assert one.animation.sprite is not None
    sheet = one.animation.sprite
    height = sheet.atlas.size[1]
    rects = [(x, height - y - h, w, h) for x, y, w, h in sheet.atlas.frames]
    if tuple(rects) == sheet.atlas.frames:
        return None
    turned = anim.SpriteSheet(anim.Atlas.rects(sheet.atlas.size, rects), sheet.clips)
    other = replace(one, animation=replace(one.animation, sprite=turned))
    return replace(scene, objects=tuple(other if own is one else own for own in scene.objects))


FAMILIES = (Family(FRAME, propose_frames), Family(ROWS, propose_rows))
