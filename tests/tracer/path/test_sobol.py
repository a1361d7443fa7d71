"""The random numbers of paths: known points, strata, keys."""

import numpy as np

from anim.kernel import kernel
from tracer import sobol
from tracer.sequence import pixel_sample
from tracer.sobol import KEPT_SETS, lone_number, new_set_keys, sobol_table


def pixel_key(x, y, seed):
    return np.uint64(sobol.pixel_key(x, y, seed))


def unscrambled(index):
    """The four coordinates of Sobol's point at an index."""
    table = sobol_table()
    words = [int(table[d, 0, index & 255] ^ table[d, 1, index >> 8]) for d in range(4)]
    return [int(f"{word:032b}"[::-1], 2) / 2**32 for word in words]


def numbers(block, count, key=None):
    key, keys, out = pixel_key(3, 5, 7) if key is None else key, new_set_keys(), np.zeros(4)
    return np.array([[*written(key, block, sample, keys, out)] for sample in range(count)])


@kernel
def written(key, block, sample, keys, out):
    place, index = sobol.begin_set(key, block, sample, keys)
    for dimension in range(4):
        out[dimension] = sobol.number_of(keys, place, index, dimension)
    return out


def test_known_points():
    # Direction numbers by hand: 1/2, 1/4, 1/8; 1/2, 3/4, 5/8; 1/2, 3/4, 3/8; 1/2, 3/4, 1/8.
    assert unscrambled(1) == [0.5, 0.5, 0.5, 0.5]
    assert unscrambled(2) == [0.25, 0.75, 0.75, 0.75]
    assert unscrambled(3) == [0.75, 0.25, 0.25, 0.25]
    assert unscrambled(4) == [0.125, 0.625, 0.375, 0.125]
    assert unscrambled(0x100)[0] == 2.0**-9


def test_the_first_two_numbers_place_the_sample_in_its_pixel_as_direct_does():
    for sample in range(20):
        assert tuple(numbers(0, 20)[sample, :2]) == pixel_sample(3, 5, sample, 7)


def test_every_dimension_of_every_set_is_stratified():
    for block in (0, 1, 2, 9):
        for count in (16, 64, 256):
            strata = np.floor(numbers(block, count) * count)
            for dimension in range(4):
                assert sorted(strata[:, dimension]) == list(range(count))


def test_the_first_two_dimensions_are_stratified_jointly():
    for block in (0, 4):
        drawn = numbers(block, 64)
        for columns in (1, 2, 4, 8, 16, 32, 64):
            cells = np.floor(drawn[:, 0] * columns) * (64 // columns) + np.floor(drawn[:, 1] * (64 // columns))
            assert sorted(cells) == list(range(64))


def test_sets_pixels_and_seeds_do_not_follow_each_other():
    base = numbers(1, 512)
    for other in (numbers(2, 512), numbers(1, 512, pixel_key(4, 5, 7)), numbers(1, 512, pixel_key(3, 5, 8))):
        for dimension in range(4):
            correlation = np.corrcoef(base[:, dimension], other[:, dimension])[0, 1]
            assert abs(correlation) < 4.0 / np.sqrt(512)


def test_lone_numbers_are_even():
    key = pixel_key(1, 2, 3)
    drawn = np.array([[lone_number(key, sample, event) for event in range(20)] for sample in range(500)])
    assert ((drawn >= 0.0) & (drawn < 1.0)).all()
    assert abs(drawn.mean() - 0.5) < 4.0 / np.sqrt(12 * drawn.size)
    assert len(np.unique(drawn)) == drawn.size


def test_numbers_do_not_depend_on_what_was_asked_before():
    keys, out, alone = new_set_keys(), np.zeros(4), {}
    asked = [(pixel_key(x, 0, 1), block) for x in range(3) for block in (0, 1, 2, KEPT_SETS - 1, KEPT_SETS, 40)]
    for key, block in asked:
        alone[key, block] = numbers(block, 3, key)[2]
    for key, block in [*asked, *reversed(asked)]:
        assert (written(key, block, 2, keys, out) == alone[key, block]).all()
