"""Paths against a renderer that nobody here wrote, in a process of its own: Mitsuba 3.

Skipped where there is none. POSED_TEST_MITSUBA names the interpreter that has it, where that is not this one. Mitsuba's
LLVM variants need an LLVM library, which DRJIT_LIBLLVM_PATH names where it is not found by itself.
"""

import importlib.util
import math
import os
import statistics
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tracer
from tests.tracer.scenes import LAMBERT, MATTE, ground, looking, quad, scene, sphere, texture
from tracer import Environment, Light, Material, TextureSlot

LEVEL = 0.01
"""Chance that equal pictures fail, over all pixels and channels together."""

CLEARLY_BIASED = 0.005
"""Relative difference of whole pictures that is never noise."""

SAMPLES = 1024
SIZE = 40, 32


@pytest.fixture(scope="module")
def interpreter():
    """The Python that has Mitsuba."""
    named = os.environ.get("POSED_TEST_MITSUBA")
    if named is None and importlib.util.find_spec("mitsuba") is None:
        pytest.skip("there is no Mitsuba here")
    return named or sys.executable


def box(center, half, **options):
    """An upright box of flat sides."""
    signs = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    part = sphere(**options)
    part.positions = [[c + s * h for c, s, h in zip(center, corner, half, strict=True)] for corner in signs]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    part.triangles = [triangle for a, b, c, d in sides for triangle in ((a, b, c), (a, c, d))]
    part.normals = None
    return part


def white(red, green, blue, **options):
    return replace(MATTE, base_color=(red, green, blue, 1.0), **options)


LAMP = replace(LAMBERT, base_color=(0, 0, 0, 1), emission=(9.0, 7.0, 5.0))
SUN = Light("sun", direction=(-0.5, -1.0, -0.3), intensity=2.0)
POINT = Light("point", position=(1.5, 2.5, 1.0), intensity=6.0)


def diffuse():
    """Colored boxes under a lamp that faces down, in a dim room."""
    lamp = ground(0.6, y=2.4, material=1)
    lamp.triangles = [corners[::-1] for corners in lamp.triangles]
    parts = ground(3), lamp, box((-0.7, 0.6, 0), (0.5, 0.6, 0.4), material=2), box((0.8, 0.4, 0.3), (0.4, 0.4, 0.4))
    colors = white(0.8, 0.8, 0.8, specular=0.0), LAMP, white(0.9, 0.2, 0.1, specular=0.0)
    return scene(*parts, materials=colors, environment=Environment((0.2, 0.3, 0.4), (0.2, 0.3, 0.4)))


def rough_metal():
    """A faceted ball and a wall of metal on plastic, by a point light in a light room."""
    materials = (
        white(0.7, 0.6, 0.5, roughness=0.6),
        Material(base_color=(1.0, 0.7, 0.3, 1.0), roughness=0.45, double_sided=True),
        Material(base_color=(0.9, 0.9, 0.95, 1.0), roughness=0.7, double_sided=True),
    )
    ball = sphere(0.8, (0.2, 0.8, 0.2), rows=8, columns=12, smooth=False, material=1)
    parts = ground(3), ball, quad(-2, 2, 0, 2, -1.2, material=2)
    light = Environment((0.5, 0.6, 0.7), (0.5, 0.6, 0.7))
    return scene(*parts, materials=materials, lights=(POINT,), environment=light)


def textured():
    """A checkered wall, diffuse, and a checkered box of plastic, under a sun."""
    rows = np.array([[(230, 40, 30), (30, 200, 60), (250, 250, 250)], [(20, 40, 220), (128, 128, 128), (240, 200, 0)]])
    texels = np.concatenate([rows, np.full((2, 3, 1), 255)], axis=2)
    materials = (
        white(0.5, 0.5, 0.5, specular=0.0),
        white(1, 1, 1, specular=0.0, color_texture=TextureSlot(0)),
        white(1, 1, 1, roughness=0.5, color_texture=TextureSlot(0)),
    )
    parts = ground(3), quad(-2, 2, 0, 2.5, -1, material=1), quad(-0.3, 1.2, 0, 1.2, 0.4, material=2)
    light = Environment((0.3, 0.3, 0.3), (0.3, 0.3, 0.3))
    return scene(*parts, materials=materials, textures=(texture(texels),), lights=(SUN,), environment=light)


def write_scene(path, made, camera):
    """Write what `mitsuba_scene.py` reads."""
    lights = {"sun": np.zeros(6), "point": np.zeros(6)}
    for light in made.lights:
        place = light.direction if light.kind == "sun" else light.position
        lights[light.kind] = np.array([*place, *(light.intensity * c for c in light.color)])
    texels = made.textures[0].texels[..., :3] if made.textures else np.zeros((1, 1, 3), np.uint8)
    np.savez(
        path,
        positions=made.positions,
        triangles=made.triangles,
        uvs=made.uvs[0],
        material=made.material,
        materials=np.array(
            [
                [*m.base_color[:3], m.metallic, m.roughness, m.specular, float(m.color_texture is not None)]
                for m in made.materials
            ]
        ),
        emission=np.array([m.emission for m in made.materials]),
        texture=texels,
        environment=np.array(made.environment.top),
        camera=camera.matrix,
        yfov=math.degrees(camera.yfov),
        size=np.array(SIZE),
        samples=SAMPLES,
        **lights,
    )


@pytest.mark.parametrize("make", [diffuse, rough_metal, textured])
def test_mitsuba_sees_the_same(make, interpreter, tmp_path):
    made, camera = make(), looking((0.6, 1.5, 3.2), (0, 0.8, 0), yfov=0.9)
    write_scene(tmp_path / "scene.npz", made, camera)
    script = Path(__file__).with_name("mitsuba_scene.py")
    command = [interpreter, str(script), str(tmp_path / "scene.npz"), str(tmp_path / "picture.npz")]
    subprocess.run(command, check=True, timeout=300)
    theirs = np.load(tmp_path / "picture.npz")
    options = {"size": SIZE, "samples": SAMPLES, "integrator": "path", "layers": ("color", "variance")}
    ours = tracer.trace(made, camera, **options)
    color, variance = ours["color"][..., :3].astype(np.float64), ours["variance"].astype(np.float64)

    spread = np.sqrt(variance + theirs["variance"])
    difference = np.abs(color - theirs["mean"])
    # Sidak: each of n tests at 1 - (1 - level)^(1/n), on both sides. Six digits are float32's share.
    level = 1.0 - (1.0 - LEVEL) ** (1.0 / difference.size)
    limit = statistics.NormalDist().inv_cdf(1.0 - level / 2.0)
    worst = float((np.maximum(difference - 1e-5 * color, 0.0) / np.maximum(spread, 1e-12)).max())
    print(f"{make.__name__}: worst pixel {worst:.2f} of {limit:.2f} standard errors")
    assert worst <= limit

    mean, expected = color.mean(axis=(0, 1)), theirs["mean"].mean(axis=(0, 1))
    error = np.sqrt((spread**2).sum(axis=(0, 1))) / (SIZE[0] * SIZE[1])
    print(f"  means {mean} and {expected}, {(mean - expected) / error} standard errors apart")
    assert (np.abs(mean - expected) <= 3.0 * error).all()
    assert (np.abs(mean - expected) <= CLEARLY_BIASED * expected).all()
