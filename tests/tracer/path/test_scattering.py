"""Lobes chosen and directions drawn at a surface written by hand."""

import math

import numpy as np
import pytest

from tests.tracer.path.statistics import assert_matches, sphere_counts, sphere_expected
from tracer.brdf import coat_fresnel
from tracer.lighting import write_reflected
from tracer.scattering import (
    MIRRORED,
    NOWHERE,
    STRAIGHT,
    Chances,
    fresnel_at,
    is_matte,
    lobe_chances,
    scattering_density,
    withheld_at,
    write_matte_scattered,
    write_scattered,
)
from tracer.sheen import sheen_albedo
from tracer.surface_row import (
    COAT,
    COAT_NORMAL,
    COAT_ROUGH,
    DIFFUSE,
    GRAZING,
    PASSES,
    REFLECTANCE,
    ROUGH,
    SHADING,
    SHEEN,
    SHEEN_ALBEDO,
    SHEEN_ROUGH,
    SURFACE_COLUMNS,
    UNDER,
    WITHHELD,
)

COUNT = 40_000
VIEWS = {1.0: (0.0, 0.0, 1.0), 0.4: (math.sqrt(0.84), 0.0, 0.4), 0.05: (math.sqrt(0.9975), 0.0, 0.05)}


def surface(
    cosine=1.0,
    diffuse=(0.8, 0.4, 0.1),
    reflectance=(0.04, 0.04, 0.04),
    withheld=None,
    grazing=1.0,
    alpha=0.25,
    passes=0.0,
    coat=0.0,
    coat_alpha=0.0,
    coat_normal=(0.0, 0.0, 1.0),
    sheen=(0.0, 0.0, 0.0),
    sheen_roughness=0.5,
):
    """A surface whose shading normal is (0, 0, 1), seen at a cosine."""
    row = np.zeros(SURFACE_COLUMNS)
    row[SHADING + 2] = 1.0
    row[DIFFUSE : DIFFUSE + 3], row[REFLECTANCE : REFLECTANCE + 3] = diffuse, reflectance
    row[WITHHELD : WITHHELD + 3] = reflectance if withheld is None else withheld
    row[GRAZING], row[ROUGH], row[PASSES] = grazing, alpha, passes
    view = VIEWS.get(cosine, (math.sqrt(1.0 - cosine * cosine), 0.0, cosine))
    row[COAT] = coat * coat_fresnel(sum(n * v for n, v in zip(coat_normal, view, strict=True)))
    row[COAT_NORMAL : COAT_NORMAL + 3], row[COAT_ROUGH] = coat_normal, coat_alpha
    row[SHEEN : SHEEN + 3], row[SHEEN_ROUGH] = sheen, sheen_roughness
    row[SHEEN_ALBEDO] = sheen_albedo(cosine, sheen_roughness)
    row[UNDER] = (1.0 - row[COAT]) * max(1.0 - max(sheen) * row[SHEEN_ALBEDO], 0.0)
    return row


METAL = {"diffuse": (0, 0, 0), "reflectance": (1.0, 0.7, 0.3), "alpha": 0.3}
SURFACES = {
    "plastic": {},
    "metal": METAL,
    "thin": {"passes": 0.5},
    "rough": {"alpha": 1.0},
    "tinted": {"reflectance": (0.3, 0.02, 0.0), "withheld": (0.3, 0.3, 0.3)},
    "coated": {"coat": 1.0, "coat_alpha": 0.3},
    "bumpy coat": {"coat": 0.8, "coat_alpha": 0.2, "coat_normal": (0.48, 0.36, 0.8)},
    "velvet": {"sheen": (0.9, 0.5, 0.2)},
    "all": {"passes": 0.3, "coat": 0.5, "coat_alpha": 0.4, "sheen": (0.2, 0.5, 0.9), "sheen_roughness": 0.2},
}


def chances_of(row, view):
    """The chances of the lobes of a surface seen from a direction."""
    return Chances(*lobe_chances(row, float((row[SHADING : SHADING + 3] * view).sum())))


def drawn(row, view, count=COUNT, seed=3):
    """Directions, weights and densities of many draws."""
    directions, weights, densities = np.zeros((count, 3)), np.zeros((count, 3)), np.zeros(count)
    chances = chances_of(row, view)
    for number, (first, second) in enumerate(np.random.default_rng(seed).random((count, 2))):
        densities[number] = write_scattered(row, chances, *view, first, second, directions[number], weights[number])
    return directions, weights, densities


@pytest.mark.parametrize("cosine", VIEWS)
@pytest.mark.parametrize("name", SURFACES)
def test_directions_follow_their_density(name, cosine):
    row, view = surface(cosine, **SURFACES[name]), VIEWS[cosine]
    directions, weights, densities = drawn(row, view)
    there = densities > 0.0
    chances = chances_of(row, view)
    expected = sphere_expected(lambda x, y, z: scattering_density(row, chances, *view, x, y, z), 16, 12)
    straight = chances.straight
    counts = sphere_counts(directions[there], 16, 12)
    if name == "bumpy coat":
        # Its horizon cuts cells that Gauss takes for smooth: those count as one.
        middles = np.arange(12) * math.pi / 6 - math.pi + math.pi / 12, (np.arange(16) + 0.5) / 8 - 1
        around, z = np.meshgrid(*middles)
        above = np.sqrt(1 - z * z) * (0.48 * np.cos(around) + 0.36 * np.sin(around)) + 0.8 * z
        sure = (above > 0.25) & (z > 0.0)
        counts, expected = counts[sure], expected[sure]
    lost = 1.0 - expected.sum() - straight
    outside = len(densities) - counts.sum() - (densities == STRAIGHT).sum()
    assert_matches(
        [*counts.ravel(), outside, (densities == STRAIGHT).sum()],
        COUNT * np.array([*expected.ravel(), max(lost, 0.0), straight]),
    )
    assert np.isfinite(weights).all()
    assert (weights >= 0.0).all()


@pytest.mark.parametrize("name", SURFACES)
def test_a_weight_is_the_reflection_over_the_density(name):
    row, view, value = surface(0.4, **SURFACES[name]), VIEWS[0.4], np.zeros(3)
    directions, weights, densities = drawn(row, view, 50)
    for direction, weight, density in zip(directions, weights, densities, strict=True):
        if density > 0.0:
            assert density == scattering_density(row, chances_of(row, view), *view, *direction)
            write_reflected(row, *view, *direction, value)
            np.testing.assert_allclose(weight, value / density, rtol=1e-12)


def test_a_smooth_metal_is_a_mirror():
    row, view = surface(0.4, **(METAL | {"alpha": 0.0})), VIEWS[0.4]
    directions, weights, densities = drawn(row, view, 20)
    assert (densities == MIRRORED).all()
    np.testing.assert_allclose(directions, np.tile([-view[0], 0.0, view[2]], (20, 1)), atol=1e-15)
    # f0 + (1 - f0) (1 - 0.4)^5
    np.testing.assert_allclose(weights[0], [1.0, 0.7 + 0.3 * 0.07776, 0.3 + 0.7 * 0.07776])


def test_what_the_normal_does_not_reflect_goes_straight_on():
    row, view = surface(diffuse=(1, 1, 1), alpha=0.0, passes=1.0), VIEWS[0.4]
    reflectance = 0.04 + 0.96 * 0.07776
    assert fresnel_at(row, 0.4, 0) == pytest.approx(reflectance)
    assert lobe_chances(row, 0.4) == pytest.approx((1.0 - reflectance, reflectance, 0.0, 0.0))
    _, weights, densities = drawn(row, view, 200)
    assert set(densities) == {MIRRORED, STRAIGHT}
    np.testing.assert_allclose(weights, 1.0)


def test_a_smooth_coat_is_a_mirror_over_what_it_lets_through():
    row, view = surface(0.4, coat=0.5), VIEWS[0.4]
    fresnel = 0.5 * (0.04 + 0.96 * 0.07776)
    _, weights, densities = drawn(row, view, 4000)
    mirrored = densities == MIRRORED
    chance = lobe_chances(row, 0.4)[2]
    assert mirrored.mean() == pytest.approx(chance, abs=4.0 * math.sqrt(chance / 4000))
    np.testing.assert_allclose(weights[mirrored], fresnel / chance)


def test_what_a_tinted_reflection_takes_from_the_diffuse_is_its_strongest_channel():
    row = surface(reflectance=(0.3, 0.02, 0.0), withheld=(0.3, 0.3, 0.3))
    assert [fresnel_at(row, 1.0, channel) for channel in range(3)] == pytest.approx([0.3, 0.02, 0.0])
    assert [withheld_at(row, 1.0, channel) for channel in range(3)] == pytest.approx([0.3, 0.3, 0.3])


def test_a_black_surface_sends_nothing_on():
    row = surface(diffuse=(0, 0, 0), reflectance=(0, 0, 0), grazing=0.0)
    _, weights, _ = drawn(row, VIEWS[0.4], 50)
    assert not weights.any()


MATTE = {"reflectance": (0, 0, 0), "grazing": 0.0}


@pytest.mark.parametrize("name", SURFACES)
def test_only_what_has_no_lobe_but_the_diffuse_one_is_matte(name):
    assert is_matte(surface(0.4, **MATTE))
    assert not is_matte(surface(0.4, **SURFACES[name]))
    others = {key: value for key, value in SURFACES[name].items() if key not in ("diffuse", "alpha")}
    assert is_matte(surface(0.4, **(MATTE | others))) == (not others)


def test_a_matte_surface_is_drawn_as_any_other():
    row, view = surface(0.4, **MATTE), VIEWS[0.4]
    directions, weights, densities = drawn(row, view, 50)
    direction, weight = np.zeros(3), np.zeros(3)
    for number, (first, second) in enumerate(np.random.default_rng(3).random((50, 2))):
        density = write_matte_scattered(row, first, second, direction, weight)
        assert density == pytest.approx(densities[number], rel=1e-12)
        np.testing.assert_allclose(direction, directions[number], atol=1e-15)
        np.testing.assert_allclose(weight, weights[number], rtol=1e-12)
    assert write_matte_scattered(row, 0.0, 0.5, direction, weight) == NOWHERE  # along the surface
