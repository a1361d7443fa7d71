"""An equirectangular sky: where its texels lie, and that it is drawn as it shines."""

import math
from dataclasses import replace

import numpy as np
import pytest

import tracer
from tests.tracer.path.statistics import F32, SIGMAS, assert_matches, mean_color, sphere_counts, sphere_expected
from tests.tracer.scenes import LAMBERT, ground, looking, quad, scene
from tracer import Environment, SceneError, light_sampling
from tracer.environment_image import image_density, image_direction, image_table
from tracer.sky import image_radiance

COUNT = 40_000


def sky(seed=2, height=8, width=16):
    """A dark image with a few bright texels."""
    image = np.random.default_rng(seed).random((height, width, 3)).astype(np.float32)
    image[1, 3], image[6, 12] = (90.0, 60.0, 15.0), (0.0, 24.0, 48.0)
    return image


def test_directions_follow_their_density():
    table, _ = image_table(sky())
    pairs = np.random.default_rng(9).random((COUNT, 2))
    # Rows are bands around +Y: turn it to +Z, where cells of equal solid angle are counted.
    drawn = np.array([image_direction(table, *pair) for pair in pairs])
    np.testing.assert_allclose((drawn * drawn).sum(axis=1), 1.0, rtol=1e-12)
    turned = drawn[:, [2, 0, 1]]
    expected = sphere_expected(lambda x, y, z: image_density(table, y, z, x), 12, 16, 16)
    np.testing.assert_allclose(expected.sum(), 1.0, rtol=1e-2)
    assert_matches(sphere_counts(turned, 12, 16), COUNT * expected / expected.sum())


def test_the_mean_is_left_to_the_lobes():
    # Four rows of eight; one texel of 90 gives 10 to each of the nine around it, and the second row of four covers
    # cos 45 = 0.3536 of the sphere, as the third does, the first and the last 0.1464.
    image = np.ones((4, 8, 3), np.float32)
    image[1, 3] = 91.0, 1.0, 0.0
    table, drawn = image_table(image)
    shares = np.repeat([0.14645, 0.35355, 0.35355], 3) / 8.0
    mean = 1.0 + 10.0 * shares.sum()
    assert drawn == pytest.approx((11.0 - mean) * shares.sum(), rel=1e-4)
    for row in range(4):
        for column in range(8):
            polar, around = math.pi * (row + 0.5) / 4, 2 * math.pi * ((column + 0.5) / 8 - 0.5)
            direction = math.sin(polar) * math.sin(around), math.cos(polar), -math.sin(polar) * math.cos(around)
            lit = row < 3 and 2 <= column <= 4
            expected = 1.0 / (4.0 * math.pi * shares.sum()) if lit else 0.0
            assert image_density(table, *direction) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(
    "image",
    [
        None,
        np.zeros((2, 4, 3), np.float32),
        np.ones((3, 5, 3), np.float32),
        np.tile(np.float32([[[1]], [[0.1]]]), (1, 4, 3)),
    ],
)
def test_what_is_nearly_even_is_not_drawn(image):
    table, drawn = image_table(image)
    assert drawn == 0.0
    assert table.columns.size == 0
    assert table.rows.size == 1
    assert len(table.edges) == 1


@pytest.mark.parametrize("up", [(0, 1, 0), (0, 0, 1)])
def test_a_matte_plane_gathers_the_sky_over_it(up):
    image = sky()
    part = ground(50) if up[1] else quad(-50, 50, -50, 50)
    made = scene(part, materials=(LAMBERT,), environment=Environment(image=image))
    camera = looking(up, up=(1, 0, 0), ymag=1e-3)
    mean, error = mean_color(made, camera, size=(8, 8), samples=256)
    # Midpoints over the sphere, radiance over pi: a Lambert surface of albedo 1.
    steps, expected = 200, np.zeros(3)
    for y in (np.arange(steps) + 0.5) * 2 / steps - 1:
        for around in (np.arange(2 * steps) + 0.5) * math.pi / steps:
            radius = math.sqrt(1 - y * y)
            direction = radius * math.sin(around), y, radius * math.cos(around)
            cosine = direction[0] * up[0] + direction[1] * up[1] + direction[2] * up[2]
            if cosine > 0.0:
                for channel in range(3):
                    expected[channel] += image_radiance(image, *direction, channel) * cosine
    expected *= 4.0 / (2 * steps * steps)
    assert (np.abs(mean - expected) <= SIGMAS * error + 1e-3 * expected).all(), (mean, expected, error)
    assert (error < 0.02 * expected).all()


def test_an_even_image_is_a_white_room():
    made = scene(ground(5), materials=(LAMBERT,), environment=Environment(image=np.ones((4, 8, 3), np.float32)))
    mean, error = mean_color(made, looking((0, 1, 0), up=(0, 0, -1)), size=(4, 4))
    assert (np.abs(mean - 1.0) <= SIGMAS * error + F32).all()


def test_what_is_no_image_is_refused():
    with pytest.raises(SceneError, match=r"environment image must be \(H, W, 3\) float32, found float64 \(2, 4, 3\)"):
        Environment(image=np.ones((2, 4, 3)))
    with pytest.raises(SceneError, match="finite and 0 or more"):
        Environment(image=np.full((2, 4, 3), -1, np.float32))
    with pytest.raises(SceneError, match="at least one texel"):
        Environment(image=np.ones((0, 4, 3), np.float32))


def test_what_draws_directions_from_an_image_is_kept_with_it(monkeypatch):
    made, counted = [], light_sampling.panorama_of
    monkeypatch.setattr(light_sampling, "panorama_of", lambda image: (made.append(image), counted(image))[1])
    skies = [Environment(image=np.full((2, 4, 3), value, np.float32)) for value in (1.0, 2.0)]
    with tracer.Tracer(scene(quad(), environment=skies[0])) as ready:
        pictures = []
        for one in (skies[0], skies[0], skies[1]):
            ready.update(replace(ready.scene, environment=one))
            pictures.append(
                ready.trace(looking(), size=(4, 4), integrator="path", samples=2, layers=("color",))["color"]
            )
    assert [float(image[0, 0, 0]) for image in made] == [1.0, 2.0]
    assert (pictures[0] == pictures[1]).all()
    assert pictures[2][0, 0].tolist() == [2.0, 2.0, 2.0, 0.0]
