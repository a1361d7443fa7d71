"""The first look's drawing: triangles worked out by hand, and every pixel as the tracer has it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import posed
from posed.camera import Camera
from posed.verify.diagnosing.frame_evidence import FrameEvidence
from posed.verify.diagnosing.hypothesis import Hypothesis
from posed.verify.diagnosing.quick import NOTHING, Asked, Drawn, Lens, Room, write_matches
from posed.verify.policy import policy_of
from tests.posed.verify.diagnosing.literals import ANIMATED, BOX, LAYERS, arm, at

UP = (0.0, 0.0, 1.0)


def shows(
    *triangles: Any,
    facing: int = 1,
    two_sided: bool = False,
    orthographic: bool = False,
    near: float = 0.1,
    depth: float = np.nan,
    normal: tuple[float, float, float] = (0.0, 0.0, 0.0),
    still: float = np.inf,
    first: int = 0,
    step: int = 1,
) -> NDArray[np.bool_]:
    """Which pixels of 4 x 4 show triangle 0, through a camera at the origin that sees 4 x 4 metres at depth 2."""
    positions = np.array(triangles, np.float32).reshape(-1, 3)
    faces = len(triangles)
    size = len(range(first, 4, step))
    lens = Lens(np.eye(3), orthographic, 1.0 if orthographic else 2.0, (2.0, 2.0), (near, 100.0), first, step)
    drawn = Drawn(
        positions,
        np.tile(np.array(UP, np.float32), (len(positions), 1)),
        np.arange(3 * faces, dtype=np.uint32).reshape(-1, 3),
        np.full(faces, facing, np.int8),
        np.full(faces, two_sided),
        np.zeros(faces, np.bool_),
        np.ones(faces, np.bool_),
        np.arange(faces),
    )
    shape = (size, size)
    asked = Asked(
        np.zeros(shape, np.int64),
        np.full(shape, depth),
        np.broadcast_to(np.array(normal), (*shape, 3)).copy(),
        np.full(shape, still),
    )
    room = Room(np.empty(shape), np.empty(shape, np.int64), np.empty(shape, np.bool_))
    write_matches(lens, drawn, asked, 1e-3, np.cos(np.radians(1.0)), room)
    return room.matches


LEFT = [(-9.0, -9.0, -2.0), (0.0, -9.0, -2.0), (0.0, 9.0, -2.0)]
"""Counter-clockwise; its right edge is x = 0, its slanted one y = 2 x + 9, far to the left of the picture."""


@pytest.mark.parametrize("orthographic", [False, True])
def test_a_triangle_covers_the_pixel_centres_inside_it(orthographic: bool) -> None:
    """Two of four columns, each a metre wide at depth 2."""
    found = shows(LEFT, orthographic=orthographic)
    assert found.tolist() == [[True, True, False, False]] * 4


def test_one_that_turns_its_back_is_not_drawn() -> None:
    turned = LEFT[::-1]
    assert not shows(turned).any()
    assert shows(turned, facing=-1)[:, :2].all()
    assert shows(turned, two_sided=True)[:, :2].all()
    assert not shows(LEFT, facing=-1).any()


def test_the_nearer_of_two_is_seen_and_what_stands_before_hides_it() -> None:
    before = [(x, y, z + 0.5) for x, y, z in LEFT]
    assert not shows(LEFT, before).any(), "triangle 1 is seen where triangle 0 is asked for"
    assert shows(before, LEFT)[:, 0].all()
    assert not shows(LEFT, still=1.9).any()
    assert shows(LEFT, still=2.1)[:, :2].all()


def test_depth_and_normal_must_be_the_stated_ones() -> None:
    assert shows(LEFT, depth=2.001)[:, :2].all()
    assert not shows(LEFT, depth=2.01).any()
    assert shows(LEFT, normal=(0.0, np.sin(0.01), np.cos(0.01)))[:, :2].all()
    assert not shows(LEFT, normal=(0.0, np.sin(0.03), np.cos(0.03))).any()


def test_some_pixels_are_looked_at() -> None:
    """Columns and rows 1 and 3: the centres at -0.5 and 1.5."""
    assert shows(LEFT, first=1, step=2).tolist() == [[True, False], [True, False]]


def test_one_that_passes_the_camera_is_cut_and_not_thrown_away() -> None:
    """A floor a metre below, from ten metres before the camera to ten behind: rows below the middle show it."""
    floor = [(-50.0, -1.0, 10.0), (50.0, -1.0, 10.0), (0.0, -1.0, -10.0)]
    assert shows(floor)[2:].all()
    assert not shows(floor)[:2].any()
    # The last row looks down by 3/4: the floor lies 4/3 metres away there, before a near plane of 1.5.
    assert shows(floor, near=1.5).tolist() == [[False] * 4] * 2 + [[True] * 4] + [[False] * 4]


def test_nothing_is_what_it_says_where_none_is_drawn() -> None:
    shape = (1, 1)
    empty = np.zeros((0, 3), np.float32)
    faces = np.zeros(0, np.bool_)
    drawn = Drawn(
        empty, empty, np.zeros((0, 3), np.uint32), np.zeros(0, np.int8), faces, faces, faces, np.zeros(0, np.int64)
    )
    asked = Asked(np.full(shape, NOTHING), np.full(shape, np.nan), np.zeros((1, 1, 3)), np.full(shape, np.inf))
    room = Room(np.empty(shape), np.empty(shape, np.int64), np.empty(shape, np.bool_))
    write_matches(Lens(np.eye(3), False, 1.0, (0.5, 0.5), (0.1, 9.0), 0, 1), drawn, asked, 0.1, 0.9, room)
    assert room.matches.all()


CAMERAS = {
    "perspective": {},
    "orthographic": {"yfov": None, "ymag": 2.0},
    "near": {"znear": 6.9},
}


@pytest.mark.parametrize("lens", CAMERAS)
def test_every_pixel_is_as_the_tracer_has_it(tmp_path: Path, lens: str) -> None:
    """The live frame is traced at another tick; drawn quickly at that tick, no pixel differs but at edges."""
    scene = arm(tmp_path, text=ANIMATED + BOX)
    truth, other = at(scene, 30), at(scene, 10)
    assert truth.camera is not None
    camera: Camera = replace(truth.camera, **CAMERAS[lens])  # type: ignore[arg-type]
    live = replace(
        posed.trace(scene, other, size=(60, 80), integrator="aov", layers=LAYERS, camera=camera),
        provenance=posed.Provenance(),
    )
    evidence = FrameEvidence(scene, truth, live, policy=policy_of("gpu"), camera=camera)
    assert set(evidence.suspects) == {"arm", "box"}
    match = evidence.look(Hypothesis("", "", "", other))
    assert match.differing > 250
    assert match.explained == match.differing
    assert match.broken == 0
    assert evidence.look(Hypothesis("", "", "", truth)).explained == 0
