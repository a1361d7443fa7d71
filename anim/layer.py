"""What an animator plays, in exact numbers: layers in mixes. Commands edit these; rows are compiled from them."""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

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
