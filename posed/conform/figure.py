"""A rig's file in the making: a ridge of two slopes on a few joints, said in a few lines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posed.arrays import AnyArray, Float32
from posed.fixtures.glb import GlbWriter

GENERATOR = "posed.conform"

MOVE = "Move"
"""The name of a rig's clip."""

HEIGHTS = (0.0, 0.5, 1.0, 1.5, 2.0)
"""Metres at which a ridge has its rows: four vertices each."""

KNEE = ({0: 1.0}, {0: 1.0}, {0: 0.5, 1: 0.5}, {1: 1.0}, {1: 1.0})
"""Joints and weights of the rows of a limb with its knee in the middle."""


class Shape(NamedTuple):
    """Vertices by rows: positions and unit normals (V, 3) float32, triangles (F, 3)."""

    positions: Float32
    normals: Float32
    triangles: NDArray[np.int64]


class Channel(NamedTuple):
    """What moves a node's `path`: by `interpolation` through `values` at `times`, seconds."""

    node: int
    path: str
    interpolation: str
    times: Sequence[float]
    values: AnyArray


def ridge(heights: Sequence[float] = HEIGHTS, *, half: float = 0.3, depth: float = 0.2) -> Shape:
    """Return a ridge along +Y that faces +Z: two slopes that fall from x = 0 to both sides, each with its own vertices.

    Parameters
    ----------
    heights
        Of its rows, each of four vertices: the left edge, the ridge twice, the right edge.
    half, depth
        Metres from the ridge to an edge, along X and along Z.
    """
    across = np.array([[-half, 0.0], [0.0, depth], [0.0, depth], [half, 0.0]])
    positions = np.array([[x, y, z] for y in heights for x, z in across])
    steep = math.sqrt(half * half + depth * depth)
    left, right = (-depth / steep, 0.0, half / steep), (depth / steep, 0.0, half / steep)
    normals = np.array([left, left, right, right] * len(heights))
    triangles = []
    for row in range(len(heights) - 1):
        for first in (4 * row, 4 * row + 2):
            triangles += [(first, first + 1, first + 5), (first, first + 5, first + 4)]
    return Shape(positions.astype(np.float32), normals.astype(np.float32), np.array(triangles))


def influences(rows: Sequence[Mapping[int, float]]) -> tuple[NDArray[np.int64], Float32]:
    """Return joints and weights, (V, K) with K a multiple of four, of a ridge whose rows follow joints by weight."""
    width = 4 * -(-max(len(row) for row in rows) // 4)
    joints = np.zeros((4 * len(rows), width), np.int64)
    weights = np.zeros((4 * len(rows), width), np.float32)
    for number, row in enumerate(rows):
        for column, (joint, weight) in enumerate(row.items()):
            joints[4 * number : 4 * number + 4, column] = joint
            weights[4 * number : 4 * number + 4, column] = weight
    return joints, weights


def turn(axis: str, degrees: float) -> list[float]:
    """Return the quaternion x, y, z, w of a turn about "x", "y" or "z"."""
    half = math.radians(degrees) / 2.0
    return [math.sin(half) if name == axis else 0.0 for name in "xyz"] + [math.cos(half)]


def moved(node: int, path: str, interpolation: str, times: Sequence[float], values: ArrayLike) -> Channel:
    """Return a channel; values are float32, weights as (N,)."""
    return Channel(node, path, interpolation, times, np.asarray(values, np.float32))


class Figure:
    """A glTF file of nodes, meshes, skins and clips under construction."""

    def __init__(self) -> None:
        self.writer = GlbWriter(GENERATOR)
        self.material = self.writer.add(
            "materials",
            {"name": "clay", "pbrMetallicRoughness": {"baseColorFactor": [0.7, 0.45, 0.3, 1.0], "metallicFactor": 0.0}},
        )

    def node(self, name: str, **facts: Any) -> int:
        """Add a node and return its index."""
        return self.writer.add("nodes", {"name": name, **facts})

    def mesh(self, name: str, *primitives: dict[str, Any], **facts: Any) -> int:
        """Add a mesh and return its index."""
        return self.writer.add("meshes", {"name": name, "primitives": list(primitives), **facts})

    def primitive(self, shape: Shape, attributes: Mapping[str, int] | None = None, **facts: Any) -> dict[str, Any]:
        """Return a primitive of a shape, with further attributes by accessor."""
        return {
            "attributes": {
                "POSITION": self.writer.attribute(shape.positions, bounds=True),
                "NORMAL": self.writer.attribute(shape.normals),
                **(attributes or {}),
            },
            "indices": self.writer.indices(shape.triangles),
            "material": self.material,
            **facts,
        }

    def bound(self, rows: Sequence[Mapping[int, float]] = KNEE) -> dict[str, int]:
        """Return the attributes that bind a ridge's rows to joints, floats in as many sets of four as it takes."""
        joints, weights = influences(rows)
        found = {}
        for number in range(joints.shape[1] // 4):
            some = slice(4 * number, 4 * number + 4)
            kind = np.uint8 if joints.max() < 256 else np.uint16
            found[f"JOINTS_{number}"] = self.writer.attribute(joints[:, some].astype(kind))
            found[f"WEIGHTS_{number}"] = self.writer.attribute(np.ascontiguousarray(weights[:, some]))
        return found

    def skin(self, joints: Sequence[int], binds: Sequence[ArrayLike] | None, **facts: Any) -> int:
        """Add a skin of nodes and their inverse bind matrices, None for a skin without any; return its index."""
        if binds is not None:
            facts["inverseBindMatrices"] = self.writer.accessor(np.asarray(binds, np.float32))
        return self.writer.add("skins", {"joints": list(joints), **facts})

    def clip(self, *channels: Channel, name: str = MOVE) -> int:
        """Add a clip and return its index."""
        samplers, targets = [], []
        for number, one in enumerate(channels):
            times = self.writer.accessor(np.asarray(one.times, np.float32), bounds=True)
            values = self.writer.accessor(one.values)
            samplers.append({"input": times, "output": values, "interpolation": one.interpolation})
            targets.append({"sampler": number, "target": {"node": one.node, "path": one.path}})
        return self.writer.add("animations", {"name": name, "samplers": samplers, "channels": targets})

    def glb(self, *roots: int) -> bytes:
        """Return the file with a scene of these root nodes."""
        self.writer.add("scenes", {"nodes": list(roots)})
        self.writer.document["scene"] = 0
        return self.writer.to_bytes()


def lifted(height: float) -> AnyArray:
    """Return the inverse bind matrix, (4, 4), of a joint that rests upright at a height."""
    matrix = np.eye(4)
    matrix[1, 3] = -height
    return matrix


BODY, HIP, SHIN = 0, 1, 2
"""The nodes of `limb`: the mesh, the root joint and the joint at the knee."""

UPRIGHT = (lifted(0.0), lifted(1.0))
"""The inverse bind matrices of a limb's two joints."""


def limb(
    figure: Figure,
    attributes: Mapping[str, int] | None = None,
    *,
    body: Mapping[str, Any] | None = None,
    hip: Mapping[str, Any] | None = None,
    shin: Mapping[str, Any] | None = None,
    joints: Sequence[int] = (HIP, SHIN),
    binds: Sequence[ArrayLike] | None = UPRIGHT,
    **facts: Any,
) -> None:
    """Add a ridge of two metres on two joints, the second a metre above the first; its roots are nodes 0 and 1.

    Parameters
    ----------
    figure
        Empty so far.
    attributes
        What binds it; `KNEE` unless given.
    body, hip, shin
        Further facts of the nodes.
    joints, binds
        Of the skin.
    facts
        Of the primitive.
    """
    bound = figure.bound() if attributes is None else attributes
    mesh = figure.mesh("ridge", figure.primitive(ridge(), bound, **facts))
    figure.node("body", mesh=mesh, skin=0, **(body or {}))
    figure.node("hip", children=[SHIN], **(hip or {}))
    figure.node("shin", **{"translation": [0.0, 1.0, 0.0], **(shin or {})})
    figure.skin(joints, binds)
