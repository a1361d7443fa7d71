"""A rig of the pack: a small file about one thing that an engine gets right or wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

RATE = Fraction(60)
"""Ticks per second of every rig."""

Playback = Literal["once", "loop"]


@dataclass(frozen=True)
class Rig:
    """What is posed, when, and what it is about.

    Attributes
    ----------
    name
        A word, also that of its file.
    about
        What a right engine does, as a sentence without a full stop.
    build
        Makes the file, a binary glTF.
    ticks
        The moments at which it is posed, at `RATE`.
    playback
        How its only clip plays from tick 0 on; None for a rig that rests.
    normals
        Whether it is about normals: those of the others are not judged, as engines turn them in several ways where
        joints blend.
    drawn
        Whether it is about what is made of palettes and weights: a right snapshot alone then says nothing of it, which
        vertices or a frame do.
    """

    name: str
    about: str
    build: Callable[[], bytes]
    ticks: tuple[int, ...] = (0,)
    playback: Playback | None = None
    normals: bool = False
    drawn: bool = False
