//! Every code that is present against the definition.

use super::{multipliers, product_len, transformers};
use crate::data::residues;

/// Small ones, and primes of 29, 31, 50 and 62 bits with roots of unity of long orders.
const PRIMES: [u64; 8] = [2, 3, 7, 9001, 469_762_049, 2_013_265_921, 1_125_899_437_080_577, 4_611_686_018_326_724_609];

/// The product by its definition.
fn schoolbook(p: u64, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut c = vec![0; product_len(a.len(), b.len())];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            c[i + j] = ((u128::from(x) * u128::from(y) + u128::from(c[i + j])) % u128::from(p)) as u64;
        }
    }
    c
}

#[test]
fn products_are_those_of_the_definition() {
    let found = multipliers();
    let mut served = vec![0; found.present.len()];
    for p in PRIMES {
        for (m, n) in [(1, 1), (2, 1), (33, 32), (100, 257), (700, 700)] {
            let (a, b) = (residues(m, p, 1), residues(n, p, 2));
            let expected = schoolbook(p, &a, &b);
            for (code, served) in found.present.iter().zip(&mut served) {
                for threads in [1, 2] {
                    let Some(mut product) = code.prepare(p, &a, &b, threads) else { continue };
                    product.run().unwrap();
                    assert_eq!(product.result(), expected, "{} {m} x {n} modulo {p}", code.name());
                    // The operands stay.
                    product.run().unwrap();
                    assert_eq!(product.result(), expected, "{} again", code.name());
                    *served += 1;
                }
            }
        }
    }
    assert!(served.iter().all(|&count| count >= 30), "{served:?}");
}

#[test]
fn long_products_agree_at_a_point() {
    let (p, len) = (469_762_049, 1 << 14);
    let (a, b) = (residues(len, p, 3), residues(len, p, 4));
    let at = |x: &[u64]| x.iter().rev().fold(0, |sum, &c| (sum * 123_456_789 + c) % p);
    for code in &multipliers().present {
        let mut product = code.prepare(p, &a, &b, 2).unwrap();
        product.run().unwrap();
        assert_eq!(at(&product.result()), at(&a) * at(&b) % p, "{}", code.name());
    }
}

#[test]
fn transforms_go_forth_and_back_and_multiply() {
    for code in &transformers().present {
        for p in [469_762_049, 2_013_265_921, 4_611_686_018_326_724_609] {
            let x = residues(64, p, 5);
            let mut transform = code.prepare(p, &x).unwrap();
            transform.forward().unwrap();
            // Some value is that of the polynomial at a root of X^64 + 1, so no value is a coefficient by chance.
            assert_ne!(transform.values(), x, "{}", code.name());
            transform.inverse().unwrap();
            assert_eq!(transform.values(), x, "{}", code.name());
        }
        assert!(code.prepare(9001, &[1; 64]).is_none(), "{}", code.name());
    }
}

#[test]
fn who_is_absent_has_a_name_and_a_reason() {
    let (multipliers, transformers) = (multipliers(), transformers());
    assert_eq!(multipliers.present.len() + multipliers.absent.len(), 3);
    assert_eq!(transformers.present.len() + transformers.absent.len(), 1);
    let absent: Vec<_> = multipliers.absent.iter().chain(&transformers.absent).collect();
    assert!(absent.iter().all(|absent| !absent.name.is_empty() && !absent.reason.is_empty()));
    assert_eq!(absent.iter().any(|absent| absent.name == "FLINT"), cfg!(not(feature = "flint")));
    assert_eq!(absent.iter().any(|absent| absent.name == "NTL"), cfg!(not(manycore_ntl)));
}

#[cfg(feature = "flint")]
#[test]
fn flint_says_how_it_was_built() {
    use super::Multiplier as _;
    let flint = super::flint::Flint::new();
    assert!(flint.version().starts_with("3."), "{}", flint.version());
    assert_eq!(flint.name().contains("with fft_small"), flint.has_fast_fft());
    let mut out = [0; 3];
    flint.multiply(7, &[1, 2], &[3, 4], &mut out);
    assert_eq!(out, [3, 3, 1]);
    flint.multiply(7, &[], &[3, 4], &mut []);
}

#[cfg(manycore_ntl)]
#[test]
fn ntl_refuses_what_it_does_not_take() {
    let ntl = super::ntl::Ntl;
    assert!(ntl.product(ntl.bound(), &[1], &[1]).is_none() && ntl.product(1, &[0], &[0]).is_none());
    assert!(ntl.product(7, &[7], &[1]).is_none());
    assert!(ntl.product(7, &[], &[1]).unwrap().coefficients().is_empty());
    let mut zero = ntl.product(7, &[0, 0], &[1, 2]).unwrap();
    assert!(zero.multiply());
    assert_eq!(zero.coefficients(), [0, 0, 0]);
}
