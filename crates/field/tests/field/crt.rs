//! Numbers from residues, by three routes; fractions from residues.

use manycore_field::crt::{
    Garner, MixedRadix, ModuliError, chinese_remainder, rational_reconstruction, rational_reconstruction_within,
};
use manycore_field::{LengthMismatch, PrimeField, ResidueWord, primes};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use proptest::prelude::*;

fn residues<W: ResidueWord, const N: usize>(x: &BigUint, moduli: [W; N]) -> [W; N] {
    moduli.map(|m| W::from_u64((x % m.as_u64()).try_into().unwrap_or(0)))
}

fn check<W: ResidueWord, const N: usize>(moduli: [W; N], any: u128, p: W) {
    let garner = Garner::new(moduli).unwrap_or_else(|error| panic!("{error}"));
    let radix = MixedRadix::new(&moduli.map(ResidueWord::as_u64)).unwrap_or_else(|error| panic!("{error}"));
    let field = PrimeField::new(p).unwrap_or_else(|error| panic!("{error}"));
    let product = radix.product().clone();
    assert_eq!(garner.moduli(), moduli);
    let half = &product / 2u32;
    let corners = [BigUint::ZERO, 1u32.into(), half.clone(), half + 1u32, &product - 1u32, (u128::MAX % &product)];
    for x in corners.into_iter().chain([any % &product, &product - (any % &product) - 1u32]) {
        let r = residues(&x, moduli);
        let words = r.map(ResidueWord::as_u64);
        assert_eq!(garner.to_u128(&r), u128::try_from(&x).ok());
        assert_eq!(radix.to_biguint(&words), Ok(x.clone()));
        assert_eq!(chinese_remainder(&words, &moduli.map(ResidueWord::as_u64)), Some(x.clone()));
        assert_eq!(garner.digits(&r).map(ResidueWord::as_u64).to_vec(), radix.digits(&words).unwrap_or_default());
        let least = BigInt::from(x.clone()) - if &x * 2u32 > product { product.clone().into() } else { BigInt::ZERO };
        assert_eq!(garner.to_i128(&r), i128::try_from(&least).ok(), "{x}");
        assert_eq!(radix.to_bigint(&words), Ok(least));
        assert_eq!(BigUint::from(garner.modulo(&field).residue(&r).as_u64()), x % p.as_u64());
    }
}

proptest! {
    #[test]
    fn two_and_three_narrow_primes(x in any::<u128>(), small in 0..200u128, p in 2..1u64 << 31, log in 0..25u32) {
        let p = primes::previous_prime(p + 1).unwrap_or(2) as u32;
        let mut primes = primes::ntt_primes(31, log).map(|p| p as u32);
        let mut next = || primes.next().unwrap_or(3);
        let moduli = [next(), next(), next()];
        for x in [x, small] {
            check([moduli[0], moduli[1]], x, p);
            check(moduli, x, p);
            check([moduli[2], moduli[0], moduli[1]], x, p);
            check([3, moduli[0], 2], x, p); // a digit larger than the moduli after it
            check([moduli[0]], x, p);
        }
    }

    #[test]
    fn two_and_three_wide_primes(x in any::<u128>(), small in 0..200u128, p in 2..1u64 << 63, bits in 60..64u32) {
        let p = primes::previous_prime(p + 1).unwrap_or(2);
        let mut primes = primes::ntt_primes(bits, 20);
        let mut next = || primes.next().unwrap_or(3);
        let moduli = [next(), next(), next()];
        for x in [x, small] {
            check([moduli[0], moduli[1]], x, p);
            check(moduli, x, p);
            check([moduli[1], 7, moduli[0]], x, p);
        }
    }

    #[test]
    fn many_moduli(words in prop::collection::vec(any::<u64>(), 0..12)) {
        let moduli: Vec<u64> = primes::ntt_primes(63, 10).take(12).collect();
        let radix = MixedRadix::new(&moduli);
        prop_assert!(radix.is_ok());
        let Ok(radix) = radix else { return Ok(()) };
        let x = words.iter().fold(BigUint::ZERO, |x, &w| (x << 64) + w) % radix.product();
        let residues: Vec<u64> = moduli.iter().map(|&m| (&x % m).try_into().unwrap_or(0)).collect();
        prop_assert_eq!(radix.to_biguint(&residues), Ok(x.clone()));
        prop_assert_eq!(chinese_remainder(&residues, &moduli), Some(x));
    }

    #[test]
    fn fractions_come_back(n in any::<i64>(), d in 1..u64::MAX, scale in 0..64u32) {
        let fraction = BigRational::new((n >> scale).into(), (d >> scale).max(1).into());
        let moduli: Vec<u64> = primes::ntt_primes(62, 10).take(3).collect();
        let modulus: BigUint = moduli.iter().product();
        // The modulus is above 2^185, the bound of both above 2^92.
        let inverse = fraction.denom().magnitude().modinv(&modulus);
        prop_assume!(inverse.is_some());
        let residue = BigInt::from(inverse.unwrap_or_default()) * fraction.numer();
        let modulus_signed = BigInt::from(modulus.clone());
        let residue = ((residue % &modulus_signed) + &modulus_signed) % &modulus_signed;
        prop_assert_eq!(rational_reconstruction(residue.magnitude(), &modulus), Some(fraction));
    }
}

/// Every residue mod small numbers: the fraction found is the only one within the bounds, and none is missed.
#[test]
fn fractions_exhaustively() {
    for modulus in 0..90i64 {
        let m = BigUint::from(modulus as u64);
        for residue in 0..modulus.max(1) {
            let r = BigUint::from(residue as u64);
            let bound = (1..90).take_while(|b| 2 * b * b < modulus).last().unwrap_or(0);
            for (n_bound, d_bound) in [(bound, bound), (3, 2), (0, 1), (1, 40)] {
                let mut found = Vec::new();
                for d in 1..=d_bound {
                    for n in -n_bound..=n_bound {
                        let (x, y) = (BigInt::from(n), BigInt::from(d));
                        let lowest = BigRational::new(x.clone(), y.clone()).denom() == &y;
                        let coprime = BigRational::new(modulus.into(), y.clone()).denom() == &y;
                        if modulus > 2 * n_bound * d_bound && lowest && coprime && (n - d * residue) % modulus == 0 {
                            found.push(BigRational::new(x, y));
                        }
                    }
                }
                assert!(found.len() <= 1, "{found:?} mod {modulus}");
                let bounds = (BigUint::from(n_bound as u64), BigUint::from(d_bound as u64));
                let result = rational_reconstruction_within(&r, &m, &bounds.0, &bounds.1);
                assert_eq!(result, found.first().cloned(), "{residue} mod {modulus}, {n_bound} / {d_bound}");
                if (n_bound, d_bound) == (bound, bound) {
                    assert_eq!(rational_reconstruction(&r, &m), found.first().cloned());
                }
            }
        }
    }
}

#[test]
fn bad_moduli_are_refused() {
    assert_eq!(Garner::new([5u32, 1]), Err(ModuliError::Range { index: 1, modulus: 1, limit: 1 << 31 }));
    assert_eq!(Garner::new([0u64, 3]), Err(ModuliError::Range { index: 0, modulus: 0, limit: 1 << 63 }));
    assert_eq!(Garner::new([1u32 << 31]), Err(ModuliError::Range { index: 0, modulus: 1 << 31, limit: 1 << 31 }));
    let error = ModuliError::NotCoprime { first: 0, second: 2, divisor: 3 };
    assert_eq!(Garner::new([6u64, 5, 9]), Err(error));
    assert_eq!(MixedRadix::new(&[6, 5, 9]), Err(error));
    assert_eq!(error.to_string(), "moduli 0 and 2 have the divisor 3 in common");
    let radix = MixedRadix::new(&[4, 9, 25]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(radix.to_biguint(&[3, 8, 24]), Ok(899u32.into()));
    assert_eq!(radix.to_bigint(&[3, 8, 24]), Ok((-1).into()));
    assert_eq!(radix.to_biguint(&[3, 8]), Err(LengthMismatch { left: 2, right: 3 }));
    assert_eq!(chinese_remainder(&[1, 2], &[6, 9]), None);
    assert_eq!(chinese_remainder(&[1], &[6, 9]), None);
    assert_eq!(chinese_remainder(&[], &[]), Some(BigUint::ZERO));
}
