"""The colors that a rasterizer with shadow maps and texture units may show where `direct` shows one.

A shadow read from a map is known at the map's texels: near the shadow's edge a light may be seen or not. A texture
unit places a sample to a fraction of a texel. A rasterizer that snaps corners to a grid moves what lies between them,
textures, normals and all, by a fraction of a pixel. These are bounds that are stated; this says what they come to.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tracer.bands import in_parts, per_thread
from tracer.camera import Camera
from tracer.compiling import leaf
from tracer.direct import MOST_LAYERS, new_stack
from tracer.lighting import ambient, shown, write_unshadowed
from tracer.prepared import Prepared
from tracer.scene import Scene
from tracer.settings import checked_background
from tracer.shadow_slack import DARK, LIT, ShadowSlack, Slacks, seen_from, slacks_of
from tracer.sky import sky_radiance
from tracer.surface import write_surface
from tracer.surface_row import (
    ALPHA,
    DIFFUSE,
    IS_UNLIT,
    PASSES,
    SURFACE_COLUMNS,
    UNDER,
)
from tracer.tables import (
    HEIGHT,
    MATERIAL_COLUMNS,
    SLOT_COLUMNS,
    SLOTS,
    WIDTH,
    Looks,
    Shine,
    frozen,
)
from tracer.view import FAR, NEAR, view_of, write_camera_ray
from tracer.visible import COLOR, DISTANCE, QUEST_COLUMNS, TRIANGLE, U, V, World, begin, search_tree


def color_range(
    scene: Scene,
    camera: Camera,
    *,
    size: tuple[int, int],
    pixels: NDArray[np.int64],
    shadows: Sequence[ShadowSlack] | None,
    texel: float = 0.0,
    pixel: float = 0.0,
    background: ArrayLike | str | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the least and the greatest color that may be shown at pixels' centres, (N, 3) float64 linear each.

    Parameters
    ----------
    scene, camera, size, background
        As for `trace`.
    pixels
        (N, 2): column and row.
    shadows
        What a renderer states of its shadows; a light without an entry is exact. None: it states nothing, and each
        edge of a shadow may be off by a pixel of the picture.
    texel
        Texels by which a texture may be read beside its place.
    pixel
        Pixels by which a surface may be drawn beside its place.

    Notes
    -----
    Each bound is tried to four sides while the other is zero; what the two allow is added.
    """
    prepared = Prepared(scene, with_embree=False)
    world, shine, view = prepared.decided(), prepared.shine, view_of(camera, size)
    behind, slacks = checked_background(background), slacks_of(scene, shadows, camera, size)
    memory = per_thread(_new_memory)

    def shown_at(looks: Looks, step: tuple[float, float]) -> Range:
        least, most = np.zeros((len(pixels), 3)), np.zeros((len(pixels), 3))
        places, seen = pixels + (0.5 + np.array(step)), world._replace(looks=looks)

        def write(part: NDArray[np.intp]) -> None:
            row = slice(part[0], part[-1] + 1)
            write_range(seen, shine, view, behind, size, places[row], slacks, memory(), least[row], most[row])

        in_parts(write, np.arange(len(pixels)))
        return least, most

    low, high = centre = shown_at(world.looks, (0.0, 0.0))
    steps = ((-pixel, 0.0), (pixel, 0.0), (0.0, -pixel), (0.0, pixel)) if pixel > 0.0 else ()
    for allowed in (
        [shown_at(looks, (0.0, 0.0)) for looks in _beside(world.looks, texel)],
        [shown_at(world.looks, step) for step in steps],
    ):
        low = low - (centre[0] - np.minimum.reduce([centre[0], *(least for least, _ in allowed)]))
        high = high + (np.maximum.reduce([centre[1], *(most for _, most in allowed)]) - centre[1])
    return np.maximum(low, 0.0), high


def _beside(looks: Looks, texel: float) -> list[Looks]:
    """Return the materials with every texture read a little to each of four sides, none where there is no texture."""
    found: list[Looks] = []
    if texel <= 0.0 or not len(looks.textures):
        return found
    slots = range(SLOTS, MATERIAL_COLUMNS, SLOT_COLUMNS)
    for offset, sides in ((4, WIDTH), (7, HEIGHT)):
        for step in (-texel, texel):
            materials = looks.materials.copy()
            for slot in slots:
                used = np.flatnonzero(materials[:, slot] >= 0.0)
                extent = looks.textures[materials[used, slot].astype(np.intp), sides]
                materials[used, slot + offset] += step / extent
            found.append(looks._replace(materials=frozen(materials)))
    return found


Range = tuple[NDArray[np.float64], NDArray[np.float64]]
"""The least and the greatest color, (N, 3) each."""

Memory = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]
"""What the kernel works in: a surface, a quest, four rays (camera, shadow, beside, frame), two colors, a stack."""


def _new_memory() -> Memory:
    """Make the memory of one thread."""
    return np.zeros(SURFACE_COLUMNS), np.zeros(QUEST_COLUMNS), np.zeros((4, 6)), np.zeros((2, 3)), new_stack()


@leaf
def write_range(
    world: World,
    shine: Shine,
    view: NDArray[np.float64],
    background: NDArray[np.float64],
    size: tuple[int, int],
    places: NDArray[np.float64],
    slacks: Slacks,
    memory: Memory,
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> None:
    """Write the least and the greatest color at places in the picture, (N, 2) in pixels from its top left corner."""
    surface, quest, rays, colors, stack = memory
    ray, lit, passing = rays[0], colors[0], colors[1]
    for pixel in range(len(places)):
        write_camera_ray(view, places[pixel, 0], places[pixel, 1], size[0], size[1], ray)
        passing[0], passing[1], passing[2] = 1.0, 1.0, 1.0
        after, seen = -np.inf, np.int64(-1)
        for _ in range(MOST_LAYERS):
            begin(quest, view[NEAR], view[FAR], COLOR, after, seen)
            search_tree(world, ray, stack, quest)
            if quest[TRIANGLE] < 0.0:
                break
            after, seen = quest[DISTANCE], np.int64(quest[TRIANGLE])
            write_surface(world.mesh, world.looks, seen, quest[U], quest[V], ray, surface)
            _add_surface(world, shine, slacks, after, surface, rays, lit, passing, stack, low[pixel], high[pixel])
            passes = 0.0 if surface[IS_UNLIT] != 0.0 else surface[PASSES] * surface[UNDER]
            for channel in range(3):
                through = surface[ALPHA] * passes * surface[DIFFUSE + channel]
                passing[channel] *= (1.0 - surface[ALPHA]) + through
            if not max(passing[0], passing[1], passing[2]) > 0.0:
                break
        for channel in range(3):
            behind = background[channel]
            if background[3] == 0.0 and passing[channel] > 0.0:
                behind = sky_radiance(shine, ray[3], ray[4], ray[5], channel)
            low[pixel, channel] += passing[channel] * behind
            high[pixel, channel] += passing[channel] * behind


@leaf
def _add_surface(
    world: World,
    shine: Shine,
    slacks: Slacks,
    depth: float,
    surface: NDArray[np.float64],
    rays: NDArray[np.float64],
    lit: NDArray[np.float64],
    passing: NDArray[np.float64],
    stack: NDArray[np.int64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> None:
    """Add what one surface shows: its own light, and of each lamp nothing, all, or either."""
    for channel in range(3):
        own = shown(surface, channel)
        if surface[IS_UNLIT] == 0.0:
            own += ambient(surface, shine, channel)
        low[channel] += passing[channel] * surface[ALPHA] * own
        high[channel] += passing[channel] * surface[ALPHA] * own
    if surface[IS_UNLIT] != 0.0:
        return
    for light in range(len(shine.lights)):
        far = write_unshadowed(surface, shine.lights[light], rays[0, 3:], rays[1], lit)
        if not far > 0.0:
            continue
        answer = seen_from(world, shine.lights[light], light, slacks, depth, surface, rays, far, stack)
        for channel in range(3):
            share = passing[channel] * surface[ALPHA] * lit[channel]
            if answer == LIT:
                low[channel] += share
            if answer != DARK:
                high[channel] += share
