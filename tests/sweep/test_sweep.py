"""The sweep's own parts, and a sample of it: the whole is a command."""

import numpy as np
import pytest

from tests.sweep.__main__ import Configuration, configurations, differences
from tests.sweep.cases import SIZE, cases, edge_cameras
from tests.sweep.scales import SCALES, scaled
from tests.tracer.scenes import quad, scene, sphere
from tracer.view import view_of, write_camera_ray


def pictures(depth: str, path: str) -> dict[str, dict[str, str]]:
    return {"one": {"depth": depth, "path": path}}


def test_geometry_is_held_against_all_and_path_against_its_own_threads() -> None:
    bvh, bvh2 = Configuration("bvh", 1), Configuration("bvh", 2)
    sse, sse2 = Configuration("sse2", 1), Configuration("sse2", 2)
    found = {bvh: pictures("a", "p"), bvh2: pictures("a", "p"), sse: pictures("a", "q"), sse2: pictures("a", "q")}
    assert differences(found) == []
    assert differences(found | {bvh2: pictures("b", "p"), sse2: pictures("a", "p")}) == [
        "one: depth differs by bvh with 2 threads",
        "one: path differs by sse2 with 2 threads",
    ]


def test_edge_cameras_put_the_middle_row_of_pixel_centers_on_the_edge() -> None:
    names = []
    for name, camera in edge_cameras(scene(quad(-1.0, 3.0), sphere(center=(9, 0, 0)))):
        names.append(name)
        view, ray = view_of(camera, SIZE), np.zeros(6)
        points = []
        for x in (SIZE[0] / 2.0, SIZE[0] / 4.0):
            write_camera_ray(view, x, SIZE[1] / 2.0, *SIZE, ray)
            points.append(ray.copy())
        if name == "an open edge":  # the quad's, from (-1, -1) to (3, -1) or above
            assert [abs(abs(point[1]) - 1.0) < 1e-9 for point in points] == [True, True]
            assert [abs(point[4]) < 1e-12 for point in points] == [True, True]
    assert names == ["an open edge", "a fold"]


def test_a_sample_of_the_sweep() -> None:
    embree = [one for one in configurations() if one.way != "bvh" and one.threads == 2]
    chosen = [Configuration("bvh", 1), *embree[-1:]]
    found = {one: one.pictures("open sheet") for one in chosen}
    assert set(found[chosen[0]]) == {"open sheet"}
    assert [one for one in differences(found | {Configuration(chosen[-1].way, 1): found[chosen[-1]]}) if one] == []


@pytest.mark.parametrize("name", ["interpenetrating limbs"])
def test_masks_and_shadows_of_a_sample_hold_at_every_scale(name: str) -> None:
    (case,) = cases(name)
    found = scaled(case)
    assert [one.scale for one in found] == list(SCALES)
    assert [one.unexplained for one in found] == [0] * len(SCALES)
