"""Digests of values."""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import pytest

from posed.digest import NO_DIGEST, digest


@dataclass
class _Named:
    value: int
    path: str = field(default="", metadata=NO_DIGEST)


def test_the_encoding_is_the_documented_one() -> None:
    """BLAKE2b-128 of the tag, the length as eight little-endian bytes and the content."""
    import hashlib

    assert digest("ab") == hashlib.blake2b(b"s\2\0\0\0\0\0\0\0ab", digest_size=16).hexdigest()


def test_equal_values_share_a_digest_whatever_their_order() -> None:
    assert digest({"a": 1, "b": [2.0, None]}) == digest({"b": [2.0, None], "a": 1})


@pytest.mark.parametrize(
    "pair",
    [
        (1, 1.0),
        (1, True),
        (1, "1"),
        (None, False),
        (0.0, -0.0),
        (["ab", "c"], ["a", "bc"]),
        ([["a"], "b"], [["a", "b"]]),
        (Fraction(1, 2), 0.5),
        (np.zeros(2, np.float32), np.zeros(1, np.float64)),
        (np.zeros((2, 3), np.float32), np.zeros((3, 2), np.float32)),
    ],
    ids=str,
)
def test_different_values_differ(pair: tuple[object, object]) -> None:
    assert digest(pair[0]) != digest(pair[1])


def test_layout_and_byte_order_of_an_array_do_not_matter() -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert digest(array) == digest(np.asfortranarray(array)) == digest(array.astype(">f4"))


def test_a_field_can_be_left_out() -> None:
    assert digest(_Named(1, "a")) == digest(_Named(1, "b")) != digest(_Named(2, "a"))


def test_a_value_without_an_encoding_is_refused() -> None:
    with pytest.raises(TypeError, match="a set has no canonical encoding"):
        digest({1, 2})
