"""Workers of a Dask cluster: the scene goes to each of them once, chunks follow, lost ones are given out again."""

from __future__ import annotations

import logging
import warnings
from collections import OrderedDict
from typing import Any

from posed.errors import MissingError, PosedError
from posed.farm.chunk import Chunk, Packed
from posed.farm.crew import Answer, Crew, WorkerLostError
from posed.farm.worker import KEPT, work

LOGGERS = ("distributed.client", "distributed.utils", "tornado.application")
"""Of Dask's end here: what they say of lost connections, with tracebacks, the crew's own errors say."""

CONNECT_SECONDS = 10
"""How long the scheduler is waited for."""


class Cluster(Crew):
    """The workers of the cluster whose scheduler is at `address`, as ``tcp://host:8786``.

    Raises
    ------
    MissingError
        Dask is not installed, or no scheduler answers.
    """

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError as error:
            raise MissingError(
                'a cluster is reached through Dask, which is not installed: pip install "posed[farm]"'
            ) from error
        self._distributed = distributed
        for name in LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._address = address
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on versions that differ in some patch: the sources are compared by us
            try:
                self._client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
            except (OSError, ValueError) as error:
                raise MissingError(
                    f"{address}: no Dask scheduler answers there ({error}): start one with `dask scheduler`, and "
                    f"workers with `dask worker {address}`"
                ) from error
        self.ahead = max(2, 2 * self._workers())
        self._scenes: OrderedDict[str, Any] = OrderedDict()

    def _workers(self) -> int:
        return len(self._client.scheduler_info(n_workers=-1)["workers"])

    def give(self, scene: Packed, chunk: Chunk[Any], sources: str) -> Any:
        """Give out a chunk; its scene goes before the first one, to all workers."""
        try:
            if scene.key not in self._scenes:
                self._scenes[scene.key] = self._client.scatter(scene, broadcast=True, hash=False)
                while len(self._scenes) > KEPT:
                    self._scenes.popitem(last=False)  # the cluster drops it with the last chunk that needs it
            return self._client.submit(work, self._scenes[scene.key], chunk, sources, pure=False)
        except (OSError, self._distributed.comm.CommClosedError, TimeoutError) as error:
            raise self._gone() from error

    def take(self, given: Any) -> Answer:
        """Return what became of it."""
        from concurrent.futures import CancelledError

        try:
            answer: Answer = given.result()
        except (self._distributed.KilledWorker, CancelledError) as error:
            if self._client.status != "running":
                raise self._gone() from error
            raise WorkerLostError from error
        except (OSError, self._distributed.comm.CommClosedError, TimeoutError) as error:
            raise self._gone() from error
        return answer

    def _gone(self) -> PosedError:
        return PosedError(
            f"{self._address}: the cluster's scheduler is gone: start another one and give the same command, "
            "which keeps the frames that are rendered"
        )

    def renew(self) -> None:
        """Send scenes again with the next chunk: every copy may have gone with its worker."""
        self._scenes.clear()

    def close(self) -> None:
        """Leave the cluster; what it still works on for us is dropped."""
        self._client.close(timeout=5)
