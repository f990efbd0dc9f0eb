"""Boolean functions and S-boxes, with the names of Sage's ``sage.crypto``."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Union, cast

import numpy as np

from . import _native
from ._arrays import as_array
from ._values import Immutable, pickled
from .devices import DeviceLike, DevicesLike, device_of, devices_of, explained_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray


class BooleanFunction(Immutable):
    """A Boolean function of ``n`` variables, by its ``2^n`` values, ``f(0)`` first, or by a text of hexadecimal digits.

    The names are those of Sage's ``BooleanFunction``, and so is the order of hexadecimal digits.

    >>> import manycore as mc
    >>> f = mc.BooleanFunction("0113077C165E76A8")
    >>> f.nonlinearity(), f.is_bent(), f.algebraic_degree()
    (28, True, 3)
    >>> mc.BooleanFunction.from_anf("x1*x2 + x3").truth_table()
    array([0, 0, 0, 1, 1, 1, 1, 0], dtype=uint8)
    """

    def __init__(self, values: ArrayLike | str, *, device: DeviceLike = "auto") -> None:
        if isinstance(values, str):
            self._function = _native.BooleanFunction.from_hex(values, False)
        else:
            array = as_array(values)
            if array.dtype.kind not in "iub":
                raise TypeError(f"elements of type {array.dtype}: values are 0 and 1, or truth values")
            if array.size and (int(array.max()) > 1 or int(array.min()) < 0):
                raise ValueError("values of a Boolean function are 0 and 1")
            self._function = _native.BooleanFunction.from_values(np.ascontiguousarray(array, dtype=np.uint8).ravel())
        self._device = device

    @classmethod
    def from_anf(cls, text: str, variables: int | None = None, *, device: DeviceLike = "auto") -> BooleanFunction:
        """The function of an algebraic normal form, as in ``"x1*x2 + x3 + 1"``."""
        return cls._of(_native.BooleanFunction.from_anf(text, variables), device)

    @classmethod
    def _of(cls, function: _native.BooleanFunction, device: DeviceLike) -> BooleanFunction:
        made = cls.__new__(cls)
        made._function, made._device = function, device
        return made

    def nvariables(self) -> int:
        """The number of variables."""
        return self._function.variables

    def truth_table(self, format: str = "bin") -> Any:  # noqa: A002 - Sage's name
        """The values as an array (``"bin"``), or as hexadecimal digits (``"hex"``)."""
        if format == "bin":
            return np.asarray(self._function.values())
        if format == "hex":
            return self._function.hex(False)
        raise ValueError(f"format {format!r}: 'bin' or 'hex'")

    def walsh_hadamard_transform(self) -> NDArray[np.int32]:
        """The Walsh spectrum ``W(w) = sum_x (-1)^(f(x) + w . x)``.

        >>> import manycore as mc
        >>> mc.BooleanFunction([0, 0, 0, 1]).walsh_hadamard_transform()
        array([ 2,  2,  2, -2], dtype=int32)
        """
        return np.asarray(self._function.walsh(device_of(self._device)))

    def autocorrelation(self) -> NDArray[np.int32]:
        """The autocorrelation ``r(a) = sum_x (-1)^(f(x) + f(x + a))``."""
        return np.asarray(self._function.autocorrelation(device_of(self._device)))

    @cached_property
    def properties(self) -> dict[str, Any]:
        """Weight, degree, nonlinearity, correlation immunity and the others, by name; computed once."""
        return self._function.properties(device_of(self._device))

    def nonlinearity(self) -> int:
        """The least number of values that differ from those of an affine function."""
        return int(self.properties["nonlinearity"])

    def is_balanced(self) -> bool:
        """Whether half of the values are 1."""
        return bool(self.properties["is_balanced"])

    def is_bent(self) -> bool:
        """Whether all Walsh coefficients have the size ``2^(n/2)``."""
        return bool(self.properties["is_bent"])

    def is_plateaued(self) -> bool:
        """Whether the Walsh coefficients other than 0 have one size."""
        return bool(self.properties["is_plateaued"])

    def correlation_immunity(self) -> int:
        """The greatest order of correlation immunity."""
        return int(self.properties["correlation_immunity"])

    def resiliency_order(self) -> int:
        """The order of resiliency; -1 where the function is not balanced."""
        order = self.properties["resiliency_order"]
        return -1 if order is None else int(order)

    def absolute_indicator(self) -> int:
        """The largest ``|r(a)|`` with ``a != 0``."""
        return int(self.properties["absolute_indicator"])

    def sum_of_square_indicator(self) -> int:
        """The sum of the squares of the autocorrelation."""
        return int(self.properties["sum_of_squares"])

    def linear_structures(self) -> list[int]:
        """A basis of the ``a`` with ``f(x) + f(x + a)`` constant."""
        return list(self.properties["linear_structures"])

    def algebraic_degree(self) -> int:
        """The degree of the algebraic normal form."""
        return self._function.degree()

    def algebraic_normal_form(self) -> str:
        """The algebraic normal form.

        >>> import manycore as mc
        >>> mc.BooleanFunction([0, 1, 1, 1]).algebraic_normal_form()
        'x1 x2 + x1 + x2'
        """
        return self._function.anf()

    def derivative(self, a: int) -> BooleanFunction:
        """The function ``f(x) + f(x + a)``."""
        return self._of(self._function.derivative(a), self._device)

    def __add__(self, other: BooleanFunction) -> BooleanFunction:
        return self._of(self._function.add(other._function), self._device)

    __xor__ = __add__

    def __mul__(self, other: BooleanFunction) -> BooleanFunction:
        return self._of(self._function.multiply(other._function), self._device)

    __and__ = __mul__

    def __invert__(self) -> BooleanFunction:
        return self._of(self._function.complement(), self._device)

    def __call__(self, x: int | Sequence[int]) -> int:
        index = x if isinstance(x, (int, np.integer)) else sum(int(bit) << place for place, bit in enumerate(x))
        if not 0 <= index < len(self):
            raise IndexError(f"{index}: inputs are below {len(self)}")
        return int(self.truth_table()[index])

    def __len__(self) -> int:
        return 1 << self.nvariables()

    def __iter__(self) -> Iterator[int]:
        return iter(self.truth_table().tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BooleanFunction) and self._function.equal(other._function)

    def __hash__(self) -> int:
        return hash(self._function.hex(False))

    def __reduce__(self) -> tuple[Any, ...]:
        return pickled(BooleanFunction, self._device, self.truth_table())

    def __repr__(self) -> str:
        return f"<Boolean function of {self.nvariables()} variables>"


def _explain_sbox(sbox: SBox, *_: Any, device: DeviceLike = "auto") -> tuple[_native.Device, str]:
    on = device_of(device)
    return on, sbox._sbox.explain(on, "linear")


def _explain_differences(sbox: SBox, *_: Any, device: DeviceLike = "auto") -> tuple[_native.Device, str]:
    on = device_of(device)
    return on, sbox._sbox.explain(on, "difference")


class SBox(Immutable):
    """An S-box of up to 16 bits, by its ``2^m`` values, with the names of Sage's ``SBox``.

    >>> import manycore as mc
    >>> present = mc.SBox([12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2])
    >>> present.differential_uniformity(), present.nonlinearity(), present.max_degree()
    (4, 4, 3)
    >>> present.difference_distribution_table()[1]
    array([0, 0, 0, 4, 0, 0, 0, 4, 0, 4, 0, 0, 0, 4, 0, 0], dtype=uint32)
    """

    def __init__(
        self, values: ArrayLike | bytes, *more: int, output_size: int | None = None, device: DeviceLike = "auto"
    ) -> None:
        if more:  # the values themselves, as Sage takes them, too
            values = [cast("int", values), *more]
        array = np.frombuffer(values, np.uint8) if isinstance(values, (bytes, bytearray)) else as_array(values)
        if array.dtype.kind not in "iu":
            raise TypeError(f"elements of type {array.dtype}: values of an S-box are integers")
        if array.size and (int(array.max()) > 0xFFFF or int(array.min()) < 0):
            raise ValueError("values of an S-box have at most 16 bits")
        self._sbox = _native.SBox(array.ravel().tolist(), output_size)
        self._device = device

    @classmethod
    def _of(cls, sbox: _native.SBox, device: DeviceLike) -> SBox:
        made = cls.__new__(cls)
        made._sbox, made._device = sbox, device
        return made

    def input_size(self) -> int:
        """The bits of an input."""
        return self._sbox.input_bits

    def output_size(self) -> int:
        """The bits of an output."""
        return self._sbox.output_bits

    def values(self) -> NDArray[np.uint16]:
        """The values."""
        return np.asarray(self._sbox.values())

    def is_permutation(self) -> bool:
        """Whether every output occurs once."""
        return self._sbox.is_permutation()

    def is_balanced(self) -> bool:
        """Whether every output occurs equally often."""
        return self._sbox.is_balanced()

    def inverse(self) -> SBox:
        """The inverse of a permutation."""
        return self._of(self._sbox.inverse(), self._device)

    def fixed_points(self) -> list[int]:
        """The inputs that are their own outputs."""
        return self._sbox.fixed_points()

    def component_function(self, b: int) -> BooleanFunction:
        """The function ``b . S(x)``."""
        return BooleanFunction._of(self._sbox.component(b), self._device)

    def max_degree(self) -> int:
        """The largest degree of a component function."""
        return self._sbox.degree()

    def min_degree(self) -> int:
        """The least degree of a component function."""
        return min((degree for degree, _ in self._sbox.component_degrees()), default=0)

    @explained_by(_explain_differences)
    def difference_distribution_table(self, rows: range | None = None) -> NDArray[np.uint32]:
        """The numbers of ``x`` with ``S(x + a) + S(x) = b``, input differences ``a`` as rows."""
        first, last = _rows(rows, 1 << self.input_size())
        return np.asarray(self._sbox.difference_table(device_of(self._device), first, last))

    def linear_approximation_table(self, scale: str = "absolute_bias", rows: range | None = None) -> NDArray[Any]:
        """The biases of ``a . x + b . S(x)``, input masks ``a`` as rows, in the scale that Sage calls ``"absolute_bias"``
        (half of a Fourier coefficient), ``"fourier_coefficient"``, ``"bias"`` or ``"correlation"``."""
        first, last = _rows(rows, 1 << self.input_size())
        table = np.asarray(self._sbox.linear_table(device_of(self._device), first, last))
        if scale == "fourier_coefficient":
            return table
        if scale == "absolute_bias":
            return table // 2
        if scale == "bias":
            return table / (2 << self.input_size())
        if scale == "correlation":
            return table / (1 << self.input_size())
        raise ValueError(f"scale {scale!r}: 'absolute_bias', 'fourier_coefficient', 'bias' or 'correlation'")

    def boomerang_connectivity_table(self) -> NDArray[np.uint32]:
        """The boomerang connectivity table of a permutation of up to 8 bits."""
        return np.asarray(self._sbox.boomerang_table())

    def boomerang_uniformity(self) -> int:
        """The largest entry of the boomerang connectivity table without its first row and column."""
        return self._sbox.boomerang_uniformity()

    @cached_property
    def _linear(self) -> tuple[int, int, int, list[tuple[int, int]]]:
        return self._sbox.linear_summary(device_of(self._device))

    @cached_property
    def _differences(self) -> tuple[int, int, list[tuple[int, int]]]:
        return self._sbox.difference_summary(device_of(self._device))

    @explained_by(_explain_sbox)
    def linearity(self) -> int:
        """The largest size of a Fourier coefficient with ``b != 0``."""
        return self._linear[0]

    @explained_by(_explain_sbox)
    def nonlinearity(self) -> int:
        """The least nonlinearity of a component function."""
        return self._linear[1]

    def component_linearities(self) -> NDArray[np.uint32]:
        """The linearity of each component function, of the masks 1, 2 and so on."""
        return np.asarray(self._sbox.component_linearities(device_of(self._device)))

    def worst_components(self) -> list[int]:
        """The masks of the component functions of the largest linearity."""
        return self._sbox.worst_components(device_of(self._device))

    def linear_branch_number(self) -> int:
        """The least weight of masks with a coefficient other than 0."""
        return self._linear[2]

    def linear_spectrum(self) -> dict[int, int]:
        """How often each coefficient occurs."""
        return dict(self._linear[3])

    @explained_by(_explain_differences)
    def differential_uniformity(self) -> int:
        """The largest entry of the difference distribution table without its first row."""
        return self._differences[0]

    def differential_branch_number(self) -> int:
        """The least weight of differences that occur."""
        return self._differences[1]

    def differential_spectrum(self) -> dict[int, int]:
        """How often each entry of the difference distribution table occurs."""
        return dict(self._differences[2])

    def __call__(self, x: int) -> int:
        return int(self.values()[x])

    def __getitem__(self, x: int | slice) -> Any:
        return self(x) if not isinstance(x, slice) else self.values()[x].tolist()

    def __iter__(self) -> Iterator[int]:
        return iter(self.values().tolist())

    def __len__(self) -> int:
        return 1 << self.input_size()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SBox) and np.array_equal(self.values(), other.values())

    def __hash__(self) -> int:
        return hash(self.values().tobytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return pickled(SBox, self._device, self.values(), output_size=self.output_size())

    def __repr__(self) -> str:
        return f"<S-box of {self.input_size()} to {self.output_size()} bits>"

    def _repr_html_(self) -> str:
        values = self.values()
        width = 1 << ((self.input_size() + 1) // 2)
        digits = (self.output_size() + 3) // 4
        head = "".join(f"<th>{column:x}</th>" for column in range(width))
        rows = "".join(
            f"<tr><th>{start // width:x}</th>"
            + "".join(f"<td>{value:0{digits}x}</td>" for value in values[start : start + width])
            + "</tr>"
            for start in range(0, min(len(values), 16 * width), width)
        )
        return f"<table><tr><th></th>{head}</tr>{rows}</table>"


def _rows(rows: range | None, count: int) -> tuple[int, int]:
    if rows is None:
        return 0, count
    if rows.step != 1:
        raise ValueError("rows are contiguous: a range with a step of 1")
    return rows.start, rows.stop


SBoxes = Union["NDArray[Any]", "Sequence[SBox]", "Sequence[Sequence[int]]"]
"""A batch of S-boxes of the same sizes: the rows of an array, or a list."""


def _figures(sboxes: SBoxes, figure: str, device: DevicesLike) -> NDArray[np.uint32]:
    if not isinstance(sboxes, np.ndarray) and not all(isinstance(one, SBox) for one in sboxes):
        sboxes = as_array(cast("ArrayLike", sboxes))
    if not isinstance(sboxes, np.ndarray):
        boxes = cast("Sequence[SBox]", sboxes)
        sizes = {(one.input_size(), one.output_size()) for one in boxes}
        if len(sizes) > 1:
            raise ValueError(f"S-boxes of several sizes: {sorted(sizes)}")
        if not sizes:
            return np.empty(0, np.uint32)
        outputs = np.stack([one.values() for one in boxes])
        input_bits, output_bits = sizes.pop()
    else:
        outputs = as_array(sboxes)
        if outputs.ndim != 2:
            raise ValueError(f"S-boxes are the rows of a matrix, and the array has {outputs.ndim} dimensions")
        if outputs.dtype.kind not in "iu":
            raise TypeError(f"elements of type {outputs.dtype}: values of an S-box are integers")
        inputs = outputs.shape[1]
        input_bits = max(inputs, 1).bit_length() - 1
        if inputs != 1 << input_bits:
            raise ValueError(f"rows of {inputs} values: an S-box has a power of two")
        if not outputs.size:
            return np.empty(0, np.uint32)
        least, most = int(outputs.min()), int(outputs.max())
        if least < 0 or most > 0xFFFF:
            raise ValueError("values of an S-box have at most 16 bits")
        output_bits = max(input_bits, most.bit_length())
    if outputs.dtype not in (np.uint8, np.uint16):
        outputs = outputs.astype(np.uint8 if output_bits <= 8 else np.uint16)
    flat = np.ascontiguousarray(outputs).ravel()
    return np.asarray(_native.sbox_figures(devices_of(device), flat, input_bits, output_bits, figure))


def nonlinearities(sboxes: SBoxes, *, device: DevicesLike = "auto") -> NDArray[np.uint32]:
    """The nonlinearity of each S-box of a batch: rows of an array, or a list. A search for S-boxes does this all day.

    >>> import numpy as np, manycore as mc
    >>> mc.nonlinearities(np.array([[0, 1, 2, 3], [0, 1, 3, 2]]))
    array([0, 0], dtype=uint32)
    """
    return _figures(sboxes, "nonlinearity", device)


def uniformities(sboxes: SBoxes, *, device: DevicesLike = "auto") -> NDArray[np.uint32]:
    """The differential uniformity of each S-box of a batch: rows of an array, or a list.

    >>> import numpy as np, manycore as mc
    >>> mc.uniformities(np.array([[0, 1, 2, 3], [0, 1, 3, 2]]))
    array([4, 4], dtype=uint32)
    """
    return _figures(sboxes, "uniformity", device)
