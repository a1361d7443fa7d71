"""What Embree proposes for a ray: the nearest triangle, and all others so close to it that float64 must choose.

An argument filter records them while one query runs, ray by ray. Of triangles at the same float32 distance the one
with the smaller index goes first, so that the answer depends on no tree: not on how threads have built one, and not on
whether it was refitted. The ray is left long enough for all of them to be met.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numba import carray, types
from numpy.typing import NDArray

from tracer import embree
from tracer.compiling import Index, callback, leaf, pointer
from tracer.exact import WINDOW

NEAREST: Final = np.int64(0)
"""Number of a ray's nearest proposal. As NumPy's: for a Python constant numba would compile a callee anew."""

KEPT = 6
"""Proposals of a ray that are recorded; where there are more, a search of its own has to find them."""

# Words of the query's context. Embree's own come first (instance ids, both invalid); then a record a ray.
_SOLID_COUNT, _RECORDS = 8, 16
_COUNT, _LIMIT, _FIRST = 0, 1, 2
"""of a record: how many, the distance up to which they count, and the proposals, the nearest first, then any order"""
_WORDS = 4
"""of a proposal: distance, u, v as float32 and the Embree index"""
_RECORD = _FIRST + _WORDS * KEPT

_LONGER = np.float32(1.0 + WINDOW)


@callback(types.void(types.CPointer(types.uintp)))
def _record(arguments: Any) -> None:
    """Put what some of N rays have met into their records.

    `arguments` is `RTCFilterFunctionNArguments`: valid, user pointer, context, rays, hits, N. Rays come sixteen
    together or, where the instruction set has no sixteen lanes, one by one; their id says which record is theirs.
    """
    lanes: Any = np.intp(np.uint32(carray(arguments, (6,))[5]))
    valid = carray(pointer(arguments[0]), (lanes,), np.int32)
    words = carray(pointer(arguments[2]), (_RECORDS + 16 * _RECORD,), np.uint32)
    numbers = carray(pointer(arguments[2]), (_RECORDS + 16 * _RECORD,), np.float32)
    rays = carray(pointer(arguments[3]), (12, lanes), np.float32)
    ray_words = carray(pointer(arguments[3]), (12, lanes), np.uint32)
    hits = carray(pointer(arguments[4]), (7, lanes), np.float32)
    hit_words = carray(pointer(arguments[4]), (7, lanes), np.uint32)
    for lane in range(lanes):
        if valid[lane] == 0:
            continue
        valid[lane] = 0
        record = _RECORDS + _RECORD * np.intp(ray_words[10, lane])
        distance = rays[8, lane]
        if distance > numbers[record + _LIMIT]:
            continue
        u, v, index = hits[3, lane], hits[4, lane], hit_words[5, lane]
        if hit_words[6, lane] != 0:
            index += words[_SOLID_COUNT]
        count: Any = np.intp(words[record + _COUNT])
        first = record + _FIRST
        is_first = count == 0 or distance < numbers[first]
        if is_first or (distance == numbers[first] and index < words[first + 3]):
            if count > 0:  # the first one so far moves to the end
                numbers[first], distance = distance, numbers[first]
                numbers[first + 1], u = u, numbers[first + 1]
                numbers[first + 2], v = v, numbers[first + 2]
                words[first + 3], index = index, words[first + 3]
            limit = _LONGER * (numbers[first] if count > 0 else distance)
            if limit < numbers[record + _LIMIT]:
                # Accepting is how a filter shortens its ray.
                numbers[record + _LIMIT] = rays[8, lane] = limit
                valid[lane] = -1
        if count == KEPT:
            count = 1
            for entry in range(first + _WORDS, first + _WORDS * KEPT, _WORDS):
                if numbers[entry] <= numbers[record + _LIMIT]:
                    for word in range(_WORDS):
                        words[first + _WORDS * count + word] = words[entry + word]
                    count += 1
        if distance <= numbers[record + _LIMIT] and count <= KEPT:
            if count < KEPT:
                entry = first + _WORDS * count
                numbers[entry], numbers[entry + 1], numbers[entry + 2], words[entry + 3] = distance, u, v, index
            count += 1
        words[record + _COUNT] = count


class Proposals(NamedTuple):
    """The memory of a query that proposes; one for each thread."""

    words: NDArray[np.uint32]
    """(432,) `RTCRayQueryContext`, then sixteen records"""
    numbers: NDArray[np.float32]
    """the same memory"""
    arguments: NDArray[np.uint64]
    """`RTCIntersectArguments`"""
    arguments_address: int


def new_proposals(flags: int) -> Proposals:
    """Make the memory of queries with the given flags beside that of the filter, for rays whose ids are their places
    below sixteen.
    """
    words, arguments = np.zeros(_RECORDS + 16 * _RECORD, np.uint32), np.zeros(8, np.uint64)
    words[0] = words[1] = embree.INVALID
    arguments[0] = flags | embree.QUERY_INVOKE_FILTER | embree.INVALID << 32
    arguments[1], arguments[2] = words.ctypes.data, _record.address
    return Proposals(words, words.view(np.float32), arguments, arguments.ctypes.data)


@leaf
def clear_record(proposals: Proposals, place: Index, far: np.float32) -> None:
    """Empty a ray's record before its query; `far` is the ray's own far end."""
    record = _RECORDS + _RECORD * place
    proposals.words[record + _COUNT] = np.uint32(0)
    proposals.numbers[record + _LIMIT] = far


@leaf
def set_solid_count(proposals: Proposals, solid_count: Index) -> None:
    """Say where the indices of the second geometry begin, before a query."""
    proposals.words[_SOLID_COUNT] = np.uint32(solid_count)


@leaf
def proposal_count(proposals: Proposals, place: Index) -> Index:
    """Return how many triangles are proposed for a ray; more than `KEPT` where not all of them were recorded."""
    return np.intp(proposals.words[_RECORDS + _RECORD * place + _COUNT])


@leaf
def proposal(proposals: Proposals, place: Index, number: Index) -> tuple[Index, float, float, float]:
    """Return the Embree index, distance, u and v of a ray's proposal; `NEAREST` is the first."""
    entry = _RECORDS + _RECORD * place + _FIRST + _WORDS * number
    numbers = proposals.numbers
    return (
        np.intp(proposals.words[entry + 3]),
        np.float64(numbers[entry]),
        np.float64(numbers[entry + 1]),
        np.float64(numbers[entry + 2]),
    )


@leaf
def is_near(proposals: Proposals, place: Index, number: Index) -> bool:
    """Say whether a proposal still counts: nearer ones may have been met after it."""
    record = _RECORDS + _RECORD * place
    return bool(proposals.numbers[record + _FIRST + _WORDS * number] <= proposals.numbers[record + _LIMIT])
