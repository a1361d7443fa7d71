"""The border between Python and WGSL: record types byte by byte, and the layouts of the bind groups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from posed.arrays import AnyArray
from posed.live.device import Gpu

ABSENT = 0xFFFFFFFF
"""Offset of an attribute that the file does not have."""

FRAME = np.dtype(
    [
        ("view", "<f4", (4, 4)),
        ("projection", "<f4", (4, 4)),
        ("previous_view", "<f4", (4, 4)),
        ("previous_projection", "<f4", (4, 4)),
        ("size", "<f4", 4),
        ("eye", "<f4", 4),
        ("ray", "<f4", 4),
        ("ray_across", "<f4", 4),
        ("ray_down", "<f4", 4),
    ]
)
"""`Frame` of frame.wgsl; matrices column by column."""

SPRITE, BUMPY, COAT_BUMPY = 1, 2, 4
"""Flags of an instance: shows a frame of an atlas; has a normal map, or one of its coat, and the normals and tangents
that it needs."""

INSTANCE = np.dtype(
    [
        ("rows", "<f4", (3, 4)),
        ("mirror", "<f4"),
        ("palette", "<u4"),
        ("morph", "<u4"),
        ("object", "<u4"),
        ("part", "<u4"),
        ("flags", "<u4"),
        ("geometry", "<u4"),
        ("material", "<u4"),
        ("rectangle", "<f4", 4),
        ("previous_rows", "<f4", (3, 4)),
        ("previous_palette", "<u4"),
        ("previous_morph", "<u4"),
        ("first_joint", "<u4"),
        ("reserved", "<u4"),
    ]
)
"""`Instance` of frame.wgsl."""

GEOMETRY = np.dtype(
    [
        ("stride", "<u4"),
        ("normal", "<u4"),
        ("tangent", "<u4"),
        ("color", "<u4"),
        ("uv", "<u4"),
        ("uv_sets", "<u4"),
        ("skinned", "<u4"),
        ("targets", "<u4"),
        ("vertices", "<u4"),
        ("triangles", "<u4"),
        ("first_attribute", "<u4"),
        ("first_influence", "<u4"),
        ("first_delta", "<u4"),
        ("first_corner", "<u4"),
        ("first_strongest", "<u4"),
        ("reserved", "<u4"),
    ]
)
"""`Geometry` of geometry.wgsl."""

TEXTURE_USE = np.dtype(
    [
        ("row_s", "<f4", 4),
        ("row_t", "<f4", 4),
        ("uv_set", "<u4"),
        ("wrap_s", "<u4"),
        ("wrap_t", "<u4"),
        ("linear", "<u4"),
        ("scale", "<f4"),
        ("first", "<u4"),
        ("width", "<u4"),
        ("height", "<u4"),
    ]
)
"""`TextureUse` of material.wgsl."""

MATERIAL = np.dtype(
    [
        ("base_color", "<f4", 4),
        ("emission", "<f4", 4),
        ("metallic", "<f4"),
        ("roughness", "<f4"),
        ("transmission", "<f4"),
        ("refraction", "<f4"),
        ("dielectric", "<f4", 4),
        ("tint", "<f4", 4),
        ("coat", "<f4", 4),
        ("sheen", "<f4", 4),
        ("unlit", "<u4"),
        ("alpha_mode", "<u4"),
        ("alpha_cutoff", "<f4"),
        ("double_sided", "<u4"),
        ("sets", "<u4", 4),
        ("color_use", TEXTURE_USE),
        ("metallic_roughness_use", TEXTURE_USE),
        ("normal_use", TEXTURE_USE),
        ("emission_use", TEXTURE_USE),
        ("specular_use", TEXTURE_USE),
        ("specular_color_use", TEXTURE_USE),
        ("transmission_use", TEXTURE_USE),
        ("coat_use", TEXTURE_USE),
        ("coat_roughness_use", TEXTURE_USE),
        ("coat_normal_use", TEXTURE_USE),
        ("sheen_use", TEXTURE_USE),
        ("sheen_roughness_use", TEXTURE_USE),
    ]
)
"""`Material` of material.wgsl."""

LIGHT = np.dtype(
    [
        ("color", "<f4", 3),
        ("kind", "<u4"),
        ("position", "<f4", 3),
        ("fading", "<f4"),
        ("direction", "<f4", 3),
        ("cone_scale", "<f4"),
        ("cone_offset", "<f4"),
        ("first_map", "<u4"),
        ("maps", "<u4"),
        ("reserved", "<u4"),
    ]
)
"""`Light` of light.wgsl."""

SHADOW_MAP = np.dtype(
    [
        ("rows", "<f4", (4, 4)),
        ("bias", "<f4"),
        ("bias_share", "<f4"),
        ("texels", "<f4"),
        ("layer", "<u4"),
    ]
)
"""`ShadowMap` of light.wgsl."""

MOST_LIGHTS, MOST_MAPS = 256, 256
"""Lights and shadow maps of a frame: a texture array has 256 layers."""

SHINE = np.dtype(
    [
        ("irradiance", "<f4", (9, 4)),
        ("bottom", "<f4", 4),
        ("top", "<f4", 4),
        ("lights", "<u4"),
        ("has_panorama", "<u4"),
        ("reserved", "<u4", 2),
        ("light", LIGHT, MOST_LIGHTS),
        ("map", SHADOW_MAP, MOST_MAPS),
    ]
)
"""`Shine` of light.wgsl."""

CASTING = np.dtype([("rows", "<f4", (4, 4))])
"""`Casting` of cast.wgsl."""

READING = np.dtype([("instance", "<u4"), ("first", "<u4"), ("reserved", "<u4", 2)])
"""`Reading` of read_vertices.wgsl."""

PIECE = np.dtype(
    [
        ("clip", "<f4", (4, 4)),
        ("reach", "<f4", (4, 4)),
        ("size", "<f4", 2),
        ("first", "<u4"),
        ("triangles", "<u4"),
        ("count", "<u4"),
        ("vertices", "<u4"),
        ("first_corner", "<u4"),
        ("one_sided", "<u4"),
    ]
)
"""`Piece` of cull.wgsl."""

RUN = 136
"""Bytes before `first` in a `PIECE`, where vertex stages find `run` of geometry.wgsl."""


@dataclass(frozen=True, eq=False)
class Layouts:
    """Bind group layouts: 0 the frame, 1 a page of meshes, 2 a page of materials, where vertices are read back to, or
    what is left of triangles.

    And 3: the light that color is made of, also with the lists of what is seen through, or the map that shadows are
    cast to. `order` is bound alone, as 0, where the lists are put in order; `nothing` fills gaps.
    """

    frame: Any
    page: Any
    materials: Any
    reading: Any
    sifting: Any
    shine: Any
    through: Any
    order: Any
    casting: Any
    nothing: Any


@cache
def layouts(gpu: Gpu) -> Layouts:
    """Return the layouts on a device, made once."""
    import wgpu

    stage = wgpu.ShaderStage
    posing = stage.VERTEX | stage.COMPUTE
    seen = posing | stage.FRAGMENT

    def layout(*entries: dict[str, object]) -> Any:
        numbered = [{"binding": i, **entry} for i, entry in enumerate(entries)]
        return gpu.device.create_bind_group_layout(entries=numbered)

    def buffer(visibility: int, kind: str) -> dict[str, object]:
        return {"visibility": visibility, "buffer": {"type": kind}}

    def texture(sample: str, dimension: str = "2d") -> dict[str, object]:
        return {"visibility": stage.FRAGMENT, "texture": {"sample_type": sample, "view_dimension": dimension}}

    read = "read-only-storage"
    shine = (buffer(stage.FRAGMENT, "uniform"), texture("depth", "2d-array"), texture("unfilterable-float"))
    return Layouts(
        frame=layout(buffer(seen, "uniform"), buffer(seen, read), buffer(posing, read), buffer(posing, read)),
        page=layout(buffer(seen, read), buffer(posing, read), buffer(seen, read), buffer(posing, read)),
        materials=layout(buffer(stage.VERTEX | stage.FRAGMENT, read), buffer(stage.FRAGMENT, read)),
        reading=layout(buffer(stage.COMPUTE, "uniform"), buffer(stage.COMPUTE, "storage")),
        sifting=layout(buffer(stage.COMPUTE, "uniform"), *[buffer(stage.COMPUTE, "storage")] * 4),
        shine=layout(*shine),
        through=layout(*shine, buffer(stage.FRAGMENT, "storage"), buffer(stage.FRAGMENT, "storage"), texture("depth")),
        order=layout(buffer(stage.FRAGMENT, read), buffer(stage.FRAGMENT, "storage"), texture("unfilterable-float")),
        nothing=layout(),
        casting=layout({"visibility": stage.VERTEX, "buffer": {"type": "uniform", "has_dynamic_offset": True}}),
    )


def bind(gpu: Gpu, layout: Any, *resources: Any) -> Any:
    """Return a bind group of buffers and texture views in the order of their bindings."""
    import wgpu

    entries = [
        {"binding": i, "resource": {"buffer": one} if isinstance(one, wgpu.GPUBuffer) else one}
        for i, one in enumerate(resources)
    ]
    return gpu.device.create_bind_group(layout=layout, entries=entries)


class Bindings:
    """A bind group of buffers and texture views, made again when one of them is another."""

    def __init__(self, gpu: Gpu, layout: Any) -> None:
        self._gpu, self._layout = gpu, layout
        self._resources: tuple[Any, ...] = ()
        self._group: Any = None

    def group(self, *resources: Any) -> Any:
        """Return the bind group of `resources` in the order of their bindings."""
        if not self._resources or any(a is not b for a, b in zip(resources, self._resources, strict=True)):
            self._resources, self._group = resources, bind(self._gpu, self._layout, *resources)
        return self._group


def create_buffer(gpu: Gpu, data: AnyArray, usage: int) -> Any:
    """Return a buffer that holds `data`."""
    return gpu.device.create_buffer_with_data(data=np.ascontiguousarray(data), usage=usage)
