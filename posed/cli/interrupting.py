"""What ends a command from outside: an interrupt at the terminal, or a request to end, as supervisors send it."""

from __future__ import annotations

import signal
from types import FrameType


class Terminated(KeyboardInterrupt):
    """The process was asked to end."""


def listen() -> None:
    """Raise a request to end as an interrupt, once: what is told then is told whole, whatever else asks.

    Supervisors interrupt, ask to end some seconds later and then kill; the second does not disturb what the first has
    begun. A signal that whoever started this process has chosen to ignore stays ignored.
    """
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _ask)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)


def status_of(error: BaseException) -> int:
    """Return the exit status after an interrupt, as shells count: 128 and the signal's number."""
    return 128 + (signal.SIGTERM if isinstance(error, Terminated) else signal.SIGINT)


def _ask(number: int, frame: FrameType | None) -> None:
    del number, frame
    _ignore_requests()
    raise Terminated


def _interrupt(number: int, frame: FrameType | None) -> None:
    _ignore_requests()
    signal.default_int_handler(number, frame)


def _ignore_requests() -> None:
    if signal.getsignal(signal.SIGTERM) is _ask:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
