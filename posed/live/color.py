"""The color layer: shadow maps, every surface shaded by the `direct` model, the sky, and what is seen through."""

from __future__ import annotations

from collections.abc import Sequence
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
from posed.live.passes import DEPTH_FORMAT, Pass
from posed.live.shadows import Shadows
from posed.live.targets import Targets
from posed.live.through import Through
from posed.scene.lights import Environment, Light

FORMAT = "rgba32float"

COLOR = Pass("color", (("color", FORMAT),))
"""Where nothing is seen through."""

OPAQUE = Pass("opaque", (("opaque", FORMAT),), keeps_depth=True)
"""What lies behind what is seen through."""


@dataclass(frozen=True, eq=False)
class Lighting:
    """What shines on a frame: lights and environment in the world, and whether the environment is its background."""

    lights: Sequence[Light] = ()
    environment: Environment = field(default_factory=Environment)
    transparent: bool = False


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

    def encode(
        self, encoder: Any, targets: Targets, frame_group: Any, shown: Shown, lighting: Lighting
    ) -> tuple[Any, tuple[ShadowBand, ...]]:
        """Record the passes of the color layer.

        Returns
        -------
        encoder
            What to record further passes with: another one where this was submitted.
        shadows
            How far the edges of the shadows may be off.

        Raises
        ------
        PosedError
            There are more lights, shadows or surfaces behind each other than a frame takes.
        """
        shine = pack_shine(lighting.lights, lighting.environment, shown.origin)
        casts, bands = self._shadows.fit(lighting.lights, shown, targets.size, shine)
        self._gpu.queue.write_buffer(self._shine, 0, shine)
        self._shadows.encode(encoder, frame_group, casts)
        lit = self._shine, self._shadows.view, self._panoramas.view(lighting.environment)
        through = [draw for draw in shown.draws if draw.look.through]
        opaque = [draw for draw in shown.draws if not draw.look.through]
        self._draw(encoder, targets.attachments(OPAQUE if through else COLOR), frame_group, lit, opaque, lighting)
        if through:
            behind, color = targets.view(*OPAQUE.targets[0]), targets.view(*COLOR.targets[0])
            encoder = self._through.draw(encoder, targets, frame_group, lit, through, behind, color)
        return encoder, bands

    def _draw(
        self,
        encoder: Any,
        attachments: dict[str, Any],
        frame_group: Any,
        lit: tuple[Any, ...],
        draws: Sequence[Draw],
        lighting: Lighting,
    ) -> None:
        """Record what is opaque and the sky behind it."""
        render = encoder.begin_render_pass(**attachments)
        recorder = DrawRecorder(render, frame_group)
        render.set_bind_group(3, self._bindings.group(*lit))
        for draw in draws:
            pipeline = _pipeline(self._gpu, draw.mesh.flat, draw.look.textured, draw.look.layered)
            recorder.record(draw, pipeline, unshared=draw.mesh.flat)
        if not lighting.transparent:
            render.set_pipeline(_sky_pipeline(self._gpu))
            render.set_bind_group(1, self._nothing)
            render.set_bind_group(2, self._nothing)
            render.draw(3)
        render.end()


@cache
def _pipeline(gpu: Gpu, flat: bool, textured: bool, layered: bool) -> Any:
    layouts, module = layout.layouts(gpu), _module(gpu)
    return gpu.device.create_render_pipeline(
        label="color",
        layout=gpu.device.create_pipeline_layout(
            bind_group_layouts=[layouts.frame, layouts.page, layouts.materials, layouts.shine]
        ),
        vertex={"module": module, "entry_point": "flat_vertex" if flat else "smooth_vertex"},
        primitive={"topology": "triangle-list", "front_face": "ccw", "cull_mode": "none"},
        depth_stencil={"format": DEPTH_FORMAT, "depth_write_enabled": True, "depth_compare": "greater"},
        fragment={
            "module": module,
            "entry_point": "shade",
            "constants": {"TEXTURED": float(textured), "LAYERED": float(layered)},
            "targets": [{"format": FORMAT}],
        },
    )


@cache
def _sky_pipeline(gpu: Gpu) -> Any:
    layouts, module = layout.layouts(gpu), _module(gpu)
    return gpu.device.create_render_pipeline(
        label="sky",
        layout=gpu.device.create_pipeline_layout(
            bind_group_layouts=[layouts.frame, layouts.nothing, layouts.nothing, layouts.shine]
        ),
        vertex={"module": module, "entry_point": "sky_vertex"},
        primitive={"topology": "triangle-list"},
        depth_stencil={"format": DEPTH_FORMAT, "depth_write_enabled": False, "depth_compare": "equal"},
        fragment={"module": module, "entry_point": "show_sky", "targets": [{"format": FORMAT}]},
    )


@cache
def _module(gpu: Gpu) -> Any:
    return gpu.device.create_shader_module(label="color", code=shaders.source(*shaders.SHADING, "shade", "sky"))
