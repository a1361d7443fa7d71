"""How a run is walked - none of which may change a bit - and the hash it is reduced to."""

import hashlib
import pickle
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

State = TypeVar("State")


@dataclass(frozen=True)
class Way:
    """A way through a run's ticks.

    Attributes
    ----------
    strides
        Ticks from one `advance` to the next, over and over.
    saved_at
        Tick at which the whole state goes through `pickle`; None for never.
    """

    strides: tuple[int, ...] = (1,)
    saved_at: int | None = None

    def stops(self, last: int) -> set[int]:
        """Return the ticks to advance to: from 0 by the strides, and the last one."""
        found, tick, turn = {last}, 0, 0
        while tick < last:
            found.add(tick)
            tick += self.strides[turn % len(self.strides)]
            turn += 1
        return found

    def carried(self, state: State, tick: int) -> State:
        """Return the state, at `saved_at` as it comes out of a pickle."""
        return pickle.loads(pickle.dumps(state)) if tick == self.saved_at else state


class Record:
    """The hash of everything that a run shows, in order."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=16)

    def array(self, values: Any) -> None:
        """Add an array: its dtype, its shape and its bits in little-endian order."""
        little = np.ascontiguousarray(values, np.asarray(values).dtype.newbyteorder("<"))
        self._hash.update(f"{little.dtype.str}{little.shape}".encode())
        self._hash.update(little.tobytes())

    def text(self, *values: object) -> None:
        """Add values as people read them: integers, names, digests; no floats."""
        self._hash.update(" ".join(map(str, values)).encode() + b"\n")

    def hex(self) -> str:
        """Return the hash as 32 hex digits."""
        return self._hash.hexdigest()
