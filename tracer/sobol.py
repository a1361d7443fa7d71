"""Owen-scrambled Sobol points in sets of four dimensions: the random numbers of `path`.

A sample draws a set for each purpose it has, `block` by block. Within a set all four dimensions are stratified jointly
over any power of two of samples; sets are shuffled against each other. Every number depends on (seed, pixel, block,
dimension, sample) alone.

Sources: Burley, *Practical Hash-based Owen Scrambling*, JCGT 9(4), 2020; Joe and Kuo, *Constructing Sobol Sequences
with Better Two-dimensional Projections*, SIAM J. Sci. Comput. 30, 2008, for the direction numbers.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tracer.compiling import inlined, leaf
from tracer.sequence import hashed, reversed_bits, scrambled, wrapped

DIMENSIONS: Final = 4
"""Numbers in a set."""

KEPT_SETS: Final = 8
"""Sets of a pixel whose keys are kept; those beyond share the last place."""

_PIXEL, _SET, _KEY_COLUMNS = DIMENSIONS + 1, DIMENSIONS + 2, DIMENSIONS + 3

_POLYNOMIALS: Final = ((1, 0, (1,)), (2, 1, (1, 3)), (3, 1, (1, 3, 1)))
"""Degree, inner coefficients and first direction numbers of the primitive polynomials behind dimensions 1, 2, 3."""

_BYTE = np.uint64(0xFF)


def _directions(degree: int, coefficients: int, first: tuple[int, ...]) -> list[int]:
    """Give the 32 direction numbers of a dimension, as 32-bit fractions."""
    numbers = [value << (31 - place) for place, value in enumerate(first)]
    for place in range(degree, 32):
        value = numbers[place - degree] ^ (numbers[place - degree] >> degree)
        for back in range(1, degree):
            if coefficients >> (degree - 1 - back) & 1:
                value ^= numbers[place - back]
        numbers.append(value)
    return numbers


def _reversed(word: int) -> int:
    return int(f"{word:032b}"[::-1], 2)


def sobol_table() -> NDArray[np.uint32]:
    """Give Sobol's points by the bytes of their index, (4 dimensions, 4 bytes, 256) uint32.

    The exclusive or of the four entries of an index is its point: a 32-bit fraction, bits turned around.
    """
    dimensions = [[1 << (31 - bit) for bit in range(32)], *(_directions(*row) for row in _POLYNOMIALS)]
    table = np.zeros((DIMENSIONS, 4, 256), np.uint32)
    for dimension, directions in enumerate(dimensions):
        for place in range(4):
            for bit in range(8):
                has_bit = (np.arange(256) >> bit & 1).astype(np.bool_)
                table[dimension, place, has_bit] ^= np.uint32(_reversed(directions[8 * place + bit]))
    return table


_TABLE = sobol_table()


@leaf
def pixel_key(x: int, y: int, seed: int) -> np.uint64:
    """Return the key of a pixel's numbers, the one that `pixel_sample` uses."""
    return hashed(np.uint64(x), hashed(np.uint64(y), wrapped(np.uint64(seed))))


def new_set_keys() -> NDArray[np.uint64]:
    """Make the memory that `begin_set` keeps a thread's keys in."""
    return np.zeros((KEPT_SETS, _KEY_COLUMNS), np.uint64)


@inlined
def begin_set(key: np.uint64, block: int, sample: int, keys: NDArray[np.uint64]) -> tuple[int, np.uint64]:
    """Return where a set's keys lie, and the index of a sample in it: `number_of` gives the sample's numbers.

    Parameters
    ----------
    key
        From `pixel_key`.
    block
        Which set. The first two numbers of set 0 are those of `pixel_sample`.
    sample
        Which sample of the pixel, from 0; below 2^32.
    keys
        This thread's; keys of the last pixel's sets are kept, which all its samples share.
    """
    place, index = min(block, KEPT_SETS - 1), np.uint64(sample)
    row = keys[place]
    if row[_PIXEL] != key or row[_SET] != np.uint64(block) + np.uint64(1):
        _write_keys(key, np.uint64(block), row)
    if block > 0:
        index = reversed_bits(scrambled(reversed_bits(index), row[DIMENSIONS]))
    return place, index


@leaf
def _write_keys(key: np.uint64, block: np.uint64, row: NDArray[np.uint64]) -> None:
    """Write the keys of a set: of each dimension, and of the order of its points."""
    row[_PIXEL], row[_SET] = key, block + np.uint64(1)
    own_key = hashed(key, block + np.uint64(0xFFFF)) if block > np.uint64(0) else key
    for dimension in range(DIMENSIONS + 1):
        row[dimension] = hashed(own_key, np.uint64(dimension))


@inlined
def number_of(keys: NDArray[np.uint64], place: int, index: np.uint64, dimension: int) -> float:
    """Return a sample's number of a set in a dimension, 0 to 3, in [0, 1); `place` and `index` from `begin_set`."""
    word = np.uint64(
        _TABLE[dimension, 0, index & _BYTE]
        ^ _TABLE[dimension, 1, (index >> np.uint64(8)) & _BYTE]
        ^ _TABLE[dimension, 2, (index >> np.uint64(16)) & _BYTE]
        ^ _TABLE[dimension, 3, (index >> np.uint64(24)) & _BYTE]
    )
    return np.float64(reversed_bits(scrambled(word, keys[place, dimension]))) * 2.0**-32


@leaf
def lone_number(key: np.uint64, sample: int, event: int) -> float:
    """Return a number in [0, 1) for an event that a sample may meet any number of times; nothing stratifies it."""
    word = hashed(np.uint64(event), hashed(np.uint64(sample), key ^ np.uint64(0x5BD1E995)))
    return np.float64(word) * 2.0**-32
