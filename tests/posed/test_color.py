"""The sRGB transfer function."""

import numpy as np
import pytest

from posed.color import decode_srgb, encode_srgb
from tracer.tables import srgb_decoding


@pytest.mark.parametrize(
    ("linear", "code"), [(0.0, 0), (0.5, 188), (1.0, 255), (-0.5, 0), (7.0, 255), (0.2158605, 128)]
)
def test_a_linear_value_gets_the_nearest_code(linear: float, code: int) -> None:
    assert encode_srgb(np.full((1, 1, 3), linear, np.float32)).tolist() == [[[code] * 3]]


def test_codes_change_exactly_half_way_between_two() -> None:
    for code in (0, 1, 9, 10, 127, 253, 254):
        encoded = (code + 0.5) / 255.0
        exact = encoded / 12.92 if encoded <= 0.04045 else ((encoded + 0.055) / 1.055) ** 2.4
        here = np.float32(exact)
        around = [np.nextafter(here, np.float32(end)) for end in (-1, 2)]
        values = np.array([[[around[0], here, around[1]]]], np.float32)
        assert encode_srgb(values)[0, 0].tolist() == [code, code + (float(here) >= exact), code + 1]


def test_what_is_beyond_the_range_or_no_number_is_clamped() -> None:
    values = np.array([[[np.inf, -np.inf, np.nan], [1e-42, -0.0, 3e38]]], np.float32)
    assert encode_srgb(values)[0].tolist() == [[255, 0, 255], [0, 0, 255]]


def test_every_code_survives_decoding_and_encoding() -> None:
    codes = np.arange(256, dtype=np.uint8).reshape(16, 16, 1).repeat(4, axis=2)
    assert (encode_srgb(decode_srgb(codes)) == codes).all()


def test_the_trace_decodes_texels_as_the_files_are_encoded() -> None:
    linear = srgb_decoding().astype(np.float32).reshape(16, 16, 1).repeat(3, axis=2)
    assert (encode_srgb(linear)[..., 0].ravel() == np.arange(256)).all()


def test_alpha_is_not_encoded() -> None:
    assert encode_srgb(np.float32([[[0.5, 0.5, 0.5, 0.5]]])).tolist() == [[[188, 188, 188, 128]]]
