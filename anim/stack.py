"""`Stack`: the mixes an animator plays, oldest first, with the rows and the marks ahead that follow from them."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from anim.compiled import Compiled
from anim.errors import AnimError
from anim.layer import Layer, Mix
from anim.marks import NEVER, Mark, PlayedEvent, Track
from anim.rational import snapped
from anim.rig import Rig
from anim.root_motion import STANDING, RootMotion, RootTrack
from anim.rows import MAX_LAYERS, MAX_MIXES, Kind, Playback


class Told(NamedTuple):
    """An event with its place among the others: they sort in the order they are delivered."""

    tick: int
    mix: int
    layer: int
    order: int
    event: PlayedEvent


@dataclass(frozen=True, slots=True)
class PlayedLayer:
    """A layer as it counts at a tick; `anim.mixed` poses what such layers make."""

    clip: str
    index: int
    """Of the clip in the rig."""
    kind: Kind
    weight: float
    """Of a share its part of the sum; a fade above does not count."""
    time: float
    """Seconds into the clip."""
    playback: Playback = Playback.LOOP
    unwrapped: float = 0.0
    """Seconds since the clip's start, passes over its end counted, below 0 on the way back from its start."""
    speed: float = 1.0
    """Clip seconds a second."""
    mask: tuple[float, ...] | None = None
    """What multiplies the weight on each bone, None where nothing does."""
    reference: tuple[int, float] | None = None
    """Of an additive layer: the clip's index and the seconds that its difference is taken from."""


@dataclass(frozen=True, slots=True)
class PlayedMix:
    """A mix as it counts at a tick: mixed over those before it by its weight, the first by 1."""

    weight: float
    layers: tuple[PlayedLayer, ...]


class Stack:
    """Mixes, each faded in over those below it.

    Attributes
    ----------
    compiled : Compiled
        The rows of the present mixes; replaced, never edited, when these change.
    next_tick : int
        The tick at which a mark is passed or a mix leaves; before it there is nothing to collect.
    """

    def __init__(self, rig: Rig, rate: Fraction) -> None:
        self._rig = rig
        self._rate = rate
        self._mixes: list[Mix] = []
        self._serial = 0
        self.refresh()

    @property
    def newest(self) -> list[Layer]:
        """The layers of the newest mix, none where nothing plays."""
        return self._mixes[-1].layers if self._mixes else []

    def __len__(self) -> int:
        return len(self._mixes)

    def begin(self, layers: list[Layer], tick: int, fade_ticks: int) -> None:
        """Put a new mix on top that fades in from a tick on; without a fade, or room below, the others leave."""
        self._mixes = [mix for mix, end in zip(self._mixes, self._ends(), strict=True) if end > tick]
        if fade_ticks == 0:
            self._mixes = []
        elif not self._mixes:
            self._put(Mix(self._serial))  # nothing plays: fade in over the rest pose
        self._mixes = self._mixes[-(MAX_MIXES - 1) :]
        self._put(Mix(self._serial, layers, tick, fade_ticks))
        self.refresh()

    def add(self, layer: Layer) -> None:
        """Put a layer on the newest mix, or on the rest pose where nothing plays.

        Raises
        ------
        AnimError
            Where the mix is full.
        """
        if len(self.newest) == MAX_LAYERS:
            raise AnimError(f"the newest mix has {MAX_LAYERS} layers, as many as it holds")
        if not self._mixes:
            self._put(Mix(self._serial))
        self.newest.append(layer)
        self.refresh()

    def clear(self) -> None:
        """Play nothing."""
        self._mixes = []
        self.refresh()

    def leave(self, tick: int) -> None:
        """Let go of the mixes that showed neither at a tick nor at the one before, which may still be asked for."""
        kept = [mix for mix, end in zip(self._mixes, self._ends(), strict=True) if end >= tick]
        if len(kept) < len(self._mixes):
            self._mixes = kept
            self.refresh()
        else:
            self._look_ahead()

    def refresh(self) -> None:
        """Write the rows and look for the marks ahead, after a change."""
        self.compiled = Compiled(self._rig, self._mixes)
        self._tracks = [[Track(layer, self._marks(layer.clip)) for layer in mix.layers] for mix in self._mixes]
        self._look_ahead()

    def collect(self, tick: int, *, command: bool) -> list[Told]:
        """Return the events passed up to a tick, in the layers' order.

        A layer that was commanded at the very tick of another command has shown no moment yet: its start is told when
        it has.
        """
        told: list[Told] = []
        for mix, tracks, end in zip(self._mixes, self._tracks, self._ends(), strict=True):
            until = min(tick, end)
            for index, (layer, track) in enumerate(zip(mix.layers, tracks, strict=True)):
                if until < layer.start or (command and layer.heard is None and until == layer.start):
                    continue
                clip = self._rig.clips[layer.clip].name
                for order, passed in enumerate(track.passes(until)):
                    event = PlayedEvent(passed.tick, clip, track.marks[passed.mark].name)
                    told.append(Told(passed.tick, mix.serial, index, order, event))
        return told

    def playing(self, tick: Fraction) -> tuple[PlayedMix, ...]:
        """Return what plays at a tick, oldest first."""
        self.compiled.set_times(tick)
        return tuple(
            PlayedMix(
                float(self.compiled.mixes[m]["fade"]) if m else 1.0,
                tuple(
                    self._played(layer, tick, float(row["weight"]), float(row["time"]))
                    for layer, row in zip(mix.layers, self.compiled.rows_of(m), strict=True)
                ),
            )
            for m, mix in enumerate(self._mixes)
        )

    def _played(self, layer: Layer, tick: Fraction, weight: float, time: float) -> PlayedLayer:
        return PlayedLayer(
            clip=self._rig.clips[layer.clip].name,
            index=layer.clip,
            kind=layer.kind,
            weight=weight,
            time=time,
            playback=layer.playback,
            unwrapped=float(layer.unwrapped(tick)),
            speed=float(layer.step * self._rate),
            mask=None if layer.mask is None else tuple(layer.mask.tolist()),
            reference=layer.reference,
        )

    def step(self, root: RootTrack, tick: int) -> RootMotion:
        """Return the root's step from a tick to the next, mixed as the pose is."""
        total = STANDING
        self.compiled.set_times(Fraction(tick + 1))
        for m, mix in enumerate(self._mixes):
            step = STANDING
            for layer, row in zip(mix.layers, self.compiled.rows_of(m), strict=True):
                if not root.moves(layer.clip):
                    continue
                before, after = layer.unwrapped(tick), layer.unwrapped(tick + 1)
                own = root.travel(layer.clip, root.pieces(layer.clip, before, after, layer.period, layer.playback))
                weight = float(row["weight"]) * (1.0 if layer.mask is None else float(layer.mask[root.bone]))
                step = step.toward(own, weight) if layer.kind is Kind.OVER else step.plus(own.scaled(weight))
            total = step if m == 0 else total.toward(step, float(self.compiled.mixes[m]["fade"]))
        return total

    def _put(self, mix: Mix) -> None:
        self._mixes = [*self._mixes, mix]
        self._serial += 1

    def _ends(self) -> list[int]:
        """Return for each mix the tick from which it no longer shows, as a mix above has faded in."""
        ends = [NEVER] * len(self._mixes)
        for index in range(len(ends) - 2, -1, -1):
            ends[index] = min(self._mixes[index + 1].fade_end, ends[index + 1])
        return ends

    def _look_ahead(self) -> None:
        ends = [end + 1 for end in self._ends() if end < NEVER]
        self.next_tick = min(*ends, *(track.next_tick for tracks in self._tracks for track in tracks), NEVER, NEVER)

    def _marks(self, clip: int) -> list[Mark]:
        """Return the events of a clip on its exact time line; those past the end never come."""
        made = self._rig.clips[clip]
        duration = snapped(made.duration, self._rate)
        marks = [Mark(snapped(event.time, self._rate), event.name) for event in made.events]
        return [mark for mark in marks if mark.time <= duration]

    def __copy__(self) -> "Stack":
        """Return a stack of its own in the same state; the rows are shared."""
        twin = object.__new__(Stack)
        twin.__dict__.update(self.__dict__)
        twin._mixes = [replace(mix, layers=[replace(layer) for layer in mix.layers]) for mix in self._mixes]
        twin._tracks = [
            [track.following(layer) for track, layer in zip(tracks, mix.layers, strict=True)]
            for tracks, mix in zip(self._tracks, twin._mixes, strict=True)
        ]
        return twin

    def __getstate__(self) -> dict[str, Any]:
        derived = ("compiled", "next_tick", "_tracks")
        return {name: value for name, value in self.__dict__.items() if name not in derived}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.refresh()
