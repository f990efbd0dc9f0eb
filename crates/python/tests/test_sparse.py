"""Sparse products of complex numbers and of integers beside scipy and Python's integers; systems, ranks, paths, parts of files."""

import manycore as mc
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph
import scipy.sparse.linalg


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_products_are_scipys(device, rng, dtype):
    a = (scipy.sparse.random_array((30, 20), density=0.2, rng=rng) * (1 - 2j)).tocsr().astype(dtype)
    x = (rng.normal(size=(20, 3)) + 1j * rng.normal(size=(20, 3))).astype(dtype)
    ours = mc.SparseMatrix(a, device=device)
    assert (ours @ x).dtype == dtype and np.allclose(ours @ x, a @ x, rtol=1e-4)
    assert np.allclose(ours @ x[:, 0], a @ x[:, 0], rtol=1e-4)
    real = mc.SparseMatrix(abs(a), device=device)
    assert np.allclose(real @ x, abs(a) @ x, rtol=1e-4)


@pytest.mark.parametrize("bits", [3, 26, 40, 62, 63])
def test_products_of_integers_are_exact(device, rng, bits):
    dense = rng.integers(-(2**bits) + 1, 2**bits - 1, (9, 12)) * (rng.random((9, 12)) < 0.4)
    x = rng.integers(-(2**bits) + 1, 2**bits - 1, (12, 2))
    ours = mc.SparseMatrix(scipy.sparse.csr_array(dense), device=device)
    right = dense.astype(object) @ x.astype(object)
    for _ in range(2):
        assert (ours @ x).tolist() == right.tolist()
    assert (ours @ x[:, 0]).tolist() == right[:, 0].tolist()
    assert np.allclose(ours @ x.astype(float), right.astype(float))


def test_the_largest_integers(device):
    most = np.full((1, 3), 2**64 - 1, np.uint64)
    ours = mc.SparseMatrix(scipy.sparse.csr_array(most), device=device)
    assert (ours @ most[0]).tolist() == [3 * (2**64 - 1) ** 2]
    assert (ours @ np.array([-(2**63), 0, 1])).tolist() == [(2**64 - 1) * (1 - 2**63)]
    assert (mc.SparseMatrix(scipy.sparse.csr_array((2, 3), dtype=int), device=device) @ [1, 2, 3]).tolist() == [0, 0]
    with pytest.raises(TypeError):
        ours @ ["a", "b", "c"]


def test_the_primes_are_the_greatest_below_two_to_the_63():
    from sympy import prevprime

    from manycore.integers import PRIMES

    found = 2**63
    for prime in PRIMES:
        found = prevprime(found)
        assert prime == found


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_systems_are_scipys(device, rng, dtype):
    a = scipy.sparse.random_array((40, 40), density=0.1, rng=rng).tocsr()
    a = (a @ a.T + scipy.sparse.eye_array(40)).tocsr().astype(dtype)
    b = rng.normal(size=40).astype(dtype)
    found = mc.SparseMatrix(a, device=device).solve(b, tolerance=1e-5)
    assert found.dtype == dtype and np.allclose(found, scipy.sparse.linalg.spsolve(a.tocsc().astype(float), b), atol=1e-3)
    with pytest.raises(ValueError, match="not positive definite"):
        mc.SparseMatrix(np.array([[0.0, 1.0], [1.0, 0.0]]), device=device).solve([1.0, -1.0])
    with pytest.raises(ValueError, match="most iterations"):
        mc.SparseMatrix(a, device=device).solve(b, tolerance=0.0, maxiter=1)
    with pytest.raises(TypeError, match="conjugate gradients"):
        mc.SparseMatrix(np.eye(2, dtype=int), modulus=7, device=device).solve([1.0, 1.0])


def test_ranks_of_pages(device, rng):
    links = (rng.random((20, 20)) < 0.2).astype(float)
    found = mc.page_rank(scipy.sparse.csr_array(links), device=device)
    chance = np.where(links.sum(axis=1, keepdims=True) > 0, links / np.maximum(links.sum(axis=1, keepdims=True), 1), 1 / 20)
    ranks = np.full(20, 1 / 20)
    for _ in range(500):
        ranks = 0.85 * ranks @ chance + 0.15 / 20
    assert np.allclose(found.ranks, ranks, atol=1e-8) and found.error < 1e-8 and found.iterations > 1
    with pytest.raises(ValueError, match="damping"):
        mc.page_rank(np.eye(2), damping=1.0)


def test_paths_and_closures(device, rng):
    dense = rng.integers(1, 20, (15, 15)) * (rng.random((15, 15)) < 0.15)
    np.fill_diagonal(dense, 0)
    graph = scipy.sparse.coo_array(dense)
    lengths = scipy.sparse.csgraph.floyd_warshall(graph.tocsr())
    assert np.array_equal(mc.reachability(graph, device=device), np.isfinite(lengths))
    for target in range(15):
        path = mc.best_path(graph, 3, target, shortest=True)
        assert (path is None) == (not np.isfinite(lengths[3, target]))
        if path is not None:
            assert path.weight == lengths[3, target] and path.nodes[0] == 3 and path.nodes[-1] == target
            assert sum(dense[i, j] for i, j in zip(path.nodes, path.nodes[1:])) == path.weight
    with pytest.raises(IndexError, match="node 15"):
        mc.best_path(graph, 0, 15)
    with pytest.raises(ValueError, match="circuit"):
        mc.best_path(scipy.sparse.coo_array(np.array([[0, 1], [1, 0]])), 0, 1)


def test_eigenvectors_are_kept_by_their_matrix(rng):
    for n in (1, 2, 5, 12):
        dense = rng.integers(-9, 9, (n, n))
        graph = scipy.sparse.coo_array((dense.ravel(), tuple(np.indices((n, n)).reshape(2, -1))), shape=(n, n))
        mean = mc.cycle_mean(graph).mean
        vectors = mc.eigenvectors(graph)
        assert vectors
        for x in vectors:
            assert [max(x[i] + int(dense[i, j]) for i in range(n)) for j in range(n)] == [mean + one for one in x]
    assert mc.eigenvectors(scipy.sparse.coo_array(np.triu(np.ones((3, 3), int), 1))) == []
    with pytest.raises(TypeError, match="float64"):
        mc.eigenvectors(np.ones((2, 2)))


@pytest.mark.parametrize("length", [0, 1, 1000])
def test_files_and_their_parts(device, rng, length):
    text = rng.bytes(length)
    parts = mc.split_parts(text, 3, 2, device=device)
    assert len(parts) == 5
    assert mc.join_parts([parts[4], parts[0], parts[3]], device=device) == text
    assert mc.join_parts({"a": parts[2], "b": parts[1], "c": parts[4]}, device=device) == text
    with pytest.raises(ValueError):
        mc.join_parts(parts[:2], device=device)
    with pytest.raises(ValueError, match="rubbish"):
        mc.join_parts({"rubbish": b"nothing of the kind", "b": parts[1], "c": parts[4]}, device=device)
