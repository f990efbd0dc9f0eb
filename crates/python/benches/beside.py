"""Times of operations beside those of other packages, in one run: medians of turns that alternate, results compared first.

Arguments: a device (default: the host), the seconds that each pair may take (default 2).
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import TYPE_CHECKING, Any

import flint
import galois
import manycore as mc
import numpy as np
import scipy.linalg
import scipy.sparse
import scipy.sparse.csgraph
import sympy

if TYPE_CHECKING:
    from collections.abc import Callable

    Work = Callable[[], Any]


def pairs(device: str) -> list[tuple[str, str, Work, Work, Callable[[Any, Any], bool]]]:
    """What is compared: a task, the other package, our work, its work, whether the results agree."""
    rng = np.random.default_rng(1)
    p = 469762049
    a, b = (rng.integers(0, p, 1 << 16).tolist() for _ in range(2))
    f, g = mc.Poly(a, p, device=device), mc.Poly(b, p, device=device)
    flint_f, flint_g = flint.nmod_poly(a, p), flint.nmod_poly(b, p)

    def same_poly(ours: mc.Poly, theirs: flint.nmod_poly) -> bool:
        return ours.coeffs().tolist() == [int(value) for value in theirs.coeffs()]

    points = np.arange(1, 4097)
    short, flint_short = mc.Poly(a[:4096], p, device=device), flint.nmod_poly(a[:4096], p)
    entries = rng.integers(0, p, (300, 300)).tolist()
    matrix, flint_matrix = mc.Matrix(entries, p, device=device), flint.nmod_mat(entries, p)
    integers = rng.integers(-1000, 1000, (100, 100))
    flint_integers = flint.fmpz_mat(integers.tolist())
    x = rng.integers(-100, 100, 1 << 10)
    hadamard = scipy.linalg.hadamard(1 << 10)
    keys = rng.integers(0, 2**63, 1 << 22)
    sparse = scipy.sparse.random_array((200_000, 200_000), density=5e-5, rng=rng, format="csr")
    vector = rng.normal(size=200_000)
    ours_sparse = mc.SparseMatrix(sparse, device=device)
    dense = np.where(rng.random((500, 500)) < 0.05, rng.integers(1, 100, (500, 500)), 0).astype(float)
    graph = scipy.sparse.coo_array(dense)
    u = rng.integers(0, 7681, 512)
    field_u = u.tolist()
    list_x = rng.integers(-9, 9, 1 << 10).tolist()
    bits = rng.integers(0, 2, (1000, 1000)).astype(np.uint8)
    bit_matrix, flint_bits = mc.BitMatrix(bits, device=device), flint.nmod_mat(bits.tolist(), 2)
    large = [int.from_bytes(rng.bytes(125_000), "little") for _ in range(2)]
    flint_large = [flint.fmpz(one) for one in large]
    counts = scipy.sparse.csr_array((np.ones(sparse.nnz, np.int64), sparse.indices, sparse.indptr), shape=sparse.shape)
    ours_counts, whole = mc.SparseMatrix(counts, device=device), rng.integers(-1000, 1000, 200_000)
    few, flint_few = mc.Poly([1, 2, 3], p, device=device), flint.nmod_poly([1, 2, 3], p)
    return [
        ("product of 2^16 coefficients", "python-flint", lambda: f * g, lambda: flint_f * flint_g, same_poly),
        ("gcd of 2^12", "python-flint", lambda: short.gcd(g), lambda: flint_short.gcd(flint_g), same_poly),
        (
            "values at 4096 points",
            "python-flint",
            lambda: short(points),
            lambda: flint_short.multipoint_evaluate(points.tolist())
            if hasattr(flint_short, "multipoint_evaluate")
            else [flint_short(int(point)) for point in points],
            lambda ours, theirs: ours.tolist() == [int(value) for value in theirs],
        ),
        ("determinant mod p, 300", "python-flint", matrix.det, flint_matrix.det, lambda ours, theirs: ours == int(theirs)),
        (
            "product of matrices mod p, 300",
            "python-flint",
            lambda: matrix @ matrix,
            lambda: flint_matrix * flint_matrix,
            lambda ours, theirs: ours.numpy().tolist() == [[int(value) for value in row] for row in theirs.tolist()],
        ),
        (
            "determinant over Z, 100",
            "python-flint",
            lambda: mc.IntegerMatrix(integers, device=device).det(),
            flint_integers.det,
            lambda ours, theirs: ours == int(theirs),
        ),
        (
            "product of matrices mod 2, 1000",
            "python-flint",
            lambda: bit_matrix @ bit_matrix,
            lambda: flint_bits * flint_bits,
            lambda ours, theirs: ours.numpy().tolist() == [[int(value) for value in row] for row in theirs.tolist()],
        ),
        (
            "product of integers, 10^6 bits",
            "python-flint",
            lambda: mc.integer_product(large[0], large[1], device=device),
            lambda: flint_large[0] * flint_large[1],
            lambda ours, theirs: ours == int(theirs),
        ),
        ("a small polynomial and 1", "python-flint", lambda: few + 1, lambda: flint_few + 1, same_poly),
        ("Walsh-Hadamard, 2^10", "scipy (matrix)", lambda: mc.fwht(x, device=device), lambda: hadamard @ x, np.array_equal),
        (
            "Walsh-Hadamard, 2^10",
            "sympy",
            lambda: mc.fwht(list_x, device=device),
            lambda: sympy.fwht(list_x),
            lambda ours, theirs: ours.tolist() == [int(value) for value in theirs],
        ),
        (
            "NTT, 512 mod 7681",
            "galois",
            lambda: mc.ntt(u, modulus=7681, device=device),
            lambda: galois.ntt(field_u, modulus=7681),
            lambda ours, theirs: sorted(ours.tolist()) == sorted(np.asarray(theirs).tolist()),
        ),
        ("sort of 2^22 int64", "numpy", lambda: mc.sort(keys, device=device), lambda: np.sort(keys), np.array_equal),
        ("sparse product, 2 M", "scipy", lambda: ours_sparse @ vector, lambda: sparse @ vector, np.allclose),
        ("of integers, exact", "scipy (wraps)", lambda: ours_counts @ whole, lambda: counts @ whole, np.array_equal),
        (
            "shortest paths, 500 nodes",
            "scipy",
            lambda: mc.all_pairs(graph, shortest=True, device=device),
            lambda: scipy.sparse.csgraph.floyd_warshall(graph.tocsr()),
            np.array_equal,
        ),
    ]


def seconds(ours: Work, theirs: Work, budget: float) -> tuple[float, float]:
    """The median time of each, in turns."""
    times: tuple[list[float], list[float]] = ([], [])
    end = time.perf_counter() + budget
    while len(times[0]) < 3 or time.perf_counter() < end and len(times[0]) < 200:
        for work, into in zip((ours, theirs), times):
            begin = time.perf_counter()
            work()
            into.append(time.perf_counter() - begin)
    return statistics.median(times[0]), statistics.median(times[1])


def main() -> None:
    device = sys.argv[1] if len(sys.argv) > 1 else "host"
    budget = float(sys.argv[2]) if len(sys.argv) > 2 else 2.0
    print(f"{mc.Device(device)}, Python {sys.version.split()[0]}, numpy {np.__version__}")
    print(f"{'task':34} {'manycore':>11} {'the other':>11} {'ratio':>7}  beside")
    for task, other, ours, theirs, agree in pairs(device):
        if not agree(ours(), theirs()):
            sys.exit(f"{task}: the results differ from those of {other}")
        own, its = seconds(ours, theirs, budget)
        print(f"{task:34} {own * 1e3:8.3f} ms {its * 1e3:8.3f} ms {its / own:7.2f}  {other}")


if __name__ == "__main__":
    main()
