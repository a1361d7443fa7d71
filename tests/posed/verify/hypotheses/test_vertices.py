"""Mistakes of the vertex stage: made on purpose in plain float64, found by name in a frame and in posed vertices."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posed
from posed.gltf.mesh import Primitive
from posed.snapshot import Posed
from posed.verify.vertices import PartVertices, Place, Vertices
from tests.posed.verify.diagnosing.literals import (
    Floats,
    arm,
    arm_file,
    at,
    drawn_vertices,
    explains,
    skinned,
    skinned_normals,
)

TICK = 30
EVERYWHERE = pytest.mark.parametrize("kind", ["frame", "vertices"])


def diagnosed(scene: posed.Scene, truth: Posed, kind: str, **wrong: Floats) -> posed.Diagnosis:
    """Diagnose an arm whose positions or normals, in the world where it stands, are other ones."""
    if kind == "frame":
        return posed.diagnose(scene, drawn_vertices(scene, truth, **wrong), posed=truth, window=5)
    primitive, palette = parts(scene, truth)
    given = {
        "positions": skinned(primitive.positions, primitive.joints, primitive.weights, palette),
        **{name: values.astype(np.float32) for name, values in wrong.items()},
    }
    live = Vertices({Place("arm", 0, 0): PartVertices(given["positions"].astype(np.float32), given.get("normals"))})
    return posed.diagnose(scene, live, posed=truth, window=5)


def parts(scene: posed.Scene, truth: Posed) -> tuple[Primitive, Any]:
    return scene.object("arm").model.meshes[0].primitives[0], truth.palettes["arm"][0]


def claimed(found: posed.Diagnosis) -> str:
    assert found.best is not None
    return found.best.claim


@EVERYWHERE
@pytest.mark.parametrize(
    ("strongest", "normalized", "words"),
    [
        (False, True, "only the first four influences of a vertex count"),
        (
            False,
            False,
            "only the first four influences of a vertex count, their weights not brought to 1 again",
        ),
        (True, True, "only the four strongest influences of a vertex count"),
    ],
)
def test_only_four_influences(tmp_path: Path, kind: str, strongest: bool, normalized: bool, words: str) -> None:
    scene = arm(tmp_path, arm_file(influences=6))
    truth = at(scene, TICK)
    primitive, palette = parts(scene, truth)
    assert primitive.joints is not None
    assert primitive.weights is not None
    joints, weights = primitive.joints.copy(), primitive.weights.astype(float)
    if strongest:
        for vertex in range(len(weights)):
            order = sorted(range(8), key=lambda k, v=vertex: -weights[v, k])  # type: ignore[misc]
            joints[vertex], weights[vertex] = joints[vertex, order], weights[vertex, order]
    joints, weights = joints[:, :4], weights[:, :4]
    if normalized:
        weights = weights / weights.sum(axis=1, keepdims=True)
    found = diagnosed(
        scene,
        truth,
        kind,
        positions=skinned(primitive.positions, joints, weights, palette),
        normals=skinned_normals(primitive.normals, joints, weights, palette),
    )
    explains(found, "only four influences")
    assert claimed(found) == f'object "arm": {words}'


@EVERYWHERE
def test_weights_not_normalized(tmp_path: Path, kind: str) -> None:
    """Weights that sum to 0.9 pull every vertex a tenth of the way to the origin."""
    scene = arm(tmp_path, arm_file(weight_sum=0.9))
    truth = at(scene, TICK)
    primitive, palette = parts(scene, truth)
    right = skinned(primitive.positions, primitive.joints, primitive.weights, palette)
    found = diagnosed(scene, truth, kind, positions=0.9 * right)
    explains(found, "weights not normalized")
    assert claimed(found) == 'object "arm": the weights are not normalized'


@EVERYWHERE
def test_morphs_after_skinning(tmp_path: Path, kind: str) -> None:
    """At tick 30 of 50.3 the target's weight is 0.4 * 30 / 50.3; it swells by (1, 0, 0.5) above 1.4 m, unturned."""
    scene = arm(tmp_path, arm_file(morphs=True))
    truth = at(scene, TICK)
    primitive, palette = parts(scene, truth)
    base = skinned(primitive.positions, primitive.joints, primitive.weights, palette)
    swell = np.where(primitive.positions[:, 1:2] > 1.4, [[1.0, 0.0, 0.5]], 0.0)
    found = diagnosed(scene, truth, kind, positions=base + 0.4 * 30 / 50.3 * swell)
    explains(found, "morphs after skinning")
    assert claimed(found) == 'object "arm": the morph targets are applied after skinning'


@EVERYWHERE
def test_normals_by_the_plain_matrix(tmp_path: Path, kind: str) -> None:
    """The shoulder is stretched along x: right normals lean to z, plain ones to x."""
    scene = arm(tmp_path, arm_file(scale=(3.0, 1.0, 1.0)))
    truth = at(scene, TICK)
    primitive, palette = parts(scene, truth)
    plain = skinned(primitive.normals, primitive.joints, primitive.weights, palette, directions=True)
    plain /= np.linalg.norm(plain, axis=1, keepdims=True)
    found = diagnosed(scene, truth, kind, normals=plain)
    explains(found, "normals by the plain matrix")
    assert claimed(found) == 'object "arm": normals are turned by the plain matrix'


def test_mirrored_triangles_that_keep_their_winding(tmp_path: Path) -> None:
    """The shoulder is mirrored: its triangles turn their other side to the camera, and culling must know."""
    scene = arm(tmp_path, arm_file(scale=(-1.0, 1.0, 1.0)))
    truth = at(scene, TICK)
    found = posed.diagnose(scene, drawn_vertices(scene, truth, facing=1), posed=truth, window=5)
    explains(found, "mirrored winding")
    # All of the arm is mirrored, so that it cannot be told from front and back being swapped everywhere.
    assert claimed(found) == 'object "arm": mirrored triangles keep the winding of the file'
    assert [one.claim for one in found.ties] == ['object "arm": front and back of the triangles are swapped']


def test_front_and_back_swapped(tmp_path: Path) -> None:
    scene = arm(tmp_path)
    truth = at(scene, TICK)
    found = posed.diagnose(scene, drawn_vertices(scene, truth, facing=-1), posed=truth, window=5)
    explains(found, "mirrored winding")
    assert claimed(found) == 'object "arm": front and back of the triangles are swapped'
    assert found.ties == ()
