"""Simple shapes as models: plane, box, sphere and card, for grounds, props and sprites."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from posed.arrays import Float64, read_only
from posed.digest import digest
from posed.gltf.mesh import Mesh, Primitive
from posed.gltf.model import Model
from posed.gltf.node import Node

SPHERE_CELLS = 24
"""Cells along each edge of the cube that a sphere is projected from: 6,912 triangles, 0.1 % from round."""

_FACES = (
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    ((0, 0, -1), (-1, 0, 0), (0, 1, 0)),
    ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    ((-1, 0, 0), (0, 0, 1), (0, 1, 0)),
    ((0, 1, 0), (1, 0, 0), (0, 0, -1)),
    ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
)
"""A cube's sides: outward normal, direction of u, direction of -v."""


def shape_model(shape: str, size: tuple[float, ...]) -> Model:
    """Return `shape` as a model of one node, centred at its origin.

    A plane lies in y = 0, facing +Y, `size` along x and z; a card stands in z = 0, facing +Z, `size` along x and y; a
    box has `size` along x, y and z; a sphere has `size` as its diameter. One number stands for all sides. All have
    normals and one set of texture coordinates with (0, 0) at the upper left as seen from the front; a box and a sphere
    show the whole picture on each of six sides.
    """
    match shape:
        case "plane":
            x, z = size * 2 if len(size) == 1 else size
            grids = [_grid(_FACES[4], 1, (x, 0.0, z))]
        case "card":
            x, y = size * 2 if len(size) == 1 else size
            grids = [_grid(_FACES[0], 1, (x, y, 0.0))]
        case "box":
            grids = [_grid(face, 1, size * 3 if len(size) == 1 else size) for face in _FACES]
        case _:
            grids = [_round(_grid(face, SPHERE_CELLS, (1.0, 1.0, 1.0)), size[0]) for face in _FACES]
    return _model(shape, size, grids)


Grid = tuple[Float64, Float64, Float64]
"""Positions (V, 3), normals (V, 3) and texture coordinates (V, 2) of a square of vertices, row by row."""


def _grid(face: tuple[tuple[int, ...], ...], cells: int, size: Iterable[float]) -> Grid:
    normal, across, up = np.array(face, np.float64)
    steps = np.arange(cells + 1) / cells
    v, u = (axis.reshape(-1, 1) for axis in np.meshgrid(steps, steps, indexing="ij"))
    unit = normal / 2 + across * (u - 0.5) + up * (0.5 - v)
    return unit * np.array(tuple(size)), np.broadcast_to(normal, unit.shape), np.concatenate([u, v], axis=1)


def _round(grid: Grid, diameter: float) -> Grid:
    """Project a unit cube's side onto the sphere; the map keeps cells nearly equal (Nowell 2005)."""
    x, y, z = (grid[0] * 2).T
    squares = x * x, y * y, z * z
    normals = np.stack(
        [
            axis * np.sqrt(1 - b / 2 - c / 2 + b * c / 3)
            for axis, b, c in ((x, squares[1], squares[2]), (y, squares[2], squares[0]), (z, squares[0], squares[1]))
        ],
        axis=1,
    )
    return normals * (diameter / 2), normals, grid[2]


def _model(shape: str, size: tuple[float, ...], grids: list[Grid]) -> Model:
    positions, normals, uvs = (np.concatenate(kind) for kind in zip(*grids, strict=True))
    side = math.isqrt(len(grids[0][0]))
    corner = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    cell = np.stack([corner, corner + side, corner + side + 1, corner, corner + side + 1, corner + 1], 1).reshape(-1, 3)
    triangles = np.concatenate([cell + number * side * side for number in range(len(grids))])
    primitive = Primitive(
        index=0,
        positions=read_only(positions, np.float32),
        normals=read_only(normals, np.float32),
        tangents=None,
        uvs=(read_only(uvs, np.float32),),
        colors=None,
        joints=None,
        weights=None,
        triangles=read_only(triangles, np.uint32),
        material=None,
    )
    return Model(
        path=Path(shape),
        name=shape,
        nodes=(Node(0, shape, -1, (), mesh=0),),
        roots=(0,),
        meshes=(Mesh(0, shape, (primitive,)),),
        skins=(),
        clips=(),
        materials=(),
        digest=digest(("shape", shape, size)),
    )
