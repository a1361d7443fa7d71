"""The builder that `World.animate` returns: a command said clip by clip, carried out as one."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import anim
from posed.errors import PosedError, PoseError

if TYPE_CHECKING:
    from posed.world import World

Number = int | float | Fraction


class AnimationBuilder:
    """A play command that is being said: ``world.animate("walker", "Walk").blend("Run", 0.3).fade(0.2)``.

    Every method returns the builder. A float stands for the rational of its shortest decimal.
    """

    def __init__(self, world: World, name: str, clips: list[tuple[str | int, float]]) -> None:
        self._world, self._name, self._clips = world, name, clips
        self._over: list[tuple[str | int, float]] = []
        self._options: dict[str, Any] = {}
        self._fade: Number = 0
        self._tick = world.ticks
        self._over_with = False

    def blend(self, clip: str | int, weight: float) -> AnimationBuilder:
        """Mix another clip over it by `weight` in [0, 1], on what that clip moves."""
        self._over.append((clip, weight))
        return self

    def fade(self, seconds: Number) -> AnimationBuilder:
        """Fade in over `seconds` while what played before keeps playing."""
        self._fade = seconds
        return self

    def speed(self, speed: Number) -> AnimationBuilder:
        """Play at `speed`; 1 is the clip's own, negative plays backward."""
        self._options["speed"] = speed
        return self

    def start(self, seconds: Number) -> AnimationBuilder:
        """Begin `seconds` into the clip."""
        self._options["start"] = seconds
        return self

    def playback(self, playback: str) -> AnimationBuilder:
        """Play as ``"loop"``, ``"once"`` or ``"ping_pong"``."""
        self._options["playback"] = playback
        return self

    def once(self) -> AnimationBuilder:
        """Hold the last pose at the end."""
        return self.playback("once")

    def looped(self) -> AnimationBuilder:
        """Begin again at the end."""
        return self.playback("loop")

    def ping_pong(self) -> AnimationBuilder:
        """Play to the end and back."""
        return self.playback("ping_pong")

    def done(self) -> None:
        """Carry the command out; later calls do nothing.

        Raises
        ------
        PoseError
            The object, a clip or a value is refused.
        """
        if self._over_with:
            return
        self._over_with = True
        try:
            self._play()
        except (anim.AnimError, PosedError) as error:
            self._world.refuse(self._name, error)

    def _play(self) -> None:
        actor = self._world.actor(self._name)
        animation = actor.one.animation
        defaults: dict[str, Any] = (
            {} if animation is None else {"speed": animation.speed, "playback": animation.playback}
        )
        options = defaults | self._options
        if actor.sprite is not None:
            if self._over or self._fade or len(self._clips) > 1:
                raise PoseError(f'object "{self._name}" is a sprite: it neither blends nor fades')
            actor.sprite.play(self._clips[0][0], self._tick, **options)
            return
        if actor.animator is None:
            raise PoseError(f'object "{self._name}" has no clips to play')
        if len(self._clips) > 1:
            actor.animator.play_blend(self._clips, self._tick, seconds=self._fade, **options)
        else:
            actor.animator.crossfade(self._clips[0][0], self._fade, self._tick, **options)
        for clip, weight in self._over:
            actor.animator.blend(clip, weight, self._tick, **options)
