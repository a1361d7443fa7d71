"""Color held against the trace's: limits, what is no color to compare with, FLIP, and blobs."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from posed.frame import Frame, Provenance
from posed.verify import Policy, compare
from posed.verify.flip import TILE, flip, is_installed
from posed.verify.pixel_errors import color_errors
from posed.verify.policy import ColorLimit

needs_flip = pytest.mark.skipif(not is_installed(), reason="flip-evaluator is not installed: it has no wheel here")

SHADED = Provenance(integrator="direct", samples="center")


def picture(
    *, size: tuple[int, int] = (40, 30), value: float = 0.25, provenance: Provenance = SHADED, **put: Any
) -> Frame:
    """A gray picture of one object; `put` holds color and place."""
    color = np.full((size[1], size[0], 4), value, np.float32)
    color[..., 3] = 1.0
    for change in put.values():
        place, channels = change
        color[(*place, slice(0, 3))] = channels
    return Frame({"color": color, "object": np.ones((size[1], size[0]), np.uint32)}, size, provenance=provenance)


SQUARE = (slice(10, 14), slice(20, 24))


@needs_flip
def test_equal_colors_agree_and_flip_is_zero() -> None:
    color = compare(picture(), picture(), policy="exact")["color"]
    assert color.passed
    assert color["largest"].value == color["FLIP mean"].value == color["FLIP 99.9 %"].value == 0.0


@needs_flip
def test_two_codes_are_allowed_and_three_are_not() -> None:
    assert compare(picture(), picture(square=(SQUARE, 0.25 + 1.9 / 255)))["color"].passed
    overall = compare(picture(), picture(value=0.25 + 1.9 / 255))["color"]
    assert [one.name for one in overall.failures] == ["FLIP mean"], "everywhere, a person sees it"
    failed = compare(picture(), picture(square=(SQUARE, 0.25 + 3 / 255)))["color"]
    assert failed["unexplained"].value == 16
    assert failed["largest"].value == pytest.approx(3 / 255, rel=1e-4)
    (blob,) = failed.blobs
    assert (blob.pixels, blob.box, blob.distance) == (16, (20, 10, 24, 14), 0.0)


@needs_flip
def test_flip_is_that_of_the_whole_pictures_wherever_they_differ() -> None:
    import flip_evaluator

    rng = np.random.default_rng(4)
    one = rng.uniform(0.1, 0.9, (TILE + 40, TILE + 60, 3)).astype(np.float32)
    other = one.copy()
    other[TILE - 5 : TILE + 5, TILE - 9 : TILE + 3] *= 0.5
    other[3, 4] = 0.0
    from posed.color import encode_srgb

    codes = [encode_srgb(image).astype(np.float32) / np.float32(255) for image in (one, other)]
    whole = flip_evaluator.evaluate(*codes, "LDR", applyMagma=False, computeMeanError=False)[0][..., 0]
    found = flip(one, other)
    np.testing.assert_allclose(found, whole, atol=1e-6)
    assert found[100, 100] == 0.0
    assert found.max() > 0.3


@needs_flip
def test_flip_is_the_same_where_it_is_asked_for_and_takes_for_right_what_is_explained() -> None:
    rng = np.random.default_rng(5)
    one = rng.uniform(0.1, 0.9, (2 * TILE + 30, TILE + 60, 4)).astype(np.float32)
    other = one.copy()
    other[100:103, 80:84] = 0.0
    other[TILE + 9, TILE + 20] = 0.0
    whole = flip(one, other)
    where = np.zeros(whole.shape, np.bool_)
    where[90:110, 70:90] = True
    np.testing.assert_allclose(flip(one, other, where=where)[where], whole[where], atol=1e-6)
    right = (one != other).any(axis=2)
    assert whole[right].min() > 0.0
    assert not flip(one, other, right=right).any()


@needs_flip
def test_flip_s_mean_its_percentile_and_that_of_a_blob_have_limits_of_their_own() -> None:
    white = picture(square=(SQUARE, 1.0))
    allowing = ColorLimit(unexplained=1000, flip_mean=1.0, flip_blob=1.0)
    color = compare(picture(), white, policy=Policy("mine", color=allowing))["color"]
    assert color["FLIP of a blob"].value > 0.3
    assert color["FLIP mean"].value < color["FLIP 99.9 %"].value < 1.0
    for name, limit in (("FLIP mean", "flip_mean"), ("FLIP 99.9 %", "flip_high"), ("FLIP of a blob", "flip_blob")):
        strict = replace(allowing, **{limit: color[name].value / 2})
        failed = compare(picture(), white, policy=Policy("mine", color=strict))["color"]
        assert [one.name for one in failed.failures if one.name.startswith("FLIP")] == [name]


def test_however_many_pixels_may_differ_a_large_blob_does_not_pass() -> None:
    allowing = ColorLimit(unexplained=1000, flip_mean=1.0, flip_blob=1.0)
    for band, side, passes in ((1, 3, True), (1, 4, False), (2, 5, True), (2, 6, False)):
        policy = Policy("mine", edge_band=band, color=allowing)
        place = (slice(10, 10 + side), slice(20, 20 + side))
        color = compare(picture(), picture(square=(place, 0.9)), policy=policy)["color"]
        assert color["largest blob"].limit == (2 * band + 1) ** 2
        assert color["largest blob"].passed == passes


@needs_flip
def test_the_background_is_no_model_pixel_for_flip() -> None:
    objects = np.zeros((30, 40), np.uint32)
    objects[:, :8] = 1
    one, other = picture(), picture(square=(SQUARE, 1.0))
    one, other = (replace(each, layers={**each.layers, "object": objects}) for each in (one, other))
    color = compare(one, other)["color"]
    assert color["unexplained"].value == 16, "the sky counts"
    assert color["FLIP mean"].value == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize(
    ("reference", "policy", "note"),
    [
        (Provenance(integrator="path", samples="64"), "gpu", "the reference's color is by path: only direct is what"),
        (Provenance(integrator="direct", samples="16"), "gpu", "is antialiased and the policy wants it shaded once"),
        (
            Provenance(integrator="direct", samples="center"),
            "foreign",
            "is shaded once a pixel and the policy wants it",
        ),
        (Provenance(integrator="direct", samples="16"), "foreign", ""),
        (Provenance(), "gpu", ""),
    ],
)
def test_only_a_reference_that_is_shaded_alike_is_compared(reference: Provenance, policy: str, note: str) -> None:
    color = compare(picture(provenance=reference), picture(), policy=policy)["color"]
    assert color.compared == (not note)
    assert note in color.note


def errors(expected: Any, found: Any, *, alpha: bool = False) -> NDArray[Any]:
    one, other = (np.array(values, np.float32).reshape(1, -1, 4) for values in (expected, found))
    return color_errors(one, other, alpha=alpha)[0]


def test_errors_are_of_the_worst_channel_and_relative_beyond_one() -> None:
    assert errors([0.5, 0.5, 0.5, 1], [0.5, 0.25, 0.625, 0]) == [0.25]
    assert errors([0.5, 0.5, 0.5, 1], [0.5, 0.5, 0.5, 0.5], alpha=True) == [0.5]
    assert errors([4, 0, 0, 1], [5, 0, 0, 1]) == [0.25]


def test_what_never_passes_one_is_held_against_what_a_screen_shows() -> None:
    assert errors([4, 0.5, 0, 1], [1, 0.5, 0, 1]) == [0.0]
    assert errors([4, 0.5, 0, 1, 0, 0, 0, 1], [1, 0.5, 0, 1, 2, 0, 0, 1]).tolist() == [0.75, 2.0]


def test_a_channel_that_is_no_number_is_wrong_without_end() -> None:
    assert errors([0.5, 0.5, 0.5, 1], [np.nan, 0.5, 0.5, 1]) == [np.inf]
    failed = compare(picture(), picture(square=(SQUARE, np.nan)))["color"]
    assert failed["unexplained"].value == 16
    assert failed["largest"].value == np.inf


@needs_flip
def test_from_files_foreign_takes_what_neighbours_show() -> None:
    edge = np.full((30, 40, 4), 0.1, np.float32)
    edge[:, 20:], edge[..., 3] = 0.8, 1.0
    one = Frame({"color": edge}, (40, 30), provenance=Provenance(integrator="direct", samples="16"))
    for right, wrong in ((19, 0), (18, 30)):
        moved = edge.copy()
        moved[:, right:20, :3] = 0.8
        found = compare(one, Frame({"color": moved}, (40, 30)), policy="foreign")["color"]
        assert found["unexplained"].value == wrong, "a pixel beside an edge may show its other side, the next one not"
        assert (found["FLIP mean"].value == 0.0) == (wrong == 0), "what is explained is right to FLIP too"
