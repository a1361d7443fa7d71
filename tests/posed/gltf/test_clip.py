"""Clips: channels bound by node, values decoded, and what moves nothing left out with a note."""

import numpy as np
import pytest

import anim
from posed.errors import AssetError
from posed.gltf import load
from tests.gltf_literals import TRIANGLE, Literal, refusal


def clips(tmp_path, literal):
    return load(literal.write(tmp_path)).clips


def test_channels_of_every_path(tmp_path):
    literal = Literal(nodes=[{}])
    literal.animation(
        (0, "translation", [0, 1], [[0, 0, 0], [1, 2, 3]], "LINEAR"),
        (0, "rotation", [0.5], [[0, 0, 0, 1]], "STEP"),
        (0, "scale", [0, 4], [[0] * 3, [1] * 3, [0] * 3, [0] * 3, [2] * 3, [0] * 3], "CUBICSPLINE"),
        name="Walk",
    )
    (clip,) = clips(tmp_path, literal)
    assert (clip.name, clip.duration) == ("Walk", 4.0)
    assert [channel.path for channel in clip.channels] == [0, 1, 2]
    assert [channel.interpolation.name for channel in clip.channels] == ["LINEAR", "STEP", "CUBICSPLINE"]
    assert clip.channels[0].values.tolist() == [[0, 0, 0], [1, 2, 3]]
    assert clip.channels[2].values.shape == (6, 3)


def test_node_zero_is_a_target_and_a_key_of_zero_a_key(tmp_path):
    literal = Literal()
    given = {**literal.primitive(), "targets": [{"POSITION": literal.accessor(TRIANGLE)}]}
    literal.node(mesh=literal.mesh(given))
    literal.animation((0, "weights", [0, 1, 2], [1, 0, 1], "LINEAR"))
    (clip,) = clips(tmp_path, literal)
    assert clip.channels[0].node == 0
    assert clip.channels[0].values.tolist() == [[1], [0], [1]]


def test_weights_of_a_spline_are_tangents_values_tangents_key_by_key(tmp_path):
    literal = Literal()
    given = {**literal.primitive(), "targets": [{"POSITION": literal.accessor(TRIANGLE)}] * 3}
    literal.node(mesh=literal.mesh(given))
    literal.animation((0, "weights", [0, 1], np.arange(18), "CUBICSPLINE"))
    (clip,) = clips(tmp_path, literal)
    assert clip.channels[0].values.tolist() == np.arange(18.0).reshape(6, 3).tolist()


def test_normalized_integers_are_decoded_in_double_precision(tmp_path):
    literal = Literal(nodes=[{}])
    literal.animation((0, "rotation", [0], [[0, 0, 0, 1]], "LINEAR"))
    literal.root["animations"][0]["samplers"][0]["output"] = literal.accessor(
        [[0, 0, -128, 0]], "int8", normalized=True
    )
    (clip,) = clips(tmp_path, literal)
    assert clip.channels[0].values.tolist() == [[0, 0, -1, 0]]


def test_unnamed_clips_are_numbered_and_equal_names_stay_apart(tmp_path):
    literal = Literal(nodes=[{}])
    for name in ("", "Walk", "Walk"):
        literal.animation((0, "translation", [0], [[0, 0, 0]], "STEP"), name=name)
    model = load(literal.write(tmp_path))
    assert [clip.name for clip in model.clips] == ["animation_0", "Walk", "Walk"]
    assert [model.clip(0), model.clip("animation_0"), model.clip(2), model.clip(None)] == [0, 0, 2, None]
    with pytest.raises(AssetError) as caught:
        model.clip("Walk")
    assert str(caught.value).endswith('/animations: the clips 1, 2 are all called "Walk": choose one by index')


@pytest.mark.parametrize(("asked", "shown"), [("Jog", '"Jog"'), (3, "3"), (-1, "-1")])
def test_an_unknown_clip_lists_what_there_is(tmp_path, asked, shown):
    literal = Literal(nodes=[{}])
    literal.animation((0, "translation", [0], [[0, 0, 0]], "STEP"), name="Walk")
    with pytest.raises(AssetError) as caught:
        load(literal.write(tmp_path)).clip(asked)
    assert str(caught.value).endswith(f'/animations: there is no clip {shown}: the file has 0 "Walk"')


def test_channels_that_can_move_nothing_are_left_out_with_a_note(tmp_path):
    literal = Literal(nodes=[{}, {}])
    literal.animation(
        (None, "translation", [0], [[0, 0, 0]], "STEP"),
        (0, "pointer", [0], [[0, 0, 0]], "STEP"),
        (0, "weights", [0], [1.0], "STEP"),
        (1, "translation", [0], [[1, 0, 0]], "STEP"),
        (1, "translation", [0], [[2, 0, 0]], "STEP"),
    )
    model = load(literal.write(tmp_path))
    assert [channel.node for channel in model.clips[0].channels] == [1]
    assert model.clips[0].channels[0].values.tolist() == [[2, 0, 0]]
    assert model.notes == (
        "/animations/0/channels/0: no node is its target, the channel is left out",
        '/animations/0/channels/1: the path "pointer" is not played, the channel is left out',
        "/animations/0/channels/2: node 0 has no morph targets, the channel is left out",
        "/animations/0/channels/4: an earlier channel moves the same property, this one replaces it",
    )


@pytest.mark.parametrize(
    ("channel", "expected"),
    [
        ((0, "translation", [0, 1], [[0, 0, 0]], "LINEAR"), "samplers/0/output: expected 2 values for 2 keys, found 1"),
        (
            (0, "translation", [0, 1], [[0, 0, 0]] * 4, "CUBICSPLINE"),
            "samplers/0/output: expected 6 values for 2 keys, found 4",
        ),
        (
            (0, "translation", [1, 0], [[0, 0, 0]] * 2, "LINEAR"),
            "channels/0: channel of node 0, translation: key 1 is at 0.0 s, before key 0 at 1.0 s",
        ),
        (
            (0, "translation", [], np.zeros((0, 3)), "LINEAR"),
            "channels/0: channel of node 0, translation: has no keys; expected at least one",
        ),
    ],
)
def test_keys_that_do_not_fit(tmp_path, channel, expected):
    literal = Literal(nodes=[{}])
    literal.animation(channel)
    assert refusal(literal.write(tmp_path)) == f"/animations/0/{expected}: export the file again"


@pytest.mark.parametrize(("values", "times"), [([[np.nan, 0, 0]], [0]), ([[0, 0, 0]], [np.inf]), ([[0, 0, 0, 0]], [0])])
def test_keys_without_a_number_are_refused_with_their_channel(tmp_path, values, times):
    literal = Literal(nodes=[{}])
    literal.animation((0, "rotation" if len(values[0]) == 4 else "translation", times, values, "STEP"))
    assert refusal(literal.write(tmp_path)).startswith("/animations/0/channels/0: channel of node 0, ")


def test_wrong_names_and_indices(tmp_path):
    literal = Literal(nodes=[{}])
    literal.animation((0, "translation", [0], [[0, 0, 0]], "BEZIER"))
    assert refusal(literal.write(tmp_path)) == (
        '/animations/0/samplers/0/interpolation: expected one of STEP, LINEAR, CUBICSPLINE, found "BEZIER": '
        "correct it or export the file again"
    )
    literal = Literal(nodes=[{}])
    literal.animation((7, "translation", [0], [[0, 0, 0]], "STEP"))
    assert refusal(literal.write(tmp_path)) == (
        "/animations/0/channels/0/target/node: expected an index of nodes below 1, found 7: "
        "correct it or export the file again"
    )


def test_a_clip_knows_nothing_of_the_file_s_other_clips(tmp_path):
    literal = Literal(nodes=[{"translation": [5, 5, 5]}, {}])
    literal.animation((0, "translation", [0], [[1, 1, 1]], "STEP"), name="A")
    literal.animation((1, "translation", [0], [[2, 2, 2]], "STEP"), name="B")
    rig = load(literal.write(tmp_path)).node_rig()
    anim.sample(rig, "A", 0.0)
    assert anim.sample(rig, "B", 0.0).translations.tolist() == [[5, 5, 5], [2, 2, 2]]
