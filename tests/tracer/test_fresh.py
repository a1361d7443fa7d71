import pickle

import numpy as np
import pytest

from tracer.fresh import LARGE, fresh_zeros


@pytest.mark.parametrize("rows", [1, LARGE // 12 - 1, LARGE // 12 + 1])
def test_zeros_are_those_of_numpy_at_any_size(rows):
    made = fresh_zeros((rows, 3), np.float32)
    assert made.dtype == np.float32
    assert made.shape == (rows, 3)
    assert not made.any()
    assert made.flags.c_contiguous
    assert made.flags.aligned
    made[-1] = 7.0
    assert (made == 7.0).sum() == 3
    assert pickle.loads(pickle.dumps(made)).tobytes() == made.tobytes()


def test_arrays_share_no_memory():
    first, second = (fresh_zeros((LARGE,), np.uint8) for _ in range(2))
    first[:] = 1
    assert not second.any()


def test_an_array_of_nothing_has_no_numbers():
    assert fresh_zeros((0, 5), np.uint32).shape == (0, 5)
