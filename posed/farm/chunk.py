"""Chunks: what a worker takes at a time, the scene that travels with them, and what a worker keeps ready of it."""

from __future__ import annotations

import hashlib
import pickle
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from posed.scene.description import Scene

if TYPE_CHECKING:
    from posed.tracing import Tracing

Made = TypeVar("Made")
"""What comes of each piece of a chunk."""


@dataclass(frozen=True)
class Packed:
    """A scene as it travels; by `key` a worker knows whether it has it already."""

    key: str
    data: bytes = field(repr=False)

    @classmethod
    def of(cls, scene: Scene) -> Packed:
        """Pack a scene; once for all of its chunks."""
        data = pickle.dumps(scene, pickle.HIGHEST_PROTOCOL)
        return cls(hashlib.blake2b(data, digest_size=16).hexdigest(), data)

    def unpacked(self) -> Scene:
        """Return the scene; only for what a process of this very run has packed."""
        scene: Scene = pickle.loads(self.data)  # noqa: S301 - nothing from a file passes here
        return scene


class Ready:
    """A scene that a worker has unpacked, and its tracings, which live on from chunk to chunk."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._tracings: dict[str | None, Tracing] = {}

    def tracing(self, backend: str | None) -> Tracing:
        """Return the scene ready to be traced by a backend."""
        from posed.tracing import Tracing

        if backend not in self._tracings:
            self._tracings[backend] = Tracing(self.scene, backend=backend)
        return self._tracings[backend]

    def close(self) -> None:
        """Free what its tracings hold."""
        for tracing in self._tracings.values():
            tracing.close()
        self._tracings.clear()


class Chunk(ABC, Generic[Made]):
    """A piece of work on one scene, as a value that can be pickled."""

    @property
    @abstractmethod
    def words(self) -> str:
        """Which piece it is, as an error names it."""

    @abstractmethod
    def carried_out(self, ready: Ready) -> list[Made]:
        """Do it, in whatever process; the result can be pickled and depends on the chunk and the scene alone."""
