"""Sparse matrices of ``scipy.sparse``: products, orders that suit caches, and the misses that they save."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from . import _native
from ._arrays import as_array, residues
from ._values import Immutable, pickled
from .devices import Device, DeviceLike, device_of, explained_by
from .integers import exact, size

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def _compressed(matrix: Any) -> Any:
    """The matrix in compressed rows, with sorted indices and no entry twice."""
    if hasattr(matrix, "tocsr"):
        rows = matrix.tocsr()
    else:
        try:
            from scipy.sparse import csr_array  # type: ignore[import-untyped]
        except ImportError as error:
            raise TypeError("a matrix of scipy.sparse") from error
        dense = as_array(matrix)
        if dense.dtype.kind not in "iufcb":
            raise TypeError(f"entries of type {dense.dtype}: a sparse array of scipy or an array of numbers; scipy.io.mmread reads files")
        rows = csr_array(dense)
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    return rows


def _explain(matrix: SparseMatrix, x: Any = None, *_: Any, device: DeviceLike = "auto") -> tuple[Device, str]:
    width = 1 if x is None or np.ndim(x) < 2 else np.shape(x)[1]
    ring = matrix.modulus or (np.dtype(np.float64) if matrix.dtype.kind in "iu" else matrix.dtype)
    return matrix.device, matrix._over(ring).explain(width)


class SparseMatrix(Immutable):
    """A sparse matrix that is ready to be multiplied on a device: of ``float32``, ``float64``, ``complex64``, ``complex128``, of
    integers, whose products with integers are exact, or modulo a prime.

    >>> import numpy as np, manycore as mc
    >>> from scipy.sparse import csr_array
    >>> a = mc.SparseMatrix(csr_array(np.array([[1.0, 0.0], [2.0, 3.0]])))
    >>> a @ [1.0, 1.0]
    array([1., 5.])
    >>> mc.SparseMatrix(csr_array(np.array([[1, 0], [2, 6]])), modulus=7) @ [[1, 0], [1, 1]]
    array([[1, 0],
           [1, 6]], dtype=uint32)
    >>> mc.SparseMatrix(csr_array(np.array([[2**62, 2**62]]))) @ [3, 1]  # past 64 bits: Python's integers
    array([18446744073709551616], dtype=object)
    """

    __slots__ = ("_largest", "_matrices", "_rows", "device", "dtype", "modulus", "shape")

    def __init__(self, matrix: Any, *, modulus: int | None = None, device: DeviceLike = "auto") -> None:
        rows = _compressed(matrix)
        self.device, self.modulus = device_of(device), modulus
        self.shape: tuple[int, int] = (rows.shape[0], rows.shape[1])
        values = as_array(rows.data)
        if modulus is not None:
            values = residues(values, modulus)
        elif values.dtype.kind in "iub":
            values = values.astype(np.uint64 if values.dtype == np.uint64 else np.int64)
        elif values.dtype not in (np.float32, np.float64, np.complex64, np.complex128):
            raise TypeError(f"entries of type {values.dtype}: floating-point and complex numbers, or integers")
        self.dtype = values.dtype
        self._rows = (np.ascontiguousarray(rows.indptr), np.ascontiguousarray(rows.indices), np.ascontiguousarray(values))
        self._matrices: dict[Any, _native.SparseMatrix] = {}
        self._largest: int | None = None
        if modulus is not None or self.dtype.kind not in "iu":
            self._over(modulus or self.dtype)

    def _over(self, ring: Any) -> _native.SparseMatrix:
        """The matrix on the device, of numbers of a type or modulo a prime: uploaded once."""
        found = self._matrices.get(ring)
        if found is None:
            offsets, indices, values = self._rows
            prime = ring if isinstance(ring, int) else None
            if prime is None:
                values = values.astype(ring, copy=False)
            elif self.modulus is None:
                values = residues(values, prime)
            found = _native.SparseMatrix(self.device, self.shape, offsets, indices, values, prime)
            self._matrices[ring] = found
        return found

    def _bound(self, x: NDArray[Any]) -> int:
        """A bound of the size of the entries of an exact product."""
        if self._largest is None:
            offsets, _, values = self._rows
            self._largest = int(np.diff(offsets).max(initial=0)) * max(size(values), 1)
        return self._largest * max(size(x), 1)

    @explained_by(_explain)
    def __matmul__(self, x: ArrayLike) -> NDArray[Any]:
        array = as_array(x)
        if array.ndim not in (1, 2):
            raise ValueError(f"a vector or a matrix, and the array has {array.ndim} dimensions")
        if array.shape[0] != self.shape[1]:
            raise ValueError(f"{self.shape[1]} columns on the left, and {array.shape[0]} rows on the right")
        width = 1 if array.ndim == 1 else array.shape[1]
        found = self._multiplied(array, width)
        return found if array.ndim == 1 else found.reshape(self.shape[0], width)

    def _multiplied(self, array: NDArray[Any], width: int) -> NDArray[Any]:
        def over(ring: Any, operand: NDArray[Any]) -> NDArray[Any]:
            return np.asarray(self._over(ring).multiply(np.ascontiguousarray(operand), width))

        if self.modulus is not None:
            return over(self.modulus, residues(array, self.modulus))
        if self.dtype.kind in "iu" and array.dtype.kind in "iub":
            bound = self._bound(array)
            if bound <= 2**53:
                # Every partial sum is an integer that a double holds.
                return over(np.dtype(np.float64), array.astype(np.float64)).astype(np.int64)
            return exact(bound, lambda prime: over(prime, residues(array, prime)))
        if array.dtype.kind not in "iubfc":
            raise TypeError(f"elements of type {array.dtype}: numbers")
        common = np.result_type(self.dtype, array)
        if self.dtype.kind in "fc" and array.dtype.kind in "iub":
            common = self.dtype
        if common.kind in "iu" or common.itemsize < 4:
            common = np.dtype(np.float64)
        return over(common, array.astype(common, copy=False))

    def solve(self, b: ArrayLike, *, tolerance: float = 1e-10, maxiter: int | None = None) -> NDArray[Any]:
        """The solution of ``A x = b`` by the method of conjugate gradients, of a symmetric positive definite matrix of real numbers.

        ``ValueError`` where the matrix is found not to be positive definite, or where ``maxiter`` iterations (by default ten for each
        row) do not bring the residual below ``tolerance`` times the size of ``b``.

        >>> import numpy as np, manycore as mc
        >>> mc.SparseMatrix(np.array([[4.0, 1.0], [1.0, 3.0]])).solve([1.0, 2.0]) * 11
        array([1., 7.])
        """
        array = as_array(b)
        if array.dtype.kind not in "iubf":
            raise TypeError(f"elements of type {array.dtype}: the right side is of real numbers")
        right = np.ascontiguousarray(array, dtype=self.dtype if self.dtype.kind == "f" else np.float64)
        if right.ndim != 1:
            raise ValueError(f"a vector, and the right side has {right.ndim} dimensions")
        most = 10 * max(self.shape[0], 10) if maxiter is None else maxiter
        ring = self.modulus or (np.dtype(np.float64) if self.dtype.kind in "iu" else self.dtype)
        solution, residuals, residual, outcome = self._over(ring).solve(right, tolerance, most)
        if outcome != "converged":
            done = len(residuals) - 1
            raise ValueError(f"no solution after {done} iterations: {outcome}, with a relative residual of {residual:.1e}")
        return np.asarray(solution)

    def __reduce__(self) -> tuple[Any, ...]:
        offsets, indices, values = self._rows
        return pickled(_restored, self.device, self.shape, offsets, indices, values, self.modulus)

    def __repr__(self) -> str:
        of = f"modulo {self.modulus}" if self.modulus is not None else f"of {self.dtype}"
        return f"<{self.shape[0]} x {self.shape[1]} sparse matrix {of} on {self.device.id}>"


class _Rows:
    """Compressed rows as a matrix of ``scipy.sparse`` has them."""

    has_canonical_format = True

    def __init__(self, shape: tuple[int, int], indptr: Any, indices: Any, data: Any) -> None:
        self.shape, self.indptr, self.indices, self.data = shape, indptr, indices, data

    def tocsr(self) -> _Rows:
        return self


def _restored(
    shape: tuple[int, int], offsets: Any, indices: Any, values: Any, modulus: int | None, *, device: DeviceLike
) -> SparseMatrix:
    return SparseMatrix(_Rows(shape, offsets, indices, values), modulus=modulus, device=device)


class PageRank(NamedTuple):
    """The ranks of the pages of a graph."""

    ranks: NDArray[np.float64]
    """The rank of each page; they sum to 1 up to rounding."""
    error: float
    """A bound of the sum of the errors of all ranks, rounding apart."""
    iterations: int
    """Products that were done."""


def page_rank(
    graph: Any,
    *,
    damping: float = 0.85,
    tolerance: float = 1e-10,
    maxiter: int = 1000,
    device: DeviceLike = "auto",
) -> PageRank:
    """The ranks of pages, where entry ``(i, j)`` is the weight of the link from ``i`` to ``j``: the stationary distribution of a
    surfer who follows links with the chance ``damping`` and else goes to any page.

    >>> import numpy as np, manycore as mc
    >>> mc.page_rank(np.array([[1.0, 0.0], [1.0, 0.0]])).ranks.round(6)
    array([0.925, 0.075])
    """
    rows = _compressed(graph)
    shape, offsets, indices = _structure(rows)
    if rows.data.dtype.kind not in "iubf":
        raise TypeError(f"weights of type {rows.data.dtype}: real numbers")
    weights = np.ascontiguousarray(rows.data, dtype=np.float64)
    options = (damping, tolerance, maxiter)
    return PageRank(*_native.page_rank(device_of(device), shape, offsets, indices, weights, options))


def _structure(matrix: Any) -> tuple[tuple[int, int], NDArray[Any], NDArray[Any]]:
    rows = _compressed(matrix)
    shape = (int(rows.shape[0]), int(rows.shape[1]))
    return shape, np.ascontiguousarray(rows.indptr), np.ascontiguousarray(rows.indices)


def reorder(
    matrix: Any,
    method: Literal["gray", "rcm", "degree", "random", "given"] = "gray",
    *,
    seed: int = 0,
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """The rows and the columns of a sparse matrix in an order that suits caches: ``matrix[rows][:, columns]``.

    >>> import numpy as np, manycore as mc
    >>> rows, columns = mc.reorder(np.eye(3), "degree")
    >>> rows
    array([0, 1, 2], dtype=uint32)
    """
    rows, columns = _native.sparse_order(*_structure(matrix), "brgc" if method == "gray" else method, seed)
    return np.asarray(rows), np.asarray(columns)


class CacheMisses(NamedTuple):
    """What a cache does in a product with the vector."""

    accesses: int
    """Reads of the vector."""
    misses: int
    """Those that fetch their line."""
    compulsory: int
    """Misses on lines never read before."""


def cache_misses(
    matrix: Any,
    *,
    words: int = 4096,
    line_words: int = 8,
    policy: Literal["optimal", "lru"] = "optimal",
) -> CacheMisses:
    """The misses of a cache on the vector in a product by the matrix, by simulation.

    >>> import numpy as np, manycore as mc
    >>> mc.cache_misses(np.ones((2, 16)), words=16, line_words=8)
    CacheMisses(accesses=32, misses=2, compulsory=2)
    """
    return CacheMisses(*_native.sparse_misses(*_structure(matrix), (words, line_words), policy))
