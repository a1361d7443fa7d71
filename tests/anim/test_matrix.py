"""Matrix kernels against hand-worked values and plain arithmetic."""

import numpy as np
import pytest

from anim import matrix

source = np.random.default_rng(3)
A = np.vstack([source.normal(size=(3, 4)), [0, 0, 0, 1]])
B = np.vstack([source.normal(size=(3, 4)), [0, 0, 0, 1]])
EXACT = 1e-14


def test_identity() -> None:
    out = np.full((4, 4), 7.0)
    matrix.set_identity(out)
    assert np.array_equal(out, np.eye(4))


def test_product() -> None:
    out = np.empty((4, 4))
    matrix.multiply_affine(A, B, out)
    np.testing.assert_allclose(out, A @ B, atol=EXACT)
    assert out[3].tolist() == [0.0, 0.0, 0.0, 1.0]


def test_determinant_counts_mirrors() -> None:
    assert matrix.determinant(np.diag([2.0, -3.0, 4.0, 1.0])) == -24.0
    assert matrix.determinant(A) == pytest.approx(np.linalg.det(A[:3, :3]), abs=EXACT)


def test_cofactors_are_the_inverse_transpose_times_the_determinant() -> None:
    out = np.zeros((3, 3))
    matrix.set_cofactor(A, out)
    np.testing.assert_allclose(out, np.linalg.inv(A[:3, :3]).T * np.linalg.det(A[:3, :3]), atol=EXACT)
    matrix.set_cofactor(np.diag([1.0, 2.0, 0.0, 1.0]), out)
    assert out.tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 2]]


def test_inverse() -> None:
    out = np.empty((4, 4))
    assert matrix.invert_affine(A, out)
    np.testing.assert_allclose(out, np.linalg.inv(A), rtol=1e-12)


def test_a_singular_matrix_has_no_inverse() -> None:
    assert not matrix.invert_affine(np.diag([1.0, 0.0, 1.0, 1.0]), np.empty((4, 4)))
