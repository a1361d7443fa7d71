"""Rigs as glTF files built from literals: sound ones, in which lint finds nothing, to be posed, traced and spoiled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from posed.fixtures import atlas_png
from tests.gltf_literals import Literal

HALF = math.sqrt(0.5)
QUARTER_TURN_Z = (0.0, 0.0, HALF, HALF)

LIMB = ((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (0.25, 2.0, 0.0), (-0.25, 2.0, 0.0))
"""Where `limb` rests: its vertices 0 and 1 on the hip, 2 and 3 on the knee at (0, 1, 0)."""
BENT = ((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (-1.0, 1.25, 0.0), (-1.0, 0.75, 0.0))
"""The same a quarter turn about the knee's z later: (x, y) is at (-(y - 1), 1 + x)."""
QUAD = ((-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0))


def bounded(file: Literal, values: ArrayLike, dtype: DTypeLike = np.float32, **extra: Any) -> int:
    """Append an accessor with its true min and max and return its index."""
    rows = np.asarray(values, dtype).reshape(len(np.asarray(values)), -1)
    return file.accessor(values, dtype, min=rows.min(axis=0).tolist(), max=rows.max(axis=0).tolist(), **extra)


def animate(file: Literal, *channels: tuple[int | None, str, Sequence[float], ArrayLike, str], **extra: Any) -> int:
    """Append a clip whose key times have their true min and max and return its index."""
    clip = file.animation(*channels, **extra)
    for sampler, (_, _, times, _, _) in zip(file.root["animations"][clip]["samplers"], channels, strict=True):
        file.root["accessors"][sampler["input"]] |= {"min": [min(times)], "max": [max(times)]}
    return clip


def limb() -> Literal:
    """A card of two triangles on two joints; clip "Bend" turns the knee by a quarter about z within a second.

    Node 0 "body" carries mesh 0 under skin 0; joint 0 is node 1 "hip" at the origin, joint 1 node 2 "knee", its child
    one metre up. Accessors: 0 positions, 1 normals, 2 joints, 3 weights, 4 indices, 5 inverse binds, 6 times, 7 values.
    """
    file = Literal(scenes=[{"nodes": [0, 1]}], materials=[{"name": "skin", "doubleSided": True}])
    primitive = {
        "attributes": {
            "POSITION": bounded(file, LIMB),
            "NORMAL": file.accessor([[0, 0, 1]] * 4),
            "JOINTS_0": file.accessor([[0, 1, 0, 0]] * 4, np.uint8),
            "WEIGHTS_0": file.accessor([[1, 0, 0, 0]] * 2 + [[0, 1, 0, 0]] * 2),
        },
        "indices": file.accessor([0, 1, 2, 0, 2, 3], np.uint16),
        "material": 0,
    }
    file.node(name="body", mesh=file.mesh(primitive, name="body"), skin=0)
    file.node(name="hip", children=[2])
    file.node(name="knee", translation=[0, 1, 0])
    bind = np.stack([np.eye(4), np.eye(4)])
    bind[1, 1, 3] = -1.0
    file.root["skins"] = [{"joints": [1, 2], "inverseBindMatrices": file.accessor(bind)}]
    animate(file, (2, "rotation", (0, 1), [[0, 0, 0, 1], QUARTER_TURN_Z], "LINEAR"), name="Bend")
    return file


def morph_quad() -> Literal:
    """A square of two metres with two morph targets; clip "Smile" brings the first from 0 to 1 within a second.

    Node 0 carries it, at rest with weights (0, 0.5). Target 0 raises vertex 2 by one metre, target 1 moves all of them
    two metres along x, so at rest the square stands one metre to the right.
    """
    file = Literal(scenes=[{"nodes": [0]}])
    raised, moved = np.zeros((4, 3)), np.zeros((4, 3))
    raised[2, 1], moved[:, 0] = 1.0, 2.0
    primitive = {
        "attributes": {"POSITION": bounded(file, QUAD), "NORMAL": file.accessor([[0, 0, 1]] * 4)},
        "indices": file.accessor([0, 1, 2, 0, 2, 3], np.uint16),
        "targets": [{"POSITION": bounded(file, raised)}, {"POSITION": bounded(file, moved)}],
    }
    file.node(name="face", mesh=file.mesh(primitive, name="face"), weights=[0, 0.5])
    animate(file, (0, "weights", (0, 1), [0, 0.5, 1, 0.5], "LINEAR"), name="Smile")
    return file


def sprite_card(folder: Path) -> Path:
    """Write a scene of one card that plays the eight frames of an atlas, 12 a second, and return its path."""
    (folder / "atlas.png").write_bytes(atlas_png(4, 2))
    path = folder / "card.toml"
    path.write_text(SPRITE_CARD)
    return path


SPRITE_CARD = """\
format = 1
rate = 60

[camera]
position = [0.0, 0.0, 3.0]
target = [0.0, 0.0, 0.0]

[meshes.card]
shape = "card"

[materials.sprite]
alpha = "mask"
content = true
unlit = true

[[object]]
name = "hero"
mesh = "card"
material = "sprite"

[object.animation]
atlas = "atlas.png"
grid = [4, 2]
fps = 12
clip = "all"

[object.animation.clips.all]
from = 0
to = 7
"""
