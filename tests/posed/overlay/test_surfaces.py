"""Colors of surfaces: what each overlay says of a limb whose lower edge follows the hip and whose upper the knee."""

import numpy as np
import pytest

from posed import overlay
from posed.color import encode_srgb
from posed.errors import PosedError
from posed.overlay.ramps import GLOW, HEAT, ramp, ramp_codes
from tests.posed.overlay.conftest import Stand


def test_a_ramp_begins_and_ends_with_its_stops_and_clamps() -> None:
    codes = ramp_codes(HEAT)
    assert codes.shape == (256, 3)
    assert encode_srgb(ramp(HEAT, np.array([-1.0, 0.0, 1.0, 2.0, np.nan]))).tolist() == [
        codes[0].tolist(), codes[0].tolist(), codes[-1].tolist(), codes[-1].tolist(), codes[0].tolist()
    ]  # fmt: skip
    steps = np.abs(np.diff(codes.astype(int), axis=0)).sum(axis=1)
    assert 0 < steps.max() < 30, "no jump between neighbours"
    light = ramp(GLOW, np.linspace(0, 1, 64)) @ (0.2126, 0.7152, 0.0722)
    assert (np.diff(light) > 0).all(), "the more the lighter"


def test_a_weight_is_the_share_of_the_joint_along_the_limb(bare: Stand) -> None:
    """The card faces the camera, so that nothing is shaded; the knee's weight is y / 2."""
    color = bare.frame(0, overlay.weights("knee"))["color"]
    rows = np.arange(18, 47)
    expected = ramp(HEAT, (3.0 - (rows + 0.5) / 16.0) / 2.0)
    assert color[rows, 32, :3] == pytest.approx(expected, abs=0.02)
    assert (color[:, 40] == bare.frame(0)["color"][:, 40]).all(), "what is not covered stays as it is"


def test_what_a_joint_does_not_pull_goes_gray(walled: Stand) -> None:
    color = walled.frame(0, "weights:limb/knee")["color"]
    wall = color[40, 10, :3]
    assert np.ptp(wall) < 1e-6
    assert 0.0 < wall[0] < walled.frame(0)["color"][40, 10, 0]


def test_the_strongest_joint_has_a_color_of_its_own(bare: Stand) -> None:
    """Both pull alike at y = 1, row 32."""
    codes = encode_srgb(bare.frame(0, overlay.dominant_joints(names=False))["color"][..., :3])
    upper, lower = codes[18:30, 32], codes[34:46, 32]
    assert len({*map(tuple, upper.tolist())}) == len({*map(tuple, lower.tolist())}) == 1
    assert upper[0].tolist() != lower[0].tolist()


def test_displacement_is_the_way_from_the_other_snapshot(bare: Stand) -> None:
    """From straight to bent the upper edge, 1 m above the knee, goes the root of two; the lower edge stays."""
    drawn = overlay.displacement(bare.poses[60], most=2000.0)
    color = bare.frame(0, drawn)["color"]
    y = 3.0 - (20 + 0.5) / 16.0
    # The middle of the upper edge goes from (0, 2) to (-1, 1), that of the lower one nowhere; between them evenly.
    top = np.array([-1.0, 1.0, 0.0]) - np.array([0.0, 2.0, 0.0])
    expected = np.linalg.norm(top) * y / 2.0
    assert color[20, 32, :3] == pytest.approx(ramp(GLOW, np.array([expected / 2.0]))[0], abs=0.03)


def test_equal_snapshots_are_displaced_nowhere(bare: Stand) -> None:
    color = bare.frame(30, overlay.displacement(bare.poses[30]))["color"]
    inside = bare.frame(30)["object"] > 0
    for axis in (0, 1):  # borders are mixed with what is beside them
        inside &= np.roll(inside, 1, axis) & np.roll(inside, -1, axis)
    assert np.ptp(color[inside][:, :3], axis=1).max() < 1e-6


def test_a_legend_says_what_the_colors_mean_where_there_is_room(bare: Stand) -> None:
    changed = bare.changed(0, overlay.weights("knee"), size=(400, 400))
    assert changed[330:390, 20:180].mean() > 0.9
    assert not bare.changed(0, overlay.weights("knee"))[50:, :20].any()


def test_the_wireframe_is_where_edges_are(bare: Stand) -> None:
    """The outline of the card, columns 28 and 35, and its diagonal from lower left to upper right."""
    changed = bare.changed(0, "wireframe")
    assert changed[20:44, 28].all()
    assert changed[20:44, 35].all()
    diagonal = [(round(47.5 - step * 4), round(28 + step)) for step in range(2, 6)]
    assert all(changed[row, column] for row, column in diagonal)
    assert not changed[22, 30]
    assert not changed[:, 40].any()


def test_ghosts_stand_beside_the_object_and_behind_it(bare: Stand) -> None:
    """At tick 60 the limb lies to the left of where tick 0 has it upright."""
    changed = bare.changed(0, overlay.onion_skin([bare.poses[60], bare.poses[0]]))
    ghost, now = (bare.frame(tick)["object"] > 0 for tick in (60, 0))
    assert (changed == (ghost & ~now)).all()
    over = bare.changed(0, overlay.onion_skin([bare.poses[60]], over=True))
    assert (over >= changed).all()
    color = bare.frame(0, overlay.onion_skin([bare.poses[60]]))["color"][changed]
    assert (color[:, 0] > color[:, 2]).all(), "what comes later is orange"
    color = bare.frame(60, overlay.onion_skin([bare.poses[0]]))["color"][now & ~ghost]
    assert (color[:, 2] > color[:, 0]).all(), "what was before is blue"


def test_an_unknown_joint_is_refused_with_the_nearest(bare: Stand) -> None:
    with pytest.raises(PosedError, match='no joint is called "kne": did you mean "knee"?'):
        bare.frame(0, overlay.weights("kne"))
    with pytest.raises(PosedError, match=r'no joint is called "limb/x": the scene has hip, knee'):
        bare.frame(0, overlay.weights("limb/x"))
