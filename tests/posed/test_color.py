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


def test_every_code_survives_decoding_and_encoding() -> None:
    codes = np.arange(256, dtype=np.uint8).reshape(16, 16, 1).repeat(4, axis=2)
    assert (encode_srgb(decode_srgb(codes)) == codes).all()


def test_the_trace_decodes_texels_as_the_files_are_encoded() -> None:
    linear = srgb_decoding().astype(np.float32).reshape(16, 16, 1).repeat(3, axis=2)
    assert (encode_srgb(linear)[..., 0].ravel() == np.arange(256)).all()


def test_alpha_is_not_encoded() -> None:
    assert encode_srgb(np.float32([[[0.5, 0.5, 0.5, 0.5]]])).tolist() == [[[188, 188, 188, 128]]]
