"""The builder that `World.animate` returns: a command said clip by clip, carried out as one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import anim
from anim.rational import Number, exact, whole_ticks
from posed.arrays import Float64
from posed.errors import PosedError, PoseError

if TYPE_CHECKING:
    from posed.actor import Actor
    from posed.world import World

ClipKey = str | int


@dataclass
class _Layer:
    """A clip laid over: `kind` is the animator's method that does it."""

    kind: Literal["blend", "additive"]
    clip: ClipKey
    weight: float
    options: dict[str, Any] = field(default_factory=dict)


class AnimationBuilder:
    """A play command that is being said: ``world.animate("walker", "Walk").blend("Run", 0.3).fade(0.2)``.

    Every method returns the builder. It takes effect as a whole at `done` or at the next call on its world. What it
    refuses it refuses as a whole: in a strict world at once, in another one it is recorded, and `done` raises it. A
    float stands for the rational of its shortest decimal.
    """

    def __init__(self, world: World, name: str, clips: Sequence[tuple[ClipKey, float]]) -> None:
        self._world, self._name, self._tick = world, name, world.ticks
        self._clips = list(clips)
        self._over: list[_Layer] = []
        self._mask: Float64 | None = None
        self._options: dict[str, Any] = {}
        self._fade: Number = 0
        self._error: PoseError | None = None
        self._said = False
        for clip, _ in clips:
            self._check(lambda clip=clip: self._actor().clip_index(clip))  # type: ignore[misc]
        if len(clips) > 1:
            self._check(self._share)

    def blend(self, clip: ClipKey, weight: float) -> AnimationBuilder:
        """Mix another clip over it by `weight` in [0, 1], on what that clip moves."""
        self._check(lambda: self._over.append(_Layer("blend", self._layered(clip, weight, 1.0), weight)))
        return self

    def additive(
        self,
        clip: ClipKey,
        weight: float,
        *,
        reference: ClipKey | tuple[ClipKey, float] | None = None,
        space: str = "parent",
    ) -> AnimationBuilder:
        """Add the difference between another clip and a reference by `weight`, 0 or more.

        `reference` is a clip at its time 0 or a pair of a clip and seconds, the clip itself at 0 unless given; `space`
        is "parent" or "local". See `anim.Animator.additive`.
        """
        options = {"reference": reference, "space": space}
        self._check(lambda: self._add(_Layer("additive", self._layered(clip, weight, math.inf), weight, options)))
        return self

    def mask(
        self,
        bones: Iterable[str | int] = (),
        *,
        subtrees: Iterable[str | int] = (),
        weight: float = 1.0,
        otherwise: float = 0.0,
    ) -> AnimationBuilder:
        """Let the clip said last count by `weight` on some bones and by `otherwise` on the others.

        `bones` are meant alone, `subtrees` with all bones under them; names or indices of the model's nodes.
        """
        self._check(lambda: self._masked(bones, subtrees, weight, otherwise))
        return self

    def fade(self, seconds: Number) -> AnimationBuilder:
        """Fade in over `seconds` while what played before keeps playing."""
        self._check(lambda: self._faded(seconds))
        return self

    def speed(self, speed: Number) -> AnimationBuilder:
        """Play at `speed`; 1 is the clip's own, negative plays backward."""
        self._check(lambda: self._options.update(speed=exact(speed, "speed")))
        return self

    def start(self, seconds: Number) -> AnimationBuilder:
        """Begin `seconds` into the clip."""
        self._check(lambda: self._options.update(start=exact(seconds, "start")))
        return self

    def playback(self, playback: str) -> AnimationBuilder:
        """Play as ``"loop"``, ``"once"`` or ``"ping_pong"``."""
        self._check(lambda: self._options.update(playback=anim.Playback.parse(playback)))
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
        """Carry the command out for its world, unless a word of it was refused: that was raised or recorded then."""
        if self._error is not None:
            return
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

    def _animator(self) -> anim.Animator:
        animator = self._actor().animator
        if animator is None:
            raise PoseError(f'object "{self._name}" has no bones to mask')
        return animator

    def _add(self, layer: _Layer) -> None:
        """Take an additive layer that an animator takes: its reference is tried on one that plays nothing."""
        probe = anim.Animator(self._animator().rig, rate=self._world.scene.rate)
        probe.additive(layer.clip, layer.weight, 0, **layer.options)
        self._over.append(layer)

    def _layered(self, clip: ClipKey, weight: float, most: float) -> ClipKey:
        """Return `clip` if it can be laid over what plays by `weight`."""
        self._mixable()
        self._actor().clip_index(clip)
        if not (0.0 <= weight <= most and math.isfinite(weight)):
            expected = "it lies in [0, 1]" if most == 1.0 else "it is finite, 0 or more"
            raise PoseError(f'object "{self._name}": the weight of "{clip}" is {weight}: {expected}')
        return clip

    def _share(self) -> None:
        """Refuse shares that an animator refuses, tried on one that plays nothing."""
        self._mixable()
        anim.Animator(self._animator().rig, rate=self._world.scene.rate).play_blend(self._clips, 0)

    def _faded(self, seconds: Number) -> None:
        if whole_ticks(seconds, self._world.scene.rate) > 0:
            self._mixable()
        self._fade = seconds

    def _mixable(self) -> None:
        """Refuse a sprite, whose frames cannot be mixed."""
        if self._actor().sprite is not None:
            raise PoseError(f'object "{self._name}" is a sprite: it neither blends nor fades')

    def _masked(
        self, bones: Iterable[str | int], subtrees: Iterable[str | int], weight: float, otherwise: float
    ) -> None:
        animator = self._animator()
        if len(self._clips) > 1 and not self._over:
            raise PoseError(f'object "{self._name}": clips played by shares take no mask: lay one over the other')
        mask = anim.bone_mask(animator.rig.skeleton, bones=bones, subtrees=subtrees, weight=weight, otherwise=otherwise)
        if self._over:
            self._over[-1].options["mask"] = mask
        else:
            self._mask = mask

    def _play(self) -> None:
        actor = self._actor()
        animation = actor.one.animation
        defaults = {} if animation is None else {"speed": animation.speed, "playback": animation.playback}
        options: dict[str, Any] = defaults | self._options
        clip = self._clips[0][0]
        if actor.sprite is not None:
            actor.sprite.play(clip, self._tick, **options)
            return
        assert actor.animator is not None, "clip_index refuses an object without clips"
        if len(self._clips) > 1:
            actor.animator.play_blend(self._clips, self._tick, seconds=self._fade, **options)
        else:
            actor.animator.crossfade(clip, self._fade, self._tick, mask=self._mask, **options)
        for layer in self._over:
            lay = getattr(actor.animator, layer.kind)
            lay(layer.clip, layer.weight, self._tick, **options, **layer.options)
