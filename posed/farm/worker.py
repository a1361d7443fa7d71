"""What a worker does: plays its chunk, traces each tick and gives the frames back as whole files."""

from __future__ import annotations

import os
import pickle
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anim.kernel import source_digest
from posed.errors import PosedError
from posed.farm.job import Chunk, thaw
from posed.frame_files import encoded
from posed.scene.description import Scene

if TYPE_CHECKING:
    from posed.tracing import Tracing

KEPT = 2
"""Scenes that a worker keeps ready: the one at hand and the one before."""


@dataclass(frozen=True)
class Finished:
    """One frame: `data` is the file's content."""

    tick: int
    posed: str
    data: bytes


@dataclass(frozen=True)
class Refused:
    """A chunk that cannot be rendered, by whomever: an error of posed's own, as it would have been raised."""

    message: str
    exit_status: int


_ready: OrderedDict[str, tuple[Scene, Tracing]] = OrderedDict()
_turn = threading.Lock()


def work(scene: bytes, chunk: Chunk, sources: str) -> list[Finished] | Refused:
    """Render `chunk`; `scene` is the pickled scene, unpickled once and kept by its digest.

    `sources` is the digest of the code that asked: a worker with other code would give other bits and refuses.
    """
    if sources != source_digest("posed"):
        message = "a worker runs another version of posed than this process: install the same one on both"
        return Refused(message, PosedError.exit_status)
    try:
        with _turn:  # a cluster's worker may have several threads; a trace takes all that it may have
            return _rendered(scene, chunk)
    except PosedError as error:
        return Refused(str(error), error.exit_status)


def _rendered(scene: bytes, chunk: Chunk) -> list[Finished]:
    mine, tracing = _prepared(scene, chunk)
    world = thaw(mine, chunk.state)
    with ThreadPoolExecutor(1, "encoding") as encoder:
        coming = []
        for tick in chunk.ticks:
            world.advance(tick)
            posed = world.posed()
            frame = tracing.trace(posed, **chunk.settings)
            coming.append((tick, posed.digest, encoder.submit(encoded, frame, chunk.suffix)))
        return [Finished(tick, posed, data.result()) for tick, posed, data in coming]


def _prepared(scene: bytes, chunk: Chunk) -> tuple[Scene, Tracing]:
    from posed.tracing import Tracing

    key = f"{chunk.scene} {chunk.backend}"
    if key not in _ready:
        mine: Scene = pickle.loads(scene)  # noqa: S301 - from a process of this very run
        _ready[key] = (mine, Tracing(mine, backend=chunk.backend))
        while len(_ready) > KEPT:
            _, (_, tracing) = _ready.popitem(last=False)
            tracing.close()
    _ready.move_to_end(key)
    return _ready[key]


def begin(threads: int) -> None:
    """Make this process a worker: it traces with so many threads, leaves interrupts to its parent and ends with it."""
    import signal
    from multiprocessing import parent_process

    import numba

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    numba.set_num_threads(max(1, min(threads, numba.config.NUMBA_NUM_THREADS)))
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    """End the process as soon as its parent is gone: a queue alone would let it wait for ever."""
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(1)
