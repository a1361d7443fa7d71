"""Skinned vertices read back from the device, against the CPU's and against values worked out by hand."""

import math
from typing import Any

import numpy as np
import pytest

from posed.gltf.mesh import MorphTarget, Primitive
from posed.live import Renderer
from posed.skinning import posed_vertices
from posed.verify.geometry import ALLOWANCE
from tests.posed.live.literals import model, posed, primitive, scene

DEGREES = 0.05


def rig(vertices: int, joints: int, influences: int, seed: int, **extra: Any) -> Primitive:
    """Random vertices with as many influences, some of them 0 and some joints twice."""
    rng = np.random.default_rng(seed)

    def directions(*shape: int) -> np.ndarray:
        vectors = rng.normal(size=(*shape, 3))
        return (vectors / np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))).astype(np.float32)

    weights = rng.uniform(size=(vertices, influences)) * (rng.uniform(size=(vertices, influences)) > 0.3)
    weights[:, 0] += 0.1
    weights /= weights.sum(axis=1, keepdims=True)
    tangents = np.concatenate([directions(vertices), rng.choice([-1, 1], (vertices, 1))], axis=1).astype(np.float32)
    return primitive(
        rng.uniform(-1, 1, (vertices, 3)).tolist(),
        rng.integers(0, vertices, (vertices, 3)).tolist(),
        normals=directions(vertices),
        tangents=tangents,
        joints=rng.integers(0, joints, (vertices, influences)).astype(np.uint32),
        weights=weights.astype(np.float32),
        **extra,
    )


def palette(joints: int, seed: int, spread: float) -> np.ndarray:
    """Rotations with non-uniform scales, a mirror among them, spread over some metres."""
    rng = np.random.default_rng(seed)
    matrices = np.tile(np.eye(4), (joints, 1, 1))
    matrices[:, :3, :3] = np.eye(3) + rng.uniform(-0.8, 0.8, (joints, 3, 3))
    matrices[:, :3, 3] = rng.uniform(-spread, spread, (joints, 3))
    matrices[0, :3, 0] *= -1
    return matrices.astype(np.float32)


def angle(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    steps = a.astype(np.float64) - b
    return np.degrees(2 * np.arcsin(np.minimum(np.sqrt((steps * steps).sum(axis=-1)) / 2, 1)))


@pytest.mark.parametrize(("influences", "spread"), [(1, 1.0), (4, 1.0), (11, 1.0), (4, 500.0)])
def test_the_device_skins_as_the_cpu_does(renderer: Renderer, influences: int, spread: float) -> None:
    part = rig(1000, 60, influences, seed=influences)
    joints = palette(60, 3, spread)
    drawn = scene(model(part, joints=60))
    found = renderer.vertices(drawn, posed(palettes={"a": {0: joints}}))[1]
    expected = posed_vertices(part, palette=joints)
    largest = max(np.abs(joints[:, :3, 3]).max(), np.abs(expected.positions).max())
    displacement = np.abs(found.positions - expected.positions).max()
    assert displacement <= ALLOWANCE * largest
    assert expected.normals is not None
    assert expected.tangents is not None
    usable = np.abs(np.linalg.det(blended(part, joints))) > 1e-3
    assert usable.sum() > 900
    assert angle(found.normals[usable], expected.normals[usable]).max() <= DEGREES
    assert angle(found.tangents[usable, :3], expected.tangents[usable, :3]).max() <= DEGREES
    np.testing.assert_array_equal(found.tangents[usable, 3], expected.tangents[usable, 3])
    assert {-1.0, 1.0} == set(found.tangents[:, 3])


def blended(part: Primitive, joints: np.ndarray) -> np.ndarray:
    assert part.joints is not None
    assert part.weights is not None
    return (part.weights[..., None, None] * joints.astype(np.float64)[part.joints][..., :3, :3]).sum(axis=1)


def test_morphs_come_first_in_target_order_and_keep_what_they_lack(renderer: Renderer) -> None:
    rng = np.random.default_rng(8)
    targets = (
        MorphTarget(positions=rng.uniform(-1, 1, (50, 3)).astype(np.float32)),
        MorphTarget(normals=rng.uniform(-1, 1, (50, 3)).astype(np.float32)),
        MorphTarget(*(rng.uniform(-1, 1, (50, 3)).astype(np.float32) for _ in range(3))),
    )
    part = rig(50, 5, 3, seed=1, targets=targets)
    joints, weights = palette(5, 4, 1.0), np.array([0.5, -0.25, 1.5])
    pose = posed(palettes={"a": {0: joints}}, morphs={"a": {0: weights}})
    found = renderer.vertices(scene(model(part, joints=5)), pose)[1]
    expected = posed_vertices(part, palette=joints, morph_weights=weights)
    assert np.abs(found.positions - expected.positions).max() <= ALLOWANCE * np.abs(expected.positions).max()
    assert expected.normals is not None
    usable = np.abs(np.linalg.det(blended(part, joints))) > 1e-2
    assert angle(found.normals[usable], expected.normals[usable]).max() <= DEGREES


def test_two_joints_by_hand(renderer: Renderer) -> None:
    part = primitive(
        [(1, 0, 0), (1, 0, 0), (1, 0, 0)],
        ((0, 1, 2),),
        normals=np.array([[1, 0, 0]] * 3, np.float32),
        joints=np.array([[0, 1]] * 3, np.uint32),
        weights=np.array([[1, 0], [0, 1], [0.5, 0.5]], np.float32),
    )
    joints = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
    joints[1] = [[0, -1, 0, 0], [1, 0, 0, 2], [0, 0, 1, 0], [0, 0, 0, 1]]
    found = renderer.vertices(scene(model(part, joints=2)), posed(palettes={"a": {0: joints}}))[1]
    np.testing.assert_array_equal(found.positions, [[1, 0, 0], [0, 3, 0], [0.5, 1.5, 0]])
    half = math.sqrt(0.5)
    np.testing.assert_allclose(found.normals, [[1, 0, 0], [0, 1, 0], [half, half, 0]], atol=1e-6)
    assert not found.tangents.any()


def test_a_joint_that_flattens_leaves_finite_normals(renderer: Renderer) -> None:
    part = rig(20, 1, 1, seed=2)
    flat = np.zeros((1, 4, 4), np.float32)
    flat[0, 3, 3] = 1
    found = renderer.vertices(scene(model(part, joints=1)), posed(palettes={"a": {0: flat}}))[1]
    assert not found.positions.any()
    np.testing.assert_allclose(np.sqrt((found.normals * found.normals).sum(axis=1)), 1, atol=1e-6)


def test_placed_parts_stay_in_their_own_space(renderer: Renderer) -> None:
    part = primitive([(1, 2, 3), (4, 5, 6), (7, 8, 10)], ((0, 1, 2),))
    far = np.eye(4)
    far[:3, 3] = 1e6
    found = renderer.vertices(scene(model(part)), posed(nodes={"a": {0: far}}))[1]
    np.testing.assert_array_equal(found.positions, part.positions)
    assert not found.normals.any()
