"""Arrays as they are given: of NumPy, of the array interface or of DLPack, and lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray


def as_array(x: ArrayLike) -> NDArray[Any]:
    """``x`` as an array, without a copy where its memory is the host's: NumPy's, the array interface's or DLPack's."""
    if not isinstance(x, np.ndarray) and hasattr(x, "__dlpack__") and not hasattr(x, "__array__"):
        return cast("NDArray[Any]", np.from_dlpack(cast("Any", x)))
    return np.asarray(x)


def numbers(x: ArrayLike) -> NDArray[Any]:
    """``x`` with elements that transforms of numbers take: ``int32``, ``int64``, ``float32`` or ``float64``."""
    array = as_array(x)
    if array.dtype in (np.int32, np.int64, np.float32, np.float64):
        return array
    if array.dtype == np.bool_ or array.dtype.kind in "iu" and array.dtype.itemsize < 8:
        return array.astype(np.int64)
    if array.dtype == np.uint64:
        if array.size and int(array.max()) > np.iinfo(np.int64).max:
            raise OverflowError("integers past 2^63 - 1")
        return array.astype(np.int64)
    if array.dtype == np.float16:
        return array.astype(np.float32)
    raise TypeError(f"elements of type {array.dtype}: integers, float32 and float64 are transformed")


def residues(x: ArrayLike, modulus: int) -> NDArray[Any]:
    """The residues of integers of any size modulo a prime, as ``uint32`` or ``uint64``, in the shape that they have."""
    from . import _native

    array = as_array(x)
    if array.dtype == object:
        array = np.array([int(value) % modulus for value in array.ravel()], dtype=np.uint64).reshape(array.shape)
    elif array.dtype == np.bool_:
        array = array.astype(np.uint8)
    elif array.dtype.kind == "f" and array.size == 0:
        array = array.astype(np.int64)
    elif array.dtype.kind not in "iu":
        raise TypeError(f"elements of type {array.dtype}: residues are integers")
    found = _native.residues(modulus, np.ascontiguousarray(array))
    return cast("NDArray[Any]", found.reshape(array.shape))


def along(x: NDArray[Any], axis: int | Sequence[int], transform: Any, out: NDArray[Any] | None) -> NDArray[Any]:
    """A copy of ``x`` transformed along one axis, or along each of several; ``transform`` changes the lines of a contiguous
    array, which lie along its last axis. With ``out`` the result lies there; ``out`` may be ``x`` itself."""
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
