"""A layer's clip time at a tick, exactly: a quotient of integers, wrapped before it is rounded."""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from anim.rows import WIDEST, Playback

LOOP, ONCE, PING_PONG = (int(playback) for playback in Playback)

Rows = NDArray[np.void]


def fold(time: Fraction, period: Fraction, playback: Playback) -> Fraction:
    """Return an unwrapped time in seconds as a time within a clip that ends at `period`; 0 where that is 0."""
    if period == 0:
        return Fraction(0)
    if playback is Playback.LOOP:
        return time % period
    if playback is Playback.ONCE:
        return min(max(time, Fraction(0)), period)
    turn = time % (2 * period)
    return min(turn, 2 * period - turn)


def seconds_of(time: Fraction, period: Fraction, end: float, playback: Playback) -> float:
    """Return the float64 to sample at.

    The folded time, or the clip's true last moment where a hold or turn shows it.
    """
    if period == 0:
        return 0.0
    folded = fold(time, period, playback)
    return end if folded == period and playback is not Playback.LOOP else float(folded)


def integers(offset: Fraction, step: Fraction, period: Fraction) -> tuple[int, int, int, int]:
    """Return base, step, period and denominator: the three times over their smallest common denominator.

    All four are 0 where one is too wide for a row.
    """
    denominator = math.lcm(offset.denominator, step.denominator, period.denominator)
    scaled = (int(offset * denominator), int(step * denominator), int(period * denominator), denominator)
    return scaled if max(map(abs, scaled)) < WIDEST else (0, 0, 0, 0)


@kernel
def set_times(layers: Rows, tick: int, parts: int) -> bool:
    """Write the layers' clip times at tick `tick / parts`; False where an integer would overflow.

    A layer's time stands still at its offset before its start.
    """
    for i in range(len(layers)):
        layer = layers[i]
        if layer["denominator"] == 0:
            return False
        elapsed = max(tick - layer["start"] * parts, 0)
        period = layer["period"] * parts
        denominator = layer["denominator"] * parts
        reach = abs(float(layer["base"])) * float(parts) + abs(float(elapsed)) * abs(float(layer["step"]))
        if reach >= 2.0**62 or float(layer["period"]) * float(parts) >= 2.0**53 or denominator >= WIDEST:
            return False
        time = layer["base"] * parts + elapsed * layer["step"]
        if period == 0:
            layer["time"] = 0.0
            continue
        if layer["playback"] == LOOP:
            time %= period
        elif layer["playback"] == ONCE:
            time = min(max(time, 0), period)
        else:
            time %= 2 * period
            time = min(time, 2 * period - time)
        if time == period:
            layer["time"] = layer["end"]
        else:
            layer["time"] = float(time) / float(denominator)
    return True


@kernel
def set_fades(mixes: Rows, tick: int, parts: int) -> None:
    """Write the weights of the mixes over those below them at tick `tick / parts`.

    The lowest has no use for its own.
    """
    for m in range(len(mixes)):
        mix = mixes[m]
        if mix["fade_ticks"] == 0:
            mix["fade"] = 1.0
        else:
            share = float(tick - mix["fade_start"] * parts) / float(mix["fade_ticks"] * parts)
            mix["fade"] = min(max(share, 0.0), 1.0)
