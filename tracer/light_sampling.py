"""Light drawn for a surface: a punctual light, a point of the sun's disk, of an emissive triangle, or of the sky.

One of the scene's emitters is chosen: every punctual light is one, all emissive triangles together are one, and so is
what an environment image has beyond its mean. Half of an emitter's chance is the same for all, half goes by the light
it would give half the scene's diagonal away. A triangle's chance is its area times its material's emission. What is
drawn is handed on as a row of `Shine.lights`, so that the light of all emitters is reflected by one function.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.apart import apart
from tracer.compiling import Index, leaf
from tracer.environment_image import (
    ImageTable,
    image_density,
    image_direction,
    image_table,
    interval,
)
from tracer.exact import area_normal
from tracer.ggx_sampling import circle_point, frame_of
from tracer.lighting import faces, shown
from tracer.materials import AlphaMode
from tracer.scene import Scene
from tracer.sky import image_radiance
from tracer.surface import write_surface
from tracer.surface_row import ALPHA, LIFTED
from tracer.tables import (
    ALPHA_CUTOFF,
    ALPHA_MODE,
    LIGHT_COLOR,
    LIGHT_COLUMNS,
    LIGHT_DIRECTION,
    LIGHT_KIND,
    MATERIAL,
    SUN,
    Looks,
    Mesh,
    Shine,
)
from tracer.texture import alpha_at

_MASK = int(AlphaMode.MASK)

_BELOW_ONE = 1.0 - 2.0**-53


RISE: Final = 0
"""1 minus the cosine of half the sun's angle"""
DENSITY: Final = 1
"""1 over the disk's solid angle, per steradian"""
RADIANCE: Final = 2
"""of a disk that gives 1 lux on what faces it"""


class Emitters(NamedTuple):
    """What shines, and how it is drawn: L punctual lights, E emissive triangles, M materials."""

    shine: Shine
    """the lights and the environment"""

    choices: NDArray[np.float64]
    """(N + 1,) chance of the emitters before: the lights, then the triangles and the image where they are drawn"""
    disks: NDArray[np.float64]
    """(L, 3) of suns, columns as named below; zeros for what is a point"""
    triangles: NDArray[np.int64]
    """(E,)"""
    cumulative: NDArray[np.float64]
    """(E + 1,) chance of the triangles before"""
    density: NDArray[np.float64]
    """(M,) chance per square metre of a triangle among the triangles, by its material"""
    image: ImageTable


class Panorama(NamedTuple):
    """An environment's image with what draws directions from it: worth keeping, as long as the image is the same."""

    image: NDArray[np.float32] | None
    table: ImageTable
    """from `image_table`"""
    mean: float
    """of the radiance that is drawn"""


def panorama_of(image: NDArray[np.float32] | None) -> Panorama:
    """Give what draws directions from an environment's image, or from none."""
    return Panorama(image, *image_table(image))


def emitters_of(
    scene: Scene, mesh: Mesh, shine: Shine, hittable: NDArray[np.intp], panorama: Panorama | None = None
) -> Emitters:
    """Give the emitters of a scene.

    Parameters
    ----------
    scene, mesh, shine
        The scene and its tables.
    hittable
        (F',) triangles with an area.
    panorama
        Of the scene's environment, where it is at hand.
    """
    panorama = panorama or panorama_of(scene.environment.image)
    glow = np.array([max(m.base_color[:3]) if m.unlit else max(m.emission) for m in scene.materials], np.float64)
    glow = np.maximum(glow, 0.0)
    chosen = hittable[glow[scene.material[hittable]] > 0.0] if len(glow) else hittable[:0]
    corners = mesh.vertices[mesh.faces[chosen, :3], :3].astype(np.float64)
    crossed = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    weights = np.sqrt((crossed * crossed).sum(axis=1)) * 0.5 * glow[scene.material[chosen]]
    cumulative = np.concatenate([[0.0], np.cumsum(weights)])
    total = cumulative[-1] if len(chosen) else 1.0
    disks = [disk_of(0.5 * light.angle if light.kind == "sun" else 0.0) for light in scene.lights]
    emitters = Emitters(
        shine,
        _choices(scene, mesh, float(cumulative[-1]), hittable, panorama),
        np.array(disks, np.float64).reshape(-1, 3),
        chosen.astype(np.int64),
        cumulative / total,
        glow / total,
        panorama.table,
    )
    for values in emitters[1:6]:
        values.setflags(write=False)
    return emitters


def _choices(
    scene: Scene, mesh: Mesh, glow: float, hittable: NDArray[np.intp], panorama: Panorama
) -> NDArray[np.float64]:
    """Give the cumulative chances of the emitters; `glow` is the area times emission of all triangles."""
    places = mesh.vertices[np.unique(mesh.faces[hittable, :3]), :3].astype(np.float64)
    squared = float((np.ptp(places, axis=0) ** 2).sum()) / 4.0 if len(places) else 1.0
    given = [max(light.color) * light.intensity / (1.0 if light.kind == "sun" else squared) for light in scene.lights]
    if glow > 0.0:
        given.append(glow / squared)
    if panorama.mean > 0.0:
        given.append(np.pi * panorama.mean)
    chances = np.maximum(np.array(given, np.float64), 0.0)
    total = chances.sum()
    even = np.full(len(chances), 1.0 / max(len(chances), 1))
    return np.concatenate([[0.0], np.cumsum(0.5 * even + 0.5 * chances / total if total > 0.0 else even)])


@leaf
def write_light(
    emitters: Emitters,
    mesh: Mesh,
    looks: Looks,
    surface: NDArray[np.float64],
    first: float,
    second: float,
    ray: NDArray[np.float64],
    source: NDArray[np.float64],
    light: NDArray[np.float64],
) -> tuple[float, bool]:
    """Draw light for a surface.

    Parameters
    ----------
    emitters, mesh, looks
        The scene; there is an emitter.
    surface
        The row of `write_surface` to light.
    first, second
        Numbers in [0, 1).
    ray
        (6,) float64, to work in.
    source
        (43,) float64; written where the light comes from a triangle: its surface.
    light
        (13,) float64; written: a row for `write_unshadowed`, its color divided by the chance of the choice and by the
        density of the direction.

    Returns
    -------
    density
        Per steradian; 0 where no ray could find the light by chance, negative where there is none.
    is_triangle
        Whether the light ends at a triangle, at `LIFTED` of `source`.
    """
    number = interval(emitters.choices, first)
    chance = choice_chance(emitters, number)
    first = min((first - emitters.choices[number]) / chance, _BELOW_ONE)
    if number < len(emitters.shine.lights):
        return _write_punctual(emitters, number, chance, first, second, light), False
    for column in range(LIGHT_COLUMNS):
        light[column] = 0.0
    light[LIGHT_KIND] = SUN
    if number == len(emitters.shine.lights) and len(emitters.triangles) > 0:
        return _write_triangle(emitters, mesh, looks, surface, first, second, ray, source, light), True
    dx, dy, dz = image_direction(emitters.image, first, second)
    density = image_density(emitters.image, dx, dy, dz) * chance
    if density == 0.0:  # rounded across the edge of a texel that is not drawn
        return -1.0, False
    light[LIGHT_DIRECTION], light[LIGHT_DIRECTION + 1], light[LIGHT_DIRECTION + 2] = -dx, -dy, -dz
    for channel in range(3):
        light[LIGHT_COLOR + channel] = image_radiance(emitters.shine.texels, dx, dy, dz, channel) / density
    return density, False


@leaf
def choice_chance(emitters: Emitters, number: Index) -> float:
    """Return the chance of an emitter."""
    return float(emitters.choices[number + 1] - emitters.choices[number])


@leaf
def _write_punctual(
    emitters: Emitters, number: Index, chance: float, first: float, second: float, light: NDArray[np.float64]
) -> float:
    """Write a punctual light; of a sun with an angle, a point of its disk."""
    row, disk = emitters.shine.lights[number], emitters.disks[number]
    for column in range(LIGHT_COLUMNS):
        light[column] = row[column]
    scale, density = 1.0 / chance, 0.0
    if disk[RISE] > 0.0:
        nx, ny, nz = row[LIGHT_DIRECTION], row[LIGHT_DIRECTION + 1], row[LIGHT_DIRECTION + 2]
        x, y, z = cone_direction(disk[RISE], first, second)
        tx, ty, tz, bx, by, bz = frame_of(nx, ny, nz)
        light[LIGHT_DIRECTION] = tx * x + bx * y + nx * z
        light[LIGHT_DIRECTION + 1] = ty * x + by * y + ny * z
        light[LIGHT_DIRECTION + 2] = tz * x + bz * y + nz * z
        density = chance * disk[DENSITY]
        scale = disk[RADIANCE] / density
    for channel in range(3):
        light[LIGHT_COLOR + channel] *= scale
    return density


@leaf
def _write_triangle(
    emitters: Emitters,
    mesh: Mesh,
    looks: Looks,
    surface: NDArray[np.float64],
    first: float,
    second: float,
    ray: NDArray[np.float64],
    source: NDArray[np.float64],
    light: NDArray[np.float64],
) -> float:
    """Write the light of a point of an emissive triangle."""
    place = interval(emitters.cumulative, first)
    below, above = emitters.cumulative[place], emitters.cumulative[place + 1]
    triangle = emitters.triangles[place]
    u, v = triangle_point((first - below) / (above - below), second)
    a, b, c = mesh.faces[triangle, 0], mesh.faces[triangle, 1], mesh.faces[triangle, 2]
    for axis in range(3):
        ray[axis] = surface[LIFTED + axis]
        ray[3 + axis] = (1.0 - u - v) * mesh.vertices[a, axis] + u * mesh.vertices[b, axis]
        ray[3 + axis] += v * mesh.vertices[c, axis] - surface[LIFTED + axis]
    squared = ray[3] * ray[3] + ray[4] * ray[4] + ray[5] * ray[5]
    if squared == 0.0 or not faces(surface, ray[3], ray[4], ray[5]):
        return -1.0
    density = triangle_density(emitters, mesh, triangle, ray)
    if not 0.0 < density < np.inf:
        return -1.0
    _write_source(mesh, looks, triangle, u, v, ray, source)
    row = looks.materials[mesh.faces[triangle, MATERIAL]]
    if np.intp(row[ALPHA_MODE]) == _MASK and alpha_at(mesh, looks, triangle, u, v) < row[ALPHA_CUTOFF]:
        return -1.0
    length = -1.0 / math.sqrt(squared)
    for axis in range(3):
        light[LIGHT_DIRECTION + axis] = ray[3 + axis] * length
        light[LIGHT_COLOR + axis] = source[ALPHA] * shown(source, axis) / density
    return density


@apart
def _write_source(
    mesh: Mesh, looks: Looks, triangle: Index, u: float, v: float, ray: NDArray[np.float64], out: NDArray[np.float64]
) -> None:
    """Do as `write_surface` does."""
    write_surface(mesh, looks, triangle, u, v, ray, out)


@leaf
def triangle_density(emitters: Emitters, mesh: Mesh, triangle: Index, ray: NDArray[np.float64]) -> float:
    """Return the density per steradian with which `write_light` draws the end of a ray on a triangle.

    Parameters
    ----------
    ray
        (6,) float64: origin, and the way from there to the point.
    """
    chance = emitters.density[mesh.faces[triangle, MATERIAL]]
    if chance > 0.0:
        chance *= choice_chance(emitters, len(emitters.shine.lights))
    x, y, z = area_normal(mesh.vertices, mesh.faces, triangle)
    squared = ray[3] * ray[3] + ray[4] * ray[4] + ray[5] * ray[5]
    facing = abs(x * ray[3] + y * ray[4] + z * ray[5])
    if facing == 0.0:
        return np.inf if chance > 0.0 else 0.0
    return float(chance * squared * math.sqrt(squared) * math.sqrt(x * x + y * y + z * z) / facing)


@leaf
def triangle_point(first: float, second: float) -> tuple[float, float]:
    """Return the weights of the second and third vertex of a point evenly spread, from two numbers in [0, 1)."""
    root = math.sqrt(first)
    return 1.0 - root, second * root


@leaf
def cone_direction(rise: float, first: float, second: float) -> tuple[float, float, float]:
    """Return a direction evenly spread over a cone around (0, 0, 1), from two numbers in [0, 1).

    `rise` is 1 minus the cosine of the cone's half angle.
    """
    below, (x, y) = rise * first, circle_point(second)
    sine = math.sqrt(below * (2.0 - below))
    return sine * x, sine * y, 1.0 - below


def disk_of(radius: float) -> tuple[float, float, float]:
    """Give a row of `Emitters.disks` for half the angle of a sun, in radians; zeros for one without."""
    if radius == 0.0:
        return 0.0, 0.0, 0.0
    half, sine = math.sin(0.5 * radius), math.sin(radius)
    return 2.0 * half * half, 1.0 / (4.0 * math.pi * half * half), 1.0 / (math.pi * sine * sine)


@leaf
def sky_density(emitters: Emitters, dx: float, dy: float, dz: float) -> float:
    """Return the density per steradian with which `write_light` draws a direction for the environment."""
    if len(emitters.image.columns) == 0:
        return 0.0
    return image_density(emitters.image, dx, dy, dz) * choice_chance(emitters, len(emitters.choices) - 2)


@leaf
def is_in_sun(emitters: Emitters, number: Index, dx: float, dy: float, dz: float) -> bool:
    """Say whether a unit direction ends on the disk of a light; points have none."""
    rise = emitters.disks[number, RISE]
    if rise == 0.0:
        return False
    row = emitters.shine.lights[number]
    x, y, z = dx + row[LIGHT_DIRECTION], dy + row[LIGHT_DIRECTION + 1], dz + row[LIGHT_DIRECTION + 2]
    return bool(x * x + y * y + z * z <= 2.0 * rise)
