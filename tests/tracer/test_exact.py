"""No ray slips through a closed mesh, and the test's numbers are those of paper."""

import math

import numpy as np
import pytest

import tracer
from tests.tracer.scenes import looking, scene, sphere
from tracer.exact import DEGENERATE, exact_hit, geometric_normal, mark_solid

VERTICES = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0]], np.float32)
FACES = np.array([[0, 1, 2]], np.uint32)


def hit(origin, direction, vertices=VERTICES):
    return exact_hit(vertices, FACES, 0, np.array([*origin, *direction], np.float64))


@pytest.mark.parametrize("turn", [[0, 1, 2], [1, 2, 0], [2, 0, 1]])
def test_distance_and_weights_of_paper_along_every_axis(turn):
    turned = np.ascontiguousarray(VERTICES[:, turn])

    def along(values):
        return np.array(values, np.float64)[turn]

    inside, distance, u, v, near_edge = hit(along((1, 2, 3)), along((0, 0, -1.5)), turned)
    assert (inside, distance, u, v, near_edge) == (True, 2.0, 0.25, 0.5, False)
    inside, distance, _, _, _ = hit(along((1, 2, -3)), along((0, 0, 1)), turned)
    assert (inside, distance) == (True, 3.0)  # from behind too
    inside, distance, _, _, _ = hit(along((1, 2, 3)), along((0, 0, 1)), turned)
    assert (inside, distance) == (True, -3.0)  # behind the origin: the caller's bounds decide
    assert not hit(along((3, 3, 3)), along((0, 0, -1)), turned)[0]
    assert not hit(along((1, 2, 3)), along((1, 0, 0)), turned)[0]  # parallel


def test_edges_and_vertices_belong_to_the_triangle_and_are_near_an_edge():
    for point in ((0, 0), (4, 0), (0, 4), (2, 0), (0, 2), (2, 2)):
        inside, distance, _, _, near_edge = hit((*point, 8), (0, 0, -1))
        assert (inside, distance, near_edge) == (True, 8.0, True)


def test_near_an_edge_is_a_share_of_the_distance():
    # The edge y = 0 seen from 8 metres: 2^-20 of that is 7.6e-6.
    assert hit((1, 7e-6, 8), (0, 0, -1))[4]
    assert hit((1, -7e-6, 8), (0, 0, -1))[4]
    assert not hit((1, 9e-6, 8), (0, 0, -1))[4]


def test_one_of_two_triangles_always_holds_a_ray_through_their_shared_edge():
    random = np.random.default_rng(3)
    faces = np.array([[0, 1, 2], [1, 0, 3]], np.uint32)
    for _ in range(300):
        vertices = random.normal(size=(4, 3)).astype(np.float32)
        share = random.random()
        ends = vertices.astype(np.float64)
        through = ends[0] * share + ends[1] * (1.0 - share)  # rounded: not on the edge, nearly always
        origin = through + random.normal(size=3) * 5
        ray = np.concatenate([origin, through - origin])
        first, second = (exact_hit(vertices, faces, face, ray) for face in (0, 1))
        normals = [np.array(geometric_normal(vertices, faces, face)) for face in (0, 1)]
        sides = [float((normal * ray[3:]).sum()) for normal in normals]
        if sides[0] * sides[1] > 0.0:  # a silhouette edge may be missed by both
            assert first[0] or second[0]


def test_geometric_normal_is_the_counter_clockwise_side():
    assert geometric_normal(VERTICES, FACES, 0) == (0.0, 0.0, 1.0)
    assert geometric_normal(VERTICES, FACES[:, ::-1].copy(), 0) == (0.0, 0.0, -1.0)


def test_what_has_an_area_is_a_matter_of_shape_not_size():
    thin = [[0, 0, 0], [1, 0, 0], [0.5, 2.0**-20, 0]]
    line = [[0, 0, 0], [1, 1, 1], [3, 3, 3]]
    for scale in (1e-6, 1.0, 1e6):
        vertices = (np.array([*thin, *line]) * scale).astype(np.float32)
        marks = np.zeros(3, np.bool_)
        mark_solid(vertices, np.array([[0, 1, 2], [3, 4, 5], [0, 0, 1]], np.uint32), marks)
        assert marks.tolist() == [True, False, False]
    assert DEGENERATE < 2.0**-20


def test_none_of_a_million_rays_from_inside_a_closed_sphere_escapes(backend):
    made = scene(sphere(rows=24, columns=48))
    escaped = 0
    with tracer.Tracer(made, backend=backend) as ready:
        for eye, target in (
            ((0.1, 0.2, 0.3), (1, 0, 0)),
            ((0, 0, 0), (0, -1, 0.01)),
            ((-0.5, 0.3, 0.1), (0, 1, 1)),
            ((0.9, 0, 0), (0, 0, 0)),
        ):
            camera = looking(eye, target, yfov=math.radians(150), znear=0.0)
            layers = ready.trace(camera, size=(512, 512), integrator="aov", layers=("object",))
            escaped += int((layers["object"] == 0).sum())
    assert escaped == 0  # of 1,048,576


@pytest.mark.parametrize("eye", [(0.0, 0.0, 4.0), (2.5, 1.0, -2.0), (0.1, 0.05, 0.02)])
def test_rays_at_every_vertex_and_edge_middle_hit(eye, backend):
    # A one-pixel picture with a tiny field of view is a ray at its target.
    made = scene(sphere(rows=8, columns=12))
    corners = made.positions[made.triangles].astype(np.float64)
    targets = np.concatenate([made.positions, (corners[:, 0] + corners[:, 1]) / 2, (corners[:, 1] + corners[:, 2]) / 2])
    with tracer.Tracer(made, backend=backend) as ready:
        for target in targets:
            toward = target - np.array(eye)
            up = (0, 0, 1) if abs(toward[1]) > 0.9 * math.sqrt(float((toward * toward).sum())) else (0, 1, 0)
            # From outside, silhouettes may be missed: aim a hair toward the middle of the sphere.
            aim = target * (1.0 - 1e-9) if max(map(abs, eye)) > 1 else target
            camera = looking(eye, aim, up=up, yfov=1e-4, znear=0.0)
            assert ready.trace(camera, size=(1, 1), integrator="aov", layers=("object",))["object"][0, 0] == 1
