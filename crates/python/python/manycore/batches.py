"""Batches of small square matrices modulo primes: all determinants or inverses in one pass over the device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._arrays import residues
from .devices import DeviceLike, device_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def _batch(matrices: ArrayLike, modulus: int, device: DeviceLike, inverts: bool) -> NDArray[Any]:
    array = residues(matrices, modulus)
    if array.ndim < 2 or array.shape[-1] != array.shape[-2]:
        raise ValueError(f"an array of the shape {array.shape}: square matrices lie along the last two axes")
    order, shape = array.shape[-1], array.shape if inverts else array.shape[:-2]
    count = int(np.prod(array.shape[:-2], dtype=np.int64))
    flat = np.ascontiguousarray(array).ravel()
    found = _native.matrix_batch(device_of(device), modulus, (count, order), flat, inverts)
    return np.asarray(found).reshape(shape)


def determinants(matrices: ArrayLike, modulus: int, *, device: DeviceLike = "auto") -> NDArray[Any]:
    """The determinants modulo a prime of square matrices, which lie along the last two axes.

    >>> import manycore as mc
    >>> mc.determinants([[[1, 2], [3, 4]], [[2, 0], [0, 5]]], 7)
    array([5, 3], dtype=uint32)
    """
    return _batch(matrices, modulus, device, False)


def inverses(matrices: ArrayLike, modulus: int, *, device: DeviceLike = "auto") -> NDArray[Any]:
    """The inverses modulo a prime of square matrices, which lie along the last two axes; ``ZeroDivisionError`` names the first
    matrix that has none.

    >>> import manycore as mc
    >>> mc.inverses([[[1, 2], [3, 4]]], 7)
    array([[[5, 1],
            [5, 3]]], dtype=uint32)
    """
    return _batch(matrices, modulus, device, True)
