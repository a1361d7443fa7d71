"""Passes fit what WebGPU guarantees, and records are laid out as WGSL lays out its structures."""

import re

import numpy as np
import pytest

from posed.frame import LAYERS
from posed.live import layout, shaders
from posed.live.color import COLOR, NAMED, OPAQUE
from posed.live.device import DEFAULT_LIMITS
from posed.live.passes import ALL_LAYERS, DEFAULT_LAYERS, PASSES, Pass, drawn_layers, passes_for, places_of

SIZES = {
    "vec2f": (8, 8),
    "f32": (4, 4),
    "u32": (4, 4),
    "vec3f": (12, 16),
    "vec4f": (16, 16),
    "vec4u": (16, 16),
    "mat4x4f": (64, 16),
    "TextureUse": (64, 16),
    "array<vec4f, 9>": (9 * 16, 16),
    "array<Light, 256>": (256 * 64, 16),
    "array<ShadowMap, 256>": (256 * 80, 16),
}
"""WGSL type to its size and alignment (WGSL, section 14.4.1)."""


@pytest.mark.parametrize("one", [*PASSES, COLOR, NAMED, OPAQUE], ids=lambda one: one.name)
def test_a_pass_writes_at_most_the_bytes_and_colors_every_adapter_takes(one: Pass) -> None:
    assert one.bytes_per_sample <= DEFAULT_LIMITS["max-color-attachment-bytes-per-sample"]
    assert len(one.targets) <= DEFAULT_LIMITS["max-color-attachments"]
    assert one.layers <= {*LAYERS, "opaque"}


def test_the_fewest_passes_that_write_the_layers_are_drawn() -> None:
    def names(*layers: str) -> list[str]:
        return [one.name for one in passes_for(drawn_layers(layers))]

    assert names(*DEFAULT_LAYERS) == ["identity"]  # beside those of color
    assert names("depth", "position") == ["identity"]
    assert names("position") == ["identity"]
    assert names("normal") == ["normals"]
    assert names("normal", "object") == ["identity"]
    assert names("geometric_normal") == ["normals"]
    assert names("geometric_normal", "joint") == ["rest"]
    assert names("motion") == ["rest"]
    assert names(*ALL_LAYERS) == ["identity", "rest"]
    assert names("color") == names() == []
    assert drawn_layers(["position", "depth", "color"]) == ("depth", "color")


@pytest.mark.parametrize("layers", [ALL_LAYERS, DEFAULT_LAYERS, ("normal",), ("normal", "joint")])
def test_each_layer_is_whole_somewhere_once(layers: tuple[str, ...]) -> None:
    """A channel each, though two passes write normals."""
    passes = [COLOR, *passes_for(drawn_layers(layers))]
    for name in drawn_layers(layers):
        channels = [held.to + i for _, held in places_of(passes)[name] for i in range(held.channels)]
        assert sorted(channels) == list(range(2 if name == "geometric_normal" else LAYERS[name][0] or 1))


@pytest.mark.parametrize(
    ("file", "name", "dtype"),
    [
        ("frame", "Frame", layout.FRAME),
        ("frame", "Instance", layout.INSTANCE),
        ("geometry", "Geometry", layout.GEOMETRY),
        ("material", "TextureUse", layout.TEXTURE_USE),
        ("material", "Material", layout.MATERIAL),
        ("light", "Light", layout.LIGHT),
        ("light", "ShadowMap", layout.SHADOW_MAP),
        ("light", "Shine", layout.SHINE),
        ("cast", "Casting", layout.CASTING),
        ("read_vertices", "Reading", layout.READING),
        ("cull", "Piece", layout.PIECE),
    ],
)
def test_records_match_the_structures_they_fill(file: str, name: str, dtype: np.dtype) -> None:
    body = re.search(rf"struct {name} \{{(.*?)\n\}}", shaders.source(file), re.DOTALL)
    assert body is not None
    offsets: dict[str, int] = {}
    end = 0
    for field, kind in re.findall(r"^\s*(\w+): (\w+(?:<[^>]*>)?),", body.group(1), re.MULTILINE):
        size, alignment = SIZES[kind]
        end = -(-end // alignment) * alignment
        offsets[field] = end
        end += size
    assert dtype.itemsize == -(-end // 16) * 16
    assert dtype.fields is not None
    numpy_names = {
        "rows": "row0",
        "previous_rows": "previous0",
        "reserved": "reserved0",
        "clip": "clip0",
        "reach": "reach0",
    }
    for field, (_, offset) in ((name, value[:2]) for name, value in dtype.fields.items()):
        wgsl = field if field in offsets else numpy_names[field]
        assert offsets[wgsl] == offset, field


def test_the_run_of_a_piece_begins_with_its_first_instance() -> None:
    assert layout.PIECE.fields is not None
    assert layout.PIECE.fields["first"][1] == layout.RUN
    assert layout.PIECE.fields["triangles"][1] == layout.RUN + 4


def test_uniforms_fit_what_every_adapter_binds() -> None:
    most = DEFAULT_LIMITS["max-uniform-buffer-binding-size"]
    uniforms = layout.FRAME, layout.SHINE, layout.CASTING, layout.READING, layout.PIECE
    assert max(one.itemsize for one in uniforms) <= most
    assert DEFAULT_LIMITS["max-texture-array-layers"] >= layout.MOST_MAPS


@pytest.mark.parametrize(
    ("names", "most"),
    [
        (("frame", "geometry", "material", "through"), DEFAULT_LIMITS["max-storage-buffers-per-shader-stage"]),
        (("frame", "geometry", "read_vertices"), DEFAULT_LIMITS["max-storage-buffers-per-shader-stage"]),
        (("geometry", "cull"), DEFAULT_LIMITS["max-storage-buffers-per-shader-stage"]),
        (("order",), DEFAULT_LIMITS["max-storage-buffers-per-shader-stage"]),
    ],
)
def test_no_fragment_or_computation_binds_more_storage_buffers_than_every_adapter_has(
    names: tuple[str, ...], most: int
) -> None:
    # Palettes, morph weights, attributes and deltas are seen by the stages that pose alone, lists by fragments alone.
    code = "\n".join(shaders.source(name) for name in names)
    posing = ("palettes", "morph_weights", "attributes", "deltas") if "through" in names else ()
    bound = [name for name in re.findall(r"var<storage[^>]*> (\w+)", code) if name not in posing]
    assert len(bound) <= most


@pytest.mark.parametrize("name", ["surface", "moving", "cast"])
def test_what_goes_from_stage_to_stage_fits_every_adapter(name: str) -> None:
    # The side and the triangle that a fragment asks for count as well (WebGPU, section 10.3.1).
    locations = [int(number) for number in re.findall(r"@location\((\d+)\)", shaders.source(name))]
    assert max(locations) + 1 + 2 <= DEFAULT_LIMITS["max-inter-stage-shader-variables"]
