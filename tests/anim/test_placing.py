"""Vertices under one matrix: by hand, then against the same sums in NumPy, and where no number is."""

import numpy as np
import pytest

from anim import AnimError, Vertices, place
from anim.placing import widen_bounds, write_bounds


def placed(matrix, positions, normals=None, tangents=None, dtype=np.float32):
    """Return what `place` writes, and its sign."""
    given = Vertices(*(None if rows is None else np.array(rows, dtype) for rows in (positions, normals, tangents)))
    out = Vertices(*(None if values is None else np.empty_like(values) for values in given))
    return out, place(given, np.array(matrix, np.float64), out=out)


def affine(rows, translation=(0.0, 0.0, 0.0)):
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = rows, translation
    return out


QUARTER_ABOUT_Z = affine([[0, -1, 0], [1, 0, 0], [0, 0, 1]], (10, 20, 30))


def test_a_quarter_turn_by_hand():
    out, sign = placed(QUARTER_ABOUT_Z, [[1, 2, 3]], [[1, 0, 0]], [[0, 1, 0, 1]])
    assert sign == 1
    assert out.positions.tolist() == [[8, 21, 33]]
    assert out.normals.tolist() == [[0, 1, 0]]
    assert out.tangents.tolist() == [[-1, 0, 0, 1]]


def test_a_mirror_turns_normals_with_their_surface_and_flips_the_handedness():
    out, sign = placed(affine(np.diag([-1.0, 1.0, 1.0])), [[1, 0, 0]], [[1, 0, 0]], [[0, 1, 0, 1]])
    assert sign == -1
    assert out.normals.tolist() == [[-1, 0, 0]]
    assert out.tangents.tolist() == [[0, 1, 0, -1]]


def test_a_normal_stays_at_right_angles_under_an_uneven_scale():
    out, _ = placed(affine(np.diag([1.0, 4.0, 1.0])), [[0, 0, 0]], [[0.6, 0.8, 0.0]])
    # Cofactors of diag(1, 4, 1) are diag(4, 1, 4): (2.4, 0.8, 0) at unit length.
    assert out.normals[0] == pytest.approx(np.array([2.4, 0.8, 0.0]) / np.sqrt(6.4), abs=2.0**-23)


def test_what_a_singular_matrix_flattens_keeps_its_direction():
    out, sign = placed(np.zeros((4, 4)), [[1, 2, 3]], [[0, 0, 2]], [[0, 3, 0, -1]])
    assert sign == 1
    assert out.positions.tolist() == [[0, 0, 0]]
    assert out.normals.tolist() == [[0, 0, 1]]
    assert out.tangents.tolist() == [[0, 1, 0, -1]]


def test_places_are_summed_in_float64_and_rounded_once():
    # One by one, float32 would round 1 + 2^-24 to 1 twice.
    out, _ = placed(affine([[1, 2.0**-24, 2.0**-24], [0, 1, 0], [0, 0, 1]]), [[1, 1, 1]])
    assert out.positions[0, 0] == 1.0 + 2.0**-23


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_same_sums_in_numpy(dtype):
    source = np.random.default_rng(5)
    matrix = affine(source.normal(size=(3, 3)), source.normal(size=3))
    positions = source.normal(size=(200, 3)).astype(dtype)
    out, _ = placed(matrix, positions, dtype=dtype)
    x, y, z = positions.astype(np.float64).T[:, :, None]
    expected = matrix[:3, 0] * x + matrix[:3, 1] * y + matrix[:3, 2] * z + matrix[:3, 3]
    assert out.positions.tobytes() == expected.astype(dtype).tobytes()


def test_rows_of_a_larger_array_are_written_and_no_others():
    whole = np.full((4, 3), 7.0, np.float32)
    place(Vertices(np.ones((2, 3), np.float32)), np.eye(4), out=Vertices(whole[1:3]))
    assert whole.tolist() == [[7, 7, 7], [1, 1, 1], [1, 1, 1], [7, 7, 7]]


def test_no_vertices_are_placed_anywhere():
    out, sign = placed(affine(np.diag([1.0, -1.0, 1.0])), np.zeros((0, 3)))
    assert (out.positions.shape, sign) == ((0, 3), -1)


def test_a_vertex_past_its_type_is_named():
    far = affine(np.eye(3), (1e39, 0, 0))
    with pytest.raises(AnimError) as caught:
        placed(far, [[0, 0, 0]])
    assert str(caught.value) == "vertex 0 is posed to [1e+39, 0.0, 0.0], which is no finite place in float32"
    assert placed(far, [[0, 0, 0]], dtype=np.float64)[0].positions.tolist() == [[1e39, 0, 0]]


def test_bounds_are_those_of_the_placed_corners():
    box = np.empty(6)
    write_bounds(np.array([[1, 2, 3], [-1, 5, 3]], np.float32), box)
    assert box.tolist() == [-1, 2, 3, 1, 5, 3]
    bounds = np.array([np.inf] * 3 + [-np.inf] * 3)
    widen_bounds(box, QUARTER_ABOUT_Z, bounds)
    assert bounds.tolist() == [5, 19, 33, 8, 21, 33]
    widen_bounds(box, np.eye(4), bounds)
    assert bounds.tolist() == [-1, 2, 3, 8, 21, 33]
