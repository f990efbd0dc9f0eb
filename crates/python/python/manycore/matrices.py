"""Dense matrices over prime fields and the integers, with the names of python-flint; real determinants with a proved bound."""

from __future__ import annotations

import operator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union, cast, overload

import numpy as np

from . import _native
from ._arrays import as_array, integers
from ._operators import IntegerOperators, MatrixOperators
from .devices import Device, DeviceLike, DeviceSet, DevicesLike, F, device_of, devices_of, explained_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import ArrayLike, NDArray


@lru_cache(maxsize=64)
def _space(modulus: int, device: Device) -> _native.MatrixSpace:
    return _native.MatrixSpace(device, modulus)


def _explain(operation: str) -> Callable[[F], F]:
    def explainer(a: Matrix, b: Any = None, *_: Any, device: DeviceLike = "auto") -> tuple[Device, str]:
        on = a.device if device == "auto" else device_of(device)
        rows, inner = a.shape
        columns = b.shape[1] if isinstance(b, Matrix) else inner
        return on, _space(a.modulus, on).explain(operation, rows, inner, columns)

    return explained_by(explainer)


class Matrix(MatrixOperators):
    """A matrix modulo a prime, in the memory of a device.

    ``@`` and ``*`` are products, as in Sage and python-flint; entries are integers of any size and sign.

    >>> import manycore as mc
    >>> a = mc.Matrix([[1, 2], [3, 4]], 7)
    >>> a.det(), a.rank(), a @ a.inv() == mc.Matrix.identity(2, 7)
    (5, 2, True)
    >>> a.charpoly()
    x^2 + 2*x + 5 (mod 7)
    """

    __slots__ = ("_matrix", "device", "modulus")

    _matrix: _native.Matrix
    device: Device
    modulus: int

    def __init__(self, entries: ArrayLike, modulus: int, *, device: DeviceLike = "auto") -> None:
        self.modulus, self.device = operator.index(modulus), device_of(device)
        array = integers(entries, self.modulus)
        if array.ndim != 2:
            raise ValueError(f"a matrix has two dimensions, and the array has {array.ndim}")
        rows, columns = array.shape
        space = _space(self.modulus, self.device)
        self._matrix = space.matrix(rows, columns, array.ravel())

    @classmethod
    def _made(cls, matrix: _native.Matrix, modulus: int, device: Device) -> Matrix:
        made = cls.__new__(cls)
        made._matrix, made.modulus, made.device = matrix, modulus, device
        return made

    def _of(self, matrix: _native.Matrix) -> Matrix:
        return self._made(matrix, self.modulus, self.device)

    @classmethod
    def identity(cls, order: int, modulus: int, *, device: DeviceLike = "auto") -> Matrix:
        """The identity."""
        on = device_of(device)
        return cls._made(_space(modulus, on).identity(order), modulus, on)

    @classmethod
    def random(cls, rows: int, columns: int, modulus: int, *, seed: int = 0, device: DeviceLike = "auto") -> Matrix:
        """A matrix that a seed determines, the same on every device."""
        on = device_of(device)
        return cls._made(_space(modulus, on).random(rows, columns, seed), modulus, on)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return self._matrix.shape

    @property
    def T(self) -> Matrix:  # noqa: N802 - NumPy's name
        """The transpose."""
        return self._of(self._matrix.transpose())

    def transpose(self) -> Matrix:
        """The transpose."""
        return self.T

    def numpy(self) -> NDArray[Any]:
        """The entries, as an array of the host."""
        return np.asarray(self._matrix.entries())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.numpy(), dtype=dtype, copy=True if copy else None)

    def _other(self, other: Matrix | ArrayLike) -> _native.Matrix:
        if isinstance(other, Matrix):
            return other._matrix
        return Matrix(other, self.modulus, device=self.device)._matrix

    def __add__(self, other: Matrix | ArrayLike) -> Matrix:
        return self._of(self._matrix.add(self._other(other)))

    def __sub__(self, other: Matrix | ArrayLike) -> Matrix:
        return self._of(self._matrix.sub(self._other(other)))

    def __neg__(self) -> Matrix:
        return self * -1

    @_explain("matmul")
    def __matmul__(self, other: Matrix | ArrayLike) -> Matrix:
        return self._of(self._matrix.mul(self._other(other)))

    def __mul__(self, other: Matrix | ArrayLike | int) -> Matrix:
        if isinstance(other, (int, np.integer)):
            return self._of(self._matrix.scale(operator.index(other) % self.modulus))
        return self @ other

    def __rmul__(self, other: int) -> Matrix:
        return self * other

    def __pow__(self, exponent: int) -> Matrix:
        if exponent < 0:
            return self.inv() ** -exponent
        return self._of(self._matrix.power(exponent))

    @_explain("det")
    def det(self) -> int:
        """The determinant."""
        return self._matrix.determinant()

    @_explain("rank")
    def rank(self) -> int:
        """The rank."""
        return self._matrix.rank()

    @_explain("rref")
    def rref(self) -> tuple[Matrix, int]:
        """The reduced row echelon form, and the rank."""
        matrix, pivots = self._matrix.echelon()
        return self._of(matrix), len(pivots)

    def pivots(self) -> list[int]:
        """The columns of the pivots."""
        return self._matrix.echelon()[1]

    @_explain("inv")
    def inv(self) -> Matrix:
        """The inverse; ``ZeroDivisionError`` of a singular matrix."""
        return self._of(self._matrix.inverse())

    def solve(self, right: Matrix | ArrayLike) -> Matrix:
        """A solution of ``A X = B``; ``ValueError`` where there is none. With several, :meth:`nullspace` has their differences.

        >>> import manycore as mc
        >>> mc.Matrix([[1, 2], [3, 4]], 7).solve([[5], [6]]).numpy().tolist()
        [[3], [1]]
        """
        found = self._matrix.solve(self._other(right))
        if found is None:
            raise ValueError("no solution: the right side is no combination of the columns")
        return self._of(found[0])

    def nullspace(self) -> Matrix:
        """A basis of the ``x`` with ``A x = 0``, as columns."""
        return self._of(self._matrix.nullspace())

    def charpoly(self) -> Any:
        """The characteristic polynomial ``det(x I - A)``."""
        from .polynomials import Poly

        return Poly(np.asarray(self._matrix.characteristic_polynomial()), self.modulus, device=self.device)

    def minpoly(self) -> Any:
        """The minimal polynomial: the one of least degree with leading coefficient 1 that is 0 at the matrix. It is certain.

        >>> import manycore as mc
        >>> mc.Matrix([[2, 0, 0], [0, 2, 0], [0, 0, 5]], 101).minpoly()
        x^2 + 94*x + 10 (mod 101)
        """
        from .polynomials import Poly

        return Poly(np.asarray(self._matrix.minimal_polynomial()), self.modulus, device=self.device)

    def kernel(self) -> Matrix:
        """:meth:`nullspace`, the right kernel, as columns. Sage's ``kernel`` is :meth:`left_kernel`.

        >>> import manycore as mc
        >>> a = mc.Matrix([[1, 2, 3], [2, 4, 6]], 7)
        >>> a.kernel().shape, (a @ a.kernel()).numpy().tolist()
        ((3, 2), [[0, 0], [0, 0]])
        """
        return self.nullspace()

    def left_kernel(self) -> Matrix:
        """A basis of the ``x`` with ``x A = 0``, as rows.

        >>> import manycore as mc
        >>> mc.Matrix([[2, 4, 6], [1, 2, 3]], 7).left_kernel().numpy().tolist()
        [[3, 1]]
        """
        return self._of(self._matrix.left_nullspace())

    def image(self) -> Matrix:
        """A basis of the column space, as columns in reduced echelon form.

        >>> import manycore as mc
        >>> mc.Matrix([[2, 4, 6], [1, 2, 3]], 7).image().numpy().tolist()
        [[1], [4]]
        """
        return self._of(self._matrix.column_space())

    def echelon_form(self) -> Matrix:
        """The reduced row echelon form, with Sage's name; :meth:`rref` has the rank too.

        >>> import manycore as mc
        >>> mc.Matrix([[2, 4, 6], [1, 2, 4]], 7).echelon_form().numpy().tolist()
        [[1, 2, 0], [0, 0, 1]]
        """
        return self.rref()[0]

    def lu(self) -> tuple[Matrix, Matrix, Matrix]:
        """``P``, ``L`` and ``U`` with ``A = P L U``, as Sage and scipy have them, for any shape and rank: ``P`` a matrix of a
        permutation, ``L`` with 1 on the diagonal and as many columns as the rank, ``U`` in echelon form.

        >>> import manycore as mc
        >>> a = mc.Matrix([[0, 2], [1, 3], [2, 5]], 7)
        >>> p, l, u = a.lu()
        >>> l.numpy().tolist(), u.numpy().tolist(), p @ l @ u == a
        ([[1, 0], [0, 1], [2, 3]], [[1, 3], [0, 2]], True)
        """
        rows, lower, upper = self._matrix.lu()
        return self._permutation(rows).T, self._of(lower), self._of(upper)

    def plu(self) -> tuple[Matrix, Matrix, Matrix]:
        """:meth:`lu`.

        >>> import manycore as mc
        >>> mc.Matrix([[0, 1], [1, 0]], 7).plu()[0].numpy().tolist()
        [[0, 1], [1, 0]]
        """
        return self.lu()

    def pluq(self) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """``P``, ``L``, ``U`` and ``Q`` with ``A = P L U Q``, for any shape and rank: both factors triangular, as many columns of
        ``L`` and rows of ``U`` as the rank.

        >>> import manycore as mc
        >>> a = mc.Matrix([[0, 0, 2], [0, 3, 1]], 7)
        >>> p, l, u, q = a.pluq()
        >>> u.numpy().tolist(), p @ l @ u @ q == a
        ([[3, 1, 0], [0, 2, 0]], True)
        """
        rows, columns, lower, upper = self._matrix.pluq()
        return self._permutation(rows).T, self._of(lower), self._of(upper), self._permutation(columns)

    def _permutation(self, order: list[int]) -> Matrix:
        matrix = np.zeros((len(order), len(order)), dtype=np.int64)
        matrix[np.arange(len(order)), order] = 1
        return Matrix(matrix, self.modulus, device=self.device)

    def __getitem__(self, index: Any) -> Any:
        found = self.numpy()[index]
        return int(found) if np.ndim(found) == 0 else found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Matrix) or other.modulus != self.modulus:
            return False
        if other.device == self.device:
            return self._matrix.equal(other._matrix)
        return np.array_equal(self.numpy(), other.numpy())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<{rows} x {columns} matrix modulo {self.modulus} on {self.device.id}>\n{self.numpy()}"

    def _repr_html_(self) -> str:
        return _html(self.numpy())


def _html(entries: NDArray[Any]) -> str:
    rows, columns = entries.shape
    body = "".join(
        "<tr>" + "".join(f"<td>{entries[i, j]}</td>" for j in range(min(columns, 16))) + "</tr>"
        for i in range(min(rows, 16))
    )
    note = f"<caption>{rows} by {columns}</caption>" if rows > 16 or columns > 16 else ""
    return f"<table>{note}{body}</table>"


class IntegerMatrix(IntegerOperators):
    """A matrix of integers of any size; results are exact and proved, computed modulo primes on a device.

    >>> import manycore as mc
    >>> a = mc.IntegerMatrix([[1, 2], [3, 4]])
    >>> a.det(), a.rank(), a.charpoly()
    (-2, 2, [-2, -5, 1])
    >>> a.inv()[0]
    [Fraction(-2, 1), Fraction(1, 1)]
    >>> a.solve([[5], [6]])
    [[Fraction(-4, 1)], [Fraction(9, 2)]]
    """

    __slots__ = ("_entries", "device", "shape")

    def __init__(self, entries: ArrayLike, *, device: DeviceLike = "auto") -> None:
        array = as_array(entries)
        if array.ndim != 2:
            raise ValueError(f"a matrix has two dimensions, and the array has {array.ndim}")
        self.device = device_of(device)
        self.shape: tuple[int, int] = (array.shape[0], array.shape[1])
        self._entries = _integers(array)

    def numpy(self) -> NDArray[Any]:
        """The entries: of type ``int64``, or Python's integers where they are larger."""
        return np.asarray(self._entries).reshape(self.shape)

    def _square(self, operation: str) -> int:
        rows, columns = self.shape
        if rows != columns:
            raise ValueError(f"{operation} of a {rows} x {columns} matrix, which is not square")
        return rows

    def det(self, *, bits: int | None = None, seed: int = 0) -> int:
        """The determinant: proved, or wrong with a chance below ``2^-bits``, which takes fewer primes."""
        return self._det(self.device, bits, seed)

    def _det(self, on: Device | DeviceSet, bits: int | None, seed: int) -> int:
        return _native.integer_determinant(on, self._square("the determinant"), self._entries, bits, seed)[0]

    def det_residues(self, part: int, parts: int) -> DeterminantResidues:
        """The determinant modulo the primes of part ``part`` of ``parts``, counted from 0: every ``parts``-th of those that prove it.

        Parts are computed anywhere, by workers of Ray, Dask or MPI, and :func:`det_of_parts` puts them together.

        >>> import manycore as mc
        >>> a = mc.IntegerMatrix([[10**18, 1], [2, 10**18]])
        >>> mc.det_of_parts([a.det_residues(part, 3) for part in range(3)]) == a.det()
        True
        """
        order, part, parts = self._square("the determinant"), operator.index(part), operator.index(parts)
        if not 0 <= part < parts:
            raise ValueError(f"part {part} of {parts}: parts are numbered from 0 to below their number")
        return DeterminantResidues(*_native.determinant_residues(self.device, order, self._entries, part, parts))

    def rank(self) -> int:
        """The rank."""
        return _native.integer_rank(self.device, self.shape, self._entries)

    def inv(self) -> list[list[Fraction]]:
        """The inverse; ``ZeroDivisionError`` of a singular matrix."""
        order = self._square("the inverse")
        return _rows(_native.integer_inverse(self.device, order, self._entries), order)

    def nullspace(self) -> NDArray[Any]:
        """A basis of the integer vectors ``x`` with ``A x = 0``, as columns: Python's integers."""
        basis, dimension = _native.integer_nullspace(self.device, self.shape, self._entries)
        return np.array(basis, dtype=object).reshape(self.shape[1], dimension)

    def charpoly(self) -> list[int]:
        """The coefficients of the characteristic polynomial ``det(x I - A)``, the constant term first."""
        order = self._square("the characteristic polynomial")
        return _native.integer_characteristic_polynomial(self.device, order, self._entries)

    def minpoly(self) -> list[int]:
        """The coefficients of the minimal polynomial, the constant term first; proved.

        >>> import manycore as mc
        >>> mc.IntegerMatrix([[2, 0, 0], [0, 2, 0], [0, 0, -5]]).minpoly()
        [-10, 3, 1]
        """
        order = self._square("the minimal polynomial")
        return _native.integer_minimal_polynomial(self.device, order, self._entries)

    def _made(self, entries: list[int], rows: int, columns: int) -> IntegerMatrix:
        return IntegerMatrix(np.array(entries, dtype=object).reshape(rows, columns), device=self.device)

    @overload
    def hermite_form(self, *, transformation: Literal[False] = False) -> IntegerMatrix: ...

    @overload
    def hermite_form(self, *, transformation: Literal[True]) -> tuple[IntegerMatrix, IntegerMatrix]: ...

    def hermite_form(self, *, transformation: bool = False) -> IntegerMatrix | tuple[IntegerMatrix, IntegerMatrix]:
        """The Hermite form ``H`` by rows: pivots above 0, entries above them from 0 to below the pivot, rows of zeros last. With
        ``transformation`` the pair of ``H`` and ``U`` with ``H = U A``, of integers and determinant 1 or -1.

        >>> import manycore as mc
        >>> mc.IntegerMatrix([[2, 4, 1], [3, 5, 0]]).hermite_form().numpy().tolist()
        [[1, 1, -1], [0, 2, 3]]
        >>> h, u = mc.IntegerMatrix([[4], [6]]).hermite_form(transformation=True)
        >>> h.numpy().tolist(), u.numpy().tolist()
        ([[2], [0]], [[2, -1], [3, -2]])
        """
        rows, columns = self.shape
        form, _, left = _native.integer_hermite_form(self.device, self.shape, self._entries, transformation)
        found = self._made(form, rows, columns)
        return found if left is None else (found, self._made(left, rows, rows))

    def hnf(self) -> IntegerMatrix:
        """:meth:`hermite_form`, with python-flint's name.

        >>> import manycore as mc
        >>> mc.IntegerMatrix([[2, 4], [6, 8]]).hnf().numpy().tolist()
        [[2, 0], [0, 4]]
        """
        return self.hermite_form()

    def snf(self) -> IntegerMatrix:
        """The Smith form alone, with python-flint's name.

        >>> import manycore as mc
        >>> mc.IntegerMatrix([[2, 0], [0, 3]]).snf().numpy().tolist()
        [[1, 0], [0, 6]]
        """
        return self._diagonal(self.elementary_divisors())

    def _diagonal(self, entries: list[int]) -> IntegerMatrix:
        rows, columns = self.shape
        diagonal = [0] * (rows * columns)
        for k, entry in enumerate(entries):
            diagonal[k * columns + k] = entry
        return self._made(diagonal, rows, columns)

    def elementary_divisors(self) -> list[int]:
        """The diagonal of the Smith form: each number divides the next, with zeros past the rank, as in Sage.

        >>> import manycore as mc
        >>> mc.IntegerMatrix([[2, 4, 4], [-6, 6, 12], [10, 4, 16]]).elementary_divisors()
        [2, 2, 156]
        """
        factors = _native.integer_invariant_factors(self.device, self.shape, self._entries)
        return factors + [0] * (min(self.shape) - len(factors))

    def smith_form(self) -> tuple[IntegerMatrix, IntegerMatrix, IntegerMatrix]:
        """``S``, ``U`` and ``V`` with ``S = U A V``, as in Sage: ``S`` diagonal, ``U`` and ``V`` of integers and determinant 1 or -1.

        >>> import manycore as mc
        >>> s, u, v = mc.IntegerMatrix([[2, 0], [0, 3]]).smith_form()
        >>> s.numpy().tolist(), (u.numpy() @ [[2, 0], [0, 3]] @ v.numpy()).tolist()
        ([[1, 0], [0, 6]], [[1, 0], [0, 6]])
        """
        rows, columns = self.shape
        factors, left, right = _native.integer_smith_form(self.device, self.shape, self._entries)
        return self._diagonal(factors), self._made(left, rows, rows), self._made(right, columns, columns)

    def solve(self, right: IntegerMatrix | ArrayLike) -> list[list[Fraction]]:
        """A solution of ``A X = B``; ``ValueError`` where there is none."""
        array = right.numpy() if isinstance(right, IntegerMatrix) else as_array(right)
        if array.ndim != 2:
            raise ValueError(f"a matrix has two dimensions, and the right side has {array.ndim}")
        columns = array.shape[1]
        found = _native.integer_solve(self.device, self.shape, self._entries, columns, _integers(array))
        if found is None:
            raise ValueError("no solution: the right side is no combination of the columns")
        return _rows(found[0], columns)

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<{rows} x {columns} matrix of integers>\n{self.numpy()}"

    def _repr_html_(self) -> str:
        return _html(self.numpy())


Entries = Union["NDArray[np.int64]", "list[int]"]


def _integers(array: NDArray[Any]) -> Entries:
    """Entries row after row: of type ``int64``, or a list where some are larger."""
    if array.dtype == object:
        integers = [int(value) for value in array.ravel()]
        if any(one != value for one, value in zip(integers, array.ravel())):
            raise TypeError("entries are integers")
        return integers
    if array.dtype == np.uint64:
        return [int(value) for value in array.ravel()]
    if array.dtype.kind not in "iub" and array.size:
        raise TypeError(f"entries of type {array.dtype}: this matrix is of integers")
    return np.ascontiguousarray(array, dtype=np.int64).ravel()


class DeterminantResidues(NamedTuple):
    """A part of a determinant over the integers: its residues modulo some of the primes that prove it.

    >>> import manycore as mc
    >>> mc.IntegerMatrix([[1, 2], [3, 4]]).det_residues(0, 1).residues
    [(2147483647, 2147483645)]
    """

    bound: int
    """Hadamard's bound of the matrix, which tells the primes."""
    entry: int | None
    """The determinant of a matrix of order 1, which takes no prime."""
    residues: list[tuple[int, int]]
    """Primes, each with the determinant modulo it."""


def det_of_parts(parts: Iterable[DeterminantResidues]) -> int:
    """The determinant from the residues of all parts, :meth:`IntegerMatrix.det_residues`, in any order; it is proved.

    A part may come twice. ``ValueError`` for a part that is missing, parts of different matrices, and residues that disagree.

    >>> import manycore as mc
    >>> a = mc.IntegerMatrix([[10**18, 1], [2, 10**18]])
    >>> mc.det_of_parts([a.det_residues(1, 2), a.det_residues(0, 2)])
    999999999999999999999999999999999998
    >>> mc.det_of_parts([a.det_residues(1, 2)])
    Traceback (most recent call last):
    ValueError: the parts make no determinant: none has the residue modulo 2147483647
    """
    given = list(parts)
    for place, part in enumerate(given):
        if not isinstance(part, DeterminantResidues):
            raise TypeError(f"part {place} of the determinant is {part!r}, and none of IntegerMatrix.det_residues")
    try:
        return _native.determinant_of_parts(given)
    except OverflowError as error:
        raise ValueError(f"the parts make no determinant: {error}") from error


def _rows(entries: list[Fraction], columns: int) -> list[list[Fraction]]:
    return [entries[start : start + columns] for start in range(0, len(entries), columns)] if columns else []


class RealDeterminant(NamedTuple):
    """A determinant in double precision with a proved bound of its error."""

    value: float
    """The determinant; 0 or infinity where doubles do not reach."""
    log_abs: float
    """The natural logarithm of its size."""
    sign: int
    """Its sign."""
    relative_error: float | None
    """The true determinant differs from the value by at most this part of it."""


def det(a: ArrayLike, *, pivoting: str = "partial", device: DevicesLike = "auto") -> int | RealDeterminant:
    """The determinant of a square matrix: exact and proved of integers, with a proved bound of reals.

    >>> import manycore as mc
    >>> mc.det([[1, 2], [3, 4]])
    -2
    >>> mc.det([[1.0, 2.0], [3.0, 4.0]]).value
    -2.0
    """
    array = as_array(a)
    if array.dtype.kind != "f":
        on = devices_of(device)
        matrix = IntegerMatrix(array, device=on.devices[0] if isinstance(on, DeviceSet) else on)
        return matrix._det(on, None, 0)
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise ValueError(f"the determinant of an array of the shape {array.shape}, which is no square matrix")
    entries = np.ascontiguousarray(array, dtype=np.float64).ravel()
    return RealDeterminant(*_native.real_determinant(device_of(cast("DeviceLike", device)), array.shape[0], entries, pivoting))
