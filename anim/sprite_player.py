"""`SpritePlayer` steps through a sheet's clips by integer tick; `SpritePool` reads many players at once."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from anim.errors import AnimError
from anim.marks import MAX_REPEATS, PlayedEvent
from anim.rational import Number, exact, exact_rate
from anim.rows import WIDEST, Playback
from anim.sprite import SpriteClip, SpriteSheet

ROW = np.dtype(
    [
        ("start", np.int64),  # tick
        ("base", np.int64),  # k ticks after the start the step is (base + k pace) // denominator
        ("pace", np.int64),
        ("denominator", np.int64),  # 0: the integers are too wide for these fields
        ("cycle", np.int64),  # steps until the clip comes round
        ("once", np.bool_),
    ],
    align=True,
)


@dataclass(slots=True)
class _Run:
    """What a player plays: at tick n it is at step `floor(offset + (n - start) * pace)`."""

    clip: int
    playback: Playback
    offset: Fraction
    pace: Fraction
    """Steps a tick."""
    start: int
    """Tick."""
    heard: int | None = None
    """Step whose events were told last; None before the first."""

    def place(self, tick: int) -> Fraction:
        """Return how many steps the run is at, with the fraction of the step begun."""
        return self.offset + max(tick - self.start, 0) * self.pace


@dataclass(frozen=True, slots=True)
class PlayedSprite:
    """What a sprite shows at a tick."""

    clip: str
    index: int
    """Of the clip in the sheet."""
    step: int
    """Place in the clip, counted from 0."""
    frame: int
    """Of the atlas."""
    unwrapped: int
    """Steps since the clip's start, passes over its end counted."""
    playback: Playback


class SpritePlayer:
    """The state of one sprite that plays.

    Every command takes the tick at which it takes effect, which is not before the last tick given.

    Parameters
    ----------
    sheet
        What may play.
    rate
        Ticks per second; a float stands for its shortest decimal.
    """

    def __init__(self, sheet: SpriteSheet, *, rate: Number) -> None:
        self.sheet = sheet
        self.rate = exact_rate(rate)
        self._run: _Run | None = None
        self._last: int | None = None
        self._pending: list[PlayedEvent] = []
        self.stamp = 0
        """Grows with every command, so that whoever keeps a copy of the settings knows when it is old."""

    def play(
        self,
        clip: str | int | SpriteClip,
        tick: int,
        *,
        speed: Number = 1,
        start: Number = 0,
        playback: Playback | str = Playback.LOOP,
    ) -> None:
        """Start a clip over.

        Parameters
        ----------
        speed
            Clip seconds a second; may be negative or 0.
        start
            Seconds into the clip.
        playback
            `"loop"`, `"once"` (the end holds) or `"ping_pong"` (the ends are shown once).

        Raises
        ------
        AnimError
            Here and below: for a clip the sheet has not, a tick before the last one, a number out of its range.
        """
        index = self.sheet.clip_index(clip)
        fps = exact(self.sheet.clips[index].fps)
        run = _Run(
            index,
            Playback.parse(playback),
            exact(start, "start") * fps,
            exact(speed, "speed") * fps / self.rate,
            int(tick),
        )
        self._close(tick)
        self._run = run
        self.stamp += 1

    def set_speed(self, speed: Number, tick: int) -> None:
        """Change the speed, a factor; the part of a step already shown counts.

        Raises
        ------
        AnimError
            For a tick before the last one, or a number that is not finite.
        """
        number = exact(speed, "speed")
        run = self._rebased(tick)
        run.pace = number * exact(self.sheet.clips[run.clip].fps) / self.rate

    def set_start(self, start: Number, tick: int) -> None:
        """Put the clip at a time in seconds, from which it plays on.

        Raises
        ------
        AnimError
            As `set_speed`.
        """
        number = exact(start, "start")
        run = self._rebased(tick)
        run.offset = number * exact(self.sheet.clips[run.clip].fps)
        run.heard = None

    def set_playback(self, playback: Playback | str, tick: int) -> None:
        """Change what happens at the clip's end; the frame does not change.

        Raises
        ------
        AnimError
            As `set_speed`, and for a playback that is none.
        """
        parsed = Playback.parse(playback)
        run = self._rebased(tick)
        place = run.place(tick)
        run.offset = _folded(math.floor(place), self._length(run), run.playback) + place % 1
        run.playback = parsed
        run.heard = math.floor(run.offset)

    def stop(self, tick: int) -> None:
        """Play nothing: the sheet's still frame."""
        self._close(tick)
        self._run = None
        self.stamp += 1

    def frame(self, tick: Number) -> int:
        """Return the atlas's frame shown at a tick; between ticks the earlier one's."""
        played = self.playing(tick)
        return self.sheet.still_frame if played is None else played.frame

    def playing(self, tick: Number) -> PlayedSprite | None:
        """Return the clip and its step that are shown at a tick, None where nothing plays."""
        run = self._run
        if run is None:
            return None
        clip = self.sheet.clips[run.clip]
        unwrapped = math.floor(run.place(tick if isinstance(tick, int) else math.floor(exact(tick, "tick"))))
        step = _folded(unwrapped, len(clip.frames), run.playback)
        return PlayedSprite(clip.name, run.clip, step, clip.frames[step], unwrapped, run.playback)

    def advance(self, tick: int) -> list[PlayedEvent]:
        """Move on to a tick and return the events of every frame entered since the last call, in order.

        The frame a clip starts on counts as entered. Skipped ticks deliver every step, at most `MAX_REPEATS` of an
        event, the latest ones.

        Raises
        ------
        AnimError
            For a tick before the last one.
        """
        self._check_tick(tick)
        self._collect(tick)
        self._last = tick
        events, self._pending = self._pending, []
        return events

    def integers(self) -> tuple[tuple[int, ...], bool, int, int, int, int]:
        """Return what plays in integers: the frames of one cycle, whether it ends, start tick, base, pace, denominator.

        The step k ticks after the start is `(base + k * pace) // denominator`; the last three are 0 where they are too
        wide for 64 bits.
        """
        run = self._run
        if run is None:
            return (self.sheet.still_frame,), False, 0, 0, 0, 1
        frames = self.sheet.clips[run.clip].frames
        length = len(frames)
        cycle = tuple(frames[_folded(step, length, run.playback)] for step in range(_cycle(length, run.playback)))
        denominator = math.lcm(run.offset.denominator, run.pace.denominator)
        numbers = (int(run.offset * denominator), int(run.pace * denominator), denominator)
        if max(map(abs, numbers)) >= WIDEST:
            numbers = (0, 0, 0)
        return cycle, run.playback is Playback.ONCE, run.start, *numbers

    def _length(self, run: _Run) -> int:
        return len(self.sheet.clips[run.clip].frames)

    def _check_tick(self, tick: int) -> None:
        if isinstance(tick, bool) or not isinstance(tick, int | np.integer):
            raise AnimError(f"tick is {tick!r}; expected an integer")
        if self._last is not None and tick < self._last:
            raise AnimError(f"tick {tick} comes after tick {self._last}; a sprite does not go back")

    def _close(self, tick: int) -> None:
        """Collect the events up to a command's tick, which are those of the settings before it."""
        self._check_tick(tick)
        # A run commanded at this very tick has shown no frame yet: its start is told when it has.
        if self._run is not None and (self._run.heard is not None or tick > self._run.start):
            self._collect(tick)
        self._last = tick

    def _rebased(self, tick: int) -> _Run:
        """Close the running interval and return the run, started anew from where it is."""
        self._check_tick(tick)
        if self._run is None:
            raise AnimError("nothing plays whose settings could change")
        self._close(tick)
        run = self._run
        place, length = run.place(tick), self._length(run)
        if run.playback is Playback.ONCE:
            run.offset = min(max(place, Fraction(0)), Fraction(length))
        else:
            run.offset = place % _cycle(length, run.playback)
        run.start = max(tick, run.start)
        if run.heard is not None:
            run.heard = math.floor(run.offset)
        self.stamp += 1
        return run

    def _collect(self, tick: int) -> None:
        """Add the events of the frames entered up to a tick to the pending ones."""
        run = self._run
        if run is None or run.pace == 0 or tick < run.start:
            return
        clip = self.sheet.clips[run.clip]
        length, way = len(clip.frames), 1 if run.pace > 0 else -1
        now = math.floor(run.place(tick))
        opening = run.heard is None
        first = math.floor(run.offset) if run.heard is None else run.heard + way
        run.heard = now
        if not clip.events:
            return
        if run.playback is Playback.ONCE:
            now = min(max(now, -1), length)  # past its ends a clip enters nothing
        told = dict.fromkeys(range(len(clip.events)), 0)
        found: list[tuple[int, int]] = []
        # From the latest step back, as only the latest passes count.
        for step in range(now, first - way, -way):
            place = _folded(step, length, run.playback)
            starts = opening and step == first
            if run.playback is Playback.ONCE and not starts and place == _folded(step - way, length, run.playback):
                continue
            for index, event in enumerate(clip.events):
                if event.frame == place and told[index] < MAX_REPEATS:
                    told[index] += 1
                    found.append((step * way, index))
            if all(count == MAX_REPEATS for count in told.values()):
                break
        for step, index in sorted(found):
            self._pending.append(PlayedEvent(_tick_of(run, step * way), clip.name, clip.events[index].name))


class SpritePool:
    """Many players read at once: the frame of each at a tick, from rows of integers.

    The players may be commanded at any time; the pool notices.

    Parameters
    ----------
    players
        Kept in this order.
    """

    def __init__(self, players: Iterable[SpritePlayer]) -> None:
        self.players = tuple(players)
        count = len(self.players)
        self._stamps = [-1] * count
        self._rows = np.zeros(count, ROW)
        self._frames = np.zeros((count, 1), np.int32)

    def frames(self, tick: int, *, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """Return the atlas frame of every player (N,) int32 at a tick, as `SpritePlayer.frame` gives it."""
        for index, player in enumerate(self.players):
            if player.stamp != self._stamps[index]:
                self._fill(index, player)
        rows = self._rows
        elapsed = np.maximum(tick - rows["start"], 0)
        reach = abs(rows["base"].astype(np.float64)) + elapsed * abs(rows["pace"].astype(np.float64))
        wide = (rows["denominator"] == 0) | (reach >= 2.0**62)
        denominator = np.where(wide, 1, rows["denominator"])
        step = (rows["base"] + np.where(wide, 0, elapsed) * rows["pace"]) // denominator
        # The places of one cycle are written out in `_frames`, so that only the end of a clip played once is special.
        turn = np.where(rows["once"], np.clip(step, 0, rows["cycle"] - 1), step % rows["cycle"])
        frames: NDArray[np.int32] = self._frames[np.arange(len(rows)), turn]
        for index in np.flatnonzero(wide).tolist():
            frames[index] = self.players[index].frame(tick)
        if out is None:
            return frames
        out[:] = frames
        return out

    def _fill(self, index: int, player: SpritePlayer) -> None:
        """Write the row of a player that was commanded since it was last read."""
        self._stamps[index] = player.stamp
        places, once, start, base, pace, denominator = player.integers()
        if len(places) > self._frames.shape[1]:
            self._frames = np.pad(self._frames, ((0, 0), (0, len(places) - self._frames.shape[1])))
        self._frames[index, : len(places)] = places
        self._rows[index] = (start, base, pace, denominator, len(places), once)


def _cycle(length: int, playback: Playback) -> int:
    """Return after how many steps a clip of so many frames comes round."""
    return length if playback is not Playback.PING_PONG else max(1, 2 * length - 2)


def _folded(step: int, length: int, playback: Playback) -> int:
    """Return the place in a clip that is shown at a step."""
    if playback is Playback.ONCE:
        return min(max(step, 0), length - 1)
    turn = step % _cycle(length, playback)
    return min(turn, 2 * length - 2 - turn) if playback is Playback.PING_PONG and length > 1 else turn


def _tick_of(run: _Run, step: int) -> int:
    """Return the tick at which a run is first at a step or past it."""
    if run.pace > 0:
        ticks = math.ceil((step - run.offset) / run.pace)
    else:
        ticks = math.floor((run.offset - (step + 1)) / -run.pace) + 1
    return run.start + max(ticks, 0)
