"""Every operation that the program has by a declaration, as a function: made from the declarations by `operations.py`.

Inputs are numbers or rows of them, arrays, texts in any form that the program reads, bytes of files, or paths. ``verify`` checks the
result independently; ``seed`` decides what is random. The answer tells the algorithm and what else is known beside the result.

>>> from manycore import operations
>>> operations.poly_gcd([6, 5, 1], [3, 1], modulus=7).result
array([3, 1], dtype=uint64)
>>> operations.matrix_det([[1, 2], [3, 4]], exact=True).result
-2
"""

from __future__ import annotations

from typing import Any, Literal

from ._calls import Answer, InputLike, call
from .devices import DevicesLike

__all__ = [
    "bivariate_report",
    "bivariate_resultant",
    "bivariate_solve",
    "boolean_anf",
    "boolean_autocorrelation",
    "boolean_info",
    "boolean_report",
    "boolean_spectrum",
    "characters",
    "matrix_charpoly",
    "matrix_det",
    "matrix_hermite",
    "matrix_image",
    "matrix_inverse",
    "matrix_lu",
    "matrix_minpoly",
    "matrix_mul",
    "matrix_nullspace",
    "matrix_pluq",
    "matrix_rank",
    "matrix_rref",
    "matrix_smith",
    "matrix_solve",
    "maxplus_cycle_mean",
    "maxplus_report",
    "maxplus_schedule",
    "maxplus_simulate",
    "maxplus_star",
    "maxplus_variants",
    "poly_compose",
    "poly_discriminant",
    "poly_div",
    "poly_eval",
    "poly_factor",
    "poly_gcd",
    "poly_interpolate",
    "poly_inverse",
    "poly_mul",
    "poly_pow",
    "poly_resultant",
    "poly_roots",
    "poly_series",
    "poly_shift",
    "poly_xgcd",
    "sbox_boomerang",
    "sbox_compare",
    "sbox_ddt",
    "sbox_info",
    "sbox_lat",
    "sbox_report",
    "semiring_plan",
    "semiring_product",
    "sort_numbers",
    "sort_sparse",
    "sort_text",
    "sparse_info",
    "sparse_misses",
    "sparse_multiply",
    "sparse_reorder",
    "sparse_report",
    "spectrum_arithmetic",
    "spectrum_fourier",
    "spectrum_haar",
    "spectrum_kronecker",
    "spectrum_ntt",
    "spectrum_polarities",
    "spectrum_reed_muller",
    "spectrum_walsh",
]


def spectrum_walsh(
    file: InputLike,
    *,
    batch: int | None = None,
    inverse: bool = False,
    order: Literal["hadamard", "sequency", "dyadic"] | None = None,
    algorithm: Literal["cooley-tukey", "constant-geometry"] | None = None,
    type: Literal["i32", "i64", "f32", "f64"] | None = None,
    wrap: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The Walsh-Hadamard transform of 2^n values.

    ``file``: The values: text (numbers separated by white space or commas, # begins a comment) or .npy.
    ``batch``: Length of one transform: each run of LEN values is transformed separately; a power of two.
    ``inverse``: The inverse: from coefficients to values. Integers must be a spectrum of integers, so that the
    division by the length is exact; with --wrap the division rounds down.
    ``order``: The order of the coefficients. Default: hadamard.
    ``algorithm``: How to compute: in place, or between two buffers; without it, the one that suits the order.
    ``type``: Compute in this type; without it, i64 for integers, f64 for text with fractions, an array's own
    floating-point type.
    ``wrap``: Let integers wrap modulo 2^32 or 2^64, where otherwise a spectrum that might not fit its type is
    refused.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "batch": batch,
        "inverse": inverse,
        "order": order,
        "algorithm": algorithm,
        "type": type,
        "wrap": wrap,
    }
    return call("spectrum walsh", inputs, options, device, verify, seed)


def spectrum_reed_muller(
    file: InputLike,
    *,
    batch: int | None = None,
    inverse: bool = False,
    order: Literal["natural", "reversed"] | None = None,
    polarity: str | None = None,
    algorithm: Literal["cooley-tukey", "constant-geometry"] | None = None,
    packed: bool = False,
    variables: int | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The Reed-Muller transform of 2^n values 0 and 1: the algebraic normal form.

    ``file``: The values: text (numbers separated by white space or commas, # begins a comment) or .npy.
    ``batch``: Length of one transform: each run of LEN values is transformed separately; a power of two.
    ``inverse``: The inverse: from coefficients to values; the transform is its own inverse, except with a polarity.
    ``order``: The order of the coefficients. Default: natural.
    ``polarity``: The variables that stand complemented in the polynomial, by the set bits; decimal, or hexadecimal
    after 0x. Default: 0.
    ``algorithm``: How to compute: in place, or between two buffers; without it, the one that suits the order.
    ``packed``: The file holds words of 64 values, hexadecimal after 0x or decimal: bit i of word w is value 64 w + i.
    ``variables``: The variables of each packed function, of which a word holds several below 6; without it, one
    function of all words.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "batch": batch,
        "inverse": inverse,
        "order": order,
        "polarity": polarity,
        "algorithm": algorithm,
        "packed": packed,
        "variables": variables,
    }
    return call("spectrum reed-muller", inputs, options, device, verify, seed)


def spectrum_arithmetic(
    file: InputLike,
    *,
    batch: int | None = None,
    inverse: bool = False,
    order: Literal["natural", "reversed"] | None = None,
    polarity: str | None = None,
    algorithm: Literal["cooley-tukey", "constant-geometry"] | None = None,
    type: Literal["i32", "i64", "f32", "f64"] | None = None,
    wrap: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The arithmetic transform of 2^n values: the integer polynomial.

    ``file``: The values: text (numbers separated by white space or commas, # begins a comment) or .npy.
    ``batch``: Length of one transform: each run of LEN values is transformed separately; a power of two.
    ``inverse``: The inverse: from coefficients to values.
    ``order``: The order of the coefficients. Default: natural.
    ``polarity``: The variables that stand complemented in the polynomial, by the set bits; decimal, or hexadecimal
    after 0x. Default: 0.
    ``algorithm``: How to compute: in place, or between two buffers; without it, the one that suits the order.
    ``type``: Compute in this type; without it, i64 for integers, f64 for text with fractions, an array's own
    floating-point type.
    ``wrap``: Let integers wrap modulo 2^32 or 2^64, where otherwise a spectrum that might not fit its type is
    refused.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "batch": batch,
        "inverse": inverse,
        "order": order,
        "polarity": polarity,
        "algorithm": algorithm,
        "type": type,
        "wrap": wrap,
    }
    return call("spectrum arithmetic", inputs, options, device, verify, seed)


def spectrum_haar(
    file: InputLike,
    *,
    batch: int | None = None,
    inverse: bool = False,
    order: Literal["standard", "in-place"] | None = None,
    normalization: Literal["none", "orthonormal", "equal-energy"] | None = None,
    type: Literal["i32", "i64", "f32", "f64"] | None = None,
    wrap: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The Haar transform of 2^n values.

    ``file``: The values: text (numbers separated by white space or commas, # begins a comment) or .npy.
    ``batch``: Length of one transform: each run of LEN values is transformed separately; a power of two.
    ``inverse``: The inverse: from coefficients to values. Integers must be a spectrum of integers, so that every sum
    and difference can be halved; with --wrap halves are rounded down.
    ``order``: The order of the coefficients, which decides how to compute: standard between two buffers, in-place
    within one. Default: standard.
    ``normalization``: What coefficient 2^j + q is multiplied by: none by 1, orthonormal by 2^((j-n)/2), equal-energy
    by 2^(j/2). Default: none.
    ``type``: Compute in this type; without it, i64 for integers, f64 for text with fractions and where normalised, an
    array's own floating-point type.
    ``wrap``: Let integers wrap modulo 2^32 or 2^64, where otherwise a spectrum that might not fit its type is
    refused.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "batch": batch,
        "inverse": inverse,
        "order": order,
        "normalization": normalization,
        "type": type,
        "wrap": wrap,
    }
    return call("spectrum haar", inputs, options, device, verify, seed)


def spectrum_polarities(
    file: InputLike,
    *,
    arithmetic: bool = False,
    all: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The fixed polarity in which a function's polynomial has the fewest terms.

    ``file``: The values of one function, 2^n of them: text (numbers separated by white space or commas, # begins a
    comment) or .npy.
    ``arithmetic``: Arithmetic polynomials of integer values, instead of Reed-Muller polynomials of the values 0 and
    1.
    ``all``: Every polarity and its terms, a line each, instead of the best one alone.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "arithmetic": arithmetic,
        "all": all,
    }
    return call("spectrum polarities", inputs, options, device, verify, seed)


def spectrum_ntt(
    file: InputLike,
    *,
    modulus: int,
    inverse: bool = False,
    negacyclic: bool = False,
    order: Literal["natural", "bit-reversed"] | None = None,
    batch: int | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The number-theoretic transform of 2^n residues modulo a prime.

    ``file``: The values, integers that are taken modulo the prime: text (numbers separated by white space or commas,
    # begins a comment) or .npy.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    ``inverse``: The inverse: from the spectrum to the residues.
    ``negacyclic``: Products of spectra are products modulo x^n + 1 instead of x^n - 1.
    ``order``: The order of the spectrum. Default: natural.
    ``batch``: Length of one transform: each run of LEN values is transformed separately; a power of two.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "inverse": inverse,
        "negacyclic": negacyclic,
        "order": order,
        "batch": batch,
    }
    return call("spectrum ntt", inputs, options, device, verify, seed)


def spectrum_fourier(
    file: InputLike,
    *,
    group: str | None = None,
    modulus: int | None = None,
    inverse: bool = False,
    real: bool = False,
    single: bool = False,
    convolve: InputLike | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The Fourier transform of functions on a finite Abelian group.

    ``file``: The values of functions, one after the other: text or .npy, of complex numbers too; otherwise complex
    numbers are two numbers each, the real part first.
    ``group``: The orders of the group's cyclic factors, the most significant first, such as 3,3,3 or 3^3; without it,
    one cyclic group of all values.
    ``modulus``: Residues modulo this prime, which must have roots of the group's exponent; without it, complex
    numbers.
    ``inverse``: The inverse: from the spectrum to the values, divided by the group's order.
    ``real``: The values are real numbers, one number each.
    ``single``: Compute complex numbers in single precision.
    ``convolve``: The convolution on the group with the function of this file, instead of a spectrum.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file), ("convolve", convolve)]
    options: dict[str, Any] = {
        "group": group,
        "modulus": modulus,
        "inverse": inverse,
        "real": real,
        "single": single,
        "convolve": convolve is not None,
    }
    return call("spectrum fourier", inputs, options, device, verify, seed)


def spectrum_kronecker(
    file: InputLike,
    *,
    product: str,
    inverse: bool = False,
    transpose: bool = False,
    modulus: int | None = None,
    complex: bool = False,
    type: Literal["i32", "i64", "f32", "f64"] | None = None,
    wrap: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The Kronecker product of small matrices, times vectors.

    ``file``: The values of vectors, one after the other: text (numbers separated by white space or commas) or .npy,
    of complex numbers too.
    ``product``: The product of matrices, the most significant variable's first, such as "h12 x walsh^3", "dft3^4" or
    "id^2 x rm^6".
    ``inverse``: Multiply by the inverse matrix. The results over the integers must be integers; with --wrap they are
    rounded down.
    ``transpose``: Multiply by the transposed matrix, with --inverse by the transposed inverse.
    ``modulus``: Residues modulo this prime; without it, numbers.
    ``complex``: Complex numbers in double precision: two numbers each, the real part first.
    ``type``: Compute in this type; without it, i64 for integers, f64 for text with fractions, an array's own
    floating-point type.
    ``wrap``: Let integers wrap modulo 2^32 or 2^64, where otherwise vectors whose results do not fit the type are
    refused.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "product": product,
        "inverse": inverse,
        "transpose": transpose,
        "modulus": modulus,
        "complex": complex,
        "type": type,
        "wrap": wrap,
    }
    return call("spectrum kronecker", inputs, options, device, verify, seed)


def characters(
    *,
    group: str,
    exponents: bool = False,
    modulus: int | None = None,
    type: Literal["f32", "f64"] | None = None,
    rows: str | None = None,
    columns: str | None = None,
    algorithm: Literal["direct", "kronecker"] | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Compute the character table of a finite Abelian group.

    ``group``: The orders of the group's cyclic factors, the most significant first, such as 3,3,3 or 3^3 or 2^4,6.
    ``exponents``: The exact exponents of the root of unity whose order is the group's exponent, instead of complex
    numbers.
    ``modulus``: Residues modulo this prime, which must have roots of unity of the group's exponent, instead of
    complex numbers.
    ``type``: The parts of complex numbers. Default: f64.
    ``rows``: Only the characters A to before B.
    ``columns``: Only their values at the elements C to before D.
    ``algorithm``: How to make the table; without it, what the library chooses (`manycore explain characters`).
    """
    inputs: list[tuple[str, InputLike | None]] = []
    options: dict[str, Any] = {
        "group": group,
        "exponents": exponents,
        "modulus": modulus,
        "type": type,
        "rows": rows,
        "columns": columns,
        "algorithm": algorithm,
    }
    return call("characters", inputs, options, device, verify, seed)


def boolean_info(
    file: InputLike,
    *,
    format: Literal["auto", "binary", "hex", "hex-listing", "anf", "minterms"] | None = None,
    variables: int | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Weight, degree, nonlinearity, correlation immunity, autocorrelation and more.

    ``file``: The function as text, # begins a comment.
    ``format``: How the text is read. auto takes digits 0 and 1 alone for binary, a text with x or + for anf, and
    other digits for hex; several decimal numbers, which could be hex or minterms, are refused. Default: auto.
    ``variables``: Number of variables, for normal forms, minterms and single hexadecimal digits.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "format": format,
        "variables": variables,
    }
    return call("boolean info", inputs, options, device, verify, seed)


def boolean_spectrum(
    file: InputLike,
    *,
    format: Literal["auto", "binary", "hex", "hex-listing", "anf", "minterms"] | None = None,
    variables: int | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The Walsh spectrum: W(w), the sum of (-1)^(f(x) + w . x) over x.

    ``file``: The function as text, # begins a comment.
    ``format``: How the text is read. auto takes digits 0 and 1 alone for binary, a text with x or + for anf, and
    other digits for hex; several decimal numbers, which could be hex or minterms, are refused. Default: auto.
    ``variables``: Number of variables, for normal forms, minterms and single hexadecimal digits.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "format": format,
        "variables": variables,
    }
    return call("boolean spectrum", inputs, options, device, verify, seed)


def boolean_anf(
    file: InputLike,
    *,
    format: Literal["auto", "binary", "hex", "hex-listing", "anf", "minterms"] | None = None,
    variables: int | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The algebraic normal form.

    ``file``: The function as text, # begins a comment.
    ``format``: How the text is read. auto takes digits 0 and 1 alone for binary, a text with x or + for anf, and
    other digits for hex; several decimal numbers, which could be hex or minterms, are refused. Default: auto.
    ``variables``: Number of variables, for normal forms, minterms and single hexadecimal digits.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "format": format,
        "variables": variables,
    }
    return call("boolean anf", inputs, options, device, verify, seed)


def boolean_autocorrelation(
    file: InputLike,
    *,
    format: Literal["auto", "binary", "hex", "hex-listing", "anf", "minterms"] | None = None,
    variables: int | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The autocorrelation: r(a), the sum of (-1)^(f(x) + f(x + a)) over x.

    ``file``: The function as text, # begins a comment.
    ``format``: How the text is read. auto takes digits 0 and 1 alone for binary, a text with x or + for anf, and
    other digits for hex; several decimal numbers, which could be hex or minterms, are refused. Default: auto.
    ``variables``: Number of variables, for normal forms, minterms and single hexadecimal digits.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "format": format,
        "variables": variables,
    }
    return call("boolean autocorrelation", inputs, options, device, verify, seed)


def boolean_report(
    file: InputLike,
    *,
    format: Literal["auto", "binary", "hex", "hex-listing", "anf", "minterms"] | None = None,
    variables: int | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """A page to look at: values, Walsh spectrum and autocorrelation as heat maps, histograms and figures.

    ``file``: The function as text, # begins a comment.
    ``format``: How the text is read. auto takes digits 0 and 1 alone for binary, a text with x or + for anf, and
    other digits for hex; several decimal numbers, which could be hex or minterms, are refused. Default: auto.
    ``variables``: Number of variables, for normal forms, minterms and single hexadecimal digits.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "format": format,
        "variables": variables,
    }
    return call("boolean report", inputs, options, device, verify, seed)


def sbox_info(
    file: InputLike,
    *,
    hex: bool = False,
    output_bits: int | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Linearity, differential uniformity, degrees, branch numbers, and histograms of the linear and difference tables.

    ``file``: The outputs as text, S(0) first: decimal numbers, or hexadecimal ones that begin with 0x, with white
    space, commas or brackets between them; # begins a comment.
    ``hex``: All numbers are hexadecimal.
    ``output_bits``: Number of output bits. Default: the bits of the largest output.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "hex": hex,
        "output-bits": output_bits,
    }
    return call("sbox info", inputs, options, device, verify, seed)


def sbox_lat(
    file: InputLike,
    *,
    hex: bool = False,
    output_bits: int | None = None,
    rows: str | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The linear approximation table: row a, column b has the sum of (-1)^(a . x + b . S(x)) over x, twice the bias.

    ``file``: The outputs as text, S(0) first: decimal numbers, or hexadecimal ones that begin with 0x, with white
    space, commas or brackets between them; # begins a comment.
    ``hex``: All numbers are hexadecimal.
    ``output_bits``: Number of output bits. Default: the bits of the largest output.
    ``rows``: Only the rows A to before B.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "hex": hex,
        "output-bits": output_bits,
        "rows": rows,
    }
    return call("sbox lat", inputs, options, device, verify, seed)


def sbox_ddt(
    file: InputLike,
    *,
    hex: bool = False,
    output_bits: int | None = None,
    rows: str | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The difference distribution table: row a, column b has the number of x with S(x) + S(x + a) = b.

    ``file``: The outputs as text, S(0) first: decimal numbers, or hexadecimal ones that begin with 0x, with white
    space, commas or brackets between them; # begins a comment.
    ``hex``: All numbers are hexadecimal.
    ``output_bits``: Number of output bits. Default: the bits of the largest output.
    ``rows``: Only the rows A to before B.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "hex": hex,
        "output-bits": output_bits,
        "rows": rows,
    }
    return call("sbox ddt", inputs, options, device, verify, seed)


def sbox_boomerang(
    file: InputLike,
    *,
    hex: bool = False,
    output_bits: int | None = None,
    rows: str | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The boomerang connectivity table of a permutation: row a, column b has the number of x with S^-1(S(x) + b) +
    S^-1(S(x + a) + b) = a.

    ``file``: The outputs as text, S(0) first: decimal numbers, or hexadecimal ones that begin with 0x, with white
    space, commas or brackets between them; # begins a comment.
    ``hex``: All numbers are hexadecimal.
    ``output_bits``: Number of output bits. Default: the bits of the largest output.
    ``rows``: Only the rows A to before B.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "hex": hex,
        "output-bits": output_bits,
        "rows": rows,
    }
    return call("sbox boomerang", inputs, options, device, verify, seed)


def sbox_report(
    file: InputLike,
    *,
    hex: bool = False,
    output_bits: int | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """A page to look at: both tables as heat maps, components, histograms, and known S-boxes beside it.

    ``file``: The outputs as text, S(0) first: decimal numbers, or hexadecimal ones that begin with 0x, with white
    space, commas or brackets between them; # begins a comment.
    ``hex``: All numbers are hexadecimal.
    ``output_bits``: Number of output bits. Default: the bits of the largest output.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "hex": hex,
        "output-bits": output_bits,
    }
    return call("sbox report", inputs, options, device, verify, seed)


def sbox_compare(
    file: InputLike,
    *,
    hex: bool = False,
    output_bits: int | None = None,
    best: int | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Nonlinearity and differential uniformity of many S-boxes, one a line, or the best of them.

    ``file``: The S-boxes as text, each on a line of its own: its outputs, S(0) first, as decimal numbers, or
    hexadecimal ones that begin with 0x, with white space, commas or brackets between them; # begins a comment.
    ``hex``: All numbers are hexadecimal.
    ``output_bits``: The output bits of every S-box; without it, as many as its largest output needs.
    ``best``: Print the COUNT best only: largest nonlinearity first; ties by least differential uniformity.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "hex": hex,
        "output-bits": output_bits,
        "best": best,
    }
    return call("sbox compare", inputs, options, device, verify, seed)


def poly_mul(
    a: InputLike,
    b: InputLike,
    *,
    modulus: int,
    algorithm: Literal["plain", "two-phase", "karatsuba", "transform"] | None = None,
    x: int | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The product of two polynomials.

    ``a``: The coefficients of one factor, the constant term first: text (numbers separated by white space or commas,
    or a sum of terms such as x^2 - 1; # begins a comment) or .npy.
    ``b``: Coefficients of the other factor; with one file for both factors the product is a square.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    ``algorithm``: Algorithm. Default: the planner's choice (`manycore explain poly-mul`).
    ``x``: Coefficients of the shorter factor for each row, with --algorithm two-phase; 16 without it.
    """
    inputs: list[tuple[str, InputLike | None]] = [("a", a), ("b", b)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "algorithm": algorithm,
        "x": x,
    }
    return call("poly mul", inputs, options, device, verify, seed)


def poly_div(
    a: InputLike,
    b: InputLike,
    *,
    modulus: int,
    only: Literal["quotient", "remainder"] | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Quotient and remainder.

    ``a``: The coefficients of the dividend, the constant term first: text (numbers separated by white space or
    commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy.
    ``b``: The coefficients of the divisor.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    ``only``: Write one of both, which can then be a .npy file.
    """
    inputs: list[tuple[str, InputLike | None]] = [("a", a), ("b", b)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "only": only,
    }
    return call("poly div", inputs, options, device, verify, seed)


def poly_gcd(
    a: InputLike,
    b: InputLike,
    *,
    modulus: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The greatest common divisor.

    ``a``: The coefficients of one polynomial, the constant term first: text (numbers separated by white space or
    commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy.
    ``b``: The coefficients of the other polynomial.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    """
    inputs: list[tuple[str, InputLike | None]] = [("a", a), ("b", b)]
    options: dict[str, Any] = {
        "modulus": modulus,
    }
    return call("poly gcd", inputs, options, device, verify, seed)


def poly_xgcd(
    a: InputLike,
    b: InputLike,
    *,
    modulus: int,
    only: Literal["gcd", "s", "t"] | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The greatest common divisor with cofactors.

    ``a``: The coefficients of one polynomial, the constant term first: text (numbers separated by white space or
    commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy.
    ``b``: The coefficients of the other polynomial.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    ``only``: Write one of the three, which can then be a .npy file.
    """
    inputs: list[tuple[str, InputLike | None]] = [("a", a), ("b", b)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "only": only,
    }
    return call("poly xgcd", inputs, options, device, verify, seed)


def poly_resultant(
    a: InputLike,
    b: InputLike,
    *,
    modulus: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The resultant of two polynomials.

    ``a``: The coefficients of one polynomial, the constant term first: text (numbers separated by white space or
    commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy.
    ``b``: The coefficients of the other polynomial.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    """
    inputs: list[tuple[str, InputLike | None]] = [("a", a), ("b", b)]
    options: dict[str, Any] = {
        "modulus": modulus,
    }
    return call("poly resultant", inputs, options, device, verify, seed)


def poly_discriminant(
    f: InputLike,
    *,
    modulus: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The discriminant.

    ``f``: The coefficients, the constant term first: text (numbers separated by white space or commas, or a sum of
    terms such as x^2 - 1; # begins a comment) or .npy.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    """
    inputs: list[tuple[str, InputLike | None]] = [("f", f)]
    options: dict[str, Any] = {
        "modulus": modulus,
    }
    return call("poly discriminant", inputs, options, device, verify, seed)


def poly_inverse(
    a: InputLike,
    m: InputLike,
    *,
    modulus: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The inverse modulo another polynomial.

    ``a``: The coefficients of the polynomial, the constant term first: text (numbers separated by white space or
    commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy.
    ``m``: The coefficients of the polynomial modulo which it is inverted.
    ``modulus``: The modulus of the coefficients: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    """
    inputs: list[tuple[str, InputLike | None]] = [("a", a), ("m", m)]
    options: dict[str, Any] = {
        "modulus": modulus,
    }
    return call("poly inverse", inputs, options, device, verify, seed)


def poly_pow(
    f: InputLike,
    *,
    modulus: int,
    exponent: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """A power.

    ``f``: The coefficients, the constant term first: text (numbers separated by white space or commas, or a sum of
    terms such as x^2 - 1; # begins a comment) or .npy.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    ``exponent``: The exponent; the power 0 is 1, also of zero.
    """
    inputs: list[tuple[str, InputLike | None]] = [("f", f)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "exponent": exponent,
    }
    return call("poly pow", inputs, options, device, verify, seed)


def poly_compose(
    f: InputLike,
    g: InputLike,
    *,
    modulus: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The composition of two polynomials.

    ``f``: The coefficients of the outer polynomial F, the constant term first: text (numbers separated by white space
    or commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy.
    ``g``: The coefficients of the inner polynomial G.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    """
    inputs: list[tuple[str, InputLike | None]] = [("f", f), ("g", g)]
    options: dict[str, Any] = {
        "modulus": modulus,
    }
    return call("poly compose", inputs, options, device, verify, seed)


def poly_shift(
    f: InputLike,
    *,
    modulus: int,
    by: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The Taylor shift: the polynomial at x + C.

    ``f``: The coefficients, the constant term first: text (numbers separated by white space or commas, or a sum of
    terms such as x^2 - 1; # begins a comment) or .npy.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    ``by``: The constant C, taken modulo the prime.
    """
    inputs: list[tuple[str, InputLike | None]] = [("f", f)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "by": by,
    }
    return call("poly shift", inputs, options, device, verify, seed)


def poly_series(
    f: InputLike,
    g: InputLike | None = None,
    *,
    operation: Literal["inverse", "quotient", "log", "exp", "sqrt", "inverse-sqrt", "reversion"],
    terms: int,
    modulus: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Inverses, quotients, logarithms, exponentials and roots of power series.

    ``f``: The coefficients of F, the constant term first, those past the last being zero: text (numbers separated by
    white space or commas, # begins a comment) or .npy.
    ``g``: The coefficients of the divisor G of a quotient.
    ``operation``: What is computed of the power series F.
    ``terms``: Coefficients of the result, from the constant term on.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    """
    inputs: list[tuple[str, InputLike | None]] = [("f", f), ("g", g)]
    options: dict[str, Any] = {
        "operation": operation,
        "terms": terms,
        "modulus": modulus,
    }
    return call("poly series", inputs, options, device, verify, seed)


def poly_eval(
    f: InputLike,
    points: InputLike,
    *,
    modulus: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The values at many points.

    ``f``: The coefficients, the constant term first: text (numbers separated by white space or commas, or a sum of
    terms such as x^2 - 1; # begins a comment) or .npy.
    ``points``: The points: text (numbers separated by white space or commas) or .npy.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    """
    inputs: list[tuple[str, InputLike | None]] = [("f", f), ("points", points)]
    options: dict[str, Any] = {
        "modulus": modulus,
    }
    return call("poly eval", inputs, options, device, verify, seed)


def poly_interpolate(
    points: InputLike,
    values: InputLike,
    *,
    modulus: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The polynomial through points.

    ``points``: The points: text (numbers separated by white space or commas, # begins a comment) or .npy.
    ``values``: The values at the points, in their order.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    """
    inputs: list[tuple[str, InputLike | None]] = [("points", points), ("values", values)]
    options: dict[str, Any] = {
        "modulus": modulus,
    }
    return call("poly interpolate", inputs, options, device, verify, seed)


def poly_roots(
    f: InputLike,
    *,
    modulus: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The roots in the field.

    ``f``: The coefficients, the constant term first: text (numbers separated by white space or commas, or a sum of
    terms such as x^2 - 1; # begins a comment) or .npy.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    """
    inputs: list[tuple[str, InputLike | None]] = [("f", f)]
    options: dict[str, Any] = {
        "modulus": modulus,
    }
    return call("poly roots", inputs, options, device, verify, seed)


def poly_factor(
    f: InputLike,
    *,
    modulus: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The irreducible factors.

    ``f``: The coefficients, the constant term first: text (numbers separated by white space or commas, or a sum of
    terms such as x^2 - 1; # begins a comment) or .npy.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    """
    inputs: list[tuple[str, InputLike | None]] = [("f", f)]
    options: dict[str, Any] = {
        "modulus": modulus,
    }
    return call("poly factor", inputs, options, device, verify, seed)


def bivariate_resultant(
    file: InputLike,
    *,
    modulus: int | None = None,
    exact: bool = False,
    variables: str | None = None,
    eliminate: str | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The resultant of two polynomials with respect to one variable.

    ``file``: The two polynomials, one a line, such as x^2*y - 3*x + 1; # begins a comment.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    ``exact``: Over the rationals: coefficients are integers and fractions of any size.
    ``variables``: The names of the two variables. Default: x,y.
    ``eliminate``: The variable that the resultant has not: its name, first or second; without this, the second one.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "exact": exact,
        "variables": variables,
        "eliminate": eliminate,
    }
    return call("bivariate resultant", inputs, options, device, verify, seed)


def bivariate_solve(
    file: InputLike,
    *,
    modulus: int | None = None,
    exact: bool = False,
    variables: str | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The common zeros of two polynomials.

    ``file``: The two polynomials, one a line, such as x^2*y - 3*x + 1; # begins a comment.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    ``exact``: Over the rationals: coefficients are integers and fractions of any size.
    ``variables``: The names of the two variables. Default: x,y.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "exact": exact,
        "variables": variables,
    }
    return call("bivariate solve", inputs, options, device, verify, seed)


def bivariate_report(
    file: InputLike,
    *,
    modulus: int | None = None,
    exact: bool = False,
    variables: str | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """A page to look at: both curves as points of the plane over a small field, common zeros marked.

    ``file``: The two polynomials, one a line, such as x^2*y - 3*x + 1; # begins a comment.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    ``exact``: Over the rationals: coefficients are integers and fractions of any size.
    ``variables``: The names of the two variables. Default: x,y.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "exact": exact,
        "variables": variables,
    }
    return call("bivariate report", inputs, options, device, verify, seed)


def matrix_det(
    m: InputLike,
    *,
    modulus: int | None = None,
    exact: bool = False,
    real: bool = False,
    probable: int | None = None,
    pivoting: Literal["first", "closest-to-one", "partial", "complete"] | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The determinant.

    ``m``: The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy.
    ``modulus``: Modulo a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    ``exact``: Over the integers.
    ``real``: In double precision.
    ``probable``: With --exact: stop early, once the chance of a wrong result is below 2^-BITS; without it the result
    is proved.
    ``pivoting``: With --real: the pivot rule. Default: partial.
    """
    inputs: list[tuple[str, InputLike | None]] = [("m", m)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "exact": exact,
        "real": real,
        "probable": probable,
        "pivoting": pivoting,
    }
    return call("matrix det", inputs, options, device, verify, seed)


def matrix_rank(
    m: InputLike,
    *,
    modulus: int | None = None,
    exact: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The rank.

    ``m``: The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy.
    ``modulus``: Modulo a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    ``exact``: Over the rationals: the entries are integers, decimal numbers or fractions such as 2/3.
    """
    inputs: list[tuple[str, InputLike | None]] = [("m", m)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "exact": exact,
    }
    return call("matrix rank", inputs, options, device, verify, seed)


def matrix_inverse(
    m: InputLike,
    *,
    modulus: int | None = None,
    exact: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The inverse.

    ``m``: The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy.
    ``modulus``: Modulo a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    ``exact``: Over the rationals: the entries are integers, decimal numbers or fractions such as 2/3.
    """
    inputs: list[tuple[str, InputLike | None]] = [("m", m)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "exact": exact,
    }
    return call("matrix inverse", inputs, options, device, verify, seed)


def matrix_nullspace(
    m: InputLike,
    *,
    modulus: int | None = None,
    exact: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """A basis of the nullspace.

    ``m``: The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy.
    ``modulus``: Modulo a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    ``exact``: Over the rationals: the entries are integers, decimal numbers or fractions such as 2/3.
    """
    inputs: list[tuple[str, InputLike | None]] = [("m", m)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "exact": exact,
    }
    return call("matrix nullspace", inputs, options, device, verify, seed)


def matrix_charpoly(
    m: InputLike,
    *,
    modulus: int | None = None,
    exact: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The characteristic polynomial.

    ``m``: The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy.
    ``modulus``: Modulo a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    ``exact``: Over the rationals: the entries are integers, decimal numbers or fractions such as 2/3.
    """
    inputs: list[tuple[str, InputLike | None]] = [("m", m)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "exact": exact,
    }
    return call("matrix charpoly", inputs, options, device, verify, seed)


def matrix_minpoly(
    m: InputLike,
    *,
    modulus: int | None = None,
    exact: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The minimal polynomial.

    ``m``: The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy.
    ``modulus``: Modulo a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    ``exact``: Over the rationals: the entries are integers, decimal numbers or fractions such as 2/3.
    """
    inputs: list[tuple[str, InputLike | None]] = [("m", m)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "exact": exact,
    }
    return call("matrix minpoly", inputs, options, device, verify, seed)


def matrix_lu(
    m: InputLike,
    *,
    modulus: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The decomposition P M = L U.

    ``m``: The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    """
    inputs: list[tuple[str, InputLike | None]] = [("m", m)]
    options: dict[str, Any] = {
        "modulus": modulus,
    }
    return call("matrix lu", inputs, options, device, verify, seed)


def matrix_pluq(
    m: InputLike,
    *,
    modulus: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The decomposition M = P L U Q.

    ``m``: The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    """
    inputs: list[tuple[str, InputLike | None]] = [("m", m)]
    options: dict[str, Any] = {
        "modulus": modulus,
    }
    return call("matrix pluq", inputs, options, device, verify, seed)


def matrix_rref(
    m: InputLike,
    *,
    modulus: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The reduced row echelon form.

    ``m``: The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    """
    inputs: list[tuple[str, InputLike | None]] = [("m", m)]
    options: dict[str, Any] = {
        "modulus": modulus,
    }
    return call("matrix rref", inputs, options, device, verify, seed)


def matrix_image(
    m: InputLike,
    *,
    modulus: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """A basis of the image.

    ``m``: The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    """
    inputs: list[tuple[str, InputLike | None]] = [("m", m)]
    options: dict[str, Any] = {
        "modulus": modulus,
    }
    return call("matrix image", inputs, options, device, verify, seed)


def matrix_hermite(
    m: InputLike,
    *,
    exact: bool = False,
    transforms: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The Hermite form of a matrix of integers.

    ``m``: The matrix of integers: text (a row a line, # begins a comment), Matrix Market, SMS or .npy.
    ``exact``: Over the integers, as without it.
    ``transforms``: Write the transforms too.
    """
    inputs: list[tuple[str, InputLike | None]] = [("m", m)]
    options: dict[str, Any] = {
        "exact": exact,
        "transforms": transforms,
    }
    return call("matrix hermite", inputs, options, device, verify, seed)


def matrix_smith(
    m: InputLike,
    *,
    exact: bool = False,
    transforms: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The invariant factors of a matrix of integers.

    ``m``: The matrix of integers: text (a row a line, # begins a comment), Matrix Market, SMS or .npy.
    ``exact``: Over the integers, as without it.
    ``transforms``: Write the transforms too.
    """
    inputs: list[tuple[str, InputLike | None]] = [("m", m)]
    options: dict[str, Any] = {
        "exact": exact,
        "transforms": transforms,
    }
    return call("matrix smith", inputs, options, device, verify, seed)


def matrix_solve(
    m: InputLike,
    b: InputLike,
    *,
    modulus: int | None = None,
    exact: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The solutions of a linear system.

    ``m``: The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy.
    ``b``: The right side, a matrix with as many rows; each column is a system of its own.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1; without it, over the
    rationals.
    ``exact``: Over the rationals: the entries are integers, decimal numbers or fractions such as 2/3.
    """
    inputs: list[tuple[str, InputLike | None]] = [("m", m), ("b", b)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "exact": exact,
    }
    return call("matrix solve", inputs, options, device, verify, seed)


def matrix_mul(
    a: InputLike,
    b: InputLike,
    *,
    modulus: int,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The product of two matrices.

    ``a``: One matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy.
    ``b``: The other matrix.
    ``modulus``: The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1.
    """
    inputs: list[tuple[str, InputLike | None]] = [("a", a), ("b", b)]
    options: dict[str, Any] = {
        "modulus": modulus,
    }
    return call("matrix mul", inputs, options, device, verify, seed)


def semiring_product(
    a: InputLike,
    b: InputLike,
    *,
    semiring: Literal["plus-times", "max-plus", "min-plus", "max-min", "min-max", "max-times", "or-and"] | None = None,
    type: Literal["i32", "i64", "f32", "f64"] | None = None,
    wrap: bool = False,
    arg: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The product of two matrices over a semiring.

    ``a``: One matrix: text, a row a line.
    ``b``: The other matrix.
    ``semiring``: The semiring, by its sum and its product.
    ``type``: The type of the entries. Default: i64.
    ``wrap``: Sums and products of integers are modulo 2^bits, and no integer is an infinity.
    ``arg``: Print the index of the product that each entry is.
    """
    inputs: list[tuple[str, InputLike | None]] = [("a", a), ("b", b)]
    options: dict[str, Any] = {
        "semiring": semiring,
        "type": type,
        "wrap": wrap,
        "arg": arg,
    }
    return call("semiring product", inputs, options, device, verify, seed)


def semiring_plan(
    plan: InputLike,
    *,
    type: Literal["i32", "i64", "f32", "f64"] | None = None,
    wrap: bool = False,
    stored: bool = False,
    accesses: bool = False,
    explain: bool = False,
    dot: bool = False,
    html: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Run a program of products, functions of entries and sums by its cheapest plan.

    ``plan``: The program.
    ``type``: The type of all entries. Default: i64.
    ``wrap``: Sums and products of integers are modulo 2^bits, and no integer is an infinity.
    ``stored``: Store all intermediate results, in place of the plan of the fewest estimated seconds.
    ``accesses``: Take the plan of the fewest accesses to memory, in place of that of the fewest estimated seconds.
    ``explain``: Write the plan, with accesses, estimated seconds, alternatives and the time of each step, in place of
    the outputs.
    ``dot``: Write the graph of the plan in the language of Graphviz, in place of the outputs.
    ``html``: Write a page to look at to this file, too: the graph of the plan with the time of each step, and what
    other plans take.
    """
    inputs: list[tuple[str, InputLike | None]] = [("plan", plan)]
    options: dict[str, Any] = {
        "type": type,
        "wrap": wrap,
        "stored": stored,
        "accesses": accesses,
        "explain": explain,
        "dot": dot,
        "html": html,
    }
    return call("semiring plan", inputs, options, device, verify, seed)


def maxplus_star(
    graph: InputLike,
    *,
    algebra: Literal["max-plus", "min-plus", "boolean"] | None = None,
    type: Literal["i32", "i64", "f32", "f64"] | None = None,
    algorithm: Literal["auto", "push", "pull", "substitution", "closure"] | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The Kleene star of a matrix: longest or shortest paths between all pairs of nodes, or reachability.

    ``graph``: The matrix.
    ``algebra``: Best path: longest, shortest, or existence. Default: max-plus.
    ``type``: The type of the weights. Default: i64.
    ``algorithm``: The algorithm. Default: auto.
    """
    inputs: list[tuple[str, InputLike | None]] = [("graph", graph)]
    options: dict[str, Any] = {
        "algebra": algebra,
        "type": type,
        "algorithm": algorithm,
    }
    return call("maxplus star", inputs, options, device, verify, seed)


def maxplus_schedule(
    project: InputLike,
    *,
    gantt: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Earliest and latest times, slack and critical path of a project.

    ``project``: The project.
    ``gantt``: Write a Gantt chart as SVG to this file, whose name ends in .svg; with -o, - is standard output.
    """
    inputs: list[tuple[str, InputLike | None]] = [("project", project)]
    options: dict[str, Any] = {
        "gantt": gantt,
    }
    return call("maxplus schedule", inputs, options, device, verify, seed)


def maxplus_variants(
    project: InputLike,
    *,
    count: int | None = None,
    spread: int | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Schedules of many variants of a project's durations: distribution of the length, how often tasks are critical.

    ``project``: The project.
    ``count``: The number of variants. Default: 1000.
    ``spread``: Largest deviation of a duration, in percent. Default: 20.
    """
    inputs: list[tuple[str, InputLike | None]] = [("project", project)]
    options: dict[str, Any] = {
        "count": count,
        "spread": spread,
    }
    return call("maxplus variants", inputs, options, device, verify, seed)


def maxplus_cycle_mean(
    graph: InputLike,
    *,
    type: Literal["i64", "f64"] | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The maximum cycle mean of a matrix, an eigenvector and a critical circuit.

    ``graph``: The matrix.
    ``type``: The type of the weights. Default: i64.
    """
    inputs: list[tuple[str, InputLike | None]] = [("graph", graph)]
    options: dict[str, Any] = {
        "type": type,
    }
    return call("maxplus cycle-mean", inputs, options, device, verify, seed)


def maxplus_simulate(
    graph: InputLike,
    *,
    steps: int | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Steps of the linear system x(k) = A x(k - 1).

    ``graph``: The matrix.
    ``steps``: The number of steps. Default: 10.
    """
    inputs: list[tuple[str, InputLike | None]] = [("graph", graph)]
    options: dict[str, Any] = {
        "steps": steps,
    }
    return call("maxplus simulate", inputs, options, device, verify, seed)


def maxplus_report(
    project: InputLike,
    *,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """A page to look at: a Gantt chart with slack, the critical path, all tasks.

    ``project``: The project.
    """
    inputs: list[tuple[str, InputLike | None]] = [("project", project)]
    options: dict[str, Any] = {}
    return call("maxplus report", inputs, options, device, verify, seed)


def sort_numbers(
    file: InputLike,
    *,
    type: Literal["i32", "i64", "u64", "f32", "f64"] | None = None,
    descending: bool = False,
    places: bool = False,
    first: int | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Numbers, or their places, by radix.

    ``file``: The numbers: text (separated by white space or commas, # begins a comment) or .npy.
    ``type``: Read them as this type; without it, i64 for integers, u64 for those that i64 does not hold and for
    arrays of such, f64 for text with fractions, an array's own floating-point type.
    ``descending``: The largest first.
    ``places``: Write the indices, from 0, instead of the numbers.
    ``first``: Write only the first COUNT of the order.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "type": type,
        "descending": descending,
        "places": places,
        "first": first,
    }
    return call("sort numbers", inputs, options, device, verify, seed)


def sort_sparse(
    file: InputLike,
    *,
    by: Literal["value", "gray"] | None = None,
    width: int | None = None,
    descending: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Sparse binary words by value or by rank in the Gray code.

    ``file``: The words: a line each with the ascending positions of its ones, 0 the most significant bit; # begins a
    comment.
    ``by``: What words are compared by. Default: value.
    ``width``: Bits of a word; without it, one more than the largest position.
    ``descending``: The largest first.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "by": by,
        "width": width,
        "descending": descending,
    }
    return call("sort sparse", inputs, options, device, verify, seed)


def sort_text(
    file: InputLike,
    *,
    descending: bool = False,
    places: bool = False,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Lines of a text by their bytes.

    ``file``: The text.
    ``descending``: The last line of the order first.
    ``places``: Write the places of the lines, from 0, in place of them.
    """
    inputs: list[tuple[str, InputLike | None]] = [("file", file)]
    options: dict[str, Any] = {
        "descending": descending,
        "places": places,
    }
    return call("sort text", inputs, options, device, verify, seed)


def sparse_reorder(
    matrix: InputLike,
    *,
    method: Literal["brgc", "rcm", "degree", "random"] | None = None,
    merge: int | None = None,
    classes: str | None = None,
    orders: bool = False,
    words: int | None = None,
    line: int | None = None,
    policy: Literal["optimal", "lru"] | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Put rows and columns in an order that saves cache misses.

    ``matrix``: The matrix: Matrix Market, SMS or Harwell-Boeing.
    ``method``: The order. Default: brgc.
    ``merge``: Rows whose lists of columns brgc merges; without it, sqrt(columns * words of a line) over the non-zeros
    of a row.
    ``classes``: Fraction of the columns that must be distinct before brgc ends, between 0 and 1; 0.9 without it.
    ``orders``: Write the orders of rows and columns to this file, for sparse multiply --orders.
    ``words``: The words of the cache: values of the vector that it holds; 131072 without it.
    ``line``: The words of a line. Default: 8.
    ``policy``: Which line a full cache replaces. Default: lru.
    """
    inputs: list[tuple[str, InputLike | None]] = [("matrix", matrix)]
    options: dict[str, Any] = {
        "method": method,
        "merge": merge,
        "classes": classes,
        "orders": orders,
        "words": words,
        "line": line,
        "policy": policy,
    }
    return call("sparse reorder", inputs, options, device, verify, seed)


def sparse_multiply(
    matrix: InputLike,
    x: InputLike,
    *,
    modulus: int | None = None,
    orders: InputLike | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Multiply by a vector.

    ``matrix``: The matrix: Matrix Market, SMS or Harwell-Boeing.
    ``x``: The vector: text (numbers separated by white space or commas, # begins a comment) or .npy.
    ``modulus``: Compute modulo a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1: matrix and vector have
    integers. Without it, in double precision, for integers that it holds exactly.
    ``orders``: The orders by which the matrix was put in order, a file of sparse reorder --orders: vector and product
    belong to the matrix before reordering.
    """
    inputs: list[tuple[str, InputLike | None]] = [("matrix", matrix), ("x", x), ("orders", orders)]
    options: dict[str, Any] = {
        "modulus": modulus,
        "orders": orders is not None,
    }
    return call("sparse multiply", inputs, options, device, verify, seed)


def sparse_misses(
    matrix: InputLike,
    *,
    words: int | None = None,
    line: int | None = None,
    policy: Literal["optimal", "lru"] | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Count the cache misses of a product on its vector.

    ``matrix``: The matrix: Matrix Market, SMS or Harwell-Boeing.
    ``words``: The words of the cache: values of the vector that it holds; 131072 without it.
    ``line``: The words of a line. Default: 8.
    ``policy``: Which line a full cache replaces. Default: lru.
    """
    inputs: list[tuple[str, InputLike | None]] = [("matrix", matrix)]
    options: dict[str, Any] = {
        "words": words,
        "line": line,
        "policy": policy,
    }
    return call("sparse misses", inputs, options, device, verify, seed)


def sparse_info(
    matrix: InputLike,
    *,
    products: int | None = None,
    words: int | None = None,
    line: int | None = None,
    policy: Literal["optimal", "lru"] | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """Size, rows and symmetry of a matrix, and whether reordering pays.

    ``matrix``: The matrix: Matrix Market, SMS or Harwell-Boeing.
    ``products``: Products that will be computed: an order must pay for itself within them. Default: 1000.
    ``words``: The words of the cache: values of the vector that it holds; 131072 without it.
    ``line``: The words of a line. Default: 8.
    ``policy``: Which line a full cache replaces. Default: lru.
    """
    inputs: list[tuple[str, InputLike | None]] = [("matrix", matrix)]
    options: dict[str, Any] = {
        "products": products,
        "words": words,
        "line": line,
        "policy": policy,
    }
    return call("sparse info", inputs, options, device, verify, seed)


def sparse_report(
    matrix: InputLike,
    *,
    words: int | None = None,
    line: int | None = None,
    policy: Literal["optimal", "lru"] | None = None,
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """A page to look at: spy plots as given and in each order, cache misses, lengths of rows.

    ``matrix``: The matrix: Matrix Market, SMS or Harwell-Boeing.
    ``words``: The words of the cache: values of the vector that it holds; 131072 without it.
    ``line``: The words of a line. Default: 8.
    ``policy``: Which line a full cache replaces. Default: lru.
    """
    inputs: list[tuple[str, InputLike | None]] = [("matrix", matrix)]
    options: dict[str, Any] = {
        "words": words,
        "line": line,
        "policy": policy,
    }
    return call("sparse report", inputs, options, device, verify, seed)
