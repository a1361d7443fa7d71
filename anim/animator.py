"""`Animator`: plays the clips of a rig by integer tick - mixes that crossfade, layers that blend, events on the way."""

from collections.abc import Iterable, Sequence
from copy import copy
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anim.clip import Clip, Path
from anim.compiled import Compiled
from anim.errors import AnimError
from anim.layer import Layer, check_shares, checked_mask, checked_weight
from anim.marks import PlayedEvent
from anim.moment import sample
from anim.pose import Pose
from anim.rational import Number, exact, exact_rate, snapped, whole_ticks
from anim.rig import Rig
from anim.root_motion import STANDING, RootMotion, RootTrack
from anim.rows import MAX_LAYERS, Kind, Playback
from anim.skeleton import Space
from anim.stack import PlayedMix, Stack, Told

ClipName = str | int | Clip
Tick = int | float | Fraction | Decimal


class Animator:
    """The state of one rig that plays.

    Every command takes the tick at which it takes effect, which is not before the last tick given. The pose is a
    function of what was commanded and of the tick, the same bits in one step or many.

    Parameters
    ----------
    rig
        What may play.
    rate
        Ticks per second; a float stands for its shortest decimal.

    Notes
    -----
    Options common to `play`, `crossfade`, `blend`, `additive`: `speed` (clip seconds a second, may be negative or 0),
    `start` (seconds into the clip), `playback` (`"loop"`, `"once"` or `"ping_pong"`), `mask` (a weight in [0, 1] for
    every bone). Clips are given by name, index or themselves.
    """

    def __init__(self, rig: Rig, *, rate: Number) -> None:
        self.rig = rig
        self.rate = exact_rate(rate)
        self._stack = Stack(rig, self.rate)
        self._last: int | None = None
        self._root: RootTrack | None = None
        self._walked: int | None = None
        self._motion = STANDING
        self._pending: list[Told] = []

    def play(
        self,
        clip: ClipName,
        tick: int,
        *,
        speed: Number = 1,
        start: Number = 0,
        playback: Playback | str = Playback.LOOP,
        mask: Sequence[float] | NDArray[np.float64] | None = None,
    ) -> None:
        """Start a clip over, alone.

        `speed` is a factor, `start` a time in seconds of the clip. `mask` is (B,), for each bone of the skeleton a
        weight in [0, 1] by which the clip counts there; None counts as ones.

        Raises
        ------
        AnimError
            Here and below: for a clip the rig has not, a tick before the last one, a number out of its range.
        """
        self.crossfade(clip, 0, tick, speed=speed, start=start, playback=playback, mask=mask)

    def crossfade(
        self,
        clip: ClipName,
        seconds: Number,
        tick: int,
        *,
        speed: Number = 1,
        start: Number = 0,
        playback: Playback | str = Playback.LOOP,
        mask: Sequence[float] | NDArray[np.float64] | None = None,
    ) -> None:
        """Start a clip that fades in linearly over what plays, which keeps playing below it until then.

        `seconds` is rounded to whole ticks; 0 is `play`, whose options and errors it has. At most `MAX_MIXES` play at
        once: the oldest leaves.
        """
        layer = self._layer(clip, tick, Kind.SHARE, 1.0, speed, start, playback, mask)
        self._begin([layer], seconds, tick)

    def play_blend(
        self,
        clips: Iterable[tuple[ClipName, float]],
        tick: int,
        *,
        seconds: Number = 0,
        speed: Number = 1,
        start: Number = 0,
        playback: Playback | str = Playback.LOOP,
    ) -> None:
        """Start several clips over by shares: each weight over the sum of all, which must not be 0.

        A property is the weighted sum over the clips that move it; the share of the others goes to its rest value. With
        `seconds` the whole fades in as in `crossfade`. The options and errors are those of `play`.
        """
        layers = [self._layer(clip, tick, Kind.SHARE, weight, speed, start, playback, None) for clip, weight in clips]
        check_shares(layers)
        self._begin(layers, seconds, tick)

    def blend(
        self,
        clip: ClipName,
        weight: float,
        tick: int,
        *,
        speed: Number = 1,
        start: Number = 0,
        playback: Playback | str = Playback.LOOP,
        mask: Sequence[float] | NDArray[np.float64] | None = None,
    ) -> None:
        """Add a clip to the newest mix, over what its layers give so far, by a weight in [0, 1].

        It acts only on what it moves; where nothing has moved that yet, over the rest value. The options and errors are
        those of `play`.
        """
        self._add(self._layer(clip, tick, Kind.OVER, weight, speed, start, playback, mask), tick)

    def additive(
        self,
        clip: ClipName,
        weight: float,
        tick: int,
        *,
        reference: ClipName | tuple[ClipName, float] | None = None,
        space: str = "parent",
        speed: Number = 1,
        start: Number = 0,
        playback: Playback | str = Playback.LOOP,
        mask: Sequence[float] | NDArray[np.float64] | None = None,
    ) -> None:
        """Add a clip's difference from a reference to the newest mix, by a weight of 0 or more; see `play`.

        Parameters
        ----------
        reference
            A clip at its time 0, or a pair of a clip and seconds; the clip itself at 0 unless given.
        space
            `"parent"`: rotations act in the parent's space, before what is there; `"local"`: in the bone's own.

        Raises
        ------
        AnimError
            Also where the reference has a scale of 0, named by its bone.
        """
        if space not in ("parent", "local"):
            raise AnimError(f"space is {space!r}; expected 'parent' or 'local'")
        kind = Kind.ADDITIVE if space == "parent" else Kind.ADDITIVE_LOCAL
        layer = self._layer(clip, tick, kind, weight, speed, start, playback, mask)
        named, seconds = reference if isinstance(reference, tuple) else (clip if reference is None else reference, 0.0)
        layer.reference = (self.rig.clip_index(named), float(exact(seconds, "reference time")))
        _check_reference(self.rig, layer)
        self._add(layer, tick)

    def set_speed(self, speed: Number, tick: int, *, clip: ClipName | None = None) -> None:
        """Change the speed, a factor, of the newest mix's layers, or of those of one clip; the pose does not jump.

        Raises
        ------
        AnimError
            For a tick before the last one, a clip that does not play, or a number that is not finite.
        """
        step = exact(speed, "speed") / self.rate
        for layer in self._closed_layers(tick, clip):
            layer.rebase(tick)
            layer.step = step
        self._stack.refresh()

    def set_start(self, start: Number, tick: int, *, clip: ClipName | None = None) -> None:
        """Put the newest mix's layers, or those of one clip, at a time in seconds, from which they play on.

        Raises
        ------
        AnimError
            As `set_speed`.
        """
        offset = exact(start, "start")
        for layer in self._closed_layers(tick, clip):
            layer.offset, layer.start, layer.heard = offset, max(tick, layer.start), None
        self._stack.refresh()

    def set_playback(self, playback: Playback | str, tick: int, *, clip: ClipName | None = None) -> None:
        """Change what the newest mix's layers, or those of one clip, do at their ends; the pose does not jump.

        Raises
        ------
        AnimError
            As `set_speed`, and for a playback that is none.
        """
        parsed = Playback.parse(playback)
        for layer in self._closed_layers(tick, clip):
            layer.rebase(tick)
            layer.offset = layer.position
            layer.playback = parsed
        self._stack.refresh()

    def set_weight(self, clip: ClipName, weight: float, tick: int) -> None:
        """Change the weight of a clip's layers in the newest mix.

        Raises
        ------
        AnimError
            As `set_speed`, and for a weight out of its layer's range, or shares whose sum would be 0; then nothing has
            changed.
        """
        layers = self._closed_layers(tick, clip)
        before = [layer.weight for layer in layers]
        try:
            for layer in layers:
                layer.weight = checked_weight(weight, layer.kind)
            check_shares([layer for layer in self._stack.newest if layer.kind is Kind.SHARE])
        except AnimError:
            for layer, old in zip(layers, before, strict=True):
                layer.weight = old
            raise
        self._stack.refresh()

    def stop(self, tick: int) -> None:
        """Play nothing: the rest pose."""
        self._close(tick)
        self._stack.clear()

    def advance(self, tick: int) -> list[PlayedEvent]:
        """Move on to a tick and return every event passed since the last call, in tick order, then by mix, layer, time.

        Skipped ticks deliver every crossing, at most `MAX_REPEATS` of a mark.

        Raises
        ------
        AnimError
            For a tick before the last one.
        """
        self._check_tick(tick)
        self._last = tick
        if tick >= self._stack.next_tick or self._root is not None:
            self._collect(tick, command=False)
            self._stack.leave(tick)
        if not self._pending:
            return []
        events = [told.event for told in sorted(self._pending)]
        self._pending = []
        return events

    def pose(self, tick: Tick, *, out: Pose | None = None) -> Pose:
        """Return the pose at a tick, which may be a fraction, into `out` where given.

        It is that of the present commands: before its start a layer shows its first moment.
        """
        if out is None:
            out = Pose(self.rig.skeleton)
        self._stack.compiled.write(tick, out)
        if self._root is not None:
            self._root.take_out(out)
        return out

    def palette(
        self, tick: Tick, *, space: Space = "scene", out: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """Return the joints' matrices (J, 4, 4) float32 at a tick, as `Pose.palette` does."""
        pose, matrices = self._scratch
        return self.pose(tick, out=pose).palette(space=space, out=out, scratch=matrices)

    def playing(self, tick: Tick) -> tuple[PlayedMix, ...]:
        """Return the mixes that make the pose at a tick, oldest first: their weights, layers, clips and clip times."""
        return self._stack.playing(exact(tick, "tick"))

    @property
    def compiled(self) -> Compiled:
        """The rows of what plays; another object after every command."""
        return self._stack.compiled

    @property
    def has_root_motion(self) -> bool:
        """Whether a bone's way over the ground is taken out of the pose."""
        return self._root is not None

    def enable_root_motion(self, bone: int | None, tick: int, *, yaw: bool = False) -> None:
        """From a tick on, take a bone's horizontal translation, and on request its yaw, out of the pose; None ends it.

        The bone stays over its rest place; `take_root_motion` hands over the way it would have gone.

        Raises
        ------
        AnimError
            For a bone that the skeleton has not, or a tick before the last one.
        """
        if bone is not None and not 0 <= bone < self.rig.skeleton.bone_count:
            raise AnimError(f"bone is {bone}; the skeleton has {self.rig.skeleton.bone_count}, counted from 0")
        self._close(tick)
        self._root = None if bone is None else RootTrack(self.rig, bone, yaw=yaw)
        self._walked = tick

    def take_root_motion(self) -> RootMotion:
        """Return the step since the last call, up to the last tick advanced to, and forget it.

        Steps run over a loop's end, and back in ping-pong and at negative speeds; those of a blend are weighted.
        """
        motion, self._motion = self._motion, STANDING
        return motion

    @cached_property
    def _scratch(self) -> tuple[Pose, NDArray[np.float64]]:
        return Pose(self.rig.skeleton), np.empty((self.rig.skeleton.bone_count, 4, 4))

    def _layer(
        self,
        clip: ClipName,
        tick: int,
        kind: Kind,
        weight: float,
        speed: Number,
        start: Number,
        playback: Playback | str,
        mask: Sequence[float] | NDArray[np.float64] | None,
    ) -> Layer:
        self._check_tick(tick)
        index = self.rig.clip_index(clip)
        return Layer(
            clip=index,
            kind=kind,
            weight=checked_weight(weight, kind),
            playback=Playback.parse(playback),
            offset=exact(start, "start"),
            step=exact(speed, "speed") / self.rate,
            start=tick,
            period=snapped(self.rig.clips[index].duration, self.rate),
            mask=None if mask is None else checked_mask(mask, self.rig.skeleton.bone_count),
        )

    def _begin(self, layers: list[Layer], seconds: Number, tick: int) -> None:
        """Close the running interval and put a new mix on top."""
        ticks = whole_ticks(seconds, self.rate)
        if len(layers) > MAX_LAYERS:
            raise AnimError(f"{len(layers)} clips for one mix, which holds {MAX_LAYERS}")
        self._close(tick)
        self._stack.begin(layers, tick, ticks)

    def _add(self, layer: Layer, tick: int) -> None:
        """Close the running interval and put a layer on the newest mix."""
        self._close(tick)
        self._stack.add(layer)

    def _closed_layers(self, tick: int, clip: ClipName | None) -> list[Layer]:
        """Close the running interval and return the newest mix's layers, or those of one clip."""
        self._check_tick(tick)
        index = None if clip is None else self.rig.clip_index(clip)
        found = [layer for layer in self._stack.newest if index is None or layer.clip == index]
        if not found:
            raise AnimError(
                "nothing plays whose settings could change"
                if index is None
                else f"clip {self.rig.clips[index].name!r} is not in the newest mix"
            )
        self._close(tick)
        return found

    def _check_tick(self, tick: int) -> None:
        if isinstance(tick, bool) or not isinstance(tick, int | np.integer):
            raise AnimError(f"tick is {tick!r}; expected an integer")
        if self._last is not None and tick < self._last:
            raise AnimError(f"tick {tick} comes after tick {self._last}; an animator does not go back")

    def _close(self, tick: int) -> None:
        """Collect the events up to a command's tick, which are those of the settings before it."""
        self._check_tick(tick)
        self._collect(tick, command=True)
        self._last = tick

    def _collect(self, tick: int, *, command: bool) -> None:
        """Take in the events, and the root's steps, up to a tick."""
        self._pending += self._stack.collect(tick, command=command)
        if self._root is not None:
            for walked in range(tick if self._walked is None else self._walked, tick):
                self._motion = self._motion.then(self._stack.step(self._root, walked))
            self._walked = tick

    def __copy__(self) -> "Animator":
        """Return an animator of its own in the same state; the rig and the compiled rows are shared."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.__dict__.pop("_scratch", None)
        twin._stack, twin._pending = copy(self._stack), list(self._pending)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_scratch"}


def _check_reference(rig: Rig, layer: Layer) -> None:
    """Refuse an additive layer whose reference has a scale to divide by of 0."""
    assert layer.reference is not None
    index, seconds = layer.reference
    pose = sample(rig, index, seconds)
    for bone in np.flatnonzero((pose.scales == 0.0).any(axis=1)).tolist():
        if rig.clip_tables.place_of[layer.clip, bone, Path.SCALE] >= 0:
            raise AnimError(
                f"the reference {rig.clips[index].name!r} at {seconds} s has a scale of 0 at bone {bone} "
                f"({rig.skeleton.names[bone]!r}), from which no additive scale can be told"
            )
