"""Layers as frames hold them: blank but for the window that was read, each part of a target at its place."""

import numpy as np
import pytest

from posed.frame import LAYERS
from posed.live import ALL_LAYERS
from posed.live.passes import Held
from posed.live.pictures import blank, write_picture, write_unfolded
from posed.live.readback import Region
from tests.posed.live.literals import camera

WINDOW = Region(1, 1, 2, 1)


def test_a_blank_picture_has_the_layers_as_frames_do_and_shows_nothing() -> None:
    made = blank(ALL_LAYERS, (5, 3))
    assert list(made) == list(ALL_LAYERS)
    for name, layer in made.items():
        channels, kind = LAYERS[name]
        assert layer.shape == ((3, 5, channels) if channels else (3, 5))
        assert layer.dtype == np.dtype(kind)
        assert layer.flags.c_contiguous
        assert (layer == (np.inf if name == "depth" else 0)).all()
    made["color"].fill(7.0)
    assert not made["object"].any()


def test_a_layer_is_written_into_its_window_alone() -> None:
    whole = blank(("triangle", "depth"), (4, 3))
    depths = np.array([2.0, 3.0], np.float32).view(np.uint32)
    texels = np.stack([np.array([8, 9], np.uint32), depths], axis=-1)[None]
    write_picture("triangle", whole["triangle"], texels, Held("triangle", 0, 1), WINDOW, camera())
    write_picture("depth", whole["depth"], texels, Held("depth", 1, 1), WINDOW, camera())
    assert whole["triangle"].tolist() == [[0, 0, 0, 0], [0, 8, 9, 0], [0, 0, 0, 0]]
    assert whole["depth"].tolist() == [[np.inf] * 4, [np.inf, 2, 3, np.inf], [np.inf] * 4]


def test_a_layer_may_come_from_two_targets() -> None:
    whole = blank(("normal",), (4, 3))["normal"]
    write_picture("normal", whole, np.ones((1, 2, 2), np.float32), Held("normal", 0, 2), WINDOW, camera())
    z = np.array([[[5, 0], [6, 0]]], np.float32).view(np.uint32)
    write_picture("normal", whole, z, Held("normal", 0, 1, 2), WINDOW, camera())
    assert whole[1, 1:3].tolist() == [[1, 1, 5], [1, 1, 6]]
    assert whole.sum() == 15


def test_positions_lie_on_the_rays_through_the_pixels_of_the_window() -> None:
    # 90 degrees upright: pixel (1, 1) of 4 by 4 has its centre at (-1/4, 1/4) of its depth.
    whole = blank(("position",), (4, 4))["position"]
    depth = np.array([[[8.0], [np.inf]]], np.float32)
    write_picture("position", whole, depth, Held("depth", 0, 1), WINDOW, camera())
    assert whole[1, 1] == pytest.approx([-2, 2, -8])
    assert np.count_nonzero(whole) == 3


def folded(n: np.ndarray) -> np.ndarray:
    """The place of directions (N, 3) on the octahedron, (N, 2), as the passes write it."""
    near = n[:, :2] / np.abs(n).sum(axis=1, keepdims=True)
    far = (1 - np.abs(near[:, ::-1])) * np.where(near >= 0, 1, -1)
    return (np.where(n[:, 2:] >= 0, near, far) + 2).astype(np.float32)


def test_directions_unfold_to_what_they_were() -> None:
    axes = [*np.eye(3), *-np.eye(3)]
    random = np.random.default_rng(1).normal(size=(1000, 3))
    directions = np.array([*axes, *random])
    directions /= np.sqrt((directions * directions).sum(axis=1, keepdims=True))
    found = np.zeros((3, 1010, 3), np.float32)
    write_unfolded(folded(directions)[None], 4, 1, found)
    np.testing.assert_allclose(found[1, 4:], directions, atol=4 * 2.0**-22)
    assert not found[:1].any()
    assert not found[1, :4].any()


def test_no_direction_stays_none() -> None:
    found = np.zeros((1, 1, 3), np.float32)
    write_unfolded(np.zeros((1, 1, 2), np.float32), 0, 0, found)
    assert not found.any()
