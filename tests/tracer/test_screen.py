"""What the screen finds is what the tree finds, bit for bit, and triangles are looked for only where they may be."""

import numpy as np
import pytest

import tracer
from tests.tracer.scenes import MATTE, Part, looking, quad, scene, sphere
from tracer import AlphaMode, Camera, Material
from tracer.mesh_table import mesh_of
from tracer.screen import (
    END_COLUMN,
    END_ROW,
    FIRST_COLUMN,
    FIRST_ROW,
    SIDE,
    SURE,
    count_prints,
    no_prints,
    screen_of,
    write_lists,
    write_prints,
)
from tracer.tables import looks_of
from tracer.view import view_of

SIZE = (61, 47)


def prints_of(made, camera, size):
    mesh = mesh_of(made)
    prints = no_prints(len(mesh.faces))
    write_prints(mesh, looks_of(made), screen_of(view_of(camera, size), size), np.arange(len(mesh.faces)), prints)
    return prints


def both(made, camera, **options):
    """Return the layers by the screen, and by the tree."""
    options = {"size": SIZE, "integrator": "aov"} | options
    return (tracer.trace(made, camera, backend=backend, **options) for backend in ("embree", "bvh"))


def assert_same(made, camera, **options):
    found, expected = both(made, camera, **options)
    differing = {name: int((found[name] != expected[name]).sum()) for name in expected}
    assert all(found[name].tobytes() == expected[name].tobytes() for name in expected), differing
    return expected


def soup(seed, count=150):
    """Triangles of all sizes, every way round, some of one side, some masked, some with their plane through 0."""
    random = np.random.default_rng(seed)
    middles = random.normal(size=(count, 1, 3)) * 2.0
    corners = middles + random.normal(size=(count, 3, 3)) * 10.0 ** random.uniform(-3, 1, size=(count, 1, 1))
    corners[::7, 2] = 0.5 * corners[::7, 0]
    kinds = MATTE, Material(), Material(base_color=(1, 1, 1, 0.4), alpha_mode=AlphaMode.BLEND)
    parts = [
        Part(corners[number::6], np.arange(len(corners[number::6]) * 3).reshape(-1, 3), material=number % 3, facing=way)
        for number, way in enumerate((1, 1, 1, -1, -1, -1))
    ]
    return scene(*parts, materials=kinds)


@pytest.mark.parametrize("seed", range(4))
def test_the_bits_of_the_tree_wherever_the_camera_is(seed):
    made, random = soup(seed), np.random.default_rng(100 + seed)
    for number in range(6):
        position, target, up = random.normal(size=(3, 3))
        if number == 0:
            position = np.zeros(3)  # in the plane of every seventh triangle
        angle = 10.0 ** random.uniform(-2, 0.45)
        options = {"ymag": 10.0 ** random.uniform(-1, 1)} if number % 2 else {"yfov": angle}
        expected = assert_same(made, looking(position * 3.0, target, up, znear=0.0, **options))
    assert (expected["object"] > 0).any()


@pytest.mark.parametrize("ymag", [None, 1.3, -1.3])
def test_edges_along_rows_and_columns_of_centers(ymag):
    # Pixels of 1/8 metre seen straight on: edges at 2.5 columns and rows run through centres, and are along an axis.
    camera = looking((0, 0, 1), ymag=ymag) if ymag else looking((0, 0, 1), yfov=2.0 * np.arctan(1.0))
    for turned in (0, 1, 2):
        part = Part(np.roll([[-0.6875, 0.6875, 0], [0.6875, 0.6875, 0], [0.6875, -0.6875, 0]], turned, 0), [[0, 1, 2]])
        expected = assert_same(scene(part, quad(z=-1.0)), camera, size=(16, 16))
        assert (expected["object"] == 1).any()


def test_a_camera_whose_axes_are_not_at_right_angles_or_lie_in_one_plane():
    made = scene(sphere(1.0, rows=9, columns=14), quad(z=-0.5))
    for row in ([1.0, 0.6, 0.3], [0.0, 1.0, 0.0]):
        matrix = np.eye(4)
        matrix[:3, :3] = [row, [0.0, 1.0, -0.4], [0.2, 0.1, 1.0]]
        matrix[:3, 3] = 0.3, 0.2, 4.0
        if row[0] == 0.0:
            matrix[:3, 0] = matrix[:3, 1]
        assert_same(made, Camera(matrix, yfov=0.8))
        assert_same(made, Camera(matrix, ymag=1.2))


def test_near_and_far_cut_what_is_seen():
    made = scene(*(quad(z=-float(depth)) for depth in (1, 2, 3)))
    for near, far, shown in ((0.5, 9.0, 1), (1.0, 9.0, 1), (1.5, 9.0, 2), (2.5, 3.0, 3), (2.1, 2.9, 0), (3.5, 9.0, 0)):
        expected = assert_same(made, looking((0, 0, 0), (0, 0, -1), znear=near, zfar=far), size=(3, 3))
        assert expected["object"][1, 1] == shown


def test_rows_of_a_picture_that_begin_anywhere():
    made, camera = soup(9), looking((0, 0, 5))
    whole = assert_same(made, camera)
    for rows in ((0, 5), (7, 8), (15, 40), (33, 47)):
        part = assert_same(made, camera, rows=rows)
        assert all((part[name] == whole[name][rows[0] : rows[1]]).all() for name in whole)


def test_a_print_by_hand():
    # Pixels of 1/8 metre: a quad from -0.5 to 0.5 covers columns and rows 4 to 11; the triangle that is left to them
    # has corners on the diagonal, so both have all of it.
    prints = prints_of(scene(quad(-0.5, 0.5, -0.5, 0.5)), looking((0, 0, 1), ymag=1.0), (16, 16)).marks
    for triangle in range(2):
        assert prints[triangle].tolist() == [4, 12, 4, 12, SURE + 1]
    behind = prints_of(scene(quad(z=2.0)), looking((0, 0, 1)), (16, 16)).marks
    assert not behind.any()
    around = prints_of(scene(quad(-9, 9, -9, 9)), looking((0, 0, 1), (1, 0, 1)), (16, 12)).marks
    columns = [FIRST_ROW, END_ROW, FIRST_COLUMN, END_COLUMN]
    assert {tuple(row) for row in around[around[:, END_ROW] > 0][:, columns]} <= {(0, 12, 0, 16)}


def test_a_triangle_smaller_than_a_pixel_has_a_print_where_it_meets_a_center():
    for x, is_met in ((0.0625, True), (0.0, False)):  # centres lie 1/16 metre from the middle
        tiny = Part([[x - 0.01, 0.05, 0], [x + 0.01, 0.05, 0], [x, 0.08, 0]], [[0, 1, 2]])
        marks = prints_of(scene(tiny), looking((0, 0, 1), ymag=1.0), (16, 16)).marks[0]
        assert marks[:4].tolist() == ([7, 8, 8, 9] if is_met else [0, 0, 0, 0])


def test_sides_by_hand():
    single, masked = Material(), Material(alpha_mode=AlphaMode.MASK, double_sided=True)
    edge_on = Part([[0, -1, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2]])
    parts = quad(), quad(facing=-1), quad(material=1), quad(material=1, facing=-1), quad(material=2), edge_on
    made = scene(*parts, materials=(MATTE, single, masked))
    front = prints_of(made, looking((0, 0, 5), ymag=2.0, znear=0.0), (8, 8)).marks[:, SIDE].tolist()
    back = prints_of(made, looking((0, 0, -5), ymag=2.0, znear=0.0), (8, 8)).marks[:, SIDE].tolist()
    assert front == [SURE + 1] * 4 + [SURE + 1] * 2 + [0] * 2 + [1] * 2 + [SURE * (front[-1] > 0)]
    assert back == [SURE - 1] * 4 + [0] * 2 + [SURE - 1] * 2 + [-1] * 2 + [SURE * (back[-1] > 0)]


def test_lists_of_bands():
    prints = no_prints(4)
    prints.marks[:, [FIRST_ROW, END_ROW]] = [[0, 3], [2, 9], [0, 0], [7, 8]]
    counts, lists = np.zeros(3, np.int64), np.zeros(6, np.uint32)
    count_prints(prints, 1, 3, counts)  # rows 1 to 3, 4 to 6, 7 to 9
    assert counts.tolist() == [2, 1, 2]
    write_lists(prints, 1, 3, np.array([0, 2, 3]), lists)
    assert lists.tolist()[:5] == [0, 1, 1, 1, 3]
