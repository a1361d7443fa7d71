"""Rays in packets of sixteen: primary rays of a 4 x 4 tile, and their shadow rays toward one light.

`RTCRayHit16` holds the words of `RTCRayHit` sixteen wide; it and the lane mask are aligned to 64 bytes.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from tracer import embree
from tracer.compiling import Index, leaf
from tracer.exact import WINDOW
from tracer.view import FAR, NEAR

LANES: Final = 16
TILE: Final = 4
"""Pixels along the side of a tile."""


@kernel
def new_packet(coherent: bool) -> tuple[Any, Any, Any, Any]:
    """Make the rays, lane mask, context and arguments of packet queries; one set for each thread.

    `coherent` tells Embree that the sixteen rays go much the same way: 3.5 times as fast when true, slower when not.
    """
    rays = _aligned(24 * LANES)
    valid = _aligned(LANES).view(np.int32)
    context = np.zeros(64, np.uint32)
    arguments = np.zeros(8, np.uintp)
    context[0] = context[1] = np.uint32(embree.INVALID)
    flags = embree.QUERY_COHERENT if coherent else 0
    arguments[0] = np.uintp(flags) | (np.uintp(embree.INVALID) << np.uintp(32))
    arguments[1] = np.uintp(context.ctypes.data)
    return rays, valid, context, arguments


@leaf
def set_lane(
    packet: tuple[Any, Any, Any, Any], lane: Index, ray: NDArray[np.float64], near: float, far: float, mask: Index
) -> None:
    """Write one ray, (6,) float64, into a lane and switch the lane on."""
    rays = packet[0]
    words = rays.view(np.uint32)
    for axis in range(3):
        rays[axis * LANES + lane] = np.float32(ray[axis])
        rays[(4 + axis) * LANES + lane] = np.float32(ray[3 + axis])
    rays[3 * LANES + lane] = np.float32(near)
    rays[7 * LANES + lane] = np.float32(0.0)
    rays[8 * LANES + lane] = np.float32(far)
    words[9 * LANES + lane] = np.uint32(mask)
    words[10 * LANES + lane] = np.uint32(0)
    words[11 * LANES + lane] = np.uint32(0)
    for word in range(17, 21):
        words[word * LANES + lane] = np.uint32(embree.INVALID)
    packet[1][lane] = np.int32(-1)


@leaf
def set_camera_lane(
    packet: tuple[Any, Any, Any, Any], lane: Index, ray: NDArray[np.float64], view: NDArray[np.float64]
) -> None:
    """Write a camera ray into a lane, a little longer at both ends: float64 cuts it at the near and far planes."""
    set_lane(packet, lane, ray, view[NEAR] * (1.0 - WINDOW), view[FAR] * (1.0 + WINDOW), embree.ANY_MASK)


@leaf
def clear_lanes(packet: tuple[Any, Any, Any, Any]) -> None:
    """Switch all lanes off."""
    for lane in range(LANES):
        packet[1][lane] = np.int32(0)


@leaf
def intersect(scene: Index, packet: tuple[Any, Any, Any, Any]) -> None:
    """Find the nearest triangle of each lane; `found` reads it."""
    embree.rtc_intersect16(
        np.uintp(packet[1].ctypes.data),
        np.uintp(scene),
        np.uintp(packet[0].ctypes.data),
        np.uintp(packet[3].ctypes.data),
    )


@leaf
def occlude(scene: Index, packet: tuple[Any, Any, Any, Any]) -> None:
    """Find out which lanes meet any triangle; `is_occluded` reads it."""
    embree.rtc_occluded16(
        np.uintp(packet[1].ctypes.data),
        np.uintp(scene),
        np.uintp(packet[0].ctypes.data),
        np.uintp(packet[3].ctypes.data),
    )


@leaf
def found(packet: tuple[Any, Any, Any, Any], lane: Index, solid_count: Index) -> tuple[Index, float, float, float]:
    """Return the Embree index (-1: none), distance, u and v of a lane after `intersect`."""
    rays = packet[0]
    words = rays.view(np.uint32)
    index = np.intp(-1)
    geometry = words[18 * LANES + lane]
    if geometry != np.uint32(embree.INVALID):
        index = np.intp(words[17 * LANES + lane])
        if geometry != np.uint32(0):
            index += solid_count
    return (
        index,
        np.float64(rays[8 * LANES + lane]),
        np.float64(rays[15 * LANES + lane]),
        np.float64(rays[16 * LANES + lane]),
    )


@leaf
def is_occluded(packet: tuple[Any, Any, Any, Any], lane: Index) -> bool:
    """Say whether a lane met a triangle in `occlude`: Embree sets its far end to minus infinity."""
    return bool(packet[0][8 * LANES + lane] < np.float32(0.0))


@kernel
def _aligned(words: int) -> NDArray[np.float32]:
    raw = np.zeros(words + 16, np.float32)
    skip = ((64 - raw.ctypes.data % 64) % 64) // 4
    return raw[skip : skip + words]
