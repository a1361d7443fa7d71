"""Shadows that are known to a bound: whether rays toward a light agree that start a little beside a surface point."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from anim.scalar import PI, cos, sin
from tracer.camera import Camera
from tracer.compiling import Index, leaf
from tracer.scene import Scene
from tracer.shadow_disk import Disk, meets_disk, slide_of
from tracer.surface_row import GEOMETRIC
from tracer.tables import LIGHT_KIND, LIGHT_POSITION, SUN, frozen
from tracer.view import HALF_HEIGHT, view_of
from tracer.visible import World, met_by_tree, shadowed_by_tree

RINGS: Final = (0.5, 1.0, 1.5)
"""Texels to the side at which rays toward a light start, beside the one in the middle."""

SPOKES: Final = 12
"""Rays on each ring."""

MOST_BIASES: Final = 8.0
"""Biases that a start slides along the light at most: no map follows a plane that all but holds the light."""

_NO_BAND: Final = np.int64(-1)
"""In place of a band's number. As NumPy's: for a Python constant numba would compile a callee anew."""

LIT, DARK, DOUBTFUL = 0, 1, 2
"""What is known of a light at a place."""

# Columns of a row of `Slacks.bands`.
_LIGHT, _TEXEL, _BIAS = 0, 1, 2


@dataclass(frozen=True)
class ShadowSlack:
    """How far the edges of the shadows that some objects cast by one light may lie from the exact ones.

    Attributes
    ----------
    light
        Index of the light.
    objects
        Ids of the objects that cast; None: all.
    texel
        A renderer's answer may be that of any ray toward the light that starts up to 1.5 texels to the side of a
        surface point, on the plane that touches the surface there, which is followed for eight biases along the light.
        Across the light: metres for a sun, metres a metre of distance for the others.
    bias
        Distance toward the light within which it may overlook a surface, in the same unit.
    """

    light: int
    objects: tuple[int, ...] | None
    texel: float
    bias: float


class Slacks(NamedTuple):
    """Shadow slacks as kernels read them: B of them over F triangles."""

    bands: NDArray[np.float64]
    """(B, 3): light, texel, bias"""
    casts: NDArray[np.uint32]
    """(B, F): 1 where a triangle casts in it"""
    steps: NDArray[np.float64]
    """(S, 2): where rays start beside a point, texels across the light"""
    footprint: float
    """above 0, no slack is stated: one of that many pixels counts for every light"""


def slacks_of(scene: Scene, shadows: Sequence[ShadowSlack] | None, camera: Camera, size: tuple[int, int]) -> Slacks:
    """Return slacks as kernels read them; see `color_range`."""
    stated = () if shadows is None else shadows
    objects = int(scene.object.max(initial=0)) + 1
    casts = np.ones((len(stated), len(scene.object)), np.uint32)
    for row, one in enumerate(stated):
        if one.objects is not None:
            marks = np.zeros(objects, np.uint32)
            marks[[number for number in one.objects if number < objects]] = 1
            casts[row] = marks[scene.object]
    turns = [2.0 * PI * spoke / SPOKES for spoke in range(SPOKES)]
    steps = [(0.0, 0.0)] + [(ring * cos(turn), ring * sin(turn)) for ring in reversed(RINGS) for turn in turns]
    bands = np.array([[one.light, one.texel, one.bias] for one in stated], np.float64).reshape(-1, 3)
    footprint = 0.0
    if shadows is None:  # in metres at depth 1, or anywhere for an orthographic camera
        footprint = 2.0 * float(view_of(camera, size)[HALF_HEIGHT]) / size[1]
        footprint *= -1.0 if camera.ymag is not None else 1.0
    return Slacks(bands, frozen(casts), np.array(steps), footprint)


@leaf
def seen_from(
    world: World,
    light: NDArray[np.float64],
    number: int,
    slacks: Slacks,
    depth: float,
    surface: NDArray[np.float64],
    rays: NDArray[np.float64],
    far: float,
    stack: NDArray[np.int64],
) -> int:
    """Say what is known of a light at a surface: that it is seen, that it is not, or neither."""
    if slacks.footprint != 0.0:
        width = slacks.footprint * depth if slacks.footprint > 0.0 else -slacks.footprint
        if light[LIGHT_KIND] != SUN:
            width /= _length(rays[1, 3], rays[1, 4], rays[1, 5])
        return _by_band(world, light, slacks, _NO_BAND, width / RINGS[2], width, surface, rays, far, stack)
    answer, has_band = LIT, False
    for band in range(len(slacks.bands)):
        if np.intp(slacks.bands[band, _LIGHT]) != number:
            continue
        has_band = True
        texel, bias = slacks.bands[band, _TEXEL], slacks.bands[band, _BIAS]
        found = _by_band(world, light, slacks, band, texel, bias, surface, rays, far, stack)
        if found == DARK:
            return DARK
        answer = max(answer, found)
    if not has_band:
        return DARK if shadowed_by_tree(world, rays[1], far, stack) else LIT
    return answer


@leaf
def _by_band(
    world: World,
    light: NDArray[np.float64],
    slacks: Slacks,
    band: Index,
    texel: float,
    bias: float,
    surface: NDArray[np.float64],
    rays: NDArray[np.float64],
    far: float,
    stack: NDArray[np.int64],
) -> int:
    """Say what the objects of one slack, -1 for all, leave of a light: whether rays that start beside agree."""
    toward, beside, frame = rays[1], rays[2], rays[3]
    distance = _length(toward[3], toward[4], toward[5])
    unit = 1.0 if light[LIGHT_KIND] == SUN else distance
    _write_across(toward, distance, frame)
    slant = 0.0
    for axis in range(3):
        slant += surface[GEOMETRIC + axis] * toward[3 + axis] / distance
    casts = slacks.casts[band] if band >= 0 else world.order[:0]
    most = MOST_BIASES * bias * unit
    may_be_lit, may_be_dark = False, False
    for step in range(len(slacks.steps)):
        right, up = slacks.steps[step, 0] * texel * unit, slacks.steps[step, 1] * texel * unit
        rise = 0.0
        for axis in range(3):
            beside[axis] = right * frame[axis] + up * frame[3 + axis]
            rise += beside[axis] * surface[GEOMETRIC + axis]
        slide = slide_of(rise, slant, most)
        for axis in range(3):  # along the light, back to the plane that touches the surface
            beside[axis] += toward[axis] - slide * toward[3 + axis] / distance
        for axis in range(3):
            sun = light[LIGHT_KIND] == SUN
            beside[3 + axis] = toward[3 + axis] if sun else light[LIGHT_POSITION + axis] - beside[axis]
        found = met_by_tree(world, casts, beside, far, bias * unit / distance, stack)
        may_be_dark = may_be_dark or found != 0
        may_be_lit = may_be_lit or found != 2
        if may_be_dark and may_be_lit:
            return DOUBTFUL
    if may_be_dark:
        return DARK
    disk = Disk(distance, light[LIGHT_KIND] == SUN, RINGS[2] * texel * unit, slant, most, bias * unit)
    return DOUBTFUL if meets_disk(world, casts, toward, frame, surface, disk, far, stack) else LIT


@leaf
def _write_across(toward: NDArray[np.float64], distance: float, frame: NDArray[np.float64]) -> None:
    """Write two unit directions at right angles to a ray's and to each other (Duff et al. 2017)."""
    x, y, z = toward[3] / distance, toward[4] / distance, toward[5] / distance
    sign = 1.0 if z >= 0.0 else -1.0
    a = -1.0 / (sign + z)
    b = x * y * a
    frame[0], frame[1], frame[2] = 1.0 + sign * x * x * a, sign * b, -sign * x
    frame[3], frame[4], frame[5] = b, sign + y * y * a, -y


@leaf
def _length(x: float, y: float, z: float) -> float:
    return math.sqrt(x * x + y * y + z * z)
