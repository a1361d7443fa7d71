"""The places of samples: stratified, independent of who asks, unlike between pixels and seeds."""

import numpy as np
import pytest

from tracer.sequence import pixel_sample, reversed_bits, wrapped


def places(x, y, count, seed=0):
    return np.array([pixel_sample(x, y, sample, seed) for sample in range(count)])


@pytest.mark.parametrize("count", [4, 16, 64, 256])
def test_samples_are_stratified_in_both_axes_and_in_every_grid(count):
    for pixel in ((0, 0), (3, 1), (959, 539)):
        points = places(*pixel, count)
        assert ((points >= 0.0) & (points < 1.0)).all()
        columns = 1
        while columns <= count:  # every shape of cell of area 1 / count holds one point
            cells = np.floor(points * np.array([columns, count // columns])).astype(int)
            assert len({tuple(cell) for cell in cells.tolist()}) == count
            columns *= 2


def test_pixels_and_seeds_differ_and_the_mean_is_the_middle():
    assert not np.array_equal(places(0, 0, 4), places(1, 0, 4))
    assert not np.array_equal(places(0, 0, 4), places(0, 1, 4))
    assert not np.array_equal(places(0, 0, 4), places(0, 0, 4, seed=1))
    first = np.array([pixel_sample(x, y, 0, 0) for x in range(40) for y in range(40)])
    # Uniform in [0, 1): standard error of the mean 0.2887 / 40.
    np.testing.assert_allclose(first.mean(axis=0), 0.5, atol=4 * 0.2887 / 40)
    assert abs(np.corrcoef(first.T)[0, 1]) < 4 / 40


def test_words():
    assert reversed_bits(np.uint64(1)) == 1 << 31
    assert reversed_bits(np.uint64(0x0F0000A5)) == 0xA50000F0
    assert wrapped(np.uint64(0x1_0000_0003)) == 3
