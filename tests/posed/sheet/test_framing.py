"""One camera that holds every pose from every direction."""

from pathlib import Path

import numpy as np
import pytest

from posed.gltf import load
from posed.gltf.model import Model
from posed.sheet.framing import framing, turned
from tests.gltf_literals import Literal


@pytest.fixture
def slider(tmp_path: Path) -> Model:
    """A triangle from (1, 0, 0) to (3, 2, 0) that rises by 4 in its one clip."""
    file = Literal(scenes=[{"nodes": [0]}])
    file.node(mesh=file.mesh(file.primitive([[1, 0, 0], [3, 0, 0], [1, 2, 0]])))
    file.animation((0, "translation", (0, 1), [[0, 0, 0], [0, 4, 0]], "LINEAR"), name="Rise")
    return load(file.write(tmp_path))


def test_a_quarter_turn_takes_the_front_to_the_right() -> None:
    front, right = np.array([0, 0, 1, 1.0]), [1, 0, 0, 1]
    assert (turned(1, 4) * front).sum(axis=1) == pytest.approx(right, abs=1e-15)
    assert turned(0, 4).tolist() == np.eye(4).tolist()


def test_it_holds_all_frames_and_all_directions(slider: Model) -> None:
    """x from -3 to 3 over two sides, y from 0 to 4: 6 m over 58 pixels, so 6.2 m a side of 60."""
    shown = framing(slider, 0, (0.0, 0.5), 2, (60, 60))
    assert shown.center == (0.0, 2.0)
    assert (shown.width, shown.height) == pytest.approx((6 / 58 * 60, 6 / 58 * 60))
    assert (shown.near, shown.far) == pytest.approx((0, 0), abs=1e-6)


def test_the_height_decides_in_a_wide_cell(slider: Model) -> None:
    """y from 0 to 6 over 18 pixels."""
    shown = framing(slider, 0, (0.0, 1.0), 1, (100, 20))
    assert shown.center == (2.0, 3.0)
    assert (shown.width, shown.height) == pytest.approx((6 / 18 * 100, 6 / 18 * 20))


def test_the_camera_sees_what_is_framed_and_cuts_nothing(slider: Model) -> None:
    """Turned a quarter, the triangle reaches from z = -1 to -3."""
    shown = framing(slider, 0, (0.0,), 4, (60, 60))
    camera = shown.camera()
    assert (shown.near, shown.far) == pytest.approx((3, -3))
    assert camera.ymag == shown.height / 2
    distance = camera.matrix[2, 3]
    assert camera.znear < distance - shown.near
    assert camera.zfar > distance - shown.far


def test_a_single_point_is_framed_too(tmp_path: Path) -> None:
    file = Literal(scenes=[{"nodes": [0]}])
    file.node(mesh=file.mesh({**file.primitive([[1, 2, 3]]), "mode": 0}))
    file.animation((0, "translation", (0, 1), [[0, 0, 0]] * 2, "LINEAR"))
    shown = framing(load(file.write(tmp_path)), 0, (0.0,), 1, (20, 10))
    assert (shown.center, shown.width, shown.height) == ((1, 2), 2, 1)
