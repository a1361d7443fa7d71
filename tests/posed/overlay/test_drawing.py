"""Overlays in a frame: chosen by name, drawn surfaces first, kept out of what is compared."""

import numpy as np
import pytest

import posed
from posed import overlay
from posed.errors import PosedError
from tests.posed.overlay.conftest import Stand


def test_other_layers_and_the_frames_own_stay(bare: Stand) -> None:
    plain, drawn = bare.frame(0), bare.frame(0, "bones")
    assert list(plain) == list(drawn)
    for name in plain:
        assert (plain[name] == drawn[name]).all() == (name != "color"), name
    assert drawn.staged is not None


def test_only_the_layers_asked_for_come_back_with_color(bare: Stand) -> None:
    frame = posed.trace(bare.scene, bare.poses[0], size=(16, 16), samples=1, layers=["depth"], overlays=["wireframe"])
    assert set(frame) == {"color", "depth"}


def test_surfaces_are_colored_before_lines_whatever_the_order(bare: Stand) -> None:
    one = bare.frame(0, "bones", "dominant_joints")["color"]
    other = bare.frame(0, "dominant_joints", "bones")["color"]
    assert (one == other).all()


def test_a_frame_with_overlays_is_no_reference_of_color(bare: Stand) -> None:
    drawn, plain = bare.frame(0, "bones"), bare.frame(0)
    assert drawn.provenance.integrator == "direct with overlays"
    verdict = posed.compare(drawn, plain)
    assert "color" not in [one.layer for one in verdict.compared]
    assert verdict["object"].passed


def test_what_is_transparent_gets_the_overlays_alpha(bare: Stand) -> None:
    frame = posed.trace(
        bare.scene, bare.poses[0], size=(64, 64), samples="center", background="transparent", overlays=["boxes"]
    )
    assert frame["color"][20, 20, 3] == 0.0
    edge = frame["color"][16:48, 27:29]
    assert edge[..., 3].max() > 0.4
    assert (edge[..., 3] <= 1.0).all()


def test_an_antialiased_frame_can_be_drawn_into(bare: Stand) -> None:
    for size in ((64, 64), (70, 35), (3, 2)):
        frame = posed.trace(bare.scene, bare.poses[30], size=size, samples=4, overlays=list_of_all(bare))
        assert np.isfinite(frame["color"]).all()


def list_of_all(bare: Stand) -> list[object]:
    return [
        *(name.replace("JOINT", "knee") for name in overlay.NAMES),
        overlay.displacement(bare.poses[0]),
        overlay.onion_skin(bare.poses[::20]),
        overlay.trail("knee", bare.poses[::10]),
    ]


def test_perspective_and_parallel_cameras_alike(tmp_path, bare: Stand) -> None:
    """From twenty metres away the two see nearly the same."""
    far = bare.scene.camera.matrix.copy()
    far[2, 3] = 100.0
    wide = posed.Camera(far, yfov=2 * np.arctan(2.0 / 100.0), znear=1.0)
    frame = posed.trace(bare.scene, bare.poses[0], size=(64, 64), samples="center", camera=wide, overlays=["boxes"])
    parallel = bare.frame(0, "boxes")
    assert np.abs(frame["color"] - parallel["color"]).mean() < 0.01


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ("bnes", 'there is no overlay "bnes": did you mean "bones"?'),
        ("xyz", 'there is no overlay "xyz": there are bones, boxes, dominant_joints, normals, tangents, weights:JOINT'),
        ("weights", 'the overlay "weights" is one of a joint: say which, as "weights:hand_R"'),
        (7, "an overlay is a name or made by posed.overlay, found int"),
    ],
)
def test_what_is_no_overlay_is_refused(bare: Stand, chosen: object, message: str) -> None:
    with pytest.raises(PosedError) as caught:
        bare.frame(0, chosen)
    assert str(caught.value).startswith(message)


def test_the_layers_alone_have_no_color_to_draw_into(bare: Stand) -> None:
    with pytest.raises(PosedError, match='overlays are drawn into color, which the integrator "aov" has not'):
        posed.trace(bare.scene, bare.poses[0], size=(8, 8), integrator="aov", overlays=["bones"])


def test_a_camera_that_sees_none_of_it_gets_the_plain_picture(bare: Stand) -> None:
    away = np.eye(4)
    away[:3, 3] = (0.0, 1.0, 500.0)
    away[:3, :3] = np.diag([-1.0, 1.0, -1.0])
    camera = posed.Camera(away, yfov=0.5)
    options = {"size": (16, 16), "samples": 1, "camera": camera, "layers": ["color"]}
    plain = posed.trace(bare.scene, bare.poses[0], **options)
    drawn = posed.trace(bare.scene, bare.poses[0], overlays=["bones", "boxes", "normals"], **options)
    assert (drawn["color"] == plain["color"]).all()
