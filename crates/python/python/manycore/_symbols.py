"""Tracing of functions of two numbers: operations on symbols are recorded, to be done by the library on every device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    Operand = Union["Symbol", int, float]

Node = tuple[str, list[int], Any]
"""An operation's name, the places of its operands, and the number of a constant."""


class Trace:
    """What is recorded of one function of numbers of one type; the first two places are its arguments."""

    __slots__ = ("dtype", "name", "nodes")

    def __init__(self, name: str, dtype: np.dtype[Any]) -> None:
        self.name, self.dtype = name, dtype
        self.nodes: list[Node] = []

    def push(self, operation: str, operands: list[int], constant: Any = None, *, is_truth: bool = False) -> Symbol:
        """A new symbol for an operation."""
        self.nodes.append((operation, operands, constant))
        return Symbol(self, len(self.nodes) + 1, is_truth)

    def symbol(self, value: Any) -> Symbol:
        """A symbol of this function for an operand; ``TypeError`` where it can be none."""
        if isinstance(value, Symbol):
            if value._trace is not self:
                raise TypeError(f"{self.name} uses a symbol of another function: symbols live only within their function")
            return value
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
            raise TypeError(f"{self.name} combines a symbol with {value!r}: operands are symbols and numbers")
        return self.push("number", [], self.number(value))

    def number(self, value: Any) -> int | float:
        """A number of the type; ``ValueError`` where it is none."""
        if self.dtype.kind == "f":
            return float(value)
        if isinstance(value, (float, np.floating)) and not float(value).is_integer():
            raise ValueError(f"{value} is no number of type {self.dtype}")
        least, most = np.iinfo(self.dtype).min, np.iinfo(self.dtype).max
        if not least <= int(value) <= most:
            raise ValueError(f"{value} is no number of type {self.dtype}")
        return int(value)


class Symbol:
    """A number within a function that is being written, or the truth value of a comparison.

    Symbols have the operators ``+ - * // % abs``, of floating-point numbers ``/``, of integers ``& | ^ ~ << >>``, comparisons,
    NumPy's ``minimum``, ``maximum``, ``where``, ``sqrt``, ``floor``, ``ceil``, ``trunc``, ``rint``, ``logical_and``, and
    :meth:`saturating_add`. What Python must decide at once, as ``if`` and ``min(a, b)`` do, they refuse.
    """

    __slots__ = ("_at", "_is_truth", "_trace")

    def __init__(self, trace: Trace, at: int, is_truth: bool = False) -> None:
        self._trace, self._at, self._is_truth = trace, at, is_truth

    def _of(self, operation: str, *operands: Any, is_truth: bool = False) -> Symbol:
        symbols = [self._trace.symbol(one) for one in operands]
        return self._trace.push(operation, [one._at for one in symbols], is_truth=is_truth)

    def __add__(self, other: Any) -> Symbol:
        return self._of("add", self, other)

    def __radd__(self, other: Any) -> Symbol:
        return self._of("add", other, self)

    def __sub__(self, other: Any) -> Symbol:
        return self._of("sub", self, other)

    def __rsub__(self, other: Any) -> Symbol:
        return self._of("sub", other, self)

    def __mul__(self, other: Any) -> Symbol:
        return self._of("mul", self, other)

    def __rmul__(self, other: Any) -> Symbol:
        return self._of("mul", other, self)

    def __truediv__(self, other: Any) -> Symbol:
        if self._trace.dtype.kind != "f":
            raise TypeError(f"{self._trace.name} divides integers by /: // is their quotient")
        return self._of("div", self, other)

    def __rtruediv__(self, other: Any) -> Symbol:
        return self._trace.symbol(other) / self

    def __floordiv__(self, other: Any) -> Symbol:
        divisor = self._trace.symbol(other)
        if self._trace.dtype.kind == "f":
            return (self / divisor)._of("floor", self / divisor)
        quotient, remainder = self._of("div", self, divisor), self._of("rem", self, divisor)
        if self._trace.dtype.kind == "u":
            return quotient
        return where((remainder != 0) & ((remainder < 0) ^ (divisor < 0)), quotient - 1, quotient)

    def __rfloordiv__(self, other: Any) -> Symbol:
        return self._trace.symbol(other) // self

    def __mod__(self, other: Any) -> Symbol:
        divisor = self._trace.symbol(other)
        if self._trace.dtype.kind == "f":
            return self - divisor * (self // divisor)
        remainder = self._of("rem", self, divisor)
        if self._trace.dtype.kind == "u":
            return remainder
        return where((remainder != 0) & ((remainder < 0) ^ (divisor < 0)), remainder + divisor, remainder)

    def __rmod__(self, other: Any) -> Symbol:
        return self._trace.symbol(other) % self

    def __neg__(self) -> Symbol:
        return self._of("neg", self)

    def __pos__(self) -> Symbol:
        return self

    def __abs__(self) -> Symbol:
        return self._of("abs", self)

    def __pow__(self, exponent: Any) -> Symbol:
        if not isinstance(exponent, int) or isinstance(exponent, bool) or not 0 <= exponent <= 64:
            raise TypeError(f"{self._trace.name} takes the power {exponent!r}: powers are integers from 0 to 64")
        result, square = self._trace.symbol(1), self
        while exponent:
            if exponent & 1:
                result = result * square
            square, exponent = square * square, exponent >> 1
        return result

    def _bits(self, operation: str, first: Any, second: Any) -> Symbol:
        symbols = [self._trace.symbol(one) for one in (first, second)]
        is_truth = all(one._is_truth for one in symbols)
        if not is_truth and (self._trace.dtype.kind == "f" or any(one._is_truth for one in symbols)):
            raise TypeError(f"{self._trace.name} uses {operation!r}, which is of truth values or of integers")
        return self._of(operation, *symbols, is_truth=is_truth)

    def __and__(self, other: Any) -> Symbol:
        return self._bits("and", self, other)

    def __rand__(self, other: Any) -> Symbol:
        return self._bits("and", other, self)

    def __or__(self, other: Any) -> Symbol:
        return self._bits("or", self, other)

    def __ror__(self, other: Any) -> Symbol:
        return self._bits("or", other, self)

    def __xor__(self, other: Any) -> Symbol:
        return self._bits("xor", self, other)

    def __rxor__(self, other: Any) -> Symbol:
        return self._bits("xor", other, self)

    def __lshift__(self, other: Any) -> Symbol:
        return self._bits("shl", self, other)

    def __rshift__(self, other: Any) -> Symbol:
        return self._bits("shr", self, other)

    def __invert__(self) -> Symbol:
        return self._of("not", self, is_truth=self._is_truth)

    def __lt__(self, other: Any) -> Symbol:
        return self._of("lt", self, other, is_truth=True)

    def __le__(self, other: Any) -> Symbol:
        return self._of("le", self, other, is_truth=True)

    def __gt__(self, other: Any) -> Symbol:
        return self._of("lt", other, self, is_truth=True)

    def __ge__(self, other: Any) -> Symbol:
        return self._of("le", other, self, is_truth=True)

    def __eq__(self, other: object) -> Symbol:  # type: ignore[override]
        return self._of("eq", self, other, is_truth=True)

    def __ne__(self, other: object) -> Symbol:  # type: ignore[override]
        return self._of("ne", self, other, is_truth=True)

    __hash__ = None  # type: ignore[assignment]

    def saturating_add(self, other: Any) -> Symbol:
        """The sum of integers, or the greatest or least integer of the type where it is past them."""
        return self._of("saturating_add", self, other)

    def saturating_sub(self, other: Any) -> Symbol:
        """The difference of integers, or the greatest or least integer of the type where it is past them."""
        return self._of("saturating_sub", self, other)

    def bit_count(self) -> Symbol:
        """The number of ones of an integer."""
        return self._of("bit_count", self)

    def _refused(self, what: str) -> TypeError:
        name = self._trace.name
        return TypeError(f"{name} {what}, which is not known while it is written: numpy.where, minimum and maximum choose")

    def __bool__(self) -> bool:
        raise self._refused("asks whether a symbol is true (if, and, or, not, min, max)")

    def __int__(self) -> int:
        raise self._refused("takes the integer of a symbol")

    def __float__(self) -> float:
        raise self._refused("takes the number of a symbol (as functions of math do)")

    def __index__(self) -> int:
        raise self._refused("uses a symbol as an index")

    def __iter__(self) -> Any:
        raise self._refused("goes through the elements of a symbol")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Symbol:
        known = _UFUNCS.get(ufunc.__name__)
        if known is None or method != "__call__" or options:
            raise TypeError(f"{self._trace.name} uses numpy.{ufunc.__name__}, which has no form for devices")
        return known(*(self._trace.symbol(one) for one in inputs))

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Symbol:
        if function.__name__ != "where" or options or len(arguments) != 3:
            raise TypeError(f"{self._trace.name} uses numpy.{function.__name__}, which has no form for devices")
        return where(*arguments)

    def __repr__(self) -> str:
        return f"<symbol {self._at} of {self._trace.name}>"


def where(condition: Any, yes: Any, no: Any) -> Symbol:
    """``yes`` where the condition holds, else ``no``: for symbols what ``numpy.where`` is for arrays."""
    if not isinstance(condition, Symbol) or not condition._is_truth:
        raise TypeError(f"where chooses by a comparison of symbols, not by {condition!r}")
    return condition._of("where", condition, yes, no)


_UFUNCS: dict[str, Callable[..., Symbol]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "floor_divide": lambda a, b: a // b,
    "remainder": lambda a, b: a % b,
    "negative": lambda a: -a,
    "absolute": abs,
    "minimum": lambda a, b: a._of("min", a, b),
    "fmin": lambda a, b: a._of("min", a, b),
    "maximum": lambda a, b: a._of("max", a, b),
    "fmax": lambda a, b: a._of("max", a, b),
    "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
    "greater": lambda a, b: a > b,
    "greater_equal": lambda a, b: a >= b,
    "equal": lambda a, b: a == b,
    "not_equal": lambda a, b: a != b,
    "bitwise_and": lambda a, b: a & b,
    "bitwise_or": lambda a, b: a | b,
    "bitwise_xor": lambda a, b: a ^ b,
    "logical_and": lambda a, b: a & b,
    "logical_or": lambda a, b: a | b,
    "logical_xor": lambda a, b: a ^ b,
    "invert": lambda a: ~a,
    "logical_not": lambda a: ~a,
    "left_shift": lambda a, b: a << b,
    "right_shift": lambda a, b: a >> b,
    "bitwise_count": lambda a: a.bit_count(),
    "floor": lambda a: a._of("floor", a),
    "ceil": lambda a: a._of("ceil", a),
    "trunc": lambda a: a._of("trunc", a),
    "rint": lambda a: a._of("rint", a),
    "sqrt": lambda a: a._of("sqrt", a),
}


def traced(name: str, function: Callable[[Any, Any], Any], dtype: np.dtype[Any]) -> list[Node]:
    """The operations of a function of two numbers, the last of which is its result."""
    trace = Trace(name, dtype)
    result = trace.symbol(function(Symbol(trace, 0), Symbol(trace, 1)))
    trace.push("result", [result._at])
    return trace.nodes
