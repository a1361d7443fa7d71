"""Rays in packets of sixteen: primary rays of a 4 x 4 tile, and their shadow rays toward one light.

`RTCRayHit16` holds the words of `RTCRayHit` sixteen wide; it and the lane mask are aligned to 64 bytes.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer import embree
from tracer.compiling import Index, inlined, leaf
from tracer.exact import WINDOW
from tracer.proposals import Proposals, clear_record, new_proposals, set_solid_count
from tracer.view import FAR, FORWARD, HALF_HEIGHT, HALF_WIDTH, NEAR, ORIGIN, ORTHOGRAPHIC, RIGHT, UP

LANES: Final = 16
TILE: Final = 4
"""Pixels along the side of a tile."""


# Words of `RTCRayHit16`, each sixteen wide; an id is its lane, time and flags stay 0.
_NEAR, _DIRECTION, _FAR, _MASK, _ID, _GEOMETRY, _INSTANCE = 3, 4, 8, 9, 10, 18, 19


class Packet(NamedTuple):
    """The memory of packet queries; one for each thread."""

    places: NDArray[np.float64]
    """(2, 16) within each pixel of a tile, across and down: where `set_camera_lanes` sends its rays"""
    columns: NDArray[np.float64]
    """(6, 16) origin and direction of these rays"""
    rays: NDArray[np.float32]
    """(384,) `RTCRayHit16`"""
    words: NDArray[np.uint32]
    """the same memory"""
    valid: NDArray[np.int32]
    """(16,) -1 where a lane is on, 0 where off"""
    proposals: Proposals
    """what `propose` finds, a record a lane"""
    context: NDArray[np.uint32]
    """`RTCRayQueryContext` of `occlude`"""
    arguments: NDArray[np.uint64]
    """`RTCIntersectArguments` of `occlude`"""
    rays_address: int
    valid_address: int
    arguments_address: int


def new_packet(mask: int) -> Packet:
    """Make the memory of packet queries, whose sixteen rays go much the same way.

    Telling Embree so makes packets 3.5 times as fast as single rays; without, they gain nothing. `mask` says which
    triangles the rays meet: `embree.ANY_MASK` or `embree.SOLID_MASK`.
    """
    rays, valid = _aligned(24 * LANES), _aligned(LANES).view(np.int32)
    words = rays.view(np.uint32)
    words[_MASK * LANES : (_MASK + 1) * LANES] = mask
    words[_ID * LANES : (_ID + 1) * LANES] = np.arange(LANES)
    words[_INSTANCE * LANES : (_INSTANCE + 2) * LANES] = embree.INVALID
    context, arguments = np.zeros(64, np.uint32), np.zeros(8, np.uint64)
    context[0] = context[1] = embree.INVALID
    arguments[0] = embree.QUERY_COHERENT | embree.INVALID << 32
    arguments[1] = context.ctypes.data
    addresses = rays.ctypes.data, valid.ctypes.data, arguments.ctypes.data
    columns = np.full((2, LANES), 0.5), np.zeros((6, LANES))
    return Packet(*columns, rays, words, valid, new_proposals(embree.QUERY_COHERENT), context, arguments, *addresses)


@leaf
def set_lane(packet: Packet, lane: Index, ray: NDArray[np.float64], near: float, far: float) -> None:
    """Write one ray, (6,) float64, into a lane and switch the lane on."""
    rays = packet.rays
    for axis in range(3):
        rays[axis * LANES + lane] = np.float32(ray[axis])
        rays[(_DIRECTION + axis) * LANES + lane] = np.float32(ray[3 + axis])
    rays[_NEAR * LANES + lane] = np.float32(near)
    rays[_FAR * LANES + lane] = np.float32(far)
    packet.words[_GEOMETRY * LANES + lane] = np.uint32(embree.INVALID)
    packet.valid[lane] = np.int32(-1)


@inlined
def set_camera_lanes(
    packet: Packet, view: NDArray[np.float64], left: Index, top: Index, width: int, height: int
) -> None:
    """Send a camera ray through each pixel of a tile, at the packet's places, and switch all lanes on.

    The rays are a little longer at both ends than the camera sees: float64 cuts them at the near and far planes.
    """
    rays, words, columns = packet.rays, packet.words, packet.columns
    _write_columns(packet, view, left, top, width, height)
    near, far = np.float32(view[NEAR] * (1.0 - WINDOW)), np.float32(view[FAR] * (1.0 + WINDOW))
    for axis in range(3):
        for lane in range(LANES):
            rays[axis * LANES + lane] = np.float32(columns[axis, lane])
        for lane in range(LANES):
            rays[(_DIRECTION + axis) * LANES + lane] = np.float32(columns[3 + axis, lane])
    for lane in range(LANES):
        rays[_NEAR * LANES + lane] = near
    for lane in range(LANES):
        rays[_FAR * LANES + lane] = far
    for lane in range(LANES):
        words[_GEOMETRY * LANES + lane] = np.uint32(embree.INVALID)
    for lane in range(LANES):
        packet.valid[lane] = np.int32(-1)


@inlined
def _write_columns(packet: Packet, view: NDArray[np.float64], left: Index, top: Index, width: int, height: int) -> None:
    """Write the rays as `write_camera_ray` would one by one: number by number, so that lanes are computed together."""
    places, columns = packet.places, packet.columns
    half_width, half_height, is_flat = view[HALF_WIDTH], view[HALF_HEIGHT], view[ORTHOGRAPHIC] != 0.0
    for axis in range(3):
        origin, right, up, forward = view[ORIGIN + axis], view[RIGHT + axis], view[UP + axis], view[FORWARD + axis]
        for lane in range(LANES):
            x, y = left + lane % TILE + places[0, lane], top + lane // TILE + places[1, lane]
            lateral = (2.0 * x / width - 1.0) * half_width * right + (1.0 - 2.0 * y / height) * half_height * up
            columns[axis, lane] = origin + lateral if is_flat else origin
            columns[3 + axis, lane] = forward if is_flat else forward + lateral


@leaf
def clear_lanes(packet: Packet) -> None:
    """Switch all lanes off."""
    for lane in range(LANES):
        packet.valid[lane] = np.int32(0)


@leaf
def propose(scene: Index, solid_count: Index, packet: Packet) -> None:
    """Find the nearest triangle of each lane and those as near: `tracer.proposals` reads them."""
    for lane in range(LANES):
        clear_record(packet.proposals, lane, packet.rays[_FAR * LANES + lane])
    set_solid_count(packet.proposals, solid_count)
    embree.rtc_intersect16(
        np.uintp(packet.valid_address),
        np.uintp(scene),
        np.uintp(packet.rays_address),
        np.uintp(packet.proposals.arguments_address),
    )


@leaf
def occlude(scene: Index, packet: Packet) -> None:
    """Find out which lanes meet any triangle; `is_occluded` reads it."""
    embree.rtc_occluded16(
        np.uintp(packet.valid_address),
        np.uintp(scene),
        np.uintp(packet.rays_address),
        np.uintp(packet.arguments_address),
    )


@leaf
def is_occluded(packet: Packet, lane: Index) -> bool:
    """Say whether a lane met a triangle in `occlude`: Embree sets its far end to minus infinity."""
    return bool(packet.rays[_FAR * LANES + lane] < np.float32(0.0))


def _aligned(words: int) -> NDArray[np.float32]:
    raw = np.zeros(words + LANES, np.float32)
    skip = -raw.ctypes.data % 64 // 4
    return raw[skip : skip + words]
