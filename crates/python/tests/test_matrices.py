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


@pytest.mark.parametrize("p", [2, 3, 65537, 2**64 - 2**32 + 1])
@pytest.mark.parametrize("shape", [(1, 1), (4, 4), (5, 9), (9, 5), (70, 70)])
def test_decompositions_and_spaces(device, rng, p, shape):
    rows, columns = shape
    a = rng.integers(0, min(p, 2**62), shape)
    if rows > 2:
        a[rows - 1] = a[0]
    ours = mc.Matrix(a, p, device=device)
    rank = ours.rank()
    ell, u = ours.lu()[1:]
    assert (ell.shape, u.shape) == ((rows, rank), (rank, columns))
    p_, ell, u = ours.plu()
    assert p_ @ ell @ u == ours
    p_, ell, u, q = ours.pluq()
    assert p_ @ ell @ u @ q == ours
    assert not np.tril(u.numpy()[:, :rank].astype(object), -1).any() and np.diag(u.numpy()).all()
    assert ours.echelon_form() == ours.rref()[0]
    assert not (ours.left_kernel() @ ours).numpy().any() and ours.left_kernel().rank() == rows - rank
    assert ours.kernel() == ours.nullspace()
    assert ours.image().shape == (rows, rank) and ours.image().rank() == rank


@pytest.mark.parametrize("p", [2, 3, 65537])
def test_minimal_polynomials_are_flints(device, rng, p):
    for order in [1, 2, 6]:
        block = [[int(x) for x in row] for row in rng.integers(0, p, (order, order))]
        zeros = [[0] * order] * order
        entries = [x + y for x, y in zip(block, zeros)] + [y + x for x, y in zip(block, zeros)]
        for a in (block, entries):
            theirs = flint.nmod_mat(a, p).minpoly()
            ours = mc.Matrix(a, p, device=device).minpoly()
            assert ours.coeffs().tolist() == [int(value) for value in theirs.coeffs()]


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (2, 5), (5, 2), (6, 6)])
def test_normal_forms_are_flints_and_sympys(device, rng, shape):
    from sympy import ZZ, Matrix
    from sympy.matrices.normalforms import invariant_factors

    for special in range(3):
        a = rng.integers(-9, 10, shape)
        if special == 1:
            a[-1] = a[0]
        if special == 2:
            a = 6 * a
        ours, theirs = mc.IntegerMatrix(a, device=device), flint.fmpz_mat(a.tolist())
        h, u = ours.hermite_form(transformation=True)
        expected = [[int(value) for value in row] for row in theirs.hnf().tolist()]
        assert h.numpy().tolist() == ours.hermite_form().numpy().tolist() == expected
        assert (u.numpy().astype(object) @ a.astype(object)).tolist() == expected and abs(u.det()) == 1
        s, u, v = ours.smith_form()
        expected = [[int(value) for value in row] for row in theirs.snf().tolist()]
        assert s.numpy().tolist() == expected
        product = u.numpy().astype(object) @ a.astype(object) @ v.numpy().astype(object)
        assert product.tolist() == expected and abs(u.det()) == abs(v.det()) == 1
        divisors = ours.elementary_divisors()
        assert divisors == [expected[k][k] for k in range(min(shape))]
        assert divisors == [abs(int(value)) for value in invariant_factors(Matrix(a.tolist()), domain=ZZ)]


def test_minimal_polynomials_of_integers_are_flints(device):
    for a in ([[2, 0, 0], [0, 2, 0], [0, 0, -5]], [[1, 2], [3, 4]], [[0, 0], [0, 0]], [[10**30, 0], [0, 10**30]]):
        ours = mc.IntegerMatrix(a, device=device).minpoly()
        assert ours == [int(value) for value in flint.fmpz_mat(a).minpoly().coeffs()]
    with pytest.raises(ValueError, match="square"):
        mc.IntegerMatrix([[1, 2]], device=device).minpoly()
