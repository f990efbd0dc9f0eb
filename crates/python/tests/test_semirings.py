"""Semirings that are written in Python, beside NumPy and scipy."""

import manycore as mc
import numpy as np
import pytest
import scipy.sparse.csgraph

TYPES = ["int32", "int64", "uint32", "uint64", "float32", "float64"]


def product(plus, times, a, b):
    """The definition."""
    result = np.empty((a.shape[0], b.shape[1]), a.dtype)
    # Terms that a choice leaves out may wrap around.
    with np.errstate(over="ignore"):
        return filled(plus, times, a, b, result)


def filled(plus, times, a, b, result):
    for u, v in np.ndindex(result.shape):
        terms = [times(x, y) for x, y in zip(a[u], b[:, v])]
        total = terms[0]
        for term in terms[1:]:
            total = plus(total, term)
        result[u, v] = total
    return result


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 3, 4), (33, 17, 20)])
def test_products_are_those_of_the_definition(device, rng, dtype, shape):
    rows, inner, columns = shape
    a, b = rng.integers(0, 50, (rows, inner)).astype(dtype), rng.integers(0, 50, (inner, columns)).astype(dtype)
    functions = {
        "plus-times": (lambda x, y: x + y, lambda x, y: x * y),
        "max-abs": (np.maximum, lambda x, y: np.where(x < y, y - x, x - y)),
        "min-polynomial": (np.minimum, lambda x, y: x**2 + 3 * y + 1),
        "mod": (np.maximum, lambda x, y: (x + 5 * y) % 7),
        "quotient": (np.maximum, lambda x, y: x // (y + 1)),
        "choice": (np.maximum, lambda x, y: np.where((x >= 3) & ~(y == 4) | (x != y) ^ (y > 2), x, y)),
    }
    for name, (plus, times) in functions.items():
        least, most = (-np.inf, np.inf) if "float" in dtype else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        zero = 0 if name == "plus-times" else most if plus is np.minimum else least
        semiring = mc.Semiring(plus, times, zero=zero, dtype=dtype)
        found = semiring.matmul(a, b, device=device)
        assert found.dtype == np.dtype(dtype)
        assert np.array_equal(found, product(plus, times, a, b)), name
        assert np.array_equal(mc.matmul(a, b[:, 0], semiring, device=device), found[:, 0])


@pytest.mark.parametrize("dtype", ["int32", "uint64"])
def test_bits(device, rng, dtype):
    a, b = (rng.integers(0, 2**31 - 1, (5, 5)).astype(dtype) for _ in range(2))
    for times in (lambda x, y: x & ~y, lambda x, y: (x | y) >> 3, lambda x, y: x << 2 ^ y):
        semiring = mc.Semiring(lambda x, y: x ^ y, times, zero=0, dtype=dtype)
        assert np.array_equal(semiring.matmul(a, b, device=device), product(np.bitwise_xor, times, a, b))
    ones = mc.Semiring(lambda x, y: x + y, lambda x, y: (x ^ y).bit_count(), zero=0, dtype=dtype)
    right = [[sum(int(x ^ y).bit_count() for x, y in zip(row, column)) for column in b.T] for row in a]
    assert ones.matmul(a, b, device=device).tolist() == right


def test_signed_quotients_are_pythons(device):
    a, b = np.array([[-7, 7, -8, 8, 0]]).T, np.array([[2, -2, 3, -3]])
    quotient = mc.Semiring(np.maximum, lambda x, y: x // y, zero=-(2**63), dtype="int64")
    remainder = mc.Semiring(np.maximum, lambda x, y: x % y, zero=-(2**63), dtype="int64")
    assert np.array_equal(quotient.matmul(a, b, device=device), a // b)
    assert np.array_equal(remainder.matmul(a, b, device=device), a % b)


def test_functions_of_reals(device, rng):
    a, b = rng.normal(size=(4, 6)), rng.normal(size=(6, 3))
    for times in (
        lambda x, y: np.sqrt(abs(x)) / (1 + abs(y)),
        lambda x, y: np.floor(x) + np.ceil(y) - np.trunc(x * 3) + np.rint(y * 3),
        lambda x, y: x % (abs(y) + 1) + 2.5 - (-y),
    ):
        semiring = mc.Semiring(np.minimum, times, zero=np.inf)
        assert np.allclose(semiring.matmul(a, b, device=device), product(np.minimum, times, a, b), rtol=1e-12)


@pytest.mark.parametrize("dtype", ["int64", "float64"])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 13, 40])
def test_stars_are_shortest_paths(device, rng, dtype, n):
    none = np.inf if dtype == "float64" else np.iinfo(dtype).max
    dense = np.where(rng.random((n, n)) < 0.2, rng.integers(1, 50, (n, n)), none).astype(dtype)
    if dtype == "float64":
        semiring = mc.Semiring(np.minimum, lambda a, b: a + b, zero=np.inf, one=0.0)
    else:
        semiring = mc.Semiring(np.minimum, lambda a, b: np.where(a > b, a, b).saturating_add(np.minimum(a, b)), zero=none, one=0, dtype=dtype)
    found = semiring.star(dense, device=device)
    assert np.array_equal(mc.star(dense, "min-plus", device=device), found)
    if n:
        graph = np.where(dense == none, np.inf, dense.astype(float))
        right = scipy.sparse.csgraph.floyd_warshall(scipy.sparse.csgraph.csgraph_from_dense(graph, null_value=np.inf))
        assert np.array_equal(np.where(found == none, np.inf, found.astype(float)), right)


def test_stars_of_named_semirings(device):
    reach = np.array([[0, -1, 0], [0, 0, -1], [0, 0, 0]])
    assert mc.star(reach, "or-and", device=device).tolist() == [[-1, -1, -1], [0, -1, -1], [0, 0, -1]]
    capacity = np.array([[0, 5, 2], [0, 0, 3], [0, 0, 0]])
    assert mc.star(capacity, "max-min", device=device)[0].tolist() == [2**63 - 1, 5, 3]
    counts = np.triu(np.ones((6, 6), np.int64), 1)
    assert np.array_equal(mc.star(counts, device=device), np.linalg.inv(np.eye(6) - counts).round())


def test_stars_that_are_none(device):
    with pytest.raises(ValueError, match="no star"):
        mc.star([[-1.0]], "min-plus", device=device)
    with pytest.raises(ValueError, match="no star"):
        mc.star([[0, 1], [1, 0]], device=device)
    with pytest.raises(ValueError, match="square"):
        mc.star([[1, 2]], device=device)
    with pytest.raises(ValueError, match="its one"):
        mc.Semiring(np.maximum, np.add, zero=-np.inf).star([[0.0]])


def test_places(device, rng):
    a, b = rng.integers(-9, 9, (5, 7)), rng.integers(-9, 9, (7, 4))
    sums = a[:, :, np.newaxis] + b
    for semiring in ("max-plus", mc.Semiring(np.maximum, lambda x, y: x + y, zero=-(2**63), dtype="int64")):
        found, places = mc.matmul_with_places(a, b, semiring, device=device)
        assert np.array_equal(found, sums.max(axis=1)) and np.array_equal(places, sums.argmax(axis=1))
    with pytest.raises(ValueError, match="selective"):
        mc.matmul_with_places(a, b, "plus-times", device=device)


def test_laws():
    assert mc.Semiring(lambda a, b: a + b, lambda a, b: a * b, zero=0, one=1, dtype="int64").violations() == []
    with pytest.raises(ValueError, match="associative"):
        mc.Semiring(lambda a, b: a - b, lambda a, b: a * b, zero=0.0)
    with pytest.raises(ValueError, match="identity"):
        mc.Semiring(np.maximum, lambda a, b: a + b, zero=0.0)
    chances = mc.Semiring(np.maximum, lambda a, b: a * b, zero=0.0, one=1.0, elements=[0.0, 0.5, 1.0])
    assert chances.violations() == []
    with pytest.raises(ValueError, match="identity"):
        mc.Semiring(np.maximum, lambda a, b: a * b, zero=0.0, elements=[-1.0])
    wraps = mc.Semiring(np.maximum, lambda a, b: a + b, zero=-(2**63), one=0, dtype="int64")
    assert any("absorbing" in one for one in wraps.violations())
    assert "void times(" in wraps.opencl() and "void plus(" in wraps.opencl()


@pytest.mark.parametrize(
    ("times", "message"),
    [
        (lambda a, b: a if a < b else b, "while it is written"),
        (lambda a, b: min(a, b), "while it is written"),
        (lambda a, b: a and b, "while it is written"),
        (lambda a, b: float(a), "takes the number"),
        (lambda a, b: int(a), "takes the integer"),
        (lambda a, b: [1, 2][a], "as an index"),
        (lambda a, b: sum(a), "goes through"),
        (lambda a, b: np.sin(a), "numpy.sin"),
        (lambda a, b: np.sum(a), "numpy"),
        (lambda a, b: a + "x", "operands are symbols"),
        (lambda a, b: a + None, "operands are symbols"),
        (lambda a, b: a**b, "powers are integers"),
        (lambda a, b: a & b, "truth values or of integers"),
        (lambda a, b: (a < b) & a, "truth values or of integers"),
        (lambda a, b: a < b, "truth value"),
        (lambda a, b: (a < b) + a, "'add'|\"add\""),
        (lambda a, b: a.bit_count(), "bit_count"),
        (lambda a, b: np.where(a, a, b), "by a comparison"),
        (lambda a, b: None, "operands are symbols"),
    ],
)
def test_what_cannot_be_traced_is_named(times, message):
    with pytest.raises(TypeError, match=message):
        mc.Semiring(np.maximum, times, zero=-np.inf)


def test_symbols_live_within_their_function():
    kept = []
    mc.Semiring(np.maximum, lambda a, b: kept.append(a) or a + b, zero=-np.inf)
    with pytest.raises(TypeError, match="another function"):
        mc.Semiring(np.maximum, lambda a, b: a + kept[0], zero=-np.inf)
    with pytest.raises(TypeError, match="unhashable"):
        hash(kept[0])
    with pytest.raises(TypeError, match="//"):
        mc.Semiring(np.maximum, lambda a, b: a / b, zero=0, dtype="uint32")
    with pytest.raises(ValueError, match="no number of type int32"):
        mc.Semiring(np.maximum, lambda a, b: a + 2**40, zero=0, dtype="int32")
    with pytest.raises(ValueError, match="numbers of type"):
        mc.Semiring(np.maximum, lambda a, b: a + b, zero=0, dtype="int8")
    assert mc.Semiring(np.maximum, lambda a, b: b, zero=-np.inf).matmul([[1.0]], [[2.0]]).tolist() == [[2.0]]
    assert mc.Semiring(np.maximum, lambda a, b: 7, zero=-np.inf).matmul([[1.0]], [[2.0]]).tolist() == [[7.0]]


def test_entries_that_the_type_lacks():
    semiring = mc.Semiring(np.maximum, lambda a, b: a + b, zero=0, dtype="uint32")
    with pytest.raises(ValueError, match="uint32"):
        semiring.matmul([[-1]], [[1]])
    with pytest.raises(TypeError):
        semiring.matmul([["a"]], [[1]])


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32, np.uint64])
def test_integers_are_exact_or_refused(dtype: type) -> None:
    most = np.iinfo(dtype).max
    half = np.array([[most // 2 + 1, 1], [0, 1]], dtype)
    for semiring in ("plus-times", "max-times"):
        with pytest.raises(OverflowError, match="row 1, column 1"):
            mc.matmul(half, half, semiring)
        with pytest.raises(OverflowError):
            mc.star(np.array([[0, most], [most, 0]], dtype), semiring)
    wrapped = mc.matmul(half, half, wrapping=True)
    assert wrapped.dtype == dtype
    assert wrapped.tolist() == (half @ half).tolist()
    with pytest.raises(OverflowError, match="row 1, column 1"):
        mc.matmul_with_places(half, half, "max-plus")
    small = np.array([[1, 2], [3, 4]], dtype)
    assert mc.matmul(small, small).tolist() == [[7, 10], [15, 22]]
    assert mc.matmul(small, small, "max-plus").tolist() == [[5, 6], [7, 8]]


def test_types_that_no_common_one_holds_are_refused() -> None:
    with pytest.raises(TypeError, match="float64 does not hold all entries"):
        mc.matmul(np.array([[2**53 + 1]], np.int64), np.array([[2**63]], np.uint64))
    assert mc.matmul(np.array([[3]], np.int64), np.array([[2]], np.uint64)).tolist() == [[6.0]]
