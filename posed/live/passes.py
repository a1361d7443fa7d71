"""Passes: which layers are written together, in which formats, and the pipelines that write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from posed.errors import PosedError
from posed.live import layout, shaders
from posed.live.device import Gpu
from posed.live.readback import texel_bytes

DEPTH_FORMAT = "depth32float"


@dataclass(frozen=True)
class Pass:
    """One walk over the geometry.

    `targets` are (layer, format) in the order of the fragment stage's outputs. `unshared` says that a layer needs to
    know the triangle's corners at every part, `normals` that it needs them at parts whose file has no normals. `moving`
    says that the vertex stage poses the snapshot before as well, `keeps_depth` that a later pass asks for its depth.
    """

    name: str
    targets: tuple[tuple[str, str], ...]
    unshared: bool = False
    normals: bool = False
    moving: bool = False
    keeps_depth: bool = False

    @property
    def bytes_per_sample(self) -> int:
        """Bytes that a sample's colors take; WebGPU guarantees 32."""
        return sum(texel_bytes(form) for _, form in self.targets)


IDENTITY = Pass(
    "identity",
    (
        ("object", "r32uint"),
        ("part", "r32uint"),
        ("triangle", "r32uint"),
        ("depth", "r32float"),
        ("normal", "rgba32float"),
    ),
    normals=True,
)

PASSES = (
    IDENTITY,
    Pass("shape", (("geometric_normal", "rgba32float"), ("position", "rgba32float")), unshared=True),
    Pass("movement", (("motion", "rg32float"),), moving=True),
    Pass("binding", (("joint", "r32uint"),), unshared=True),
)
"""Every pass tests depth on its own with the same positions, so that all of them see the same surfaces."""

ALL_LAYERS = ("color", *(layer for one in PASSES for layer, _ in one.targets))
"""What the live renderer writes; color by passes of its own."""

DEFAULT_LAYERS = ("object", "part", "triangle", "depth", "normal")
"""What `render` gives when no layers are named."""


def passes_for(layers: Sequence[str]) -> tuple[Pass, ...]:
    """Return the passes that write `layers`.

    Raises
    ------
    PosedError
        The live renderer does not write one of them.
    """
    unknown = [layer for layer in layers if layer not in ALL_LAYERS]
    if unknown:
        raise PosedError(f'the live renderer writes no layer "{unknown[0]}": it has {", ".join(ALL_LAYERS)}')
    return tuple(one for one in PASSES if any(layer in layers for layer, _ in one.targets))


@cache
def pipeline(gpu: Gpu, one: Pass, kind: str) -> Any:
    """Return the pipeline of a pass for ``"shared"``, ``"moving"`` (both indexed) or ``"unshared"`` triangles."""
    layouts = layout.layouts(gpu)
    device = gpu.device
    module = _module(gpu, gpu.adapter.primitive_index)
    return device.create_render_pipeline(
        label=f"{kind} {one.name}",
        layout=device.create_pipeline_layout(bind_group_layouts=[layouts.frame, layouts.page, layouts.materials]),
        vertex={"module": module, "entry_point": f"{kind}_vertex", "buffers": []},
        primitive={"topology": "triangle-list", "front_face": "ccw", "cull_mode": "none"},
        depth_stencil={"format": DEPTH_FORMAT, "depth_write_enabled": True, "depth_compare": "greater"},
        fragment={
            "module": module,
            "entry_point": f"{kind}_{one.name}",
            "targets": [{"format": form} for _, form in one.targets],
        },
    )


@cache
def reading_pipeline(gpu: Gpu) -> Any:
    """Return the compute pipeline that reads posed vertices back."""
    layouts = layout.layouts(gpu)
    code = shaders.source("frame", "geometry", "skinning", "read_vertices")
    return gpu.device.create_compute_pipeline(
        label="read vertices",
        layout=gpu.device.create_pipeline_layout(bind_group_layouts=[layouts.frame, layouts.page, layouts.reading]),
        compute={"module": gpu.device.create_shader_module(code=code), "entry_point": "read_vertices"},
    )


@cache
def _module(gpu: Gpu, primitive_index: bool) -> Any:
    names = ["frame", "geometry", "skinning", "material", "surface", "seen", "layers", "joints"]
    if primitive_index:
        names.append("primitive_index")
    return gpu.device.create_shader_module(label="layers", code=shaders.source(*names))
