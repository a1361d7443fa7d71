"""The walker by every integrator."""

from pathlib import Path

import numpy as np
import pytest

import posed
from tests.tracer.scenes import looking

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


PICTURES = (
    {"integrator": "aov"},
    {"samples": 2, "layers": ("color",)},
    {"samples": "center", "layers": ("color",)},
    {"integrator": "path", "samples": 1, "layers": ("color",)},
)


def same(frame, expected):
    """Check that two frames agree in every bit and in where they come from."""
    assert set(frame) == set(expected)
    assert frame.provenance == expected.provenance
    for name in expected:
        assert frame[name].tobytes() == expected[name].tobytes(), name


@pytest.mark.parametrize("backend", ["embree", "bvh"])
def test_every_tick_of_the_walker_is_as_traced_from_nothing(backend):
    scene = posed.load(WALKER)
    world = posed.World(scene)
    with posed.Tracing(scene, backend=backend) as tracing:
        for tick in (0, 1, 2, 17, 90):
            world.advance(tick)
            pose = world.posed()
            for options in PICTURES:
                chosen = {"size": (64, 36), **options}
                same(tracing.trace(pose, **chosen), posed.trace(scene, pose, backend=backend, **chosen))


def test_every_clip_of_other_peoples_models_is_as_traced_from_nothing(models):
    paths = sorted(path for path in models.iterdir() if path.suffix in (".glb", ".gltf"))
    assert paths
    for path in paths:
        scene = posed.load(path)
        world, one = posed.World(scene), scene.objects[0]
        tracing = posed.Tracing(scene)
        for number in range(min(len(one.model.clips), 3) or 1):
            if one.model.clips:
                world.play_clip(one.name, number)
            for tick in (40 * number + 1, 40 * number + 20):
                world.advance(tick)
                pose = world.posed()
                same(tracing.trace(pose, size=(48, 36)), posed.trace(scene, pose, size=(48, 36)))
        tracing.close()


def test_a_frame_keeps_its_own_tick_when_the_next_is_traced():
    scene = posed.load(WALKER)
    world, tracing = posed.World(scene), posed.Tracing(scene)
    frames = []
    for tick in (3, 40):
        world.advance(tick)
        frames.append(tracing.trace(world.posed(), size=(32, 18), integrator="aov"))
    staged = [frame.staged[0] for frame in frames]
    assert (staged[0].positions != staged[1].positions).any()
    assert staged[0].positions.tobytes() == posed.stage.stage(scene, _at(scene, 3)).positions.tobytes()
    assert staged[0].triangles is staged[1].triangles


def test_a_closed_tracing_begins_again(walking):
    scene, pose = walking
    tracing = posed.Tracing(scene)
    first = tracing.trace(pose, size=(32, 18), integrator="aov")
    tracing.close()
    tracing.close()
    same(tracing.trace(pose, size=(32, 18), integrator="aov"), first)


def test_one_pose_is_traced_through_other_cameras(walking):
    scene, pose = walking
    with posed.Tracing(scene) as tracing:
        for height in (0.5, 3.0):
            place = looking((4.0, height, 4.0), (0.0, 1.0, 0.0))
            camera = posed.Camera(place.matrix, yfov=0.6)
            frame = tracing.trace(pose, size=(32, 18), integrator="aov", camera=camera)
            same(frame, posed.trace(scene, pose, size=(32, 18), integrator="aov", camera=camera))


def _at(scene, tick):
    world = posed.World(scene)
    world.advance(tick)
    return world.posed()
