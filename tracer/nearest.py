"""Single rays as Embree's float32 answers: the nearest triangle, of several equally far the one of least index; and
what stands in a ray's way.

Which of two triangles at the same float32 distance Embree meets first depends on how its tree was built. An argument
filter decides instead, so that the answer depends on no tree. Embree shows it every candidate that is not farther than
the one taken last.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numba import carray, types
from numpy.typing import NDArray

from tracer import embree
from tracer.compiling import Index, callback, leaf, pointer

NOTHING: Final = np.int64(0)
"""What `obstacle` finds. As NumPy's numbers: for each Python constant numba would compile a callee anew."""
VEIL: Final = np.int64(1)
WALL: Final = np.int64(2)

# Words of the query's context. Embree's own come first (instance ids, both invalid); the rest is ours.
_SOLID_COUNT, _DISTANCE, _INDEX, _HAS_MET, _CONTEXT = 8, 9, 10, 11, 16

# Words of `RTCRayHit`; its origin comes first, time, id and flags stay 0.
_NEAR, _DIRECTION, _FAR, _MASK, _U, _V, _GEOMETRY, _INSTANCE, _RAY = 3, 4, 8, 9, 15, 16, 18, 19, 24


@callback(types.void(types.CPointer(types.uintp)))
def _take_nearer(arguments: Any) -> None:
    """Take a candidate unless one of smaller index lies as near.

    `arguments` is `RTCFilterFunctionNArguments`: valid, user pointer, context, ray, hit, and N, which is 1.
    """
    words = carray(pointer(arguments[2]), (_CONTEXT,), np.uint32)
    numbers = carray(pointer(arguments[2]), (_CONTEXT,), np.float32)
    distance = carray(pointer(arguments[3]), (_FAR + 1,), np.float32)[_FAR]
    hit = carray(pointer(arguments[4]), (8,), np.uint32)
    index = hit[5]
    if hit[6] != 0:
        index += words[_SOLID_COUNT]
    if distance == numbers[_DISTANCE] and index > words[_INDEX]:
        carray(pointer(arguments[0]), (1,), np.int32)[0] = 0
        return
    numbers[_DISTANCE], words[_INDEX] = distance, index


@callback(types.void(types.CPointer(types.uintp)))
def _pass_tested(arguments: Any) -> None:
    """Let a ray go on behind a triangle whose alpha decides, and remember that there was one."""
    if carray(pointer(arguments[4]), (8,), np.uint32)[6] != 0:
        carray(pointer(arguments[2]), (_CONTEXT,), np.uint32)[_HAS_MET] = 1
        carray(pointer(arguments[0]), (1,), np.int32)[0] = 0


class Nearest(NamedTuple):
    """The memory of queries for the nearest triangle; one for each thread."""

    ray: NDArray[np.float32]
    """(24,) `RTCRayHit`"""
    ray_words: NDArray[np.uint32]
    """the same memory"""
    context: NDArray[np.uint32]
    """(16,) `RTCRayQueryContext`, then the candidate taken, and whether alpha has to decide"""
    context_numbers: NDArray[np.float32]
    """the same memory"""
    arguments: NDArray[np.uint64]
    """(2, 8) `RTCIntersectArguments`, `RTCOccludedArguments`"""
    ray_address: int
    arguments_address: int
    occluded_address: int


def new_nearest() -> Nearest:
    """Make the memory of queries for triangles of any kind."""
    ray, context, arguments = np.zeros(_RAY, np.float32), np.zeros(_CONTEXT, np.uint32), np.zeros((2, 8), np.uint64)
    context[0] = context[1] = embree.INVALID
    arguments[:, 0] = embree.QUERY_INVOKE_FILTER | embree.INVALID << 32
    arguments[:, 1], arguments[:, 2] = context.ctypes.data, (_take_nearer.address, _pass_tested.address)
    words = ray.view(np.uint32)
    words[_MASK] = embree.ANY_MASK
    words[_INSTANCE : _INSTANCE + 2] = embree.INVALID
    addresses = ray.ctypes.data, arguments[0].ctypes.data, arguments[1].ctypes.data
    return Nearest(ray, words, context, context.view(np.float32), arguments, *addresses)


@leaf
def find_nearest(
    scene: Index, solid_count: Index, ray: NDArray[np.float64], near: float, far: float, nearest: Nearest
) -> tuple[Index, float, float, float]:
    """Return the Embree index of the nearest triangle along a ray, -1 where there is none, its distance, u and v.

    Parameters
    ----------
    scene, solid_count
        As in `World`.
    ray
        (6,) float64: origin, direction; rounded to float32 for Embree.
    near, far
        Distances that bound it, in lengths of the direction.
    nearest
        This thread's.
    """
    buffer = nearest.ray
    _set_ray(ray, near, far, nearest)
    nearest.ray_words[_GEOMETRY] = np.uint32(embree.INVALID)
    nearest.context[_SOLID_COUNT] = np.uint32(solid_count)
    nearest.context_numbers[_DISTANCE] = np.float32(-np.inf)
    embree.rtc_intersect1(np.uintp(scene), np.uintp(nearest.ray_address), np.uintp(nearest.arguments_address))
    if nearest.ray_words[_GEOMETRY] == np.uint32(embree.INVALID):
        return np.intp(-1), 0.0, 0.0, 0.0
    index = np.intp(nearest.context[_INDEX])
    return index, np.float64(buffer[_FAR]), np.float64(buffer[_U]), np.float64(buffer[_V])


@leaf
def obstacle(scene: Index, ray: NDArray[np.float64], far: float, nearest: Nearest) -> Index:
    """Say what stands in the way of a ray, from its origin to `far`, in lengths of the direction.

    Returns
    -------
    obstacle
        `WALL` where a triangle stops every ray; else `VEIL` where there is one whose alpha decides; else `NOTHING`.
    """
    _set_ray(ray, 0.0, far, nearest)
    nearest.context[_HAS_MET] = np.uint32(0)
    embree.rtc_occluded1(np.uintp(scene), np.uintp(nearest.ray_address), np.uintp(nearest.occluded_address))
    if nearest.ray[_FAR] < np.float32(0.0):
        return WALL
    return VEIL if nearest.context[_HAS_MET] != np.uint32(0) else NOTHING


@leaf
def _set_ray(ray: NDArray[np.float64], near: float, far: float, nearest: Nearest) -> None:
    """Write a ray, (6,) float64, where Embree reads it."""
    buffer = nearest.ray
    for axis in range(3):
        buffer[axis] = np.float32(ray[axis])
        buffer[_DIRECTION + axis] = np.float32(ray[3 + axis])
    buffer[_NEAR], buffer[_FAR] = np.float32(near), np.float32(far)
