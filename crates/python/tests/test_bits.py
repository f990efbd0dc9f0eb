"""Matrices modulo 2 beside python-flint, and their bytes beside numpy.packbits."""

import flint
import manycore as mc
import numpy as np
import pytest


def rows(matrix: flint.nmod_mat) -> list[list[int]]:
    return [[int(value) for value in row] for row in matrix.tolist()]


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (3, 0), (1, 1), (2, 7), (8, 8), (9, 63), (5, 64), (65, 65), (3, 130)])
@pytest.mark.parametrize("bitorder", ["big", "little"])
def test_bytes_are_those_of_packbits(device, rng, shape, bitorder):
    entries = rng.integers(0, 2, shape).astype(np.uint8)
    matrix = mc.BitMatrix(entries, device=device)
    packed = np.packbits(entries, axis=1, bitorder=bitorder)
    assert matrix.shape == shape and np.array_equal(matrix.numpy(), entries)
    assert np.array_equal(matrix.packed(bitorder), packed)
    again = mc.BitMatrix.from_packed(packed, shape[1], bitorder, device=device)
    assert again == matrix and hash(again) == hash(matrix)
    if shape[1]:
        # What stands behind the last column counts for nothing.
        dirty = packed | np.packbits(np.arange(8 * packed.shape[1]) >= shape[1], bitorder=bitorder)
        assert mc.BitMatrix.from_packed(dirty, shape[1], bitorder, device=device) == matrix


@pytest.mark.parametrize("n", [1, 2, 7, 64, 70, 129])
def test_square_matrices_are_flints(device, rng, n):
    entries = rng.integers(0, 2, (n, n))
    ours, theirs = mc.BitMatrix(entries, device=device), flint.nmod_mat(entries.tolist(), 2)
    assert ours.det() == int(theirs.det()) and ours.rank() == theirs.rank()
    assert (ours @ ours).numpy().tolist() == rows(theirs * theirs)
    assert ours.rref()[0].numpy().tolist() == rows(theirs.rref()[0])
    unit = mc.BitMatrix.identity(n, device=device)
    lower = mc.BitMatrix(np.tril(entries, -1) + np.eye(n, dtype=int), device=device)
    assert lower.inv() @ lower == unit == lower**0 and lower**-2 @ lower**2 == unit and lower**3 == lower @ lower @ lower
    assert (lower @ lower.solve(entries)).numpy().tolist() == entries.tolist()


def test_rectangular_matrices(device, rng):
    a = mc.BitMatrix.random(40, 100, seed=3, device=device)
    basis = a.nullspace()
    assert basis.shape == (100, 100 - a.rank()) and len(a.pivots()) == a.rank()
    assert not (a @ basis).numpy().any()
    assert a.T.T == a and a + a == mc.BitMatrix(np.zeros((40, 100), int), device=device) and -a == a
    assert a - a + a == a ^ (a ^ a)
    vectors = rng.integers(0, 2, (3, 40))
    assert np.array_equal((vectors @ a).numpy(), vectors @ a.numpy() % 2)
    assert a[0, 0] == a.numpy()[0, 0] and len(list(a)) == len(a) == 40
    assert mc.BitMatrix([[3, -1], [2, 4]], device=device).numpy().tolist() == [[1, 1], [0, 0]]
    assert "<table>" in a._repr_html_() or "<caption>" in a._repr_html_()


def test_what_is_wrong_is_named(device):
    with pytest.raises(ZeroDivisionError):
        mc.BitMatrix([[1, 1], [1, 1]], device=device).inv()
    with pytest.raises(ValueError, match="no solution"):
        mc.BitMatrix([[1, 1], [1, 1]], device=device).solve([[1], [0]])
    with pytest.raises(ValueError, match="1 bytes in a row, and 9 columns take 2"):
        mc.BitMatrix.from_packed(np.zeros((2, 1), np.uint8), 9)
    with pytest.raises(TypeError, match="uint8"):
        mc.BitMatrix.from_packed(np.zeros((2, 1)), 8)
    with pytest.raises(ValueError, match="bitorder"):
        mc.BitMatrix([[1]]).packed("middle")
    with pytest.raises(TypeError, match="float64"):
        mc.BitMatrix([[0.5]])
    with pytest.raises(ValueError):
        mc.BitMatrix([[1, 0]], device=device) @ mc.BitMatrix([[1, 0]], device=device)
