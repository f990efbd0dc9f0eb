"""Transforms beside NumPy, scipy, sympy and galois."""

import galois
import manycore as mc
import numpy as np
import pytest
import scipy.linalg
import sympy.discrete.transforms as sympy_transforms


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("n", [0, 1, 2, 5, 9])
def test_fwht_is_the_product_by_the_hadamard_matrix(device, rng, dtype, n):
    x = rng.integers(-100, 100, 1 << n).astype(dtype)
    found = mc.fwht(x, device=device)
    assert found.dtype == dtype
    assert np.array_equal(found, scipy.linalg.hadamard(1 << n).astype(np.int64) @ x.astype(np.int64))
    assert np.array_equal(mc.ifwht(found, device=device), x)


def test_fwht_is_sympys(device, rng):
    x = rng.integers(-9, 9, 16)
    assert [int(value) for value in sympy_transforms.fwht(x.tolist())] == mc.fwht(x, device=device).tolist()


def test_fwht_along_axes(device, rng):
    x = rng.integers(-100, 100, (4, 3, 8))
    h4, h8 = (scipy.linalg.hadamard(n).astype(np.int64) for n in (4, 8))
    assert np.array_equal(mc.fwht(x, device=device), x @ h8)
    assert np.array_equal(mc.fwht(x, axis=0, device=device), np.einsum("ij,jkl", h4, x))
    both = np.einsum("ij,jkl,lm", h4, x, h8)
    assert np.array_equal(mc.fwht(x, axis=(0, 2), device=device), both)
    assert np.array_equal(mc.fwht(x, axis=(-1, -3), device=device), both)
    assert mc.fwht(np.zeros((0, 4)), device=device).shape == (0, 4)


def test_out_is_written_and_may_be_the_input(device, rng):
    x = rng.integers(-100, 100, (3, 8))
    right = mc.fwht(x, device=device)
    out = np.empty_like(x)
    assert mc.fwht(x, out=out, device=device) is out
    assert np.array_equal(out, right)
    strided = np.empty((3, 16), x.dtype)[:, ::2]
    assert mc.fwht(x, out=strided, device=device) is strided
    assert np.array_equal(strided, right)
    y = x.copy()
    assert mc.fwht(y, out=y, device=device) is y
    assert np.array_equal(y, right)
    with pytest.raises(ValueError, match="shape"):
        mc.fwht(x, out=np.empty((3, 4), x.dtype), device=device)
    with pytest.raises(TypeError, match="float32"):
        mc.fwht(x, out=np.empty((3, 8), np.float32), device=device)


def test_input_is_never_changed(device, rng):
    x = rng.integers(0, 100, (4, 8))
    before = x.copy()
    for axis in (0, 1, (0, 1)):
        mc.fwht(x, axis=axis, device=device)
        mc.haar(x, axis=axis, device=device)
        mc.ntt(x, modulus=12289, axis=axis, device=device)
    mc.sort(x, device=device)
    assert np.array_equal(x, before)
    x.flags.writeable = False
    mc.fwht(x, device=device)
    with pytest.raises(ValueError):
        mc.fwht(x, out=x, device=device)


@pytest.mark.parametrize("n", [0, 1, 4, 7])
def test_reed_muller_is_the_binary_moebius_transform(device, rng, n):
    x = rng.integers(0, 2, 1 << n).astype(np.uint8)
    right = [int(sum(int(x[j]) for j in range(1 << n) if j & ~i == 0) % 2) for i in range(1 << n)]
    assert mc.reed_muller(x, device=device).tolist() == right
    assert np.array_equal(mc.reed_muller(mc.reed_muller(x, device=device), device=device), x)


def test_arithmetic_and_haar_come_back(device, rng):
    x = rng.integers(-100, 100, (5, 64))
    assert np.array_equal(mc.iarithmetic_transform(mc.arithmetic_transform(x, device=device), device=device), x)
    assert np.array_equal(mc.ihaar(mc.haar(x, device=device), device=device), x)
    y = rng.normal(size=32)
    spectrum = mc.haar(y, norm="orthonormal", device=device)
    assert np.isclose(np.linalg.norm(spectrum), np.linalg.norm(y))


@pytest.mark.parametrize("length", [1, 2, 8, 64])
def test_ntt_is_galois(device, rng, length):
    x = rng.integers(0, 12289, length)
    found = mc.ntt(x, modulus=12289, device=device)
    assert np.array_equal(mc.intt(found, modulus=12289, device=device), x)
    if length > 1:
        # galois takes another root: the spectra agree as multisets of values at the roots of unity.
        assert sorted(found.tolist()) == sorted(np.asarray(galois.ntt(x.tolist(), modulus=12289)).tolist())
        assert found[0] == x.sum() % 12289


def test_ntt_takes_the_least_modulus(device):
    assert mc.intt(mc.ntt([1, 2, 3, 4], device=device), device=device).tolist() == [1, 2, 3, 4]
    assert mc.ntt([1, 2], size=4, device=device).shape == (4,)


@pytest.mark.parametrize("modulus", [257, 4611686018326724609, 2**64 - 2**32 + 1])
def test_negacyclic_products(device, rng, modulus):
    a, b = (rng.integers(0, 2**62, 16) for _ in range(2))
    spectra = [mc.ntt(x, modulus=modulus, negacyclic=True, device=device).astype(object) for x in (a, b)]
    product = mc.intt(spectra[0] * spectra[1], modulus=modulus, negacyclic=True, device=device)
    right = [0] * 16
    for i, x in enumerate(a.tolist()):
        for j, y in enumerate(b.tolist()):
            right[(i + j) % 16] += x * y * (1 if i + j < 16 else -1)
    assert product.tolist() == [value % modulus for value in right]


@pytest.mark.parametrize("length", [1, 2, 3, 8, 12, 30])
def test_fft_is_numpys(device, rng, length):
    x = rng.normal(size=(2, length)) + 1j * rng.normal(size=(2, length))
    assert np.allclose(mc.fft(x, device=device), np.fft.fft(x))
    assert np.allclose(mc.ifft(mc.fft(x, device=device), device=device), x)
    assert np.allclose(mc.fft(x, axis=0, device=device), np.fft.fft(x, axis=0))


def test_fft_on_a_group_is_numpys_in_several_dimensions(device, rng):
    x = rng.normal(size=(2, 3, 4))
    found = mc.fft(x.ravel(), group=[2, 3, 4], device=device)
    assert np.allclose(found.reshape(x.shape), np.fft.fftn(x))


def test_convolutions_of_residues_are_exact(device, rng):
    f, g = (rng.integers(0, 13, 6) for _ in range(2))
    right = [sum(int(f[y] * g[(z - y) % 6]) for y in range(6)) % 13 for z in range(6)]
    assert mc.convolve(f, g, modulus=13, device=device).tolist() == right


@pytest.mark.parametrize("modulus", [None, 7, 7681, 2**64 - 2**32 + 1])
def test_convolutions_of_many_functions_on_a_group(device, rng, modulus):
    f, g = rng.integers(0, 5, (4, 6)), rng.integers(0, 5, (4, 6))

    def pairs(sign):
        for y in range(6):
            for z in range(6):
                # Elements of C_2 x C_3 by their digits.
                yield y, z, (z // 3 - sign * (y // 3)) % 2 * 3 + (z % 3 - sign * (y % 3)) % 3

    for ours, sign in ((mc.convolve, 1), (mc.correlate, -1)):
        right = np.zeros((4, 6), np.int64)
        for y, z, w in pairs(sign):
            right[:, z] += f[:, y] * g[:, w]
        found = ours(f, g, group=[2, 3], modulus=modulus, device=device)
        one = ours(f, g[0], group=[2, 3], modulus=modulus, device=device)
        if modulus:
            assert found.tolist() == [[int(value) % modulus for value in row] for row in right]
        else:
            assert np.allclose(found, right)
        assert np.array_equal(one[0], found[0]) if modulus else np.allclose(one[0], found[0])
    with pytest.raises(ValueError, match="alike"):
        mc.convolve(f, g[:3], device=device)
    with pytest.raises(ValueError, match="order 5"):
        mc.convolve(f, g, group=[5], device=device)


def test_correlations_conjugate_the_first(device, rng):
    f, g = (rng.normal(size=5) + 1j * rng.normal(size=5) for _ in range(2))
    right = [sum(f[y].conj() * g[(y + z) % 5] for y in range(5)) for z in range(5)]
    assert np.allclose(mc.correlate(f, g, device=device), right)
    assert mc.correlate(f.astype(np.complex64), g.astype(np.complex64), device=device).dtype == np.complex64


def test_kronecker_products(device, rng):
    x = rng.integers(-9, 9, 8)
    assert np.array_equal(mc.kronecker(x, "walsh^3", device=device), mc.fwht(x, device=device))
    forward = mc.kronecker(x.astype(float), "h4 x id", device=device)
    assert np.allclose(mc.kronecker(forward, "h4 x id", direction="inverse", device=device), x)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64", "complex64", "complex128"])
def test_kronecker_factors_are_arrays(device, rng, dtype):
    factors = [rng.integers(-3, 4, (n, n)).astype(dtype) for n in (2, 3, 5)]
    whole = np.kron(np.kron(*factors[:2]), factors[2])
    x = rng.integers(-9, 9, (4, 30)).astype(dtype)
    found = mc.kronecker(x, factors, device=device)
    assert found.dtype == dtype and np.allclose(found, x @ whole.T)
    assert np.allclose(mc.kronecker(x, factors, direction="transpose", device=device), x @ whole)
    assert np.allclose(mc.kronecker(x[0], factors, device=device), whole @ x[0])
    mixed = mc.kronecker(x[:, :8].T.copy(), ["walsh", factors[0], "id"], axis=0, device=device)
    assert np.allclose(mixed, np.kron(np.kron([[1, 1], [1, -1]], factors[0]), np.eye(2)) @ x[:, :8].T)


@pytest.mark.parametrize("p", [2, 7, 2147483647, 4611686018326724609, 2**64 - 2**32 + 1])
def test_kronecker_factors_modulo_primes(device, rng, p):
    factors = [rng.integers(0, 2**63, (n, n)).tolist() for n in (2, 3)]
    whole = np.kron(np.array(factors[0], object), np.array(factors[1], object))
    x = rng.integers(-9, 9, 6)
    assert mc.kronecker(x, factors, modulus=p, device=device).tolist() == (whole @ x.astype(object) % p).tolist()
    assert mc.kronecker(x[:2], factors[0], modulus=p, device=device).tolist() == (
        np.array(factors[0], object) @ x[:2].astype(object) % p
    ).tolist()


def test_kronecker_factors_that_are_wrong(device):
    with pytest.raises(ValueError, match="factor 1 has the shape"):
        mc.kronecker([1, 2, 3, 4], ["walsh", [[1, 2]]], device=device)
    with pytest.raises(ValueError, match="3 values along the axis, and a product of order 2"):
        mc.kronecker([1, 2, 3], [[[1, 1], [0, 1]]], device=device)
    with pytest.raises(ValueError):
        mc.kronecker(np.ones(40), [np.full((40, 40), 3.0)], device=device)
    assert mc.kronecker([1, 2], [[[0.5, 0], [0, 1]]], device=device).tolist() == [0.5, 2.0]


def test_polarities(rng):
    f = rng.integers(0, 2, 16).astype(np.uint8)
    right = [int(mc.reed_muller(f, polarity=p, device="host").sum()) for p in range(16)]
    assert mc.polarity_terms(f).tolist() == right


def test_what_is_wrong_is_named(device):
    with pytest.raises(ValueError, match="3 values: the length must be a power of two"):
        mc.fwht([1, 2, 3], device=device)
    with pytest.raises(np.exceptions.AxisError):
        mc.fwht([1, 2], axis=1, device=device)
    with pytest.raises(ValueError, match="twice"):
        mc.fwht([[1, 2], [3, 4]], axis=(0, -2), device=device)
    with pytest.raises(TypeError, match="complex128"):
        mc.fwht([1j, 2], device=device)
    with pytest.raises(TypeError, match="str|<U"):
        mc.fwht(["a", "b"], device=device)
    with pytest.raises(ValueError, match="not prime: it is 3 times 5"):
        mc.ntt([1, 2], modulus=15, device=device)
    with pytest.raises(ValueError, match="no root of unity of order 4"):
        mc.ntt([1, 2, 3, 4], modulus=7, device=device)
    with pytest.raises(ValueError, match="order"):
        mc.fwht([1, 2], order="random", device=device)
    with pytest.raises(OverflowError):
        mc.fwht(np.array([2**63, 0], np.uint64), device=device)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_integers_are_exact_unless_they_may_be_wrapping(device, dtype):
    info = np.iinfo(dtype)
    large = np.array([info.max, 1, 0, 0], dtype)
    transforms = [mc.fwht, mc.haar, mc.iarithmetic_transform, lambda x, **how: mc.kronecker(x, "walsh^2", **how)]
    for transform in transforms:
        with pytest.raises(OverflowError, match="wrapping"):
            transform(large, device=device)
        assert transform(large, wrapping=True, device=device).dtype == dtype
    assert mc.fwht(large, wrapping=True, device=device).tolist() == [info.min, info.max - 1] * 2
    fits = np.array([info.max - 1, 1], dtype)
    assert mc.fwht(fits, device=device).tolist() == [info.max, info.max - 2]
    for inverse in [mc.ifwht, mc.ihaar]:
        with pytest.raises(ValueError, match="integer"):
            inverse(np.array([1, 0], dtype), device=device)
        assert inverse(np.array([1, 0], dtype), wrapping=True, device=device).tolist() == [0, 0]


def test_conversions_change_no_integer():
    with pytest.raises(ValueError, match="0 and 1"):
        mc.reed_muller(np.array([0, 256], np.int16))
    assert mc.reed_muller(np.array([0, 1], np.int16)).tolist() == [0, 1]
    with pytest.raises(OverflowError):
        mc.kronecker([1, 2], [np.array([[2**63, 0], [0, 1]], np.uint64)])
    product = mc.kronecker([1, 2], [np.array([[2**62 + 1, 0], [0, 1]], np.uint64)])
    assert product.dtype == np.int64 and product.tolist() == [2**62 + 1, 2]
