"""Scenes from literals, and cameras that look at them: what the tests of the tracer are made of."""

import math
from dataclasses import dataclass, replace

import numpy as np

from tracer import Camera, Environment, Material, Scene, Texture

MATTE = Material(metallic=0.0, double_sided=True)
"""White, dielectric, rough, seen from both sides."""

LAMBERT = replace(MATTE, specular=0.0)
"""Diffuse only: its f0 and f90 are 0."""

GLOW = replace(MATTE, base_color=(0.25, 0.5, 1.0, 1.0), unlit=True)
"""Shows (0.25, 0.5, 1) whatever shines on it."""

DARK = Environment()


@dataclass
class Part:
    """Triangles of one object; F triangles, V vertices, in any array-like form."""

    positions: object
    triangles: object
    normals: object = None
    """None: flat"""
    uvs: object = None
    colors: object = None
    tangents: object = None
    material: int = 0
    facing: int = 1
    triangle: object = None
    """None: 1, 2, 3, .."""
    object: int | None = None
    """None: the place among the scene's parts, from 1"""


def scene(*parts, **options):
    """Put parts together; options are those of `Scene`, materials a double-sided white one by default."""
    options.setdefault("materials", (MATTE,))
    arrays = {name: [] for name in ("positions", "normals", "uvs", "colors", "tangents", "triangles", "flat", "facing")}
    arrays |= {name: [] for name in ("object", "part", "triangle", "material")}
    base = 0
    for number, part in enumerate(parts, 1):
        positions = np.array(part.positions, np.float32).reshape(-1, 3)
        triangles = np.array(part.triangles, np.uint32).reshape(-1, 3)
        vertices, faces = len(positions), len(triangles)
        arrays["positions"].append(positions)
        arrays["triangles"].append(triangles + np.uint32(base))
        for name, width, empty in (("normals", 3, 0.0), ("uvs", 2, 0.0), ("colors", 4, 1.0), ("tangents", 4, 0.0)):
            given = getattr(part, name)
            filler = np.full((vertices, width), empty, np.float32)
            arrays[name].append(filler if given is None else np.array(given, np.float32))
        arrays["flat"].append(np.full(faces, part.normals is None))
        arrays["facing"].append(np.full(faces, part.facing, np.int8))
        arrays["object"].append(np.full(faces, part.object or number, np.uint32))
        arrays["part"].append(np.full(faces, number, np.uint32))
        ids = np.arange(1, faces + 1) if part.triangle is None else np.array(part.triangle)
        arrays["triangle"].append(ids.astype(np.uint32))
        arrays["material"].append(np.full(faces, part.material, np.uint32))
        base += vertices
    empty = {
        "positions": np.zeros((0, 3), np.float32),
        "normals": np.zeros((0, 3), np.float32),
        "uvs": np.zeros((0, 2), np.float32),
        "triangles": np.zeros((0, 3), np.uint32),
        "flat": np.zeros(0, np.bool_),
        "facing": np.zeros(0, np.int8),
    }
    joined = {
        name: np.concatenate(chunks) if chunks else empty.get(name, np.zeros(0, np.uint32))
        for name, chunks in arrays.items()
    }
    colors, tangents = joined.pop("colors"), joined.pop("tangents")
    if any(part.colors is not None for part in parts):
        joined["colors"] = colors
    if any(part.tangents is not None for part in parts):
        joined["tangents"] = tangents
    joined["uvs"] = joined["uvs"][None]
    return Scene(**(joined | options))


def quad(left=-1.0, right=1.0, bottom=-1.0, top=1.0, z=0.0, **options):
    """Make an upright rectangle that faces +Z, of two triangles, uv (0, 0) at its top left."""
    positions = [[left, bottom, z], [right, bottom, z], [right, top, z], [left, top, z]]
    uvs = [[0, 1], [1, 1], [1, 0], [0, 0]]
    return Part(positions, [[0, 1, 2], [0, 2, 3]], uvs=uvs, **options)


def ground(half, y=0.0, **options):
    """Make a square in the plane y that faces up."""
    positions = [[-half, y, half], [half, y, half], [half, y, -half], [-half, y, -half]]
    return Part(positions, [[0, 1, 2], [0, 2, 3]], **options)


def sphere(radius=1.0, center=(0.0, 0.0, 0.0), rows=16, columns=32, smooth=True, **options):
    """Make a closed sphere with one vertex at each pole and no seam."""
    directions = [(0.0, 1.0, 0.0)]
    for row in range(1, rows):
        polar = math.pi * row / rows
        for column in range(columns):
            around = 2.0 * math.pi * column / columns
            directions.append(
                (math.sin(polar) * math.cos(around), math.cos(polar), -math.sin(polar) * math.sin(around))
            )
    directions.append((0.0, -1.0, 0.0))
    triangles = []
    last = len(directions) - 1
    for column in range(columns):
        following = (column + 1) % columns
        triangles.append((0, 1 + column, 1 + following))
        for row in range(rows - 2):
            top, low = 1 + row * columns, 1 + (row + 1) * columns
            triangles.append((top + column, low + column, low + following))
            triangles.append((top + column, low + following, top + following))
        triangles.append((1 + (rows - 2) * columns + column, last, 1 + (rows - 2) * columns + following))
    normals = np.array(directions)
    return Part(normals * radius + np.array(center), triangles, normals=normals if smooth else None, **options)


def looking(eye=(0.0, 0.0, 5.0), target=(0.0, 0.0, 0.0), up=(0.0, 1.0, 0.0), **options):
    """Make a camera at `eye` that looks at `target`; 90 degrees of view unless told otherwise."""
    if "ymag" not in options:
        options.setdefault("yfov", math.pi / 2)
    eye, target, up = (np.array(v, np.float64) for v in (eye, target, up))
    forward = (target - eye) / math.dist(target, eye)
    right = np.cross(forward, up)
    right /= math.sqrt(float((right * right).sum()))
    matrix = np.eye(4)
    matrix[:3, 0], matrix[:3, 1], matrix[:3, 2], matrix[:3, 3] = right, np.cross(right, forward), -forward, eye
    return Camera(matrix, **options)


def texture(texels, **options):
    """Make a texture from (H, W, 4) numbers."""
    return Texture(np.array(texels, np.uint8), **options)
