"""Systems of two polynomials in two variables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _native
from .devices import DeviceLike, device_of

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True)
class Solutions:
    """The common zeros of two polynomials.

    Polynomials in two variables are rows: the coefficients of ``x^j`` of each power of ``y``, the constant terms first.
    """

    points: list[tuple[Any, Any]]
    """Every common zero in the field that is on no curve, ascending."""
    curves: list[list[list[Any]]]
    """Polynomials whose zeros are all common ones."""
    chains: list[tuple[list[Any], list[list[Any]]]]
    """Pairs ``T(x)``, ``H(x, y)``: the points of the algebraic closure with ``T = H = 0``."""

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{x}</td><td>{y}</td></tr>" for x, y in self.points)
        note = f"{len(self.points)} points, {len(self.curves)} curves, {len(self.chains)} chains"
        return f"<table><caption>{note}</caption><tr><th>x</th><th>y</th></tr>{rows}</table>"


def solve_system(
    f: str,
    g: str,
    *,
    modulus: int | None = None,
    variables: tuple[str, str] = ("x", "y"),
    device: DeviceLike = "auto",
) -> Solutions:
    """The common zeros of two polynomials, written as text (or anything whose text is a polynomial, as sympy's): modulo a prime,
    or those with rational coordinates.

    >>> import manycore as mc
    >>> mc.solve_system("x^2 + y^2 - 2", "x - y", modulus=7).points
    [(1, 1), (6, 6)]
    >>> mc.solve_system("x^2 + y^2 - 25", "3*x - 4*y").points
    [(Fraction(-4, 1), Fraction(-3, 1)), (Fraction(4, 1), Fraction(3, 1))]
    """
    on, texts = device_of(device), (_text(f), _text(g))
    if modulus is None:
        points, curves, chains = _native.solve_rational_system(on, *texts, variables)
    else:
        points, curves, chains = _native.solve_system(on, *texts, variables, modulus)
    return Solutions([(x, y) for x, y in points], curves, chains)


def resultant(
    f: str,
    g: str,
    eliminated: str = "y",
    *,
    modulus: int | None = None,
    variables: tuple[str, str] = ("x", "y"),
    device: DeviceLike = "auto",
) -> list[int] | list[Fraction]:
    """The resultant of two polynomials in two variables: its coefficients in the other variable, the constant term first.

    >>> import manycore as mc
    >>> mc.resultant("x^2 + y^2 - 2", "x - y", modulus=7)
    [5, 0, 2]
    """
    on, texts = device_of(device), (_text(f), _text(g))
    if modulus is None:
        return _native.rational_system_resultant(on, *texts, variables, eliminated)
    return _native.system_resultant(on, *texts, variables, eliminated, modulus)


def _text(polynomial: object) -> str:
    return str(polynomial).replace("**", "^")
