"""Skinning: hand-worked vertices, then agreement with plain float64 arithmetic over random input."""

import numpy as np
import pytest

import anim
from anim import MorphTarget, skin
from tests.rigs import QUARTER_TURN_Z, two_bone

F32_STEPS = 2e-6  # relative to vertices of about one metre: a dozen roundings in float32


def palette_of(*matrices: np.ndarray) -> np.ndarray:
    return np.array(matrices, dtype=np.float32)


def scaled(x: float, y: float, z: float) -> np.ndarray:
    return np.diag([x, y, z, 1.0])


def moved(x: float, y: float, z: float) -> np.ndarray:
    out = np.eye(4)
    out[:3, 3] = x, y, z
    return out


POINT = np.array([[1.0, 2.0, 3.0]], np.float32)
SLOPE = np.array([[0.6, 0.8, 0.0]], np.float32)


def test_a_bent_elbow_by_hand() -> None:
    pose = anim.Pose(two_bone())
    pose.rotations[1] = QUARTER_TURN_Z
    positions = [[0.0, 0.5, 0.0], [0.0, 2.0, 0.0], [0.0, 1.5, 0.0]]
    weights = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]
    out = skin(positions, None, None, [[0, 1]] * 3, weights, pose.palette())
    # The forearm points along -x from the elbow at (0, 1, 0); the last vertex lies half way between the two places.
    np.testing.assert_allclose(out.positions, [[0.0, 0.5, 0.0], [-1.0, 1.0, 0.0], [-0.25, 1.25, 0.0]], atol=F32_STEPS)
    assert out.positions.dtype == np.float32


def test_a_joint_listed_twice_adds_up() -> None:
    palette = palette_of(np.eye(4), moved(4.0, 0.0, 0.0))
    out = skin(POINT, None, None, [[1, 0, 1]], [[0.25, 0.5, 0.25]], palette)
    assert out.positions.tolist() == [[3.0, 2.0, 3.0]]


def test_influences_of_any_number_agree_with_four() -> None:
    palette = palette_of(np.eye(4), moved(4.0, 0.0, 0.0), scaled(2.0, 2.0, 2.0))
    four = skin(POINT, SLOPE, None, [[0, 1, 2, 0]], [[0.25, 0.25, 0.5, 0.0]], palette)
    eight = skin(POINT, SLOPE, None, [[0, 1, 2, 0, 0, 0, 0, 0]], [[0.25, 0.25, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0]], palette)
    assert four.positions.tobytes() == eight.positions.tobytes()
    assert four.normals.tobytes() == eight.normals.tobytes()


def test_a_normal_stays_at_right_angles_under_an_uneven_scale() -> None:
    out = skin(POINT, SLOPE, None, [[0]], [[1.0]], palette_of(scaled(1.0, 4.0, 1.0)))
    # Cofactors of diag(1, 4, 1) are diag(4, 1, 4): (2.4, 0.8, 0) at unit length.
    np.testing.assert_allclose(out.normals, [[2.4 / np.sqrt(6.4), 0.8 / np.sqrt(6.4), 0.0]], atol=F32_STEPS)


def test_a_mirror_turns_the_sign_and_the_tangents_w_and_leaves_the_normal_outside() -> None:
    tangent = [[0.0, 0.0, 1.0, 1.0]]
    out = skin(POINT, SLOPE, tangent, [[0]], [[1.0]], palette_of(scaled(-1.0, 1.0, 1.0)))
    assert out.signs.tolist() == [-1]
    np.testing.assert_allclose(out.normals, [[-0.6, 0.8, 0.0]], atol=F32_STEPS)
    assert out.tangents.tolist() == [[0.0, 0.0, 1.0, -1.0]]


@pytest.mark.parametrize("scale", [(0.0, 1.0, 1.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)])
def test_a_singular_matrix_gives_finite_unit_normals_and_tangents(scale: tuple[float, float, float]) -> None:
    out = skin(POINT, SLOPE, [[1.0, 0.0, 0.0, -1.0]], [[0]], [[1.0]], palette_of(scaled(*scale)))
    assert np.linalg.norm(out.normals) == pytest.approx(1.0, abs=F32_STEPS)
    assert np.linalg.norm(out.tangents[0, :3]) == pytest.approx(1.0, abs=F32_STEPS)
    assert out.tangents[0, 3] == -1.0


def test_a_scale_whose_cofactors_leave_float32_keeps_the_normal_finite() -> None:
    palette = palette_of(scaled(1e20, 1e20, 1e20))
    with np.errstate(over="ignore", invalid="ignore"):
        out = skin(POINT, SLOPE, None, [[0]], [[1.0]], palette)
    np.testing.assert_allclose(out.normals, SLOPE, atol=F32_STEPS)


def test_a_flattened_normal_keeps_to_the_plane() -> None:
    out = skin(POINT, SLOPE, None, [[0]], [[1.0]], palette_of(scaled(1.0, 1.0, 0.0)))
    # Everything lies in the plane z = 0; the cofactors leave nothing of a normal in it, so the unposed one stays.
    np.testing.assert_allclose(out.normals, SLOPE, atol=F32_STEPS)


@pytest.mark.parametrize("size", [1e-12, 1e-4, 1e4, 1e12])
def test_the_size_of_the_scale_does_not_matter_to_normals(size: float) -> None:
    out = skin(POINT, SLOPE, None, [[0]], [[1.0]], palette_of(scaled(size, size, size)))
    np.testing.assert_allclose(out.normals, SLOPE, atol=F32_STEPS)


def test_morph_deltas_come_before_skinning_and_in_order() -> None:
    target = MorphTarget(positions=[[1.0, 0.0, 0.0]], tangents=[[0.0, 0.0, 1.0]])
    without_position = MorphTarget(normals=[[0.0, 0.0, 1.0]])
    out = skin(
        POINT,
        SLOPE,
        [[1.0, 0.0, 0.0, 1.0]],
        [[0]],
        [[1.0]],
        palette_of(scaled(2.0, 2.0, 2.0)),
        targets=[target, without_position],
        morph_weights=[1.0, 0.5],
    )
    assert out.positions.tolist() == [[4.0, 4.0, 6.0]]
    np.testing.assert_allclose(out.normals, np.array([[0.6, 0.8, 0.5]]) / np.sqrt(1.25), atol=F32_STEPS)
    np.testing.assert_allclose(out.tangents, [[np.sqrt(0.5), 0.0, np.sqrt(0.5), 1.0]], atol=F32_STEPS)


def test_without_joints_everything_follows_the_first_matrix() -> None:
    out = skin(POINT, None, None, None, None, palette_of(moved(1.0, 0.0, 0.0)))
    assert out.positions.tolist() == [[2.0, 2.0, 3.0]]
    assert out.normals is None
    assert out.tangents is None


def test_a_mesh_without_vertices() -> None:
    out = skin(np.empty((0, 3)), None, None, np.empty((0, 4), np.uint32), np.empty((0, 4)), palette_of(np.eye(4)))
    assert out.positions.shape == (0, 3)


def random_mesh(count: int, influences: int) -> tuple[np.ndarray, ...]:
    source = np.random.default_rng(4)
    positions = source.normal(size=(count, 3))
    normals = source.normal(size=(count, 3))
    normals /= np.sqrt((normals**2).sum(axis=1))[:, None]
    tangents = np.concatenate([normals[:, [1, 2, 0]], np.ones((count, 1))], axis=1)
    joints = source.integers(0, 20, (count, influences))
    weights = source.dirichlet(np.ones(influences), count)
    palette = np.tile(np.eye(4), (20, 1, 1))
    palette[:, :3] += 0.3 * source.normal(size=(20, 3, 4))
    return positions, normals, tangents, joints, weights, palette


@pytest.mark.parametrize("influences", [1, 3, 4, 9])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_agrees_with_plain_arithmetic(influences: int, dtype: type) -> None:
    positions, normals, tangents, joints, weights, palette = random_mesh(1000, influences)
    out = skin(positions, normals, tangents, joints, weights, palette, dtype=dtype)
    blended = (weights[:, :, None, None] * palette[joints]).sum(axis=1)
    placed = (blended[:, :3, :3] * positions[:, None, :]).sum(axis=2) + blended[:, :3, 3]
    inverse = np.linalg.inv(blended[:, :3, :3])
    turned = (inverse.transpose(0, 2, 1) * normals[:, None, :]).sum(axis=2)
    turned /= np.sqrt((turned**2).sum(axis=1))[:, None]
    # Float32 loses a nearly singular matrix's normal by its condition; the median tells the arithmetic.
    tolerance = F32_STEPS if dtype is np.float32 else 1e-14
    assert out.positions.dtype == dtype
    assert abs(out.positions - placed).max() < tolerance
    assert np.median(abs(out.normals - turned)) < tolerance
    assert out.signs.tolist() == np.sign(np.linalg.det(blended[:, :3, :3])).astype(int).tolist()


def test_threads_give_the_same_bits() -> None:
    arrays = random_mesh(20_000, 4)
    alone = skin(*arrays)
    together = skin(*arrays, parallel=True)
    assert alone.positions.tobytes() == together.positions.tobytes()
    assert alone.normals.tobytes() == together.normals.tobytes()
    assert alone.tangents.tobytes() == together.tangents.tobytes()


def test_input_is_never_written_to() -> None:
    arrays = random_mesh(10, 4)
    for array in arrays:
        array.flags.writeable = False
    skin(*arrays, targets=[MorphTarget(np.ones((10, 3)))], morph_weights=[1.0], dtype=np.float64)


def test_a_vertex_that_is_nowhere_is_named() -> None:
    positions = [[0.0, 0.0, 0.0], [np.nan, 0.0, 0.0]]
    with pytest.raises(anim.AnimError, match=r"vertex 1 is posed to \[nan, nan, nan\]"):
        skin(positions, None, None, [[0], [0]], [[1.0], [1.0]], palette_of(np.eye(4)))


def test_a_joint_past_the_palette_is_named() -> None:
    with pytest.raises(anim.AnimError, match="vertex 0 has joint 5; the palette has 1"):
        skin(POINT, None, None, [[5]], [[1.0]], palette_of(np.eye(4)))


def test_shapes_that_disagree_are_told() -> None:
    with pytest.raises(anim.AnimError, match=r"normals has shape \(2, 3\); expected \(1, 3\)"):
        skin(POINT, np.zeros((2, 3)), None, [[0]], [[1.0]], palette_of(np.eye(4)))
    with pytest.raises(anim.AnimError, match="1 morph weights for 0 targets"):
        skin(POINT, None, None, [[0]], [[1.0]], palette_of(np.eye(4)), morph_weights=[1.0])
    with pytest.raises(anim.AnimError, match="dtype is int32"):
        skin(POINT, None, None, [[0]], [[1.0]], palette_of(np.eye(4)), dtype=np.int32)


def test_vertices_laid_out_once_are_skinned_to_the_same_bits_each_time() -> None:
    source = np.random.default_rng(6)
    positions, normals = source.normal(size=(300, 3)), source.normal(size=(300, 3))
    tangents = np.column_stack([source.normal(size=(300, 3)), np.ones(300)])
    joints, weights = source.integers(0, 3, (300, 4)), source.dirichlet(np.ones(4), 300)
    targets = [MorphTarget(source.normal(size=(300, 3)), None, source.normal(size=(300, 3)))]
    skinning = anim.Skinning(positions, normals, tangents, joints, weights, targets=targets)
    for weight in (0.0, 0.5, -2.0):
        palette = palette_of(*(np.eye(4) + 0.1 * source.normal(size=(4, 4)) for _ in range(3)))
        again = skinning.pose(palette, [weight])
        once = skin(positions, normals, tangents, joints, weights, palette, targets=targets, morph_weights=[weight])
        for mine, expected in zip(again, once, strict=True):
            assert mine.tobytes() == expected.tobytes()
