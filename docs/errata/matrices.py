"""Gray-code orders and condensation: paper 002, chapters 6 and 7, as printed and as corrected."""
from fractions import Fraction
from itertools import groupby
from math import comb, frexp


def determinant(rows):
    """By elimination over the rationals."""
    rows, value = [[Fraction(x) for x in row] for row in rows], Fraction(1)
    while rows:
        pivot = next((i for i, row in enumerate(rows) if row[0]), None)
        if pivot is None:
            return Fraction(0)
        value *= rows[pivot][0] * (-1) ** pivot
        first = rows.pop(pivot)
        rows = [[x - row[0] / first[0] * y for x, y in zip(row[1:], first[1:])] for row in rows]
    return value


def condense(a, l, general):
    """One step of (7.1) with the pivot in column l; `general` is the form that any pivot allows."""
    pivot = a[0][l]
    left = lambda i, j: (a[0][j] * a[i + 1][l] if general else 0) - a[i + 1][j] * pivot
    right = lambda i, j: pivot * a[i + 1][j + 1] - a[0][j + 1] * a[i + 1][l]
    n = len(a) - 1
    return [[right(i, j) if j >= l else left(i, j) for j in range(n)] for i in range(n)]


def pivot_column():
    """(7.1) with a pivot that is not the first non-zero entry of its row."""
    a = [[2, 1, 3], [4, 5, 6], [7, 8, 10]]
    assert determinant(condense(a, 1, True)) / a[0][1] == determinant(a)
    printed = determinant(condense(a, 1, False)) / a[0][1]
    return int(printed), int(determinant(a)), f"determinant of {a}, pivot in column 1"


def int32(value):
    """A double converted to 32 bits, saturated; then products wrap."""
    return max(-(2**31), min(2**31 - 1, int(value)))


def wrap(value):
    """The low 32 bits with a sign."""
    return (value + 2**31) % 2**32 - 2**31


def early_cast():
    """double_mul_mod: the product becomes an int before it is multiplied by the inverse."""
    a, b, p = 65536, 65536, 65537
    quotient = int32(int32(float(a) * float(b)) * (1.0 / p))
    residue = wrap(a * b - quotient * p)
    return (-residue if residue < 0 else residue), a * b % p, f"{a} * {b} mod {p}"


def one_sided(a, b, p):
    """The same with its bracket moved, and the sign of a negative residue turned."""
    residue = wrap(a * b - int32(float(a) * float(b) * (1.0 / p)) * p)
    return -residue if residue < 0 else residue


def negative_residue():
    """double_mul_mod: a residue below zero needs p added, not its sign turned."""
    a, b, p = 100661851, 128719101, 134217689
    return one_sided(a, b, p), a * b % p, f"{a} * {b} mod {p} (27 bits)"


def residue_past_p():
    """double_mul_mod: a residue past p needs p subtracted."""
    a, b, p = 253456957, 500206403, 536870909
    return one_sided(a, b, p), a * b % p, f"{a} * {b} mod {p} (29 bits)"


def both_corrections():
    """The corrected form on the three cases above."""
    cases = [(65536, 65536, 65537), (100661851, 128719101, 134217689), (253456957, 500206403, 536870909)]
    for a, b, p in cases:
        residue = a * b - int(float(a) * float(b) * (1.0 / p)) * p
        residue += p if residue < 0 else -p if residue >= p else 0
        assert residue == a * b % p


def condensed(rows, choose):
    """A determinant in double precision by condensation, pivots by a rule."""
    value = 1.0
    while rows:
        first = rows[0]
        l = choose(first)
        pivot, n = first[l], len(rows) - 1
        value *= pivot
        scale = [row[l] / pivot for row in rows[1:]]

        def entry(i, j):
            if j >= l:
                return rows[i + 1][j + 1] - first[j + 1] * scale[i]
            return first[j] * scale[i] - rows[i + 1][j]

        rows = [[entry(i, j) for j in range(n)] for i in range(n)]
    return value


def nearest_to_one():
    """The pivot nearest to 1.0, which is to be stable, beside the largest one."""
    a = [[1e-20, 5.0, 2.0], [1.0, 1.0, 1.0], [1.0, 2.0, 4.0]]
    nearest = condensed(a, lambda row: min(range(len(row)), key=lambda j: abs(row[j] - 1)))
    largest = condensed(a, lambda row: max(range(len(row)), key=lambda j: abs(row[j])))
    assert round(determinant(a)) == round(largest)
    return nearest, round(largest, 9), "determinant of [[1e-20, 5, 2], [1, 1, 1], [1, 2, 4]]"


def subnormal_factor():
    """Algorithm 10 on a subnormal factor: its first product is rounded to a multiple of the least number."""
    tiny = 3 * 2.0**-1074
    printed = tiny * 1.5 * 2.0**1000
    fraction, exponent = 1.0, 0
    for factor in (tiny, 2.0**1000, 1.5):
        part, power = frexp(factor)
        fraction, more = frexp(fraction * part)
        exponent += power + more
    return printed, fraction * 2.0**exponent, "product of 3 * 2^-1074, 2^1000 and 1.5"


def hilbert(n):
    """Of the exact Hilbert matrix of order n."""
    return determinant([[Fraction(1, i + j + 1) for j in range(n)] for i in range(n)])


def hilbert_sign():
    """Table 7.1 at n = 8."""
    rows = [[1.0 / (i + j + 1) for j in range(8)] for i in range(8)]
    double = condensed(rows, lambda row: max(range(len(row)), key=lambda j: abs(row[j])))
    exact = float(hilbert(8))
    assert abs(double / exact - 1) < 1e-5, "double precision is good to five digits"
    return -3.92813e-33, float(f"{exact:.6g}"), "determinant of the Hilbert matrix of order 8"


def hilbert_size():
    """Table 7.1 at n = 100, which is to show how far the method reaches: decimal exponents."""
    inverse, exponent = 1, 0
    for k in range(1, 100):
        inverse *= (2 * k + 1) * comb(2 * k, k) ** 2  # 1 / det, checked by the orders below
    for n in (2, 3, 8):
        product = 1
        for k in range(1, n):
            product *= (2 * k + 1) * comb(2 * k, k) ** 2
        assert product == 1 / hilbert(n)
    while 10**exponent < inverse:
        exponent += 1
    return -1467, -exponent, "decimal exponent of the Hilbert matrix's determinant of order 100"


def repeated_columns():
    """Rounds of algorithm 7 until there are more lists than 0.9 n, for four equal columns."""
    columns = [(0, 1, 2, 3)] * 4
    key = lambda column, k: columns[column][k] if k < 4 else 4

    def rounds(stop):
        lists, k = [[0, 1, 2, 3]], 0
        while len(lists) <= 0.9 * 4 and not stop(lists, k) and k < 1000:
            by_key = lambda column: key(column, k)
            lists = [list(run) for part in lists for _, run in groupby(sorted(part, key=by_key), by_key)]
            k += 1
        return k

    longer = lambda lists, k: any(len(part) > 1 and any(len(columns[c]) > k for c in part) for part in lists)
    corrected = rounds(lambda lists, k: not longer(lists, k))
    return rounds(lambda *_: False), corrected, "all ones, 4 x 4: rounds, ended at 1000"


def longest_run():
    """Algorithm 9 on the owners (0, 0, 1, 1): later runs count their first element again."""
    owners = [0, 0, 1, 1]

    def winner(again):
        best, owner, q = 0, None, 0
        while q < len(owners):
            length, first = (again if q else 0), q
            while q < len(owners) and owners[q] == owners[first]:
                length, q = length + 1, q + 1
            if length > best:
                best, owner = length, owners[first]
        return owner

    return winner(1), winner(0), f"owners {owners}: list that wins the row"


both_corrections()
CHECKS = {
    "E-6.3": longest_run,
    "E-6.4": repeated_columns,
    "E-7.1": pivot_column,
    "E-7.2": early_cast,
    "E-7.3 (below zero)": negative_residue,
    "E-7.3 (past p)": residue_past_p,
    "E-7.4": nearest_to_one,
    "E-7.6": subnormal_factor,
    "E-7.8": hilbert_sign,
    "E-7.9": hilbert_size,
}
