"""The one door to numba: the `kernel` decorator, its cache on disk, and the lock for parallel kernels.

Numba's cache notices a change in the file of a kernel, not in the files of the helpers it calls. Here the cache lies
in a folder named after the sources of the kernel's package and of the packages below it, so that an edit anywhere
makes a new folder.
"""

import functools
import gc
import hashlib
import importlib
import importlib.metadata
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, overload

import numba

from anim.kernel_folders import hold
from anim.kernel_helpers import ask_helper, helper_options, set_environments

F = TypeVar("F", bound=Callable[..., Any])

FLOORS = ("anim", "tracer", "posed")
"""The import packages from the ground up; a kernel may call kernels of its own floor and of those below."""

COMPILERS = ("numba", "llvmlite", "numpy", "embreex")
"""Distributions whose version shapes the compiled code."""

THREAD_SAFE_LAYERS = ("tbb", "omp")
"""Numba threading layers that two Python threads may enter at once."""


def _load_numba_without_scipy() -> None:
    """Load numba's array functions without SciPy's linear algebra.

    Where SciPy is installed, numba imports its BLAS when the first kernel is loaded, only to know that it is there:
    0.3 s of every process. No kernel here calls BLAS, and one that does elsewhere imports it when it is compiled.
    """
    from numba.np import linalg

    with suppress(AttributeError):  # a numba that asks in another way is only slower
        asked, linalg.ensure_blas = linalg.ensure_blas, lambda: None
        try:
            importlib.import_module("numba.np.arraymath")
        finally:
            linalg.ensure_blas = asked


_load_numba_without_scipy()


@overload
def kernel(function: F) -> F: ...


@overload
def kernel(*, parallel: bool = False) -> Callable[[F], F]: ...


def kernel(function: F | None = None, *, parallel: bool = False) -> F | Callable[[F], F]:
    """Compile a function with numba on its first call: cached on disk, without the GIL, IEEE arithmetic as written.

    Parameters
    ----------
    function
        The function; its source is plain Python that also runs, with the same bits, under `NUMBA_DISABLE_JIT=1`.
    parallel
        Turn `numba.prange` loops into parallel ones. Whoever calls such a kernel from Python holds `parallel_lock()`.

    Notes
    -----
    `fastmath` is never set: it would let the compiler reorder sums and fuse products, and the bits would depend on the
    processor. Division by zero gives an infinity or NaN, as in NumPy.
    """
    if function is None:
        return functools.partial(kernel, parallel=parallel)
    return compiled_later(function, parallel=parallel)


def compiled_later(function: F, **options: Any) -> F:
    """Compile a function on its first call, one way for Python and another for kernels that call it.

    What Python calls unpacks each array of its arguments from its object: more code than most functions are, for a
    world's thirty arrays. Kernels call helpers compiled without that, which become machine code in their callers alone:
    see `anim.kernel_helpers`. A helper that Python never calls is never compiled for it.

    Parameters
    ----------
    function
        The function.
    options
        Numba's, beside those that every kernel has.
    """
    folder = cache_folder(function.__module__.partition(".")[0])
    options = {"nogil": True, "error_model": "numpy", **options}
    called_by_python = _decorated(function, folder, options)
    if not (options.get("parallel", False) or numba.config.DISABLE_JIT):
        ask_helper(called_by_python, _decorated(function, None, options | helper_options()))
    compiled: F = called_by_python
    return compiled


def _decorated(function: Callable[..., Any], folder: Path | None, options: dict[str, Any]) -> Any:
    """Return a function as numba compiles it, with its cache in a folder; without one there is none."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = "" if folder is None else str(folder)
    try:
        compiled = numba.njit(cache=folder is not None, **options)(function)
    finally:
        numba.config.CACHE_DIR = before
    with suppress(AttributeError):  # without the JIT, or where numba keeps its cache elsewhere
        compiled._cache.save_overload = _saved_if_possible(compiled._cache.save_overload)
        compiled.compile = _uncollected(compiled)
    return compiled


def _uncollected(function: Any) -> Callable[..., Any]:
    """Return what compiles a function, with Python's collector at rest meanwhile.

    Numba makes objects by the million that all live until it is done; looking among them for garbage, again and again,
    takes a tenth of its time.
    """
    compile_ = function.compile

    def compiled(signature: Any) -> Any:
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            entry = compile_(signature)
            set_environments(function)
            return entry
        finally:
            if was_enabled:
                gc.enable()

    return compiled


_unsaved: list[str] = []


def _saved_if_possible(save: Callable[..., Any]) -> Callable[..., Any]:
    """Return what saves a compiled function, with a refusal remembered: the function is there all the same."""

    def saved(*arguments: Any) -> None:
        try:
            save(*arguments)
        except OSError as error:
            note_unsaved(error)

    return saved


def note_unsaved(error: OSError) -> None:
    """Remember that a compiled function could not be written to the cache, as on a full disk."""
    _unsaved.append(str(error))


def unsaved() -> str:
    """Return why the last function that could not be written to the cache was not; "" where all were."""
    return _unsaved[-1] if _unsaved else ""


@contextmanager
def on_compiled(done: Callable[[], None]) -> Iterator[None]:
    """Call `done` after each function that is compiled meanwhile; those that the cache holds are not."""
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            done()

    listener = Listener()
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)


_entrance = threading.RLock()


@contextmanager
def parallel_lock() -> Iterator[None]:
    """Hold while a parallel kernel runs: numba's `workqueue` layer aborts the process when two threads enter at once.

    The lock is one for the whole process and may be taken again by the thread that has it. It is left open when numba
    runs on a threading layer that looks after itself.
    """
    if _threading_layer() in THREAD_SAFE_LAYERS:
        yield
    else:
        with _entrance:
            yield


def _threading_layer() -> str:
    """Return the threading layer numba has chosen, or `""` before the first parallel kernel has run."""
    try:
        return str(numba.threading_layer())
    except ValueError:
        return ""


@functools.cache
def cache_folder(package: str) -> Path | None:
    """Return the folder for the compiled kernels of a package, made if need be, or None where no folder can be written.

    Parameters
    ----------
    package
        Name of the top-level package. One that is none of `FLOORS` counts as standing above them all.
    """
    digest = source_digest(package)
    for root in _roots():
        folder = root / digest
        if hold(folder):
            return folder
    return None


@functools.cache
def source_digest(package: str) -> str:
    """Return 16 hexadecimal digits that change with any source the package's kernels can be built from.

    They cover every module of the package and of the floors below it, and the versions of `COMPILERS`.
    """
    digest = hashlib.sha256()
    for name in COMPILERS:
        digest.update(f"{name} {_version(name)}\n".encode())
    floors = FLOORS[: FLOORS.index(package) + 1] if package in FLOORS else FLOORS
    house = Path(__file__).resolve().parent.parent
    folders = [house / floor for floor in floors]
    if package not in FLOORS:
        folders += map(Path, getattr(sys.modules.get(package), "__path__", ()))
    for folder in folders:
        for source in sorted(folder.rglob("*.py")):
            content = source.read_bytes()
            digest.update(f"{source.relative_to(folder).as_posix()} {len(content)}\n".encode())
            digest.update(content)
    return digest.hexdigest()[:16]


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "none"


def _roots() -> Iterator[Path]:
    """Yield the folders to try for the cache.

    The one asked for, the user's cache folder, a temporary one of the user's own.
    """
    if asked := os.environ.get("POSED_CACHE_DIR"):
        yield Path(asked)
    try:
        home = Path.home()
    except RuntimeError:  # no home folder is known for this user
        pass
    else:
        if sys.platform == "win32":
            yield Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local") / "posed/kernels"
        elif sys.platform == "darwin":
            yield home / "Library/Caches/posed/kernels"
        else:
            yield Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "posed/kernels"
    shared = Path(tempfile.gettempdir()) / f"posed-kernels-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    if _writable(shared) and (not hasattr(os, "getuid") or shared.stat().st_uid == os.getuid()):
        yield shared  # never a folder that another user made: compiled code is read from it


def _writable(folder: Path) -> bool:
    """Make the folder, for this user only, and say whether a file can be made in it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
