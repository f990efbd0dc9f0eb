//! Every multiplication against 128-bit arithmetic, over its whole range and biased to the corners.

use manycore_field::{
    Barrett, Field as _, FloatingPoint, Goldilocks, Montgomery, PrimeField, ResidueWord, Ring as _, Semiring as _,
    Shoup,
};
use proptest::prelude::*;

/// The product by the definition.
fn product(a: u64, b: u64, p: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(p)) as u64
}

/// Words of up to so many bits: small, near powers of two, near the largest, and any.
fn words(bits: u32) -> impl Strategy<Value = u64> {
    let largest = u64::MAX >> (64 - bits);
    prop_oneof![
        0..8u64,
        (0..8u64).prop_map(move |d| largest - d),
        (0..bits, 0..5u64).prop_map(move |(k, d)| ((1u64 << k).wrapping_add(d).wrapping_sub(2)) & largest),
        any::<u64>().prop_map(move |x| x & largest),
        (any::<u64>(), 0..64u32).prop_map(move |(x, s)| (x & largest) >> s),
    ]
}

/// Residues mod `p`: the corners, the neighbourhood of `sqrt(p)` and multiples of powers of two near `p`.
fn residues(p: u64) -> impl Strategy<Value = u64> {
    prop_oneof![
        Just(0),
        Just(1 % p),
        Just(p - 1),
        Just(p / 2),
        Just((p / 2 + 1) % p),
        (0..4u64).prop_map(move |d| (p.isqrt() + d) % p),
        (0..64u32).prop_map(move |k| (p >> (k % 64)).wrapping_sub(1) % p),
        words(64).prop_map(move |x| x % p),
    ]
}

/// A modulus with two residues.
fn cases(bits: u32) -> impl Strategy<Value = (u64, u64, u64)> {
    words(bits).prop_map(|p| p.max(1)).prop_flat_map(|p| (Just(p), residues(p), residues(p)))
}

fn montgomery<W: ResidueWord>(p: u64, a: u64, b: u64, any: u64) {
    let Some(by) = Montgomery::new(W::from_u64(p)) else {
        assert!(p.is_multiple_of(2) || p == 1);
        return;
    };
    let word = |x: u64| W::from_u64(x);
    let any = word(any);
    let r = ((1u128 << W::BITS) % u128::from(p)) as u64;
    assert_eq!(by.one().as_u64(), r);
    assert_eq!(by.square().as_u64(), product(r, r, p));
    assert_eq!(by.inverse().wrapping_mul(&word(p)), W::one());
    assert_eq!(product(by.mul(word(a), word(b)).as_u64(), r, p), product(a, b, p));
    assert!(by.mul(word(a), word(b)) < word(p));
    assert!(by.mul(any, word(b)) < word(p));
    assert_eq!(product(by.mul(any, word(b)).as_u64(), r, p), product(any.as_u64(), b, p));
    assert_eq!(by.enter(any).as_u64(), product(any.as_u64(), r, p));
    assert_eq!(by.leave(by.enter(any)).as_u64(), any.as_u64() % p);
    assert_eq!(by.mul(by.enter(word(a)), word(b)).as_u64(), product(a, b, p));
    if p < 1 << (W::BITS - 1) {
        let lazy = by.mul_lazy(word(a), word(b)).as_u64();
        assert!(0 < lazy && lazy < 2 * p);
        assert_eq!(product(lazy % p, r, p), product(a, b, p));
    }
    if p < 1 << (W::BITS - 2) {
        let lazy = by.mul_lazy(word(a + p), word(b + p)).as_u64();
        assert!(0 < lazy && lazy < 2 * p);
        assert_eq!(product(lazy % p, r, p), product(a, b, p));
    }
    let exponent = any.as_u64();
    let by_products = (0..exponent % 50).fold(1 % p, |power, _| product(power, a, p));
    assert_eq!(by.leave(by.power(by.enter(word(a)), exponent % 50)).as_u64(), by_products);
}

fn barrett<W: ResidueWord>(p: u64, a: u64, b: u64, any: u64) {
    let Some(by) = Barrett::new(W::from_u64(p)) else { panic!("{p}") };
    let any = W::from_u64(any);
    assert_eq!(by.mul(W::from_u64(a), W::from_u64(b)).as_u64(), product(a, b, p));
    assert_eq!(by.mul(any, W::from_u64(b)).as_u64(), product(any.as_u64(), b, p));
    assert_eq!(by.reduce(any).as_u64(), any.as_u64() % p);
    let wide = u128::from(a) << W::BITS | u128::from(any.as_u64());
    assert_eq!(u128::from(by.reduce_wide(any, W::from_u64(a)).as_u64()), wide % u128::from(p));
}

fn shoup<W: ResidueWord>(p: u64, a: u64, any: u64) {
    let Some(by) = Shoup::new(W::from_u64(p)) else { panic!("{p}") };
    let any = W::from_u64(any);
    let w = by.factor(W::from_u64(a));
    let lazy = by.mul_lazy(any, &w).as_u64();
    assert!(lazy < 2 * p);
    assert_eq!(lazy % p, product(any.as_u64(), a, p));
    assert_eq!(by.mul(any, &w).as_u64(), product(any.as_u64(), a, p));
}

fn floating(p: u64, a: u64, b: u64) {
    let Some(by) = FloatingPoint::new(p) else { panic!("{p}") };
    assert_eq!(by.mul(a, b), product(a, b, p), "{a} {b} mod {p}");
    assert_eq!(by.mul_factor(a, &by.factor(b)), product(a, b, p), "{a} {b} mod {p}");
    if p < FloatingPoint::FUSED_LIMIT {
        assert_eq!(by.mul_fused(a as f64, b as f64) as u64, product(a, b, p), "{a} {b} mod {p}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn montgomery_32((p, a, b) in cases(32), any in words(32)) {
        montgomery::<u32>(p, a, b, any);
    }

    #[test]
    fn montgomery_64((p, a, b) in cases(64), any in words(64)) {
        montgomery::<u64>(p, a, b, any);
    }

    #[test]
    fn barrett_32((p, a, b) in cases(32), any in words(32)) {
        barrett::<u32>(p, a, b, any);
    }

    #[test]
    fn barrett_64((p, a, b) in cases(64), any in words(64)) {
        barrett::<u64>(p, a, b, any);
    }

    #[test]
    fn shoup_32((p, a, _) in cases(31), any in words(32)) {
        shoup::<u32>(p, a, any);
    }

    #[test]
    fn shoup_64((p, a, _) in cases(63), any in words(64)) {
        shoup::<u64>(p, a, any);
    }

    #[test]
    fn floating_point((p, a, b) in cases(51)) {
        floating(p, a, b);
    }

    /// Products next to multiples of `p`, where the quotient's estimate is one off: `b` is near `k p / a`.
    #[test]
    fn floating_point_next_to_multiples((p, a, k) in cases(51), d in 0..3u64) {
        let b = (u128::from(k) * u128::from(p) / u128::from(a.max(1))) as u64;
        floating(p, a, b.wrapping_add(d) % p);
    }

    #[test]
    fn goldilocks(a in residues(Goldilocks::MODULUS), b in residues(Goldilocks::MODULUS), high in words(64), low in words(64), k in any::<u32>()) {
        const P: u64 = Goldilocks::MODULUS;
        let wide = u128::from(high) << 64 | u128::from(low);
        prop_assert_eq!(Goldilocks.mul(a, b), product(a, b, P));
        prop_assert_eq!(u128::from(Goldilocks.reduce_u128(wide)), wide % u128::from(P));
        prop_assert_eq!(u128::from(Goldilocks.add(a, b)), (u128::from(a) + u128::from(b)) % u128::from(P));
        prop_assert_eq!(u128::from(Goldilocks.sub(a, b)), (u128::from(a) + u128::from(P) - u128::from(b)) % u128::from(P));
        prop_assert_eq!(Goldilocks.reduce(low), low % P);
        prop_assert_eq!(Goldilocks.mul_power_of_two(a, k), Goldilocks.mul(a, Goldilocks.power(2, k.into())));
        prop_assert_eq!(Goldilocks.inverse(a).map(|i| product(a, i, P)), (a != 0).then_some(1));
    }
}

/// The cases that break the published formula: the quotient's estimate is one too high or too low.
#[test]
fn floating_point_needs_both_corrections() {
    for (p, a, b, wanted) in [
        (65537, 65536, 65536, 1),
        (134_217_689, 100_661_851, 128_719_101, 134_217_688),
        (536_870_909, 232_394_718, 489_258_754, 536_870_908),
        (536_870_909, 253_456_957, 500_206_403, 1),
    ] {
        floating(p, a, b);
        assert_eq!(product(a, b, p), wanted);
    }
    // The limits themselves, and that there is one.
    for p in [1, 2, 3, (1 << 50) - 1, (1 << 50) - 27, (1 << 51) - 1, (1 << 51) - 129] {
        for a in [0, 1, p / 2, p - 1] {
            floating(p, a % p, p - 1);
        }
    }
    assert!(FloatingPoint::new(1 << 51).is_none() && FloatingPoint::new(0).is_none());
}

#[test]
fn moduli_out_of_range_are_refused() {
    assert!(Montgomery::<u32>::new(0).is_none() && Montgomery::<u64>::new(1).is_none());
    assert!(Montgomery::<u32>::new(1 << 31).is_none() && Montgomery::<u32>::new(u32::MAX).is_some());
    assert!(Barrett::<u32>::new(0).is_none() && Barrett::<u64>::new(u64::MAX).is_some());
    assert!(Shoup::<u32>::new(0).is_none() && Shoup::<u32>::new(1 << 31).is_none());
    assert!(Shoup::<u64>::new(1 << 63).is_none() && Shoup::<u64>::new((1 << 63) - 1).is_some());
}

/// All triples of small moduli: every branch of every reduction meets every small case.
#[test]
fn small_moduli_exhaustively() {
    for p in 1..40 {
        for a in 0..p {
            for b in 0..p {
                for any in [0, 1, p - 1, p, 2 * p, u64::MAX - p, u64::MAX] {
                    montgomery::<u32>(p, a, b, any);
                    montgomery::<u64>(p, a, b, any);
                    barrett::<u32>(p, a, b, any);
                    barrett::<u64>(p, a, b, any);
                    shoup::<u32>(p, a, any);
                    shoup::<u64>(p, a, any);
                }
                floating(p, a, b);
            }
        }
    }
}

#[test]
fn the_field_multiplies_as_its_multiplications() {
    for p in [2u64, 3, 7, 9001, 469_762_049, 2_147_483_647] {
        let (narrow, wide) = (PrimeField::<u32>::new(p as u32), PrimeField::new(p));
        let (Ok(narrow), Ok(wide)) = (narrow, wide) else { panic!("{p} is prime") };
        for a in [0, 1, p / 3, p / 2, p - 2, p - 1] {
            for b in [0, 1, p / 3, p / 2, p - 2, p - 1] {
                let expected = product(a, b, p);
                assert_eq!(u64::from(narrow.mul(a as u32, b as u32)), expected);
                assert_eq!(wide.mul(a, b), expected);
                assert_eq!(wide.add(a, b), (a + b) % p);
                assert_eq!(wide.sub(a, b), (a + p - b) % p);
                assert_eq!(narrow.add(a as u32, b as u32), ((a + b) % p) as u32);
                assert_eq!(narrow.sub(a as u32, b as u32), ((a + p - b) % p) as u32);
                assert_eq!(wide.neg(a), (p - a) % p);
                if let Some(by) = narrow.montgomery() {
                    assert_eq!(u64::from(by.mul(by.enter(a as u32), b as u32)), expected);
                }
                assert_eq!(wide.shoup().mul(a, &wide.shoup().factor(b)), expected);
                assert_eq!(wide.floating_point().map(|by| by.mul(a, b)), Some(expected));
            }
        }
    }
}
