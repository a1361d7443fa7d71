"""Array types by their element, and the read-only arrays of descriptions and snapshots."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
UInt8 = NDArray[np.uint8]
UInt32 = NDArray[np.uint32]
Int32 = NDArray[np.int32]
Int8 = NDArray[np.int8]
Bool = NDArray[np.bool_]
AnyArray = NDArray[Any]


def read_only(values: object, dtype: DTypeLike | None = None) -> AnyArray:
    """Return `values` as a contiguous read-only array that shares no memory with a writable one."""
    array = np.array(values, dtype=dtype, order="C")
    array.flags.writeable = False
    return array
