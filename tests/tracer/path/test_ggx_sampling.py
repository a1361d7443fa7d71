"""Every direction drawn, held to the density it claims; and the frames they are drawn in."""

import math

import numpy as np
import pytest

from tests.tracer.path.statistics import assert_matches, sphere_counts, sphere_expected
from tracer.brdf import LEAST_COSINE
from tracer.ggx_sampling import circle_point, cosine_direction, even_direction, frame_of, ggx_density, ggx_normal

COUNT = 40_000


def numbers(count=COUNT, seed=1):
    return np.random.default_rng(seed).random((count, 2))


@pytest.mark.parametrize("normal", [(0, 0, 1), (0, 0, -1), (0.6, 0, 0.8), (-0.48, 0.64, -0.6), (1, 0, 0)])
def test_a_frame_is_orthonormal_and_right_handed(normal):
    axes = np.array([*frame_of(*map(float, normal)), *normal]).reshape(3, 3)
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(np.cross(axes[0], axes[1]), axes[2], atol=1e-15)


def test_points_of_a_circle():
    for turn in (*np.linspace(0.0, 1.0, 97), np.nextafter(1.0, 0.0)):
        around = 2.0 * math.pi * turn
        assert circle_point(turn) == pytest.approx((math.cos(around), math.sin(around)), abs=1e-13)


def test_cosine_directions():
    drawn = np.array([cosine_direction(*pair) for pair in numbers()])
    np.testing.assert_allclose((drawn * drawn).sum(axis=1), 1.0, rtol=1e-12)
    assert drawn[:, 2].min() >= 0.0
    expected = sphere_expected(lambda x, y, z: max(z, 0.0) / math.pi, 16, 12, 2)
    assert_matches(sphere_counts(drawn, 16, 12), COUNT * expected)


def test_directions_all_over_the_hemisphere():
    drawn = np.array([even_direction(*pair) for pair in numbers()])
    np.testing.assert_allclose((drawn * drawn).sum(axis=1), 1.0, rtol=1e-12)
    expected = np.zeros((16, 12))
    expected[8:] = COUNT / (8 * 12)
    assert_matches(sphere_counts(drawn, 16, 12), expected)


def reflected(view, normal):
    return 2.0 * float((view * normal).sum()) * normal - view


@pytest.mark.parametrize("alpha", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("cosine", [1.0, 0.5, 0.1])
def test_reflections_by_visible_normals(alpha, cosine):
    view = np.array([math.sqrt(1.0 - cosine * cosine), 0.0, cosine])

    def density(x, y, z):
        half = view + np.array([x, y, z])
        half /= math.sqrt(float((half * half).sum()))
        return ggx_density(cosine, half[2], float((half * view).sum()), alpha)

    drawn = np.array([reflected(view, np.array(ggx_normal(*view, alpha, *pair))) for pair in numbers()])
    np.testing.assert_allclose((drawn * drawn).sum(axis=1), 1.0, rtol=1e-9)
    # Below the horizon, where no light is reflected, the density ends at an edge that Gauss does not see: one cell.
    counts, expected = sphere_counts(drawn, 16, 12)[8:], COUNT * sphere_expected(density, 16, 12)[8:]
    assert_matches([*counts.ravel(), COUNT - counts.sum()], [*expected.ravel(), COUNT - expected.sum()])


@pytest.mark.parametrize("alpha", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("cosine", [0.5 * LEAST_COSINE, -0.2])
def test_where_the_normal_leans_away_all_normals_are_drawn(alpha, cosine):
    view = np.array([math.sqrt(1.0 - cosine * cosine), 0.0, cosine])

    def distribution(x, y, z):
        return alpha**2 / (math.pi * (z * z * (alpha**2 - 1.0) + 1.0) ** 2) * max(z, 0.0)

    normals = np.array([ggx_normal(*view, alpha, *pair) for pair in numbers()])
    assert_matches(sphere_counts(normals, 16, 12), COUNT * sphere_expected(distribution, 16, 12))
    for normal in normals[:50]:
        # Reflection spreads a solid angle of normals over 4 |v.h| times as much, whichever side of h is seen.
        toward = float((view * normal).sum())
        expected = distribution(*normal) / (4.0 * abs(toward))
        assert ggx_density(cosine, math.copysign(normal[2], toward), abs(toward), alpha) == pytest.approx(expected)


def test_a_visible_normal_is_never_turned_away_from_the_viewer():
    for cosine in (1.0, 0.3, 0.01, LEAST_COSINE):
        view = np.array([math.sqrt(1.0 - cosine * cosine), 0.0, cosine])
        normals = np.array([ggx_normal(*view, 0.7, *pair) for pair in numbers(2000)])
        assert (normals @ view).min() >= -1e-12
        assert normals[:, 2].min() >= 0.0
