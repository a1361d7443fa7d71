"""Bones, trails, footprints, directions and boxes: where they are drawn, and what hides them."""

import numpy as np
import pytest

from posed import overlay
from posed.errors import PosedError
from posed.events import AnimationEvent
from posed.overlay.joints import joints_of
from tests.posed.overlay.conftest import Stand

BONE = overlay.bones(names=False, axes=False)


def test_joints_stand_where_the_pose_has_them(bare: Stand) -> None:
    """The knee at (0, 1, 0), turned by a quarter about z at tick 60."""
    hip, knee = joints_of(bare.scene, bare.poses[60], frozenset({"limb"}))
    assert (hip.name, hip.parent, knee.name, knee.parent) == ("hip", -1, "knee", hip.node)
    assert hip.position.tolist() == [0, 0, 0]
    assert knee.position == pytest.approx([0, 1, 0])
    assert knee.matrix[:3, :3] == pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]), abs=1e-6)


def test_a_bone_runs_from_joint_to_joint_and_a_stub_on(bare: Stand) -> None:
    """From row 48 to row 32 at column 32; the stub 0.45 m further up, or to the left once the knee is bent."""
    straight = bare.changed(0, BONE)
    assert straight[33:48, 31:33].all()
    assert straight[26:32, 31:33].any(axis=1).all()
    assert not straight[:22].any()
    bent = bare.changed(60, BONE)
    assert bent[32, 26:32].any()
    assert not bent[22:29].any()


def test_a_bone_within_the_body_is_hidden_unless_it_may_be_seen_through(walled: Stand) -> None:
    """The wall stands before the limb's lower part, up to row 34."""
    solid = walled.changed(0, overlay.bones(names=False, axes=False, see_through=False))
    assert not solid[35:49].any()
    assert walled.changed(0, BONE)[35:47, 31:33].all()


def test_axes_are_red_green_and_blue_and_names_beside(bare: Stand) -> None:
    color = bare.frame(0, overlay.bones(names=False))["color"]
    red = (color[..., 0] > 0.5) & (color[..., 1] < 0.3) & (color[..., 2] < 0.3)
    assert red[:, 33:].any()
    assert not red[:, :31].any(), "x points to the right"
    named = bare.changed(0, overlay.bones(axes=False), size=(300, 300))
    assert named[:, 165:].any()
    assert not bare.changed(0, BONE, size=(300, 300))[:, 165:].any()


def test_bones_of_one_object(bare: Stand) -> None:
    assert bare.changed(0, overlay.bones("limb")).any()
    with pytest.raises(PosedError, match='there is no object "arm": the scene has limb'):
        bare.frame(0, overlay.bones("arm"))


def test_a_trail_follows_the_joint(bare: Stand) -> None:
    """The hip does not move, so its trail is a dot at row 48; what is asked of another joint is refused by name."""
    rows, columns = np.nonzero(bare.changed(0, overlay.trail("hip", bare.poses[:20])))
    dot = (np.abs(columns - 31.5) < 4) & (np.abs(rows - 47.5) < 4)
    assert dot.sum() > 8
    assert not bare.changed(0, overlay.trail("hip", [])).any()


def test_footprints_lie_on_the_ground_under_the_joint(bare: Stand) -> None:
    """A ring of 1 m around (0, 0, 0), seen edge on: a line in row 48, hidden where the limb stands before it."""
    event = AnimationEvent(0, "limb", "Bend", "step")
    drawn = overlay.footprints([event], bare.poses[:1], {"step": "knee"}, radius=1.0)
    changed = bare.changed(0, drawn)
    assert changed[47:49, 17:28].any(axis=0).all()
    assert changed[47:49, 37:47].any(axis=0).all()
    other = AnimationEvent(0, "limb", "Bend", "breath")
    assert not bare.changed(0, overlay.footprints([other], bare.poses, {"step": "knee"})).any()
    with pytest.raises(PosedError, match='no snapshot is given for tick 0, at which "step" fired'):
        bare.frame(0, overlay.footprints([event], bare.poses[1:], {"step": "knee"}))


def test_normals_stand_on_vertices_that_are_seen(walled: Stand) -> None:
    """Those of the limb's upper corners point at the camera, a dot each; the lower ones are behind the wall."""
    changed = walled.changed(0, overlay.normals(length=0.5))
    assert changed[15:18, 27:37].any()
    assert not changed[44:50, 27:37].any()


def test_without_tangents_the_picture_says_so(bare: Stand) -> None:
    changed = bare.changed(0, "tangents", size=(300, 300))
    assert changed[:30].any()
    assert not changed[30:].any()


def test_a_box_is_around_the_posed_vertices(bare: Stand) -> None:
    """Straight from -0.25 to 0.25 and 0 to 2: columns 28 and 36, rows 16 and 48; bent to 1.25 high and -1 wide."""
    straight = bare.changed(0, overlay.boxes(names=False))
    assert straight[16:48, 27:29].any(axis=1).all()
    assert straight[15:17, 28:36].any(axis=0).all()
    bent = bare.changed(60, overlay.boxes(names=False))
    assert bent[28:48, 15:17].any(axis=1).all()
    assert not bent[:27].any()
    named, bare_box = (bare.changed(0, overlay.boxes(names=one), size=(300, 300)) for one in (True, False))
    assert (named & ~bare_box)[60:90, 130:].any(), "with its name and size at a corner"
