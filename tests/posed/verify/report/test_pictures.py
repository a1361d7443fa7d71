"""Layers as pictures, and pictures as data."""

import base64
import io
from typing import Any

import numpy as np
import PIL.Image
import pytest
from numpy.typing import NDArray

from posed.errors import PosedError
from posed.frame import Frame
from posed.verify.report.colors import (
    EDGE_COLOR,
    EXTRA_COLOR,
    MISSING_COLOR,
    TIE_COLOR,
    WRONG_COLOR,
    difference_colors,
    id_colors,
)
from posed.verify.report.encoding import encode
from posed.verify.report.pictures import Pictures, layer_pictures
from posed.verify.results import Pixels
from tests.posed.verify.report.literals import DEEPER, LIFTED, Changes, frame, put, verdict


def drawn(layer: str, changes: Changes | None = None, limit: float = 0.0) -> Pictures:
    found = verdict(changes)[layer].pixels
    assert found is not None
    pictures = layer_pictures(layer, frame(), frame(changes), found, limit)
    assert pictures is not None
    return pictures


def test_a_silhouette_shows_what_one_side_alone_covers() -> None:
    pictures = drawn("silhouette", {"object": put(([2, 4], [4, 4]), [1, 0])})
    assert pictures.difference[2, 4].tolist() == [*EXTRA_COLOR, 255]
    assert pictures.difference[4, 4].tolist() == [*MISSING_COLOR, 255]
    assert (pictures.difference[..., 3] > 0).sum() == 2
    assert (pictures.reference[..., 3] > 0).sum() == (frame()["object"] > 0).sum()


def test_ids_have_their_colors_on_both_sides_and_the_live_one_where_they_differ() -> None:
    pictures = drawn("part", {"part": put((5, 5), 2)})
    colors = id_colors(2)
    assert pictures.reference[5, 5].tolist() == colors[1].tolist()
    assert pictures.live[5, 5].tolist() == pictures.difference[5, 5].tolist() == colors[2].tolist()
    assert pictures.reference[0, 0].tolist() == [0, 0, 0, 0]
    assert (pictures.difference[..., 3] > 0).sum() == 1


def test_a_measured_difference_is_colored_by_multiples_of_its_limit() -> None:
    pictures = drawn("depth", DEEPER, limit=1e-4)
    # Twenty limits lie 26 steps above a hundredth of one: 8 lg 2000 = 26.4.
    assert pictures.difference[6, 4].tolist() == difference_colors()[27].tolist()
    assert (pictures.difference[..., 3] > 0).sum() == 3


def test_without_a_limit_the_greatest_difference_is_the_unit() -> None:
    pictures = drawn("depth", DEEPER, limit=0.0)
    assert pictures.difference[6, 4].tolist() == difference_colors()[17].tolist()


def test_near_is_lighter_and_one_depth_has_one_gray_on_both_sides() -> None:
    pictures = drawn("depth", {"depth": put((6, 4), 9.0)})
    box, ground = pictures.reference[6, 6], pictures.reference[16, 6]
    assert box[0] > ground[0]
    assert pictures.live[6, 4].tolist() == ground.tolist()
    assert pictures.reference[0, 0, 3] == 0


def test_directions_and_motion_have_known_colors() -> None:
    assert drawn("normal").reference[6, 6].tolist() == [128, 128, 255, 255]
    still = drawn("motion", {"motion": put((6, 6), 0.0)})
    assert still.live[6, 6].tolist() == [248, 248, 248, 255]
    right = drawn("motion", {"motion": put((6, 6), (9.0, 0.0))})
    assert right.live[6, 6].tolist() == [248, 62, 62, 255], "longer than any of the reference: as its longest, red"


def test_a_color_is_srgb_and_opaque_and_its_difference_counts_limits() -> None:
    def colored(value: float) -> Frame:
        color = np.full((18, 32, 4), value, np.float32)
        color[..., 3] = 0.0  # its coverage: what stands for the background is in the color already
        return Frame(dict(frame().layers) | {"color": color}, (32, 18))

    nothing = np.zeros((18, 32), np.bool_)
    measure = np.full((18, 32), 0.25, np.float32)
    pixels = Pixels(nothing, nothing, nothing, np.zeros((18, 32), np.int32), measure)
    pictures = layer_pictures("color", colored(0.5), colored(np.nan), pixels, 0.5)
    assert pictures is not None
    assert pictures.reference[0, 0].tolist() == [188, 188, 188, 255]
    assert pictures.live[0, 0].tolist() == [0, 0, 0, 255], "what is no number is black"
    # Half a limit lies 13 steps above a hundredth of one: 8 lg 50 = 13.6.
    assert pictures.difference[0, 0].tolist() == difference_colors()[14].tolist()


def test_the_mask_tells_edges_ties_and_wrong_pixels_apart() -> None:
    flags: list[NDArray[Any]] = [np.zeros((18, 32), np.bool_) for _ in range(3)]
    differing, explained, tied = flags
    differing[0, :3] = explained[0, :2] = tied[0, 0] = True
    pixels = Pixels(differing, explained, tied, np.zeros((18, 32), np.int32))
    pictures = layer_pictures("part", frame(), frame(), pixels, 0.0)
    assert pictures is not None
    assert pictures.mask[0, :4, :3].tolist() == [list(TIE_COLOR), list(EDGE_COLOR), list(WRONG_COLOR), [0, 0, 0]]


def test_what_has_no_pixels_has_no_pictures() -> None:
    found = verdict(LIFTED)["part"].pixels
    assert found is not None
    assert layer_pictures("vertices", frame(), frame(), found, 0.0) is None


def decoded(uri: str) -> NDArray[Any]:
    data = base64.b64decode(uri.removeprefix("data:image/webp;base64,"))
    return np.array(PIL.Image.open(io.BytesIO(data)).convert("RGBA"))


def test_ids_survive_the_encoding_bit_by_bit() -> None:
    pictures = drawn("triangle", LIFTED)
    uris, lossy = encode({("triangle", "reference"): pictures.reference, ("triangle", "live"): pictures.live})
    assert (decoded(uris["triangle", "live"]) == pictures.live).all()
    assert lossy == ()


def noise(seed: int) -> NDArray[np.uint8]:
    picture = np.random.default_rng(seed).integers(0, 256, (90, 160, 4), np.uint8)
    picture[..., 3] = 255
    return picture


def test_only_where_pictures_grow_too_large_sides_of_colors_lose_and_ids_never() -> None:
    kinds = ("reference", "live", "difference", "mask")
    given = {(layer, kind): noise(seed) for seed, layer in enumerate(("color", "part")) for kind in kinds[:2]}
    given |= {(layer, kind): np.zeros((90, 160, 4), np.uint8) for layer in ("color", "part") for kind in kinds[2:]}
    uris, lossy = encode(given)
    assert lossy == ("color",)
    assert (decoded(uris["part", "live"]) == given["part", "live"]).all()
    assert (decoded(uris["color", "live"]) != given["color", "live"]).any()


def test_a_side_longer_than_webp_has_is_refused() -> None:
    with pytest.raises(PosedError, match="pictures of up to 16383 pixels a side, found 16384x1"):
        encode({("part", "mask"): np.zeros((1, 16384, 4), np.uint8)})
