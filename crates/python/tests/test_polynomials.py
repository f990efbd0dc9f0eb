"""Polynomials beside python-flint."""

from fractions import Fraction

import flint
import manycore as mc
import numpy as np
import pytest

PRIMES = [2, 3, 97, 469762049, 2147483647, 4611686018326724609, 2**64 - 2**32 + 1]


def pair(rng, p, n, device):
    coefficients = [int(value) for value in rng.integers(0, 2**63, n)]
    return mc.Poly(coefficients, p, device=device), flint.nmod_poly([value % p for value in coefficients], p)


def same(ours: mc.Poly, theirs: flint.nmod_poly) -> bool:
    return ours.coeffs().tolist() == [int(value) for value in theirs.coeffs()]


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize(("n", "m"), [(0, 3), (1, 1), (5, 2), (33, 20), (300, 299)])
def test_arithmetic_is_flints(device, rng, p, n, m):
    f, flint_f = pair(rng, p, n, device)
    g, flint_g = pair(rng, p, m, device)
    assert same(f + g, flint_f + flint_g)
    assert same(f - g, flint_f - flint_g)
    assert same(f * g, flint_f * flint_g)
    assert same(-f, -flint_f)
    assert same(f.derivative(), flint_f.derivative())
    if g:
        quotient, remainder = divmod(f, g)
        assert same(quotient, flint_f // flint_g)
        assert same(remainder, flint_f % flint_g)
        assert same(f.gcd(g), flint_f.gcd(flint_g))
        d, s, t = f.xgcd(g)
        assert s * f + t * g == d
        assert (f * g) / g == f
    if f and g:
        assert f.resultant(g) == int(flint_f.resultant(flint_g))


@pytest.mark.parametrize("p", [2, 3, 97, 469762049])
def test_factors_multiply_to_the_polynomial(device, rng, p):
    f, flint_f = pair(rng, p, 20, device)
    leading, factors = f.factor()
    product = f.ring(leading)
    for factor, power in factors:
        assert factor.is_irreducible()
        product = product * factor**power
    assert product == f
    right_leading, right = flint_f.factor()
    assert leading == int(right_leading)
    listed = sorted(([int(c) for c in one.coeffs()], power) for one, power in right)
    assert sorted((one.coeffs().tolist(), power) for one, power in factors) == listed


def test_roots(device):
    f = mc.Poly.from_roots([1, 5, 5, 9], 97, device=device)
    assert f.roots().tolist() == [1, 5, 9]
    assert f(5) == 0 and f([1, 9, 0]).tolist() == [0, 0, f[0]]


@pytest.mark.parametrize("p", [97, 2147483647, 2**64 - 2**32 + 1])
def test_values_and_interpolation(device, rng, p):
    f, flint_f = pair(rng, p, 40, device)
    points = rng.permutation(96)[:40]
    values = f(points)
    assert values.tolist() == [int(flint_f(int(point))) for point in points]
    assert f.ring.interpolate(points, values) == f
    tree = mc.SubproductTree(points, p, device=device)
    assert np.array_equal(tree(f), values)
    assert f(points.reshape(8, 5)).shape == (8, 5)


def test_series_powers_and_parts(device):
    f = mc.Poly([1, 2, 3], 97, device=device)
    assert f**3 == f * f * f and f**0 == 1 and f.square() == f * f
    m = mc.Poly([5, 0, 0, 0, 1], 97, device=device)
    assert pow(f, 10, m) == f**10 % m
    assert pow(f, -1, m) * f % m == 1
    assert (f.inverse_series(10) * f).truncate(10) == 1
    assert f.log_series(10).exp_series(10) == f.truncate(10)
    root = f.sqrt_series(10)
    assert (root * root).truncate(10) == f and (root * f.inverse_sqrt_series(10)).truncate(10) == 1
    assert f.compose(m) == 1 + 2 * m + 3 * m * m == f(m) and f.compose(m * f, m) == f(m * f) % m
    assert f.taylor_shift(5) == f(mc.Poly([5, 1], 97, device=device)) and f.integral().derivative() == f
    x = f.ring.gen()
    g = x * f
    assert g(g.reversion_series(9)).truncate(9) == x
    assert f.mul_low(f, 2) == (f * f).truncate(2)
    assert f.mul_middle(f, 1, 3).coeffs().tolist() == (f * f).coeffs()[1:3].tolist()
    assert f << 2 == f * mc.Poly([0, 0, 1], 97, device=device) and f >> 1 == mc.Poly([2, 3], 97, device=device)
    assert f.reverse().coeffs().tolist() == [3, 2, 1]
    assert f.monic()[2] == 1 and f[7] == 0


@pytest.mark.parametrize("p", [97, 2147483647, 2**64 - 2**32 + 1])
def test_short_operations_are_the_long_ones(device, rng, p):
    f, _ = pair(rng, p, 20, device)
    g = 1 + (pair(rng, p, 15, device)[0] << 1)
    for n in (0, 1, 2, 17, 40):
        assert f.pow_low(5, n) == (f**5).truncate(n)
        assert f.compose_low(g - 1, n) == f(g - 1).truncate(n)
        assert g.mul_low(f.div_series(g, n), n) == f.truncate(n)
        assert g.pow_series(-2, n).mul_low(g * g, n) == g.ring(1).truncate(n)
    assert g.pow_series(Fraction(3, 2), 40).pow_low(2, 40) == g.pow_low(3, 40)
    assert f.ring.parse(str(f)) == f and f.ring.parse("0") == 0
    moduli = [f.ring([a, 1]) for a in range(7)]
    remainders = f.ring.remainders(f, moduli)
    assert remainders == [f % modulus for modulus in moduli] and f.ring.crt(remainders, moduli) == f % mc.Poly.from_roots([-a for a in range(7)], p, device=device)
    assert f.ring.remainders(f, []) == []
    with pytest.raises(ZeroDivisionError):
        f.div_series(f.ring([0, 1]), 3)
    with pytest.raises(ValueError):
        f.ring.parse("x^2 + ?")


def test_integers_take_part(device):
    f = mc.Poly([1, 2], 7, device=device)
    assert (f + 1).coeffs().tolist() == [2, 2]
    assert (1 - f).coeffs().tolist() == [0, 5]
    assert (3 * f).coeffs().tolist() == [3, 6]
    assert f - f == 0 and not f - f and (f - f).degree() == -1
    assert mc.Poly([2**100, -1], 7, device=device).coeffs().tolist() == [2**100 % 7, 6]


def test_text():
    assert str(mc.Poly([], 7)) == "0"
    assert str(mc.Poly([1, 0, 3], 7)) == "3*x^2 + 1"
    assert "..." in str(mc.Poly(np.ones(1000, np.int64), 7))


def test_what_is_wrong_is_named(device):
    f = mc.Poly([1, 2], 7, device=device)
    with pytest.raises(ZeroDivisionError):
        divmod(f, 0)
    with pytest.raises(ZeroDivisionError):
        f.inverse_mod(f * f)
    with pytest.raises(ValueError, match="15 is not prime"):
        mc.Poly([1], 15, device=device)
    with pytest.raises(ValueError, match="different"):
        f + mc.Poly([1], 2**64 - 2**32 + 1, device=device)
    with pytest.raises(ValueError):
        f + mc.Poly([1], 11, device=device)
    with pytest.raises(ValueError, match="equal"):
        f.ring.interpolate([1, 1], [2, 3])
    with pytest.raises(TypeError):
        mc.Poly([0.5], 7, device=device)
    with pytest.raises(TypeError):
        f + "x"
    assert (f == mc.Poly([1, 2], 11, device=device)) is False
