"""What an advancing world reports."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class AnimationEvent:
    """At `tick`, `object` passed the mark `event` of its clip `clip`."""

    tick: int
    object: str
    clip: str
    event: str


@dataclass(frozen=True)
class AnimationError:
    """At `tick` a command on `object` was refused, for the reason in `text`."""

    tick: int
    object: str
    text: str
