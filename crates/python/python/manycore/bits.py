"""Dense matrices modulo 2, 64 entries to a word, from and to rows of packed bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _native
from ._arrays import as_array
from ._operators import MatrixOperators
from ._values import pickled
from .devices import Device, DeviceLike, device_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

BitOrder = Literal["big", "little"]


class BitMatrix(MatrixOperators):
    """A matrix modulo 2 in the memory of a device, 64 entries to a word: the Method of the Four Russians, and elimination by it.

    Entries are 0 and 1, or integers, which are reduced modulo 2. ``@`` and ``*`` are products, ``+`` and ``-`` sums.

    >>> import numpy as np, manycore as mc
    >>> a = mc.BitMatrix([[1, 1, 0], [0, 1, 1], [1, 0, 1]])
    >>> a.rank(), a.det(), a.nullspace().numpy().tolist()
    (2, 0, [[1], [1], [1]])
    >>> (a @ a.T).numpy()
    array([[0, 1, 1],
           [1, 0, 1],
           [1, 1, 0]], dtype=uint8)
    """

    __slots__ = ("_matrix", "device")

    _matrix: _native.BitMatrix
    device: Device

    def __init__(self, entries: ArrayLike, *, device: DeviceLike = "auto") -> None:
        array = as_array(entries)
        if array.ndim != 2:
            raise ValueError(f"a matrix has two dimensions, and the array has {array.ndim}")
        if array.dtype.kind not in "iub" and array.size:
            raise TypeError(f"entries of type {array.dtype}: entries modulo 2 are integers or truth values")
        bits = array if array.dtype == np.bool_ else (array & 1 if array.size else array).astype(np.uint8)
        packed = np.packbits(bits, axis=1, bitorder="little")
        self.device = device_of(device)
        self._matrix = _native.BitMatrix(self.device, packed.ravel(), (array.shape[0], array.shape[1]), False)

    @classmethod
    def _made(cls, matrix: _native.BitMatrix, device: Device) -> BitMatrix:
        made = cls.__new__(cls)
        made._matrix, made.device = matrix, device
        return made

    def _of(self, matrix: _native.BitMatrix) -> BitMatrix:
        return self._made(matrix, self.device)

    @classmethod
    def from_packed(
        cls,
        packed: ArrayLike,
        columns: int | None = None,
        bitorder: BitOrder = "big",
        *,
        device: DeviceLike = "auto",
    ) -> BitMatrix:
        """The matrix of packed rows, ``numpy.packbits(entries, axis=1, bitorder=bitorder)``, without a byte for each entry.

        The first entry of a byte is its highest bit in the order ``"big"``, NumPy's default, and its lowest in ``"little"``. Without
        ``columns`` there are eight for each byte; bits past the last column count for nothing.

        >>> import numpy as np, manycore as mc
        >>> mc.BitMatrix.from_packed(np.array([[0b10100000]], np.uint8), 3).numpy()
        array([[1, 0, 1]], dtype=uint8)
        """
        array = as_array(packed)
        if array.ndim != 2 or array.dtype != np.uint8:
            raise TypeError(f"packed rows are a matrix of uint8, and the array of {array.dtype} has {array.ndim} dimensions")
        width = 8 * array.shape[1] if columns is None else columns
        if (width + 7) // 8 != array.shape[1]:
            raise ValueError(f"{array.shape[1]} bytes in a row, and {width} columns take {(width + 7) // 8}")
        on = device_of(device)
        shape = (array.shape[0], width)
        return cls._made(_native.BitMatrix(on, np.ascontiguousarray(array).ravel(), shape, _is_big(bitorder)), on)

    @classmethod
    def identity(cls, order: int, *, device: DeviceLike = "auto") -> BitMatrix:
        """The identity."""
        on = device_of(device)
        return cls._made(_native.BitMatrix.identity(on, order), on)

    @classmethod
    def random(cls, rows: int, columns: int, *, seed: int = 0, device: DeviceLike = "auto") -> BitMatrix:
        """A matrix that a seed determines, the same on every device."""
        on = device_of(device)
        return cls._made(_native.BitMatrix.random(on, rows, columns, seed), on)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return self._matrix.shape

    @property
    def T(self) -> BitMatrix:  # noqa: N802 - NumPy's name
        """The transpose."""
        return self._of(self._matrix.transpose())

    def transpose(self) -> BitMatrix:
        """The transpose."""
        return self.T

    def packed(self, bitorder: BitOrder = "big") -> NDArray[np.uint8]:
        """The packed rows, ``numpy.packbits(entries, axis=1, bitorder=bitorder)``; bits past the last column are 0.

        >>> import manycore as mc
        >>> mc.BitMatrix([[1, 0, 1]]).packed()
        array([[160]], dtype=uint8)
        """
        return np.asarray(self._matrix.packed(_is_big(bitorder)))

    def numpy(self) -> NDArray[np.uint8]:
        """The entries, a byte each, as an array of the host."""
        return np.unpackbits(self.packed("little"), axis=1, count=self.shape[1], bitorder="little")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.numpy(), dtype=dtype, copy=True if copy else None)

    def _other(self, other: BitMatrix | ArrayLike) -> _native.BitMatrix:
        return other._matrix if isinstance(other, BitMatrix) else BitMatrix(other, device=self.device)._matrix

    def __add__(self, other: BitMatrix | ArrayLike) -> BitMatrix:
        return self._of(self._matrix.add(self._other(other)))

    __sub__ = __xor__ = __add__

    def __matmul__(self, other: BitMatrix | ArrayLike) -> BitMatrix:
        return self._of(self._matrix.mul(self._other(other)))

    __mul__ = __matmul__

    def __neg__(self) -> BitMatrix:
        return self

    def _from(self, entries: ArrayLike) -> BitMatrix:
        return BitMatrix(entries, device=self.device)

    def __pow__(self, exponent: int) -> BitMatrix:
        if self.shape[0] != self.shape[1]:
            raise ValueError(f"a power of a {self.shape[0]} x {self.shape[1]} matrix, which is not square")
        result, square = BitMatrix.identity(self.shape[0], device=self.device), self if exponent >= 0 else self.inv()
        exponent = abs(exponent)
        while exponent:
            result, square = result @ square if exponent & 1 else result, square @ square if exponent > 1 else square
            exponent >>= 1
        return result

    def det(self) -> int:
        """The determinant."""
        return int(self._matrix.determinant())

    def rank(self) -> int:
        """The rank."""
        return self._matrix.rank()

    def rref(self) -> tuple[BitMatrix, int]:
        """The reduced row echelon form, and the rank."""
        matrix, pivots = self._matrix.echelon()
        return self._of(matrix), len(pivots)

    def pivots(self) -> list[int]:
        """The columns of the pivots."""
        return self._matrix.echelon()[1]

    def inv(self) -> BitMatrix:
        """The inverse; ``ZeroDivisionError`` of a singular matrix."""
        return self._of(self._matrix.inverse())

    def solve(self, right: BitMatrix | ArrayLike) -> BitMatrix:
        """A solution of ``A X = B``; ``ValueError`` where there is none. With several, :meth:`nullspace` has their differences."""
        found = self._matrix.solve(self._other(right))
        if found is None:
            raise ValueError("no solution: the right side is no combination of the columns")
        return self._of(found)

    def nullspace(self) -> BitMatrix:
        """A basis of the ``x`` with ``A x = 0``, as columns."""
        return self._of(self._matrix.nullspace())

    def __getitem__(self, index: Any) -> Any:
        found = self.numpy()[index]
        return int(found) if np.ndim(found) == 0 else found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BitMatrix):
            return False
        if other.device == self.device:
            return self._matrix.equal(other._matrix)
        return self.shape == other.shape and np.array_equal(self.packed(), other.packed())

    def __hash__(self) -> int:
        return hash((self.shape, self.packed().tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return pickled(BitMatrix.from_packed, self.device, self.packed(), self.shape[1])

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<{rows} x {columns} matrix modulo 2 on {self.device.id}>\n{self.numpy()}"

    def _repr_html_(self) -> str:
        from .matrices import _html

        return _html(self.numpy())


def _is_big(bitorder: str) -> bool:
    if bitorder not in ("big", "little"):
        raise ValueError(f"bitorder {bitorder!r}: 'big' or 'little', as of numpy.packbits")
    return bitorder == "big"
