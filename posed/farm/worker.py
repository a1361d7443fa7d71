"""What a worker does: carries out the chunks it is given and keeps their scene ready in between."""

from __future__ import annotations

import os
import signal
import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from anim.kernel import source_digest
from posed.errors import PosedError
from posed.farm.chunk import Chunk, Packed, Ready

KEPT = 2
"""Scenes that a worker keeps ready: the one at hand and the one before."""


@dataclass(frozen=True)
class Refused:
    """A chunk that cannot be carried out, by whomever: an error of posed's own, as it would have been raised."""

    message: str
    exit_status: int


_ready: OrderedDict[str, Ready] = OrderedDict()
_turn = threading.Lock()


def work(scene: Packed, chunk: Chunk[Any], sources: str) -> list[Any] | Refused:
    """Carry out `chunk` over `scene`, which is unpacked once and kept.

    `sources` is the digest of the code that asked: a worker with other code would give other bits and refuses.
    """
    if sources != source_digest("posed"):
        message = "a worker runs another version of posed than this process: install the same one on both"
        return Refused(message, PosedError.exit_status)
    try:
        with _turn:  # a cluster's worker may have several threads; a trace takes all that it may have
            return chunk.carried_out(_prepared(scene))
    except PosedError as error:
        return Refused(str(error), error.exit_status)
    except MemoryError:
        message = f"{chunk.words}: a worker has not enough memory: choose a smaller size, fewer layers or fewer workers"
        return Refused(message, PosedError.exit_status)


def _prepared(scene: Packed) -> Ready:
    if scene.key not in _ready:
        _ready[scene.key] = Ready(scene.unpacked())
        while len(_ready) > KEPT:
            _, ready = _ready.popitem(last=False)
            ready.close()
    _ready.move_to_end(scene.key)
    return _ready[scene.key]


def begin(threads: int) -> None:
    """Make this process a worker: it traces with so many threads and ends with its parent, with all that it started.

    It leads a process group of its own where there are any: an interrupt at the terminal goes to its parent alone.
    """
    from multiprocessing import parent_process

    import numba

    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    numba.set_num_threads(max(1, min(threads, numba.config.NUMBA_NUM_THREADS)))
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def end_all(pid: int) -> None:
    """Kill a worker with the engines that it runs; one that is gone already may have left some."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGTERM)


def _end_with(sentinel: int) -> None:
    """End the process as soon as its parent is gone: a queue alone would let it wait for ever."""
    from multiprocessing.connection import wait

    wait([sentinel])
    end_all(os.getpid())
    os._exit(1)
