"""Plots: the numbers that they draw, by hand, and that each is a picture."""

import io
import math
import sys
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

import anim
import posed
from posed import plot
from posed.errors import MissingError, PosedError
from posed.events import AnimationEvent
from posed.plot.clips import seam_jumps, turn_speeds
from posed.plot.runs import joint_distances, mix_weights
from posed.plot.spaces import leaf_names, leaf_weights
from posed.snapshot import Posed
from tests.gltf_rigs import animate, limb

pytest.importorskip("matplotlib")
HALF = math.sqrt(0.5)


@pytest.fixture
def scene(tmp_path: Path) -> posed.Scene:
    """The limb with "Bend", a quarter about z in a second, and "Lift", the hip a metre up by a spline."""
    file = limb()
    rows = [[0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 0, 0]]
    animate(file, (1, "translation", (0, 1), rows, "CUBICSPLINE"), name="Lift")
    return posed.load(file.write(tmp_path, "limb.glb"))


@pytest.fixture
def poses(scene: posed.Scene) -> list[Posed]:
    """Bend for fifteen ticks, then a fade of ten ticks to Lift."""
    world = posed.World(scene)
    world.animate("limb", "Bend").done()
    found = []
    for tick in range(0, 41, 5):
        if tick == 20:
            world.animate("limb", "Lift").fade(1 / 6).done()
        world.advance(tick)
        found.append(world.posed())
    return found


def clip_of(scene: posed.Scene, name: str) -> anim.Clip:
    return next(clip for clip in scene.objects[0].model.clips if clip.name == name)


def tree_of(scene: posed.Scene) -> anim.BlendTree:
    tree = anim.BlendTree(scene.objects[0].model.node_rig())
    tree.add_parameter("x", 0.25)
    tree.add_parameter("y", 0.0)
    node = tree.add_blend_2d("x", "y")
    for clip, place in (("Bend", (0.0, 0.0)), ("Lift", (1.0, 0.0))):
        tree.add_child(node, tree.add_clip(clip), place)
    tree.set_root(node)
    return tree


def drawn(figure: object) -> int:
    """Return how many colors the figure has as a picture."""
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=60)  # type: ignore[attr-defined]
    picture = np.asarray(PIL.Image.open(stream).convert("RGB"))
    return len(np.unique(picture.reshape(-1, 3), axis=0))


def test_a_turn_s_speed_is_that_of_its_angle(scene: posed.Scene) -> None:
    """Ninety degrees within a second, whatever the sign of a quaternion."""
    (channel,) = clip_of(scene, "Bend").channels
    assert turn_speeds(channel, np.linspace(0, 1, 11)) == pytest.approx(90.0, rel=1e-5)


def test_a_seam_is_the_way_from_the_end_to_the_start(scene: posed.Scene) -> None:
    rig = scene.objects[0].model.node_rig()
    by_name = dict(zip(rig.skeleton.names, seam_jumps(rig, "Lift").tolist(), strict=True))
    assert by_name == pytest.approx({"body": 0.0, "hip": 1000.0, "knee": 1000.0})
    assert seam_jumps(rig, "Bend") == pytest.approx(0.0, abs=1e-9), "a turn in place moves no joint"


def test_a_fade_s_mixes_add_up_to_one(poses: list[Posed]) -> None:
    """It begins at the last advanced tick, 15, and takes ten: half of it is over at 20."""
    mixes, layers = mix_weights(poses, "limb")
    assert [tick for tick, _ in mixes["Lift"]] == [20, 25, 30, 35, 40]
    by_tick = dict(mixes["Lift"])
    assert by_tick[20] == pytest.approx(0.5)
    assert dict(mixes["Bend"])[20] == pytest.approx(0.5)
    assert by_tick[40] == 1.0
    assert {weight for _, weight in layers["Bend"]} == {1.0}


def test_leaves_weigh_by_where_the_tree_stands(scene: posed.Scene) -> None:
    tree = tree_of(scene)
    assert leaf_names(tree) == ["Bend", "Lift"]
    assert leaf_weights(tree, "x", np.array([0.0, 0.25, 1.0])) == pytest.approx(
        np.array([[1.0, 0.0], [0.75, 0.25], [0.0, 1.0]])
    )
    assert tree.values == [0.25, 0.0]


def test_two_runs_are_apart_by_their_joints(scene: posed.Scene, poses: list[Posed]) -> None:
    """The hip of one is lifted at tick 40, which the other has at rest."""
    still = [Posed(pose.tick, pose.rate) for pose in poses]
    names, apart = joint_distances(scene, poses, still)
    assert names == ["limb/hip", "limb/knee"]
    assert apart[0] == pytest.approx(0.0, abs=1e-3)
    assert apart[-1, 0] == pytest.approx(apart[-1, 1], abs=1e-2)
    assert apart[-1, 0] > 100.0
    with pytest.raises(PosedError, match="the two runs are not of the same ticks"):
        joint_distances(scene, poses, still[1:])


def test_every_plot_is_a_picture(scene: posed.Scene, poses: list[Posed]) -> None:
    model = scene.objects[0].model
    found = [AnimationEvent(tick, "limb", "Bend", name) for tick in (3, 9) for name in ("step", "breath")]
    for figure in (
        plot.channels(clip_of(scene, "Bend")),
        plot.channels(clip_of(scene, "Lift"), node=1),
        plot.rotation_speeds(clip_of(scene, "Bend")),
        plot.loop_seam(model.node_rig(), "Lift"),
        plot.mixes(poses, "limb"),
        plot.events(found),
        plot.events([]),
        plot.root_path(poses, "limb"),
        plot.joint_errors(scene, poses, poses),
        plot.blend_space(tree_of(scene), "x", span=(0.0, 1.0)),
        plot.blend_space(tree_of(scene), "x", "y", span=(-0.5, 1.5), steps=9),
    ):
        assert drawn(figure) > 10


def test_what_cannot_be_plotted_is_refused(scene: posed.Scene, poses: list[Posed]) -> None:
    with pytest.raises(PosedError, match='clip "Bend" has no channel of node 7'):
        plot.channels(clip_of(scene, "Bend"), node=7)
    with pytest.raises(PosedError, match='clip "Lift" has no channel that turns a node'):
        plot.rotation_speeds(clip_of(scene, "Lift"))
    with pytest.raises(PosedError, match='no snapshot says what "arm" plays'):
        plot.mixes(poses, "arm")
    with pytest.raises(PosedError, match='the snapshot of tick 0 has no matrix of "arm"'):
        plot.root_path(poses, "arm")
    with pytest.raises(PosedError, match="expected one from a number to a larger one"):
        plot.blend_space(tree_of(scene), "x", span=(1.0, 1.0))


def test_without_matplotlib_the_line_that_installs_it(scene: posed.Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingError) as caught:
        plot.channels(clip_of(scene, "Bend"))
    assert str(caught.value) == 'plots take the package matplotlib: pip install "posed[notebook]"'
