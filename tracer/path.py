"""The `path` integrator: all light transport, unbiased.

A path goes from the camera from surface to surface. At each, light is drawn and its way looked at; then a lobe of the
material says where the path goes on, and what it finds there counts too: multiple importance sampling weighs the two.
Surfaces that light passes straight are no corners of a path: the same segment goes on behind them.

Sources: Kajiya, *The Rendering Equation*, SIGGRAPH 1986; Veach, *Robust Monte Carlo Methods for Light Transport
Simulation*, 1997, for the power heuristic and roulette.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.bvh import STACK
from tracer.candidates import Query, new_query
from tracer.compiling import Index, leaf
from tracer.light_sampling import (
    Emitters,
    choice_chance,
    cone_solid_angle,
    is_in_sun,
    sky_density,
    sun_radiance_of_one,
    triangle_density,
    write_light,
)
from tracer.lighting import shown, write_unshadowed
from tracer.materials import AlphaMode, Material
from tracer.pixel_filter import filtered
from tracer.scattering import MIRRORED, NOWHERE, STRAIGHT, scattering_density, write_scattered
from tracer.single_rays import find_surface, write_transmittance
from tracer.sky import sky_radiance
from tracer.sobol import DIMENSIONS, lone_number, pixel_key, write_numbers
from tracer.surface import write_surface
from tracer.surface_row import ALPHA, IS_UNLIT, LIFTED, SURFACE_COLUMNS
from tracer.tables import LIGHT_COLOR, LIGHT_COLUMNS
from tracer.view import FAR, NEAR, write_camera_ray
from tracer.visible import BOUNCE, COLOR, DISTANCE, QUEST_COLUMNS, TRIANGLE, U, V, World

WORTH_FOLLOWING: Final = 0.125
"""Share of the light that reaches the camera below which a path may end by chance.

Ending brighter paths costs more noise than it saves time: with an albedo of 0.8 all round, roulette on the whole share
from the third surface on needs seven times as long for the same error.
"""

LONG: Final = 16
"""Surfaces after which a path may end by chance however bright it is."""

MOST_SURVIVAL: Final = 0.95
"""Chance to go on that not even a white surface then exceeds, so that paths between mirrors end."""


class Memory(NamedTuple):
    """What one thread works in; all arrays but the first two are float64."""

    query: Query
    stack: NDArray[np.int64]
    """(128,) of a tree's traversal"""
    quest: NDArray[np.float64]
    """(10,) the search for the path's next surface"""
    shadow_quest: NDArray[np.float64]
    """(10,) that for what stands before a light"""
    ray: NDArray[np.float64]
    """(6,) the path's segment: origin, direction"""
    shadow_ray: NDArray[np.float64]
    """(6,) toward the light drawn"""
    surface: NDArray[np.float64]
    """(43,) where the path is"""
    other: NDArray[np.float64]
    """(43,) a surface of an emitter, or on the way to it"""
    light: NDArray[np.float64]
    """(13,) the light drawn"""
    lit: NDArray[np.float64]
    """(3,) what is reflected of it if it is seen"""
    through: NDArray[np.float64]
    """(3,) what share of it gets through"""
    direction: NDArray[np.float64]
    """(3,) where the path goes on"""
    weight: NDArray[np.float64]
    """(3,) what that costs"""
    throughput: NDArray[np.float64]
    """(3,) share of what is found that reaches the camera"""
    radiance: NDArray[np.float64]
    """(3,) gathered so far"""
    numbers: NDArray[np.float64]
    """(4,) of the random sequence"""
    sums: NDArray[np.float64]
    """(7,) over a pixel's samples: color and alpha, squares of color"""


def new_memory() -> Memory:
    """Make the memory of one thread."""
    sizes = [QUEST_COLUMNS, QUEST_COLUMNS, 6, 6, SURFACE_COLUMNS, SURFACE_COLUMNS, LIGHT_COLUMNS]
    sizes += [*6 * (3,), DIMENSIONS, 7]
    return Memory(new_query(), np.zeros(STACK, np.int64), *(np.zeros(size) for size in sizes))


def lets_through(materials: tuple[Material, ...]) -> bool:
    """Say whether any material shows what is behind it, wholly or in part."""
    return any(m.alpha_mode != AlphaMode.OPAQUE or m.transmission > 0.0 for m in materials)


@leaf
def write_path(
    world: World,
    emitters: Emitters,
    has_gaps: bool,
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
    has_gaps
        From `lets_through`.
    background
        (4,) float64: red, green, blue and whether it takes the place of the environment (1), or is clear (-1).
    places
        From `filter_table`.
    samples
        Paths a pixel, at least 1.
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
    sums = memory.sums
    for y in range(first_row, last_row):
        for x in range(width):
            key = pixel_key(x, y, seed)
            for column in range(7):
                sums[column] = 0.0
            for sample in range(samples):
                write_numbers(key, 0, sample, memory.numbers)
                across, down = filtered(places, memory.numbers[0]), filtered(places, memory.numbers[1])
                write_camera_ray(view, x + across, y + down, width, height, memory.ray)
                alpha = _follow(world, emitters, has_gaps, view, background, key, sample, bounces, memory)
                for channel in range(3):
                    value = memory.radiance[channel]
                    sums[channel] += value
                    sums[4 + channel] += value * value
                sums[3] += alpha
            for channel in range(4):
                color[y, x, channel] = np.float32(sums[channel] / samples)
            for channel in range(3):
                spread = sums[4 + channel] - sums[channel] * sums[channel] / samples
                if samples > 1:
                    variance[y, x, channel] = np.float32(max(spread, 0.0) / (np.float64(samples) * (samples - 1.0)))


@leaf
def _follow(
    world: World,
    emitters: Emitters,
    has_gaps: bool,
    view: NDArray[np.float64],
    background: NDArray[np.float64],
    key: np.uint64,
    sample: int,
    bounces: int,
    memory: Memory,
) -> float:
    """Follow one path from the camera ray in `memory.ray`; write `memory.radiance` and return its alpha, 0 or 1."""
    ray, surface, throughput, quest = memory.ray, memory.surface, memory.throughput, memory.quest
    numbers = memory.numbers
    for channel in range(3):
        throughput[channel], memory.radiance[channel] = 1.0, 0.0
    toward, aside = numbers[2], numbers[3]
    near, far, purpose = view[NEAR], view[FAR], COLOR
    after, seen = -np.inf, np.intp(-1)
    density, alpha = MIRRORED, 0.0
    corners, drawn, events = 0, 0, 0
    while True:
        find_surface(world, ray, near, far, purpose, after, seen, memory.query, memory.stack, quest)
        if quest[TRIANGLE] < 0.0:
            if corners == 0:
                _add_background(emitters, background, memory)
            else:
                _add_sky(emitters, density, memory)
            return alpha
        triangle = np.intp(quest[TRIANGLE])
        write_surface(world.mesh, world.looks, triangle, quest[U], quest[V], ray, surface)
        events += 1
        if surface[ALPHA] < 1.0 and lone_number(key, sample, 2 * events) >= surface[ALPHA]:
            after, seen = quest[DISTANCE], triangle
            continue
        if corners == 0:
            alpha = 1.0
        _add_emission(world, emitters, triangle, density, memory)
        if surface[IS_UNLIT] != 0.0 or corners >= bounces:
            return alpha
        length = -1.0 / math.sqrt(ray[3] * ray[3] + ray[4] * ray[4] + ray[5] * ray[5])
        vx, vy, vz = ray[3] * length, ray[4] * length, ray[5] * length
        drawn += 1
        write_numbers(key, drawn, sample, numbers)
        if drawn > 1:
            toward, aside = numbers[0], numbers[1]
        if len(emitters.choices) > 1:
            _add_light(world, emitters, has_gaps, vx, vy, vz, memory)
        found = write_scattered(surface, vx, vy, vz, toward, aside, memory.direction, memory.weight)
        if found == NOWHERE:
            return alpha
        for channel in range(3):
            throughput[channel] *= memory.weight[channel]
        if found == STRAIGHT:
            after, seen = quest[DISTANCE], triangle
        else:
            for axis in range(3):
                ray[axis], ray[3 + axis] = surface[LIFTED + axis], memory.direction[axis]
            near, far, purpose = 0.0, np.inf, BOUNCE
            after, seen = -np.inf, np.intp(-1)
            density = found
            corners += 1
        most = max(throughput[0], throughput[1], throughput[2])
        if not most > 0.0:
            return alpha
        survival = most / WORTH_FOLLOWING
        if drawn >= LONG:
            survival = min(survival, MOST_SURVIVAL)
        if survival < 1.0:
            if lone_number(key, sample, 2 * events + 1) >= survival:
                return alpha
            for channel in range(3):
                throughput[channel] /= survival


@leaf
def _power_heuristic(density: float, other: float) -> float:
    """Return the weight of what was drawn with a density where another way would draw it with `other`."""
    if other <= 0.0:
        return 1.0
    ratio = other / density
    return float(1.0 / (1.0 + ratio * ratio))


@leaf
def _add_background(emitters: Emitters, background: NDArray[np.float64], memory: Memory) -> None:
    """Add what a camera ray sees that met nothing, or only what it passed straight."""
    ray = memory.ray
    for channel in range(3):
        behind = background[channel]
        if background[3] == 0.0:
            behind = sky_radiance(emitters.shine, ray[3], ray[4], ray[5], channel)
        memory.radiance[channel] += memory.throughput[channel] * behind


@leaf
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
        radius, weight = emitters.radii[number], 1.0
        if density > 0.0:
            weight = _power_heuristic(density, choice_chance(emitters, number) / cone_solid_angle(radius))
        weight *= sun_radiance_of_one(radius)
        for channel in range(3):
            found = emitters.shine.lights[number, LIGHT_COLOR + channel]
            memory.radiance[channel] += memory.throughput[channel] * weight * found


@leaf
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


@leaf
def _add_light(
    world: World, emitters: Emitters, has_gaps: bool, vx: float, vy: float, vz: float, memory: Memory
) -> None:
    """Draw light for the surface at hand and add what gets there and is reflected."""
    surface, ray, light, lit, other = memory.surface, memory.shadow_ray, memory.light, memory.lit, memory.other
    density, is_triangle = write_light(
        emitters, world.mesh, world.looks, surface, memory.numbers[2], memory.numbers[3], ray, other, light
    )
    if density < 0.0:
        return
    far = write_unshadowed(surface, light, memory.ray[3:], ray, lit)
    if not (far > 0.0 and max(lit[0], lit[1], lit[2]) > 0.0):
        return
    weight = 1.0
    if density > 0.0:
        weight = _power_heuristic(density, scattering_density(surface, vx, vy, vz, ray[3], ray[4], ray[5]))
    if is_triangle:
        far = 1.0
        for axis in range(3):
            ray[3 + axis] = other[LIFTED + axis] - ray[axis]
    search = memory.shadow_quest
    if write_transmittance(world, has_gaps, ray, far, memory.query, memory.stack, search, other, memory.through):
        for channel in range(3):
            share = memory.throughput[channel] * weight * memory.through[channel]
            memory.radiance[channel] += share * lit[channel]
