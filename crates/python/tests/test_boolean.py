"""Boolean functions and S-boxes beside their definitions."""

import manycore as mc
import numpy as np
import pytest

PRESENT = [12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2]


def parity(x: int) -> int:
    return bin(x).count("1") % 2


@pytest.mark.parametrize("n", [1, 2, 4, 6])
def test_functions(device, rng, n):
    values = rng.integers(0, 2, 1 << n)
    f = mc.BooleanFunction(values, device=device)
    walsh = [sum((-1) ** (int(values[x]) ^ parity(w & x)) for x in range(1 << n)) for w in range(1 << n)]
    assert f.walsh_hadamard_transform().tolist() == walsh
    autocorrelation = [sum((-1) ** int(values[x] ^ values[x ^ a]) for x in range(1 << n)) for a in range(1 << n)]
    assert f.autocorrelation().tolist() == autocorrelation
    assert f.nonlinearity() == ((1 << n) - max(map(abs, walsh))) // 2
    assert f.is_balanced() == (walsh[0] == 0)
    assert f.absolute_indicator() == max(map(abs, autocorrelation[1:]))
    assert f.sum_of_square_indicator() == sum(value**2 for value in autocorrelation)
    assert mc.BooleanFunction.from_anf(f.algebraic_normal_form(), n) == f
    assert mc.BooleanFunction(f.truth_table("hex")) == f or n < 2
    assert list(f) == values.tolist() and len(f) == 1 << n
    assert list(f.derivative(1)) == [int(values[x] ^ values[x ^ 1]) for x in range(1 << n)]
    assert list(f + ~f) == [1] * (1 << n) and f * f == f and f ^ f == f + f


def tables(values, size):
    count = 1 << size
    differences = np.zeros((count, count), np.int64)
    linear = np.zeros((count, count), np.int64)
    for a in range(count):
        for x in range(count):
            differences[a, values[x] ^ values[x ^ a]] += 1
        for b in range(count):
            linear[a, b] = sum((-1) ** (parity(a & x) ^ parity(b & values[x])) for x in range(count))
    return differences, linear


def test_an_sbox(device):
    sbox = mc.SBox(PRESENT, device=device)
    differences, linear = tables(PRESENT, 4)
    assert np.array_equal(sbox.difference_distribution_table(), differences)
    assert np.array_equal(sbox.difference_distribution_table(range(3, 5)), differences[3:5])
    assert np.array_equal(sbox.linear_approximation_table("fourier_coefficient"), linear)
    assert np.array_equal(sbox.linear_approximation_table(), linear // 2)
    assert sbox.differential_uniformity() == differences[1:].max() == 4
    assert sbox.linearity() == abs(linear[:, 1:]).max() == 8
    assert sbox.nonlinearity() == 4
    assert (sbox.differential_branch_number(), sbox.linear_branch_number()) == (3, 2)
    assert sbox.max_degree() == 3 and sbox.is_permutation() and sbox.is_balanced()
    assert [sbox.inverse()(value) for value in PRESENT] == list(range(16))
    assert sbox.component_function(5) == mc.BooleanFunction([parity(5 & value) for value in PRESENT])
    assert sum(sbox.differential_spectrum().values()) == 256
    assert sbox.component_linearities().tolist() == abs(linear[:, 1:]).max(axis=0).tolist()
    assert sbox.worst_components() == [mask for mask in range(1, 16) if abs(linear[:, mask]).max() == 8]
    assert "<table>" in sbox._repr_html_()
    assert sbox == mc.SBox(bytes(PRESENT)) and hash(sbox) == hash(mc.SBox(np.array(PRESENT)))


def test_batches(device, rng):
    sboxes = np.array([rng.permutation(16) for _ in range(5)])
    each = [mc.SBox(one, device=device) for one in sboxes]
    assert mc.nonlinearities(sboxes, device=device).tolist() == [one.nonlinearity() for one in each]
    assert mc.uniformities(each, device=device).tolist() == [one.differential_uniformity() for one in each]


def test_what_is_wrong_is_named():
    with pytest.raises(ValueError, match="3"):
        mc.BooleanFunction([0, 1, 1])
    with pytest.raises(ValueError, match="0 and 1"):
        mc.BooleanFunction([0, 2])
    with pytest.raises(ValueError):
        mc.SBox([0, 1, 2])
    with pytest.raises(ValueError, match="16 bits"):
        mc.SBox([0, 1 << 16])
    with pytest.raises(TypeError):
        mc.SBox([0.5, 1])
    with pytest.raises(ValueError):
        mc.SBox([0, 0]).inverse()
    with pytest.raises(IndexError):
        mc.BooleanFunction([0, 1])(2)
