"""Lobes chosen and directions drawn at a surface written by hand."""

import math

import numpy as np
import pytest

from tests.tracer.path.statistics import assert_matches, sphere_counts, sphere_expected
from tracer.lighting import write_reflected
from tracer.scattering import MIRRORED, NOWHERE, STRAIGHT, fresnel_at, lobe_chances, scattering_density, write_scattered
from tracer.surface import DIFFUSE, GRAZING, PASSES, REFLECTANCE, ROUGH, SHADING, SURFACE_COLUMNS

COUNT = 40_000
VIEWS = {1.0: (0.0, 0.0, 1.0), 0.4: (math.sqrt(0.84), 0.0, 0.4), 0.05: (math.sqrt(0.9975), 0.0, 0.05)}


def surface(diffuse=(0.8, 0.4, 0.1), reflectance=(0.04, 0.04, 0.04), grazing=1.0, alpha=0.25, passes=0.0):
    """A surface whose shading normal is (0, 0, 1)."""
    row = np.zeros(SURFACE_COLUMNS)
    row[SHADING + 2] = 1.0
    row[DIFFUSE : DIFFUSE + 3], row[REFLECTANCE : REFLECTANCE + 3] = diffuse, reflectance
    row[GRAZING], row[ROUGH], row[PASSES] = grazing, alpha, passes
    return row


METAL = {"diffuse": (0, 0, 0), "reflectance": (1.0, 0.7, 0.3), "alpha": 0.3}
SURFACES = {"plastic": {}, "metal": METAL, "thin": {"passes": 0.5}, "rough": {"alpha": 1.0}}


def drawn(row, view, count=COUNT, seed=3):
    """Directions, weights and densities of many draws."""
    directions, weights, densities = np.zeros((count, 3)), np.zeros((count, 3)), np.zeros(count)
    for number, (first, second) in enumerate(np.random.default_rng(seed).random((count, 2))):
        densities[number] = write_scattered(row, *view, first, second, directions[number], weights[number])
    return directions, weights, densities


@pytest.mark.parametrize("cosine", VIEWS)
@pytest.mark.parametrize(
    "options", [{}, METAL, {"passes": 0.5}, {"alpha": 1.0}], ids=["plastic", "metal", "thin", "rough"]
)
def test_directions_follow_their_density(options, cosine):
    row, view = surface(**options), VIEWS[cosine]
    directions, weights, densities = drawn(row, view)
    there = densities > 0.0
    expected = sphere_expected(lambda x, y, z: scattering_density(row, *view, x, y, z), 16, 12)
    lost = 1.0 - expected.sum() - lobe_chances(row, cosine)[0]
    counts = [
        *sphere_counts(directions[there], 16, 12).ravel(),
        (densities == NOWHERE).sum(),
        (densities == STRAIGHT).sum(),
    ]
    chances = [*expected.ravel(), max(lost, 0.0), lobe_chances(row, cosine)[0]]
    assert_matches(counts, COUNT * np.array(chances))
    assert np.isfinite(weights).all()
    assert (weights >= 0.0).all()


def test_a_weight_is_the_reflection_times_the_cosine_over_the_density():
    row, view, value = surface(), VIEWS[0.4], np.zeros(3)
    directions, weights, densities = drawn(row, view, 50)
    for direction, weight, density in zip(directions, weights, densities, strict=True):
        if density > 0.0:
            assert density == scattering_density(row, *view, *direction)
            write_reflected(row, *view, *direction, value)
            np.testing.assert_allclose(weight, value * direction[2] / density, rtol=1e-12)


def test_a_smooth_metal_is_a_mirror():
    row, view = surface(**(METAL | {"alpha": 0.0})), VIEWS[0.4]
    directions, weights, densities = drawn(row, view, 20)
    assert (densities == MIRRORED).all()
    np.testing.assert_allclose(directions, np.tile([-view[0], 0.0, view[2]], (20, 1)), atol=1e-15)
    # f0 + (1 - f0) (1 - 0.4)^5
    np.testing.assert_allclose(weights[0], [1.0, 0.7 + 0.3 * 0.07776, 0.3 + 0.7 * 0.07776])


def test_what_the_normal_does_not_reflect_goes_straight_on():
    row, view = surface(diffuse=(1, 1, 1), alpha=0.0, passes=1.0), VIEWS[0.4]
    straight, specular = lobe_chances(row, 0.4)
    reflectance = 0.04 + 0.96 * 0.07776
    assert fresnel_at(row, 0.4, 0) == pytest.approx(reflectance)
    assert (straight, specular) == pytest.approx((1.0 - reflectance, reflectance))
    _, weights, densities = drawn(row, view, 200)
    assert set(densities) == {MIRRORED, STRAIGHT}
    np.testing.assert_allclose(weights, 1.0)


def test_a_black_surface_sends_nothing_on():
    row = surface(diffuse=(0, 0, 0), reflectance=(0, 0, 0), grazing=0.0)
    _, weights, _ = drawn(row, VIEWS[0.4], 50)
    assert not weights.any()
