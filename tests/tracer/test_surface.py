"""Normals, tangents and colors at a hit."""

import math
from dataclasses import replace

import numpy as np
import pytest

import tracer
from tests.tracer.scenes import MATTE, Part, looking, quad, scene, texture
from tracer import TextureSlot

F32 = 2.0**-23


def layers(made, camera=None, **options):
    return tracer.trace(made, camera or looking((0, 0, 1), yfov=0.01), size=(1, 1), integrator="aov", **options)


def seen(made, name, *args, **options):
    return layers(made, *args, **options)[name][0, 0].astype(np.float64)


TILTED = [[0.6, 0.0, 0.8]] * 4
FRONT, BACK = looking((0, 0, 1), yfov=0.01), looking((0, 0, -1), yfov=0.01)


@pytest.mark.parametrize(("facing", "camera", "sign"), [(1, FRONT, 1), (1, BACK, -1), (-1, FRONT, -1), (-1, BACK, 1)])
def test_given_normals_stand_on_the_front_and_turn_with_the_viewer(facing, camera, sign, backend):
    made = scene(quad(normals=TILTED, facing=facing))
    side = 1 if camera is FRONT else -1
    np.testing.assert_allclose(seen(made, "normal", camera, backend=backend), np.array([0.6, 0, 0.8]) * sign, atol=F32)
    np.testing.assert_allclose(seen(made, "geometric_normal", camera, backend=backend), [0, 0, side], atol=F32)


def test_flat_triangles_have_the_geometric_normal(backend):
    for camera, side in ((FRONT, 1), (BACK, -1)):
        for facing in (1, -1):
            found = seen(scene(quad(facing=facing)), "normal", camera, backend=backend)
            np.testing.assert_allclose(found, [0, 0, side], atol=F32)


def test_normals_are_interpolated_and_made_unit_again(backend):
    normals = [[1, 0, 0], [0, 0, 1], [0, 0, 1], [1, 0, 0]]  # left edge to the right edge, seen in the middle
    found = seen(scene(quad(normals=normals)), "normal", backend=backend)
    np.testing.assert_allclose(found, [math.sqrt(0.5), 0, math.sqrt(0.5)], atol=F32)


def test_normals_that_cancel_give_the_geometric_one(backend):
    normals = [[1, 0, 0], [-1, 0, 0], [-1, 0, 0], [1, 0, 0]]
    np.testing.assert_allclose(seen(scene(quad(normals=normals)), "normal", backend=backend), [0, 0, 1], atol=F32)


def test_normal_map_goes_through_the_tangent_frame(backend):
    # Texel (1, 0.5, 0.5) is x only at scale 1 (up to half a step of 8 bits): along the tangent, here +Y.
    texel = [[[255, 128, 128, 255]]]
    normals, tangents = [[0, 0, 1]] * 4, [[0, 1, 0, 1]] * 4
    material = replace(MATTE, normal_texture=TextureSlot(0))
    made = scene(quad(normals=normals, tangents=tangents), materials=(material,), textures=(texture(texel),))
    half = 128 / 255 * 2 - 1
    # bitangent = cross(normal, tangent) = -X
    expected = np.array([-half, 1.0, half]) / math.sqrt(1 + 2 * half * half)
    np.testing.assert_allclose(seen(made, "normal", FRONT, backend=backend), expected, atol=2 * F32)
    np.testing.assert_allclose(seen(made, "normal", BACK, backend=backend), -expected, atol=2 * F32)
    mirrored = replace(made, tangents=made.tangents * np.array([1, 1, 1, -1], np.float32))
    expected[0] *= -1
    np.testing.assert_allclose(seen(mirrored, "normal", FRONT, backend=backend), expected, atol=2 * F32)
    halved = replace(made, materials=(replace(material, normal_scale=0.5),))
    expected = np.array([-half / 2, 0.5, half])
    expected /= math.sqrt((expected**2).sum())
    np.testing.assert_allclose(seen(halved, "normal", FRONT, backend=backend), expected, atol=2 * F32)
    without = replace(made, tangents=None)
    np.testing.assert_allclose(seen(without, "normal", FRONT, backend=backend), [0, 0, 1], atol=F32)


def test_albedo_is_factor_times_texture_times_vertex_color(backend):
    material = replace(MATTE, base_color=(0.5, 1.0, 1.0, 1.0), color_texture=TextureSlot(0))
    colors = [[0, 0, 0, 1], [1, 1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 1]]  # 0.5 in the middle
    made = scene(quad(colors=colors), materials=(material,), textures=(texture([[[255, 128, 0, 255]]]),))
    expected = [0.25, 0.5 * ((128 / 255 + 0.055) / 1.055) ** 2.4, 0.0]
    np.testing.assert_allclose(seen(made, "albedo", backend=backend), expected, rtol=1e-6)


def test_uv_is_the_first_set(backend):
    made = scene(quad())
    np.testing.assert_allclose(seen(made, "uv", backend=backend), [0.5, 0.5], atol=F32)
    part = Part([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]])
    bare = replace(scene(part), uvs=np.zeros((0, 3, 2), np.float32))
    assert seen(bare, "uv", backend=backend).tolist() == [0.0, 0.0]
