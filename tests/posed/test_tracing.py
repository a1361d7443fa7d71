"""The walker by every integrator."""

from pathlib import Path

import numpy as np
import pytest

import posed

WALKER = Path(__file__).parents[2] / "golden/scenes/walker.toml"


@pytest.fixture(scope="module")
def walking():
    scene = posed.load(WALKER)
    world = posed.World(scene)
    world.advance(42)
    return scene, world.posed()


@pytest.mark.parametrize("backend", ["embree", "bvh"])
def test_the_walker_by_path_has_a_number_in_every_pixel(walking, backend):
    frame = posed.trace(*walking, size=(96, 54), integrator="path", samples=4, backend=backend)
    for name in ("color", "variance"):
        assert np.isfinite(frame[name]).all()
        assert frame[name].min() >= 0.0
    seen = frame["object"] > 0
    assert (frame["color"][..., 3][seen] > 0.0).mean() > 0.99
    # Under an open sky four paths all ending in the dark are rare, in a fold; black normals would be whole regions.
    assert (frame["color"][..., :3][seen].max(axis=1) > 0.0).mean() > 0.99


def test_path_and_direct_agree_on_how_light_it_is(walking):
    # The ambient term stands for the sky's light with its corners left undarkened: near, and never far below.
    options = {"size": (48, 27), "samples": 16}
    path = posed.trace(*walking, integrator="path", **options)["color"][..., :3].mean()
    direct = posed.trace(*walking, **options)["color"][..., :3].mean()
    assert 0.8 * direct < path < 1.1 * direct
