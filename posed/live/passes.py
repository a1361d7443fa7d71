"""Passes: which layers are written together, in which formats, and the pipelines that write them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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

    `targets` are (layer, format) in the order of the fragment stage's outputs. `normals` says that a layer needs the
    triangles' own normals at parts whose file has none, `numbered` that one needs their numbers. `moving` says that the
    vertex stage poses the snapshot before as well, `keeps_depth` that a later pass asks for its depth.
    """

    name: str
    targets: tuple[tuple[str, str], ...]
    normals: bool = False
    numbered: bool = False
    moving: bool = False
    keeps_depth: bool = False

    @property
    def layers(self) -> frozenset[str]:
        """The layers that it writes."""
        return frozenset(layer for layer, _ in self.targets)

    @property
    def bytes_per_sample(self) -> int:
        """Bytes that a sample's colors take; WebGPU guarantees 32."""
        return sum(texel_bytes(form) for _, form in self.targets)


NAMES = (("object", "r32uint"), ("part", "r32uint"), ("triangle", "r32uint"), ("depth", "r32float"))
"""The layers that say what is seen, and how deep it lies."""

IDENTITY = Pass("identity", (*NAMES, ("normal", "rgba32float")), normals=True, numbered=True)

PASSES = (
    IDENTITY,
    Pass("normals", (("normal", "rgba32float"), ("geometric_normal", "rgba32float")), normals=True),
    Pass("places", (("motion", "rg32float"), ("joint", "r32uint")), numbered=True, moving=True),
)
"""Every pass tests depth on its own with the same positions, so that all of them see the same surfaces."""

MADE_OF: Mapping[str, str] = {"position": "depth"}
"""Layers that are worked out from others after they are read."""

ALL_LAYERS = (
    "color",
    "object",
    "part",
    "triangle",
    "depth",
    "normal",
    "geometric_normal",
    "position",
    "motion",
    "joint",
)
"""What the live renderer writes; color by passes of its own."""

DEFAULT_LAYERS = ("color", "object", "part", "triangle", "depth", "normal")
"""What `render` gives when no layers are named."""


def drawn_layers(layers: Sequence[str]) -> tuple[str, ...]:
    """Return the layers that are drawn so that there are `layers`, each once.

    Raises
    ------
    PosedError
        The live renderer does not write one of them.
    """
    unknown = [layer for layer in layers if layer not in ALL_LAYERS]
    if unknown:
        raise PosedError(f'the live renderer writes no layer "{unknown[0]}": it has {", ".join(ALL_LAYERS)}')
    return tuple(dict.fromkeys(MADE_OF.get(layer, layer) for layer in layers))


def passes_for(layers: Collection[str]) -> tuple[Pass, ...]:
    """Return the passes that write `layers`, color aside; one that another pass writes too does not ask for a pass."""
    chosen: list[Pass] = []
    wanted = set(layers) - {"color"}
    for one in PASSES:
        # A normal alone is no reason for the names.
        if wanted & (one.layers - {"normal"} if one is IDENTITY else one.layers):
            chosen.append(one)
            wanted -= one.layers
    return tuple(chosen)


def vertex_kind(gpu: Gpu, one: Pass, *, flat: bool, kept: bool = False) -> str:
    """Return which vertex stage a pass draws a mesh with; see surface.wgsl.

    The mesh has no normals if it is `flat`; of its triangles only some are drawn if they are `kept`.
    """
    if kept:
        return "kept_moving" if one.moving else "kept_flat" if flat and one.normals else "kept"
    apart = one.numbered and not gpu.adapter.primitive_index
    if one.moving:
        return "moving_apart" if apart else "moving"
    if flat and one.normals:
        return "flat"
    return "apart" if apart else "smooth"


KEPT = frozenset(("kept", "kept_flat", "kept_moving"))
"""Kinds that are told their corners, and their run of instances by a vertex buffer."""

UNSHARED = KEPT | {"flat", "apart", "moving_apart"}
"""Kinds whose triangles share nothing; the others are indexed."""


def vertex_stage(module: Any, kind: str) -> dict[str, Any]:
    """Return the vertex stage of a pipeline."""
    run = {
        "array_stride": 8,
        "step_mode": "instance",
        "attributes": [{"format": "uint32x2", "offset": 0, "shader_location": 0}],
    }
    return {"module": module, "entry_point": f"{kind}_vertex", "buffers": [run] if kind in KEPT else []}


@cache
def pipeline(gpu: Gpu, one: Pass, kind: str, textured: bool, cut: bool, hidden: str = "none") -> Any:
    """Return the pipeline of a pass for a kind of vertex stage and materials, and the side that is `hidden`."""
    layouts = layout.layouts(gpu)
    device = gpu.device
    module = _module(gpu, gpu.adapter.primitive_index)
    entry = one.name if not one.numbered else f"{one.name}_{'unshared' if kind in UNSHARED else 'shared'}"
    return device.create_render_pipeline(
        label=f"{kind} {one.name}",
        layout=device.create_pipeline_layout(bind_group_layouts=[layouts.frame, layouts.page, layouts.materials]),
        vertex=vertex_stage(module, kind),
        primitive={"topology": "triangle-list", "front_face": "ccw", "cull_mode": hidden},
        depth_stencil={"format": DEPTH_FORMAT, "depth_write_enabled": True, "depth_compare": "greater"},
        fragment={
            "module": module,
            "entry_point": entry,
            "constants": {"TEXTURED": float(textured), "CUT": float(cut)},
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
    names = ["frame", "geometry", "skinning", "material", "seen", "surface", "moving", "strongest", "layers"]
    if primitive_index:
        names.append("layers_shared")
    return gpu.device.create_shader_module(label="layers", code=shaders.source(*names))
