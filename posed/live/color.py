"""The color layer: shadow maps, then every surface shaded by the `direct` model, then the sky behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from posed.frame import ShadowBand
from posed.live import layout, shaders
from posed.live.device import Gpu
from posed.live.draws import Draw
from posed.live.instances import Shown
from posed.live.lights import pack_shine
from posed.live.passes import DEPTH_FORMAT
from posed.live.shadows import Shadows
from posed.live.targets import Targets
from posed.scene.lights import Environment, Light

COLOR_FORMAT = "rgba32float"


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
        self._shadows = Shadows(gpu)
        self._shine = gpu.device.create_buffer(size=layout.SHINE.itemsize, usage=usage.UNIFORM | usage.COPY_DST)
        self._group: Any = None
        self._changes = -1

    def encode(
        self, encoder: Any, targets: Targets, frame_group: Any, shown: Shown, lighting: Lighting
    ) -> tuple[ShadowBand, ...]:
        """Record the passes of the color layer; return how far the edges of its shadows may be off.

        Raises
        ------
        PosedError
            There are more lights, or shadows of them, than a frame takes.
        """
        shine = pack_shine(lighting.lights, lighting.environment, shown.origin)
        casts, bands = self._shadows.fit(lighting.lights, shown, targets.size, shine)
        self._gpu.queue.write_buffer(self._shine, 0, shine)
        self._shadows.encode(encoder, frame_group, casts)
        self._draw(encoder, targets, frame_group, [draw for draw in shown.draws if not draw.look.through], lighting)
        return bands

    def _draw(
        self, encoder: Any, targets: Targets, frame_group: Any, draws: Sequence[Draw], lighting: Lighting
    ) -> None:
        render = encoder.begin_render_pass(**targets.colored("color", COLOR_FORMAT))
        render.set_bind_group(0, frame_group)
        render.set_bind_group(3, self._lit())
        for draw in draws:
            render.set_pipeline(_pipeline(self._gpu, draw.mesh.flat, draw.look.textured))
            render.set_bind_group(1, draw.mesh.page.group)
            render.set_bind_group(2, draw.materials.group)
            if draw.mesh.flat:
                render.draw(3 * draw.mesh.triangles, draw.count, 0, draw.first)
            else:
                render.set_index_buffer(draw.mesh.page.indices.buffer, "uint32")
                render.draw_indexed(3 * draw.mesh.triangles, draw.count, draw.mesh.first_corner, 0, draw.first)
        if not lighting.transparent:
            render.set_pipeline(_sky_pipeline(self._gpu))
            render.draw(3)
        render.end()

    def _lit(self) -> Any:
        """Return the bind group of what shines."""
        if self._changes != self._shadows.changes:
            self._changes = self._shadows.changes
            self._group = self._gpu.device.create_bind_group(
                layout=layout.layouts(self._gpu).shine,
                entries=[
                    {"binding": 0, "resource": {"buffer": self._shine}},
                    {"binding": 1, "resource": self._shadows.texture.create_view(dimension="2d-array")},
                ],
            )
        return self._group


@cache
def _pipeline(gpu: Gpu, flat: bool, textured: bool) -> Any:
    module = _module(gpu)
    return gpu.device.create_render_pipeline(
        label="color",
        layout=_layout(gpu),
        vertex={"module": module, "entry_point": "flat_vertex" if flat else "smooth_vertex"},
        primitive={"topology": "triangle-list", "front_face": "ccw", "cull_mode": "none"},
        depth_stencil={"format": DEPTH_FORMAT, "depth_write_enabled": True, "depth_compare": "greater"},
        fragment={
            "module": module,
            "entry_point": "shade",
            "constants": {"TEXTURED": float(textured)},
            "targets": [{"format": COLOR_FORMAT}],
        },
    )


@cache
def _sky_pipeline(gpu: Gpu) -> Any:
    module = _module(gpu)
    return gpu.device.create_render_pipeline(
        label="sky",
        layout=_layout(gpu),
        vertex={"module": module, "entry_point": "sky_vertex"},
        primitive={"topology": "triangle-list"},
        depth_stencil={"format": DEPTH_FORMAT, "depth_write_enabled": False, "depth_compare": "equal"},
        fragment={"module": module, "entry_point": "show_sky", "targets": [{"format": COLOR_FORMAT}]},
    )


@cache
def _layout(gpu: Gpu) -> Any:
    layouts = layout.layouts(gpu)
    return gpu.device.create_pipeline_layout(
        bind_group_layouts=[layouts.frame, layouts.page, layouts.materials, layouts.shine]
    )


@cache
def _module(gpu: Gpu) -> Any:
    names = ("frame", "geometry", "skinning", "material", "seen", "shaded", "light", "reflect", "color", "sky")
    return gpu.device.create_shader_module(label="color", code=shaders.source(*names))
