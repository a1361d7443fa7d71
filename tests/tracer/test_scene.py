"""What a scene refuses, and that it does not change what it was given."""

from dataclasses import replace

import numpy as np
import pytest

from tests.tracer.scenes import MATTE, quad, scene
from tracer import Camera, Light, Material, SceneError, TextureSlot

MADE = scene(quad())


def changed(name, place, value):
    values = getattr(MADE, name).copy()
    values[place] = value
    return {name: values}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"positions": MADE.positions.astype(np.float64)}, r"scene positions must be float32 \(4, 3\), found float64"),
        ({"flat": np.zeros(3, np.bool_)}, r"scene flat must be bool \(2,\), found bool \(3,\)"),
        ({"origin": (0, 0, 0)}, r"scene origin must be float64 \(3,\), found tuple"),
        (changed("positions", (1, 2), np.nan), r"scene positions must be finite, found nan at \[1, 2\]"),
        (changed("triangles", (0, 0), 4), "scene triangles refers to index 4, but there are 4 vertices"),
        (changed("material", 1, 1), "scene material refers to index 1, but there are 1 materials"),
        (changed("facing", 0, 0), r"scene facing must be \+1 or -1, found \[0, 1\]"),
        ({"joints": np.ones((4, 2), np.uint32)}, "a scene has joints and weights together: give both or neither"),
        (
            {"joints": np.ones((4, 2), np.uint32), "weights": np.ones((4, 3), np.float32)},
            r"scene weights must be float32 \(4, 2\), found float32 \(4, 3\)",
        ),
        (
            {"materials": (replace(MATTE, normal_texture=TextureSlot(2)),)},
            "material 0 refers to texture 2, but there are 0",
        ),
    ],
)
def test_what_is_no_scene_is_refused(options, message):
    with pytest.raises(SceneError, match=message):
        replace(MADE, **options)


def test_arrays_are_read_only_and_the_callers_stay_writable():
    positions = MADE.positions.copy()
    made = replace(MADE, positions=positions)
    with pytest.raises(ValueError, match="read-only"):
        made.positions[0] = 1.0
    positions[0] = 1.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Material(metallic=1.5), r"material metallic must lie in \[0, 1\], found 1.5"),
        (lambda: Material(base_color=(1, 1, 1)), r"material base_color needs 4 numbers, found \(1, 1, 1\)"),
        (lambda: Light("lamp"), "light kind must be sun, point or spot, found 'lamp'"),
        (lambda: Light("sun", direction=(0, 0, 0)), "a sun needs a direction other than zero"),
        (lambda: Light("point", intensity=-1.0), "light intensity must be 0 or more, found -1.0"),
        (lambda: Light("spot", inner=0.5, outer=0.5), "a spot's cosines must be -1 <= outer < inner <= 1"),
        (lambda: Light("point", range=0.0), "light range must be above 0, found 0.0"),
        (lambda: Camera(np.eye(4)), "a camera has yfov or ymag, one of the two"),
        (lambda: Camera(np.eye(4), yfov=4.0), r"camera yfov must lie in \(0, pi\) radians, found 4.0"),
        (lambda: Camera(np.eye(4), ymag=0.0), "camera ymag must be finite and not 0, found 0.0"),
        (lambda: Camera(np.eye(4), yfov=1.0, znear=2.0, zfar=1.0), "camera needs 0 <= znear < zfar"),
        (lambda: Camera(np.zeros((4, 4)), yfov=1.0), "camera matrix has an axis of length 0"),
        (lambda: Camera(np.eye(3), yfov=1.0), r"camera matrix must be \(4, 4\) and finite"),
    ],
)
def test_what_is_no_material_light_or_camera_is_refused(make, message):
    with pytest.raises(SceneError, match=message):
        make()
