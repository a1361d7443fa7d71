"""An actor: one object of a world with its animator or sprite player."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import anim
from posed.errors import PoseError
from posed.model_pose import ModelPose, model_pose, rest_pose
from posed.scene.description import Object


class Actor:
    """What of one object moves by tick: its rig under an animator, or its atlas under a sprite player.

    `animator` is None for an object whose model has no clips, `sprite` for one that is no sprite.
    """

    def __init__(self, one: Object, rate: Fraction) -> None:
        self.one = one
        self.animator: anim.Animator | None = None
        self.sprite: anim.SpritePlayer | None = None
        animation = one.animation
        if animation is not None and animation.sprite is not None:
            self.sprite = anim.SpritePlayer(animation.sprite, rate=rate)
        elif one.model.clips:
            rig = animation.rig if animation is not None and animation.rig is not None else one.model.node_rig()
            self.animator = anim.Animator(rig, rate=rate)

    def begin(self) -> None:
        """Play what the scene file says, from tick 0."""
        animation = self.one.animation
        if animation is None:
            return
        options: dict[str, Any] = {
            "speed": animation.speed,
            "start": animation.start,
            "playback": animation.playback,
        }
        if self.sprite is not None:
            if animation.clip is not None:
                self.sprite.play(animation.clip, 0, **options)
        elif self.animator is not None and animation.blend:
            self.animator.play_blend(list(animation.blend), 0, **options)
        elif self.animator is not None and animation.clip is not None:
            self.animator.play(animation.clip, 0, **options)

    def advance(self, tick: int) -> list[tuple[int, str, str]]:
        """Move to `tick`; return the events passed as (tick, clip, name)."""
        player = self.animator or self.sprite
        if player is None:
            return []
        return [(event.tick, event.clip, event.event) for event in player.advance(tick)]

    def clip_index(self, clip: str | int) -> int:
        """Return the index of a clip given by name or index.

        Raises
        ------
        PoseError
            Nothing can play here.
        AnimError
            There is no such clip, or several have the name.
        """
        if self.sprite is not None:
            return self.sprite.sheet.clip_index(clip)
        if self.animator is None:
            raise PoseError(f'object "{self.one.name}" has no clips to play')
        return self.animator.rig.clip_index(clip)

    def frozen(self) -> Actor:
        """Return a copy whose state stays as it is now."""
        twin = copy.copy(self)
        twin.animator, twin.sprite = copy.copy(self.animator), copy.copy(self.sprite)
        return twin

    def pose(self, tick: int, alpha: float) -> ModelPose:
        """Return the model's pose at `tick` + `alpha`."""
        if self.animator is None:
            return rest_pose(self.one.model)
        return model_pose(self.one.model, self.animator.pose(tick + Fraction(alpha) if alpha else tick))

    def frame(self, tick: int) -> int | None:
        """Return the frame that a sprite shows at `tick`, None for what is no sprite."""
        return None if self.sprite is None else self.sprite.frame(tick)
