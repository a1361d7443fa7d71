"""Points of emitters, held to the density they claim."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.tracer.path.statistics import assert_matches, sphere_counts, sphere_expected
from tests.tracer.scenes import LAMBERT, MATTE, quad, scene
from tracer import Light
from tracer.light_sampling import (
    cone_direction,
    disk_of,
    emitters_of,
    triangle_density,
    triangle_point,
    write_light,
)
from tracer.mesh_table import mesh_of
from tracer.surface_row import LIFTED, SHADING, SURFACE_COLUMNS
from tracer.tables import LIGHT_COLOR, LIGHT_COLUMNS, LIGHT_DIRECTION, looks_of, shine_of

COUNT = 40_000
LAMP = replace(LAMBERT, base_color=(0, 0, 0, 1), emission=(2.0, 4.0, 6.0))


def numbers(seed=5, count=COUNT):
    return np.random.default_rng(seed).random((count, 2))


@pytest.mark.parametrize("radius", [1e-6, 0.00465, 0.5, math.pi / 2])
def test_the_sun_s_disk_is_evenly_spread(radius):
    drawn = np.array([cone_direction(disk_of(radius)[0], *pair) for pair in numbers()])
    np.testing.assert_allclose((drawn * drawn).sum(axis=1), 1.0, rtol=1e-12)
    # Even in 1 - cos, which is half the squared chord to the axis.
    rise = (drawn[:, 0] ** 2 + drawn[:, 1] ** 2 + (1.0 - drawn[:, 2]) ** 2) / 2.0
    counts, _, _ = np.histogram2d(
        rise / (2.0 * math.sin(radius / 2) ** 2),
        np.arctan2(drawn[:, 1], drawn[:, 0]),
        (8, 8),
        range=((0.0, 1.0 + 1e-5), (-math.pi, math.pi)),
    )
    assert_matches(counts, np.full((8, 8), COUNT / 64))


def test_a_sun_of_any_size_gives_its_lux():
    # A hemisphere of radiance 1 / pi gives 1; a small disk its solid angle times its radiance.
    assert disk_of(math.pi / 2) == pytest.approx((1.0, 0.5 / math.pi, 1.0 / math.pi))
    assert disk_of(0.0) == (0.0, 0.0, 0.0)
    _, density, radiance = disk_of(1e-4)
    assert radiance / density == pytest.approx(1.0, rel=1e-8)


def test_points_of_a_triangle_are_evenly_spread():
    drawn = np.array([triangle_point(*pair) for pair in numbers()])
    assert (drawn >= 0.0).all()
    assert (drawn.sum(axis=1) <= 1.0).all()
    counts, _, _ = np.histogram2d(drawn[:, 0], drawn[:, 1], (10, 10), range=((0, 1), (0, 1)))
    row, column = np.meshgrid(range(10), range(10), indexing="ij")
    inside = np.where(row + column < 9, 1.0, np.where(row + column == 9, 0.5, 0.0))
    assert_matches(counts, inside * COUNT / 50)


def made_with_lamps():
    """Two lamps above the origin, one of twice the area, and one that is dark; a sun beside them."""
    lamps = quad(-1, 1, -1, 1, 2, material=1), quad(2, 6, -1, 1, 2, material=1), quad(-9, -3, -1, 1, 2)
    made = scene(*lamps, materials=(MATTE, LAMP), lights=(Light("sun", angle=0.2, direction=(0, 0, -1)),))
    mesh, looks = mesh_of(made), looks_of(made)
    hittable = np.arange(len(made.triangles))
    return emitters_of(made, mesh, shine_of(made.lights, made.environment), hittable), mesh, looks


def test_emissive_triangles_are_chosen_by_area_and_emission():
    emitters, _, _ = made_with_lamps()
    # The sun's lux, and 12 square metres of 6 over the squared half diagonal: (15^2 + 2^2) / 4.
    sun, lamps = 1.0, 12 * 6 / 57.25
    first = 0.5 / 2 + 0.5 * sun / (sun + lamps)
    np.testing.assert_allclose(emitters.choices, [0.0, first, 1.0])
    assert emitters.triangles.tolist() == [0, 1, 2, 3]
    np.testing.assert_allclose(emitters.cumulative, [0.0, 1 / 6, 2 / 6, 4 / 6, 1.0])
    np.testing.assert_allclose(emitters.density, [0.0, 1 / 12])  # 12 square metres in all


def test_light_drawn_follows_its_density():
    emitters, mesh, looks = made_with_lamps()
    surface, source = np.zeros(SURFACE_COLUMNS), np.zeros(SURFACE_COLUMNS)
    surface[LIFTED : LIFTED + 3], surface[SHADING + 2] = (1.0, 0.5, 0.0), 1.0
    ray, light = np.zeros(6), np.zeros(LIGHT_COLUMNS)
    directions, is_lamp = np.zeros((COUNT, 3)), np.zeros(COUNT, np.bool_)
    for number, pair in enumerate(numbers()):
        density, is_lamp[number] = write_light(emitters, mesh, looks, surface, *pair, ray, source, light)
        directions[number] = -light[LIGHT_DIRECTION : LIGHT_DIRECTION + 3]
        if is_lamp[number]:
            np.testing.assert_allclose(light[LIGHT_COLOR : LIGHT_COLOR + 3] * density, [2.0, 4.0, 6.0], rtol=1e-12)

    def density(x, y, z):
        if z <= 0.0:
            return 0.0
        way = np.array([1.0, 0.5, 0.0, x * 2 / z, y * 2 / z, 2.0])
        column, row = 1.0 + way[3], 0.5 + way[4]
        if abs(row) > 1.0 or not (-1.0 <= column <= 1.0 or 2.0 <= column <= 6.0):
            return 0.0
        return triangle_density(emitters, mesh, 0 if column < 2 else 2, way)

    expected = sphere_expected(density, 8, 12, 24)
    chance = 1.0 - emitters.choices[1]
    assert expected.sum() == pytest.approx(chance, rel=5e-3)
    counts = sphere_counts(directions[is_lamp], 8, 12)
    assert is_lamp.mean() == pytest.approx(chance, abs=4 * 0.5 / math.sqrt(COUNT))
    # The lamps' outlines cut cells that Gauss takes for smooth: three percent of a cell.
    assert np.abs(counts - COUNT * expected).max() < 5 * np.sqrt(COUNT * expected.max()) + 0.03 * COUNT * expected.max()
