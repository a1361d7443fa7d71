"""What is worked out of a scene before a ray is traced."""

import numpy as np

from tracer.tables import srgb_decoding


def test_srgb_decoding_is_the_standard_s_curve():
    encoded = np.arange(256) / 255.0
    expected = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    np.testing.assert_allclose(srgb_decoding(), expected, rtol=4 * 2.0**-52)
    assert srgb_decoding()[0] == 0.0
    assert srgb_decoding()[255] == 1.0
