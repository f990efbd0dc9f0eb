"""Products of matrices over semirings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _native
from ._arrays import numbers
from .devices import DeviceLike, device_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

SemiringName = Literal[
    "plus-times", "max-plus", "min-plus", "max-min", "min-max", "max-times", "or-and", "xor-and"
]


def matmul(
    a: ArrayLike,
    b: ArrayLike,
    semiring: SemiringName = "plus-times",
    *,
    out: NDArray[Any] | None = None,
    device: DeviceLike = "auto",
) -> NDArray[Any]:
    """The product of matrices over a semiring, named by its sum and its product.

    ``"min-plus"`` gives shortest paths of two arcs, ``"max-min"`` the widest. Integers of ``"max-plus"`` and ``"min-plus"`` keep
    their least and greatest number as the infinity; other sums of integers wrap.

    >>> import manycore as mc
    >>> mc.matmul([[0, 3], [1, 0]], [[0, 3], [1, 0]], "min-plus")
    array([[0, 3],
           [1, 0]])
    >>> mc.matmul([[1.0, 2.0]], [[3.0], [4.0]])
    array([[11.]])
    """
    left, right = numbers(a), numbers(b)
    if left.dtype != right.dtype:
        common = np.result_type(left, right)
        left, right = left.astype(common), right.astype(common)
    vector = right.ndim == 1
    if vector:
        right = right[:, np.newaxis]
    if left.ndim != 2 or right.ndim != 2:
        raise ValueError(f"matrices, and the arrays have {left.ndim} and {right.ndim} dimensions")
    if left.shape[1] != right.shape[0]:
        raise ValueError(f"{left.shape[1]} columns on the left, and {right.shape[0]} rows on the right")
    shape = (left.shape[0], left.shape[1], right.shape[1])
    found = np.asarray(
        _native.semiring_product(
            device_of(device), np.ascontiguousarray(left), np.ascontiguousarray(right), shape, semiring
        )
    )
    found = found[:, 0] if vector else found
    if out is None:
        return found
    if out.shape != found.shape:
        raise ValueError(f"out has the shape {out.shape}, and the result {found.shape}")
    np.copyto(out, found, casting="no")
    return out
