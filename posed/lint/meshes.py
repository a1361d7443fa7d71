"""Findings on meshes: triangles, and attributes that shading needs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posed.arrays import AnyArray, Float32, UInt32
from posed.gltf.document import Record
from posed.lint.asset import Asset, Part
from posed.lint.finding import Finding
from posed.words import counted, noun

NORMAL_WITHIN = 2e-2
"""How far a normal's length may be from 1 before it is named: three signed bytes leave up to 7e-3."""

FLAT_WITHIN = 1e-10
"""Twice a triangle's area over its longest side squared, below which it has none."""

_MODES = {0: "points", 1: "lines", 2: "a line loop", 3: "a line strip"}


def check_meshes(asset: Asset) -> Iterator[Finding]:
    """Yield what is suspicious about each primitive's triangles and attributes."""
    for part in asset.parts:
        with asset.tolerant():
            if "POSITION" not in part.attributes:
                yield asset.finding("P508", part.attributes.pointer, "the primitive has no POSITION")
            elif part.mode in _MODES:
                yield asset.finding("P507", part.record.pointer, f"the primitive draws {_MODES[part.mode]}")
            else:
                yield from _attributes(asset, part)
            if part.positions is not None and part.triangles is not None and part.mode not in _MODES:
                yield from _triangles(asset, part, part.positions, part.triangles)


def _triangles(asset: Asset, part: Part, positions: Float32, triangles: UInt32) -> Iterator[Finding]:
    accessor = part.record.index("indices", len(asset.accessors), "accessors")
    count = len(positions) if accessor is None else asset.accessors.count(accessor)
    if part.mode == 4 and count % 3:
        left = counted(count, "index is", "indices are")
        yield asset.finding("P509", part.record.pointer, f"{left} no whole number of triangles")
    place = part.record.pointer
    flat = _degenerate(positions, triangles)
    if flat.any():
        have = noun(int(flat.sum()), "has", "have")
        what = f"{_of(flat, 'triangle')} {have} no area, the first is {int(flat.argmax())}"
        yield asset.finding("P501", place, what)
    crowded, where = _crowded_edges(positions, triangles[~flat])
    if crowded:
        edges = counted(crowded, "edge belongs", "edges belong")
        yield asset.finding("P502", place, f"{edges} to more than two triangles, the first from vertex {where}")
    used = np.zeros(len(positions), np.bool_)
    used[triangles] = True
    if not used.all():
        loose = noun(int((~used).sum()), "is", "are")
        yield asset.finding(
            "P510",
            part.attributes.place("POSITION"),
            f"{_of(~used, 'vertex', 'vertices')} {loose} in no triangle, the first is {int((~used).argmax())}",
        )


def _degenerate(positions: Float32, triangles: UInt32) -> AnyArray:
    """Return whether each triangle has no area."""
    a, b, c = (positions[triangles[:, corner]].astype(np.float64) for corner in range(3))
    normal = np.cross(b - a, c - a)
    longest = np.maximum.reduce([((q - p) ** 2).sum(axis=1) for p, q in ((a, b), (b, c), (c, a))])
    flat: AnyArray = ~(np.sqrt((normal * normal).sum(axis=1)) > FLAT_WITHIN * longest)
    return flat


def _crowded_edges(positions: Float32, triangles: UInt32) -> tuple[int, int]:
    """Return how many edges more than two triangles share, by position, and a vertex at which one begins."""
    if not len(triangles):
        return 0, 0
    bits = np.ascontiguousarray(positions + np.float32(0.0)).view("V12").ravel()  # adding 0 makes -0 and 0 one place
    _, first, place = np.unique(bits, return_index=True, return_inverse=True)
    corners = place[triangles].astype(np.int64)
    edges = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    edges.sort(axis=1)
    keys, counts = np.unique(edges[:, 0] * len(first) + edges[:, 1], return_counts=True)
    crowded = keys[counts > 2]
    return len(crowded), int(first[crowded[0] // len(first)]) if len(crowded) else 0


def _attributes(asset: Asset, part: Part) -> Iterator[Finding]:
    """Yield what shading lacks, of a primitive of triangles."""
    place = part.attributes.pointer
    index = part.record.index("material", len(asset.records["materials"]), "materials")
    material = Record(asset.path, {}) if index is None else asset.records["materials"][index]
    unlit = material.extension("KHR_materials_unlit") is not None
    if "NORMAL" not in part.attributes:
        if not unlit:
            yield asset.finding("P503", place, "the primitive has no NORMAL")
    else:
        yield from _normals(asset, part)
    if "normalTexture" in material and "TANGENT" not in part.attributes and not unlit:
        yield asset.finding("P504", place, f"material {index} has a normal map and the primitive no TANGENT")
    for pointer, uv in texture_sets(material):
        if f"TEXCOORD_{uv}" not in part.attributes:
            yield asset.finding("P505", place, f"{pointer} reads TEXCOORD_{uv}, which the primitive has not")


def _normals(asset: Asset, part: Part) -> Iterator[Finding]:
    accessor = part.attributes.required_index("NORMAL", len(asset.accessors), "accessors")
    normals = asset.accessors.floats(accessor, ("VEC3",), np.float32, part.attributes, "NORMAL").astype(np.float64)
    lengths = np.sqrt((normals * normals).sum(axis=1))
    off = np.abs(lengths - 1.0)
    if len(off) and float(off.max()) > NORMAL_WITHIN:
        vertex, bad = int(off.argmax()), off > NORMAL_WITHIN
        yield asset.finding(
            "P506",
            part.attributes.place("NORMAL"),
            f"{_of(bad, 'normal')} {noun(int(bad.sum()), 'is', 'are')} not of unit length, at worst "
            f"{lengths[vertex]:.6g} at vertex {vertex}",
        )


def _of(bad: AnyArray, one: str, several: str = "") -> str:
    """Return how many of them are bad, of all: 1 of 4 triangles."""
    return f"{int(bad.sum())} of {counted(len(bad), one, several)}"


def texture_sets(material: Record) -> Iterator[tuple[str, int]]:
    """Yield place and set of texture coordinates of each texture that a material reads, extensions included."""
    for key, value in material.data.items():
        if isinstance(value, dict) and key.endswith("Texture"):
            texture = material.required_record(key)
            moved = texture.extension("KHR_texture_transform")
            uv = texture.integer("texCoord", 0)
            yield texture.pointer, uv if moved is None else moved.integer("texCoord", uv)
        elif isinstance(value, dict) and key != "extras":
            yield from texture_sets(material.required_record(key))
