"""Scenes whose pixel centres lie where float32 cannot decide: open boundaries, coincident sheets, interpenetrating
surfaces, hair.
"""

import math

import numpy as np

from tests.tracer.scenes import LAMBERT, MATTE, Part, ground, looking, quad, scene, sphere
from tracer import AlphaMode, Environment, Light, Material


def open_sheet():
    """An open sheet whose boundary runs through pixel centres, tilted, so that float32 rounds along it."""
    columns = 40
    x = np.linspace(-1.0, 1.0, columns + 1)
    height = np.full(columns + 1, 0.75 * (1.0 - 41.0 / 120.0))  # the centres of row 20
    positions = np.concatenate([np.stack([x, height, 0.3 * x], -1), np.stack([x, -height, 0.3 * x], -1)])
    low = np.arange(columns) + columns + 1
    triangles = np.concatenate(
        [np.stack([low, low + 1, low - columns], -1), np.stack([low, low - columns, low - columns - 1], -1)]
    )
    return scene(Part(positions, triangles)), looking((0, 0, 2), ymag=0.75)


def coincident_sheets():
    """Two wavy sheets in one place, listed from another vertex, and a third one behind."""
    n = 24
    y, x = (axis.ravel() for axis in np.meshgrid(*2 * (np.linspace(-1, 1, n + 1),), indexing="ij"))
    positions = np.stack([x, y, 0.1 * np.sin(3 * x)], -1)
    corner = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    triangles = np.concatenate(
        [np.stack([corner, corner + 1, corner + n + 1], -1), np.stack([corner + 1, corner + n + 2, corner + n + 1], -1)]
    )
    sheets = [Part(positions, triangles[:, turn], object=number) for number, turn in ((2, [0, 1, 2]), (1, [1, 2, 0]))]
    return scene(*sheets, quad(z=-0.5)), looking((0.3, 0.2, 4), yfov=0.7)


def interpenetrating_limbs():
    """Smooth spheres that pass through each other and through the ground, under a sun and a lamp."""
    lights = (Light("sun", direction=(-1, -2, -1), intensity=2.0), Light("point", position=(1, 2, 2), intensity=5.0))
    made = scene(
        ground(3),
        sphere(1.0, (0, 0.4, 0), material=1),
        sphere(0.7, (0.8, 0.5, 0.3), smooth=False, material=1),
        sphere(1.0, (0, 0.4, 0), rows=9, columns=14, material=2),
        materials=(MATTE, Material(roughness=0.4, metallic=0.5), LAMBERT),
        lights=lights,
        environment=Environment((0.1, 0.1, 0.1), (0.5, 0.6, 0.7)),
    )
    return made, looking((1, 2, 4), (0, 0.4, 0), yfov=0.7)


def hair(count=3000):
    """Thin cards as one part, each of one or two pixels' width, in every direction."""
    random = np.random.default_rng(7)
    roots = random.normal(size=(count, 3))
    roots /= np.sqrt((roots**2).sum(axis=1))[:, None]
    tips = roots * 1.5 + random.normal(size=(count, 3)) * 0.2
    side = np.cross(tips - roots, random.normal(size=(count, 3)))
    side *= 0.006 / np.sqrt((side**2).sum(axis=1))[:, None]
    positions = np.stack([roots - side, roots + side, tips + side, tips - side], axis=1)
    first = np.arange(count)[:, None] * 4
    triangles = np.concatenate([first + np.array([0, 1, 2]), first + np.array([0, 2, 3])], axis=1)
    glassy = Material(base_color=(0.3, 0.2, 0.1, 0.4), alpha_mode=AlphaMode.BLEND, metallic=0.0)
    made = scene(Part(positions, triangles, material=0), sphere(0.99, material=1), materials=(glassy, MATTE))
    solid = scene(Part(positions, triangles), sphere(0.99))
    return (made, solid), looking((0, 0.5, 4), yfov=0.8)


def cases():
    (blended, solid), camera = hair()
    return {
        "open sheet": open_sheet(),
        "coincident sheets": coincident_sheets(),
        "interpenetrating limbs": interpenetrating_limbs(),
        "hair": (solid, camera),
        "blended hair": (blended, camera),
        "inside a sphere": (
            scene(sphere(rows=30, columns=40)),
            looking((0.3, 0, 0), (1, 0.2, 0), yfov=math.radians(120)),
        ),
    }


CASES = cases()
