"""Explained pixels at edges are bounded, along edges of coincident sheets too; a metre is 32 pixels wide everywhere."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import posed
from posed.frame import Frame
from posed.verify import Policy, Verdict, compare
from posed.verify.edge_bounds import AT_LEAST, EdgeBounds
from posed.verify.geometry import geometry_of
from posed.verify.projection import length_of_edges, project
from tests.posed.live.literals import model, primitive, scene
from tests.posed.live.literals import posed as snapshot

SIZE = (384, 256)
CELLS = 24
"""Cells of a sheet along each side, half a metre each: it goes beyond the picture on all sides."""

Corners = NDArray[np.float64]


def corners(seed: int) -> Corners:
    """The corners of a sheet's cells, moved off their grid at random: edges pass pixel centres at all distances."""
    rng = np.random.default_rng(seed)
    rows, columns = np.mgrid[0 : CELLS + 1, 0 : CELLS + 1]
    places = np.stack([columns.ravel(), rows.ravel()], axis=1) * 0.55 - 0.55 * CELLS / 2
    moved: Corners = places + rng.uniform(-0.15, 0.15, places.shape)
    return moved


def snapped(places: Corners) -> Corners:
    """Corners on a rasterizer's grid of 1/256 pixel."""
    return np.round(places * 32 * 256) / (32 * 256)


def sheets(*places: Corners) -> posed.Scene:
    """Sheets at depth 4, each an object."""
    cells = [row * (CELLS + 1) + column for row in range(CELLS) for column in range(CELLS)]
    halves = [(i, i + 1, i + CELLS + 2) for i in cells] + [(i, i + CELLS + 2, i + CELLS + 1) for i in cells]
    return scene(*(model(primitive([(x, y, -4.0) for x, y in one.tolist()], halves)) for one in places))


def traced(drawn: posed.Scene, **values: object) -> Frame:
    return posed.trace(drawn, snapshot(**values), size=SIZE, integrator="aov", samples="center")


def fought(drawn: posed.Scene, *, seed: int = 3) -> Frame:
    """A frame in which each pixel shows one of two coincident sheets, by chance."""
    one, other = traced(drawn, visible={"b": False}), traced(drawn, visible={"a": False})
    takes = np.random.default_rng(seed).random(one["part"].shape) < 0.5
    chosen = {
        name: np.where(takes if one[name].ndim == 2 else takes[..., None], one[name], other[name]) for name in one
    }
    return replace(one, layers=chosen, staged=None)


def verdict_of(truth: tuple[Corners, ...], drawn: tuple[Corners, ...], policy: Policy | str = "gpu") -> Verdict:
    live = fought(sheets(*drawn)) if len(drawn) == 2 else traced(sheets(*drawn))
    live = replace(live, provenance=replace(live.provenance, scene="", posed=""), staged=None)
    return compare(traced(sheets(*truth)), live, policy=policy)


@pytest.mark.parametrize("twins", [True, False], ids=["the same cells", "other cells"])
def test_coincident_sheets_that_a_rasterizer_snaps_pass(twins: bool) -> None:
    one, other = corners(1), corners(1 if twins else 2)
    found = verdict_of((one, other), (snapped(one), snapped(other)))
    found.check()
    triangle = found["triangle"]
    assert triangle.ties > 20_000
    assert 0 < triangle["at tied edges"].value <= triangle["at tied edges"].limit
    assert triangle["at edges"].value == 0


@pytest.mark.parametrize("pixels", [(0.004, 0.0), (0.0, -0.004)], ids=["right", "down"])
def test_beside_twenty_thousand_ties_a_shift_by_a_250th_of_a_pixel_still_fails(pixels: tuple[float, float]) -> None:
    one, other = corners(1), corners(2)
    moved = tuple(places + np.array(pixels) / 32 for places in (one, other))
    found = verdict_of((one, other), moved)
    assert found.first_failure is found["triangle"]
    assert found["triangle"].unexplained == 0
    assert not found["triangle"]["edge drift"].passed
    assert ("pixels right" if pixels[0] else "pixels down") in found["triangle"].note


def test_tied_edges_and_others_are_counted_apart() -> None:
    doubled, at_edges = np.zeros((2, 8), np.bool_), np.ones((2, 8), np.bool_)
    doubled[0, :7] = True
    counts = {one.name: (one.value, one.passed) for one in EdgeBounds(doubled, 8, 7).measures(at_edges)}
    assert counts == {"at edges": (9, False), "at tied edges": (7, True)}
    (_, tied) = EdgeBounds(doubled, 9, 6).measures(at_edges)
    assert not tied.passed


@pytest.mark.parametrize("bits", [4, 6, 8])
def test_what_a_rasterizer_oversteps_and_may_grows_with_its_grid(bits: int) -> None:
    """Some 18,500 pixels of edges lie in the picture; limits are four times what is expected to be overstepped."""
    places, step = corners(1), 2.0**-bits / 32
    found = verdict_of((places,), (np.round(places / step) * step,), Policy("grid", subpixel_bits=bits))
    found.check()
    at_edges = found["triangle"]["at edges"]
    assert at_edges.limit / 4 == pytest.approx(0.256 * 2.0**-bits * 18_500, rel=0.02)
    assert at_edges.limit / 16 < at_edges.value < at_edges.limit / 3


def test_a_sheet_alone_has_no_tied_edges() -> None:
    found = verdict_of((corners(1),), (snapped(corners(1)),))
    found.check()
    assert {one.name for one in found["triangle"].measures} == {"unexplained", "at edges", "edge drift"}
    assert found["triangle"]["at edges"].limit > AT_LEAST


def test_the_length_of_edges_ends_at_the_picture_and_counts_a_shared_one_once() -> None:
    # A square metre of two triangles around the middle: 32 x 32 pixels, and the diagonal.
    inside = scene(model(primitive([(-0.5, -0.5, -4), (0.5, -0.5, -4), (0.5, 0.5, -4), (-0.5, 0.5, -4)])))
    # A right angle at the middle whose sides go beyond the picture: 192 pixels to the right, 128 up; the third is out.
    beyond = scene(model(primitive([(0, 0, -4), (40, 0, -4), (0, 40, -4)], [(0, 1, 2)])))
    for drawn, length in ((inside, 4 * 32 + 32 * 2**0.5), (beyond, 192 + 128)):
        staged = traced(drawn).staged
        assert staged is not None
        seen = geometry_of(*staged, SIZE)
        pieces = project(seen, 0.0)
        assert length_of_edges(pieces, np.ones(len(seen.drawn), np.bool_), SIZE) == pytest.approx(length, rel=1e-6)
        assert length_of_edges(pieces, np.zeros(len(seen.drawn), np.bool_), SIZE) == 0.0
