"""Embree's C API as the embreex wheel ships it: the library, its symbols for numba, and scenes built in it.

Kernel modules that call Embree import this module first: it makes the symbols known to numba's linker, and an
unresolved symbol is a crash rather than an exception. Where there is no wheel the symbols point at a function that is
never called, so that the same kernels serve the `bvh` backend.

Source: Embree 4, `rtcore_common.h`, `rtcore_ray.h`, `rtcore_scene.h`, `rtcore_geometry.h`.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple

import llvmlite.binding as llvm
import numpy as np
from numba.core import types
from numpy.typing import NDArray

from tracer.errors import BackendError

MAJOR: Final = 4
"""The major version whose struct layouts are written here."""

INVALID: Final = 0xFFFFFFFF
SOLID_MASK: Final = 1
"""Ray mask bit of triangles that stop every ray."""
TESTED_MASK: Final = 2
"""Ray mask bit of triangles whose alpha decides (`MASK` and `BLEND`)."""
ANY_MASK: Final = SOLID_MASK | TESTED_MASK

SMALLEST: Final = 2.0**-30
LARGEST: Final = 2.0**60
"""Bounds on a scene's largest coordinate between which Embree sees what float64 sees, with room to spare."""

QUERY_INVOKE_FILTER: Final = 1 << 1
QUERY_COHERENT: Final = 1 << 16

_SCENE_DYNAMIC, _SCENE_ROBUST, _SCENE_FILTER_IN_ARGUMENTS = 1 << 0, 1 << 2, 1 << 3
_QUALITY_LOW, _QUALITY_REFIT = 0, 3
_GEOMETRY_TRIANGLE, _BUFFER_INDEX, _BUFFER_VERTEX, _FLOAT3, _UINT3 = 0, 0, 1, 0x9003, 0x5003
_PROPERTY_VERSION, _PROPERTY_RAY8, _PROPERTY_RAY16 = 0, 33, 34

_POINTER, _UNSIGNED, _SIZE, _INT = ctypes.c_void_p, ctypes.c_uint, ctypes.c_size_t, ctypes.c_int
_PROTOTYPES: Final[dict[str, tuple[Any, ...]]] = {
    "rtcNewDevice": (_POINTER, ctypes.c_char_p),
    "rtcReleaseDevice": (None, _POINTER),
    "rtcGetDeviceProperty": (ctypes.c_ssize_t, _POINTER, _INT),
    "rtcGetDeviceError": (_INT, _POINTER),
    "rtcNewScene": (_POINTER, _POINTER),
    "rtcReleaseScene": (None, _POINTER),
    "rtcSetSceneFlags": (None, _POINTER, _INT),
    "rtcSetSceneBuildQuality": (None, _POINTER, _INT),
    "rtcCommitScene": (None, _POINTER),
    "rtcNewGeometry": (_POINTER, _POINTER, _INT),
    "rtcReleaseGeometry": (None, _POINTER),
    "rtcGetGeometry": (_POINTER, _POINTER, _UNSIGNED),
    "rtcSetGeometryBuildQuality": (None, _POINTER, _INT),
    "rtcSetGeometryMask": (None, _POINTER, _UNSIGNED),
    "rtcUpdateGeometryBuffer": (None, _POINTER, _INT, _UNSIGNED),
    "rtcSetNewGeometryBuffer": (_POINTER, _POINTER, _INT, _UNSIGNED, _INT, _SIZE, _SIZE),
    "rtcSetSharedGeometryBuffer": (None, _POINTER, _INT, _UNSIGNED, _INT, _POINTER, _SIZE, _SIZE, _SIZE),
    "rtcCommitGeometry": (None, _POINTER),
    "rtcAttachGeometryByID": (None, _POINTER, _POINTER, _UNSIGNED),
    "rtcIntersect1": (None, _POINTER, _POINTER, _POINTER),
    "rtcIntersect16": (None, _POINTER, _POINTER, _POINTER, _POINTER),
    "rtcOccluded1": (None, _POINTER, _POINTER, _POINTER),
    "rtcOccluded16": (None, _POINTER, _POINTER, _POINTER, _POINTER),
}
_ERRORS: Final = (
    "none",
    "unknown",
    "invalid argument",
    "invalid operation",
    "out of memory",
    "unsupported processor",
    "cancelled",
)
_LIBRARY_PATTERNS: Final = (
    "../embreex.libs/libembree4*.so*",  # auditwheel, Linux
    ".dylibs/libembree4*.dylib",  # delocate, macOS
    "../embreex.libs/embree4*.dll",  # delvewheel, Windows
    "embree4*.dll",
    "*embree4*",
)


class Info(NamedTuple):
    """What `posed doctor` prints about Embree: its version, the instruction set it chose, its library, its
    configuration."""

    version: str
    isa: str
    path: str
    config: str


def library_path() -> Path:
    """Find the Embree library in the embreex wheel of this interpreter.

    Raises
    ------
    BackendError
        Where embreex is not installed, or holds no Embree 4.
    """
    try:
        import embreex
    except ImportError as error:
        raise BackendError(
            "the embree backend needs the package embreex, which is not installed here: `pip install embreex` "
            "(Linux x86-64, macOS, Windows x86-64), or choose the backend bvh"
        ) from error
    folder = Path(embreex.__file__).parent
    for pattern in _LIBRARY_PATTERNS:
        for path in sorted(folder.glob(pattern)):
            return path.resolve()
    raise BackendError(f"embreex in {folder} holds no Embree {MAJOR} library: reinstall it, or choose the backend bvh")


def is_installed() -> bool:
    """Say whether embreex is here, without loading its library."""
    return importlib.util.find_spec("embreex") is not None


@functools.cache
def library() -> ctypes.CDLL:
    """Load the library and declare the functions used here."""
    loaded = ctypes.CDLL(str(library_path()))
    for name, (result, *arguments) in _PROTOTYPES.items():
        try:
            function = getattr(loaded, name)
        except AttributeError as error:
            raise BackendError(f"{library_path().name} has no function {name}: expected Embree {MAJOR}") from error
        function.restype, function.argtypes = result, arguments
    return loaded


def device() -> int:
    """Give the process's Embree device, configured by the environment variable `POSED_EMBREE` (such as `isa=avx2`).

    Raises
    ------
    BackendError
        Where embreex is missing, is another version, or lays out its structs in another way than written here.
    """
    return _device(os.environ.get("POSED_EMBREE", ""))


INSTRUCTION_SETS: Final = ("sse", "sse2", "sse3", "ssse3", "sse4.1", "sse4.2", "avx", "avxi", "avx2", "avx512")
"""What `isa` and `max_isa` may name: for any other word Embree takes the smallest, and says nothing."""


@functools.cache
def _device(config: str) -> int:
    for option in config.split(","):
        name, _, value = (part.strip() for part in option.partition("="))
        if name in ("isa", "max_isa") and value not in INSTRUCTION_SETS:
            known = ", ".join(INSTRUCTION_SETS)
            raise BackendError(f"POSED_EMBREE={config!r} names no instruction set of Embree's: {name} may be {known}")
    handle = library().rtcNewDevice(config.encode())
    if not handle:
        error = _ERRORS[library().rtcGetDeviceError(None)]
        raise BackendError(
            f"Embree made no device with POSED_EMBREE={config!r} ({error}): expected something like isa=avx2"
        )
    version = library().rtcGetDeviceProperty(handle, _PROPERTY_VERSION)
    if version // 10000 != MAJOR:
        raise BackendError(f"embreex ships Embree {_dotted(version)}, expected {MAJOR}: install embreex 4.4 or newer")
    _check_layout(handle)
    return int(handle)


def info() -> Info:
    """Say which Embree this process uses (see `Info`)."""
    handle, get = device(), library().rtcGetDeviceProperty
    widest = "avx512" if get(handle, _PROPERTY_RAY16) else "avx" if get(handle, _PROPERTY_RAY8) else "sse"
    config = os.environ.get("POSED_EMBREE", "")
    chosen = [option.partition("=")[2] for option in config.split(",") if option.strip().startswith("isa=")]
    return Info(_dotted(get(handle, _PROPERTY_VERSION)), chosen[0] if chosen else widest, str(library_path()), config)


@dataclass(eq=False)
class EmbreeScene:
    """Triangles in an Embree scene: those that stop every ray in geometry 0, those whose alpha decides in geometry 1.

    Attributes
    ----------
    handle
        Address of the scene; 0 when released.
    order
        (F',) uint32: triangle of the caller by Embree index; the index counts through geometry 0, then geometry 1.
    solid_count
        How many of them lie in geometry 0.
    """

    handle: int
    order: NDArray[np.uint32]
    solid_count: int
    _vertices: NDArray[np.float32]

    def move(self, positions: NDArray[np.float32]) -> None:
        """Move the vertices, (V, 3) float32 as in `build`, and refit the tree: its boxes change, its shape stays.

        It finds what a tree built anew finds; after large movements more slowly.
        """
        embree = library()
        self._vertices[:-1] = positions.ravel()
        for number, count in enumerate((self.solid_count, len(self.order) - self.solid_count)):
            if count:
                geometry = embree.rtcGetGeometry(self.handle, number)
                embree.rtcUpdateGeometryBuffer(geometry, _BUFFER_VERTEX, 0)
                embree.rtcCommitGeometry(geometry)
        embree.rtcCommitScene(self.handle)
        _check(len(self.order))

    def release(self) -> None:
        """Give the scene's memory back; a second call does nothing."""
        if self.handle:
            library().rtcReleaseScene(self.handle)
            self.handle = 0

    def __enter__(self) -> EmbreeScene:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def holds(positions: NDArray[np.float32]) -> bool:
    """Say whether Embree's float32 can trace a scene of these vertices, (V, 3), or of none.

    It drops vertices beyond 1.8e18, and products of lengths, which it forms of three at a time, leave float32's range
    where a whole scene is smaller than some 1e-12.
    """
    largest = float(np.abs(positions).max(initial=0.0))
    return largest == 0.0 or SMALLEST <= largest <= LARGEST


def build(positions: NDArray[np.float32], triangles: NDArray[np.uint32], tested: NDArray[np.bool_]) -> EmbreeScene:
    """Build a scene for robust, watertight traversal, whose vertices `move` may move.

    Embree refits only with scene quality LOW, scene flag DYNAMIC and geometry quality REFIT together; the tree is that
    of a surface area heuristic all the same, as quick to build and to trace as that of a still scene.

    Parameters
    ----------
    positions
        (V, 3) float32; copied into a buffer that both geometries share and that Embree may read 16 bytes at a time.
    triangles
        (F, 3) uint32.
    tested
        (F,) bool: triangles of the second geometry.
    """
    embree, handle = library(), device()
    vertices = np.zeros(3 * len(positions) + 1, np.float32)
    vertices[:-1] = positions.ravel()
    order = np.concatenate([np.flatnonzero(~tested), np.flatnonzero(tested)]).astype(np.uint32)
    solid_count = len(triangles) - int(np.count_nonzero(tested))
    scene = embree.rtcNewScene(handle)
    embree.rtcSetSceneFlags(scene, _SCENE_DYNAMIC | _SCENE_ROBUST | _SCENE_FILTER_IN_ARGUMENTS)
    embree.rtcSetSceneBuildQuality(scene, _QUALITY_LOW)
    for number, (chosen, mask) in enumerate(((order[:solid_count], SOLID_MASK), (order[solid_count:], TESTED_MASK))):
        if not len(chosen):
            continue
        geometry = embree.rtcNewGeometry(handle, _GEOMETRY_TRIANGLE)
        embree.rtcSetGeometryBuildQuality(geometry, _QUALITY_REFIT)
        address = vertices.ctypes.data
        embree.rtcSetSharedGeometryBuffer(geometry, _BUFFER_VERTEX, 0, _FLOAT3, address, 0, 12, len(positions))
        indices = np.ascontiguousarray(triangles[chosen])
        buffer = embree.rtcSetNewGeometryBuffer(geometry, _BUFFER_INDEX, 0, _UINT3, 12, len(indices))
        if buffer:
            ctypes.memmove(buffer, indices.ctypes.data, indices.nbytes)
        embree.rtcSetGeometryMask(geometry, mask)
        embree.rtcCommitGeometry(geometry)
        embree.rtcAttachGeometryByID(scene, geometry, number)
        embree.rtcReleaseGeometry(geometry)
    embree.rtcCommitScene(scene)
    built = EmbreeScene(int(scene), order, solid_count, vertices)
    try:
        _check(len(triangles))
    except BackendError:
        built.release()
        raise
    return built


def _check(triangles: int) -> None:
    """Raise what Embree has refused since the last look."""
    failure = library().rtcGetDeviceError(device())
    if failure:
        raise BackendError(f"Embree could not build a scene of {triangles} triangles: {_ERRORS[failure]}")


def _dotted(version: int) -> str:
    return f"{version // 10000}.{version // 100 % 100}.{version % 100}"


def _check_layout(handle: int) -> None:
    """Trace one ray whose answer is known, alone and as one of sixteen, and read it where the kernels will."""
    embree = library()
    positions = np.array([[0, 0, -2], [1, 0, -2], [0, 1, -2], [0, 0, 0]], np.float32)
    scene = embree.rtcNewScene(handle)
    geometry = embree.rtcNewGeometry(handle, _GEOMETRY_TRIANGLE)
    embree.rtcSetSharedGeometryBuffer(geometry, _BUFFER_VERTEX, 0, _FLOAT3, positions.ctypes.data, 0, 12, 3)
    indices = np.array([0, 1, 2], np.uint32)
    ctypes.memmove(embree.rtcSetNewGeometryBuffer(geometry, _BUFFER_INDEX, 0, _UINT3, 12, 1), indices.ctypes.data, 12)
    embree.rtcCommitGeometry(geometry)
    embree.rtcAttachGeometryByID(scene, geometry, 7)
    embree.rtcReleaseGeometry(geometry)
    embree.rtcCommitScene(scene)
    #         origin and tnear    direction, time    tfar, mask, id, flags
    words = (0.25, 0.5, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, np.inf)
    for width in (1, 16):
        raw = np.zeros(64 + 24 * width * 4, np.uint8)
        skip = -raw.ctypes.data % 64
        ray = raw[skip : skip + 24 * width * 4].view(np.float32).reshape(24, width)
        bits = ray.view(np.uint32)
        for word, value in enumerate(words):
            ray[word] = value
        bits[9] = bits[17:21] = INVALID
        if width == 1:
            embree.rtcIntersect1(scene, ray.ctypes.data, None)
        else:
            valid_raw = np.full(32, -1, np.int32)
            embree.rtcIntersect16(valid_raw.ctypes.data + -valid_raw.ctypes.data % 64, scene, ray.ctypes.data, None)
        found = [float(ray[word, -1]) for word in (8, 15, 16)] + [int(bits[word, -1]) for word in (17, 18)]
        expected = [2.0, 0.25, 0.5, 0, 7]
        if not np.allclose(
            found, expected, rtol=2.0**-20, atol=0.0
        ):  # sse2 and avx2 divide by an approximate reciprocal
            raise BackendError(
                f"Embree {library_path().name} answers a known ray of {width} with t, u, v, triangle, geometry = "
                f"{found}, expected {expected}: its struct layout is another one; install embreex 4.4, or choose the "
                "backend bvh"
            )
    embree.rtcReleaseScene(scene)


def _register() -> None:
    """Make the queries known to numba's linker under names of our own, which cached kernels refer to."""
    try:
        loaded: ctypes.CDLL | None = library()
    except BackendError:
        loaded = None
    for name in ("rtcIntersect1", "rtcIntersect16", "rtcOccluded1", "rtcOccluded16"):
        function = ctypes.pythonapi.Py_IsInitialized if loaded is None else getattr(loaded, name)
        llvm.add_symbol(f"posed_{name}", ctypes.cast(function, _POINTER).value)


_register()
rtc_intersect1: Any = types.ExternalFunction("posed_rtcIntersect1", types.void(*3 * (types.uintp,)))
rtc_intersect16: Any = types.ExternalFunction("posed_rtcIntersect16", types.void(*4 * (types.uintp,)))
rtc_occluded1: Any = types.ExternalFunction("posed_rtcOccluded1", types.void(*3 * (types.uintp,)))
rtc_occluded16: Any = types.ExternalFunction("posed_rtcOccluded16", types.void(*4 * (types.uintp,)))
