"""All triangles along a ray, nearest first, in batches: what exact hits, alpha masks and blending choose from.

An argument filter records every candidate that the traversal meets and rejects it, so that the traversal goes on; once
a batch is full, the ray is cut at its farthest candidate. The next batch starts behind the last candidate, told apart
by (distance, index): coincident triangles are never lost.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import carray, types
from numpy.typing import NDArray

from tracer import embree
from tracer.compiling import Index, callback, leaf, pointer

BATCH = 16
"""Candidates of one query."""

# Words of the query's context. Embree's own come first (instance ids, both invalid); the rest is ours.
_COUNT, _AFTER_DISTANCE, _AFTER_INDEX, _SOLID_COUNT, _FIRST = 8, 9, 10, 11, 12
_WORDS = 4
"""Words of a candidate: distance, u, v as float32 and the Embree index."""
_CONTEXT = _FIRST + _WORDS * BATCH
_RAY = 24
"""Words of `RTCRayHit`.

Origin 0-2, tnear 3, direction 4-6, time 7, tfar 8, mask 9, id 10, flags 11, normal 12-14, u 15, v 16, triangle 17,
geometry 18, instance 19 and 20.
"""


@callback(types.void(types.CPointer(types.uintp)))
def _record_and_reject(arguments: Any) -> None:
    """Put a candidate into the sorted batch.

    `arguments` is `RTCFilterFunctionNArguments`: valid, user pointer, context, ray, hit, and N, which is 1 for single
    rays.
    """
    valid = carray(pointer(arguments[0]), (1,), np.int32)
    context = carray(pointer(arguments[2]), (_CONTEXT,), np.uint32)
    numbers = carray(pointer(arguments[2]), (_CONTEXT,), np.float32)
    ray = carray(pointer(arguments[3]), (_RAY,), np.float32)
    hit = carray(pointer(arguments[4]), (8,), np.float32)
    ids = carray(pointer(arguments[4]), (8,), np.uint32)
    valid[0] = 0
    distance, index = ray[8], ids[5]
    if ids[6] != 0:
        index += context[_SOLID_COUNT]
    after = numbers[_AFTER_DISTANCE]
    if distance < after or (distance == after and index <= context[_AFTER_INDEX]):
        return
    count: Any = np.intp(context[_COUNT])
    place = count
    while place > 0:
        other = _FIRST + _WORDS * (place - 1)
        if numbers[other] < distance or (numbers[other] == distance and context[other + 3] <= index):
            break
        place -= 1
    if place > 0 and context[_FIRST + _WORDS * (place - 1) + 3] == index:
        return
    if place < BATCH:
        last = min(count, BATCH - 1)
        for word in range(_FIRST + _WORDS * last - 1, _FIRST + _WORDS * place - 1, -1):
            context[word + _WORDS] = context[word]
        entry = _FIRST + _WORDS * place
        numbers[entry], numbers[entry + 1], numbers[entry + 2], context[entry + 3] = distance, hit[3], hit[4], index
        count = last + 1
        context[_COUNT] = count
    if count == BATCH:
        # Accepting is how a filter shortens its ray. The margin keeps candidates at the very distance of the farthest.
        farthest = numbers[_FIRST + _WORDS * (BATCH - 1)]
        ray[8] = min(distance, farthest * np.float32(1.0 + 2.0**-20))
        valid[0] = -1


class Query(NamedTuple):
    """The memory of single queries; one for each thread."""

    ray: NDArray[np.float32]
    """(24,) `RTCRayHit`"""
    ray_words: NDArray[np.uint32]
    """the same memory"""
    context: NDArray[np.uint32]
    """(76,) Embree's context, then the batch"""
    context_numbers: NDArray[np.float32]
    """the same memory"""
    arguments: NDArray[np.uint64]
    """`RTCIntersectArguments`"""
    ray_address: int
    arguments_address: int


def new_query() -> Query:
    """Make the memory of single queries."""
    ray, context, arguments = np.zeros(_RAY, np.float32), np.zeros(_CONTEXT, np.uint32), np.zeros(8, np.uint64)
    context[0] = context[1] = embree.INVALID
    arguments[0] = embree.QUERY_INVOKE_FILTER | embree.INVALID << 32
    arguments[1] = context.ctypes.data
    arguments[2] = _record_and_reject.address
    return Query(
        ray,
        ray.view(np.uint32),
        context,
        context.view(np.float32),
        arguments,
        ray.ctypes.data,
        arguments.ctypes.data,
    )


@leaf
def restart(query: Query) -> None:
    """Let the next batch begin at the ray's near end."""
    query.context_numbers[_AFTER_DISTANCE] = np.float32(-np.inf)
    query.context[_AFTER_INDEX] = np.uint32(0)


@leaf
def gather(
    scene: Index,
    solid_count: Index,
    ray: NDArray[np.float64],
    near: float,
    far: float,
    mask: Index,
    query: Query,
) -> Index:
    """Collect the next batch of candidates along a ray and return their number; fewer than `BATCH`: there are no more.

    Parameters
    ----------
    ray
        (6,) float64: origin, direction; rounded to float32 for Embree.
    near, far
        Distances in lengths of the direction.
    mask
        `embree.TESTED_MASK` or `embree.ANY_MASK`.
    query
        From `new_query`; `restart` it before a ray's first batch. `candidate` reads it.
    """
    buffer, words, context = query.ray, query.ray_words, query.context
    for axis in range(3):
        buffer[axis] = np.float32(ray[axis])
        buffer[4 + axis] = np.float32(ray[3 + axis])
    buffer[3] = np.float32(near)
    buffer[7] = np.float32(0.0)
    buffer[8] = np.float32(far)
    words[9], words[10], words[11] = np.uint32(mask), np.uint32(0), np.uint32(0)
    for word in range(17, 21):
        words[word] = np.uint32(embree.INVALID)
    context[_COUNT] = np.uint32(0)
    context[_SOLID_COUNT] = np.uint32(solid_count)
    embree.rtc_intersect1(np.uintp(scene), np.uintp(query.ray_address), np.uintp(query.arguments_address))
    count = np.intp(context[_COUNT])
    if count == BATCH:
        last = _FIRST + _WORDS * (BATCH - 1)
        context[_AFTER_DISTANCE] = context[last]
        context[_AFTER_INDEX] = context[last + 3]
    return count


@leaf
def candidate(query: Query, place: Index) -> tuple[Index, float, float, float]:
    """Return the Embree index, distance, u and v of a candidate of the last batch; nearest first."""
    numbers = query.context_numbers
    entry = _FIRST + _WORDS * place
    return (
        np.intp(query.context[entry + 3]),
        np.float64(numbers[entry]),
        np.float64(numbers[entry + 1]),
        np.float64(numbers[entry + 2]),
    )
