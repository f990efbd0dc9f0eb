"""Arrays as they are given: of NumPy, of the array interface or of DLPack, and lists."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, cast

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray


# The letters of int32, int64, float32 and float64; of two types of one size, as int and long are, both.
_NUMBERS = "".join(np.dtype(name).char for name in ("int32", "int64", "float32", "float64")) + "lq"


def as_array(x: ArrayLike) -> NDArray[Any]:
    """``x`` as an array, without a copy where its memory is the host's: NumPy's, the array interface's or DLPack's. Elements of the
    other byte order are copied into this machine's."""
    if not isinstance(x, np.ndarray) and hasattr(x, "__dlpack__") and not hasattr(x, "__array__"):
        return cast("NDArray[Any]", np.from_dlpack(cast("Any", x)))
    array = np.asarray(x)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def numbers(x: ArrayLike) -> NDArray[Any]:
    """``x`` with elements that transforms of numbers take: ``int32``, ``int64``, ``float32`` or ``float64``."""
    array = as_array(x)
    if array.dtype.char in _NUMBERS:
        return array
    if array.dtype == np.bool_ or array.dtype.kind in "iu" and array.dtype.itemsize < 8:
        return array.astype(np.int64)
    if array.dtype == np.uint64:
        if array.size and int(array.max()) > np.iinfo(np.int64).max:
            raise OverflowError("integers past 2^63 - 1")
        return array.astype(np.int64)
    if array.dtype == np.float16:
        return array.astype(np.float32)
    raise TypeError(f"elements of type {array.dtype}: integers, float32 and float64 are taken")


def entries(x: ArrayLike) -> NDArray[Any]:
    """``x`` with elements that semirings take: those of `numbers`, and ``uint32`` and ``uint64`` as they are."""
    array = as_array(x)
    return array if array.dtype in (np.dtype(np.uint32), np.dtype(np.uint64)) else numbers(array)


def integers(x: ArrayLike, modulus: int) -> NDArray[Any]:
    """Integers of any size, of which compiled code takes the residues: an array of one of NumPy's types, C-contiguous."""
    array = as_array(x)
    if array.dtype.kind not in "iu":
        if array.dtype == object:
            array = np.array([operator.index(value) % modulus for value in array.ravel()], dtype=np.uint64).reshape(array.shape)
        elif array.dtype.kind == "b":
            array = array.view(np.uint8)
        elif array.dtype.kind == "f" and array.size == 0:
            array = array.astype(np.int64)
        else:
            raise TypeError(f"elements of type {array.dtype}: residues are integers")
    return array if array.flags.c_contiguous else np.ascontiguousarray(array)


def residues(x: ArrayLike, modulus: int) -> NDArray[Any]:
    """The residues of integers of any size modulo a prime, as ``uint32`` or ``uint64``, in the shape that they have."""
    from . import _native

    array = integers(x, modulus)
    found = _native.residues(modulus, array)
    return found if array.ndim == 1 else cast("NDArray[Any]", found.reshape(array.shape))


def along(x: NDArray[Any], axis: int | Sequence[int], transform: Any, out: NDArray[Any] | None) -> NDArray[Any]:
    """A copy of ``x`` transformed along one axis, or along each of several; ``transform`` changes the lines of a contiguous
    array, which lie along its last axis. With ``out`` the result lies there; ``out`` may be ``x`` itself."""
    if out is None and isinstance(axis, int) and x.ndim and axis in (-1, x.ndim - 1):
        result = x.copy(order="C")
        if x.size:
            transform(result, x.shape[-1])
        return result
    axes = [axis] if isinstance(axis, (int, np.integer)) else list(axis)
    axes = [_axis(int(one), x.ndim) for one in axes]
    if len(set(axes)) != len(axes):
        raise ValueError(f"an axis twice: {axes}")
    if out is not None:
        if out.shape != x.shape:
            raise ValueError(f"out has the shape {out.shape}, and the result {x.shape}")
        if out.dtype != x.dtype:
            raise TypeError(f"out has elements of type {out.dtype}, and the result {x.dtype}")
    result = out if out is not None and out.flags.c_contiguous else np.empty(x.shape, x.dtype)
    if result is not x:
        np.copyto(result, x)
    for one in axes:
        if x.shape[one] == 0 or x.size == 0:
            continue
        if one == x.ndim - 1:
            transform(result, x.shape[one])
            continue
        lines = np.ascontiguousarray(np.moveaxis(result, one, -1))
        transform(lines, x.shape[one])
        np.copyto(result, np.moveaxis(lines, -1, one))
    if out is not None and result is not out:
        np.copyto(out, result)
        return out
    return result


def _axis(axis: int, dimensions: int) -> int:
    if not -dimensions <= axis < dimensions:
        raise np.exceptions.AxisError(axis, dimensions)
    return axis % dimensions
