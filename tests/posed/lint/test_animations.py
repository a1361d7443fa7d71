"""Keys, channels and the lengths of clips."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from posed.lint import lint
from tests.gltf_literals import Literal
from tests.posed.lint.literals import HALF, Case, Spoil, animate, clean, primitive_of, spoiled

LYING = [[0, 0, 0, 1], [0, 0, HALF, HALF]]
MOVED = [[0, 1, 0], [0, 2, 0]]


def rotations_not_of_unit_length(file: Literal) -> None:
    """Two channels; the worse is the second, whose last key has a length of 1.5."""
    first, second = [[0, 0, 0, 1.01], LYING[1]], [LYING[0], [0, 0, 1.5, 0]]
    animate(file, (1, "rotation", (0, 1), first, "LINEAR"), (2, "rotation", (0, 1), second, "STEP"), name="Long")


def key_times_that_repeat(file: Literal) -> None:
    animate(file, (2, "translation", (0, 1, 1), [*MOVED, [0, 3, 0]], "LINEAR"), name="Jump")


def key_times_that_go_back(file: Literal) -> None:
    animate(file, (2, "translation", (0, 0.75, 0.5, 1), [*MOVED, *MOVED], "LINEAR"), name="Back")


def a_loop_between_two_ticks(file: Literal) -> None:
    animate(file, (2, "rotation", (0, 0.625), LYING, "LINEAR"), name="Short")


def a_clip_at_rest(file: Literal) -> None:
    """A rotation and its negative are the same; the joint's translation at rest is (0, 1, 0)."""
    animate(
        file,
        (2, "translation", (0, 1), [[0, 1, 0]] * 2, "LINEAR"),
        (1, "rotation", (0, 1), [[0, 0, 0, 1], [0, 0, 0, -1]], "LINEAR"),
        name="Still",
    )


def no_channels_at_all(file: Literal) -> None:
    file.root["animations"].append({"name": "Empty", "channels": [], "samplers": []})


def a_channel_without_a_target(file: Literal) -> None:
    channels = file.root["animations"][0]["channels"]
    channels.append({"sampler": 0, "target": {"path": "rotation"}})


def a_path_that_glTF_has_not(file: Literal) -> None:
    file.root["animations"][0]["channels"].append({"sampler": 0, "target": {"node": 2, "path": "color"}})


def a_pointer_that_is_not_played(file: Literal) -> None:
    file.root["extensionsUsed"] = ["KHR_animation_pointer"]
    extension = {"KHR_animation_pointer": {"pointer": "/materials/0/name"}}
    target = {"path": "pointer", "extensions": extension}
    file.root["animations"][0]["channels"].append({"sampler": 0, "target": target})


def a_property_moved_twice(file: Literal) -> None:
    file.root["animations"][0]["channels"].append({"sampler": 0, "target": {"node": 2, "path": "rotation"}})


def an_animated_node_with_a_matrix(file: Literal) -> None:
    file.root["nodes"][2] = {"name": "knee", "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]}


def weights_without_targets(file: Literal) -> None:
    animate(file, (0, "weights", (0, 1), [0, 1], "LINEAR"), name="Smile")


def a_late_beginning(file: Literal) -> None:
    animate(file, (2, "translation", (1.5, 2.5), MOVED, "LINEAR"), name="Late")


def a_beginning_before_0(file: Literal) -> None:
    animate(file, (2, "translation", (-0.5, 1), MOVED, "LINEAR"), name="Early")


def a_skinned_node_that_is_moved(file: Literal) -> None:
    animate(file, (0, "translation", (0, 1), MOVED, "LINEAR"), name="Slide")


CASES: list[Case] = [
    (
        rotations_not_of_unit_length,
        [
            (
                '/animations/1/channels/1: P601 warning: clip 1 "Long": rotation keys are not of unit '
                "length, at worst 1.5 at key 1 (in 2 channels)"
            ),
        ],
    ),
    (
        key_times_that_repeat,
        [
            '/animations/1/channels/0: P602 warning: clip 1 "Jump": key 2 is at 1 s, as key 1 is',
        ],
    ),
    (
        key_times_that_go_back,
        [
            ('/animations/1/channels/0: P603 error: clip 1 "Back": key 2 is at 0.5 s, before key 1 at 0.75 s'),
        ],
    ),
    (
        a_loop_between_two_ticks,
        [
            '/animations/1: P604 warning: clip 1 "Short" lasts 0.625 s, 37.5 ticks at 60 a second',
        ],
    ),
    (
        a_clip_at_rest,
        [
            '/animations/1: P605 warning: clip 1 "Still" holds every node as it is at rest',
        ],
    ),
    (
        no_channels_at_all,
        [
            '/animations/1: P605 warning: clip 1 "Empty" has no channel that can be played',
        ],
    ),
    (
        a_channel_without_a_target,
        [
            "/animations/0/channels/1: P606 warning: the rotation channel names no node",
        ],
    ),
    (
        a_pointer_that_is_not_played,
        [
            "/animations/0/channels/1: P607 note: the channel moves /materials/0/name",
        ],
    ),
    (
        a_path_that_glTF_has_not,
        [
            '/animations/0/channels/1: P607 note: the channel of node 2 moves "color"',
        ],
    ),
    (
        a_property_moved_twice,
        [
            ('/animations/0/channels/1: P608 warning: the rotation of node 2 "knee" is moved by channel 0 already'),
        ],
    ),
    (
        an_animated_node_with_a_matrix,
        [
            (
                '/animations/0/channels/0: P609 warning: clip 0 "Bend": the rotation of node 2 "knee" is '
                "moved, but the node has a matrix"
            ),
        ],
    ),
    (
        weights_without_targets,
        [
            (
                '/animations/1/channels/0: P610 warning: the weights of node 0 "body" are moved, but it has no '
                "morph targets"
            ),
            '/animations/1: P605 warning: clip 1 "Smile" has no channel that can be played',
        ],
    ),
    (
        a_late_beginning,
        [
            '/animations/1: P611 note: the first key of clip 1 "Late" is at 1.5 s',
        ],
    ),
    (
        a_beginning_before_0,
        [
            '/animations/1: P613 warning: the first key of clip 1 "Early" is at -0.5 s',
        ],
    ),
    (
        a_skinned_node_that_is_moved,
        [
            (
                '/animations/1/channels/0: P612 warning: clip 1 "Slide": the translation of node 0 '
                '"body" is moved, but the node is skinned'
            ),
        ],
    ),
]


@pytest.mark.parametrize(("spoil", "expected"), CASES)
def test_one_fault_and_what_is_said_of_it(spoil: Spoil, expected: list[str], tmp_path: Path) -> None:
    assert spoiled(spoil, tmp_path) == expected


@pytest.mark.parametrize("ticks", range(1, 121))
def test_float32_key_times_of_whole_ticks_are_not_named(ticks: int, tmp_path: Path) -> None:
    """float32(10 / 60) lies just above ten ticks."""

    def loop(file: Literal) -> None:
        animate(file, (2, "rotation", (0, float(np.float32(ticks / 60))), LYING, "LINEAR"), name="Loop")

    assert spoiled(loop, tmp_path) == []


def test_loops_are_held_to_the_rate_that_is_given(tmp_path: Path) -> None:
    file = clean()
    a_loop_between_two_ticks(file)
    path = file.write(tmp_path)
    assert [finding.code for finding in lint(path, rate=Fraction(24))] == []
    assert [finding.what for finding in lint(path, rate=Fraction(30))] == [
        'clip 1 "Short" lasts 0.625 s, 18.75 ticks at 30 a second'
    ]


def test_morph_weights_and_spline_tangents_move_something(tmp_path: Path) -> None:
    """Weights go from 0.5, the mesh's, to 1; a spline leaves its value between two equal keys."""

    def moving(file: Literal) -> None:
        primitive_of(file)["targets"] = [{"POSITION": file.accessor([[0, 0, 1]] * 3)}]
        file.root["meshes"][0]["weights"] = [0.5]
        animate(file, (0, "weights", (0, 1), [0.5, 1], "LINEAR"), name="Smile")
        spline = [[0, 0, 0], [0, 1, 0], [0, 9, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0]]
        animate(file, (2, "translation", (0, 1), spline, "CUBICSPLINE"), name="Swing")

    assert [line for line in spoiled(moving, tmp_path) if "P6" in line] == []
