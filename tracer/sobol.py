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


@leaf
def two_numbers(key: np.uint64, block: int, sample: int, dimension: int) -> tuple[float, float]:
    """Return a sample's numbers of one set in a dimension and the next, in [0, 1).

    Parameters
    ----------
    key
        From `pixel_key`.
    block
        Which set. The first two numbers of set 0 are those of `pixel_sample`.
    sample
        Which sample of the pixel, from 0; below 2^32.
    dimension
        0, 1 or 2.
    """
    index, own_key = np.uint64(sample), key
    if block > 0:
        own_key = hashed(key, np.uint64(block) + np.uint64(0xFFFF))
        index = reversed_bits(scrambled(reversed_bits(index), hashed(own_key, np.uint64(DIMENSIONS))))
    return _number(own_key, index, dimension), _number(own_key, index, dimension + 1)


@inlined
def _number(key: np.uint64, index: np.uint64, dimension: int) -> float:
    word = np.uint64(
        _TABLE[dimension, 0, index & _BYTE]
        ^ _TABLE[dimension, 1, (index >> np.uint64(8)) & _BYTE]
        ^ _TABLE[dimension, 2, (index >> np.uint64(16)) & _BYTE]
        ^ _TABLE[dimension, 3, (index >> np.uint64(24)) & _BYTE]
    )
    return np.float64(reversed_bits(scrambled(word, hashed(key, np.uint64(dimension))))) * 2.0**-32


@leaf
def lone_number(key: np.uint64, sample: int, event: int) -> float:
    """Return a number in [0, 1) for an event that a sample may meet any number of times; nothing stratifies it."""
    word = hashed(np.uint64(event), hashed(np.uint64(sample), key ^ np.uint64(0x5BD1E995)))
    return np.float64(word) * 2.0**-32
