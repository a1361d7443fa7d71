"""The color layer: shadow maps, every surface shaded by the `direct` model, the sky, and what is seen through."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from posed.frame import ShadowBand
from posed.live import layout, shaders
from posed.live.device import Gpu
from posed.live.draws import Draw, DrawRecorder
from posed.live.instances import Shown
from posed.live.lights import pack_shine
from posed.live.panoramas import Panoramas
from posed.live.passes import DEPTH_FORMAT, NAMES, UNSHARED, Held, Pass, Target, vertex_stage
from posed.live.shading import Counts, Shading
from posed.live.shadows import Shadows
from posed.live.targets import Targets
from posed.live.through import Lit, Through
from posed.scene.lights import Environment, Light

FORMAT = "rgba32float"

_EVERYTHING = 0xF
"""All channels of a target (WebGPU, section 10.3.6)."""

COLOR = Pass(
    "color",
    (
        Target("red_green", "rg32float", (Held("color", 0, 2),)),
        Target("blue_alpha", "rg32float", (Held("color", 0, 2, 2),)),
    ),
    normals=True,
)
"""Where nothing is seen through."""

NAMED = Pass("named", (*COLOR.targets, *NAMES), normals=True, numbered=True)
"""The same with the layers that name what is seen and how deep it lies: the vertices are posed once for all of them."""

OPAQUE = Pass("opaque", (Target("opaque", FORMAT, (Held("opaque", 0, 4),)),), normals=True, keeps_depth=True)
"""What lies behind what is seen through."""

BLENDED = Pass("blended", (Target("color", FORMAT, (Held("color", 0, 4),)),))
"""Both together."""


@dataclass(frozen=True, eq=False)
class Lighting:
    """What shines on a frame: lights and environment in the world, and whether the environment is its background."""

    lights: Sequence[Light] = ()
    environment: Environment = field(default_factory=Environment)
    transparent: bool = False


def merges(layers: Collection[str], draws: Sequence[Draw]) -> bool:
    """Say whether color and some other of `layers` may come from `NAMED`.

    Geometry layers see blended and transmissive surfaces as solid, which color does not.
    """
    return (
        "color" in layers
        and bool(NAMED.layers & (set(layers) - {"color"}))
        and not any(draw.look.through for draw in draws)
    )


def color_pass(draws: Sequence[Draw], *, named: bool) -> Pass:
    """Return the pass that writes the color of `draws`, which is `named` where that `merges`."""
    if any(draw.look.through for draw in draws):
        return BLENDED
    return NAMED if named else COLOR


class Color:
    """Draws the color layer on a device."""

    def __init__(self, gpu: Gpu) -> None:
        import wgpu

        usage = wgpu.BufferUsage
        self._gpu = gpu
        self._shadows, self._panoramas, self._through = Shadows(gpu), Panoramas(gpu), Through(gpu)
        self._shine = gpu.device.create_buffer(size=layout.SHINE.itemsize, usage=usage.UNIFORM | usage.COPY_DST)
        self._bindings = layout.Bindings(gpu, layout.layouts(gpu).shine)
        self._nothing = layout.bind(gpu, layout.layouts(gpu).nothing)

    def cast(
        self, encoder: Any, frame_group: Any, shown: Shown, size: tuple[int, int], lighting: Lighting
    ) -> tuple[Any, Lit, tuple[ShadowBand, ...]]:
        """Record what is shown into the shadow maps that are to be drawn again, and submit it: the device draws them
        while the rest of the frame is recorded.

        Returns
        -------
        encoder
            What to record further passes with: another one where this was submitted.
        lit
            What shines on the frame.
        shadows
            How far the edges of the shadows may be off.

        Raises
        ------
        PosedError
            There are more lights or shadows than a frame takes.
        """
        shine = pack_shine(lighting.lights, lighting.environment, shown.origin)
        casts, bands = self._shadows.fit(lighting.lights, shown, size, shine)
        self._gpu.queue.write_buffer(self._shine, 0, shine)
        if self._shadows.encode(encoder, frame_group, casts):
            self._gpu.queue.submit([encoder.finish()])
            encoder = self._gpu.device.create_command_encoder()
        resources = self._shine, self._shadows.view, self._panoramas.view(lighting.environment)
        return encoder, Lit(resources, Counts.of(shine)), bands

    def encode(
        self,
        encoder: Any,
        targets: Targets,
        frame_group: Any,
        draws: Sequence[Draw],
        lit: Lit,
        *,
        named: bool,
        sky: bool,
    ) -> Any:
        """Record the passes of the color layer, and with `named` those of the other layers of `NAMED`.

        With `sky`, the environment is behind everything.

        Returns
        -------
        encoder
            What to record further passes with: another one where this was submitted.

        Raises
        ------
        PosedError
            There are more surfaces behind each other than a frame takes.
        """
        through = [draw for draw in draws if draw.look.through]
        one = OPAQUE if through else color_pass(draws, named=named)
        render = encoder.begin_render_pass(**targets.attachments(one))
        opaque = [draw for draw in draws if not draw.look.through]
        self._draw(render, one, frame_group, lit, opaque, sky=sky)
        render.end()
        if through:
            behind, color = targets.view(OPAQUE.targets[0]), targets.view(BLENDED.targets[0])
            encoder = self._through.draw(encoder, targets, frame_group, lit, through, behind, color)
        return encoder

    def _draw(self, render: Any, one: Pass, frame_group: Any, lit: Lit, draws: Sequence[Draw], *, sky: bool) -> None:
        """Record what is opaque and the sky behind it."""
        recorder = DrawRecorder(render, frame_group)
        render.set_bind_group(3, self._bindings.group(*lit.resources))
        for draw in draws:
            kind = draw.kind(self._gpu, one)
            pipeline = _pipeline(self._gpu, one, kind, Shading.of(draw.look, lit.counts), draw.hidden)
            recorder.record(draw, pipeline, unshared=kind in UNSHARED)
        if sky:
            render.set_pipeline(_sky_pipeline(self._gpu, one))
            render.set_bind_group(1, self._nothing)
            render.set_bind_group(2, self._nothing)
            render.draw(3)


@cache
def _pipeline(gpu: Gpu, one: Pass, kind: str, shading: Shading, hidden: str) -> Any:
    layouts, module = layout.layouts(gpu), _module(gpu)
    entries = {"opaque": "shade_opaque", "color": "shade_color"}
    named = "shade_named_unshared" if kind in UNSHARED else "shade_named_shared"
    return gpu.device.create_render_pipeline(
        label=f"{kind} {one.name}",
        layout=gpu.device.create_pipeline_layout(
            bind_group_layouts=[layouts.frame, layouts.page, layouts.materials, layouts.shine]
        ),
        vertex=vertex_stage(module, kind),
        primitive={"topology": "triangle-list", "front_face": "ccw", "cull_mode": hidden},
        depth_stencil={"format": DEPTH_FORMAT, "depth_write_enabled": True, "depth_compare": "greater"},
        fragment={
            "module": module,
            "entry_point": entries.get(one.name, named),
            "constants": shading.constants,
            "targets": [{"format": target.form} for target in one.targets],
        },
    )


@cache
def _sky_pipeline(gpu: Gpu, one: Pass) -> Any:
    layouts, module = layout.layouts(gpu), _module(gpu)
    colors = len((OPAQUE if one is OPAQUE else COLOR).targets)
    masks = [_EVERYTHING] * colors + [0] * (len(one.targets) - colors)
    targets = [{"format": to.form, "write_mask": mask} for to, mask in zip(one.targets, masks, strict=True)]
    return gpu.device.create_render_pipeline(
        label="sky",
        layout=gpu.device.create_pipeline_layout(
            bind_group_layouts=[layouts.frame, layouts.nothing, layouts.nothing, layouts.shine]
        ),
        vertex={"module": module, "entry_point": "sky_vertex"},
        primitive={"topology": "triangle-list"},
        depth_stencil={"format": DEPTH_FORMAT, "depth_write_enabled": False, "depth_compare": "equal"},
        fragment={"module": module, "entry_point": "show_sky" if colors > 1 else "show_sky_whole", "targets": targets},
    )


@cache
def _module(gpu: Gpu) -> Any:
    names = [*shaders.SHADING, "shade", "sky"]
    if gpu.adapter.primitive_index:
        names.append("shade_shared")
    return gpu.device.create_shader_module(label="color", code=shaders.source(*names))
