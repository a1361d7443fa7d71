"""Scenes from literals: a few triangles in front of a camera at the origin that looks along -Z."""

import io
import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from posed.camera import Camera
from posed.gltf.image import Image
from posed.gltf.material import Material, Texture
from posed.gltf.mesh import Mesh, Primitive
from posed.gltf.model import Model
from posed.gltf.node import Node
from posed.gltf.skin import Skin
from posed.scene.description import Object, Scene
from posed.scene.lights import Environment
from posed.snapshot import Posed

RIGHT_ANGLE = math.pi / 2
"""A field of view whose picture is 2 metres high at a depth of 1 metre."""

QUAD = ((0, 1, 2), (0, 2, 3))
"""Two triangles over the corners lower left, lower right, upper right, upper left."""


def rectangle(left: float, bottom: float, right: float, top: float, z: float) -> list[tuple[float, float, float]]:
    """Corners for `QUAD`, facing +Z."""
    return [(left, bottom, z), (right, bottom, z), (right, top, z), (left, top, z)]


def primitive(
    positions: Sequence[tuple[float, float, float]],
    triangles: Sequence[tuple[int, int, int]] = QUAD,
    **attributes: Any,
) -> Primitive:
    given: dict[str, Any] = {
        "normals": None,
        "tangents": None,
        "uvs": (),
        "colors": None,
        "joints": None,
        "weights": None,
        "material": 0,
    }
    return Primitive(
        index=0,
        positions=np.array(positions, np.float32),
        triangles=np.array(triangles, np.uint32).reshape(-1, 3),
        **given | attributes,
    )


def model(
    *primitives: Primitive,
    material: Material | None = None,
    joints: int = 0,
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0),
) -> Model:
    """One node with one mesh; with `joints`, that many further nodes at the origin are the joints of its skin."""
    nodes = [Node(0, "node", -1, (), mesh=0, skin=0 if joints else None, scale=scale)]
    nodes += [Node(i, f"joint{i}", -1, ()) for i in range(1, joints + 1)]
    skin = Skin(0, "skin", tuple(range(1, joints + 1)), np.tile(np.eye(4), (joints, 1, 1)))
    return Model(
        path=Path("literal.glb"),
        name="literal",
        nodes=tuple(nodes),
        roots=tuple(range(len(nodes))),
        meshes=(Mesh(0, "mesh", primitives),),
        skins=(skin,) if joints else (),
        clips=(),
        materials=(material or Material(),),
        digest="literal",
    )


def camera(*, yfov: float | None = RIGHT_ANGLE, **values: Any) -> Camera:
    return Camera(**{"matrix": np.eye(4), "yfov": yfov, "znear": 0.125} | values)


def scene(*models: Model, looking: Camera | None = None, matrices: Sequence[Any] = ()) -> Scene:
    """Objects "a", "b", ... of the models, each at the origin or at its matrix."""
    places = list(matrices) + [np.eye(4)] * len(models)
    objects = tuple(
        Object(chr(ord("a") + i), one, np.array(place, np.float64))
        for i, (one, place) in enumerate(zip(models, places, strict=False))
    )
    return Scene(Path("literal.toml"), Fraction(60), looking or camera(), Environment(), (), objects)


def posed(**values: Any) -> Posed:
    return Posed(**{"tick": 0, "rate": Fraction(60)} | values)


def translation(x: float, y: float, z: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def picture(texels: Any, **values: Any) -> Texture:
    """A texture of (H, W, 4) uint8 texels."""
    stream = io.BytesIO()
    PIL.Image.fromarray(np.array(texels, np.uint8), "RGBA").save(stream, "PNG")
    return Texture(Image("literal", stream.getvalue(), "literal.png"), **values)
