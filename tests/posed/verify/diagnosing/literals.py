"""An arm from literals, everything on it that a renderer can get wrong, and what a wrong renderer makes of it.

The wrong side is made here in plain NumPy, float64, with nothing of what is tested.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import posed
import tracer
from posed.frame import Frame, Provenance
from posed.stage import stage, stage_camera
from posed.verify.diagnosing import Diagnosis
from tests.gltf_literals import Literal

Floats = NDArray[np.float64]

LAYERS = ("object", "part", "triangle", "depth", "normal")
SIZE = (96, 128)
HALF_WIDTH = 0.2
ROWS = 13
"""Rings of vertices, unless said otherwise: a quarter of a metre apart."""

CAMERA = """\
format = 1
rate = 60
[camera]
position = [0.6, 1.4, 7.0]
target = [0.0, 1.4, 0.0]
fov = 30.0
[environment]
color = [0.1, 0.2, 0.3]
[[light]]
kind = "sun"
direction = [-0.5, -1.0, -0.7]
intensity = 2.0
[meshes.arm]
file = "arm.glb"
[[object]]
name = "arm"
mesh = "arm"
"""

ANIMATED = '[object.animation]\nclip = "bend"\n'

BOX = """\
[meshes.box]
shape = "box"
size = 0.4
[[object]]
name = "box"
mesh = "box"
[object.motion]
times = [0.0, 2.0]
positions = [[-1.0, 0.5, 0.0], [-1.0, 2.5, 0.0]]
"""

TWO_ARMS = """\
[[object]]
name = "other"
mesh = "arm"
position = [-0.8, 0.4, 0.5]
[object.animation]
clip = "bend"
speed = 0.7
"""


def turn(axis: str, degrees: float) -> list[float]:
    """A quaternion about one axis."""
    half = np.radians(degrees) / 2.0
    return [float(np.sin(half)) if name == axis else 0.0 for name in "xyz"] + [float(np.cos(half))]


def arm_file(
    *,
    influences: int = 4,
    weight_sum: float = 1.0,
    morphs: bool = False,
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0),
    node: Mapping[str, Any] | None = None,
    material: Mapping[str, Any] | None = None,
    rings: int = ROWS,
    sides: int = 4,
) -> Literal:
    """An upright square column on a shoulder at the origin, an elbow a metre above it and a wrist another metre above.

    The joints are listed elbow, wrist, shoulder. They are bound straight, and rest with the elbow bent by 25 degrees.
    The clip `bend`, of 50.3 ticks at 60 a second, bends the elbow to 80 degrees, turns the shoulder and, with `morphs`,
    swells the upper half by up to 0.4 m; `wave` swings the wrist. With more than four influences the fifth to seventh
    take a fifth each. `scale` is the shoulder's, `node` goes to the skinned node; of `rings` of `sides` vertices each.
    """
    literal = Literal()
    heights = np.repeat(np.linspace(0.0, 3.0, rings), sides)
    around = 2.0 * np.pi * (np.arange(sides) / sides + 0.375)
    corners = np.tile(np.stack([np.cos(around), -np.sin(around)], axis=1), (rings, 1)) * HALF_WIDTH * np.sqrt(2.0)
    positions = np.stack([corners[:, 0], heights, -corners[:, 1]], axis=1)
    outward = np.stack([corners[:, 0], 0 * heights, -corners[:, 1]], axis=1)
    normals = outward / np.linalg.norm(outward, axis=1, keepdims=True)
    triangles = []
    for row in range(rings - 1):
        for side in range(sides):
            a, b = sides * row + side, sides * row + (side + 1) % sides
            triangles += [[a, a + sides, b + sides], [a, b + sides, b]]
    attributes = {"NORMAL": literal.accessor(normals)}
    joints, weights = _influences(heights, influences)
    for number in range(joints.shape[1] // 4):
        own = slice(4 * number, 4 * number + 4)
        attributes[f"JOINTS_{number}"] = literal.accessor(joints[:, own], np.uint8)
        attributes[f"WEIGHTS_{number}"] = literal.accessor(weight_sum * weights[:, own])
    primitive = literal.primitive(positions, **attributes)
    primitive["indices"] = literal.accessor(np.array(triangles).ravel(), np.uint16)
    primitive["material"] = 0
    literal.root["materials"] = [{"doubleSided": False, **(material or {})}]
    mesh: dict[str, Any] = {}
    if morphs:
        swell = np.where(heights[:, None] > 1.4, np.array([[1.0, 0.0, 0.5]]), 0.0)
        primitive["targets"] = [{"POSITION": literal.accessor(swell)}]
        mesh["weights"] = [0.1]
    literal.node(name="shown", mesh=literal.mesh(primitive, name="arm", **mesh), skin=0, **(node or {}))
    literal.node(name="shoulder", children=[2], scale=list(scale))
    literal.node(name="elbow", translation=[0, 1, 0], rotation=turn("z", 25.0), children=[3])
    literal.node(name="wrist", translation=[0, 1, 0])
    bind = np.tile(np.eye(4), (3, 1, 1))
    bind[:, 1, 3] = [-1.0, -2.0, 0.0]
    literal.root["skins"] = [{"joints": [2, 3, 1], "inverseBindMatrices": literal.accessor(bind)}]
    end = 50.3 / 60.0
    channels: list[Any] = [
        (2, "rotation", [0.0, end], [turn("z", 0.0), turn("z", 80.0)], "LINEAR"),
        (1, "rotation", [0.0, end], [turn("y", 0.0), turn("y", 50.0)], "LINEAR"),
    ]
    if morphs:
        channels.append((0, "weights", [0.0, end], [0.0, 0.4], "LINEAR"))
    literal.animation(*channels, name="bend")
    literal.animation((3, "rotation", [0.0, 0.3, 0.9], [turn("z", a) for a in (40, -60, 40)], "LINEAR"), name="wave")
    return literal


def _influences(heights: Floats, count: int) -> tuple[Floats, Floats]:
    """Joints and weights (V, 4 or 8): from the shoulder to the elbow below 1 m, on to the wrist above."""
    upper = np.clip(heights, 0.0, 1.0)
    last = np.clip(heights - 1.0, 0.0, 1.0)
    shoulder, elbow, wrist = 1.0 - upper, upper - last, last
    none = 0.0 * heights
    joints, weights = [2 + none, none, 1 + none, none], [shoulder, elbow, wrist, none]
    if count > 4:  # fifths of the wrist, the shoulder and the elbow come fifth to seventh
        weights = [0.4 * one for one in weights]
        joints += [1 + none, 2 + none, none, none]
        weights += [0.2 + none, 0.2 + none, 0.2 + none, none]
    return np.stack(joints, axis=1), np.stack(weights, axis=1)


def arm(folder: Path, literal: Literal | None = None, text: str = ANIMATED) -> posed.Scene:
    """A scene with an arm and what `text` adds to it."""
    (literal or arm_file()).write(folder, "arm.glb")
    (folder / "arm.toml").write_text(CAMERA + text)
    return posed.load(folder / "arm.toml")


def at(scene: posed.Scene, tick: int, alpha: float = 0.0) -> posed.Posed:
    world = posed.World(scene)
    world.advance(tick)
    return world.posed(alpha)


def drawn(scene: posed.Scene, pose: posed.Posed) -> Frame:
    """What a renderer draws that is right but for its snapshot; it states no tick."""
    frame = posed.trace(scene, pose, size=SIZE, integrator="aov", layers=LAYERS)
    return replace(frame, provenance=Provenance(), camera=None, staged=None)


def drawn_vertices(
    scene: posed.Scene,
    pose: posed.Posed,
    *,
    positions: Floats | None = None,
    normals: Floats | None = None,
    facing: int | None = None,
) -> Frame:
    """What is drawn where the first object's vertices, in the world, or its triangles' fronts are other ones."""
    staged = stage(scene, pose)
    changed: dict[str, Any] = {}
    for name, values, origin in (("positions", positions, staged.origin), ("normals", normals, np.zeros(3))):
        if values is not None:
            rows = getattr(staged, name).copy()
            rows[: len(values)] = values - origin
            changed[name] = rows
    if facing is not None:
        changed["facing"] = np.where(staged.object == 1, facing, staged.facing).astype(np.int8)
    assert pose.camera is not None
    seen = stage_camera(pose.camera, staged.origin)
    traced = tracer.trace(
        replace(staged, **changed), seen, size=SIZE, integrator="aov", samples="center", layers=list(LAYERS)
    )
    return Frame(traced, SIZE, None, scene.ids)


def skinned(positions: Any, joints: Any, weights: Any, palette: Any, *, directions: bool = False) -> Floats:
    """Positions, or directions, blended in float64 by the formula of glTF."""
    blended = np.einsum("vk,vkij->vij", weights.astype(float), palette.astype(float)[joints])
    fourth = 0.0 if directions else 1.0
    wide = np.concatenate([positions, np.full((len(positions), 1), fourth)], axis=1)
    moved: Floats = np.einsum("vij,vj->vi", blended, wide)[:, :3]
    return moved


def skinned_normals(normals: Any, joints: Any, weights: Any, palette: Any) -> Floats:
    """Normals turned by the inverse of the blended matrix, transposed, at unit length."""
    blended = np.einsum("vk,vkij->vij", weights.astype(float), palette.astype(float)[joints])[:, :3, :3]
    turned = np.einsum("vji,vj->vi", np.linalg.inv(blended), normals)
    unit: Floats = turned / np.linalg.norm(turned, axis=1, keepdims=True)
    return unit


def with_palette(pose: posed.Posed, palette: Any) -> posed.Posed:
    return replace(pose, palettes={"arm": {0: np.asarray(palette, np.float32)}})


def explains(found: Diagnosis, family: str, share: float = 0.97) -> None:
    """The best hypothesis is of a family and explains nearly all."""
    assert found.best is not None, str(found)
    assert found.best.family == family, str(found)
    assert found.best.share >= share, str(found)
