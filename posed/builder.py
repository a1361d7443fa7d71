"""The builder that `World.animate` returns: a command said clip by clip, carried out as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import anim
from posed.errors import PosedError, PoseError

if TYPE_CHECKING:
    from posed.actor import Actor
    from posed.world import World

Number = int | float | Fraction
ClipKey = str | int


class AnimationBuilder:
    """A play command that is being said: ``world.animate("walker", "Walk").blend("Run", 0.3).fade(0.2)``.

    Every method returns the builder. It takes effect as a whole at `done` or at the next call on its world. What it
    refuses it refuses as a whole: in a strict world at once, in another one it is recorded, and `done` raises it. A
    float stands for the rational of its shortest decimal.
    """

    def __init__(self, world: World, name: str, clips: Sequence[tuple[ClipKey, float]]) -> None:
        self._world, self._name, self._tick = world, name, world.ticks
        self._clips = list(clips)
        self._over: list[tuple[ClipKey, float]] = []
        self._options: dict[str, Any] = {}
        self._fade: Number = 0
        self._error: PoseError | None = None
        self._said = False
        for clip, _ in clips:
            self._check(lambda clip=clip: self._actor().clip_index(clip))  # type: ignore[misc]

    def blend(self, clip: ClipKey, weight: float) -> AnimationBuilder:
        """Mix another clip over it by `weight` in [0, 1], on what that clip moves."""
        self._check(lambda: self._over.append((self._blended(clip, weight), weight)))
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
        """Carry the command out; a second call only raises again what was refused.

        Raises
        ------
        PoseError
            The object, a clip or a value is refused, whether the world is strict or not.
        """
        if not self._said:
            self._said = True
            if self._error is None:
                self._check(self._play)
        if self._error is not None:
            raise self._error

    def settle(self) -> None:
        """Carry the command out for its world, which has recorded what it refuses."""
        try:
            self.done()
        except PoseError:
            if self._world.strict:
                raise

    def _check(self, act: Callable[[], object]) -> None:
        """Act; keep the first refusal, and raise it at once in a strict world."""
        if self._error is not None:
            return
        try:
            act()
        except (anim.AnimError, PosedError) as error:
            text = str(error) if isinstance(error, PosedError) else f'object "{self._name}": {error}'
            self._error = PoseError(text)
            self._said = True
            self._world.refuse(self._name, self._error)

    def _actor(self) -> Actor:
        return self._world.actor(self._name)

    def _blended(self, clip: ClipKey, weight: float) -> ClipKey:
        """Return `clip` if it can be mixed over what plays by `weight`."""
        if self._actor().sprite is not None:
            raise PoseError(f'object "{self._name}" is a sprite: it neither blends nor fades')
        self._actor().clip_index(clip)
        if not 0.0 <= weight <= 1.0:
            raise PoseError(f'object "{self._name}": the weight of "{clip}" is {weight}: it lies in [0, 1]')
        return clip

    def _play(self) -> None:
        actor = self._actor()
        animation = actor.one.animation
        defaults = {} if animation is None else {"speed": animation.speed, "playback": animation.playback}
        options: dict[str, Any] = defaults | self._options
        if actor.sprite is not None:
            if self._fade or len(self._clips) > 1:
                raise PoseError(f'object "{self._name}" is a sprite: it neither blends nor fades')
            actor.sprite.play(self._clips[0][0], self._tick, **options)
            return
        assert actor.animator is not None, "clip_index refuses an object without clips"
        if len(self._clips) > 1:
            actor.animator.play_blend(self._clips, self._tick, seconds=self._fade, **options)
        else:
            actor.animator.crossfade(self._clips[0][0], self._fade, self._tick, **options)
        for clip, weight in self._over:
            actor.animator.blend(clip, weight, self._tick, **options)
