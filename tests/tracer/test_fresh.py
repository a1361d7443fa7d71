import mmap
import pickle

import numpy as np
import pytest

from tracer import fresh
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


@pytest.mark.skipif(not hasattr(mmap, "MADV_HUGEPAGE"), reason="this system has no large pages to ask for")
def test_a_system_without_large_pages_gives_small_ones(monkeypatch):
    class Refusing(mmap.mmap):
        def madvise(self, *advice):
            raise OSError(22, "Invalid argument")

    monkeypatch.setattr(fresh.mmap, "mmap", Refusing)
    made = fresh_zeros((LARGE,), np.uint8)
    assert not made.any()
    made[-1] = 1
