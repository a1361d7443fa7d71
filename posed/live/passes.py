"""Passes: which layers are written together, in which formats, and the pipelines that write them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from posed.errors import PosedError
from posed.live import layout, shaders
from posed.live.device import Gpu
from posed.live.readback import texel_bytes

DEPTH_FORMAT = "depth32float"


INFINITE = 0x7F800000
"""The bits of float32's infinity."""


class Held(NamedTuple):
    """What a target has of a layer: `channels` from its own `first` on, which are the layer's from `to` on."""

    layer: str
    first: int
    channels: int
    to: int = 0


class Target(NamedTuple):
    """A texture that passes write: its format, what it holds of layers, as float32 or the bits of it, and its channels
    where nothing is seen.

    Pairs of numbers were the fastest on llvmpipe, which clears and writes four at once, or each alone, in more time.
    """

    name: str
    form: str
    held: tuple[Held, ...]
    miss: tuple[int, int, int, int] = (0, 0, 0, 0)


@dataclass(frozen=True)
class Pass:
    """One walk over the geometry.

    `targets` are in the order of the fragment stage's outputs. `normals` says that a layer needs the triangles' own
    normals at parts whose file has none, `numbered` that one needs their numbers. `moving` says that the vertex stage
    poses the snapshot before as well, `keeps_depth` that a later pass asks for its depth.
    """

    name: str
    targets: tuple[Target, ...]
    normals: bool = False
    numbered: bool = False
    moving: bool = False
    keeps_depth: bool = False

    @property
    def layers(self) -> frozenset[str]:
        """The layers that it writes."""
        return frozenset(held.layer for target in self.targets for held in target.held)

    @property
    def bytes_per_sample(self) -> int:
        """Bytes that a sample's colors take; WebGPU guarantees 32."""
        return sum(texel_bytes(target.form) for target in self.targets)


NAMES = (
    Target("names", "rg32uint", (Held("object", 0, 1), Held("part", 1, 1))),
    Target("seen", "rg32uint", (Held("triangle", 0, 1), Held("depth", 1, 1)), (0, INFINITE, 0, 0)),
)
"""The layers that say what is seen, and how deep it lies."""

NORMAL_XY = Target("normal_xy", "rg32float", (Held("normal", 0, 2),))
NORMAL_Z = Target("normal_z", "r32float", (Held("normal", 0, 1, 2),))
FOLDED = Target("folded", "rg32float", (Held("geometric_normal", 0, 2),))
"""The triangles' own normals are two numbers here: see `folded` of layers.wgsl."""

Z_JOINT = Target("z_joint", "rg32uint", (Held("normal", 0, 1, 2), Held("joint", 1, 1)))
MOTION = Target("motion", "rg32float", (Held("motion", 0, 2),))

IDENTITY = Pass("identity", (*NAMES, NORMAL_XY, NORMAL_Z), normals=True, numbered=True)
REST = Pass("rest", (NORMAL_XY, Z_JOINT, MOTION, FOLDED), normals=True, numbered=True, moving=True)
NORMALS = Pass("normals", (NORMAL_XY, NORMAL_Z, FOLDED), normals=True)

PASSES: Mapping[Pass, frozenset[str]] = {
    IDENTITY: frozenset(held.layer for target in NAMES for held in target.held),
    REST: frozenset(("motion", "joint")),
    NORMALS: frozenset(("normal", "geometric_normal")),
}
"""The passes in the order in which they are chosen, each with the layers that it is for; others come with them. Every
pass tests depth on its own with the same positions, so that all of them see the same surfaces."""

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
    for one, reasons in PASSES.items():
        if wanted & reasons:
            chosen.append(one)
            wanted -= one.layers
    return tuple(chosen)


Places = Mapping[str, Sequence[tuple[Target, Held]]]
"""Which targets have each layer, or a part of it."""


def places_of(passes: Sequence[Pass]) -> Places:
    """Return where the layers are that `passes` write, each as the first one has it."""
    places: dict[str, list[tuple[Target, Held]]] = {}
    for one in passes:
        new = one.layers - set(places)
        for target in one.targets:
            for held in target.held:
                if held.layer in new:
                    places.setdefault(held.layer, []).append((target, held))
    return places


def vertex_kind(gpu: Gpu, one: Pass, *, flat: bool, kept: bool = False) -> str:
    """Return which vertex stage a pass draws a mesh with; see surface.wgsl.

    The mesh has no normals if it is `flat`; of its triangles only some are drawn if they are `kept`.
    """
    moving = ("moving",) if one.moving else ()
    if flat and one.normals:
        return "_".join((*(("kept",) if kept else ()), *moving, "flat"))
    if kept:
        return "_".join(("kept", *moving))
    apart = one.numbered and not gpu.adapter.primitive_index
    return "_".join((*moving, "apart")) if apart else "moving" if moving else "smooth"


KEPT = frozenset(("kept", "kept_flat", "kept_moving", "kept_moving_flat"))
"""Kinds that are told their corners, and their run of instances by a vertex buffer."""

UNSHARED = KEPT | {"flat", "moving_flat", "apart", "moving_apart"}
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
            "targets": [{"format": target.form} for target in one.targets],
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
