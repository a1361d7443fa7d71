"""The flat pass on the device: one draw for a whole flat scene, to colors or to the numbers that picks read."""

from __future__ import annotations

from functools import cache
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np

from posed.arrays import AnyArray, Float32, UInt8, UInt32
from posed.errors import PosedError
from posed.live import layout, shaders, store
from posed.live.device import Gpu
from posed.live.flat.draws import FlatScene
from posed.live.flat.fills import Image
from posed.live.flat.items import ITEM, Items, pack_flat
from posed.live.readback import Readback, Region
from posed.live.store import Span, Store

COLOR_FORMAT, NUMBER_FORMAT = "rgba16float", "r32uint"
"""What every device blends; what names the topmost draw."""


class FlatPass:
    """Draws flat scenes over nothing; pictures stay on the device while their fills live."""

    def __init__(self, gpu: Gpu) -> None:
        import wgpu

        usage = wgpu.BufferUsage
        self._gpu = gpu
        self._texels = Store(gpu, 4, usage.STORAGE)
        self._held: WeakKeyDictionary[Image, Texels] = WeakKeyDictionary()
        self._shared: WeakValueDictionary[int, Texels] = WeakValueDictionary()
        self._bindings = layout.Bindings(gpu, _layout(gpu))
        self._readback = Readback(gpu)
        self._textures: dict[str, tuple[tuple[int, int], Any]] = {}
        self._picture = gpu.device.create_buffer(size=16, usage=usage.UNIFORM | usage.COPY_DST)
        self._items = Store(gpu, ITEM.itemsize, usage.STORAGE)
        self._points = Store(gpu, 8, usage.STORAGE)

    def color(self, scene: FlatScene, size: tuple[int, int]) -> Float32:
        """Return the scene's colors, (H, W, 4) float32, linear and premultiplied.

        Raises
        ------
        PosedError
            Its draws or pictures pass what a binding holds.
        """
        return self._draw(scene, size, "flat_color", COLOR_FORMAT).astype(np.float32)

    def number(self, scene: FlatScene, size: tuple[int, int], region: Region | None = None) -> UInt32:
        """Return the topmost solid draw at each pixel, or in a region, (H, W) uint32, as `rasterize` counts them."""
        return self._draw(scene, size, "flat_number", NUMBER_FORMAT, region)

    def _draw(
        self, scene: FlatScene, size: tuple[int, int], entry: str, form: str, region: Region | None = None
    ) -> AnyArray:
        packed = pack_flat(scene)
        held = self._upload(packed)
        items, points = self._kept(self._items, packed.records), self._kept(self._points, packed.points)
        self._gpu.queue.write_buffer(self._picture, 0, np.array([*size, 0, 0], np.float32))
        group = self._bindings.group(self._picture, self._items.buffer, self._points.buffer, self._texels.buffer)
        texture = self._texture(form, size)
        encoder = self._gpu.device.create_command_encoder()
        attachment = {"view": texture.create_view(), "load_op": "clear", "store_op": "store"}
        render = encoder.begin_render_pass(color_attachments=[attachment | {"clear_value": (0, 0, 0, 0)}])
        if len(packed.records):
            render.set_pipeline(_pipeline(self._gpu, entry, form))
            render.set_bind_group(0, group)
            render.draw(6, len(packed.records), 0, items.first)
        render.end()
        with self._readback.read(encoder, [(texture, form, region or Region(0, 0, *size))]) as (read,):
            picture = read.copy() if read.shape[2] > 1 else read[..., 0].copy()
        del held, points
        return picture

    def _texture(self, form: str, size: tuple[int, int]) -> Any:
        """Return what is drawn into, the one of the last call where that had this size."""
        import wgpu

        kept = self._textures.get(form)
        if kept is None or kept[0] != size:
            usage = wgpu.TextureUsage.RENDER_ATTACHMENT | wgpu.TextureUsage.COPY_SRC
            texture = self._gpu.device.create_texture(size=(*size, 1), format=form, usage=usage)
            kept = self._textures[form] = size, texture
        return kept[1]

    def _kept(self, kept: Store, rows: AnyArray) -> Span:
        span = kept.take(len(rows))
        if span is None:
            raise PosedError(
                f"a flat scene of {rows.nbytes} bytes does not fit the {store.LIMIT} of a binding: draw less at once"
            )
        kept.write(span, rows)
        return span

    def _upload(self, packed: Items) -> list[Texels]:
        """Put the pictures on the device that are not there, and write into the records where they lie."""
        held = []
        for first, end, image in packed.images:
            texels = self._held.get(image)
            if texels is None:
                texels = self._held[image] = self._shared_texels(image.texels)
            packed.records["first_texel"][first:end] = texels.span.first
            held.append(texels)
        return held

    def _shared_texels(self, array: UInt8) -> Texels:
        texels = self._shared.get(id(array))
        if texels is None:
            span = self._texels.take(array.shape[0] * array.shape[1])
            if span is None:
                raise PosedError(
                    f"a picture of {array.nbytes} bytes does not fit the {store.LIMIT} of a binding beside those that "
                    "are there: draw fewer or smaller ones"
                )
            self._texels.write(span, array)
            texels = self._shared[id(array)] = Texels(array, span)
        return texels


class Texels:
    """A picture on the device; it keeps the array, so that no other one gets its identity meanwhile."""

    def __init__(self, array: UInt8, span: Span) -> None:
        self.array, self.span = array, span


@cache
def _layout(gpu: Gpu) -> Any:
    import wgpu

    stage = wgpu.ShaderStage
    kinds = ((stage.VERTEX, "uniform"), (stage.VERTEX | stage.FRAGMENT, "read-only-storage"))
    entries = [*kinds, (stage.FRAGMENT, "read-only-storage"), (stage.FRAGMENT, "read-only-storage")]
    return gpu.device.create_bind_group_layout(
        entries=[
            {"binding": i, "visibility": visibility, "buffer": {"type": kind}}
            for i, (visibility, kind) in enumerate(entries)
        ]
    )


@cache
def _pipeline(gpu: Gpu, entry: str, form: str) -> Any:
    """Return the pipeline that writes colors, each over those before it, or numbers, the last one staying."""
    device = gpu.device
    module = device.create_shader_module(label="flat", code=shaders.source("flat"))
    over = {"operation": "add", "src_factor": "one", "dst_factor": "one-minus-src-alpha"}
    target: dict[str, Any] = {"format": form}
    if form == COLOR_FORMAT:
        target["blend"] = {"color": over, "alpha": over}
    return device.create_render_pipeline(
        label=entry,
        layout=device.create_pipeline_layout(bind_group_layouts=[_layout(gpu)]),
        vertex={"module": module, "entry_point": "flat_vertex", "buffers": []},
        primitive={"topology": "triangle-list", "cull_mode": "none"},
        fragment={"module": module, "entry_point": entry, "targets": [target]},
    )
