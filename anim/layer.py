"""What an animator plays, in exact numbers: layers in mixes. Commands edit these; rows are compiled from them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from anim.description import read_only
from anim.errors import AnimError
from anim.rows import Kind, Playback
from anim.timing import fold


@dataclass(slots=True)
class Layer:
    """A clip that plays in a mix.

    Its unwrapped time at tick n is `offset + (n - start) * step` seconds, and `offset` before its start.
    """

    clip: int
    """Index in the rig."""
    kind: Kind
    weight: float
    """As given; of a share it is divided by the sum of the shares."""
    playback: Playback
    offset: Fraction
    """Seconds into the clip at the start."""
    step: Fraction
    """Seconds a tick: the speed over the rate."""
    start: int
    """Tick."""
    period: Fraction
    """The clip's duration, put on a whole tick where it all but lies on one."""
    mask: NDArray[np.float64] | None = None
    """(B,) in [0, 1], multiplies the weight on each bone."""
    reference: tuple[int, float] | None = None
    """Of an additive layer: the clip and time that its difference is taken from."""
    heard: int | None = None
    """Tick up to which its events were collected; None while its first interval, closed at the start, is open."""

    def elapsed(self, tick: int) -> int:
        """Return the ticks since the start, 0 before it."""
        return max(tick - self.start, 0)

    def unwrapped(self, tick: Fraction | int) -> Fraction:
        """Return the time in seconds at a tick or between two, before it is brought into the clip."""
        return self.offset + max(tick - self.start, 0) * self.step

    @property
    def position(self) -> Fraction:
        """The time in seconds within the clip at the start."""
        return fold(self.offset, self.period, self.playback)

    def rebase(self, tick: int) -> None:
        """Start anew at a tick from where the clip then is, so that a change of settings moves nothing.

        In ping-pong the way back stays the way back.
        """
        if self.playback is Playback.PING_PONG and self.period > 0:
            self.offset = self.unwrapped(tick) % (2 * self.period)
        else:
            self.offset = fold(self.unwrapped(tick), self.period, self.playback)
        self.start = max(tick, self.start)


@dataclass(slots=True)
class Mix:
    """Layers that make one whole pose, faded in over the mixes below."""

    serial: int
    """Counts the mixes of an animator, to order their events."""
    layers: list[Layer] = field(default_factory=list)
    fade_start: int = 0
    """Tick."""
    fade_ticks: int = 0

    @property
    def fade_end(self) -> int:
        """Tick from which the mixes below no longer show."""
        return self.fade_start + self.fade_ticks


def checked_weight(weight: float, kind: Kind) -> float:
    """Return a layer's weight, or refuse it: one over the others lies in [0, 1], any is finite and not negative."""
    highest = 1.0 if kind is Kind.OVER else np.inf
    if not 0.0 <= weight <= highest or not np.isfinite(weight):
        expected = "0 to 1" if kind is Kind.OVER else "a finite one, 0 or more"
        raise AnimError(f"weight is {weight}; expected {expected}")
    return float(weight)


def check_shares(layers: list[Layer]) -> None:
    """Refuse layers that have no sum to share."""
    if not layers:
        raise AnimError("no clips to blend; expected at least one")
    if not any(layer.weight > 0.0 for layer in layers):
        raise AnimError("all weights are 0; expected at least one above")


def checked_mask(mask: Sequence[float] | NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return a mask of so many bones as a read-only array, or refuse it."""
    weights = read_only("mask", mask, np.float64, (count,))
    if len(weights) and not 0.0 <= weights.min() <= weights.max() <= 1.0:
        raise AnimError(f"mask runs from {weights.min()} to {weights.max()}; expected weights in 0 to 1")
    return weights
