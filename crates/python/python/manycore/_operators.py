"""Operators of matrices that NumPy's arrays take part in, and those of matrices of integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import as_array
from ._values import Immutable, pickled
from .integers import PRIMES, exact, size

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeVar

    from numpy.typing import ArrayLike, NDArray

    M = TypeVar("M", bound="MatrixOperators")
    Z = TypeVar("Z", bound="IntegerOperators")


class MatrixOperators(Immutable):
    """What matrices have alike: rows in turn, and operators whose left operand is an array."""

    __slots__ = ()

    __array_ufunc__ = None
    """NumPy's arrays leave operators to the matrix on their right."""

    if TYPE_CHECKING:
        modulus: int
        device: Any

        @property
        def shape(self) -> tuple[int, int]: ...
        def __init__(self, entries: ArrayLike, *options: Any, device: Any = "auto") -> None: ...
        def numpy(self) -> NDArray[Any]: ...
        def __add__(self: M, other: Any) -> M: ...
        def __sub__(self: M, other: Any) -> M: ...
        def __neg__(self: M) -> M: ...
        def __matmul__(self: M, other: Any) -> M: ...

    def _from(self: M, entries: ArrayLike) -> M:
        """The matrix of the same kind with these entries."""
        return type(self)(entries, self.modulus, device=self.device)

    def __radd__(self: M, other: ArrayLike) -> M:
        return self + other

    def __rsub__(self: M, other: ArrayLike) -> M:
        return -self + other

    def __rmatmul__(self: M, other: ArrayLike) -> M:
        return self._from(other) @ self

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return iter(self.numpy())

    def __reduce__(self) -> tuple[Any, ...]:
        return pickled(type(self), self.device, self.numpy(), self.modulus)


class IntegerOperators(MatrixOperators):
    """Sums and products of matrices of integers of any size, exact."""

    __slots__ = ()

    def _from(self: Z, entries: ArrayLike) -> Z:
        return type(self)(entries, device=self.device)

    def _pair(self, other: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        """The entries of both matrices."""
        left = self.numpy()
        right = other.numpy() if isinstance(other, IntegerOperators) else as_array(other)
        if right.ndim != 2:
            raise ValueError(f"a matrix has two dimensions, and the array has {right.ndim}")
        return left, right

    def __add__(self: Z, other: Any) -> Z:
        left, right = self._pair(other)
        if left.shape != right.shape:
            raise ValueError(f"the sum of matrices of the shapes {left.shape} and {right.shape}")
        if not left.dtype == right.dtype == np.int64 or size(left) + size(right) >= 2**63:
            left, right = left.astype(object), right.astype(object)
        return self._from(left + right)

    def __neg__(self: Z) -> Z:
        return self._from(-self.numpy().astype(object))

    def __sub__(self: Z, other: Any) -> Z:
        return self + -(other if isinstance(other, IntegerOperators) else self._from(other))

    def __matmul__(self: Z, other: Any) -> Z:
        left, right = self._pair(other)
        if left.shape[1] != right.shape[0]:
            raise ValueError(f"{left.shape[1]} columns on the left, and {right.shape[0]} rows on the right")
        from .matrices import Matrix

        bound = size(left) * size(right) * left.shape[1]
        if not bound:
            return self._from(np.zeros((left.shape[0], right.shape[1]), np.int64))
        if 2 * bound >= PRIMES[0] * PRIMES[1] * PRIMES[2]:
            return self._from(left.astype(object) @ right.astype(object))

        def product(prime: int) -> NDArray[Any]:
            factors = [Matrix(array, prime, device=self.device) for array in (left, right)]
            return (factors[0] @ factors[1]).numpy()

        return self._from(exact(bound, product))

    def __mul__(self: Z, other: Any) -> Z:
        if isinstance(other, (int, np.integer)):
            return self._from(self.numpy().astype(object) * int(other))
        product: Z = self @ other
        return product

    def __rmul__(self: Z, other: int) -> Z:
        return self * other

    def __pow__(self: Z, exponent: int) -> Z:
        if exponent < 0:
            raise ValueError(f"the exponent {exponent}: matrices of integers have powers from 0 on")
        if self.shape[0] != self.shape[1]:
            raise ValueError(f"a power of a {self.shape[0]} x {self.shape[1]} matrix, which is not square")
        result, square = self._from(np.eye(self.shape[0], dtype=np.int64)), self
        while exponent:
            result, square = result @ square if exponent & 1 else result, square @ square if exponent > 1 else square
            exponent >>= 1
        return result

    @property
    def T(self: Z) -> Z:  # noqa: N802 - NumPy's name
        """The transpose."""
        return self._from(self.numpy().T)

    def transpose(self: Z) -> Z:
        """The transpose."""
        return self.T

    def __getitem__(self, index: Any) -> Any:
        found = self.numpy()[index]
        return int(found) if np.ndim(found) == 0 else found

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.numpy(), dtype=dtype, copy=True if copy else None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IntegerOperators) and np.array_equal(self.numpy(), other.numpy())

    def __hash__(self) -> int:
        return hash((self.shape, tuple(self.numpy().ravel().tolist())))

    def __reduce__(self) -> tuple[Any, ...]:
        return pickled(type(self), self.device, self.numpy())
