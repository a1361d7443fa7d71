"""A tracer that follows a scene gives the bits of a new one, and refits where it says so."""

import ctypes
from dataclasses import replace

import numpy as np
import pytest

import tracer
from tests.tracer.scenes import GLOW, MATTE, Part, ground, looking, quad, scene, sphere, texture
from tracer import AlphaMode, Environment, Light, Material, embree, prepared
from tracer.embree import library_path

SIZE = (64, 48)
CAMERA = looking((1, 2, 4), (0, 0.4, 0), yfov=0.7)

PICTURES = (
    {"integrator": "direct", "samples": "center"},
    {"integrator": "direct", "samples": 4, "layers": ("color",)},
    {"integrator": "path", "samples": 2, "layers": ("color", "variance")},
)


def limbs():
    """Spheres through each other and the ground, one of them blended, one masked, under a sun."""
    checks = np.full((2, 2, 4), 255, np.uint8)
    checks[[0, 1], [0, 1], 3] = 0
    return scene(
        ground(3),
        sphere(1.0, (0, 0.4, 0), material=1),
        sphere(0.7, (0.8, 0.5, 0.3), smooth=False, rows=9, columns=14),
        quad(-1.5, -0.5, 0.0, 1.0, 1.0, material=2),
        materials=(
            MATTE,
            Material(base_color=(0.3, 0.2, 0.1, 0.4), alpha_mode=AlphaMode.BLEND, metallic=0.0),
            replace(MATTE, alpha_mode=AlphaMode.MASK, color_texture=tracer.TextureSlot(0)),
        ),
        textures=(texture(checks),),
        lights=(Light("sun", direction=(-1, -2, -1), intensity=2.0),),
        environment=Environment((0.1, 0.1, 0.1), (0.5, 0.6, 0.7)),
    )


def bent(made, step):
    """The scene with its vertices drawn along x by their height, more with every step."""
    positions = made.positions.copy()
    positions[:, 0] += np.float32(0.1 * step) * positions[:, 1]
    return replace(made, positions=positions, previous=made.positions)


def same_as_new(tracing, made, backend):
    """Check that every picture has the bits of a new tracer's."""
    with tracer.Tracer(made, backend=backend) as new:
        for options in PICTURES:
            expected, found = (one.trace(CAMERA, size=SIZE, **options) for one in (new, tracing))
            assert (expected["color"] > 0.0).any()
            for name, layer in expected.items():
                assert found[name].tobytes() == layer.tobytes(), (name, options)


def test_every_picture_of_a_moving_scene_is_that_of_a_new_tracer(backend):
    made = limbs()
    with tracer.Tracer(made, backend=backend) as tracing:
        for step in (1, 2, 5, -3):
            moved = bent(made, step)
            tracing.update(moved)
            assert tracing.scene is moved
            same_as_new(tracing, moved, backend)


def test_lights_environment_and_materials_may_change(backend):
    made = limbs()
    with tracer.Tracer(made, backend=backend) as tracing:
        for changed in (
            replace(made, lights=(Light("point", position=(1, 2, 2), intensity=5.0),)),
            replace(made, environment=Environment((1, 0, 0), (0, 0, 1))),
            replace(made, materials=(GLOW, *made.materials[1:])),
            replace(made, materials=(made.materials[2], *made.materials[1:])),  # what was plain lets light through
            replace(made, textures=(replace(made.textures[0], clamp=(0.0, 0.0, 0.5, 0.5)),)),
        ):
            tracing.update(changed)
            same_as_new(tracing, changed, backend)


def test_triangles_may_lose_their_area_and_get_it_back(backend):
    made = limbs()
    flat = made.positions.copy()
    flat[made.triangles[40:90, 1]] = flat[made.triangles[40:90, 0]]
    with tracer.Tracer(made, backend=backend) as tracing:
        for step in (replace(made, positions=flat), bent(made, 1)):
            tracing.update(step)
            same_as_new(tracing, step, backend)


def test_vertices_may_meet_and_part(backend):
    sheets = [quad(z=0.0, object=1, material=1), quad(z=0.5, object=1, material=1)]
    made = replace(scene(*sheets, materials=limbs().materials, textures=limbs().textures), part=np.ones(4, np.uint32))
    met = made.positions.copy()
    met[:, 2] = 0.0
    with tracer.Tracer(made, backend=backend) as tracing:
        for step in (replace(made, positions=met), made):
            tracing.update(step)
            same_as_new(tracing, step, backend)


def test_another_scene_altogether_is_prepared_anew(backend):
    with tracer.Tracer(scene(quad()), backend=backend) as tracing:
        tracing.update(limbs())
        same_as_new(tracing, limbs(), backend)


def test_a_closed_tracer_follows_nothing(backend):
    tracing = tracer.Tracer(scene(quad()), backend=backend)
    tracing.close()
    with pytest.raises(tracer.SceneError, match="this tracer is closed: make another one"):
        tracing.update(scene(quad()))


def builds(monkeypatch):
    """Count the trees that Embree is asked to build."""
    counted, build = [], embree.build
    monkeypatch.setattr(prepared.embree, "build", lambda *given: counted.append(1) or build(*given))
    return counted


def drifting(count=400):
    """Triangles in pairs, and the same with the second of each pair ever further away."""
    source = np.random.default_rng(9)
    corner = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0.1]], np.float32)
    places = source.normal(size=(count, 1, 3)).astype(np.float32)
    made = scene(Part((places + corner).reshape(-1, 3), np.arange(3 * count).reshape(-1, 3)))

    def apart(distance):
        away = np.zeros((count, 1, 3), np.float32)
        away[::2, 0, 0] = distance
        return replace(made, positions=(places + away + corner).reshape(-1, 3))

    return made, apart


def test_trees_are_built_anew_only_once_they_are_worn(monkeypatch):
    pytest.importorskip("embreex")
    made, apart = drifting()
    counted = builds(monkeypatch)
    with tracer.Tracer(made, backend="embree") as tracing:
        for distance, trees in ((0.0, 1), (0.05, 1), (50.0, 2), (50.1, 2)):
            tracing.update(apart(distance))
            tracing.trace(CAMERA, size=(2, 2), samples=1)
            assert len(counted) == trees
        same_as_new(tracing, apart(50.1), "embree")


def test_geometry_layers_of_a_moving_scene_need_no_tree(monkeypatch):
    pytest.importorskip("embreex")
    made, apart = drifting()
    counted = builds(monkeypatch)
    with tracer.Tracer(made, backend="embree") as tracing:
        for distance in (0.0, 0.05, 50.0):
            tracing.update(apart(distance))
            found = tracing.trace(CAMERA, size=SIZE, integrator="aov")
            expected = tracer.trace(apart(distance), CAMERA, size=SIZE, integrator="aov", backend="bvh")
            assert all(found[name].tobytes() == expected[name].tobytes() for name in expected)
        assert not counted


def test_a_refit_allocates_nothing_where_a_build_does():
    # Embree falls back to a build silently; what it allocates tells.
    pytest.importorskip("embreex")
    kind = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_bool)
    taken = []
    monitor = kind(lambda user, size, after: taken.append(size) or True)
    register = ctypes.CDLL(str(library_path())).rtcSetDeviceMemoryMonitorFunction
    register.argtypes = (ctypes.c_void_p, kind, ctypes.c_void_p)
    made = scene(sphere(rows=60, columns=90))
    tested = np.zeros(len(made.triangles), np.bool_)
    tested[::3] = True
    register(embree.device(), monitor, None)
    try:
        with embree.build(made.positions, made.triangles, tested) as built:
            assert max(taken, default=0) > 0
            built.move(made.positions * np.float32(1.1))
            taken.clear()
            built.move(made.positions * np.float32(1.2))
            assert max(taken, default=0) == 0
    finally:
        register(embree.device(), kind(0), None)
