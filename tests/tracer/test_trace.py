"""Pictures whose answers are known on paper."""

import math
from dataclasses import replace

import numba
import numpy as np
import pytest

import tracer
from tests.tracer.scenes import GLOW, LAMBERT, MATTE, Part, ground, looking, quad, scene, sphere
from tracer import Environment, Light, SceneError

EMPTY_PIXEL = {"depth": math.inf}
"""What a layer shows where nothing is; 0 where not named."""


def aov(*args, **options):
    return tracer.trace(*args, integrator="aov", **options)


def test_half_screen_quad_covers_exactly_half_the_pixels(backend):
    made = scene(quad(-2, 0, -1, 1))
    layers = aov(made, looking((0, 0, 1)), size=(64, 32), backend=backend)
    assert (layers["object"][:, :32] == 1).all()
    assert (layers["object"][:, 32:] == 0).all()


def test_pixel_centers_lie_half_a_pixel_in(backend):
    # Four columns of width 0.5 from -1: a quad over the left two ends at 0, between centres at -0.25 and 0.25.
    layers = aov(scene(quad(-1, 0, -1, 1)), looking((0, 0, 1)), size=(4, 4), backend=backend)
    assert layers["object"].tolist() == [[1, 1, 0, 0]] * 4
    # A quad from -0.26 to 0.24 holds the centre at -0.25 alone; half a pixel off, it would hold another.
    layers = aov(scene(quad(-0.26, 0.24, -1, 1)), looking((0, 0, 1)), size=(4, 4), backend=backend)
    assert layers["object"].tolist() == [[0, 1, 0, 0]] * 4


def test_row_0_is_on_top(backend):
    layers = aov(scene(quad(-1, 1, 0, 1)), looking((0, 0, 1)), size=(2, 2), backend=backend)
    assert layers["object"].tolist() == [[1, 1], [0, 0]]


def test_plane_at_5_metres_has_depth_5_at_every_pixel(backend):
    layers = aov(
        scene(quad(-100, 100, -100, 100, z=-5)), looking((0, 0, 0), (0, 0, -1)), size=(33, 17), backend=backend
    )
    assert (layers["depth"] == 5.0).all()


def test_triangle_has_the_ids_and_barycentrics_of_paper(backend):
    # Pixels of 1 metre at distance 1 to the right of x = -2: centres at -1.5, -0.5, 0.5, 1.5; y from the top 1.5, ..,
    # -1.5.
    part = Part([[-2, -2, 0], [2, -2, 0], [-2, 2, 0]], [[0, 1, 2]], object=7, triangle=[9], material=1)
    layers = aov(scene(part, materials=(MATTE, GLOW)), looking((0, 0, 2)), size=(4, 4), backend=backend)
    inside = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]  # centres on the long edge count
    for name, value in (("object", 7), ("part", 1), ("triangle", 9), ("material", 2)):
        assert layers[name].tolist() == (np.array(inside) * value).tolist()
    # u = (x + 2) / 4, v = (y + 2) / 4
    assert layers["barycentric"][3, 0].tolist() == [0.125, 0.125]
    assert layers["barycentric"][3, 2].tolist() == [0.625, 0.125]
    assert layers["barycentric"][0, 0].tolist() == [0.125, 0.875]
    assert layers["position"][3, 2].tolist() == [0.5, -1.5, 0.0]


def test_empty_pixels_are_zero_and_infinitely_deep(backend):
    layers = tracer.trace(scene(quad(50, 60)), looking(), size=(3, 2), backend=backend)
    assert set(layers) == set(tracer.LAYERS) - {"variance"}
    for name, values in layers.items():
        assert (values == EMPTY_PIXEL.get(name, 0)).all(), name


@pytest.mark.parametrize("size", [(1, 1), (3, 7), (5, 2), (17, 1)])
def test_odd_sizes_and_an_empty_scene(size, backend):
    for made, hits in ((scene(), 0), (scene(quad(-100, 100, -100, 100)), size[0] * size[1])):
        layers = tracer.trace(made, looking(), size=size, samples=2, backend=backend)
        assert layers["color"].shape == (size[1], size[0], 4)
        assert int((layers["object"] > 0).sum()) == hits
        assert (layers["color"][..., 3] == (1.0 if hits else 0.0)).all()


def test_layers_have_the_shapes_and_types_of_the_conventions(backend):
    layers = tracer.trace(scene(quad()), looking(), size=(5, 4), samples=1, backend=backend)
    expected = {
        **dict.fromkeys(("depth",), ((4, 5), np.float32)),
        **dict.fromkeys(("position", "normal", "geometric_normal", "albedo", "emission"), ((4, 5, 3), np.float32)),
        **dict.fromkeys(("uv", "barycentric", "motion"), ((4, 5, 2), np.float32)),
        **dict.fromkeys(("object", "part", "triangle", "material", "joint"), ((4, 5), np.uint32)),
        "color": ((4, 5, 4), np.float32),
    }
    assert {name: (values.shape, values.dtype.type) for name, values in layers.items()} == expected


def test_only_the_layers_asked_for_come_back(backend):
    layers = tracer.trace(scene(quad()), looking(), size=(2, 2), layers=("depth", "color"), backend=backend)
    assert list(layers) == ["depth", "color"]


def test_positions_are_in_world_space(backend):
    made = scene(quad(), origin=np.array([1.0e6, 0.0, -3.0]))
    layers = aov(made, looking((0, 0, 0.5)), size=(1, 1), backend=backend)
    assert layers["position"][0, 0].tolist() == [1.0e6, 0.0, -3.0]


def test_near_and_far_planes_cut_camera_rays(backend):
    near, middle, far = quad(z=-1, object=1), quad(-2, 2, -2, 2, z=-2, object=2), quad(-9, 9, -9, 9, z=-4, object=3)
    made = scene(near, middle, far)

    def seen(znear, zfar):
        camera = looking((0, 0, 0), (0, 0, -1), yfov=0.5, znear=znear, zfar=zfar)
        layers = tracer.trace(made, camera, size=(8, 8), samples=4, backend=backend)
        ids = set(layers["object"].ravel().tolist())
        assert ((layers["color"][..., 3] > 0) == (layers["object"] > 0)).all()
        return ids

    assert seen(0.1, math.inf) == {1}
    assert seen(1.0, math.inf) == {1}  # a plane belongs to what it bounds
    assert seen(1.5, math.inf) == {2}
    assert seen(2.5, 4.0) == {3}
    assert seen(2.5, 3.5) == {0}


def test_orthographic_rays_are_parallel(backend):
    made = scene(quad(-1, 1, -1, 1, z=-3), quad(-1, 1, -1, 1, z=-30))
    camera = looking((0, 0, 0), (0, 0, -1), ymag=2.0, znear=0.0)
    layers = aov(made, camera, size=(8, 8), backend=backend)
    expected = np.zeros((8, 8), bool)
    expected[2:6, 2:6] = True
    assert ((layers["object"] == 1) == expected).all()
    assert (layers["depth"][expected] == 3.0).all()


def test_camera_axes_may_be_scaled(backend):
    camera, made = looking((1, 2, 3)), scene(sphere())
    scaled = tracer.Camera(camera.matrix @ np.diag([3.0, 3.0, 3.0, 1.0]), yfov=camera.yfov)
    first, second = (aov(made, c, size=(16, 16), backend=backend)["triangle"] for c in (camera, scaled))
    assert (first == second).all()


def test_coincident_sheets_show_the_smallest_ids(backend):
    # Three sheets of the same triangles, their vertices listed from another corner in each; ids fall while order rises.
    n = 12
    y, x = (axis.ravel() for axis in np.meshgrid(*2 * (np.linspace(-1, 1, n + 1),), indexing="ij"))
    positions = np.stack([x, y, 0.1 * np.sin(3 * x)], -1)
    corner = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    triangles = np.concatenate(
        [np.stack([corner, corner + 1, corner + n + 1], -1), np.stack([corner + 1, corner + n + 2, corner + n + 1], -1)]
    )
    sheets = [
        Part(positions, triangles[:, turn], object=number)
        for number, turn in ((3, [0, 1, 2]), (2, [1, 2, 0]), (1, [2, 0, 1]))
    ]
    layers = aov(scene(*sheets), looking((0.3, 0.2, 1)), size=(200, 200), backend=backend)
    assert set(layers["object"].ravel().tolist()) == {0, 1}


def test_degenerate_triangles_are_never_hit_and_keep_their_ids(backend):
    point, line = [[0, 0, 1]] * 3, [[-1, 0, 1], [0, 0, 1], [1, 0, 1]]
    part = Part([*point, *line, [-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2], [3, 4, 5], [6, 7, 8]])
    layers = aov(scene(part), looking((0, 0, 2)), size=(33, 33), backend=backend)
    assert set(layers["triangle"].ravel().tolist()) == {0, 3}


def test_single_sided_surfaces_are_invisible_from_behind_and_cast_shadows(backend):
    single = replace(LAMBERT, double_sided=False)
    made = scene(
        ground(4),
        Part([[-1, 1, 1], [1, 1, 1], [1, 1, -1], [-1, 1, -1]], [[0, 2, 1], [0, 3, 2]], material=1),  # faces down
        materials=(LAMBERT, single),
        lights=(Light("sun", direction=(0, -1, 0)),),
    )
    camera = looking((0, 4, 0), (0, 0, 0), up=(0, 0, -1))
    layers = tracer.trace(made, camera, size=(16, 16), samples="center", backend=backend)
    assert (layers["object"] == 1).all()  # seen through from above
    shadow = layers["color"][..., 0] == 0.0
    expected = np.zeros((16, 16), bool)
    expected[6:10, 6:10] = True  # one pixel is half a metre on the ground
    assert (shadow == expected).all()
    swapped = replace(made, facing=np.array([1, 1, -1, -1], np.int8))
    layers = aov(swapped, camera, size=(16, 16), backend=backend)
    assert set(layers["object"][7:9, 7:9].ravel().tolist()) == {2}  # its other side is the front


@pytest.mark.parametrize("samples", ["center", 3])
def test_one_thread_and_two_give_the_same_bits(samples, backend):
    made = scene(
        ground(4),
        sphere(center=(0, 1, 0)),
        lights=(Light("sun", direction=(-1, -2, -1)),),
        environment=Environment((0.1, 0.1, 0.1), (0.3, 0.4, 0.5)),
    )
    before, pictures = numba.get_num_threads(), []
    try:
        for threads in (1, 2):
            numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
            pictures.append(tracer.trace(made, looking((1, 2, 4)), size=(70, 50), samples=samples, backend=backend))
    finally:
        numba.set_num_threads(before)
    for name in pictures[0]:
        assert pictures[0][name].tobytes() == pictures[1][name].tobytes(), name


@pytest.mark.parametrize("far", [1.0, 1000.0])
def test_masks_and_shadows_do_not_depend_on_scale(far, backend):
    def picture(scale):
        parts = [ground(4 * far), sphere(center=(0, 1, 0)), sphere(0.5, (1.4, 0.5, 0.8), smooth=False)]
        made = scene(*parts, lights=(Light("sun", direction=(-1, -2, -1)),), materials=(LAMBERT,))
        made = replace(made, positions=(made.positions * np.float32(scale)))
        camera = looking(np.array([1, 2, 4]) * scale, np.array([0, 0.7, 0]) * scale, yfov=0.8, znear=0.1 * scale)
        layers = tracer.trace(made, camera, size=(96, 64), samples="center", backend=backend)
        return layers["object"], layers["color"][..., 0] > 0.0

    ids, lit = picture(1.0)
    assert 0.05 < float((ids == 2).mean()) < 0.5
    assert 0.02 < float((~lit & (ids == 1)).mean()) < 0.5
    for scale in (
        2.0**-110,
        2.0**-50,
        2.0**-10,
        2.0**14,
        2.0**20,
        2.0**70,
    ):  # the same numbers but for the exponent: not a bit may differ
        other_ids, other_lit = picture(scale)
        assert (other_ids == ids).all()
        assert (other_lit == lit).all()
    for scale in (1.0e-3, 1.0e4, 1.0e6):  # rounded anew: pixels on an edge may fall to either side
        other_ids, other_lit = picture(scale)
        assert (other_ids != ids).mean() < 0.001
        assert (other_lit != lit).mean() < 0.001


def test_what_embree_s_float32_cannot_hold_is_traced_by_the_tree():
    made = scene(sphere())
    with tracer.Tracer(made, backend="embree") as ready:
        assert ready.backend == "embree"
        for scale, name in ((1e-15, "bvh"), (1.0, "embree"), (1e20, "bvh"), (1e25, "bvh")):
            moved = replace(made, positions=made.positions * np.float32(scale))
            ready.update(moved)
            assert (ready.backend, ready.scene) == (name, moved)
            seen = ready.trace(looking((0, 0, 3 * scale), yfov=0.9, znear=0.0), size=(9, 9), samples=1)
            assert (seen["object"][4] == 1).sum() == 7
            assert seen["depth"][4, 4] == pytest.approx(2 * scale)


def test_a_lit_ground_of_any_size_never_shades_itself(backend):
    for half in (1.0, 100.0, 1.0e4):
        made = scene(ground(half), materials=(LAMBERT,), lights=(Light("sun", direction=(-1, -0.05, -0.3)),))
        camera = looking((0, 2, 0), (0, 0, -6))
        layers = tracer.trace(made, camera, size=(64, 64), samples=1, background=(0, 0, 0), backend=backend)
        on_ground = layers["color"][..., 3] == 1.0
        assert (layers["color"][on_ground][:, 0] > 0.0).all()


def test_progress_ends_at_1(backend):
    shares = []
    tracer.trace(scene(quad()), looking(), size=(8, 50), samples=1, progress=shares.append, backend=backend)
    assert shares[-1] == 1.0
    assert shares == sorted(shares)
    assert len(shares) == 8  # four bands; color, geometry


def test_a_tracer_is_used_again_and_closed(backend):
    with tracer.Tracer(scene(quad()), backend=backend) as made:
        first = made.trace(looking(), size=(4, 4), samples=1)
        second = made.trace(looking(), size=(4, 4), samples=1)
    assert (first["color"] == second["color"]).all()
    with pytest.raises(SceneError, match="this tracer is closed"):
        made.trace(looking())
    made.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": (0, 4)}, r"size must be \(width, height\) of at least 1 pixel each, found \(0, 4\)"),
        ({"integrator": "magic"}, "integrator must be direct, path, aov, found 'magic'"),
        ({"integrator": "aov", "layers": ["color"]}, "integrator aov has no layer 'color': it has depth, position,"),
        ({"samples": 0}, 'samples must be a whole number of at least 1, or "center", found 0'),
        ({"background": "blue"}, "background must be None, \"transparent\" or three numbers, found 'blue'"),
        ({"background": (1, 2)}, r"a background color has three finite numbers, found \(1, 2\)"),
        ({"backend": "gpu"}, "backend must be .*, found 'gpu'"),
    ],
)
def test_what_cannot_be_traced_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        tracer.trace(scene(quad()), looking(), **options)


@pytest.mark.parametrize(("integrator", "samples"), [("direct", 3), ("direct", "center"), ("path", 2), ("aov", 1)])
def test_some_rows_are_those_of_the_whole_picture(backend, integrator, samples):
    made = scene(quad(-1, 0.3, -1, 0.7), sphere(0.6, rows=8, columns=8))
    asked = {"size": (13, 21), "integrator": integrator, "samples": samples, "backend": backend}
    whole = tracer.trace(made, looking((0, 0.2, 2)), **asked)
    for rows in [(0, 21), (0, 1), (6, 7), (3, 18), (20, 21)]:
        part = tracer.trace(made, looking((0, 0.2, 2)), **asked, rows=rows)
        assert list(part) == list(whole)
        for name in whole:
            assert part[name].tobytes() == whole[name][slice(*rows)].tobytes(), (name, rows)


@pytest.mark.parametrize("rows", [(0, 5), (3, 3), (-1, 2)])
def test_rows_that_the_picture_has_not_are_refused(rows):
    with pytest.raises(SceneError) as refused:
        tracer.trace(scene(quad(-1, 1, -1, 1)), looking((0, 0, 1)), size=(4, 4), rows=rows)
    assert str(refused.value) == f"rows must be the first and the one behind the last of 4, found {rows}"
