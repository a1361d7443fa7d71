"""Two more ways into numba beside `anim.kernel`: kernels that count no references, and functions that C calls.

Numba counts references to each array that a function takes or slices, with atomic increments: for helpers that run
once a ray that took more than half of a picture's time. A `leaf` allocates nothing, and so has nothing to count.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

import llvmlite.ir
import numba
import numpy as np
from numba.extending import intrinsic

from anim.kernel import cache_folder, compiled_later, note_unsaved

F = TypeVar("F", bound=Callable[..., Any])

Index: TypeAlias = "int | np.integer[Any]"
"""A whole number as Python or a kernel holds it."""


def leaf(function: F) -> F:
    """Compile as `anim.kernel.kernel` does, without reference counts: the function and its callees make no arrays."""
    return compiled_later(function, _nrt=False)


def inlined(function: F) -> F:
    """Compile as `leaf` does, into each caller: a world's fifteen arrays are a hundred words to pass otherwise."""
    return compiled_later(function, _nrt=False, forceinline=True)


class Callback:
    """A function for C to call; compiled when its address is first asked for, which not every picture does."""

    def __init__(self, function: Callable[..., Any], signature: Any) -> None:
        self._function, self._signature = function, signature
        self._compiled: Any = None
        self._lock = threading.Lock()

    @property
    def address(self) -> int:
        """Where it lies in memory."""
        with self._lock:
            if self._compiled is None:
                self._compiled = self._compile()
        return int(self._compiled.address)

    def _compile(self) -> Any:
        with _cache() as on_disk:
            try:
                return numba.cfunc(self._signature, cache=on_disk)(self._function)
            except OSError as error:
                note_unsaved(error)
                return numba.cfunc(self._signature)(self._function)


def callback(signature: Any) -> Callable[[Callable[..., Any]], Callback]:
    """Make of a function one for C to call, with a numba signature."""
    return lambda function: Callback(function, signature)


@intrinsic  # type: ignore[untyped-decorator]
def pointer(typing_context: Any, address: Any) -> Any:
    """Take an address, as C passes it to a callback, for a pointer to memory that `numba.carray` then reads."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], llvmlite.ir.IntType(8).as_pointer())

    return numba.types.voidptr(numba.types.uintp), build


@contextmanager
def _cache() -> Iterator[bool]:
    """Point numba's cache at the folder of this package's kernels, and say whether there is one."""
    folder = cache_folder("tracer")
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = "" if folder is None else str(folder)
    try:
        yield folder is not None
    finally:
        numba.config.CACHE_DIR = before
