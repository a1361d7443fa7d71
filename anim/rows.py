"""The compiled form of what an animator plays: rows of plain numbers that kernels read tick after tick.

Commands are rare and write these rows from exact rationals; ticks are many and read them. A clip's time is a quotient
of two integers, so that it is the same after one step or a thousand, at tick 10 or at tick 10^9.
"""

import enum

import numpy as np

from anim.errors import AnimError

MAX_MIXES = 4
"""Mixes that play at once: the newest, and those it fades over."""

MAX_LAYERS = 16
"""Layers of one mix."""

WIDEST = 2**53
"""Integers below it are exact in float64; times whose integers reach it are worked out in Python instead."""


class Kind(enum.IntEnum):
    """How a layer joins what the layers before it gave."""

    SHARE = 0
    """A share of a weighted sum: one of the layers that `play` and `play_blend` begin a mix with."""
    OVER = 1
    """Mixed over it by its weight."""
    ADDITIVE = 2
    """Its difference from a reference is added, rotations in the parent's space."""
    ADDITIVE_LOCAL = 3
    """The same, rotations in the bone's own space."""


class Playback(enum.IntEnum):
    """What happens at a clip's end."""

    LOOP = 0
    """It starts again."""
    ONCE = 1
    """Its last moment holds."""
    PING_PONG = 2
    """It plays back to its start, and so on."""

    @classmethod
    def parse(cls, playback: "Playback | str") -> "Playback":
        """Return a playback given by itself or its name in a scene file: `loop`, `once` or `ping_pong`.

        Raises
        ------
        AnimError
            For a name of none.
        """
        if isinstance(playback, str):
            for member in cls:
                if member.name.lower() == playback:
                    return member
            raise AnimError(f"playback is {playback!r}; expected 'loop', 'once' or 'ping_pong'")
        return cls(playback)


LAYER = np.dtype(
    [
        ("clip", np.int64),
        ("kind", np.int64),
        ("playback", np.int64),
        ("mask", np.int64),  # row of the animator's masks
        ("reference_clip", np.int64),
        ("samples", np.int64),  # where what is sampled for this layer begins in the scratch array
        ("weight", np.float64),  # of a share: its share
        ("reference_time", np.float64),
        ("start", np.int64),  # tick
        # The clip time k ticks after the start is (base + k step) / denominator seconds, before it wraps at
        # period / denominator. A denominator of 0: the integers are too wide for these fields.
        ("base", np.int64),
        ("step", np.int64),
        ("period", np.int64),
        ("denominator", np.int64),
        ("end", np.float64),  # seconds: the clip's true last moment, which a hold shows
        ("time", np.float64),  # the answer: seconds within the clip
    ],
    align=True,
)

MIX = np.dtype(
    [
        ("first", np.int64),  # layers first..end are its own, the first `shares` of them shares
        ("shares", np.int64),
        ("end", np.int64),
        ("fade_start", np.int64),  # tick
        ("fade_ticks", np.int64),
        ("fade", np.float64),  # the answer: its weight over the mixes below
    ],
    align=True,
)
