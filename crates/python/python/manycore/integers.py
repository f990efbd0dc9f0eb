"""Products of integers of any size, and exact products of arrays of integers by residues modulo primes."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from .devices import Device, DeviceLike, device_of, explained_by

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

PRIMES = (2**63 - 25, 2**63 - 165, 2**63 - 259)
"""The greatest primes below ``2^63``: their product is past that of two integers of 64 bits, ``2^32`` times."""


def _explain(a: int, b: int, *, device: DeviceLike = "auto") -> tuple[Device, str]:
    on = device_of(device)
    bits = operator.index(a).bit_length(), operator.index(b).bit_length()
    return on, f"integers of {bits[0]} and {bits[1]} bits:\n{_native.explain_integer_product(on, bits)}"


@explained_by(_explain)
def integer_product(a: int, b: int, *, device: DeviceLike = "auto") -> int:
    """The product of two integers of any size, in ``O(n log n)`` operations for ``n`` bits.

    Python's own products take ``n^1.58`` operations: from some ten thousand digits on this one is faster.

    >>> import manycore as mc
    >>> a = 3**20_000
    >>> mc.integer_product(a, -a) == -(3**40_000)
    True
    """
    on = device_of(device)
    if a is b:
        return _native.integer_square(on, operator.index(a))
    return _native.integer_product(on, operator.index(a), operator.index(b))


def size(values: NDArray[Any]) -> int:
    """The greatest size of an array of integers; 0 of none."""
    if not values.size:
        return 0
    if values.dtype == object:
        return max(abs(int(one)) for one in values.ravel())
    return max(int(values.max()), -int(values.min()))


def exact(bound: int, residues: Callable[[int], NDArray[Any]]) -> NDArray[Any]:
    """The integers of which ``residues(p)`` gives the residues modulo a prime, where their size is at most ``bound``: ``int64``
    where the bound fits, else Python's integers, by Chinese remainders."""
    modulus = PRIMES[0]
    value = residues(modulus)
    if 2 * bound < modulus:
        signed = value.astype(np.int64)
        return np.where(signed > modulus // 2, signed - modulus, signed)
    total: NDArray[Any] = value.astype(object)
    for prime in PRIMES[1:]:
        step = (residues(prime).astype(object) - total) * pow(modulus, -1, prime) % prime
        total, modulus = total + modulus * step, modulus * prime
        if 2 * bound < modulus:
            return np.asarray(np.where(total > modulus // 2, total - modulus, total))
    raise OverflowError(f"integers of up to {bound.bit_length()} bits: entries have at most 64")
