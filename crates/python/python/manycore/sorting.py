"""Sorts, stable and the same on every device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._arrays import along, as_array
from .devices import DeviceLike, DevicesLike, device_of, devices_of, explained_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray


def _keys(x: ArrayLike) -> NDArray[Any]:
    array = as_array(x)
    return array.view(np.uint8) if array.dtype == np.bool_ else array


def _explain_sort(x: ArrayLike, *_: Any, device: DeviceLike = "auto", **__: Any) -> tuple[_native.Device, str]:
    array, on = _keys(x), device_of(device)
    return on, _native.explain_sort(on, array.dtype.name, array.size)


@explained_by(_explain_sort)
def sort(
    x: ArrayLike,
    axis: int = -1,
    *,
    descending: bool = False,
    out: NDArray[Any] | None = None,
    device: DevicesLike = "auto",
) -> NDArray[Any]:
    """A sorted copy of integers or floating-point numbers along an axis, in the total order of IEEE 754: ``-0.0``
    before ``0.0``, and ``nan`` after ``inf``.

    >>> import manycore as mc
    >>> mc.sort([3, 1, 2], descending=True)
    array([3, 2, 1])
    """
    on = devices_of(device)
    found = along(_keys(x), axis, lambda lines, length: _native.sort(on, lines, length, descending), out)
    return found.view(np.bool_) if as_array(x).dtype == np.bool_ else found


def argsort(x: ArrayLike, axis: int = -1, *, descending: bool = False, device: DeviceLike = "auto") -> NDArray[np.uint32]:
    """The indices that sort along an axis; equal keys stay in order.

    >>> import manycore as mc
    >>> mc.argsort([3, 1, 2, 1])
    array([1, 3, 2, 0], dtype=uint32)
    """
    on = device_of(device)
    array = np.moveaxis(_keys(x), axis, -1)
    places = np.asarray(_native.argsort(on, np.ascontiguousarray(array), array.shape[-1], descending))
    return np.moveaxis(places.reshape(array.shape), -1, axis)


def topk(x: ArrayLike, k: int, *, largest: bool = True, device: DeviceLike = "auto") -> NDArray[Any]:
    """The ``k`` largest (or smallest) of a vector, in order.

    >>> import manycore as mc
    >>> mc.topk([3, 1, 4, 1, 5], 2)
    array([5, 4])
    """
    array = _keys(x)
    if array.ndim != 1:
        raise ValueError(f"a vector, and the array has {array.ndim} dimensions")
    return np.asarray(_native.first(device_of(device), np.ascontiguousarray(array), k, largest))


def argsort_strings(strings: Sequence[str | bytes], *, descending: bool = False) -> NDArray[np.uint32]:
    """The indices that sort strings by their bytes in UTF-8, which is the order of Python's strings.

    >>> import manycore as mc
    >>> mc.argsort_strings(["pear", "apple", "fig"])
    array([1, 2, 0], dtype=uint32)
    """
    encoded = [one.encode() if isinstance(one, str) else bytes(one) for one in strings]
    return np.asarray(_native.argsort_bytes(encoded, descending))
