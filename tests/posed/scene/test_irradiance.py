"""Nine numbers for the light on any normal: of skies whose irradiance is known on paper, and of any other by sums."""

import math

import numpy as np
import pytest

from posed.arrays import Float32, Float64
from posed.scene.irradiance import gradient_irradiance, image_irradiance
from posed.scene.lights import Environment

NORMALS = [(0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.6, 0.0, -0.8), (0.48, 0.6, 0.64)]


def on(coefficients: Float64, normal: tuple[float, float, float]) -> Float64:
    """The polynomial of `Environment.irradiance`, written anew."""
    x, y, z = normal
    basis = [1.0, x, y, z, x * y, y * z, z * x, 3 * y * y - 1, x * x - z * z]
    return np.array([sum(c * b for c, b in zip(column, basis, strict=True)) for column in coefficients.T])


def radiance(texels: Float32, x: Float64, y: Float64, z: Float64) -> Float64:
    """What lies around, by the definition: bilinear between the middles of texels, around the seam, flat at the poles."""
    height, width = texels.shape[:2]
    across = (0.5 + np.arctan2(x, -z) / (2 * math.pi)) * width - 0.5
    down = np.clip(np.arccos(y) / math.pi * height - 0.5, 0.0, height - 1.0)
    left, top = np.floor(across).astype(int), np.minimum(np.floor(down).astype(int), max(height - 2, 0))
    right_share, low_share = (across - left)[..., None], (down - top)[..., None]
    lower = np.minimum(top + 1, height - 1)
    high = (1 - right_share) * texels[top, left % width] + right_share * texels[top, (left + 1) % width]
    low = (1 - right_share) * texels[lower, left % width] + right_share * texels[lower, (left + 1) % width]
    sums: Float64 = (1 - low_share) * high + low_share * low
    return sums


def sphere(steps: int) -> tuple[Float64, Float64, Float64, float]:
    """Midpoints of cells of equal solid angle, and that angle."""
    y, around = np.meshgrid((np.arange(steps) + 0.5) * 2 / steps - 1, (np.arange(2 * steps) + 0.5) * math.pi / steps)
    radius = np.sqrt(1 - y * y)
    return radius * np.sin(around), y, radius * np.cos(around), 4 * math.pi / (2 * steps * steps)


def test_light_of_one_color_is_pi_times_it_on_every_normal() -> None:
    for coefficients in (
        gradient_irradiance((0.5, 1.0, 4.0), (0.5, 1.0, 4.0)),
        image_irradiance(np.full((6, 10, 3), [0.5, 1.0, 4.0], np.float32)),
        image_irradiance(np.full((1, 1, 3), [0.5, 1.0, 4.0], np.float32)),
    ):
        for normal in NORMALS:
            np.testing.assert_allclose(on(coefficients, normal), np.array([0.5, 1.0, 4.0]) * math.pi, rtol=1e-12)


def test_a_gradient_is_exact_against_a_sum_over_the_sphere() -> None:
    bottom, top = (0.1, 0.2, 0.3), (1.0, 0.6, 0.2)
    x, y, z, cell = sphere(400)
    for normal in NORMALS:
        cosine = np.maximum(x * normal[0] + y * normal[1] + z * normal[2], 0.0)[..., None]
        light = np.array(bottom) + (np.array(top) - np.array(bottom)) * ((y + 1) / 2)[..., None]
        expected = (light * cosine).sum(axis=(0, 1)) * cell
        np.testing.assert_allclose(on(gradient_irradiance(bottom, top), normal), expected, rtol=1e-4)


def test_an_image_of_a_gradient_gives_the_gradient_s() -> None:
    rows = np.cos((np.arange(256) + 0.5) * math.pi / 256)
    image = np.repeat(((rows + 1) / 2)[:, None, None], 3, axis=2).repeat(8, axis=1).astype(np.float32)
    expected = gradient_irradiance((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    np.testing.assert_allclose(image_irradiance(image), expected, atol=2e-4)  # bilinear between 256 rows


def test_the_image_s_middle_lies_along_minus_z_and_its_right_half_toward_x() -> None:
    image = np.zeros((16, 32, 3), np.float32)
    image[:, 12:20, 0], image[:, 20:28, 1], image[:4, :, 2] = 1.0, 1.0, 1.0
    coefficients = image_irradiance(image)
    for channel, brightest in enumerate([(0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]):
        assert (
            max([*NORMALS, (0.0, 0.0, -1.0), (0.0, 0.0, 1.0)], key=lambda n: on(coefficients, n)[channel]) == brightest
        )


@pytest.mark.parametrize(("height", "width"), [(4, 8), (1, 2), (2, 1), (3, 7)])
def test_the_projection_is_the_integral_of_the_radiance_between_texels(height: int, width: int) -> None:
    image = np.random.default_rng(3).random((height, width, 3)).astype(np.float32)
    x, y, z, cell = sphere(500)
    light = radiance(image, x, y, z) * cell
    one = np.ones_like(x)
    basis = np.stack([one, x, y, z, x * y, y * z, z * x, 3 * y * y - 1, x * x - z * z])
    # Ramamoorthi and Hanrahan: pi, 2 pi / 3, pi / 4 times each normalized function's square.
    squares = np.array([1, 3, 3, 3, 15, 15, 15, 5 / 4, 15 / 4]) / (4 * math.pi)
    cosine = np.array([math.pi, *3 * (2 * math.pi / 3,), *5 * (math.pi / 4,)])
    expected = (basis[..., None] * light).sum(axis=(1, 2)) * (squares * cosine)[:, None]
    np.testing.assert_allclose(image_irradiance(image), expected, atol=5e-5)  # the sum's own error


def test_smooth_skies_are_held_to_a_percent_and_a_lone_sun_to_what_nine_numbers_can() -> None:
    x, y, z, cell = sphere(300)
    image = np.zeros((64, 128, 3), np.float32)
    image[...] = 0.3
    image[8:12, 40:44] = 100.0
    light = radiance(image, x, y, z)
    coefficients = image_irradiance(image)
    strongest = 0.0
    errors = []
    for normal in np.random.default_rng(5).standard_normal((50, 3)):
        nx, ny, nz = (normal / math.sqrt(float((normal * normal).sum()))).tolist()
        exact = (light * np.maximum(x * nx + y * ny + z * nz, 0.0)[..., None]).sum(axis=(0, 1)) * cell
        strongest = max(strongest, float(exact.max()))
        errors.append(float(np.abs(on(coefficients, (nx, ny, nz)) - exact).max()))
    # The cosine lobe's fourth order, left out, is pi / 24 x 9 / (4 pi) = 9/96 of what a point of light gives.
    assert max(errors) < 0.1 * strongest


def test_a_scene_s_environment_has_it_before_its_intensity() -> None:
    environment = Environment((1.0, 2.0, 3.0), (1.0, 2.0, 3.0), intensity=5.0)
    assert environment.irradiance is environment.irradiance
    assert not environment.irradiance.flags.writeable
    np.testing.assert_allclose(environment.irradiance[0], [math.pi, 2 * math.pi, 3 * math.pi])
    assert not environment.irradiance[1:].any()


def test_the_bits_are_those_of_every_machine() -> None:
    # As x86-64 has them, compiled or not.
    image = np.arange(4 * 6 * 3, dtype=np.float32).reshape(4, 6, 3)
    found = [float(value).hex() for value in image_irradiance(image)[:, 0]]
    assert found[:3] == ["0x1.b18a2f6d9809dp+6", "0x1.affffffffffffp+3", "-0x1.b91d89bed4edep+5"]
    assert found[3:] == [
        "-0x1.82324cea33292p-50",
        "0x1.e000000000000p-49",
        "0x1.a78ded1ec4e0dp-50",
        "0x1.29b7b4dd6342cp+2",
        "-0x1.4000000000000p-50",
        "0x1.0c71f9b1d42bep-47",
    ]
