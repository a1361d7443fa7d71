"""Which events a playing layer passes, and at which tick: crossings of an exact time line, found without stepping."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from anim.layer import Layer
from anim.rows import Playback

MAX_REPEATS = 64
"""Passes of one mark that one interval delivers; of more, the latest."""


NEVER = 2**62
"""A tick that does not come."""


class Mark(NamedTuple):
    """An event of a clip on its exact time line."""

    time: Fraction
    """Seconds, put on a whole tick where it all but lies on one, in [0, duration]."""
    name: str


class PlayedEvent(NamedTuple):
    """An event that an animator has passed."""

    tick: int
    clip: str
    event: str


class Pass(NamedTuple):
    """One crossing of a mark; sorts in the order play passes them."""

    tick: int
    way: int
    """Clip time travelled from the layer's start, in either direction, in parts of a second."""
    rank: int
    """Tells the marks at one point of a loop's wrap apart: its end before its start, on the way back the reverse."""
    mark: int
    """Index in the clip."""


class _Crossing(NamedTuple):
    """Where a layer crosses a mark: after `way`, and after each `period` again where that is not 0."""

    way: int
    period: int
    rank: int
    mark: int
    at_wrap: bool
    """Whether it is a loop's end, which the opening of a layer does not count as passed."""


class Track:
    """The marks ahead of a layer, in whole parts of a second, so that no crossing is missed or told twice.

    It is made when the layer's settings change, and follows what the layer has `heard`.
    """

    __slots__ = ("_crossings", "_layer", "_stride", "marks", "next_tick")

    def __init__(self, layer: Layer, marks: list[Mark]) -> None:
        self._layer = layer
        self.marks = marks
        silent = layer.step == 0 or layer.weight == 0.0
        found = [] if silent else [one for index, mark in enumerate(marks) for one in _crossings(layer, index, mark)]
        times = [layer.step, *(time for way, period, *_ in found for time in (way, period))]
        denominator = math.lcm(*(time.denominator for time in times))
        self._stride = int(abs(layer.step) * denominator)
        self._crossings = [
            _Crossing(int(way * denominator), int(period * denominator), rank, mark, at_wrap)
            for way, period, rank, mark, at_wrap in found
        ]
        self.next_tick = self._find_next()

    def following(self, layer: Layer) -> "Track":
        """Return the same track for a copy of its layer."""
        twin = object.__new__(Track)
        twin._layer, twin.marks, twin.next_tick = layer, self.marks, self.next_tick
        twin._stride, twin._crossings = self._stride, self._crossings
        return twin

    def passes(self, until: int) -> list[Pass]:
        """Return the marks passed after the last tick the layer was heard at, up to and with another, in order.

        The first interval is closed at the layer's start. The layer has then been heard up to that tick.
        """
        if until < self.next_tick:
            self._layer.heard = until
            return []
        end = self._layer.elapsed(until) * self._stride
        of_mark: dict[int, list[Pass]] = {}
        for crossing in self._crossings:
            way, period, rank, mark, _ = crossing
            turns = range(1) if period == 0 else range((end - way) // period + 1)
            for turn in turns[-MAX_REPEATS:]:
                place = way + turn * period
                if place <= end and self._is_new(crossing, place):
                    of_mark.setdefault(mark, []).append(Pass(self._tick(place), place, rank, mark))
        self._layer.heard = until
        self.next_tick = self._find_next()
        return sorted(one for found in of_mark.values() for one in sorted(found)[-MAX_REPEATS:])

    def _find_next(self) -> int:
        """Return the tick at which the next mark is passed, `NEVER` where none will be."""
        heard = self._heard()
        soonest = NEVER
        for crossing in self._crossings:
            place, period = crossing.way, crossing.period
            if period > 0:
                place += max(0, (heard - place) // period) * period
                if not self._is_new(crossing, place):
                    place += period
            if self._is_new(crossing, place):
                soonest = min(soonest, self._tick(place))
        return soonest

    def _heard(self) -> int:
        """Return how far the layer had travelled when it was last heard."""
        heard = self._layer.heard
        return 0 if heard is None else self._layer.elapsed(heard) * self._stride

    def _is_new(self, crossing: _Crossing, place: int) -> bool:
        """Return whether a place lies after what was heard, or at the opening that is told yet."""
        if self._layer.heard is None:
            return place > 0 or not crossing.at_wrap
        return place > self._heard()

    def _tick(self, place: int) -> int:
        """Return the first tick at or after a place."""
        return self._layer.start - (-place // self._stride)


def _crossings(layer: Layer, index: int, mark: Mark) -> Iterator[tuple[Fraction, Fraction, int, int, bool]]:
    """Yield where a layer crosses a mark, as in `_Crossing`, in seconds."""
    forward = layer.step > 0
    way = mark.time - layer.offset if forward else layer.offset - mark.time
    if layer.playback is Playback.ONCE or layer.period == 0:
        if way >= 0:
            yield way, Fraction(0), 0, index, False
    elif layer.playback is Playback.LOOP:
        at_end = mark.time == layer.period
        yield way % layer.period, layer.period, int(at_end != forward), index, at_end
    else:
        turn = 2 * layer.period
        yield way % turn, turn, 0, index, False
        if 0 < mark.time < layer.period:  # met again on the way back
            back = -mark.time - layer.offset if forward else layer.offset + mark.time
            yield back % turn, turn, 0, index, False
