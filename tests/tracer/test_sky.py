"""The environment as cameras and surfaces see it: by hand, in one texel and between them."""

import math

import numpy as np
import pytest

import tracer
from tests.tracer.scenes import LAMBERT, MATTE, ground, looking, quad, scene
from tracer import Environment, SceneError
from tracer.sky import image_radiance, irradiance_over_pi
from tracer.tables import shine_of


def halves():
    """An image whose upper half is red, whose right half is green and whose middle is blue."""
    image = np.zeros((4, 8, 3), np.float32)
    image[:2, :, 0] = image[:, 4:, 1] = image[:, 2:6, 2] = 1.0
    return image


def test_texels_lie_where_the_convention_says():
    image = halves()

    def seen(*direction):
        return [image_radiance(image, *direction, channel) for channel in range(3)]

    # Straight ahead is the corner of four texels; a quarter turn to the right, the edge of the blue.
    assert seen(0, 0, -1) == pytest.approx([0.5, 0.5, 1.0])
    assert seen(1, 1, 0) == pytest.approx([1, 1, 0.5])
    assert seen(-1, -1, 0) == pytest.approx([0, 0, 0.5])
    assert seen(0, 0, 1) == pytest.approx([0.5, 0.5, 0.0])
    # A texel's middle: column 5 of 8 lies 1.5 / 8 of a turn to the right, row 0 of 4 at 22.5 degrees from +Y.
    around, polar = 2 * math.pi * 1.5 / 8, math.pi / 8
    middle = math.sin(polar) * math.sin(around), math.cos(polar), -math.sin(polar) * math.cos(around)
    assert seen(*middle) == pytest.approx([1.0, 1.0, 1.0])
    # A quarter of the way to column 6: three quarters of its blue.
    around += 2 * math.pi * 0.25 / 8
    aside = math.sin(polar) * math.sin(around), math.cos(polar), -math.sin(polar) * math.cos(around)
    assert seen(*aside) == pytest.approx([1.0, 1.0, 0.75])


def test_around_a_pole_the_outer_rows_go_on():
    image = np.zeros((2, 4, 3), np.float32)
    image[0], image[1] = 1.0, 3.0
    assert image_radiance(image, 0.0, 1.0, 0.0, 0) == 1.0
    assert image_radiance(image, 0.1, 5.0, 0.0, 0) == 1.0
    assert image_radiance(image, 0.0, -1.0, 0.0, 0) == 3.0
    assert image_radiance(image, 1.0, 0.0, 0.0, 0) == pytest.approx(2.0)


@pytest.mark.parametrize("integrator", ["direct", "path"])
def test_a_camera_sees_the_image(integrator, backend):
    image = np.zeros((64, 128, 3), np.float32)
    image[:, 64:, 1] = 1.0
    made = scene(environment=Environment(image=image, irradiance=np.zeros((9, 3))))
    options = {"size": (8, 4), "samples": 4, "integrator": integrator, "backend": backend}
    color = tracer.trace(made, looking((0, 0, 0), (0, 0, -1)), **options)["color"]
    np.testing.assert_array_equal(color[:, :3, 1], 0.0)
    np.testing.assert_array_equal(color[:, 5:, 1], 1.0)
    assert not color[..., 3].any()


def test_direct_takes_the_ambient_light_of_an_image_from_its_coefficients(backend):
    # Each coefficient alone, on a plane that faces up or toward the camera: c0 + c2 y - c7 + 3 c7 y y - ..
    made = scene(ground(5), quad(-5, 5, -5, 5, -2), materials=(LAMBERT,))
    normals = {"up": (0, 1, 0), "front": (0, 0, 1)}
    cameras = {"up": looking((0, 1, 0), up=(1, 0, 0), yfov=0.01), "front": looking((0, 1, 0), (0, 1, -2), yfov=0.01)}
    for number in range(9):
        coefficients = np.zeros((9, 3))
        coefficients[number] = math.pi, 2 * math.pi, 0.0
        sky = Environment(image=np.ones((2, 4, 3), np.float32), irradiance=coefficients)
        lit = tracer.Scene(**{name: getattr(made, name) for name in made.__slots__} | {"environment": sky})
        for name, (x, y, z) in normals.items():
            basis = [1, x, y, z, x * y, y * z, z * x, 3 * y * y - 1, x * x - z * z][number]
            color = tracer.trace(lit, cameras[name], size=(1, 1), samples="center", backend=backend)["color"]
            np.testing.assert_allclose(color[0, 0, :3], np.maximum([basis, 2 * basis, 0.0], 0.0), rtol=1e-6, atol=1e-12)


def test_a_gradient_s_irradiance_is_the_closed_form():
    shine = shine_of((), Environment((0.1, 0.2, 0.3), (1.0, 0.6, 0.2)))
    for y in (-1.0, 0.0, 0.6, 1.0):
        found = [irradiance_over_pi(shine, math.sqrt(1 - y * y), y, 0.0, channel) for channel in range(3)]
        assert found == pytest.approx([0.55 + 0.3 * y, 0.4 + 0.4 / 3 * y, 0.25 - 0.1 / 3 * y])


def test_direct_refuses_an_image_without_coefficients():
    made = scene(ground(1), materials=(MATTE,), environment=Environment(image=np.ones((2, 4, 3), np.float32)))
    with pytest.raises(
        SceneError, match=r"nine coefficients a channel: give Environment\(image=.., irradiance=..\) or"
    ):
        tracer.trace(made, looking(), size=(2, 2))
    with pytest.raises(SceneError, match="environment irradiance must be nine finite numbers a channel"):
        Environment(irradiance=np.ones((3, 9)))
