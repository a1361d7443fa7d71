"""The counter-based random sequence: a number for each (seed, pixel, dimension, sample), the same whoever asks and in
which order.

Sobol's first two dimensions with hash-based Owen scrambling: any power of two of samples is stratified in both axes
and jointly.

Source: Burley, *Practical Hash-based Owen Scrambling*, JCGT 9(4), 2020; the permutation is Laine and Karras's.
"""

import numpy as np

from tracer.compiling import leaf

_WORD = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)
_TOP_BIT = np.uint64(0x80000000)


@leaf
def wrapped(value: np.uint64) -> np.uint64:
    """Keep the low 32 bits: the one place where counters wrap around. Words are held in uint64, so no product
    overflows."""
    return value & _WORD


@leaf
def hashed(value: np.uint64, key: np.uint64) -> np.uint64:
    """Mix two 32-bit words into one (the finalizer of MurmurHash3 over their combination)."""
    x = wrapped(value + wrapped(key * np.uint64(0x9E3779B9)) + np.uint64(0x7F4A7C15))
    x = wrapped((x ^ (x >> np.uint64(16))) * np.uint64(0x85EBCA6B))
    x = wrapped((x ^ (x >> np.uint64(13))) * np.uint64(0xC2B2AE35))
    return x ^ (x >> np.uint64(16))


@leaf
def reversed_bits(value: np.uint64) -> np.uint64:
    """Turn the 32 bits of a word around."""
    x = value
    x = ((x >> np.uint64(1)) & np.uint64(0x55555555)) | ((x & np.uint64(0x55555555)) << np.uint64(1))
    x = ((x >> np.uint64(2)) & np.uint64(0x33333333)) | ((x & np.uint64(0x33333333)) << np.uint64(2))
    x = ((x >> np.uint64(4)) & np.uint64(0x0F0F0F0F)) | ((x & np.uint64(0x0F0F0F0F)) << np.uint64(4))
    x = ((x >> np.uint64(8)) & np.uint64(0x00FF00FF)) | ((x & np.uint64(0x00FF00FF)) << np.uint64(8))
    return wrapped((x >> np.uint64(16)) | (x << np.uint64(16)))


@leaf
def pixel_sample(x: int, y: int, sample: int, seed: int) -> tuple[float, float]:
    """Return a sample's place in its pixel, both coordinates in [0, 1).

    Parameters
    ----------
    x, y
        The pixel.
    sample
        Which of its samples, from 0.
    seed
        Another seed gives another, equally good set of places.
    """
    first, second = pixel_keys(x, y, seed)
    return keyed_sample(np.uint64(sample), turned_second_dimension(np.uint64(sample)), first, second)


@leaf
def pixel_keys(x: int, y: int, seed: int) -> tuple[np.uint64, np.uint64]:
    """Return the words that scramble the two dimensions of a pixel's samples: worth keeping for all of them."""
    key = hashed(np.uint64(x), hashed(np.uint64(y), np.uint64(seed) & _WORD))
    return hashed(key, np.uint64(0)), hashed(key, np.uint64(1))


@leaf
def keyed_sample(
    index: np.uint64, turned_second: np.uint64, first_key: np.uint64, second_key: np.uint64
) -> tuple[float, float]:
    """Return what `pixel_sample` does, from the index, its `turned_second_dimension` and the pixel's keys."""
    first = reversed_bits(scrambled(index, first_key))
    second = reversed_bits(scrambled(turned_second, second_key))
    return np.float64(first) * 2.0**-32, np.float64(second) * 2.0**-32


@leaf
def turned_second_dimension(index: np.uint64) -> np.uint64:
    """Return Sobol's second dimension at an index, bit-reversed."""
    return reversed_bits(_second_dimension(index))


@leaf
def scrambled(value: np.uint64, key: np.uint64) -> np.uint64:
    """Permute a bit-reversed word so that each bit depends on the ones below it only."""
    x = wrapped(value + key)
    x ^= wrapped(x * np.uint64(0x6C50B47C))
    x ^= wrapped(x * np.uint64(0xB82F1E52))
    x ^= wrapped(x * np.uint64(0xC7AFE638))
    x ^= wrapped(x * np.uint64(0x8D22F6E6))
    return x


@leaf
def _second_dimension(index: np.uint64) -> np.uint64:
    """Return Sobol's second dimension at an index, as a 32-bit fraction."""
    result, direction, rest = np.uint64(0), _TOP_BIT, index
    while rest != np.uint64(0):
        if rest & _ONE:
            result ^= direction
        rest >>= _ONE
        direction ^= direction >> _ONE
    return result
