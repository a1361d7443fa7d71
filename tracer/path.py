"""The `path` integrator: all light transport, unbiased.

A path goes from the camera from surface to surface. At each, light is drawn and its way looked at; then a lobe of the
material says where the path goes on, and what it finds there counts too: multiple importance sampling weighs the two.
Surfaces that light passes straight are no corners of a path: the same segment goes on behind them. With many samples
several paths go on from each place that a camera ray finds, which saves the way there.

Sources: Kajiya, *The Rendering Equation*, SIGGRAPH 1986; Veach, *Robust Monte Carlo Methods for Light Transport
Simulation*, 1997, for the power heuristic and roulette.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tracer.compiling import Index, inlined, leaf
from tracer.light_sampling import (
    DENSITY,
    RADIANCE,
    Emitters,
    choice_chance,
    is_in_sun,
    sky_density,
    triangle_density,
    write_light,
)
from tracer.lighting import shown, write_unshadowed
from tracer.nearest import VEIL, WALL
from tracer.path_memory import Memory
from tracer.pixel_filter import filtered
from tracer.scattering import (
    MIRRORED,
    NOWHERE,
    STRAIGHT,
    Chances,
    is_matte,
    lobe_chances,
    scattering_density,
    write_matte_scattered,
    write_scattered,
)
from tracer.single_rays import find_surface, way_to_light, write_transmittance
from tracer.sky import sky_radiance
from tracer.sobol import begin_set, lone_number, number_of, pixel_key
from tracer.surface import write_surface
from tracer.surface_row import ALPHA, IS_UNLIT, LIFTED, SHADING
from tracer.tables import LIGHT_COLOR
from tracer.view import FAR, NEAR, write_camera_ray
from tracer.visible import BOUNCE, COLOR, DISTANCE, TRIANGLE, U, V, World

WORTH_FOLLOWING: Final = 0.125
"""Share of the light that reaches the camera below which a path may end by chance.

Ending brighter paths costs more noise than it saves time: with an albedo of 0.8 all round, roulette on the whole share
from the third surface on needs seven times as long for the same error.
"""

LONG: Final = 16
"""Surfaces after which a path may end by chance however bright it is."""

MOST_PATHS: Final = 4
"""Paths that share a camera ray, as long as there are enough places."""

ENOUGH_PLACES: Final = 16
"""Camera rays a pixel that smooth its edges; only samples beyond them are spent on more paths from each place."""

MOST_SURVIVAL: Final = 0.95
"""Chance to go on that not even a white surface then exceeds, so that paths between mirrors end."""


@leaf
def write_path(
    world: World,
    emitters: Emitters,
    gaps: Index,
    view: NDArray[np.float64],
    background: NDArray[np.float64],
    places: NDArray[np.float64],
    samples: int,
    seed: int,
    bounces: int,
    first_row: int,
    last_row: int,
    memory: Memory,
    color: NDArray[np.float32],
    variance: NDArray[np.float32],
) -> None:
    """Write rows of the picture.

    Parameters
    ----------
    world, emitters, view
        The scene, its lights and the camera.
    gaps
        From `gaps_of`.
    background
        (4,) float64: red, green, blue and whether it takes the place of the environment (1), or is clear (-1).
    places
        From `filter_table`.
    samples
        Paths a pixel, at least 1; see `paths_of_a_place`.
    seed
        Of the random sequence.
    bounces
        Reflections after which a path ends; `settings.ENDLESS` for all light.
    first_row, last_row
        Rows to write.
    memory
        This thread's, from `new_memory`.
    color
        (H, W, 4) float32; written.
    variance
        (H, W, 3) float32: variance of color's mean; written where there are two samples or more.
    """
    height, width = color.shape[0], color.shape[1]
    sums, paths = memory.sums, paths_of_a_place(samples)
    for y in range(first_row, last_row):
        for x in range(width):
            key = pixel_key(x, y, seed)
            for column in range(7):
                sums[column] = 0.0
            for place in range(samples // paths):
                where, index = begin_set(key, 0, place, memory.keys)
                across, down = number_of(memory.keys, where, index, 0), number_of(memory.keys, where, index, 1)
                write_camera_ray(
                    view, x + filtered(places, across), y + filtered(places, down), width, height, memory.ray
                )
                alpha = _follow(world, emitters, gaps, view, background, key, place, paths, bounces, memory)
                for channel in range(3):
                    value = memory.radiance[channel]
                    sums[channel] += value
                    sums[4 + channel] += value * value
                sums[3] += alpha * paths
            for channel in range(4):
                color[y, x, channel] = np.float32(sums[channel] / samples)
            for channel in range(3):
                spread = sums[4 + channel] - sums[channel] * sums[channel] * paths / samples
                if samples > 1:
                    variance[y, x, channel] = np.float32(max(spread, 0.0) / (np.float64(samples) * (samples - paths)))


@leaf
def paths_of_a_place(samples: int) -> int:
    """Return how many of a pixel's paths share a camera ray: a number that divides them."""
    paths = MOST_PATHS
    while paths > 1 and (samples % paths != 0 or samples < paths * ENOUGH_PLACES):
        paths //= 2
    return paths


@inlined
def _follow(
    world: World,
    emitters: Emitters,
    gaps: Index,
    view: NDArray[np.float64],
    background: NDArray[np.float64],
    key: np.uint64,
    place: int,
    paths: int,
    bounces: int,
    memory: Memory,
) -> float:
    """Follow the paths of the camera ray in `memory.ray`; write `memory.radiance`, their sum, and return 0 or 1, the
    alpha of each.
    """
    ray, surface, throughput, quest = memory.ray, memory.surface, memory.throughput, memory.quest
    for channel in range(3):
        throughput[channel], memory.radiance[channel] = np.float64(paths), 0.0
    near, far, purpose = view[NEAR], view[FAR], COLOR
    after, seen = -np.inf, np.intp(-1)
    triangle, distance, density, alpha = seen, 0.0, MIRRORED, 0.0
    corners, drawn, events, sample = 0, 0, 0, place * paths
    first_triangle, first_distance, first_events, last_sample = seen, 0.0, 0, sample + paths - 1
    while True:
        find_surface(world, ray, near, far, purpose, after, seen, memory.nearest, memory.query, memory.stack, quest)
        goes_on = False
        if quest[TRIANGLE] < 0.0:
            if corners == 0:
                _add_background(emitters, background, memory)
            else:
                _add_sky(emitters, density, memory)
        else:
            triangle, distance = np.intp(quest[TRIANGLE]), quest[DISTANCE]
            write_surface(world.mesh, world.looks, triangle, quest[U], quest[V], ray, surface)
            events += 1
            if surface[ALPHA] < 1.0 and lone_number(key, sample, 2 * events) >= surface[ALPHA]:
                after, seen = distance, triangle
                continue
            if corners == 0:
                alpha = 1.0
            _add_emission(world, emitters, triangle, density, memory)
            goes_on = surface[IS_UNLIT] == 0.0 and corners < bounces
        if drawn == 0:
            if not goes_on:
                return alpha
            first_triangle, first_distance, first_events = triangle, distance, events
            _copy(surface, memory.first_surface)
            _copy(ray, memory.first_ray)
            for channel in range(3):
                throughput[channel] = 1.0
        while True:
            if not goes_on:
                if sample == last_sample:
                    return alpha
                sample += 1
                _copy(memory.first_surface, surface)
                _copy(memory.first_ray, ray)
                for channel in range(3):
                    throughput[channel] = 1.0
                near, far, purpose = view[NEAR], view[FAR], COLOR
                triangle, distance, density = first_triangle, first_distance, MIRRORED
                corners, drawn, events = 0, 0, first_events
            drawn += 1
            found = _scatter(world, emitters, gaps, key, drawn, sample, memory)
            goes_on = found != NOWHERE and _survives(key, drawn, sample, events, throughput)
            if goes_on:
                break
        if found == STRAIGHT:
            after, seen = distance, triangle
        else:
            for axis in range(3):
                ray[axis], ray[3 + axis] = surface[LIFTED + axis], memory.direction[axis]
            near, far, purpose = 0.0, np.inf, BOUNCE
            after, seen = -np.inf, np.intp(-1)
            density = found
            corners += 1


@inlined
def _scatter(
    world: World, emitters: Emitters, gaps: Index, key: np.uint64, drawn: int, sample: int, memory: Memory
) -> float:
    """Add light drawn for the surface at hand, and draw where the path goes on; return what `write_scattered` does."""
    ray, surface, throughput = memory.ray, memory.surface, memory.throughput
    length = -1.0 / math.sqrt(ray[3] * ray[3] + ray[4] * ray[4] + ray[5] * ray[5])
    vx, vy, vz = ray[3] * length, ray[4] * length, ray[5] * length
    has_one_lobe, chances = is_matte(surface), Chances(0.0, 0.0, 0.0, 0.0)
    if not has_one_lobe:
        cos_view = surface[SHADING] * vx + surface[SHADING + 1] * vy + surface[SHADING + 2] * vz
        chances = lobe_chances(surface, cos_view)
    keys, has_lights = memory.keys, len(emitters.choices) > 1
    where, index, dimension = 0, np.uint64(0), 2
    if has_lights or drawn > 1:
        where, index = begin_set(key, drawn, sample, keys)
    if has_lights:
        first, second = number_of(keys, where, index, 2), number_of(keys, where, index, 3)
        _add_light(world, emitters, gaps, chances, vx, vy, vz, first, second, memory)
    # The first corner's numbers are of the set that places the camera's ray in its pixel: stratified with it.
    if drawn > 1:
        dimension = 0
    else:
        where, index = begin_set(key, 0, sample, keys)
    first, second = number_of(keys, where, index, dimension), number_of(keys, where, index, dimension + 1)
    if has_one_lobe:
        found = write_matte_scattered(surface, first, second, memory.direction, memory.weight)
    else:
        found = write_scattered(surface, chances, vx, vy, vz, first, second, memory.direction, memory.weight)
    if found != NOWHERE:
        for channel in range(3):
            throughput[channel] *= memory.weight[channel]
    return found


@leaf
def _survives(key: np.uint64, drawn: int, sample: int, events: int, throughput: NDArray[np.float64]) -> bool:
    """Say whether a path goes on, by roulette; what goes on counts for what does not."""
    most = max(throughput[0], throughput[1], throughput[2])
    if not most > 0.0:
        return False
    survival = most / WORTH_FOLLOWING
    if drawn >= LONG:
        survival = min(survival, MOST_SURVIVAL)
    if survival < 1.0:
        if lone_number(key, sample, 2 * events + 1) >= survival:
            return False
        for channel in range(3):
            throughput[channel] /= survival
    return True


@inlined
def _copy(values: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    for place in range(len(out)):
        out[place] = values[place]


@leaf
def _power_heuristic(density: float, other: float) -> float:
    """Return the weight of what was drawn with a density where another way would draw it with `other`."""
    if other <= 0.0:
        return 1.0
    ratio = other / density
    return float(1.0 / (1.0 + ratio * ratio))


@inlined
def _add_background(emitters: Emitters, background: NDArray[np.float64], memory: Memory) -> None:
    """Add what a camera ray sees that met nothing, or only what it passed straight."""
    ray = memory.ray
    for channel in range(3):
        behind = background[channel]
        if background[3] == 0.0:
            behind = sky_radiance(emitters.shine, ray[3], ray[4], ray[5], channel)
        memory.radiance[channel] += memory.throughput[channel] * behind


@inlined
def _add_sky(emitters: Emitters, density: float, memory: Memory) -> None:
    """Add the environment and the suns that a path of some density, or a mirror, has found."""
    ray = memory.ray
    dx, dy, dz = ray[3], ray[4], ray[5]
    weight = 1.0
    if density > 0.0:
        weight = _power_heuristic(density, sky_density(emitters, dx, dy, dz))
    for channel in range(3):
        found = sky_radiance(emitters.shine, dx, dy, dz, channel)
        memory.radiance[channel] += memory.throughput[channel] * weight * found
    for number in range(len(emitters.shine.lights)):
        if not is_in_sun(emitters, number, dx, dy, dz):
            continue
        weight = 1.0
        if density > 0.0:
            weight = _power_heuristic(density, choice_chance(emitters, number) * emitters.disks[number, DENSITY])
        weight *= emitters.disks[number, RADIANCE]
        for channel in range(3):
            found = emitters.shine.lights[number, LIGHT_COLOR + channel]
            memory.radiance[channel] += memory.throughput[channel] * weight * found


@inlined
def _add_emission(world: World, emitters: Emitters, triangle: Index, density: float, memory: Memory) -> None:
    """Add the radiance of the surface that a path of some density, a mirror or the camera has found."""
    surface, ray = memory.surface, memory.ray
    if not max(shown(surface, 0), shown(surface, 1), shown(surface, 2)) > 0.0:
        return
    weight = 1.0
    if density > 0.0:
        way = memory.shadow_ray
        for axis in range(3):
            way[axis], way[3 + axis] = ray[axis], ray[3 + axis] * memory.quest[DISTANCE]
        weight = _power_heuristic(density, triangle_density(emitters, world.mesh, triangle, way))
    for channel in range(3):
        memory.radiance[channel] += memory.throughput[channel] * weight * shown(surface, channel)


@inlined
def _add_light(
    world: World,
    emitters: Emitters,
    gaps: Index,
    chances: Chances,
    vx: float,
    vy: float,
    vz: float,
    first: float,
    second: float,
    memory: Memory,
) -> None:
    """Draw light for the surface at hand by two numbers, and add what gets there and is reflected."""
    surface, ray, light, lit, other = memory.surface, memory.shadow_ray, memory.light, memory.lit, memory.other
    density, is_triangle = write_light(emitters, world.mesh, world.looks, surface, first, second, ray, other, light)
    if density < 0.0:
        return
    far = write_unshadowed(surface, light, memory.ray[3:], ray, lit)
    if not (far > 0.0 and max(lit[0], lit[1], lit[2]) > 0.0):
        return
    weight = 1.0
    if density > 0.0:
        weight = _power_heuristic(density, scattering_density(surface, chances, vx, vy, vz, ray[3], ray[4], ray[5]))
    if is_triangle:
        far = 1.0
        for axis in range(3):
            ray[3 + axis] = other[LIFTED + axis] - ray[axis]
    through, nearest, stack = memory.through, memory.nearest, memory.stack
    met = way_to_light(world, gaps, ray, far, nearest, stack)
    if met == WALL:
        return
    through[0], through[1], through[2] = 1.0, 1.0, 1.0
    if met == VEIL and not write_transmittance(
        world, ray, far, nearest, memory.query, stack, memory.shadow_quest, other, through
    ):
        return
    for channel in range(3):
        share = memory.throughput[channel] * weight * through[channel]
        memory.radiance[channel] += share * lit[channel]
