"""The `direct` integrator: emission, punctual lights with hard shadows and an ambient term, along straight camera rays.

A tile of 4 x 4 pixels is traced as one packet for each sample; the shadow rays of its sixteen surfaces toward one
light are a packet again. Where a surface blends or transmits, its lane goes on to the next surface behind.
"""

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tracer import embree
from tracer.bvh import STACK
from tracer.candidates import Query, new_query
from tracer.compiling import Index, leaf
from tracer.lighting import ambient, shown, write_unshadowed
from tracer.materials import AlphaMode
from tracer.packets import (
    LANES,
    TILE,
    Packet,
    clear_lanes,
    is_occluded,
    new_packet,
    occlude,
    propose,
    set_camera_lanes,
    set_lane,
)
from tracer.pixel_filter import filtered
from tracer.proposals import proposal, proposal_count
from tracer.sequence import keyed_sample, pixel_keys, turned_second_dimension
from tracer.settings import CENTER
from tracer.sky import sky_radiance
from tracer.surface import write_surface
from tracer.surface_row import ALPHA, DIFFUSE, IS_UNLIT, PASSES, SURFACE_COLUMNS, UNDER
from tracer.tables import ALPHA_MODE, MATERIAL, TRANSMISSION, Looks, Mesh, Shine
from tracer.view import FAR, NEAR
from tracer.visible import (
    COLOR,
    DISTANCE,
    QUEST_COLUMNS,
    TRIANGLE,
    U,
    V,
    World,
    begin,
    search,
    search_proposals,
    search_tree,
    shadowed,
    shadowed_by_tree,
    stops,
)

MOST_LAYERS: Final = 64
"""Blended or transmissive surfaces along a ray after which the rest is taken for the background."""


_BLEND = int(AlphaMode.BLEND)

Stack: TypeAlias = NDArray[np.int64] | None
"""Entries of a tree's walk, or None: numba compiles no branch that None rules out."""


class Lanes(NamedTuple):
    """What is known of the sixteen rays of a tile; the memory of one thread."""

    triangle: NDArray[np.int64]
    """(16,) the surface a lane has come to, -1: none"""
    keys: NDArray[np.uint64]
    """(16, 2): of the pixel's samples"""
    ray: NDArray[np.float64]
    """(16, 6): origin, direction"""
    hit: NDArray[np.float64]
    """(16, 3): its distance and the weights of its second and third vertex"""
    surface: NDArray[np.float64]
    """(16, 43): from `write_surface`"""
    passing: NDArray[np.float64]
    """(16, 3): share of what lies behind that shows"""
    clear: NDArray[np.float64]
    """(16,): share of the background that shows, for alpha"""
    radiance: NDArray[np.float64]
    """(16, 3): gathered so far"""
    shadow_ray: NDArray[np.float64]
    """(16, 6): toward the light at hand"""
    reach: NDArray[np.float64]
    """(16,): how far to follow it; 0: not at all"""
    lit: NDArray[np.float64]
    """(16, 3): what is reflected if nothing is met"""
    total: NDArray[np.float64]
    """(16, 4): red, green, blue, alpha, summed over samples"""
    quest: NDArray[np.float64]
    """(10,): of the search at hand"""


class Memory(NamedTuple):
    """What one thread works in."""

    lanes: Lanes
    query: Query
    primary: Packet
    secondary: Packet


def new_memory() -> Memory:
    """Make the memory of one thread."""
    shapes = [(LANES, 6), (LANES, 3), (LANES, SURFACE_COLUMNS), (LANES, 3), LANES]
    shapes += [(LANES, 3), (LANES, 6), LANES, (LANES, 3), (LANES, 4), QUEST_COLUMNS]
    lanes = Lanes(np.zeros(LANES, np.int64), np.zeros((LANES, 2), np.uint64), *(np.zeros(shape) for shape in shapes))
    packets = new_packet(embree.ANY_MASK), new_packet(embree.SOLID_MASK)
    return Memory(lanes, new_query(), *packets)


def new_stack() -> NDArray[np.int64]:
    """Make what one thread needs to walk a tree."""
    return np.zeros(STACK, np.int64)


@leaf
def write_direct(
    world: World,
    stack: Stack,
    shine: Shine,
    view: NDArray[np.float64],
    background: NDArray[np.float64],
    places: NDArray[np.float64],
    samples: int,
    seed: int,
    first_row: int,
    last_row: int,
    memory: Memory,
    color: NDArray[np.float32],
) -> None:
    """Write rows of the picture.

    Parameters
    ----------
    world, shine, view
        The scene, its lights and the camera.
    stack
        From `new_stack` where the world's tree answers, which `CENTER` asks for; None where Embree does. The two are
        compiled apart: who takes samples does not wait for the tree's code.
    background
        (4,) float64: red, green, blue and whether it takes the place of the environment (1), or is clear (-1).
    places
        From `filter_table`.
    samples
        Rays a pixel, or `CENTER`, of which the shadow rays too are the tree's, in float64.
    seed
        Of the samples' places.
    first_row, last_row
        Rows to write; `first_row` is a multiple of `TILE`.
    memory
        This thread's, from `new_memory`.
    color
        (H, W, 4) float32; written.
    """
    height, width = color.shape[0], color.shape[1]
    total, scale = memory.lanes.total, 1.0 / max(samples, 1)
    for top in range(first_row, last_row, TILE):
        for left in range(0, width, TILE):
            _write_tile(world, stack, shine, view, background, places, samples, seed, left, top, memory, width, height)
            for lane in range(LANES):
                x, y = left + lane % TILE, top + lane // TILE
                if x < width and y < height:
                    for channel in range(4):
                        color[y, x, channel] = np.float32(total[lane, channel] * scale)


@leaf
def _write_tile(
    world: World,
    stack: Stack,
    shine: Shine,
    view: NDArray[np.float64],
    background: NDArray[np.float64],
    places: NDArray[np.float64],
    samples: int,
    seed: int,
    left: int,
    top: int,
    memory: Memory,
    width: int,
    height: int,
) -> None:
    """Write `lanes.total`: the sum over all samples of a tile's pixels."""
    lanes = memory.lanes
    for lane in range(LANES):
        for channel in range(4):
            lanes.total[lane, channel] = 0.0
        keys = pixel_keys(left + lane % TILE, top + lane // TILE, seed)
        lanes.keys[lane, 0], lanes.keys[lane, 1] = keys[0], keys[1]
    for sample in range(max(samples, 1)):
        _write_rays(view, places, left, top, width, height, samples, sample, memory.primary, lanes)
        if stack is None:
            propose(world.scene, world.solid_count, memory.primary)
            any_hit = _write_first_hits(world, view, memory)
        else:
            any_hit = _write_first_hits_by_tree(world, stack, view, memory)
        for _ in range(MOST_LAYERS):
            if not any_hit:
                break
            _write_surfaces(world.mesh, world.looks, shine, lanes)
            for light in range(len(shine.lights)):
                if _write_shadow_rays(shine.lights[light], memory.secondary, lanes):
                    if stack is None:
                        occlude(world.scene, memory.secondary)
                    _add_unshadowed(world, stack, memory)
            any_hit = _go_on(world, stack, view, memory)
        _add_to_total(shine, background, lanes)


@leaf
def _write_rays(
    view: NDArray[np.float64],
    places: NDArray[np.float64],
    left: int,
    top: int,
    width: int,
    height: int,
    samples: int,
    sample: int,
    packet: Packet,
    lanes: Lanes,
) -> None:
    """Write the camera rays of one sample of a tile; lanes outside the picture are off."""
    index = np.uint64(sample)
    turned = turned_second_dimension(index)
    for lane in range(LANES):
        lanes.clear[lane] = 1.0
        for channel in range(3):
            lanes.passing[lane, channel], lanes.radiance[lane, channel] = 1.0, 0.0
        across, down = 0.5, 0.5
        if samples != CENTER:
            across, down = keyed_sample(index, turned, lanes.keys[lane, 0], lanes.keys[lane, 1])
            across, down = filtered(places, across), filtered(places, down)
        packet.places[0, lane], packet.places[1, lane] = across, down
    set_camera_lanes(packet, view, left, top, width, height)
    for lane in range(LANES):
        for axis in range(6):
            lanes.ray[lane, axis] = packet.columns[axis, lane]
        if left + lane % TILE >= width or top + lane // TILE >= height:
            packet.valid[lane] = np.int32(0)


@leaf
def _write_first_hits(world: World, view: NDArray[np.float64], memory: Memory) -> bool:
    """Write the first surface of each lane: Embree's own answer where that ends the ray, else what a search finds."""
    lanes, packet = memory.lanes, memory.primary
    any_hit = False
    for lane in range(LANES):
        lanes.triangle[lane] = -1
        if packet.valid[lane] == np.int32(0):
            continue
        if proposal_count(packet.proposals, lane) == 0:
            continue
        index, distance, u, v = proposal(packet.proposals, lane, 0)
        triangle = np.intp(world.order[index])
        ray = lanes.ray[lane]
        if (
            view[NEAR] <= distance <= view[FAR]
            and not _shows_what_is_behind(world.mesh, world.looks, triangle)
            and stops(world.mesh, world.looks, triangle, u, v, ray[3], ray[4], ray[5], COLOR)
        ):
            lanes.triangle[lane] = triangle
            lanes.hit[lane, 0], lanes.hit[lane, 1], lanes.hit[lane, 2] = distance, u, v
        else:
            begin(lanes.quest, view[NEAR], view[FAR], COLOR, -np.inf, -1)
            search_proposals(world, ray, packet.proposals, lane, memory.query, lanes.quest)
            _take_answer(lane, lanes)
        any_hit |= lanes.triangle[lane] >= 0
    return any_hit


@leaf
def _write_first_hits_by_tree(
    world: World, stack: NDArray[np.int64], view: NDArray[np.float64], memory: Memory
) -> bool:
    """Write the first surface of each lane, decided in float64."""
    lanes = memory.lanes
    any_hit = False
    for lane in range(LANES):
        lanes.triangle[lane] = -1
        if memory.primary.valid[lane] != np.int32(0):
            begin(lanes.quest, view[NEAR], view[FAR], COLOR, -np.inf, -1)
            search_tree(world, lanes.ray[lane], stack, lanes.quest)
            _take_answer(lane, lanes)
            any_hit |= lanes.triangle[lane] >= 0
    return any_hit


@leaf
def _shows_what_is_behind(mesh: Mesh, looks: Looks, triangle: Index) -> bool:
    """Say whether a ray may go on behind a surface: its order among coincident ones then matters."""
    row = looks.materials[mesh.faces[triangle, MATERIAL]]
    return bool(row[ALPHA_MODE] == _BLEND or row[TRANSMISSION] > 0.0)


@leaf
def _take_answer(lane: Index, lanes: Lanes) -> None:
    """Write what a lane's quest found."""
    lanes.triangle[lane] = np.int64(lanes.quest[TRIANGLE])
    lanes.hit[lane, 0], lanes.hit[lane, 1], lanes.hit[lane, 2] = lanes.quest[DISTANCE], lanes.quest[U], lanes.quest[V]


@leaf
def _write_surfaces(mesh: Mesh, looks: Looks, shine: Shine, lanes: Lanes) -> None:
    """Write each lane's surface, and add its emission and ambient term, or its color where it is unlit."""
    for lane in range(LANES):
        if lanes.triangle[lane] < 0:
            continue
        surface = lanes.surface[lane]
        write_surface(
            mesh, looks, lanes.triangle[lane], lanes.hit[lane, 1], lanes.hit[lane, 2], lanes.ray[lane], surface
        )
        for channel in range(3):
            own = shown(surface, channel)
            if surface[IS_UNLIT] == 0.0:
                own += ambient(surface, shine, channel)
            lanes.radiance[lane, channel] += lanes.passing[lane, channel] * surface[ALPHA] * own


@leaf
def _write_shadow_rays(light: NDArray[np.float64], packet: Packet, lanes: Lanes) -> bool:
    """Write what each lane's surface would reflect of one light, and the rays that find out whether it does."""
    clear_lanes(packet)
    any_lane = False
    for lane in range(LANES):
        lanes.reach[lane] = 0.0
        if lanes.triangle[lane] >= 0 and lanes.surface[lane, IS_UNLIT] == 0.0:
            lanes.reach[lane] = write_unshadowed(
                lanes.surface[lane], light, lanes.ray[lane, 3:], lanes.shadow_ray[lane], lanes.lit[lane]
            )
            if lanes.reach[lane] > 0.0:
                set_lane(packet, lane, lanes.shadow_ray[lane], 0.0, lanes.reach[lane])
                any_lane = True
    return any_lane


@leaf
def _add_unshadowed(world: World, stack: Stack, memory: Memory) -> None:
    """Add the light that nothing keeps from a lane's surface."""
    lanes = memory.lanes
    has_tested = world.solid_count < len(world.order)
    for lane in range(LANES):
        if not lanes.reach[lane] > 0.0:
            continue
        ray, reach = lanes.shadow_ray[lane], lanes.reach[lane]
        if stack is None:
            is_dark = is_occluded(memory.secondary, lane)
            if has_tested and not is_dark:
                is_dark = shadowed(world, ray, reach, memory.query)
        else:
            is_dark = shadowed_by_tree(world, ray, reach, stack)
        if is_dark:
            continue
        for channel in range(3):
            share = lanes.passing[lane, channel] * lanes.surface[lane, ALPHA]
            lanes.radiance[lane, channel] += share * lanes.lit[lane, channel]


@leaf
def _go_on(world: World, stack: Stack, view: NDArray[np.float64], memory: Memory) -> bool:
    """Move each lane to the surface behind the one it has seen, or to none where nothing passes."""
    lanes = memory.lanes
    any_hit = False
    for lane in range(LANES):
        triangle = lanes.triangle[lane]
        if triangle < 0:
            continue
        lanes.triangle[lane] = -1
        alpha, passes = lanes.surface[lane, ALPHA], lanes.surface[lane, PASSES] * lanes.surface[lane, UNDER]
        if lanes.surface[lane, IS_UNLIT] != 0.0:
            passes = 0.0
        for channel in range(3):
            lanes.passing[lane, channel] *= (1.0 - alpha) + alpha * passes * lanes.surface[lane, DIFFUSE + channel]
        lanes.clear[lane] *= 1.0 - alpha
        if max(lanes.passing[lane, 0], lanes.passing[lane, 1], lanes.passing[lane, 2]) > 0.0:
            begin(lanes.quest, view[NEAR], view[FAR], COLOR, lanes.hit[lane, 0], triangle)
            if stack is None:
                search(world, lanes.ray[lane], np.inf, memory.query, lanes.quest)
            else:
                search_tree(world, lanes.ray[lane], stack, lanes.quest)
            _take_answer(lane, lanes)
            any_hit |= lanes.triangle[lane] >= 0
    return any_hit


@leaf
def _add_to_total(shine: Shine, background: NDArray[np.float64], lanes: Lanes) -> None:
    """Add a finished sample of each lane, before the background that still shows."""
    for lane in range(LANES):
        for channel in range(3):
            behind = background[channel]
            if background[3] == 0.0 and lanes.passing[lane, channel] > 0.0:
                behind = sky_radiance(shine, lanes.ray[lane, 3], lanes.ray[lane, 4], lanes.ray[lane, 5], channel)
            lanes.total[lane, channel] += lanes.radiance[lane, channel] + lanes.passing[lane, channel] * behind
        lanes.total[lane, 3] += 1.0 - lanes.clear[lane]
