"""Polynomials over prime fields, with the names of galois, python-flint and Sage."""

from __future__ import annotations

import operator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _native
from ._arrays import as_array, integers, residues
from ._values import Immutable, pickled
from .devices import Device, DeviceLike, F, device_of, explained_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray


class PolyRing(Immutable):
    """The ring of polynomials modulo a prime ``p`` on one device; it keeps kernels, tables and plans.

    ``p`` is below ``2^63``, or ``2^64 - 2^32 + 1``. Rings with one modulus on one device are the same.

    >>> import manycore as mc
    >>> ring = mc.PolyRing(97)
    >>> f = ring([1, 2, 3])  # coefficients, the constant term first
    >>> x = ring.gen()
    >>> f == 3 * x**2 + 2 * x + 1
    True
    """

    __slots__ = ("_ring", "device", "modulus")

    device: Device
    modulus: int
    _ring: _native.PolyRing

    def __new__(cls, modulus: int, *, device: DeviceLike = "auto") -> PolyRing:
        return _ring(operator.index(modulus), device_of(device))

    def __call__(self, coefficients: ArrayLike | int) -> Poly:
        if isinstance(coefficients, (int, np.integer)):
            return Poly._of(self, self._ring.constant(operator.index(coefficients) % self.modulus))
        array = integers(coefficients, self.modulus)
        if array.ndim != 1:
            raise ValueError(f"coefficients are a vector, and the array has {array.ndim} dimensions")
        return Poly._of(self, self._ring.poly(array))

    def parse(self, text: str) -> Poly:
        """The polynomial of a text in one variable, as other packages write it.

        >>> import manycore as mc
        >>> mc.PolyRing(97).parse("3*x^2 - x + 1")
        3*x^2 + 96*x + 1 (mod 97)
        """
        return Poly._of(self, self._ring.parse(text))

    def gen(self) -> Poly:
        """The polynomial ``x``."""
        return self([0, 1])

    def random(self, length: int, seed: int = 0) -> Poly:
        """A polynomial of ``length`` coefficients that a seed determines, the same on every device."""
        return Poly._of(self, self._ring.random(length, seed))

    def tree(self, points: ArrayLike) -> SubproductTree:
        """The subproduct tree of points, for values and interpolations there."""
        return SubproductTree(points, ring=self)

    def interpolate(self, points: ArrayLike, values: ArrayLike) -> Poly:
        """The polynomial of least degree with these values at different points.

        >>> import manycore as mc
        >>> mc.PolyRing(97).interpolate([1, 2, 3], [1, 4, 9])
        x^2 (mod 97)
        """
        return self.tree(points).interpolate(values)

    def crt(self, remainders: Sequence[Poly], moduli: Sequence[Poly]) -> Poly:
        """The polynomial of least degree with these remainders modulo coprime polynomials.

        >>> import manycore as mc
        >>> ring = mc.PolyRing(97)
        >>> ring.crt([ring(1), ring(2)], [ring([0, 1]), ring([1, 1])])
        96*x + 1 (mod 97)
        """
        found = self._ring.chinese_remainder([one._poly for one in remainders], [one._poly for one in moduli])
        return Poly._of(self, found)

    def remainders(self, f: Poly, moduli: Sequence[Poly]) -> list[Poly]:
        """The remainders of a polynomial modulo coprime ones, by a tree of their products.

        >>> import manycore as mc
        >>> ring = mc.PolyRing(97)
        >>> ring.remainders(ring([1, 96]), [ring([0, 1]), ring([1, 1])])
        [1 (mod 97), 2 (mod 97)]
        """
        found = self._ring.remainders(f._poly, [one._poly for one in moduli])
        return [Poly._of(self, one) for one in found]

    def __reduce__(self) -> tuple[Any, ...]:
        return pickled(PolyRing, self.device, self.modulus)

    def __repr__(self) -> str:
        return f"<Polynomials modulo {self.modulus} on {self.device.id}>"


@lru_cache(maxsize=64)
def _ring(modulus: int, device: Device) -> PolyRing:
    ring = object.__new__(PolyRing)
    ring.modulus, ring.device, ring._ring = modulus, device, _native.PolyRing(device, modulus)
    return ring


PolyLike = Union["Poly", int]

# Coefficients that the text of a polynomial shows.
_SHOWN = 24


def _explain(operation: str) -> Callable[[F], F]:
    def explainer(f: Poly, g: Any = None, *_: Any, device: DeviceLike = "auto") -> tuple[Device, str]:
        ring = f.ring if device == "auto" else PolyRing(f.ring.modulus, device=device)
        other = len(g._poly) if isinstance(g, Poly) else np.size(g) if g is not None else len(f._poly)
        return ring.device, ring._ring.explain(operation, len(f._poly), int(other))

    return explained_by(explainer)


class Poly(Immutable):
    """A polynomial modulo a prime, in the memory of a device: chains of operations do not return to the host.

    Coefficients are given the constant term first, as in python-flint, or as text, ``"x^2 + 1"``. Operators take polynomials of the same ring and integers.

    >>> import manycore as mc
    >>> f, g = mc.Poly([1, 0, 1], 7), mc.Poly([3, 1], 7)
    >>> f * g, divmod(f, g), f.gcd(g)
    (x^3 + 3*x^2 + x + 3 (mod 7), (x + 4 (mod 7), 3 (mod 7)), 1 (mod 7))
    >>> f(2), f([0, 1, 2])
    (5, array([1, 2, 5], dtype=uint32))
    >>> mc.Poly([6, 0, 1], 7).factor()
    (1, [(x + 1 (mod 7), 1), (x + 6 (mod 7), 1)])
    """

    __slots__ = ("_poly", "ring")

    __array_ufunc__ = None
    """NumPy's numbers leave operators to the polynomial on their right."""

    _poly: _native.Poly
    ring: PolyRing

    def __new__(cls, coefficients: ArrayLike | int | str, modulus: int, *, device: DeviceLike = "auto") -> Poly:
        ring = PolyRing(modulus, device=device)
        return ring.parse(coefficients) if isinstance(coefficients, str) else ring(coefficients)

    @classmethod
    def _of(cls, ring: PolyRing, poly: _native.Poly) -> Poly:
        made = object.__new__(cls)
        made.ring, made._poly = ring, poly
        return made

    @classmethod
    def random(cls, length: int, modulus: int, *, seed: int = 0, device: DeviceLike = "auto") -> Poly:
        """A polynomial of ``length`` coefficients that a seed determines."""
        return PolyRing(modulus, device=device).random(length, seed)

    @classmethod
    def from_roots(cls, roots: ArrayLike, modulus: int, *, device: DeviceLike = "auto") -> Poly:
        """The product of ``x - r`` over the roots, as galois' ``Poly.Roots``.

        >>> import manycore as mc
        >>> mc.Poly.from_roots([1, 2], 7)
        x^2 + 4*x + 2 (mod 7)
        """
        return PolyRing(modulus, device=device).tree(roots).product()

    @property
    def modulus(self) -> int:
        """The prime."""
        return self.ring.modulus

    @property
    def device(self) -> Device:
        """The device whose memory holds the polynomial."""
        return self.ring.device

    def degree(self) -> int:
        """The degree; -1 of zero."""
        return len(self._poly) - 1

    def length(self) -> int:
        """The number of coefficients; 0 of zero."""
        return len(self._poly)

    def coeffs(self) -> NDArray[Any]:
        """The coefficients, the constant term first, as an array of the host."""
        return np.asarray(self._poly.coefficients())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.coeffs(), dtype=dtype, copy=True if copy else None)

    def _other(self, other: PolyLike) -> _native.Poly:
        if isinstance(other, Poly):
            return other._poly
        return self.ring(operator.index(other))._poly

    def _binary(self, operation: str, other: PolyLike) -> Poly:
        return self._of(self.ring, self._poly.binary_by_name(operation, self._other(other)))

    def _unary(self, operation: str, number: int = 0) -> Poly:
        return self._of(self.ring, self._poly.unary_by_name(operation, number))

    def __add__(self, other: PolyLike) -> Poly:
        return self._binary("add", other) if _operand(other) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: PolyLike) -> Poly:
        return self._binary("sub", other) if _operand(other) else NotImplemented

    def __rsub__(self, other: PolyLike) -> Poly:
        return (-self) + other if _operand(other) else NotImplemented

    def __neg__(self) -> Poly:
        return self._unary("neg")

    @_explain("mul")
    def __mul__(self, other: PolyLike) -> Poly:
        if isinstance(other, (int, np.integer)):
            return self._unary("scale", operator.index(other) % self.modulus)
        return self._binary("mul", other) if _operand(other) else NotImplemented

    __rmul__ = __mul__

    def __pow__(self, exponent: int, modulus: Poly | None = None) -> Poly:
        """``f**k``, and ``pow(f, k, m)`` modulo a polynomial."""
        if modulus is not None:
            if exponent < 0:
                return pow(self.inverse_mod(modulus), -exponent, modulus)
            return self._of(self.ring, self._poly.pow_mod(exponent, modulus._poly))
        if exponent < 0:
            raise ValueError(f"the exponent {exponent}: polynomials have powers from 0 on")
        return self._unary("pow", exponent)

    def square(self) -> Poly:
        """``f * f``, which takes two transforms in place of three."""
        return self._unary("square")

    @_explain("divmod")
    def __divmod__(self, other: PolyLike) -> tuple[Poly, Poly]:
        quotient, remainder = self._poly.divmod(self._other(other))
        return self._of(self.ring, quotient), self._of(self.ring, remainder)

    def __rdivmod__(self, other: int) -> tuple[Poly, Poly]:
        return divmod(self.ring(other), self)

    def __rfloordiv__(self, other: int) -> Poly:
        return self.ring(other) // self if _operand(other) else NotImplemented

    def __rmod__(self, other: int) -> Poly:
        return self.ring(other) % self if _operand(other) else NotImplemented

    def __floordiv__(self, other: PolyLike) -> Poly:
        return self._binary("div", other) if _operand(other) else NotImplemented

    def __mod__(self, other: PolyLike) -> Poly:
        return self._binary("rem", other) if _operand(other) else NotImplemented

    def __truediv__(self, other: PolyLike) -> Poly:
        """The quotient of a division without a remainder."""
        return self._binary("div_exact", other) if _operand(other) else NotImplemented

    @_explain("gcd")
    def gcd(self, other: PolyLike) -> Poly:
        """The monic greatest common divisor."""
        return self._binary("gcd", other)

    def xgcd(self, other: PolyLike) -> tuple[Poly, Poly, Poly]:
        """``(g, s, t)`` with ``s f + t other = g``, the monic greatest common divisor."""
        g, s, t = self._poly.xgcd(self._other(other))
        return self._of(self.ring, g), self._of(self.ring, s), self._of(self.ring, t)

    def inverse_mod(self, modulus: Poly) -> Poly:
        """The inverse modulo a polynomial; ``ZeroDivisionError`` where there is none."""
        return self._binary("inverse_mod", modulus)

    def resultant(self, other: PolyLike) -> int:
        """The resultant."""
        return self._poly.resultant(self._other(other))

    def subresultants(self, other: PolyLike) -> list[Poly]:
        """The subresultants, that of index 0, the resultant, first."""
        return [self._of(self.ring, one) for one in self._poly.subresultants(self._other(other))]

    def discriminant(self) -> int:
        """The discriminant."""
        return self._poly.discriminant()

    def monic(self) -> Poly:
        """The polynomial over its leading coefficient."""
        return self._unary("monic")

    def derivative(self) -> Poly:
        """The derivative."""
        return self._unary("derivative")

    def reverse(self, degree: int | None = None) -> Poly:
        """The coefficients in the other order: ``x^degree f(1 / x)``."""
        return self._unary("reverse", max(self.degree(), 0) if degree is None else degree)

    def truncate(self, length: int) -> Poly:
        """The polynomial modulo ``x^length``."""
        return self._unary("truncate", length)

    def __lshift__(self, by: int) -> Poly:
        return self._unary("shift_up", by)

    def __rshift__(self, by: int) -> Poly:
        return self._unary("shift_down", by)

    def mul_low(self, other: Poly, length: int) -> Poly:
        """The product modulo ``x^length``."""
        return self._of(self.ring, self._poly.mul_short(other._poly, length))

    def mul_middle(self, other: Poly, start: int, stop: int) -> Poly:
        """The coefficients ``start .. stop`` of the product."""
        return self._of(self.ring, self._poly.mul_middle(other._poly, start, stop))

    def pow_low(self, exponent: int, length: int) -> Poly:
        """The power modulo ``x^length``."""
        return self._of(self.ring, self._poly.pow_short(exponent, length))

    def compose_low(self, inner: Poly, length: int) -> Poly:
        """``f(g(x))`` modulo ``x^length``."""
        return self._of(self.ring, self._poly.compose_short(inner._poly, length))

    def div_series(self, other: Poly, length: int) -> Poly:
        """The power series ``f / g`` modulo ``x^length``.

        >>> import manycore as mc
        >>> mc.Poly([0, 1], 97).div_series(mc.Poly([1, 96, 96], 97), 8)  # Fibonacci's numbers
        13*x^7 + 8*x^6 + 5*x^5 + 3*x^4 + 2*x^3 + x^2 + x (mod 97)
        """
        return self._of(self.ring, self._poly.div_series(other._poly, length))

    def pow_series(self, exponent: int | Fraction, length: int) -> Poly:
        """The power series ``f^k`` modulo ``x^length``, of one with the constant term 1 and an exponent that is a fraction.

        >>> from fractions import Fraction
        >>> import manycore as mc
        >>> root = mc.Poly([1, 1], 97).pow_series(Fraction(1, 3), 5)
        >>> root.pow_low(3, 5)
        x + 1 (mod 97)
        """
        of = Fraction(exponent)
        residue = of.numerator * pow(of.denominator, -1, self.modulus) % self.modulus
        return self._of(self.ring, self._poly.pow_series(residue, length))

    def inverse_series(self, length: int) -> Poly:
        """The power series ``1 / f`` modulo ``x^length``.

        >>> import manycore as mc
        >>> mc.Poly([1, 96], 97).inverse_series(4)
        x^3 + x^2 + x + 1 (mod 97)
        """
        return self._unary("inverse_series", length)

    def log_series(self, length: int) -> Poly:
        """The logarithm modulo ``x^length`` of a power series with the constant term 1.

        >>> import manycore as mc
        >>> mc.Poly([1, 1], 97).log_series(3).exp_series(3)
        x + 1 (mod 97)
        """
        return self._unary("log_series", length)

    def exp_series(self, length: int) -> Poly:
        """The exponential modulo ``x^length`` of a power series without a constant term."""
        return self._unary("exp_series", length)

    def sqrt_series(self, length: int) -> Poly:
        """A square root modulo ``x^length``."""
        return self._unary("sqrt_series", length)

    def inverse_sqrt_series(self, length: int) -> Poly:
        """The power series ``1 / sqrt(f)`` modulo ``x^length``."""
        return self._unary("inverse_sqrt_series", length)

    def reversion_series(self, length: int) -> Poly:
        """The ``g`` with ``f(g(x)) = x`` modulo ``x^length``."""
        return self._unary("reversion", length)

    def integral(self) -> Poly:
        """The antiderivative without a constant term."""
        return self._unary("integral")

    def compose(self, inner: Poly, modulus: Poly | None = None) -> Poly:
        """``f(g(x))``, or its remainder modulo a polynomial; so does ``f(g)``.

        >>> import manycore as mc
        >>> mc.Poly([0, 0, 1], 97).compose(mc.Poly([1, 1], 97))
        x^2 + 2*x + 1 (mod 97)
        """
        if modulus is None:
            return self._binary("compose", inner)
        return self._of(self.ring, self._poly.compose_mod(inner._poly, modulus._poly))

    def taylor_shift(self, c: int) -> Poly:
        """``f(x + c)``."""
        return self._unary("taylor_shift", operator.index(c) % self.modulus)

    @_explain("evaluate")
    def __call__(self, x: int | ArrayLike) -> Any:
        """The value at an integer, an array of the values at an array of points, or the composition with a polynomial."""
        if isinstance(x, Poly):
            return self.compose(x)
        if isinstance(x, (int, np.integer)):
            return self._poly.evaluate(operator.index(x) % self.modulus)
        points = integers(x, self.modulus)
        values = np.asarray(self._poly.evaluate_many(points.ravel()))
        return values.reshape(points.shape)

    def roots(self) -> NDArray[Any]:
        """The roots in the field, ascending, each once.

        >>> import manycore as mc
        >>> mc.Poly([2, 4, 1], 7).roots()
        array([1, 2], dtype=uint32)
        """
        return np.asarray(self._poly.roots())

    def factor(self) -> tuple[int, list[tuple[Poly, int]]]:
        """The leading coefficient, and the monic irreducible factors with their multiplicities."""
        leading, factors = self._poly.factor()
        return leading, [(self._of(self.ring, one), power) for one, power in factors]

    def factor_squarefree(self) -> list[tuple[Poly, int]]:
        """Squarefree coprime factors with their multiplicities."""
        return [(self._of(self.ring, one), power) for one, power in self._poly.squarefree()]

    def factor_distinct_degree(self) -> list[tuple[Poly, int]]:
        """The products of the irreducible factors of each degree, of a monic squarefree polynomial."""
        return [(self._of(self.ring, one), degree) for one, degree in self._poly.distinct_degree()]

    def squarefree_part(self) -> Poly:
        """The product of the irreducible factors."""
        return self._unary("squarefree_part")

    def is_irreducible(self) -> bool:
        """Whether there is no factor but constants."""
        return self._poly.is_irreducible()

    def is_squarefree(self) -> bool:
        """Whether no factor occurs twice."""
        return self.gcd(self.derivative()).degree() <= 0

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return self.coeffs()[index]
        if index < 0:
            raise IndexError(f"{index}: coefficients are counted from 0")
        return self._poly.coefficient(index) if index < len(self._poly) else 0

    def __len__(self) -> int:
        return len(self._poly)

    def __iter__(self) -> Iterator[int]:
        return iter(self.coeffs().tolist())

    def __bool__(self) -> bool:
        return len(self._poly) > 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (int, np.integer)):
            return self._poly.equal(self.ring(operator.index(other))._poly)
        if not isinstance(other, Poly) or other.modulus != self.modulus:
            return False
        if other.device == self.device:
            return self._poly.equal(other._poly)
        return np.array_equal(self.coeffs(), other.coeffs())

    def __hash__(self) -> int:
        # A constant is equal to its residue.
        return hash((self.modulus, self.coeffs().tobytes())) if len(self) > 1 else hash(self[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return pickled(Poly, self.device, self.coeffs(), self.modulus)

    def __str__(self) -> str:
        length = len(self._poly)
        if not length:
            return "0"
        shown = range(length - 1, -1, -1) if length <= _SHOWN else range(length - 1, length - 1 - _SHOWN // 2, -1)
        coefficients = self.coeffs()
        terms = [_term(int(coefficients[k]), k) for k in shown if coefficients[k]]
        if length > _SHOWN:
            terms.append("...")
            terms += [_term(int(coefficients[k]), k) for k in range(_SHOWN // 2 - 1, -1, -1) if coefficients[k]]
        return " + ".join(terms)

    def __repr__(self) -> str:
        return f"{self} (mod {self.modulus})"


def _operand(other: object) -> bool:
    return isinstance(other, (Poly, int, np.integer))


def _term(coefficient: int, k: int) -> str:
    power = "" if k == 0 else "x" if k == 1 else f"x^{k}"
    if not power:
        return str(coefficient)
    return power if coefficient == 1 else f"{coefficient}*{power}"


class SubproductTree(Immutable):
    """The products of ``x - a`` over points ``a``, kept on the device for values and interpolations at the same points.

    >>> import manycore as mc
    >>> tree = mc.SubproductTree([1, 2, 3], 97)
    >>> tree(mc.Poly([0, 0, 1], 97))
    array([1, 4, 9], dtype=uint32)
    >>> tree.interpolate([1, 4, 9])
    x^2 (mod 97)
    """

    __slots__ = ("_points", "_tree", "ring")

    def __init__(
        self,
        points: ArrayLike,
        modulus: int | None = None,
        *,
        ring: PolyRing | None = None,
        device: DeviceLike = "auto",
    ) -> None:
        if ring is None:
            if modulus is None:
                raise TypeError("a modulus, or a ring")
            ring = PolyRing(modulus, device=device)
        self.ring = ring
        self._points = np.ascontiguousarray(residues(points, ring.modulus).ravel())
        self._tree = ring._ring.tree(self._points)

    def __call__(self, f: Poly) -> NDArray[Any]:
        """The values of a polynomial at the points."""
        return np.asarray(self._tree.evaluate(f._poly))

    def interpolate(self, values: ArrayLike) -> Poly:
        """The polynomial of least degree with these values at the points."""
        array = np.ascontiguousarray(as_array(residues(values, self.ring.modulus)).ravel())
        return Poly._of(self.ring, self._tree.interpolate(array))

    def product(self) -> Poly:
        """The product of ``x - a`` over the points."""
        return Poly._of(self.ring, self._tree.product())

    @property
    def points(self) -> NDArray[Any]:
        """The points."""
        return self._points.copy()

    def __len__(self) -> int:
        return len(self._tree)

    def __reduce__(self) -> tuple[Any, ...]:
        return pickled(SubproductTree, self.ring.device, self._points, self.ring.modulus)

    def __repr__(self) -> str:
        return f"<Subproduct tree of {len(self)} points modulo {self.ring.modulus} on {self.ring.device.id}>"
