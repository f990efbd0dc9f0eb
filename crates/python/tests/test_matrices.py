"""Matrices beside python-flint and NumPy."""

from fractions import Fraction

import flint
import manycore as mc
import numpy as np
import pytest


@pytest.mark.parametrize("p", [2, 3, 65537, 2147483647, 4611686018326724609, 2**64 - 2**32 + 1])
@pytest.mark.parametrize("n", [1, 2, 7, 33])
def test_square_matrices_are_flints(device, rng, p, n):
    entries = [[int(value) % p for value in row] for row in rng.integers(0, 2**63, (n, n))]
    ours, theirs = mc.Matrix(entries, p, device=device), flint.nmod_mat(entries, p)
    assert ours.det() == int(theirs.det())
    assert ours.rank() == theirs.rank()
    assert (ours @ ours).numpy().tolist() == [[int(value) for value in row] for row in (theirs * theirs).tolist()]
    assert ours.charpoly().coeffs().tolist() == [int(value) for value in theirs.charpoly().coeffs()]
    if int(theirs.det()):
        inverse = ours.inv()
        assert inverse @ ours == mc.Matrix.identity(n, p, device=device) == ours**0
        assert ours**-1 == inverse
        x = ours.solve(np.arange(n)[:, np.newaxis])
        assert (ours @ x).numpy().ravel().tolist() == [value % p for value in range(n)]


def test_rectangular_matrices(device, rng):
    a = rng.integers(0, 7, (5, 9))
    a[4] = a[0] + a[1]
    ours, theirs = mc.Matrix(a, 7, device=device), flint.nmod_mat(a.tolist(), 7)
    reduced, rank = ours.rref()
    right, right_rank = theirs.rref()
    assert rank == right_rank == ours.rank() == len(ours.pivots())
    assert reduced.numpy().tolist() == [[int(value) for value in row] for row in right.tolist()]
    basis = ours.nullspace()
    assert basis.shape == (9, 9 - rank)
    assert not (ours @ basis).numpy().any()
    assert ours.T.T == ours and ours.T.shape == (9, 5)
    assert (ours + ours - ours) == ours and ours * 3 == ours + ours + ours and -ours + ours == ours * 0
    assert ours[0, 1] == a[0, 1] % 7
    assert np.array_equal(np.asarray(ours), a % 7)


def test_integer_matrices_are_flints(device, rng):
    a = rng.integers(-(10**6), 10**6, (8, 8))
    ours, theirs = mc.IntegerMatrix(a, device=device), flint.fmpz_mat(a.tolist())
    assert ours.det() == int(theirs.det()) == mc.det(a, device=device)
    assert ours.rank() == theirs.rank()
    assert ours.charpoly() == [int(value) for value in theirs.charpoly().coeffs()]
    inverse, right = ours.inv(), theirs.inv()
    assert inverse == [[Fraction(int(right[i, j].p), int(right[i, j].q)) for j in range(8)] for i in range(8)]
    b = rng.integers(-9, 9, (8, 2))
    x = ours.solve(b)
    assert all(sum(int(a[i, k]) * x[k][j] for k in range(8)) == b[i, j] for i in range(8) for j in range(2))


def test_large_integers_and_singular_matrices(device):
    large = [[10**40, 1], [1, 10**40]]
    assert mc.IntegerMatrix(large, device=device).det() == 10**80 - 1
    singular = mc.IntegerMatrix([[1, 2], [2, 4]], device=device)
    assert singular.det() == 0 and singular.rank() == 1
    assert singular.nullspace().tolist() == [[-2], [1]]
    with pytest.raises(ZeroDivisionError):
        singular.inv()
    with pytest.raises(ValueError, match="no solution"):
        singular.solve([[1], [3]])
    with pytest.raises(ZeroDivisionError):
        mc.Matrix([[1, 2], [2, 4]], 7, device=device).inv()
    with pytest.raises(ValueError, match="no solution"):
        mc.Matrix([[1, 2], [2, 4]], 7, device=device).solve([[1], [3]])


def test_real_determinants_have_bounds(device, rng):
    a = rng.normal(size=(20, 20))
    found = mc.det(a, device=device)
    assert found.relative_error is not None and found.relative_error < 1e-6
    sign, log = np.linalg.slogdet(a)
    assert found.sign == sign and np.isclose(found.log_abs, log)


def test_what_is_wrong_is_named(device):
    with pytest.raises(ValueError, match="two dimensions"):
        mc.Matrix([1, 2], 7, device=device)
    with pytest.raises(ValueError, match="square"):
        mc.IntegerMatrix([[1, 2]], device=device).det()
    a, b = mc.Matrix([[1, 2]], 7, device=device), mc.Matrix([[1, 2, 3]], 7, device=device)
    with pytest.raises(ValueError):
        a @ b
    with pytest.raises(ValueError):
        a.det()
    with pytest.raises(TypeError):
        mc.IntegerMatrix([[0.5]], device=device)
