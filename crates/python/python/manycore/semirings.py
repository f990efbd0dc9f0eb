"""Products of matrices over semirings, and Kleene stars: semirings by name, or written as two functions."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, Union

import numpy as np

from . import _native
from ._arrays import as_array, entries
from ._symbols import traced, where
from .devices import Device, DeviceLike, device_of, explained_by

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, DTypeLike, NDArray

SemiringName = Literal[
    "plus-times", "max-plus", "min-plus", "max-min", "min-max", "max-times", "or-and", "xor-and"
]

__all__ = ["Semiring", "SemiringName", "matmul", "star", "where"]


@lru_cache(maxsize=256)
def _named(name: str, dtype: str, wrapping: bool = False) -> _native.Semiring:
    return _native.Semiring.named(name, dtype, wrapping)


class Semiring:
    """A semiring of numbers of one type, written as two functions: its sum ``plus`` and its product ``times``.

    The functions are called once, with symbols, and what they do is recorded and becomes a program of the device that multiplies:
    they have operators, ``numpy.minimum``, ``maximum`` and ``where``, comparisons, and no ``if``. ``zero`` is the sum of nothing,
    ``one`` the product of nothing, which stars need. The sum is tried to be associative with this zero, near the corners of the
    type; ``ValueError`` tells numbers for which it is not.

    Parameters
    ----------
    plus, times : functions of two numbers
    zero : the sum of nothing
    one : the product of nothing
    dtype : int32, int64, uint32, uint64, float32 or float64; sums and products of integers wrap around
    elements : numbers that laws are tried on, where the semiring is of a part of the type's numbers, as probabilities are

    Examples
    --------
    The most reliable route, where a link holds with a probability:

    >>> import numpy as np, manycore as mc
    >>> likeliest = mc.Semiring(
    ...     np.maximum, lambda a, b: a * b, zero=0.0, one=1.0, elements=[0.0, 0.25, 0.5, 1.0]
    ... )
    >>> likeliest.star([[0, 0.5, 0.25], [0, 0, 0.75], [0, 0, 0]])
    array([[1.   , 0.5  , 0.375],
           [0.   , 1.   , 0.75 ],
           [0.   , 0.   , 1.   ]])
    """

    __slots__ = ("_semiring", "dtype", "one", "zero")

    def __init__(
        self,
        plus: Callable[[Any, Any], Any],
        times: Callable[[Any, Any], Any],
        *,
        zero: float,
        one: float | None = None,
        dtype: DTypeLike = np.float64,
        elements: ArrayLike | None = None,
    ) -> None:
        self.dtype, self.zero, self.one = np.dtype(dtype), zero, one
        sums, products = traced("plus", plus, self.dtype), traced("times", times, self.dtype)
        tried = None if elements is None else self._matrix(elements).ravel().tolist()
        self._semiring = _native.Semiring(self.dtype.name, sums, products, zero, tried)

    def _matrix(self, x: ArrayLike) -> NDArray[Any]:
        array = as_array(x)
        if array.dtype == self.dtype:
            return array
        if array.dtype.kind not in "iufb":
            raise TypeError(f"elements of type {array.dtype}: the semiring is of {self.dtype}")
        with np.errstate(invalid="ignore"):
            converted = array.astype(self.dtype)
        if self.dtype.kind != "f" and not np.array_equal(converted, array):
            raise ValueError(f"entries of type {array.dtype} that are no {self.dtype}")
        return converted

    def matmul(
        self,
        a: ArrayLike,
        b: ArrayLike,
        *,
        out: NDArray[Any] | None = None,
        device: DeviceLike = "auto",
    ) -> NDArray[Any]:
        """The product of two matrices, or of a matrix and a vector: ``plus`` over ``i`` of ``times(a[u, i], b[i, v])``, in order.

        >>> import numpy as np, manycore as mc
        >>> nearest = mc.Semiring(np.minimum, lambda a, b: abs(a - b), zero=np.inf)
        >>> nearest.matmul([[1.0, 5.0]], [[3.0, 0.0], [4.0, 9.0]])
        array([[1., 1.]])
        """
        return _product(self._semiring, self._matrix(a), self._matrix(b), out, device)

    def star(self, a: ArrayLike, *, device: DeviceLike = "auto") -> NDArray[Any]:
        """The Kleene star ``1 + A + A^2 + ...`` of a square matrix, by ``2 log2(n)`` products.

        It is the sum of the powers below ``n``, and ``ValueError`` tells where it is no fixed point of ``1 + A X``: where a
        circuit goes on to change it. Of floating-point numbers, the fixed point is one up to rounding.
        """
        if self.one is None:
            raise ValueError("a star needs the product of nothing: give the semiring its one")
        return _star(self._semiring, self._matrix(a), self.one, device)

    def explain(self, a: ArrayLike, b: ArrayLike, *, device: DeviceLike = "auto") -> str:
        """The plan of a product, and why."""
        return _explain_product(self._semiring, self._matrix(a), self._matrix(b), device_of(device))

    def violations(self) -> list[str]:
        """The laws of semirings that do not hold, each with numbers that show it; tried near the corners of the type.

        >>> import numpy as np, manycore as mc
        >>> mc.Semiring(np.maximum, np.add, zero=-np.inf, one=0.0).violations()
        []
        """
        return self._semiring.violations(self.one)

    def opencl(self) -> str:
        """Both functions as kernels have them, in OpenCL C."""
        return self._semiring.opencl()

    def __repr__(self) -> str:
        return f"<Semiring of {self.dtype} with zero {self.zero} and one {self.one}>"


SemiringLike = Union[SemiringName, Semiring]


def _shape(left: NDArray[Any], right: NDArray[Any]) -> tuple[int, int, int]:
    if left.ndim != 2 or right.ndim != 2:
        raise ValueError(f"matrices, and the arrays have {left.ndim} and {right.ndim} dimensions")
    if left.shape[1] != right.shape[0]:
        raise ValueError(f"{left.shape[1]} columns on the left, and {right.shape[0]} rows on the right")
    return left.shape[0], left.shape[1], right.shape[1]


def _product(
    semiring: _native.Semiring,
    left: NDArray[Any],
    right: NDArray[Any],
    out: NDArray[Any] | None,
    device: DeviceLike,
) -> NDArray[Any]:
    vector = right.ndim == 1
    if vector:
        right = right[:, np.newaxis]
    shape = _shape(left, right)
    product = semiring.multiply(device_of(device), np.ascontiguousarray(left), np.ascontiguousarray(right), shape)
    found = np.asarray(product)
    found = found[:, 0] if vector else found
    if out is None:
        return found
    if out.shape != found.shape:
        raise ValueError(f"out has the shape {out.shape}, and the result {found.shape}")
    np.copyto(out, found, casting="no")
    return out


def matmul_with_places(
    a: ArrayLike, b: ArrayLike, semiring: SemiringLike, *, wrapping: bool = False, device: DeviceLike = "auto"
) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    """The product of matrices over a semiring whose sum takes one of its terms, and the inner index of the term that each entry is:
    the lowest of equal ones, ``2**32 - 1`` where there is none.

    >>> import manycore as mc
    >>> mc.matmul_with_places([[0, 3], [9, 0]], [[0, 3], [9, 0]], "min-plus")[1]
    array([[0, 0],
           [0, 1]], dtype=uint32)
    """
    if isinstance(semiring, Semiring):
        left, right, native = semiring._matrix(a), semiring._matrix(b), semiring._semiring
    else:
        left, right = _alike(a, b)
        native = _named(semiring, left.dtype.name, wrapping)
    shape = _shape(left, right)
    on = device_of(device)
    product, places = native.multiply_with_places(on, np.ascontiguousarray(left), np.ascontiguousarray(right), shape)
    return np.asarray(product), np.asarray(places)


def _star(semiring: _native.Semiring, array: NDArray[Any], one: float, device: DeviceLike) -> NDArray[Any]:
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise ValueError(f"the star of an array of the shape {array.shape}, which is no square matrix")
    return np.asarray(semiring.star(device_of(device), np.ascontiguousarray(array), array.shape[0], one))


def _explain_product(semiring: _native.Semiring, left: NDArray[Any], right: NDArray[Any], on: Device) -> str:
    return semiring.explain(on, _shape(left, right[:, np.newaxis] if right.ndim == 1 else right))


def _alike(a: ArrayLike, b: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    left, right = entries(a), entries(b)
    if left.dtype != right.dtype:
        common = np.result_type(left, right)
        if common.kind == "f" and (left.dtype.kind in "iu" or right.dtype.kind in "iu"):
            for one in (left, right):
                if one.dtype.kind in "iu" and not np.array_equal(one.astype(common).astype(object), one.astype(object)):
                    raise TypeError(f"{left.dtype} and {right.dtype}, whose common type {common} does not hold all entries")
        left, right = left.astype(common), right.astype(common)
    return left, right


def _explain(
    a: ArrayLike, b: ArrayLike, semiring: SemiringLike = "plus-times", *, device: DeviceLike = "auto", **_: Any
) -> tuple[Device, str]:
    on = device_of(device)
    if isinstance(semiring, Semiring):
        return on, semiring.explain(a, b, device=on)
    left, right = _alike(a, b)
    return on, _explain_product(_named(semiring, left.dtype.name), left, right, on)


@explained_by(_explain)
def matmul(
    a: ArrayLike,
    b: ArrayLike,
    semiring: SemiringLike = "plus-times",
    *,
    out: NDArray[Any] | None = None,
    wrapping: bool = False,
    device: DeviceLike = "auto",
) -> NDArray[Any]:
    """The product of matrices over a semiring, named by its sum and its product, or a :class:`Semiring`.

    ``"min-plus"`` gives shortest paths of two arcs, ``"max-min"`` the widest. Integers are exact: ``OverflowError`` names
    the first entry that their type does not hold; with ``wrapping`` sums and products are modulo ``2**bits``. The least and the greatest
    integer are infinities in ``"max-plus"`` and ``"min-plus"``, but with ``wrapping``.

    >>> import manycore as mc
    >>> mc.matmul([[0, 3], [1, 0]], [[0, 3], [1, 0]], "min-plus")
    array([[0, 3],
           [1, 0]])
    >>> mc.matmul([[1.0, 2.0]], [[3.0], [4.0]])
    array([[11.]])
    """
    if isinstance(semiring, Semiring):
        return semiring.matmul(a, b, out=out, device=device)
    left, right = _alike(a, b)
    return _product(_named(semiring, left.dtype.name, wrapping), left, right, out, device)


def _one(name: str, dtype: np.dtype[Any]) -> float:
    least, most = (-np.inf, np.inf) if dtype.kind == "f" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    ones = {"max-plus": 0, "min-plus": 0, "max-min": most, "min-max": least}
    return -1 if name in ("or-and", "xor-and") else ones.get(name, 1)


def star(
    a: ArrayLike, semiring: SemiringLike = "plus-times", *, wrapping: bool = False, device: DeviceLike = "auto"
) -> NDArray[Any]:
    """The Kleene star ``1 + A + A^2 + ...`` of a square matrix over a semiring: see :meth:`Semiring.star`.

    >>> import manycore as mc
    >>> mc.star([[0, 1, 0], [0, 0, 2], [0, 0, 0]])  # walks of an acyclic graph, with weights multiplied
    array([[1, 1, 2],
           [0, 1, 2],
           [0, 0, 1]])
    """
    if isinstance(semiring, Semiring):
        return semiring.star(a, device=device)
    array = entries(a)
    return _star(_named(semiring, array.dtype.name, wrapping), array, _one(semiring, array.dtype), device)
