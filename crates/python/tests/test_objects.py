"""What users expect of objects: copies, pickles, equality, hashes, rows, operators with NumPy's numbers and arrays."""

import copy
import pickle

import manycore as mc
import numpy as np
import pytest
import scipy.sparse

HASHABLE = {
    "Poly": lambda device: mc.Poly([1, 2, 3], 97, device=device),
    "a constant": lambda device: mc.Poly([5], 97, device=device),
    "zero": lambda device: mc.Poly([], 97, device=device),
    "PolyRing": lambda device: mc.PolyRing(2**64 - 2**32 + 1, device=device),
    "BitMatrix": lambda device: mc.BitMatrix([[1, 0, 1]], device=device),
    "IntegerMatrix": lambda device: mc.IntegerMatrix([[10**30, -1]], device=device),
    "SBox": lambda device: mc.SBox([3, 1, 2, 0], device=device),
    "BooleanFunction": lambda device: mc.BooleanFunction([0, 1, 1, 1], device=device),
    "AbelianGroup": lambda _: mc.AbelianGroup([2, 6]),
    "Device": lambda device: mc.Device(device),
}


@pytest.mark.parametrize("make", HASHABLE.values(), ids=HASHABLE)
def test_copies_and_pickles(device, make):
    one = make(device)
    for other in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one)), make(device)):
        assert other == one and hash(other) == hash(one) and repr(other) == repr(one)
    assert one != "something else"
    assert one in {one: 1}


def test_what_has_no_hash(device):
    a = mc.Matrix([[1, 2], [3, 4]], 7, device=device)
    with pytest.raises(TypeError, match="unhashable"):
        hash(a)
    again = pickle.loads(pickle.dumps(a))
    assert again == a == copy.copy(a) and again.device == a.device


def test_pickles_that_compute(device):
    tree = pickle.loads(pickle.dumps(mc.SubproductTree([1, 2, 3], 97, device=device)))
    assert tree.points.tolist() == [1, 2, 3] and tree.interpolate([1, 4, 9]) == mc.Poly([0, 0, 1], 97, device=device)
    code = pickle.loads(pickle.dumps(mc.ErasureCode(2, 1, device=device)))
    (parity,) = code.encode([b"abcd", b"efgh"])
    assert code.recover({1: b"efgh", 2: parity}, [0]) == [b"abcd"]
    for entries, modulus in ((np.eye(3), None), (np.eye(3, dtype=int), 7), (np.eye(3, dtype=int), None)):
        sparse = mc.SparseMatrix(scipy.sparse.csr_array(entries), modulus=modulus, device=device)
        again = pickle.loads(pickle.dumps(sparse))
        assert np.array_equal(again @ [1, 2, 3], sparse @ [1, 2, 3]) and repr(again) == repr(sparse)


def test_a_pickle_of_a_device_that_is_not_there(monkeypatch):
    from manycore._values import restored

    f = restored(mc.Poly, "opencl:99", ([1, 2], 97), {})
    assert f == mc.Poly([1, 2], 97) and f.device == mc.Device("auto")


def test_numpys_numbers_and_arrays_stand_on_the_left(device):
    f = mc.Poly([1, 2], 7, device=device)
    assert np.int64(3) * f == f * 3 and np.int32(1) + f == f + 1 and np.int64(1) - f == 1 - f
    a = mc.Matrix([[1, 2], [3, 4]], 7, device=device)
    x = np.array([[1, 1]])
    assert np.array_equal((x @ a).numpy(), x @ a.numpy() % 7)
    assert np.eye(2, dtype=int) + a == a + np.eye(2, dtype=int)
    assert np.eye(2, dtype=int) - a == mc.Matrix(np.eye(2, dtype=int) - a.numpy().astype(int), 7, device=device)
    assert len(a) == 2 and [row.tolist() for row in a] == [[1, 2], [3, 4]]


def test_polynomials_as_other_packages_have_them(device):
    f = mc.Poly([1, 2, 3, 4], 97, device=device)
    assert f[1:3].tolist() == [2, 3] and f[-2:].tolist() == [3, 4] and list(f) == [1, 2, 3, 4]
    x = f.ring.gen()
    assert divmod(7, f) == (0, 7) and 7 // f == 0 and 7 % f == 7 and divmod(f, x) == (f // x, f % x)
    assert hash(mc.Poly([5], 97, device=device)) == hash(5) and mc.Poly([5], 97, device=device) == 5
    with pytest.raises(TypeError):
        f + 0.5
    with pytest.raises(IndexError):
        f[-1]


def test_matrices_of_integers(device, rng):
    a, b = rng.integers(-9, 9, (3, 4)), rng.integers(-9, 9, (4, 2))
    ours, other = mc.IntegerMatrix(a, device=device), mc.IntegerMatrix(b, device=device)
    assert np.array_equal((ours @ other).numpy(), a @ b) and np.array_equal((ours @ b).numpy(), a @ b)
    assert np.array_equal((a @ other).numpy(), a @ b)
    assert ours + ours == 2 * ours == ours * 2 and ours - a == ours * 0 and -ours + ours == 0 * ours
    assert ours.T == ours.transpose() == mc.IntegerMatrix(a.T, device=device) and ours[1, 2] == a[1, 2]
    assert np.array_equal(np.asarray(ours), a) and np.array_equal(ours[0], a[0]) and len(ours) == 3
    large = mc.IntegerMatrix([[2**63, 1], [1, 3**50]], device=device)
    assert large**2 == large @ large and (large @ large)[0, 0] == 2**126 + 1 and (large**3)[1, 1] == sum(
        [2**63 + 3**50, 3**50 * (1 + 9**50)]
    )
    words = np.array([[2**64 - 1, 2]], np.uint64)
    assert (mc.IntegerMatrix([[1, -1]], device=device) + words).numpy().tolist() == [[2**64, 1]]
    most = mc.IntegerMatrix([[2**63 - 1]], device=device)
    assert (most + most)[0, 0] == 2**64 - 2 and (most - 2 * most)[0, 0] == 1 - 2**63
    huge = mc.IntegerMatrix([[10**60]], device=device)
    assert (huge @ huge)[0, 0] == 10**120 and huge**0 == mc.IntegerMatrix([[1]], device=device)
    empty = mc.IntegerMatrix(np.zeros((2, 0), int), device=device)
    assert (empty @ empty.T).numpy().tolist() == [[0, 0], [0, 0]]
    with pytest.raises(ValueError, match="4 columns on the left, and 3 rows"):
        ours @ ours
    with pytest.raises(ValueError, match="shapes"):
        ours + other
    with pytest.raises(ValueError, match="square"):
        ours**2
    with pytest.raises(ValueError, match="exponent -1"):
        large**-1


@pytest.mark.parametrize("bits", [0, 1, 64, 5000, 200_000])
def test_products_of_integers(device, rng, bits):
    a = int.from_bytes(rng.bytes(bits // 8 + 1), "little") >> 3
    b = -(int.from_bytes(rng.bytes(bits // 16 + 1), "little") >> 1)
    assert mc.integer_product(a, b, device=device) == a * b and mc.integer_product(b, b, device=device) == b * b
    assert mc.integer_product(a, 0, device=device) == 0 and mc.integer_product(a, -1, device=device) == -a
    assert "bits" in mc.explain(mc.integer_product, a, b, device=device)


@pytest.mark.parametrize("p", [2, 7, 2147483647, 2**64 - 2**32 + 1])
def test_batches_of_matrices(device, rng, p):
    matrices = rng.integers(0, 2**31, (2, 3, 4, 4))
    found = mc.determinants(matrices, p, device=device)
    assert found.shape == (2, 3)
    assert found.ravel().tolist() == [mc.Matrix(one, p, device=device).det() for one in matrices.reshape(6, 4, 4)]
    lower = np.tril(matrices, -1) + np.eye(4, dtype=int)
    inverse = mc.inverses(lower, p, device=device)
    assert inverse.shape == lower.shape
    for one, other in zip(lower.reshape(6, 4, 4), inverse.reshape(6, 4, 4)):
        assert mc.Matrix(one, p, device=device) @ other == mc.Matrix.identity(4, p, device=device)
    with pytest.raises(ZeroDivisionError):
        mc.inverses(np.zeros((2, 2, 2), int), p, device=device)
    with pytest.raises(ValueError, match="square"):
        mc.determinants(np.zeros((2, 3), int), p)
    assert mc.determinants(np.zeros((0, 2, 2), int), p, device=device).shape == (0,)
