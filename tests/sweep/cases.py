"""What the sweep traces: every golden scene, every model, and cameras and scenes that put pixel centres on edges."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import posed
import tracer
from posed.stage import scene_posed
from tests.tracer.adversarial import CASES
from tests.tracer.scenes import looking
from tracer.mesh_table import mesh_of
from tracer.tables import PLACE

GOLDEN = Path(__file__).parents[2] / "golden/scenes"

SIZE = (241, 135)
"""Odd, so that the middle row's and the middle column's pixel centres lie on the camera's axes."""


@dataclass(frozen=True)
class Case:
    """A picture to be taken by every configuration."""

    name: str
    scene: tracer.Scene
    camera: tracer.Camera


def cases(word: str = "") -> Iterator[Case]:
    """Yield the cases whose name holds `word`, in an order that is the same everywhere."""
    for name, (made, camera) in CASES.items():
        if word in name:
            yield Case(name, made, camera)
    folder = os.environ.get("POSED_TEST_MODELS", "")
    for path in sorted(GOLDEN.glob("*.toml")) + (sorted(Path(folder).glob("*.gl*")) if folder else []):
        yield from (case for case in _of_file(path, word) if word in case.name)


def _of_file(path: Path, word: str) -> Iterator[Case]:
    """Yield a file's cases: at rest or at three ticks of its own, in the middle of each clip, through three cameras."""
    if word and not word.startswith(path.name) and word not in path.name:
        return
    try:
        scene = posed.load(path)
    except posed.MissingError:  # a codec that is not installed: no picture, on any machine
        return
    for moment, pose in _moments(scene):
        staged = scene_posed(scene, SIZE[0] / SIZE[1], pose)
        yield Case(f"{path.name} {moment}", staged.scene, staged.camera)
        for name, camera in edge_cameras(staged.scene):
            yield Case(f"{path.name} {moment} along {name}", staged.scene, camera)


def _moments(scene: posed.Scene) -> Iterator[tuple[str, posed.Posed]]:
    world = posed.World(scene)
    if any(one.animation is not None for one in scene.objects):
        for tick in (0, 17, 42):
            world.advance(tick)
            yield f"tick {tick}", world.posed()
        return
    yield "at rest", world.posed()
    for one in scene.objects:
        for index, clip in enumerate(one.model.clips):
            world = posed.World(scene)
            world.animate(one.name, index).done()
            world.advance(int(clip.duration * scene.rate / 2))
            yield f"clip {index}", world.posed()


def edge_cameras(made: tracer.Scene) -> Iterator[tuple[str, tracer.Camera]]:
    """Yield cameras that see an edge exactly along the middle row of pixel centres: an open one, and a fold edge-on."""
    mesh = mesh_of(made)
    across = _across(mesh.faces[:, PLACE : PLACE + 3].astype(np.int64))
    corners = made.positions[made.triangles].astype(np.float64)
    lengths = np.sqrt(((np.roll(corners, -1, axis=1) - corners) ** 2).sum(axis=2))
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    for name, candidates in (("an open edge", across < 0), ("a fold", across >= 0)):
        if not (candidates & (lengths > 0.0)).any():
            continue
        face, corner = np.unravel_index(np.where(candidates, lengths, -1.0).argmax(), lengths.shape)
        start, end = corners[face, corner], corners[face, (corner + 1) % 3]
        beside = normals[face] / _length(normals[face])
        if name == "a fold":  # across the direction halfway between both normals, the edge is a silhouette
            other = normals[across[face, corner]]
            beside = beside + other / _length(other)
        yield name, _along(start, end, beside if name == "a fold" else np.cross(end - start, beside))


def _across(places: np.ndarray) -> np.ndarray:
    """Return the only other triangle at each edge of triangles given by places, (F, 3); else -1."""
    starts, ends = places.ravel(), np.roll(places, -1, axis=1).ravel()
    keys = np.minimum(starts, ends) * (places.max() + 1) + np.maximum(starts, ends)
    order = np.argsort(keys, kind="stable")
    _, first, counts = np.unique(keys[order], return_index=True, return_counts=True)
    across = np.full(len(keys), -1)
    pairs = first[counts == 2]
    one, other = order[pairs], order[pairs + 1]
    across[one], across[other] = other // 3, one // 3
    return across.reshape(-1, 3)


def _along(start: np.ndarray, end: np.ndarray, up: np.ndarray) -> tracer.Camera:
    """Return an orthographic camera whose middle row runs from `start` to `end`, with `up` up."""
    middle, right = (start + end) / 2.0, end - start
    length = _length(right)
    if _length(up) == 0.0:
        up = np.array([1.0, 0.0, 0.0]) if abs(right[0]) < 0.5 * length else np.array([0.0, 1.0, 0.0])
    up = up / _length(up)
    toward = np.cross(right / length, up)
    magnification = 0.625 * length * SIZE[1] / SIZE[0]
    return looking(middle + toward * 100.0 * length, middle, up, ymag=magnification, znear=0.0)


def _length(vector: np.ndarray) -> float:
    return math.sqrt(float((vector * vector).sum()))
