"""What a material, its textures and the vertices' colors make of a surface: the colors and shares of its row.

docs/materials.md says what each number means and which channel of a texture multiplies it.
"""

import math

import numpy as np
from numpy.typing import NDArray

from tracer import tables
from tracer.apart import apart
from tracer.brdf import LEAST_COSINE, coat_fresnel
from tracer.compiling import Index, inlined, leaf
from tracer.materials import AlphaMode
from tracer.sheen import LEAST_ROUGHNESS, sheen_albedo
from tracer.surface_row import (
    ALBEDO,
    ALPHA,
    COAT,
    COAT_NORMAL,
    COAT_ROUGH,
    DIFFUSE,
    EMITTED,
    GRAZING,
    IS_UNLIT,
    PASSES,
    REFLECTANCE,
    ROUGH,
    SHADING,
    SHEEN,
    SHEEN_ALBEDO,
    SHEEN_ROUGH,
    UNDER,
    WITHHELD,
)
from tracer.tables import ENCODED, LINEAR, MATERIAL, Looks, Mesh
from tracer.texture import coordinates, texel

_BLEND = int(AlphaMode.BLEND)


@inlined
def write_appearance(
    mesh: Mesh, looks: Looks, triangle: Index, u: float, v: float, ray: NDArray[np.float64], out: NDArray[np.float64]
) -> None:
    """Write the colors and shares of a surface, from `ALBEDO` on; its normals are written already.

    Parameters
    ----------
    mesh, looks
        The scene.
    triangle, u, v
        The hit.
    ray
        (6,) float64, the ray that found it: coat and sheen look different from aside.
    out
        Written.
    """
    row = looks.materials[mesh.faces[triangle, MATERIAL]]
    write_colors(mesh, looks, triangle, u, v, out)
    metallic, roughness = row[tables.METALLIC], row[tables.ROUGHNESS]
    for channel in range(3):
        out[REFLECTANCE + channel] = row[tables.F0 + channel]
    if row[tables.METALLIC_ROUGHNESS_SLOT] >= 0.0:
        _, green, blue, _ = read_texture(mesh, looks, triangle, u, v, tables.METALLIC_ROUGHNESS_SLOT, LINEAR)
        roughness *= green
        metallic *= blue
    specular = row[tables.SPECULAR]
    out[PASSES] = row[tables.TRANSMISSION]
    out[COAT], out[UNDER] = 0.0, 1.0
    for channel in range(3):
        out[SHEEN + channel] = 0.0
    if row[tables.IS_LAYERED] != 0.0:
        specular *= _write_factors(mesh, looks, triangle, u, v, out)
        _write_layers(mesh, looks, triangle, u, v, ray, out)
    _write_base(metallic, specular, out)
    out[ROUGH] = roughness * roughness
    out[IS_UNLIT] = row[tables.UNLIT]
    out[ALPHA] = min(out[ALPHA], 1.0) if row[tables.ALPHA_MODE] == _BLEND else 1.0


@inlined
def write_colors(mesh: Mesh, looks: Looks, triangle: Index, u: float, v: float, out: NDArray[np.float64]) -> None:
    """Write the base color, its alpha as it is, and the emission of a surface."""
    vertices, face = mesh.vertices, mesh.faces[triangle]
    a, b, c = face[0], face[1], face[2]
    w = 1.0 - u - v
    row = looks.materials[face[MATERIAL]]
    for channel in range(4):
        column = tables.COLOR + channel
        out[ALBEDO + channel] = row[tables.BASE + channel] * (
            w * vertices[a, column] + u * vertices[b, column] + v * vertices[c, column]
        )
    for channel in range(3):
        out[EMITTED + channel] = row[tables.EMISSION + channel]
    if row[tables.COLOR_SLOT] >= 0.0:
        red, green, blue, alpha = read_texture(mesh, looks, triangle, u, v, tables.COLOR_SLOT, ENCODED)
        out[ALBEDO] *= red
        out[ALBEDO + 1] *= green
        out[ALBEDO + 2] *= blue
        out[ALPHA] *= alpha
    if row[tables.EMISSION_SLOT] >= 0.0:
        red, green, blue, _ = read_texture(mesh, looks, triangle, u, v, tables.EMISSION_SLOT, ENCODED)
        out[EMITTED] *= red
        out[EMITTED + 1] *= green
        out[EMITTED + 2] *= blue


@leaf
def read_texture(
    mesh: Mesh, looks: Looks, triangle: Index, u: float, v: float, slot: Index, encoded: Index
) -> tuple[float, float, float, float]:
    """Read the texture in a slot; white where it is empty."""
    texture = np.intp(looks.materials[mesh.faces[triangle, MATERIAL], slot])
    if texture < 0:
        return 1.0, 1.0, 1.0, 1.0
    s, t = coordinates(mesh, looks.materials, triangle, slot, u, v)
    return texel(looks, texture, s, t, encoded)


@inlined
def _write_base(metallic: float, specular: float, out: NDArray[np.float64]) -> None:
    """Mix dielectric and metal; `REFLECTANCE` holds the dielectric's tinted reflectance."""
    strongest = 0.0
    for channel in range(3):
        out[REFLECTANCE + channel] = min(out[REFLECTANCE + channel], 1.0) * specular
        strongest = max(strongest, out[REFLECTANCE + channel])
    for channel in range(3):
        base, dielectric = out[ALBEDO + channel], out[REFLECTANCE + channel]
        out[DIFFUSE + channel] = base * (1.0 - metallic)
        out[REFLECTANCE + channel] = dielectric + (base - dielectric) * metallic
        out[WITHHELD + channel] = strongest + (base - strongest) * metallic
    out[GRAZING] = specular + (1.0 - specular) * metallic


@apart
def _write_factors(mesh: Mesh, looks: Looks, triangle: Index, u: float, v: float, out: NDArray[np.float64]) -> float:
    """Apply the textures of `KHR_materials_specular` and `KHR_materials_transmission`; return the one of strength."""
    red, green, blue, _ = read_texture(mesh, looks, triangle, u, v, tables.SPECULAR_COLOR_SLOT, ENCODED)
    out[REFLECTANCE] *= red
    out[REFLECTANCE + 1] *= green
    out[REFLECTANCE + 2] *= blue
    red, _, _, _ = read_texture(mesh, looks, triangle, u, v, tables.TRANSMISSION_SLOT, LINEAR)
    out[PASSES] *= red
    _, _, _, alpha = read_texture(mesh, looks, triangle, u, v, tables.SPECULAR_SLOT, LINEAR)
    return alpha


@apart
def _write_layers(
    mesh: Mesh, looks: Looks, triangle: Index, u: float, v: float, ray: NDArray[np.float64], out: NDArray[np.float64]
) -> None:
    """Write coat and sheen, and what the viewer sees of what lies under them."""
    row = looks.materials[mesh.faces[triangle, MATERIAL]]
    length = -1.0 / math.sqrt(ray[3] * ray[3] + ray[4] * ray[4] + ray[5] * ray[5])
    vx, vy, vz = ray[3] * length, ray[4] * length, ray[5] * length
    if row[tables.COAT] > 0.0:
        share, _, _, _ = read_texture(mesh, looks, triangle, u, v, tables.COAT_SLOT, LINEAR)
        _, roughness, _, _ = read_texture(mesh, looks, triangle, u, v, tables.COAT_ROUGHNESS_SLOT, LINEAR)
        roughness *= row[tables.COAT_ROUGHNESS]
        cosine = out[COAT_NORMAL] * vx + out[COAT_NORMAL + 1] * vy + out[COAT_NORMAL + 2] * vz
        out[COAT] = row[tables.COAT] * share * coat_fresnel(cosine)
        out[COAT_ROUGH] = roughness * roughness
        out[UNDER] = 1.0 - out[COAT]
    strongest = max(row[tables.SHEEN], row[tables.SHEEN + 1], row[tables.SHEEN + 2])
    if strongest > 0.0:
        red, green, blue, _ = read_texture(mesh, looks, triangle, u, v, tables.SHEEN_COLOR_SLOT, ENCODED)
        out[SHEEN] = row[tables.SHEEN] * red
        out[SHEEN + 1] = row[tables.SHEEN + 1] * green
        out[SHEEN + 2] = row[tables.SHEEN + 2] * blue
        _, _, _, alpha = read_texture(mesh, looks, triangle, u, v, tables.SHEEN_ROUGHNESS_SLOT, LINEAR)
        out[SHEEN_ROUGH] = min(max(row[tables.SHEEN_ROUGHNESS] * alpha, LEAST_ROUGHNESS), 1.0)
        cosine = out[SHADING] * vx + out[SHADING + 1] * vy + out[SHADING + 2] * vz
        out[SHEEN_ALBEDO] = sheen_albedo(max(cosine, LEAST_COSINE), out[SHEEN_ROUGH])
        strongest = max(out[SHEEN], out[SHEEN + 1], out[SHEEN + 2])
        out[UNDER] *= max(1.0 - strongest * out[SHEEN_ALBEDO], 0.0)
