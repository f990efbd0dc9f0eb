//! Primality and factorisation against sieves, known numbers and each other.

use manycore_field::primes::{factorise, is_prime, least_divisor, next_prime, ntt_primes, previous_prime};
use proptest::prelude::*;

fn sieve(limit: usize) -> Vec<bool> {
    let mut prime = vec![true; limit];
    prime[..2].fill(false);
    for q in 2..=limit.isqrt() {
        if prime[q] {
            (q * q..limit).step_by(q).for_each(|m| prime[m] = false);
        }
    }
    prime
}

#[test]
fn small_numbers_as_the_sieve() {
    let prime = sieve(300_000);
    for (n, &expected) in prime.iter().enumerate() {
        assert_eq!(is_prime(n as u64), expected, "{n}");
    }
    let mut last = None;
    for n in 0..5000u64 {
        assert_eq!(previous_prime(n), last, "{n}");
        if prime[n as usize] {
            last = Some(n);
        }
        assert_eq!(next_prime(n), (n + 1..6000).find(|&m| prime[m as usize]), "{n}");
    }
}

#[test]
fn numbers_that_fool_weaker_tests() {
    // Strong pseudoprimes to the first bases (OEIS A014233), to many bases, Carmichael numbers, squares of primes.
    for n in [
        2047,
        1_373_653,
        25_326_001,
        3_215_031_751,
        2_152_302_898_747,
        3_474_749_660_383,
        341_550_071_728_321,
        3_825_123_056_546_413_051,
        4_759_123_141,
        561,
        1_122_004_669_633,
        4_335_207_541_u64,
        7_999_252_175_582_851,
        585_226_005_592_931_977,
        4_294_967_291 * 4_294_967_291,
        4_294_967_291 * 4_294_967_279,
        u64::MAX,
        u64::MAX - 1,
    ] {
        assert!(!is_prime(n), "{n}");
        let factors = factorise(n);
        assert_eq!(factors.iter().map(|&(q, e)| q.pow(e)).product::<u64>(), n);
        assert!(factors.iter().all(|&(q, _)| is_prime(q)), "{factors:?}");
        assert_eq!(least_divisor(n), Some(factors[0].0));
    }
    for p in [
        2_147_483_647,
        4_294_967_291,
        4_294_967_311,
        (1 << 61) - 1,
        (1 << 63) - 25,
        18_446_744_073_709_551_557,
        0xffff_ffff_0000_0001,
        4_611_686_018_326_724_609,
    ] {
        assert!(is_prime(p), "{p}");
        assert_eq!(factorise(p), [(p, 1)]);
        assert_eq!(least_divisor(p), None);
    }
}

#[test]
fn the_ends_of_the_range() {
    assert_eq!(next_prime(18_446_744_073_709_551_557), None);
    assert_eq!(next_prime(u64::MAX), None);
    assert_eq!(next_prime(18_446_744_073_709_551_556), Some(18_446_744_073_709_551_557));
    assert_eq!(previous_prime(u64::MAX), Some(18_446_744_073_709_551_557));
    assert_eq!(next_prime(1 << 32), Some(4_294_967_311));
    assert_eq!((factorise(0), factorise(1), least_divisor(0), least_divisor(1)), (vec![], vec![], None, None));
    assert_eq!(factorise(1 << 63), [(2, 63)]);
}

#[test]
fn primes_for_transforms() {
    let all: Vec<u64> = (1u64..256).rev().map(|k| k << 8 | 1).filter(|&p| is_prime(p)).collect();
    assert_eq!(ntt_primes(16, 8).collect::<Vec<_>>(), all);
    assert_eq!(ntt_primes(4, 0).collect::<Vec<_>>(), [13, 11, 7, 5, 3, 2]);
    assert_eq!(ntt_primes(2, 1).collect::<Vec<_>>(), [3]);
    assert_eq!(
        ntt_primes(1, 0).count() + ntt_primes(8, 8).count() + ntt_primes(0, 0).count() + ntt_primes(65, 3).count(),
        0
    );
    assert_eq!(ntt_primes(64, 0).next(), Some(18_446_744_073_709_551_557));
    assert_eq!(ntt_primes(64, 32).next(), Some(0xffff_ffff_0000_0001));
    for p in ntt_primes(62, 30).take(20) {
        assert!(is_prime(p) && p % (1 << 30) == 1 && p >> 62 == 0);
    }
}

proptest! {
    #[test]
    fn factors_multiply_to_the_number(n in prop_oneof![any::<u64>(), any::<u32>().prop_map(u64::from), (any::<u32>(), any::<u32>()).prop_map(|(a, b)| u64::from(a) * u64::from(b))]) {
        prop_assume!(n > 1);
        let factors = factorise(n);
        prop_assert_eq!(factors.iter().map(|&(q, e)| q.pow(e)).product::<u64>(), n);
        prop_assert!(factors.iter().all(|&(q, e)| is_prime(q) && e > 0));
        prop_assert!(factors.windows(2).all(|w| w[0].0 < w[1].0));
        prop_assert_eq!(is_prime(n), factors == [(n, 1)]);
    }

    #[test]
    fn products_of_two_primes_come_apart(a in any::<u32>(), b in any::<u32>()) {
        let (Some(p), Some(q)) = (previous_prime(u64::from(a).max(3)), previous_prime(u64::from(b).max(3))) else {
            return Err(TestCaseError::fail("3 is above a prime"));
        };
        let expected = if p == q { vec![(p, 2)] } else { vec![(p.min(q), 1), (p.max(q), 1)] };
        prop_assert_eq!(factorise(p * q), expected);
    }
}
