"""Lookups: texel centres, wrapping, filtering, decoding, transforms, and no bleeding out of a frame."""

from dataclasses import replace

import numpy as np
import pytest

from tests.tracer.scenes import MATTE, quad, scene, texture
from tracer import SceneError, Texture, TextureSlot, Wrap
from tracer.mesh_table import mesh_of
from tracer.tables import COLOR_SLOT, ENCODED, LINEAR, looks_of
from tracer.texture import coordinates, texel

STEPS = [[[0, 0, 0, 255], [51, 0, 0, 255], [102, 0, 0, 255], [255, 0, 0, 0]]]
"""Four texels in a row: red 0, 0.2, 0.4, 1."""


def sampled(made, s, t=0.5, encoded=LINEAR):
    looks = looks_of(scene(textures=(made,)))
    return texel(looks, 0, s, t, encoded)


def test_texel_centers_give_the_texel():
    for linear in (True, False):
        reds = [sampled(texture(STEPS, linear=linear), (k + 0.5) / 4)[0] for k in range(4)]
        assert reds == pytest.approx([0.0, 0.2, 0.4, 1.0], abs=1e-15)


def test_linear_blends_and_nearest_does_not():
    assert sampled(texture(STEPS), 0.25 + 0.125 * 1.5)[0] == pytest.approx(0.75 * 0.2 + 0.25 * 0.4)
    assert sampled(texture(STEPS, linear=False), 0.49)[0] == pytest.approx(0.2)
    assert sampled(texture(STEPS, linear=False), 0.51)[0] == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("wrap", "outside", "at_edge"),
    [
        # at u = 1.375 (the second texel of the next copy) and u = -0.125 (the last one of the copy before), then at u
        # = 0
        (Wrap.REPEAT, (0.2, 1.0), 0.5),
        (Wrap.MIRROR, (0.4, 0.0), 0.0),
        (Wrap.CLAMP, (1.0, 0.0), 0.0),
    ],
)
def test_wrapping(wrap, outside, at_edge):
    made = texture(STEPS, wrap_s=wrap)
    assert (sampled(made, 1.375)[0], sampled(made, -0.125)[0]) == pytest.approx(outside, abs=1e-15)
    assert sampled(made, 0.0)[0] == pytest.approx(at_edge, abs=1e-15)
    for far in (1e9 + 0.375, -1e300, 1e300):
        assert 0.0 <= sampled(made, far)[0] <= 1.0


def test_rows_wrap_on_their_own():
    column = texture(np.array(STEPS).transpose(1, 0, 2), wrap_s=Wrap.CLAMP, wrap_t=Wrap.REPEAT)
    assert sampled(column, 9.0, 1.375)[0] == pytest.approx(0.2)


def test_colors_are_decoded_before_they_are_filtered_and_alpha_is_linear():
    made = texture([[[0, 0, 0, 0], [255, 128, 0, 255]]], wrap_s=Wrap.CLAMP)
    red, green, _, alpha = sampled(made, 0.5, encoded=ENCODED)
    assert (red, alpha) == (0.5, 0.5)
    assert green == pytest.approx(((128 / 255 + 0.055) / 1.055) ** 2.4 / 2)


def test_sampling_never_leaves_the_frame_of_an_atlas():
    # A red frame of two texels between green ones: scaled up or read from outside, no green shows.
    atlas = [[[0, 255, 0, 255], [255, 0, 0, 255], [255, 0, 0, 255], [0, 255, 0, 255]]] * 2
    made = texture(atlas, clamp=(0.25, 0.0, 0.75, 1.0))
    for s in (-1.0, 0.2, 0.25, 0.26, 0.5, 0.74, 0.75, 0.99):
        assert sampled(made, s)[:2] == (1.0, 0.0)
    last = texture(STEPS, clamp=(0.5, 0.0, 1.0, 1.0))  # u = 1 is its last texel, not its first
    assert [sampled(last, s)[0] for s in (0.0, 1.0, 1.5)] == pytest.approx([0.4, 1.0, 1.0])
    thin = texture(STEPS, clamp=(0.25, 0.0, 0.375, 1.0))  # half a texel wide: read at its middle, 0.3125
    assert [sampled(thin, s)[0] for s in (0.0, 0.3, 1.0)] == pytest.approx([0.75 * 0.2] * 3)


def test_coordinates_are_interpolated_then_transformed():
    slot = TextureSlot(0, transform=((2.0, 0.0, 0.25), (0.0, -1.0, 1.0)))
    made = scene(quad(), materials=(replace(MATTE, color_texture=slot),), textures=(texture(STEPS),))
    mesh, looks = mesh_of(made), looks_of(made)
    # The first triangle's corners have uv (0, 1), (1, 1), (1, 0).
    column = COLOR_SLOT
    assert coordinates(mesh, looks.materials, 0, column, 0.0, 0.0) == (0.25, 0.0)
    assert coordinates(mesh, looks.materials, 0, column, 0.25, 0.5) == (2 * 0.75 + 0.25, -0.5 + 1.0)
    missing = scene(quad(), materials=(replace(MATTE, color_texture=replace(slot, uv=5)),), textures=(texture(STEPS),))
    assert coordinates(mesh_of(missing), looks_of(missing).materials, 0, column, 0.25, 0.5) == (0.25, 1.0)


@pytest.mark.parametrize(
    ("texels", "options", "message"),
    [
        (np.zeros((2, 2, 3), np.uint8), {}, r"texture texels must be \(H, W, 4\) uint8, found uint8 \(2, 2, 3\)"),
        (np.zeros((2, 2, 4)), {}, r"texture texels must be \(H, W, 4\) uint8, found float64 \(2, 2, 4\)"),
        (np.zeros((0, 2, 4), np.uint8), {}, "a texture needs at least one texel"),
        (np.zeros((2, 2, 4), np.uint8), {"clamp": (0.5, 0, 0.5, 1)}, "texture clamp must be u0 < u1 and v0 < v1"),
    ],
)
def test_what_is_no_texture_is_refused(texels, options, message):
    with pytest.raises(SceneError, match=message):
        Texture(texels, **options)
