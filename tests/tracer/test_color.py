"""Encoding once, at the file."""

import numpy as np

from tracer import encode_srgb
from tracer.tables import srgb_decoding


def test_half_is_188_and_the_ends_stay():
    assert encode_srgb(np.array([0.0, 0.5, 1.0])).tolist() == [0, 188, 255]


def test_what_lies_outside_is_clipped():
    assert encode_srgb(np.array([-1.0, 7.0, np.inf])).tolist() == [0, 255, 255]
    assert encode_srgb(np.array([np.nan])).tolist() == [0]


def test_alpha_stays_linear():
    assert encode_srgb(np.array([[0.5, 0.5, 0.5, 0.5]])).tolist() == [[188, 188, 188, 128]]


def test_every_byte_comes_back():
    assert encode_srgb(srgb_decoding()[:, None] * np.ones(3)).tolist() == [[byte] * 3 for byte in range(256)]
