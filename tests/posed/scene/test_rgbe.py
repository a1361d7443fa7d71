"""Radiance pictures, written by hand byte by byte."""

import numpy as np
import pytest

from posed.scene.rgbe import decode, read_head

HEAD = b"#?RADIANCE\n# by hand\nEXPOSURE=2.0\nFORMAT=32-bit_rle_rgbe\n\n"


def picture(width: int, height: int, rows: bytes) -> bytes:
    return HEAD + f"-Y {height} +X {width}\n".encode() + rows


def test_mantissas_and_exponents() -> None:
    # 128 x 2^(129 - 136) = 1; 64 of it 0.5; an exponent of 0 is black whatever the mantissas; 255 x 2^(255 - 136).
    texels = decode(picture(3, 1, bytes([128, 64, 0, 129, 255, 255, 255, 0, 255, 1, 0, 255])))
    assert texels.dtype == np.float32
    assert texels.tolist() == [[[1.0, 0.5, 0.0], [0.0, 0.0, 0.0], [255 * 2.0**119, 2.0**119, 0.0]]]
    smallest = decode(picture(1, 1, bytes([1, 2, 255, 1])))
    assert smallest.tolist() == [[[2.0**-135, 2.0**-134, 255 * 2.0**-135]]]


def test_rows_run_from_the_top() -> None:
    texels = decode(picture(1, 2, bytes([128, 0, 0, 129, 0, 128, 0, 129])))
    assert texels.tolist() == [[[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]]]


def test_runs_of_each_channel() -> None:
    # Eight columns: red a run of 8; green 3 as they are, then a run of 5; blue 8 as they are; exponents a run.
    row = [2, 2, 0, 8, 128 + 8, 128, 3, 10, 20, 30, 128 + 5, 40, 8, *range(8), 128 + 8, 136]
    texels = decode(picture(8, 2, bytes(row * 2)))
    assert texels[0, :, 0].tolist() == [128.0] * 8
    assert texels[1, :, 1].tolist() == [10.0, 20.0, 30.0, 40.0, 40.0, 40.0, 40.0, 40.0]
    assert texels[1, :, 2].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]


def test_a_row_that_begins_with_a_one_in_one_one_repeats_the_texel_before() -> None:
    # Texel, then 2 more, then 1 x 256 more: the second count in a row weighs 256.
    rows = [5, 6, 7, 136, 1, 1, 1, 2, 1, 1, 1, 1, 9, 9, 9, 136]
    texels = decode(picture(260, 1, bytes(rows)))
    assert (texels[0, :259] == np.array([5, 6, 7], np.float32)).all()
    assert texels[0, 259].tolist() == [9.0, 9.0, 9.0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n", "its head does not end"),
        (b"P6\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n", "does not begin with #[?]RADIANCE"),
        (b"#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n", "FORMAT is not 32-bit_rle_rgbe"),
        (b"#?RADIANCE\n\n-Y 1 +X 1\n", "FORMAT is not 32-bit_rle_rgbe"),
        (HEAD + b"+Y 1 +X 1\n", r'from the top, left to right: expected "-Y H \+X W", found "\+Y 1 \+X 1"'),
        (HEAD + b"-Y 1 +X 12345678\n", "expected"),
        (HEAD + b"\xff" * 100 + b"\n", "expected"),
    ],
)
def test_a_head_of_another_kind_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_head(data)


@pytest.mark.parametrize(
    "rows",
    [
        b"",
        bytes([128, 0, 0]),
        bytes([1, 1, 1, 4]),  # nothing to repeat
        bytes([9, 9, 9, 9, 1, 1, 1, 200]),  # past the row's end
        bytes([2, 2, 0, 9, 128 + 8, 1]),  # another width
        bytes([2, 2, 0, 8, 128 + 9, 1]),  # a run past the row's end
        bytes([2, 2, 0, 8, 0, 1]),  # a count of 0 would never end
        bytes([2, 2, 0, 8, 8, 1, 2, 3]),
        bytes([2, 2, 0, 8, 128 + 8]),
    ],
)
def test_rows_that_do_not_follow_the_format_are_refused(rows: bytes) -> None:
    with pytest.raises(ValueError, match="row 0 of 1 ends early or is not packed as the format says"):
        decode(picture(8, 1, rows))
