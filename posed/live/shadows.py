"""Shadows on the device: every map a layer of one texture, drawn again only when what it shows has changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from posed.arrays import AnyArray, Float32, Float64
from posed.errors import PosedError
from posed.frame import ShadowBand
from posed.live import layout, shaders
from posed.live.device import DEFAULT_LIMITS, Gpu
from posed.live.draws import Draw, DrawRecorder
from posed.live.instances import Shown
from posed.live.passes import DEPTH_FORMAT
from posed.live.shadow_maps import BIAS, ShadowMap, fit_maps, group_casters
from posed.scene.lights import Light

LEAST_SIDE, MOST_SIDE = 512, 4096
"""Texels of a map's sides: the power of two that is not below the picture's longer side, between these."""

MOST_BYTES = 1 << 28
"""Bytes that all maps of a frame take at most: their sides are halved until they do."""

MOST_GROUPS = 16
"""Groups of objects, at most, that have maps of their own for a light."""

STRIDE = DEFAULT_LIMITS["min-uniform-buffer-offset-alignment"]
"""Bytes from one map's `layout.CASTING` to the next."""


@dataclass(frozen=True, eq=False)
class Group:
    """Objects whose shadows share maps: their ids, which of the frame's instances they are, and what draws them."""

    objects: tuple[int, ...]
    members: AnyArray
    draws: tuple[Draw, ...]
    content: tuple[object, ...]


@dataclass(frozen=True, eq=False)
class Cast:
    """A map of a frame: which light's, and what is drawn into it."""

    light: int
    map: ShadowMap
    group: Group


class Shadows:
    """The shadow maps of a device, for one frame after the other: layers of a texture that `view` shows."""

    def __init__(self, gpu: Gpu) -> None:
        import wgpu

        usage = wgpu.BufferUsage
        self._gpu = gpu
        self._castings = gpu.device.create_buffer(size=STRIDE * layout.MOST_MAPS, usage=usage.UNIFORM | usage.COPY_DST)
        self._group = gpu.device.create_bind_group(
            layout=layout.layouts(gpu).casting,
            entries=[
                {
                    "binding": 0,
                    "resource": {"buffer": self._castings, "offset": 0, "size": layout.CASTING.itemsize},
                }
            ],
        )
        self.view: Any = None
        self._side, self._views = 0, list[Any]()
        self._drawn: list[tuple[object, ...] | None] = []
        self._reserve(1, 1)

    def fit(
        self, lights: Sequence[Light], shown: Shown, size: tuple[int, int], shine: AnyArray
    ) -> tuple[list[Cast], tuple[ShadowBand, ...]]:
        """Write the maps of a frame to `shine`, (1,) `layout.SHINE`; return them and how far their edges may be off.

        Raises
        ------
        PosedError
            The lights need more maps than a frame takes.
        """
        side = min(max(1 << (max(size) - 1).bit_length(), LEAST_SIDE), MOST_SIDE)
        casts = _casts(lights, shown, side)
        while len(casts) * side * side * 4 > MOST_BYTES and side > 1:
            side //= 2
            casts = _casts(lights, shown, side)
        self._reserve(side, len(casts))
        castings = np.zeros((len(casts), STRIDE // 4), np.float32)
        numbers = np.array([cast.light for cast in casts], np.intp)
        for layer, cast in enumerate(casts):
            record = shine["map"][0, layer]
            rows = cast.map.rows.copy()
            rows[:, 3] += (rows[:, :3] * shown.origin).sum(axis=1)
            record["rows"], record["layer"], record["texels"] = rows, layer, side
            record["bias"], record["bias_share"] = cast.map.bias, cast.map.bias_share
            castings[layer, :16] = _clip_rows(rows, side).ravel()
        for number in range(len(lights)):
            record = shine["light"][0, number]
            record["maps"] = np.count_nonzero(numbers == number)
            record["first_map"] = np.argmax(numbers == number) if len(numbers) else 0
        if len(casts):
            self._gpu.queue.write_buffer(self._castings, 0, castings)
        return casts, _bands(casts)

    def encode(self, encoder: Any, frame_group: Any, casts: Sequence[Cast]) -> bool:
        """Record the drawing of those maps of a frame that show something else than before; say whether some do."""
        recorded = False
        for layer, cast in enumerate(casts):
            content = (cast.map.rows.tobytes(), *cast.group.content)
            if self._drawn[layer] == content:
                continue
            self._drawn[layer], recorded = content, True
            render = encoder.begin_render_pass(
                color_attachments=[],
                depth_stencil_attachment={
                    "view": self._views[layer],
                    "depth_clear_value": 0.0,
                    "depth_load_op": "clear",
                    "depth_store_op": "store",
                },
            )
            recorder = DrawRecorder(render, frame_group)
            render.set_bind_group(3, self._group, [STRIDE * layer])
            for draw in cast.group.draws:
                recorder.record(draw, _pipeline(self._gpu, draw.look.cut), unshared=False)
            render.end()
        return recorded

    def _reserve(self, side: int, layers: int) -> None:
        """Have `layers` maps of `side` texels; those that are there stay as they are if they have these sides."""
        if self._side == side and len(self._views) >= layers:
            return
        import wgpu

        usage = wgpu.TextureUsage
        self._side = side
        texture = self._gpu.device.create_texture(
            size=(side, side, max(layers, 1)),
            format=DEPTH_FORMAT,
            usage=usage.RENDER_ATTACHMENT | usage.TEXTURE_BINDING,
        )
        self._views = [
            texture.create_view(dimension="2d", base_array_layer=layer, array_layer_count=1)
            for layer in range(max(layers, 1))
        ]
        self.view = texture.create_view(dimension="2d-array")
        self._drawn = [None] * len(self._views)


def _casts(lights: Sequence[Light], shown: Shown, side: int) -> list[Cast]:
    """Return the maps of a frame, light by light."""
    shining = [(number, one) for number, one in enumerate(lights) if one.intensity > 0.0 and max(one.color) > 0.0]
    if not shining or not shown.instances:
        return []
    most = MOST_GROUPS
    low, high = shown.tight()
    while True:
        casts = [
            Cast(number, one, group)
            for group in _groups(shown, most)
            for number, light in shining
            for one in fit_maps(light, low[group.members], high[group.members], side)
        ]
        if len(casts) <= layout.MOST_MAPS:
            return sorted(casts, key=lambda cast: cast.light)
        if most == 1:
            raise PosedError(
                f"{len(lights)} lights need {len(casts)} shadow maps, the live renderer has {layout.MOST_MAPS}: "
                "let fewer lamps shine at once"
            )
        most //= 2


def _groups(shown: Shown, most: int) -> list[Group]:
    objects = np.array([one.object_id for one in shown.instances])
    numbers = group_casters(objects, most)
    draws: dict[int, list[Draw]] = {}
    for draw in shown.draws:
        own = numbers[draw.first : draw.first + draw.count]
        starts = np.flatnonzero(np.diff(own, prepend=-1)).tolist()
        for start, end in zip(starts, [*starts[1:], draw.count], strict=True):
            draws.setdefault(int(own[start]), []).append(replace(draw, first=draw.first + start, count=end - start))
    groups = []
    for number, own_draws in draws.items():
        members = np.flatnonzero(numbers == number)
        ids = tuple(int(one) for one in np.unique(objects[members]))
        groups.append(Group(ids, members, tuple(own_draws), _content(shown, members)))
    return groups


def _content(shown: Shown, members: AnyArray) -> tuple[object, ...]:
    """Return all that the texels of a map of these instances depend on, beside where it lies."""
    instances = [shown.instances[member] for member in members.tolist()]
    posed = any(one.mesh.joints or one.mesh.targets for one in instances)
    holes = tuple(one.surface.content for one in instances if one.surface.look.cut)
    return shown.records[members].tobytes(), shown.meshes, shown.posing if posed else None, holes


def _clip_rows(rows: Float64, side: int) -> Float32:
    """Return what takes the world to clip space, (4, 4), from what takes it to texels of a map."""
    clip = rows.copy()
    clip[0] = 2.0 * rows[0] / side - rows[3]
    clip[1] = rows[3] - 2.0 * rows[1] / side
    return clip.astype(np.float32)


def _bands(casts: Sequence[Cast]) -> tuple[ShadowBand, ...]:
    texels: dict[tuple[int, tuple[int, ...]], float] = {}
    for cast in casts:
        key = cast.light, cast.group.objects
        texels[key] = max(texels.get(key, 0.0), cast.map.texel)
    return tuple(ShadowBand(*key, texel, BIAS * texel) for key, texel in texels.items())


@cache
def _pipeline(gpu: Gpu, cut: bool) -> Any:
    layouts = layout.layouts(gpu)
    device = gpu.device
    module = _module(gpu)
    stages: dict[str, Any] = {"vertex": {"module": module, "entry_point": "cast_cut" if cut else "cast_solid"}}
    if cut:
        stages["fragment"] = {"module": module, "entry_point": "cut", "targets": []}
    return device.create_render_pipeline(
        label="shadow",
        layout=device.create_pipeline_layout(
            bind_group_layouts=[layouts.frame, layouts.page, layouts.materials, layouts.casting]
        ),
        primitive={"topology": "triangle-list", "front_face": "ccw", "cull_mode": "none"},
        depth_stencil={"format": DEPTH_FORMAT, "depth_write_enabled": True, "depth_compare": "greater"},
        **stages,
    )


@cache
def _module(gpu: Gpu) -> Any:
    code = shaders.source("frame", "geometry", "skinning", "material", "seen", "cast")
    return gpu.device.create_shader_module(label="shadows", code=code)
