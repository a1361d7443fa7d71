"""Which pixels posed instances may show in, by hand; and that nothing shows anywhere else."""

import math
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from posed.camera import Camera
from posed.gltf.mesh import MorphTarget
from posed.live import ALL_LAYERS, InstancePose, Lighting, MeshData, Renderer, SkinData, drawing
from posed.live import window as window_module
from posed.live.bounds import rest_bounds
from posed.live.readback import Region
from posed.live.window import around, draw_windows, seen_draws, windows_of
from posed.scene.lights import Environment, Light
from tests.bench.live import tube
from tests.posed.live.literals import QUAD, camera, rectangle, translation

ORIGIN = np.zeros(3)
SIZE = (20, 10)


def window(low: Any, high: Any, *, of: Camera | None = None, reach: float = 0.0) -> list[int]:
    """Of one box, in a picture of 20 by 10 pixels, 4 metres by 2 at a depth of 1 unless another camera looks."""
    boxes = np.array([low], np.float64), np.array([high], np.float64)
    (row,) = windows_of(of or camera(), SIZE, *boxes, np.array([reach]), ORIGIN)
    return [int(one) for one in row]


def test_a_box_shows_where_its_corners_are_and_a_pixel_around() -> None:
    # Five pixels a metre at depth 1, one at depth 5: the near side is the larger one.
    assert window((0.1, 0.1, -5), (0.9, 0.5, -1)) == [9, 1, 16, 6]
    assert window((-4.9, -4.9, -5), (-4.5, -4.5, -5)) == [4, 8, 7, 10]


def test_a_box_beside_or_behind_shows_nowhere() -> None:
    for low, high in (((30, 0, -5), (31, 1, -4)), ((0, -40, -5), (1, -30, -4)), ((-1, -1, 1), (1, 1, 2))):
        left, top, right, bottom = window(low, high)
        assert right == left or bottom == top


def test_a_box_that_reaches_behind_the_eye_or_is_not_sure_shows_anywhere() -> None:
    assert window((5, 5, -1), (6, 6, 1)) == [0, 0, 20, 10]
    assert window((0.1, 0.1, -5), (0.9, 0.5, -1), reach=math.inf) == [0, 0, 20, 10]
    assert window((-1, -1, 1), (1, 1, 2), reach=math.inf) == [0, 0, 20, 10]


def test_what_float32_may_lose_widens_a_box() -> None:
    # A position summed of numbers about 2^17 may be off by a metre.
    assert window((0.1, 0.1, -5), (0.9, 0.5, -4), reach=2.0**17) == [7, 1, 15, 8]
    assert window((0.1, 0.1, -5), (0.9, 0.5, -4)) == [9, 3, 13, 6]


def test_a_parallel_camera_has_no_behind() -> None:
    of = camera(yfov=None, ymag=1.0, matrix=translation(0, 0, 3))
    assert window((0.1, 0.1, -5), (0.9, 0.5, 40), of=of) == [9, 1, 16, 6]


def test_draws_stay_of_which_an_instance_shows() -> None:
    draws = [type("Draw", (), {"first": first, "count": count})() for first, count in ((0, 2), (2, 1), (3, 1))]
    low, high = np.full((4, 3), (-1.0, -1.0, 1.0)), np.full((4, 3), (1.0, 1.0, 2.0))
    low[[1, 3]], high[[1, 3]] = [(0.1, 0.1, -5), (-3, -2, -5)], [(0.9, 0.5, -4), (-2.5, -1.5, -5)]
    windows = draw_windows(camera(), SIZE, draws, (low, high, np.zeros(4)), ORIGIN)
    expected = window(low[1], high[1]), window(low[3], high[3])
    assert windows.tolist() == [expected[0], [0, 0, 0, 0], expected[1]]
    assert seen_draws(draws, windows) == [draws[0], draws[2]]
    assert seen_draws([], draw_windows(camera(), SIZE, [], (low[:0], high[:0], np.zeros(0)), ORIGIN)) == []
    both = around(windows)
    assert [both.x, both.y] == [min(one[k] for one in expected) for k in (0, 1)]
    assert [both.x + both.width, both.y + both.height] == [max(one[k] for one in expected) for k in (2, 3)]
    assert around(windows[1:2]) == around(windows[:0]) == Region(0, 0, 0, 0)


def test_a_crowd_is_looked_for_by_neighbours() -> None:
    crowd = [type("Draw", (), {"first": 0, "count": 200})()]
    x = np.linspace(-40.0, 4.0, 200)[:, None] * [1.0, 0.0, 0.0] + [0.0, 0.0, -5.0]
    (found,) = draw_windows(camera(), SIZE, crowd, (x - 0.1, x + 0.1, np.zeros(200)), ORIGIN).tolist()
    one_by_one = around(windows_of(camera(), SIZE, x - 0.1, x + 0.1, np.zeros(200), ORIGIN))
    assert found[:2] == [one_by_one.x, one_by_one.y]
    assert found[2:] == [one_by_one.x + one_by_one.width, one_by_one.y + one_by_one.height]


@pytest.mark.parametrize(
    ("weights", "sure"), [([0.75, 0.25], True), ([0.5, 0.49], False), ([1.5, -0.5], False), ([2.0, 0.0], False)]
)
def test_bounds_are_sure_where_weights_are_shares(weights: list[float], sure: bool) -> None:
    skin = SkinData(np.array([[0, 1]] * 4), np.array([weights] * 4))
    assert rest_bounds(MeshData(np.array(rectangle(0, 0, 1, 1, 0)), np.array(QUAD)), skin).sure is sure


LIGHTING = Lighting((Light("sun", direction=(0.6, -0.6, -0.5)),), Environment((0.2,) * 3, (0.7,) * 3))


@pytest.mark.parametrize("transparent", [True, False])
def test_nothing_shows_outside_of_its_window(transparent: bool) -> None:
    """A tube bent, blown up, moved far away by palettes and back by places, morphed, its weights no shares, casting a
    shadow from beside the picture: as if everything were drawn and read."""
    positions, normals, triangles, joints, weights = tube()
    renderer, random = Renderer(), np.random.default_rng(7)
    target = MorphTarget(positions=0.5 * normals)
    data = MeshData(positions, triangles, normals, targets=(target,))
    sure = renderer.add(renderer.upload_skinned_mesh(data, SkinData(joints, weights)))
    loose = renderer.add(renderer.upload_skinned_mesh(data, SkinData(joints, 2.0 * weights)))
    floor = MeshData(np.array(rectangle(-1, -1, 1, 1, 0)), np.array(QUAD))
    renderer.add(renderer.upload_mesh(floor), translation(0, 0, -2))
    light = Lighting(LIGHTING.lights, LIGHTING.environment, transparent)
    regions: list[Region] = []

    def noting(windows: Any) -> Region:
        regions.append(around(windows))
        return regions[-1]

    for round_ in range(12):
        far = translation(*(10.0 ** random.integers(0, 6) * random.normal(size=3)))
        near = far.copy()
        near[:3, 3] *= -1
        near[:3, 3] += random.uniform(-3, 3, 3)
        palette = np.tile(far, (20, 1, 1))
        palette[:, :3, :3] += 0.1 * random.normal(size=(20, 3, 3))
        sure.place(near)
        loose.place(translation(*random.uniform(-4, 4, 3)))
        loose.visible = round_ % 3 == 0
        poses = [InstancePose(sure, palette, morph_weights=[random.normal()])]
        renderer.set_poses([*poses, InstancePose(loose, palette - far + np.eye(4))])
        of = Camera(translation(0, 0, 3), yfov=0.9, znear=0.1)

        def frame(of: Camera = of) -> dict[str, np.ndarray]:
            return dict(renderer.draw(of, size=(70, 40), layers=ALL_LAYERS, lighting=light).layers)

        with patch.object(drawing, "around", noting):
            found = frame()
        with patch.object(window_module, "windows_of", lambda of, size, low, *_: np.tile([0, 0, *size], (len(low), 1))):
            wanted = frame()
        for name, layer in wanted.items():
            np.testing.assert_array_equal(found[name], layer, name)
    areas = [one.width * one.height for one in regions]
    assert min(areas) < 1400 < max(areas)
    assert max(areas) == 2800


def test_where_everything_is_beside_the_picture_there_is_nothing() -> None:
    renderer = Renderer()
    square = renderer.upload_mesh(MeshData(np.array(rectangle(0, 0, 1, 1, 0)), np.array(QUAD)))
    renderer.add(square, translation(50, 0, -5))
    light = Lighting(LIGHTING.lights, LIGHTING.environment, transparent=True)
    frame = renderer.draw(camera(), size=SIZE, layers=ALL_LAYERS, lighting=light)
    assert np.isinf(frame["depth"]).all()
    assert not any(frame[name].any() for name in ALL_LAYERS if name != "depth")
