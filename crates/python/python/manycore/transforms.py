"""Spectral, number-theoretic and Fourier transforms, along any axis of an array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from . import _native
from ._arrays import along, as_array, numbers, residues
from .characters import AbelianGroup, GroupLike, group_of
from .devices import DeviceLike, DevicesLike, device_of, devices_of, explained_by

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray


_SHARED = (_native.walsh, _native.reed_muller, _native.arithmetic, _native.ntt)
"""Transforms that several devices share."""


def _transformed(
    array: NDArray[Any],
    axis: int | Sequence[int],
    out: NDArray[Any] | None,
    device: DevicesLike,
    native: Callable[..., Any],
    *options: Any,
) -> NDArray[Any]:
    """An array along an axis by a transform of the compiled module, which takes the device, lines, their length and its options."""
    on = devices_of(device) if native in _SHARED else device_of(cast("DeviceLike", device))
    return along(array, axis, lambda lines, length: native(on, lines, length, *options), out)


def _explain_walsh(x: ArrayLike, *_: Any, device: DeviceLike = "auto", **options: Any) -> tuple[_native.Device, str]:
    array, on = numbers(x), device_of(device)
    axis = options.get("axis", -1)
    order = options.get("order", "hadamard")
    return on, _native.explain_walsh(on, array.dtype.name, array.size, array.shape[axis], order)


@explained_by(_explain_walsh)
def fwht(
    x: ArrayLike,
    axis: int | Sequence[int] = -1,
    *,
    order: Literal["hadamard", "sequency", "dyadic"] = "hadamard",
    wrapping: bool = False,
    out: NDArray[Any] | None = None,
    device: DevicesLike = "auto",
) -> NDArray[Any]:
    """The Walsh-Hadamard transform ``X[w] = sum_x (-1)^(w . x) f(x)`` of ``2^n`` values along an axis, or along several.

    Integers stay integers and are exact. Takes ``n 2^n`` additions.

    Parameters
    ----------
    x : numbers, of any shape; ``2^n`` along the axis
    axis : the axis, or several
    order : of the spectrum
    wrapping : compute integers modulo ``2^32`` or ``2^64`` where otherwise ``OverflowError`` tells that their type does not hold
        them, and round an inverse down where otherwise ``ValueError`` tells that it is not of integers
    out : an array for the result, of the result's shape and type; it may be ``x``, which is then changed in place

    Examples
    --------
    >>> import manycore as mc
    >>> mc.fwht([1, 0, 1, 0, 0, 1, 1, 0])
    array([ 4,  2,  0, -2,  0,  2,  0,  2])
    >>> mc.fwht([[1, 2], [3, 4]], axis=(0, 1))
    array([[10, -2],
           [-4,  0]])
    """
    return _transformed(numbers(x), axis, out, device, _native.walsh, order, (False, wrapping))


def ifwht(
    x: ArrayLike,
    axis: int | Sequence[int] = -1,
    *,
    order: Literal["hadamard", "sequency", "dyadic"] = "hadamard",
    wrapping: bool = False,
    out: NDArray[Any] | None = None,
    device: DevicesLike = "auto",
) -> NDArray[Any]:
    """The inverse of :func:`fwht`: the transform over ``2^n``, which is exact of a spectrum of integers.

    >>> import manycore as mc
    >>> mc.ifwht(mc.fwht([3, 1, 4, 1]))
    array([3, 1, 4, 1])
    """
    return _transformed(numbers(x), axis, out, device, _native.walsh, order, (True, wrapping))


def _bits(x: ArrayLike) -> NDArray[Any]:
    array = as_array(x)
    if array.dtype == np.bool_ or array.dtype.kind in "iu" and array.dtype not in (
        np.uint8,
        np.uint32,
        np.int32,
        np.uint64,
        np.int64,
    ):
        if array.size and (int(array.max()) > 1 or int(array.min()) < 0):
            raise ValueError("values of a Boolean function are 0 and 1")
        return array.astype(np.uint8)
    if array.dtype.kind not in "iu":
        raise TypeError(f"elements of type {array.dtype}: bits are integers 0 and 1, or truth values")
    return array


def reed_muller(
    x: ArrayLike,
    axis: int | Sequence[int] = -1,
    *,
    order: Literal["natural", "reversed"] = "natural",
    polarity: int = 0,
    inverse: bool = False,
    out: NDArray[Any] | None = None,
    device: DevicesLike = "auto",
) -> NDArray[Any]:
    """The Reed-Muller (binary Moebius) transform of ``2^n`` bits: the coefficients of the algebraic normal form.

    >>> import manycore as mc
    >>> mc.reed_muller([0, 0, 0, 1])  # x1 x2
    array([0, 0, 0, 1])
    >>> mc.reed_muller([False, True, True, True])  # x1 + x2 + x1 x2
    array([0, 1, 1, 1], dtype=uint8)
    """
    return _transformed(_bits(x), axis, out, device, _native.reed_muller, order, inverse, polarity)


def arithmetic_transform(
    x: ArrayLike,
    axis: int | Sequence[int] = -1,
    *,
    order: Literal["natural", "reversed"] = "natural",
    polarity: int = 0,
    wrapping: bool = False,
    out: NDArray[Any] | None = None,
    device: DevicesLike = "auto",
) -> NDArray[Any]:
    """The arithmetic transform of ``2^n`` values: the integer coefficients of the products of variables.

    Integers are exact unless they may be ``wrapping``, as :func:`fwht` has it.

    >>> import manycore as mc
    >>> mc.arithmetic_transform([0, 1, 1, 0])  # x1 + x2 - 2 x1 x2
    array([ 0,  1,  1, -2])
    """
    return _transformed(numbers(x), axis, out, device, _native.arithmetic, order, (False, wrapping), polarity)


def iarithmetic_transform(
    x: ArrayLike,
    axis: int | Sequence[int] = -1,
    *,
    order: Literal["natural", "reversed"] = "natural",
    polarity: int = 0,
    wrapping: bool = False,
    out: NDArray[Any] | None = None,
    device: DevicesLike = "auto",
) -> NDArray[Any]:
    """The inverse of :func:`arithmetic_transform`.

    >>> import manycore as mc
    >>> mc.iarithmetic_transform([0, 1, 1, -2])
    array([0, 1, 1, 0])
    """
    return _transformed(numbers(x), axis, out, device, _native.arithmetic, order, (True, wrapping), polarity)


def haar(
    x: ArrayLike,
    axis: int | Sequence[int] = -1,
    *,
    order: Literal["standard", "in-place"] = "standard",
    norm: Literal["none", "orthonormal", "equal-energy"] = "none",
    wrapping: bool = False,
    out: NDArray[Any] | None = None,
    device: DeviceLike = "auto",
) -> NDArray[Any]:
    """The Haar transform of ``2^n`` values.

    Integers are exact unless they may be ``wrapping``, as :func:`fwht` has it.

    >>> import manycore as mc
    >>> mc.haar([4, 2, 5, 5])
    array([16, -4,  2,  0])
    """
    return _transformed(numbers(x), axis, out, device, _native.haar, order, (False, wrapping), norm)


def ihaar(
    x: ArrayLike,
    axis: int | Sequence[int] = -1,
    *,
    order: Literal["standard", "in-place"] = "standard",
    norm: Literal["none", "orthonormal", "equal-energy"] = "none",
    wrapping: bool = False,
    out: NDArray[Any] | None = None,
    device: DeviceLike = "auto",
) -> NDArray[Any]:
    """The inverse of :func:`haar`.

    >>> import manycore as mc
    >>> mc.ihaar([16, -4, 2, 0])
    array([4, 2, 5, 5])
    """
    return _transformed(numbers(x), axis, out, device, _native.haar, order, (True, wrapping), norm)


def polarity_terms(truth_table: ArrayLike) -> NDArray[np.uint32]:
    """The number of terms of a function's Reed-Muller form in each of its ``2^n`` polarities.

    >>> import manycore as mc
    >>> mc.polarity_terms([0, 1, 1, 1])
    array([3, 3, 3, 2], dtype=uint32)
    """
    values = as_array(truth_table)
    if values.dtype.kind not in "iub":
        raise TypeError(f"elements of type {values.dtype}: values are 0 and 1, or truth values")
    if values.size and (int(values.max()) > 1 or int(values.min()) < 0):
        raise ValueError("values of a Boolean function are 0 and 1")
    return np.asarray(_native.polarity_terms(np.ascontiguousarray(values, dtype=np.uint8)))


def _default_modulus(length: int) -> int:
    """The least prime ``k 2^n + 1`` that has roots of the order ``length``, as galois' ``ntt`` takes it."""
    from math import isqrt

    order = length
    while True:
        candidate = order + 1
        if candidate > 2 and all(candidate % d for d in range(2, isqrt(candidate) + 1)):
            return candidate
        order += length


def _number_theoretic(
    x: ArrayLike,
    size: int | None,
    modulus: int | None,
    axis: int | Sequence[int],
    out: NDArray[Any] | None,
    device: DevicesLike,
    form: tuple[bool, bool, bool],
) -> NDArray[Any]:
    array = as_array(x)
    if size is not None:
        if not isinstance(axis, (int, np.integer)):
            raise TypeError("size goes with one axis")
        length = array.shape[axis]
        if size < length:
            raise ValueError(f"size is {size}, and there are {length} values along the axis")
        padding = [(0, 0)] * array.ndim
        padding[axis] = (0, size - length)
        array = np.pad(array, padding)
    if modulus is None:
        lengths = [array.shape[one] for one in ([axis] if isinstance(axis, (int, np.integer)) else axis)]
        modulus = _default_modulus(int(np.lcm.reduce(lengths)))
        if array.size and int(array.max()) >= modulus:
            raise ValueError(f"values past the least modulus with roots, {modulus}: give a modulus")
    return _transformed(residues(array, modulus), axis, out, device, _native.ntt, modulus, form)


def _explain_ntt(x: ArrayLike, *_: Any, device: DeviceLike = "auto", **options: Any) -> tuple[_native.Device, str]:
    array, on = as_array(x), device_of(device)
    modulus = options.get("modulus") or _default_modulus(array.shape[-1])
    return on, _native.explain_ntt(on, modulus, array.size, array.shape[-1])


@explained_by(_explain_ntt)
def ntt(
    x: ArrayLike,
    size: int | None = None,
    modulus: int | None = None,
    axis: int | Sequence[int] = -1,
    *,
    negacyclic: bool = False,
    bit_reversed: bool = False,
    out: NDArray[Any] | None = None,
    device: DevicesLike = "auto",
) -> NDArray[Any]:
    """The number-theoretic transform of ``2^n`` residues modulo a prime ``p`` with ``2^n | p - 1``.

    Without a modulus it is modulo the least such prime, as galois' ``ntt``. The root of unity is the power of the least
    primitive root.

    Parameters
    ----------
    x : integers, of any size: they are reduced modulo the prime
    size : zeros are appended up to so many values
    modulus : a prime below ``2^63``, or ``2^64 - 2^32 + 1``
    negacyclic : of polynomials modulo ``x^N + 1``; then ``2^(n + 1) | p - 1``
    bit_reversed : the spectrum in bit-reversed order, which saves a pass over memory

    Examples
    --------
    >>> import manycore as mc
    >>> mc.ntt([1, 2, 3, 4])
    array([0, 4, 3, 2], dtype=uint32)
    """
    return _number_theoretic(x, size, modulus, axis, out, device, (False, negacyclic, bit_reversed))


def intt(
    x: ArrayLike,
    size: int | None = None,
    modulus: int | None = None,
    axis: int | Sequence[int] = -1,
    *,
    negacyclic: bool = False,
    bit_reversed: bool = False,
    out: NDArray[Any] | None = None,
    device: DevicesLike = "auto",
) -> NDArray[Any]:
    """The inverse of :func:`ntt`.

    >>> import manycore as mc
    >>> mc.intt([0, 4, 3, 2])
    array([1, 2, 3, 4], dtype=uint32)
    """
    return _number_theoretic(x, size, modulus, axis, out, device, (True, negacyclic, bit_reversed))


def _values(x: ArrayLike, modulus: int | None) -> NDArray[Any]:
    if modulus is not None:
        return residues(x, modulus)
    array = as_array(x)
    if array.dtype in (np.complex64, np.complex128):
        return array
    return array.astype(np.complex64 if array.dtype in (np.float32, np.float16) else np.complex128)


def _on_group(length: int, group: GroupLike | None) -> AbelianGroup:
    of = AbelianGroup([length]) if group is None else group_of(group)
    if of.order != length:
        raise ValueError(f"{length} values along the axis, and a group of order {of.order}")
    return of


def fft(
    x: ArrayLike,
    axis: int = -1,
    *,
    group: GroupLike | None = None,
    modulus: int | None = None,
    out: NDArray[Any] | None = None,
    device: DeviceLike = "auto",
) -> NDArray[Any]:
    """The Fourier transform ``F[w] = sum_z f(z) conj(chi_w(z))`` of functions on a finite Abelian group.

    Without a group it is that of the cyclic group, numpy's ``fft``. Complex numbers, or residues modulo a prime with roots of
    the group's exponent, which are exact.

    >>> import manycore as mc
    >>> mc.fft([1, 2, 3, 4]).round(6) + 0
    array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    >>> mc.fft([1, 2, 3, 4, 5, 6], group=[2, 3], modulus=7)
    array([0, 2, 6, 5, 0, 0], dtype=uint32)
    """
    array = _values(x, modulus)
    factors = _on_group(array.shape[axis], group).factors
    return _transformed(array, axis, out, device, _native.fourier, factors, False, modulus)


def ifft(
    x: ArrayLike,
    axis: int = -1,
    *,
    group: GroupLike | None = None,
    modulus: int | None = None,
    out: NDArray[Any] | None = None,
    device: DeviceLike = "auto",
) -> NDArray[Any]:
    """The inverse of :func:`fft`.

    >>> import manycore as mc
    >>> mc.ifft(mc.fft([1, 2, 3], modulus=7), modulus=7)
    array([1, 2, 3], dtype=uint32)
    """
    array = _values(x, modulus)
    factors = _on_group(array.shape[axis], group).factors
    return _transformed(array, axis, out, device, _native.fourier, factors, True, modulus)


def _through_spectra(
    f: ArrayLike, g: ArrayLike, group: GroupLike | None, modulus: int | None, device: DeviceLike, correlates: bool
) -> NDArray[Any]:
    left, right = _values(f, modulus), _values(g, modulus)
    if left.dtype != right.dtype:
        left, right = left.astype(np.complex128), right.astype(np.complex128)
    if left.ndim == 0 or right.ndim == 0:
        raise ValueError("functions on a group are arrays, and a number has no dimension")
    if right.ndim > 1 and right.shape != left.shape or right.shape[-1] != left.shape[-1]:
        raise ValueError(f"functions of the shapes {left.shape} and {right.shape}: alike, or one second function")
    factors = _on_group(left.shape[-1], group).factors
    flat = np.ascontiguousarray(left).ravel(), np.ascontiguousarray(right).ravel()
    found = np.asarray(_native.convolve(device_of(device), *flat, factors, correlates, modulus))
    return found.reshape(left.shape)


def convolve(
    f: ArrayLike,
    g: ArrayLike,
    *,
    group: GroupLike | None = None,
    modulus: int | None = None,
    device: DeviceLike = "auto",
) -> NDArray[Any]:
    """The convolution ``(f * g)(z) = sum_y f(y) g(z - y)`` of functions on a finite Abelian group, the cyclic one by default.

    Functions lie along the last axis: one ``g`` for all functions ``f``, or one for each.

    >>> import manycore as mc
    >>> mc.convolve([1, 2, 3], [0, 1, 0], modulus=13)
    array([3, 1, 2], dtype=uint32)
    """
    return _through_spectra(f, g, group, modulus, device, False)


def correlate(
    f: ArrayLike,
    g: ArrayLike,
    *,
    group: GroupLike | None = None,
    modulus: int | None = None,
    device: DeviceLike = "auto",
) -> NDArray[Any]:
    """The correlation ``sum_y conj(f(y)) g(y + z)`` of functions on a finite Abelian group, the cyclic one by default.

    Functions lie along the last axis: one ``g`` for all functions ``f``, or one for each. Residues are their own conjugates.

    >>> import manycore as mc
    >>> mc.correlate([1, 2, 3], [1, 2, 3], modulus=13)
    array([ 1, 11, 11], dtype=uint32)
    """
    return _through_spectra(f, g, group, modulus, device, True)


def _is_matrix(product: Any) -> bool:
    """Whether a list is one matrix, and not a list of factors."""
    return isinstance(product, np.ndarray) and product.ndim == 2 or (
        not isinstance(product, np.ndarray)
        and all(not isinstance(row, (str, np.ndarray)) and all(np.ndim(entry) == 0 for entry in row) for row in product)
    )


def _numbers(array: NDArray[Any]) -> NDArray[Any]:
    return array if array.dtype in (np.complex64, np.complex128) else numbers(array)


def kronecker(
    x: ArrayLike,
    product: str | ArrayLike | Sequence[str | ArrayLike],
    axis: int = -1,
    *,
    direction: Literal["forward", "inverse", "transpose"] = "forward",
    modulus: int | None = None,
    wrapping: bool = False,
    out: NDArray[Any] | None = None,
    device: DeviceLike = "auto",
) -> NDArray[Any]:
    """A Kronecker product of small matrices times vectors.

    The product is written as in the book, as in ``"walsh^3"``, or a list of its factors from the left, as in ``numpy.kron``: each a
    square array of up to 16 rows (32 of 0, 1 and -1), or such a text. Integers are exact unless they may be ``wrapping``, as
    :func:`fwht` has it.

    >>> import manycore as mc
    >>> mc.kronecker([1, 0, 1, 0], "walsh^2")
    array([2, 2, 0, 0])
    >>> mc.kronecker([1, 2, 3, 4], "rm x id")
    array([1, 2, 4, 6])
    >>> mc.kronecker([1, 2, 3, 4], [[[1, 1], [0, 1]], "id"])
    array([4, 6, 3, 4])
    """
    several: Any = product
    given: list[Any] = [product] if isinstance(product, str) or _is_matrix(product) else list(several)
    parts = [one if isinstance(one, str) else as_array(one) for one in given]
    for place, part in enumerate(parts):
        if not isinstance(part, str) and (part.ndim != 2 or part.shape[0] != part.shape[1]):
            raise ValueError(f"factor {place} has the shape {part.shape}: factors are square matrices, or texts")
    if modulus is not None:
        array = residues(x, modulus)
        parts = [part if isinstance(part, str) else residues(part, modulus) for part in parts]
    else:
        array = as_array(x)
        array = _numbers(array)
        parts = [part if isinstance(part, str) else _numbers(part) for part in parts]
        common = np.result_type(array, *(part for part in parts if not isinstance(part, str)))
        array = array if array.dtype == common else array.astype(common)
        parts = [part if isinstance(part, str) else np.ascontiguousarray(part, dtype=common) for part in parts]
    return _transformed(array, axis, out, device, _native.kronecker, parts, (direction, wrapping), modulus)
