"""Finite Abelian groups and their characters."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Union

import numpy as np

from . import _native
from ._values import Immutable
from .devices import DeviceLike, device_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


class AbelianGroup(Immutable):
    """A product of cyclic groups, as Sage's ``AbelianGroup``; elements are numbers, mixed-radix digits of which the last
    changes fastest.

    >>> import manycore as mc
    >>> group = mc.AbelianGroup([2, 6])
    >>> group.order, group.exponent, group.invariant_factors()
    (12, 6, [2, 6])
    >>> group.is_isomorphic(mc.AbelianGroup([2, 2, 3]))
    True
    """

    __slots__ = ("_group",)

    def __init__(self, factors: Sequence[int]) -> None:
        self._group = _native.AbelianGroup([operator.index(factor) for factor in factors])

    @property
    def factors(self) -> list[int]:
        """The orders of the cyclic groups."""
        return self._group.factors

    @property
    def order(self) -> int:
        """The number of elements."""
        return self._group.order

    @property
    def exponent(self) -> int:
        """The least common multiple of the orders of the elements."""
        return self._group.exponent

    def invariant_factors(self) -> list[int]:
        """The orders of cyclic groups each of which divides the next."""
        return self._group.invariant_factors()

    def is_isomorphic(self, other: AbelianGroup) -> bool:
        """Whether both groups are the same but for names."""
        return self._group.is_isomorphic(other._group)

    def digits(self, element: int) -> list[int]:
        """The coordinates of an element.

        >>> import manycore as mc
        >>> mc.AbelianGroup([2, 6]).digits(7)
        [1, 1]
        """
        return self._group.digits(element)

    def element(self, digits: Sequence[int]) -> int:
        """The element with these coordinates."""
        return self._group.index(list(digits))

    def add(self, a: int, b: int) -> int:
        """The sum of two elements."""
        return self._group.add(a, b)

    def negate(self, a: int) -> int:
        """The inverse of an element."""
        return self._group.negate(a)

    def element_order(self, element: int) -> int:
        """The order of an element."""
        return self._group.element_order(element)

    def character_exponent(self, character: int, element: int) -> int:
        """The exponent ``t`` of the value ``exp(2 pi i t / exponent)`` of a character at an element."""
        return self._group.character_exponent(character, element)

    def character_table(
        self,
        values: Literal["complex128", "complex64", "exponents"] = "complex128",
        *,
        modulus: int | None = None,
        rows: slice | range | None = None,
        columns: slice | range | None = None,
        device: DeviceLike = "auto",
    ) -> NDArray[Any]:
        """The values of the characters (rows) at the elements (columns): complex numbers, exponents of the group's root of
        unity, or residues modulo a prime with roots of that order.

        >>> import manycore as mc
        >>> mc.AbelianGroup([4]).character_table("exponents")
        array([[0, 0, 0, 0],
               [0, 1, 2, 3],
               [0, 2, 0, 2],
               [0, 3, 2, 1]], dtype=uint32)
        >>> mc.AbelianGroup([3]).character_table(modulus=7)
        array([[1, 1, 1],
               [1, 2, 4],
               [1, 4, 2]], dtype=uint32)
        """
        kind = "residues" if modulus is not None else values
        part = self._group.table(device_of(device), kind, self._part(rows), self._part(columns), modulus)
        return np.asarray(part)

    def _part(self, part: slice | range | None) -> tuple[int, int]:
        if part is None:
            return (0, self.order)
        if isinstance(part, slice):
            part = range(*part.indices(self.order))
        if part.step != 1:
            raise ValueError("rows and columns are contiguous: a step of 1")
        return (part.start, part.stop)

    def __len__(self) -> int:
        return self.order

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.order))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AbelianGroup) and self.factors == other.factors

    def __hash__(self) -> int:
        return hash(tuple(self.factors))

    def __reduce__(self) -> tuple[Any, ...]:
        return AbelianGroup, (self.factors,)

    def __repr__(self) -> str:
        return f"AbelianGroup({self.factors})"


GroupLike = Union[AbelianGroup, Sequence[int]]
"""A group, or the orders of its cyclic factors."""


def group_of(group: GroupLike) -> AbelianGroup:
    """The group that is meant."""
    return group if isinstance(group, AbelianGroup) else AbelianGroup(group)


def character_table(
    group: GroupLike,
    values: Literal["complex128", "complex64", "exponents"] = "complex128",
    *,
    modulus: int | None = None,
    device: DeviceLike = "auto",
) -> NDArray[Any]:
    """The table of :meth:`AbelianGroup.character_table`.

    >>> import manycore as mc
    >>> mc.character_table([2, 2], "exponents")
    array([[0, 0, 0, 0],
           [0, 1, 0, 1],
           [0, 0, 1, 1],
           [0, 1, 1, 0]], dtype=uint32)
    """
    return group_of(group).character_table(values, modulus=modulus, device=device)
