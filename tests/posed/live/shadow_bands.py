"""Which pixels a frame's shadow bands speak for, judged by rays against the staged triangles."""

import math
from typing import Any

import numpy as np
import trimesh

from posed.frame import Frame
from posed.properties import shown_lights
from posed.scene.description import Scene
from posed.snapshot import Posed

DIRECTIONS = 16
SHARES = (0.0, 0.5, 1.0)


def in_bands(scene: Scene, pose: Posed, reference: Frame, live: Frame, rows: Any, columns: Any) -> Any:
    """Say for each pixel whether the rays of some band disagree: see `posed.ShadowBand`."""
    staged = reference.staged[0]
    mesh = trimesh.Trimesh(staged.positions.astype(np.float64), staged.triangles, process=False)
    faces = {key: i for i, key in enumerate(zip(staged.part.tolist(), staged.triangle.tolist(), strict=True))}
    normals = reference["geometric_normal"][rows, columns].astype(np.float64)
    starts = np.array([_start(staged, faces, reference, y, x) for y, x in zip(rows, columns, strict=True)]).reshape(
        -1, 3
    )
    lights = shown_lights(scene, pose)
    doubtful = np.zeros(len(rows), np.bool_)
    assert live.provenance.shadows is not None
    for band in live.provenance.shadows:
        light = lights[band.light]
        toward = np.broadcast_to(-np.array(light.direction), starts.shape)
        distance = np.ones(len(starts))
        if light.kind != "sun":
            toward = np.array(light.position) - staged.origin - starts
            distance = np.sqrt((toward * toward).sum(axis=1))
            toward = toward / distance[:, None]
        side = np.cross(toward, np.where(np.abs(toward[:, :1]) < 0.8, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]]))
        side /= np.sqrt((side * side).sum(axis=1))[:, None]
        other = np.cross(toward, side)
        facing = (normals * toward).sum(axis=1)
        facing = np.where(np.abs(facing) < 0.02, np.copysign(0.02, facing), facing)
        answers = []
        for share in SHARES:
            for number in range(DIRECTIONS if share else 1):
                angle = 2 * math.pi * number / DIRECTIONS
                aside = (math.cos(angle) * side + math.sin(angle) * other) * (1.5 * share * band.texel * distance)[
                    :, None
                ]
                aside = aside - toward * ((aside * normals).sum(axis=1) / facing)[:, None]  # along the triangle's plane
                for ahead in (1e-4, band.bias):
                    begin = starts + aside + toward * (ahead * distance)[:, None] + 1e-5 * normals
                    answers.append(mesh.ray.intersects_any(begin, toward))
        hit = np.array(answers)
        doubtful |= hit.any(axis=0) & ~hit.all(axis=0)
    return doubtful


def _start(staged: Any, faces: dict[tuple[int, int], int], reference: Frame, y: int, x: int) -> Any:
    """Where the exact shadow ray starts: on the curved surface that a smooth triangle stands for."""
    point = reference["position"][y, x].astype(np.float64) - staged.origin
    face = faces[int(reference["part"][y, x]), int(reference["triangle"][y, x])]
    if staged.flat[face]:
        return point
    u, v = reference["barycentric"][y, x].astype(np.float64)
    corners = staged.triangles[face]
    normals = staged.normals[corners].astype(np.float64)
    weights = np.array([1 - u - v, u, v])
    front = np.sign(((weights[:, None] * normals).sum(axis=0) * reference["normal"][y, x]).sum()) or 1.0
    above = ((point - staged.positions[corners]) * normals).sum(axis=1)
    moved = np.where(above * front < 0, weights * above, 0.0)
    return point - (moved[:, None] * normals).sum(axis=0)
