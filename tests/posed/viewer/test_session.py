"""A session: every event changes what it should and nothing else, without any window."""

from pathlib import Path

import numpy as np
import pytest

import posed
from posed.viewer import Session
from posed.viewer.drawing import BAR
from posed.viewer.session import LAYERS

SCENES = Path(__file__).resolve().parents[3] / "golden/scenes"
SIZE = (120, 90)


@pytest.fixture(scope="module")
def scene():
    return posed.load(SCENES / "walker.toml")


@pytest.fixture
def session(scene):
    return Session(scene, size=SIZE)


def press(session, key, *modifiers):
    return session.handle({"event_type": "key_down", "key": key, "modifiers": modifiers})


def drag(session, start, end, **more):
    x, y = start
    session.handle({"event_type": "pointer_down", "x": x, "y": y, "button": 1, "modifiers": ()} | more)
    moved = session.handle({"event_type": "pointer_move", "x": end[0], "y": end[1]})
    session.handle({"event_type": "pointer_up", "x": end[0], "y": end[1]})
    return moved


def test_ticks_go_forward_and_back_with_the_bits_of_a_world_played_straight(scene, session):
    press(session, "ArrowRight", "Shift")
    press(session, "ArrowRight")
    assert session.playing.tick == 11
    press(session, "ArrowLeft")
    world = posed.World(scene)
    world.advance(10)
    assert session.playing.posed().digest == world.posed().digest
    press(session, "Home")
    assert not press(session, "ArrowLeft")
    assert session.playing.posed().digest == posed.World(scene).posed().digest


def test_beats_play_at_the_scenes_rate_and_wrap_at_the_end(session):
    assert not session.beat(30)
    press(session, " ")
    assert session.beat(30)
    assert session.playing.tick == 2
    for _ in range(session.playing.length() // 2):
        session.beat(30)
    assert session.playing.tick < 2


def test_dragging_the_bar_scrubs(session):
    length = session.playing.length()
    assert drag(session, (5, SIZE[1] - BAR // 2), (SIZE[0] - 1, 3))
    assert session.playing.tick == length
    assert session.camera() is None


def test_clips_are_chosen_and_blended(scene, session):
    one = session.playing.object
    names = [clip.name for clip in one.model.clips]
    assert session.playing.words() == "walker: as the scene plays it"
    press(session, "c")
    press(session, "v")
    press(session, "v")
    press(session, "]")
    assert session.playing.words() == f"walker: {names[0]} + 0.6 {names[1]}"
    press(session, "ArrowRight", "Shift")
    world = posed.World(scene)
    world.animate("walker", 0).blend(1, 0.6).done()
    world.advance(10)
    assert session.playing.posed().digest == world.posed().digest
    for _ in names:
        press(session, "c")
    assert session.playing.choice().clip is None


def test_layers_and_overlays_are_switched(session):
    for layer in (*LAYERS[1:], LAYERS[0]):
        press(session, "l")
        assert session.layer == layer
    press(session, "L")
    assert session.layer == LAYERS[-1]
    press(session, "b")
    press(session, "w")
    press(session, "b")
    assert session.overlays == ["wireframe"]
    assert not press(session, "F7")


def test_a_drag_turns_a_shifted_one_moves_and_a_wheel_comes_nearer(session):
    start = session.orbit()
    assert drag(session, (60, 40), (80, 40))
    turned = session.orbit()
    assert (turned.pivot, turned.distance) == (start.pivot, start.distance)
    assert turned.yaw == pytest.approx(start.yaw - np.pi * 20 / 90)
    drag(session, (60, 40), (80, 40), modifiers=("Shift",))
    assert session.orbit().yaw == turned.yaw
    assert session.orbit().pivot != start.pivot
    session.handle({"event_type": "wheel", "dy": -100.0})
    assert session.orbit().distance < start.distance
    press(session, "r")
    assert session.camera() is None


def test_a_click_picks_and_heat_shows_the_joints_weights(scene, session):
    frame = posed.trace(scene, session.playing.posed(), size=SIZE, integrator="aov")
    y, x = np.argwhere(frame["joint"] > 0)[0]
    drag(session, (x, y), (x, y))
    assert session.picked["joint"] == scene.ids.name("joint", int(frame["joint"][y, x]))
    assert session.picked["object"] == "walker"
    press(session, "h")
    assert session.overlays == [f"weights:{session.picked['joint']}"]
    press(session, "h")
    assert session.overlays == []
    sky = np.argwhere(frame["object"] == 0)[0]
    session.pick(int(sky[1]), int(sky[0]))
    assert session.picked == {}
    press(session, "h")
    assert session.overlays == []


def test_the_picture_is_the_frame_with_words_and_a_time_line(scene, session):
    session.playing.seek(21)
    picture = session.picture()
    assert picture.shape == (SIZE[1], SIZE[0], 4)
    assert (picture[..., 3] == 255).all()
    frame = posed.trace(scene, session.playing.posed(), size=SIZE, samples=1, layers=("color",))
    below = slice(66, SIZE[1] - BAR)
    assert (picture[below] == frame.rgba()[below]).all()
    bar = picture[SIZE[1] - BAR + 7, 8:-9, :3]
    assert (bar == (240, 150, 40)).all(axis=1).any()


@pytest.mark.parametrize("layer", LAYERS)
def test_every_layer_has_a_picture(session, layer):
    session.layer = layer
    assert session.picture()[40:64].std() > 0


def test_a_resized_window_is_a_resized_picture(session):
    assert session.handle({"event_type": "resize", "width": 50, "height": 30, "pixel_ratio": 2.0})
    assert session.picture().shape == (60, 100, 4)


def test_q_closes(session):
    press(session, "q")
    assert session.closed
