"""The world: scenes played by tick, with marks, commands, movers and what hangs on joints."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from posed.builder import AnimationBuilder
from posed.errors import PoseError
from posed.events import AnimationEvent
from posed.scene.load import load
from posed.snapshot import Posed
from posed.world import World
from tests.gltf_literals import Literal, two_joint_skin

HEAD = """\
format = 1
rate = 10
[camera]
position = [0, 0, 4]
[meshes.slider]
file = "slider.glb"
"""
OBJECT = '[[object]]\nname = "slider"\nmesh = "slider"\n'


def slider(folder: Path) -> None:
    """A file whose one node slides along x: `Walk` 0 to 1 in a second, `Run` 0 to 4 in two."""
    file = Literal(scenes=[{"nodes": [0]}])
    file.node(mesh=file.mesh(), name="body")
    for name, end, way in (("Walk", 1.0, 1.0), ("Run", 2.0, 4.0)):
        file.animation((0, "translation", (0.0, end), ((0, 0, 0), (way, 0, 0)), "LINEAR"), name=name)
    (folder / "slider.glb").write_bytes(file.glb())


def world(folder: Path, text: str, *, strict: bool = True) -> World:
    slider(folder)
    (folder / "x.toml").write_text(HEAD + text)
    return World(load(folder / "x.toml"), strict=strict)


def x(world: World, alpha: float = 0.0) -> float:
    return float(world.posed(alpha).nodes["slider"][0][0, 3])


def test_it_begins_before_tick_0_and_shows_tick_0(tmp_path: Path) -> None:
    one = world(tmp_path, OBJECT + '[object.animation]\nclip = "Walk"\nstart = 0.5\n')
    assert (one.ticks, one.posed().tick, x(one)) == (0, 0, 0.5)
    posed = one.posed()
    assert posed.previous == replace(posed, previous=None), "at tick 0 it is itself"


def test_what_the_scene_plays_starts_at_tick_0(tmp_path: Path) -> None:
    one = world(tmp_path, OBJECT + '[object.animation]\nclip = "Walk"\nspeed = 0.5\nplayback = "once"\n')
    positions = []
    for tick in (0, 5, 20, 30):
        one.advance(tick)
        positions.append(x(one))
    assert positions == [0.0, 0.25, 1.0, 1.0]


def test_a_blend_plays_by_shares(tmp_path: Path) -> None:
    """At 0.5 s: a quarter of 0.5 and three quarters of 1."""
    clips = '[{ clip = "Walk", weight = 1 }, { clip = "Run", weight = 3 }]'
    one = world(tmp_path, OBJECT + f"[object.animation]\nblend = {clips}\n")
    one.advance(5)
    assert x(one) == pytest.approx(0.875, abs=1e-15)


def test_marks_are_delivered_once_in_tick_order_the_first_time_from_tick_0(tmp_path: Path) -> None:
    marks = '[{ name = "b", clip = "Walk", time = 0.4 }, { name = "a", clip = "Walk", time = 0 }]'
    text = OBJECT + f'[object.animation]\nclip = "Walk"\nevents = {marks}\n'
    events = [AnimationEvent(tick, "slider", "Walk", name) for tick, name in ((0, "a"), (4, "b"), (10, "a"), (14, "b"))]
    assert world(tmp_path, text).advance(14) == events
    stepped = world(tmp_path, text)
    assert [event for tick in range(15) for event in stepped.advance(tick)] == events
    assert stepped.advance(14) == []


def test_a_command_starts_at_the_last_advanced_tick_and_its_mark_at_0_comes_with_the_next_advance(
    tmp_path: Path,
) -> None:
    marks = '[{ name = "a", clip = "Run", time = 0 }]'
    one = world(tmp_path, OBJECT + f"[object.animation]\nevents = {marks}\n")
    assert one.advance(7) == []
    one.animate("slider", "Run").speed(0.5)
    assert x(one) == 0.0
    assert one.advance(8) == [AnimationEvent(7, "slider", "Run", "a")]
    assert x(one) == pytest.approx(0.1, abs=1e-15)


def test_previous_is_the_tick_before_whatever_the_step_and_before_commands_of_this_tick(tmp_path: Path) -> None:
    one = world(tmp_path, OBJECT + '[object.animation]\nclip = "Walk"\n')
    one.advance(7)
    one.animate("slider", "Run")
    posed = one.posed()
    assert posed.nodes["slider"][0][0, 3] == 0.0
    assert posed.previous is not None
    assert (posed.previous.tick, posed.previous.previous) == (6, None)
    assert posed.previous.nodes["slider"][0][0, 3] == pytest.approx(0.6, abs=1e-15)


def test_between_ticks(tmp_path: Path) -> None:
    one = world(tmp_path, OBJECT + '[object.animation]\nclip = "Walk"\n')
    one.advance(3)
    assert x(one, 0.25) == pytest.approx(0.325, abs=1e-15)
    previous = one.posed(0.25).previous
    assert previous is not None
    assert (previous.alpha, previous.nodes["slider"][0][0, 3]) == (0.25, pytest.approx(0.225, abs=1e-15))
    with pytest.raises(PoseError, match=r"alpha is 1.0: it lies in \[0, 1\)"):
        one.posed(1.0)


def test_one_step_or_many_give_the_same_snapshot(tmp_path: Path) -> None:
    text = OBJECT + '[object.animation]\nclip = "Walk"\nspeed = 0.7\n'
    one, many = world(tmp_path, text), world(tmp_path, text)
    one.advance(53)
    for tick in (0, 1, 2, 30, 52, 53):
        many.advance(tick)
    assert one.posed() == many.posed()


def test_a_fade_and_a_blend_said_with_a_builder(tmp_path: Path) -> None:
    """A fade of 1 s at its middle, over `Walk` at 0.5: 1 by `Run`, half of it `Walk` again at 0.5 (0.75 mixed)."""
    one = world(tmp_path, OBJECT + '[object.animation]\nclip = "Walk"\n')
    one.advance(10)
    one.animate("slider", "Run").blend("Walk", 0.5).fade(1.0).done()
    one.advance(15)
    assert x(one) == pytest.approx(0.5 * 0.5 + 0.5 * (0.5 * 1.0 + 0.5 * 0.5), abs=1e-15)


@pytest.mark.parametrize(
    ("name", "clip", "message"),
    [
        ("runner", "Walk", 'the scene has no object "runner" (it has slider)'),
        ("slider", "Jog", 'object "slider": '),
    ],
)
def test_a_refused_command_raises_or_is_kept(tmp_path: Path, name: str, clip: str, message: str) -> None:
    with pytest.raises(PoseError) as caught:
        world(tmp_path, OBJECT).animate(name, clip)
    assert str(caught.value).startswith(message)
    lenient = world(tmp_path, OBJECT, strict=False)
    lenient.advance(3)
    builder = lenient.animate(name, clip).fade(0.1)
    (error,) = lenient.animation_errors()
    assert (error.tick, error.object) == (3, name)
    assert error.text.startswith(message)
    with pytest.raises(PoseError) as caught:
        builder.done()
    assert str(caught.value) == error.text
    lenient.advance(4)
    assert lenient.animation_errors() == []


def test_a_clip_is_added_and_a_mask_keeps_it_off(tmp_path: Path) -> None:
    """`Walk` at 0.3 and half of what `Run` has gone since its start, 0.6; nothing where the mask is 0."""
    one = world(tmp_path, OBJECT)
    one.animate("slider", "Walk").additive("Run", 0.5)
    one.advance(3)
    assert x(one) == pytest.approx(0.3 + 0.5 * 0.6, abs=1e-15)
    one.animate("slider", "Walk").additive("Run", 0.5).mask([], otherwise=0.0)
    one.advance(6)
    assert x(one) == pytest.approx(0.3, abs=1e-15)
    one.animate("slider", "Walk").mask(subtrees=["body"], weight=0.5)
    one.advance(9)
    assert x(one) == pytest.approx(0.15, abs=1e-15)


@pytest.mark.parametrize(
    ("say", "message"),
    [
        (lambda builder: builder.blend("Jog", 0.5), "Jog"),
        (lambda builder: builder.blend("Run", 1.5), 'the weight of "Run" is 1.5: it lies in [0, 1]'),
        (lambda builder: builder.playback("bounce"), "playback is 'bounce'"),
        (lambda builder: builder.fade(-1), "-1"),
        (lambda builder: builder.additive("Run", -1), 'the weight of "Run" is -1: it is finite, 0 or more'),
        (lambda builder: builder.additive("Run", 1, reference="Jog"), "Jog"),
        (lambda builder: builder.mask(["tail"]), "the skeleton has no bone 'tail'"),
    ],
)
def test_a_command_is_refused_as_a_whole(
    tmp_path: Path, say: Callable[[AnimationBuilder], AnimationBuilder], message: str
) -> None:
    one = world(tmp_path, OBJECT + '[object.animation]\nclip = "Walk"\n', strict=False)
    one.advance(3)
    say(one.animate("slider", "Run"))
    assert x(one) == pytest.approx(0.3, abs=1e-15)
    (error,) = one.animation_errors()
    assert error.text.startswith('object "slider": ')
    assert message in error.text


def test_what_plays_can_be_asked_for_and_stopped(tmp_path: Path) -> None:
    one = world(tmp_path, OBJECT + '[object.animation]\nclip = "Walk"\n')
    one.advance(5)
    assert one.animator("slider").pose(5).translations[0, 0] == 0.5
    one.play_clip("slider", "Run")
    one.advance(6)
    assert x(one) == pytest.approx(0.2, abs=1e-15)
    one.stop_animation("slider")
    assert x(one) == 0.0
    with pytest.raises(PoseError, match='object "slider" is no sprite'):
        one.sprite("slider")
    with pytest.raises(PoseError, match=r'object "slider" has no such skinned node \(it has none\)'):
        one.palette("slider")


def test_events_of_the_last_tick_by_object(tmp_path: Path) -> None:
    marks = '[{ name = "a", clip = "Walk", time = 0.1 }, { name = "b", clip = "Walk", time = 0.2 }]'
    one = world(tmp_path, OBJECT + f'[object.animation]\nclip = "Walk"\nevents = {marks}\n')
    one.advance(2)
    assert one.animation_events() == one.animation_events("slider") == [AnimationEvent(2, "slider", "Walk", "b")]
    assert one.animation_events("nobody") == []


def test_a_command_before_its_tick_is_played_starts_at_it(tmp_path: Path) -> None:
    marks = '[{ name = "a", clip = "Run", time = 0 }]'
    one = world(tmp_path, OBJECT + f"[object.animation]\nevents = {marks}\n")
    one.advance(6)
    one.begin(7)
    one.animate("slider", "Run")
    assert one.advance(7) == [AnimationEvent(7, "slider", "Run", "a")]


def test_it_does_not_go_back(tmp_path: Path) -> None:
    one = world(tmp_path, OBJECT)
    one.advance(5)
    with pytest.raises(PoseError, match="the world is at tick 5 and cannot go back to 4: make a new World"):
        one.advance(4)


def test_a_mover_moves_its_object(tmp_path: Path) -> None:
    motion = "[object.motion]\ntimes = [0, 2]\npositions = [[0, 0, 0], [0, 1, 0]]\n"
    one = world(tmp_path, OBJECT + "scale = 2\n" + motion + 'playback = "ping_pong"\n')
    heights = []
    for tick in (0, 5, 20, 35):
        one.advance(tick)
        matrix = one.posed().models["slider"]
        assert np.diag(matrix).tolist() == [2.0, 2.0, 2.0, 1.0]
        heights.append(matrix[1, 3])
    assert heights == pytest.approx([0.0, 0.25, 1.0, 0.25], abs=1e-15)


def test_a_cubic_mover_passes_its_keys_with_the_slope_between_neighbours(tmp_path: Path) -> None:
    """Keys 0, 1, 0 at 0, 1, 2 s: slopes 1, 0, -1. At 0.5 s: 0.125 * 1 + 0.5 * 1 = 0.625."""
    keys = "times = [0, 1, 2]\npositions = [[0, 0, 0], [0, 1, 0], [0, 0, 0]]\n"
    one = world(tmp_path, OBJECT + "[object.motion]\n" + keys + 'interpolation = "cubic"\n')
    one.advance(5)
    assert one.posed().models["slider"][1, 3] == pytest.approx(0.625, abs=1e-15)


def test_root_motion_moves_the_object_across_the_loops_end(tmp_path: Path) -> None:
    """`Walk` goes 1 along x a second; doubled by the object's scale; at 1.5 s the object has gone 3."""
    text = OBJECT + 'scale = 2\n[object.animation]\nclip = "Walk"\nroot_motion = true\n'
    one = world(tmp_path, text)
    ways = []
    for tick in (0, 5, 15):
        one.advance(tick)
        assert x(one) == 0.0, "the root stays over its rest place"
        ways.append(float(one.posed().models["slider"][0, 3]))
    assert ways == pytest.approx([0.0, 1.0, 3.0], abs=1e-15)
    previous = one.posed().previous
    assert previous is not None
    assert previous.models["slider"][0, 3] == pytest.approx(2.8, abs=1e-15)
    stepped = world(tmp_path, text)
    for tick in range(16):
        stepped.advance(tick)
    assert stepped.posed() == one.posed()


def test_a_snapshot_says_what_posed_it(tmp_path: Path) -> None:
    """A fade of 1 s at its middle; below it `Walk` in its second loop, above it `Run` with a quarter of `Walk`."""
    one = world(tmp_path, OBJECT + '[object.animation]\nclip = "Walk"\n')
    one.advance(10)
    one.animate("slider", "Run").blend("Walk", 0.25).fade(1.0).done()
    one.advance(15)
    posed = one.posed()
    below, above = posed.sources["slider"]["mixes"]  # type: ignore[index]
    beyond = {"playback": "loop", "speed": 1.0}
    walk = {"clip": "Walk", "index": 0, "kind": "share", "weight": 1.0, "time": 0.5, "unwrapped": 1.5, **beyond}
    assert below == {"weight": 1.0, "layers": [walk]}
    assert above == {
        "weight": 0.5,
        "layers": [
            {"clip": "Run", "index": 1, "kind": "share", "weight": 1.0, "time": 0.5, "unwrapped": 0.5, **beyond},
            {"clip": "Walk", "index": 0, "kind": "over", "weight": 0.25, "time": 0.5, "unwrapped": 0.5, **beyond},
        ],
    }
    assert posed == replace(posed, sources={}), "they are no part of the digest"
    posed.save(tmp_path / "x.json")
    assert Posed.load(tmp_path / "x.json").sources == posed.sources


def test_a_prop_hangs_on_a_joint(tmp_path: Path) -> None:
    text = OBJECT + '[object.animation]\nclip = "Walk"\n[meshes.box]\nshape = "box"\n'
    text += '[[object]]\nname = "box"\nmesh = "box"\nattach = "slider/body"\nposition = [0, 0, 3]\n'
    one = world(tmp_path, text)
    one.advance(5)
    assert one.posed().models["box"][:3, 3].tolist() == [0.5, 0.0, 3.0]


def test_a_card_is_turned_to_the_camera(tmp_path: Path) -> None:
    """The camera stands at z = 4 and looks along -x by a rotation of 90 degrees about y."""
    text = '[meshes.card]\nshape = "card"\n'
    text += '[[object]]\nname = "card"\nmesh = "card"\nface_camera = true\nscale = [2, 3, 1]\n'
    slider(tmp_path)
    turn = 0.7071067811865476
    (tmp_path / "x.toml").write_text(
        HEAD.replace("position = [0, 0, 4]", f"position = [0, 0, 4]\nrotation = [0, {turn}, 0, {turn}]") + text
    )
    matrix = World(load(tmp_path / "x.toml")).posed().models["card"]
    assert matrix[:3, :3] == pytest.approx(np.array([[0, 0, 1], [0, 3, 0], [-2, 0, 0]]), abs=1e-15)


def test_a_camera_rides_on_a_node_whose_scale_it_ignores(tmp_path: Path) -> None:
    camera = [{"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1}}]
    file = Literal(scenes=[{"nodes": [0]}], cameras=camera)
    file.node(camera=0, name="eye", scale=[2, 2, 2])
    file.animation((0, "translation", (0.0, 1.0), ((0, 0, 0), (0, 0, 8)), "LINEAR"), name="Back")
    (tmp_path / "eye.glb").write_bytes(file.glb())
    (tmp_path / "x.toml").write_text(
        'format = 1\nrate = 10\n[camera]\nnode = "rig/eye"\n[meshes.eye]\nfile = "eye.glb"\n'
        '[[object]]\nname = "rig"\nmesh = "eye"\nposition = [1, 0, 0]\n[object.animation]\nclip = "Back"\n'
    )
    one = World(load(tmp_path / "x.toml"))
    one.advance(5)
    camera_now = one.posed().camera
    assert camera_now is not None
    assert camera_now.matrix.tolist() == [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 4], [0, 0, 0, 1]]
    assert camera_now.yfov == 0.5


def test_a_skinned_node_gives_a_palette_and_no_matrix(tmp_path: Path) -> None:
    (tmp_path / "a.glb").write_bytes(two_joint_skin().glb())
    posed = World(load(tmp_path / "a.glb")).posed()
    (palette,) = posed.palettes["a"].values()
    assert (palette.shape, palette.dtype, palette.flags.writeable) == ((2, 4, 4), np.float32, False)
    assert "a" not in posed.nodes


def test_a_clip_takes_the_objects_speed_and_playback(tmp_path: Path) -> None:
    """At half speed `Run` goes 0.1 a tick and holds 4 from tick 40 on; a builder may say otherwise."""
    one = world(tmp_path, OBJECT + '[object.animation]\nclip = "Walk"\nspeed = 0.5\nstart = 0.5\nplayback = "once"\n')
    one.advance(0)
    one.play_clip("slider", "Run")
    ways = []
    for tick in (5, 40, 50):
        one.advance(tick)
        ways.append(x(one))
    assert ways == pytest.approx([0.5, 4.0, 4.0], abs=1e-15)
    one.animate("slider", "Run").speed(2).start(0.5).looped().done()
    one.advance(55)
    assert x(one) == pytest.approx(3.0, abs=1e-15)


def test_what_has_nothing_to_play_holds_the_rest_pose(tmp_path: Path) -> None:
    one = world(tmp_path, OBJECT)
    one.advance(7)
    assert x(one) == 0.0
    one.play_clip("slider", "Walk")
    one.advance(9)
    one.stop_animation("slider")
    one.advance(12)
    assert x(one) == 0.0


@pytest.mark.parametrize(
    ("say", "message"),
    [
        (lambda builder: builder.fade(-1), "seconds is -1; expected 0 or more"),
        (lambda builder: builder.speed(float("nan")), "speed is nan; expected a finite number"),
        (lambda builder: builder.start("soon"), "start is 'soon'; expected a number"),
        (lambda builder: builder.playback("bounce"), "playback is 'bounce'"),
    ],
)
def test_a_refused_word_raises_at_once_and_nothing_plays(
    tmp_path: Path, say: Callable[[AnimationBuilder], AnimationBuilder], message: str
) -> None:
    one = world(tmp_path, OBJECT + '[object.animation]\nclip = "Walk"\n')
    one.advance(3)
    builder = one.animate("slider", "Run")
    with pytest.raises(PoseError, match=message):
        say(builder)
    assert x(one) == pytest.approx(0.3, abs=1e-15)


def test_shares_that_cannot_be_are_refused_at_once(tmp_path: Path) -> None:
    one = world(tmp_path, OBJECT)
    for weights, message in (((0.0, 0.0), "all weights are 0"), ((1.0, -1.0), "weight is -1.0")):
        with pytest.raises(PoseError, match=message):
            one.animate_blend("slider", list(zip(("Walk", "Run"), weights, strict=True)))
    assert x(one) == 0.0


def test_the_camera_before_is_the_ticks_before(tmp_path: Path) -> None:
    camera = [{"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1}}]
    file = Literal(scenes=[{"nodes": [0]}], cameras=camera)
    file.node(camera=0, name="eye")
    file.animation((0, "translation", (0.0, 1.0), ((0, 0, 0), (0, 0, 8)), "LINEAR"), name="Back")
    (tmp_path / "eye.glb").write_bytes(file.glb())
    (tmp_path / "x.toml").write_text(
        'format = 1\nrate = 8\n[camera]\nnode = "rig/eye"\n[meshes.eye]\nfile = "eye.glb"\n'
        '[[object]]\nname = "rig"\nmesh = "eye"\n[object.animation]\nclip = "Back"\n'
    )
    one = World(load(tmp_path / "x.toml"))
    one.advance(5)
    posed = one.posed(0.5)
    assert posed.camera is not None
    assert posed.previous is not None
    assert posed.previous.camera is not None
    assert (posed.camera.matrix[2, 3], posed.previous.camera.matrix[2, 3]) == (5.5, 4.5)
