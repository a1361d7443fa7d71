"""Edges displaced at random, and all of them one way."""

import numpy as np
import pytest

from posed.verify.drift import FEWEST, LIMIT, drift_of


def test_directions_at_random_do_not_agree() -> None:
    rng = np.random.default_rng(7)
    turns = rng.uniform(0, 2 * np.pi, 400)
    offsets = 0.003 * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    assert drift_of(offsets, np.arange(400)).agreement < 5.0


def test_the_edges_of_a_shifted_outline_agree_and_the_shift_is_told() -> None:
    # Normals all around; the edges whose normal points right go out to the right, the others come in from the left.
    turns = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    normals = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    along = normals @ [0.006, 0.0]
    drift = drift_of(normals * along[:, None], np.arange(200))
    assert drift.agreement > LIMIT
    assert drift.right == pytest.approx(0.006, rel=0.1)
    assert drift.down == pytest.approx(0.0, abs=1e-9)
    assert drift.sentence().startswith("edges lie 0.0059 pixels right and ")


def test_an_edge_counts_once_however_long_it_is() -> None:
    offsets = np.tile([[0.002, 0.0]], (500, 1))
    assert drift_of(offsets, np.zeros(500, np.int64)).agreement == 0.0
    few = drift_of(offsets[: FEWEST - 1], np.arange(FEWEST - 1))
    assert few.agreement == 0.0
    assert drift_of(offsets[:20], np.arange(20)).agreement == pytest.approx(20.0)


def test_answers_that_overstep_no_edge_say_nothing() -> None:
    assert drift_of(np.zeros((30, 2)), np.arange(30)).agreement == 0.0
    assert drift_of(np.ones((30, 2)), np.full(30, -1)).agreement == 0.0
    assert drift_of(np.zeros((0, 2)), np.zeros(0, np.int64)).agreement == 0.0
