"""The graphics device: one per adapter and process, opened with exactly WebGPU's default limits."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from posed.errors import MissingError

DEFAULT_LIMITS: Mapping[str, int] = {
    "max-texture-dimension-1d": 8192,
    "max-texture-dimension-2d": 8192,
    "max-texture-dimension-3d": 2048,
    "max-texture-array-layers": 256,
    "max-bind-groups": 4,
    "max-bindings-per-bind-group": 1000,
    "max-dynamic-uniform-buffers-per-pipeline-layout": 8,
    "max-dynamic-storage-buffers-per-pipeline-layout": 4,
    "max-sampled-textures-per-shader-stage": 16,
    "max-samplers-per-shader-stage": 16,
    "max-storage-buffers-per-shader-stage": 8,
    "max-storage-textures-per-shader-stage": 4,
    "max-uniform-buffers-per-shader-stage": 12,
    "max-uniform-buffer-binding-size": 65536,
    "max-storage-buffer-binding-size": 134217728,
    "min-uniform-buffer-offset-alignment": 256,
    "min-storage-buffer-offset-alignment": 256,
    "max-vertex-buffers": 8,
    "max-buffer-size": 268435456,
    "max-vertex-attributes": 16,
    "max-vertex-buffer-array-stride": 2048,
    "max-inter-stage-shader-variables": 16,
    "max-color-attachments": 8,
    "max-color-attachment-bytes-per-sample": 32,
    "max-compute-workgroup-storage-size": 16384,
    "max-compute-invocations-per-workgroup": 256,
    "max-compute-workgroup-size-x": 256,
    "max-compute-workgroup-size-y": 256,
    "max-compute-workgroup-size-z": 64,
    "max-compute-workgroups-per-dimension": 65535,
}
"""Limits that every WebGPU adapter must reach (WebGPU, section 3.6.2). wgpu-native does not report the count of bind
groups plus vertex buffers, so that one is left to it."""

LARGEST_KEPT = (1 << 25) - (1 << 16)
"""Bytes that are taken and given back once before a processor draws.

From then on glibc keeps what its threads give back, up to twice as much (malloc's dynamic threshold, which follows
blocks below 32 MiB). A driver's thread gives the vertices of every frame back, and else has their pages cleared anew in
the next one: 1 of the 18 ms of processor time that a character's frame takes.
"""

PRIMITIVE_INDEX = "primitive-index"
"""The optional feature that numbers triangles in the fragment stage."""

TIMESTAMPS = "timestamp-query"
"""The optional feature that says how long the device took; benchmarks use it."""

CURE = "install a Vulkan driver: sudo apt-get install mesa-vulkan-drivers (Debian) brings one that needs no GPU"


@dataclass(frozen=True)
class Adapter:
    """What an adapter says of itself: `name`, `driver`, `backend` (Vulkan, Metal, D3D12), `kind` (CPU, DiscreteGPU...).

    `short_of` names the default limits that it does not reach; with any, the live renderer refuses it.
    """

    name: str
    driver: str
    backend: str
    kind: str
    primitive_index: bool
    short_of: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Gpu:
    """An open device with its queue and the adapter it belongs to."""

    adapter: Adapter
    device: Any

    @property
    def queue(self) -> Any:
        """The device's queue."""
        return self.device.queue


def list_adapters() -> tuple[Adapter, ...]:
    """Return what each adapter of this machine says of itself, in the order the driver loader reports them."""
    return tuple(_describe(adapter) for adapter in _adapters())


def open_gpu(adapter: str | None = None) -> Gpu:
    """Return the process's device on an adapter; the same one for the same adapter.

    Parameters
    ----------
    adapter
        Part of an adapter's name or driver, in any case; by default POSED_ADAPTER, else the first GPU, else the first
        adapter of any kind.

    Raises
    ------
    MissingError
        There is no adapter, none has such a name, or the chosen one is below WebGPU's default limits.
    """
    wanted = adapter if adapter is not None else os.environ.get("POSED_ADAPTER", "")
    return _open(_choose(list_adapters(), wanted))


def _choose(found: tuple[Adapter, ...], wanted: str) -> int:
    """Return the index of the adapter that `wanted` names."""
    if not found:
        raise MissingError(f"no graphics adapter was found: {CURE}")
    named = [i for i, one in enumerate(found) if wanted.lower() in f"{one.name} {one.driver}".lower()]
    if not named:
        names = ", ".join(f'"{one.name}"' for one in found)
        raise MissingError(f'no adapter\'s name holds "{wanted}": this machine has {names}; choose one, or {CURE}')
    chosen = min(named, key=lambda i: (found[i].kind == "CPU", i))
    one = found[chosen]
    if one.short_of:
        raise MissingError(
            f'adapter "{one.name}" is below WebGPU\'s default limits ({", ".join(one.short_of)}): '
            f"choose another one, or {CURE}"
        )
    return chosen


@cache
def _adapters() -> tuple[Any, ...]:
    """Return wgpu's adapters on the first-class back ends; OpenGL lacks what the passes need."""
    import wgpu

    with _runtime_folder():
        found = wgpu.gpu.enumerate_adapters_sync()
    return tuple(one for one in found if one.info["backend_type"] not in {"OpenGL", "OpenGLES", "Null"})


@contextmanager
def _runtime_folder() -> Iterator[None]:
    """Name some XDG_RUNTIME_DIR meanwhile: without one, Mesa's window system probe complains on standard error."""
    if "XDG_RUNTIME_DIR" in os.environ:
        yield
        return
    os.environ["XDG_RUNTIME_DIR"] = os.path.sep
    try:
        yield
    finally:
        del os.environ["XDG_RUNTIME_DIR"]


def _describe(adapter: Any) -> Adapter:
    info = adapter.info
    return Adapter(
        name=info["device"],
        driver=info["description"],
        backend=info["backend_type"],
        kind=info["adapter_type"],
        primitive_index=PRIMITIVE_INDEX in adapter.features,
        short_of=_below(adapter.limits),
    )


def _below(limits: Mapping[str, int]) -> tuple[str, ...]:
    """Return "limit: found, needed" for each default limit that `limits` do not reach."""
    short = []
    for name, needed in DEFAULT_LIMITS.items():
        found = limits[name]
        if found > needed if name.startswith("min-") else found < needed:
            short.append(f"{name} is {found}, needed {needed}")
    return tuple(short)


@cache
def _open(index: int) -> Gpu:
    adapter = _adapters()[index]
    described = _describe(adapter)
    if described.kind == "CPU":
        np.empty(LARGEST_KEPT, np.uint8)
    device = adapter.request_device_sync(
        label="posed",
        required_features=[one for one in (PRIMITIVE_INDEX, TIMESTAMPS) if one in adapter.features],
        required_limits=dict(DEFAULT_LIMITS),
    )
    return Gpu(described, device)
