"""Sparse matrices of ``scipy.sparse``: products, orders that suit caches, and the misses that they save."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from . import _native
from ._arrays import as_array, residues
from .devices import Device, DeviceLike, device_of, explained_by

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
        rows = csr_array(as_array(matrix))
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    return rows


def _explain(matrix: SparseMatrix, x: Any = None, *_: Any, device: DeviceLike = "auto") -> tuple[Device, str]:
    width = 1 if x is None or np.ndim(x) < 2 else np.shape(x)[1]
    return matrix.device, matrix._matrix.explain(width)


class SparseMatrix:
    """A sparse matrix that is ready to be multiplied on a device: of ``float32`` or ``float64``, or modulo a prime.

    >>> import numpy as np, manycore as mc
    >>> from scipy.sparse import csr_array
    >>> a = mc.SparseMatrix(csr_array(np.array([[1.0, 0.0], [2.0, 3.0]])))
    >>> a @ [1.0, 1.0]
    array([1., 5.])
    >>> mc.SparseMatrix(csr_array(np.array([[1, 0], [2, 6]])), modulus=7) @ [[1, 0], [1, 1]]
    array([[1, 0],
           [1, 6]], dtype=uint32)
    """

    __slots__ = ("_matrix", "device", "dtype", "modulus", "shape")

    def __init__(self, matrix: Any, *, modulus: int | None = None, device: DeviceLike = "auto") -> None:
        rows = _compressed(matrix)
        self.device, self.modulus = device_of(device), modulus
        self.shape: tuple[int, int] = (rows.shape[0], rows.shape[1])
        if modulus is not None:
            values = residues(rows.data, modulus)
        elif rows.data.dtype in (np.float32, np.float64):
            values = rows.data
        elif rows.data.dtype.kind in "iub":
            values = rows.data.astype(np.float64)
            if values.size and np.abs(values).max() > 2.0**53:
                raise OverflowError("integers past 2^53 are no doubles: give a modulus")
        else:
            raise TypeError(f"entries of type {rows.data.dtype}: float32 and float64, or integers")
        self.dtype = values.dtype
        self._matrix = _native.SparseMatrix(
            self.device,
            self.shape,
            np.ascontiguousarray(rows.indptr),
            np.ascontiguousarray(rows.indices),
            np.ascontiguousarray(values),
            modulus,
        )

    @explained_by(_explain)
    def __matmul__(self, x: ArrayLike) -> NDArray[Any]:
        array = residues(x, self.modulus) if self.modulus is not None else as_array(x).astype(self.dtype, copy=False)
        if array.ndim not in (1, 2):
            raise ValueError(f"a vector or a matrix, and the array has {array.ndim} dimensions")
        if array.shape[0] != self.shape[1]:
            raise ValueError(f"{self.shape[1]} columns on the left, and {array.shape[0]} rows on the right")
        width = 1 if array.ndim == 1 else array.shape[1]
        found = np.asarray(self._matrix.multiply(np.ascontiguousarray(array), width))
        return found if array.ndim == 1 else found.reshape(self.shape[0], width)

    def __repr__(self) -> str:
        of = f"modulo {self.modulus}" if self.modulus is not None else f"of {self.dtype}"
        return f"<{self.shape[0]} x {self.shape[1]} sparse matrix {of} on {self.device.id}>"


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
