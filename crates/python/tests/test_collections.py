"""Sorts, sparse matrices, semirings, paths, systems, groups and codes beside NumPy, scipy and definitions."""

from fractions import Fraction

import manycore as mc
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph


@pytest.mark.parametrize("dtype", ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8", "?"])
@pytest.mark.parametrize("n", [0, 1, 2, 1000])
def test_sorts_are_numpys(device, rng, dtype, n):
    x = rng.integers(0, 256, n).astype(dtype)
    assert np.array_equal(mc.sort(x, device=device), np.sort(x))
    assert np.array_equal(mc.sort(x, descending=True, device=device), np.sort(x)[::-1])
    if dtype != "?":
        assert np.array_equal(mc.argsort(x, device=device), np.argsort(x, kind="stable"))
        assert np.array_equal(mc.topk(x, 3, device=device), np.sort(x)[::-1][:3])


def test_sorts_along_axes(device, rng):
    x = rng.normal(size=(4, 5, 6))
    for axis in range(3):
        assert np.array_equal(mc.sort(x, axis=axis, device=device), np.sort(x, axis=axis))
        assert np.array_equal(mc.argsort(x, axis=axis, device=device), np.argsort(x, axis=axis, kind="stable"))
    words = ["b", "", "ab", "ä", "a"]
    assert [words[place] for place in mc.argsort_strings(words)] == sorted(words)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sparse_products_are_scipys(device, rng, dtype):
    a = scipy.sparse.random_array((30, 20), density=0.2, rng=rng, dtype=np.float64, format="csr").astype(dtype)
    ours = mc.SparseMatrix(a, device=device)
    x, many = rng.normal(size=20).astype(dtype), rng.normal(size=(20, 3)).astype(dtype)
    assert np.allclose(ours @ x, a @ x, rtol=1e-5)
    assert np.allclose(ours @ many, a @ many, rtol=1e-5)
    assert np.allclose(mc.SparseMatrix(a.tocoo(), device=device) @ x, a @ x, rtol=1e-5)


@pytest.mark.parametrize("p", [7, 2147483647, 2**64 - 2**32 + 1])
def test_sparse_products_of_residues(device, rng, p):
    dense = rng.integers(-5, 5, (9, 12))
    x = rng.integers(0, 2**62, 12)
    right = [sum(int(a) * int(b) for a, b in zip(row, x)) % p for row in dense]
    assert (mc.SparseMatrix(scipy.sparse.csr_array(dense), modulus=p, device=device) @ x).tolist() == right


@pytest.mark.parametrize("method", ["gray", "rcm", "degree", "random", "given"])
def test_orders_are_permutations(rng, method):
    a = scipy.sparse.random_array((40, 30), density=0.1, rng=rng, format="csr")
    rows, columns = mc.reorder(a, method, seed=3)
    assert sorted(rows) == list(range(40)) and sorted(columns) == list(range(30))
    assert np.isclose(a[rows][:, columns].sum(), a.sum())
    assert mc.cache_misses(a).accesses == a.nnz


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
def test_semiring_products(device, rng, dtype):
    a, b = (rng.integers(-9, 9, shape).astype(dtype) for shape in ((5, 7), (7, 4)))
    sums = a[:, :, np.newaxis] + b
    assert np.array_equal(mc.matmul(a, b, device=device), a @ b)
    assert np.array_equal(mc.matmul(a, b, "max-plus", device=device), sums.max(axis=1))
    assert np.array_equal(mc.matmul(a, b, "min-plus", device=device), sums.min(axis=1))
    least = np.minimum(a[:, :, np.newaxis], b)
    assert np.array_equal(mc.matmul(a, b, "max-min", device=device), least.max(axis=1))
    out = np.empty((5, 4), dtype)
    assert mc.matmul(a, b, out=out, device=device) is out
    assert np.array_equal(mc.matmul(a, b[:, 0], device=device), a @ b[:, 0])


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_paths_are_scipys(device, rng, dtype):
    dense = rng.integers(1, 20, (12, 12)) * (rng.random((12, 12)) < 0.3)
    np.fill_diagonal(dense, 0)
    graph = scipy.sparse.coo_array(dense.astype(dtype))
    right = scipy.sparse.csgraph.floyd_warshall(graph.tocsr())
    found = mc.all_pairs(graph, shortest=True, device=device)
    absent = np.inf if dtype == np.float64 else np.iinfo(np.int64).max
    assert np.array_equal(np.where(found == absent, np.inf, found), right)
    acyclic = scipy.sparse.coo_array(np.triu(dense, 1).astype(dtype))
    longest = mc.all_pairs(acyclic, device=device).astype(float)
    shortest = scipy.sparse.csgraph.floyd_warshall(-np.where(np.triu(dense, 1), np.triu(dense, 1), 0).astype(float))
    reached = np.isfinite(shortest)
    assert np.array_equal(longest[reached], -shortest[reached])
    with pytest.raises(ValueError, match="circuit"):
        mc.all_pairs(scipy.sparse.coo_array(np.array([[0, 1], [1, 0]], dtype)), device=device)


def test_cycle_means():
    ring = scipy.sparse.coo_array(([3, 4, 4], ([0, 1, 2], [1, 2, 0])), shape=(4, 4))
    assert mc.cycle_mean(ring) == (Fraction(11, 3), [0, 1, 2])
    assert mc.cycle_mean(scipy.sparse.coo_array(([1], ([0], [1])), shape=(2, 2))) is None


def test_projects(device, rng):
    project = mc.Project({"a": 3, "b": 2, "c": 1}, [("a", "b"), ("a", "c", "SS", 1)], deadlines={"b": 4})
    schedule = project.schedule()
    assert schedule.length == 5 and schedule.earliest == {"a": 0, "b": 3, "c": 1}
    assert schedule.total_slack == {"a": 0, "b": 0, "c": 3} or schedule.late == {"b": 1}
    assert schedule.late == {"b": 1} and "<svg" in schedule.gantt() and "<svg" in schedule._repr_html_()
    durations = rng.integers(1, 9, (50, 3))
    found = project.simulate(durations, device=device)
    right = np.maximum(durations[:, 0] + durations[:, 1], np.maximum(durations[:, 0], 1 + durations[:, 2]))
    assert np.array_equal(found.lengths, right)
    with pytest.raises(KeyError, match="no task 'x'"):
        mc.Project({"a": 1}, [("a", "x")])
    with pytest.raises(ValueError):
        mc.Project({"a": 1, "b": 1}, [("a", "b"), ("b", "a")]).schedule()


def test_systems(device):
    found = mc.solve_system("x^2 + y^2 - 2", "x - y", modulus=101, device=device)
    right = [(x, y) for x in range(101) for y in range(101) if (x * x + y * y - 2) % 101 == 0 and x == y]
    assert found.points == right
    exact = mc.solve_system("x^2 - 2*y", "x - 2*y", device=device)
    assert exact.points == [(0, 0), (1, Fraction(1, 2))]
    import sympy

    x, y = sympy.symbols("x y")
    f, g = x**3 - x * y + 1, y**2 - x
    expected = sympy.Poly(sympy.resultant(f, g, y), x).all_coeffs()[::-1]
    assert mc.resultant(f, g, device=device) == [int(value) for value in expected]
    assert mc.resultant(f, g, modulus=101, device=device) == [int(value) % 101 for value in expected]
    with pytest.raises(ValueError):
        mc.solve_system("x +", "y", device=device)
    with pytest.raises(ValueError, match="variable"):
        mc.resultant("x", "y", "z", device=device)


def test_character_tables(device):
    group = mc.AbelianGroup([2, 3])
    table = group.character_table(device=device)
    assert table.shape == (6, 6) and np.allclose(table @ table.conj().T, 6 * np.eye(6))
    exponents = group.character_table("exponents", device=device)
    assert np.allclose(np.exp(2j * np.pi * exponents / 6), table)
    assert np.array_equal(group.character_table("exponents", rows=slice(2, 4), device=device), exponents[2:4])
    residues = group.character_table(modulus=7, device=device)
    assert residues.dtype == np.uint32 and set(residues.ravel().tolist()) <= {1, 2, 3, 4, 5, 6}
    assert [group.element(group.digits(one)) for one in group] == list(range(6))
    with pytest.raises(ValueError, match="no root"):
        group.character_table(modulus=5, device=device)


def test_erasure_codes(device, rng):
    parts = [rng.bytes(64) for _ in range(4)]
    code = mc.ErasureCode(4, 3, device=device)
    parity = code.encode(parts)
    every = dict(enumerate(parts + parity))
    for lost in ([0, 1, 2], [1, 3], [0, 4, 6]):
        present = {number: part for number, part in every.items() if number not in lost}
        assert code.recover(present, lost) == [every[number] for number in lost]
    with pytest.raises(ValueError):
        code.recover({0: parts[0]}, [1])
    with pytest.raises(ValueError, match="parts"):
        code.encode(parts[:2])
