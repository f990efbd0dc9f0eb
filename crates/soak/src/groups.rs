//! Finite Abelian groups of the cases, and primes with their roots of unity.

use manycore::AbelianGroup;
use manycore::field::primes::is_prime;

use crate::random::Random;

/// Orders of cyclic factors: small ones, prime powers, primes that are done by the definition and by chirps.
const FACTORS: [u64; 28] =
    [1, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 17, 25, 27, 31, 32, 49, 61, 64, 97, 127, 257];

/// A group of an order of at most `most`: one cyclic group, powers, or mixed factors.
///
/// # Panics
/// Never: the order does not pass `most`.
pub fn draw(random: &mut Random, most: u64) -> AbelianGroup {
    let most = most.max(1);
    let wanted = random.length(most as usize).max(1) as u64;
    let mut factors = Vec::new();
    match random.below(4) {
        0 => factors.push(wanted),
        1 => {
            let factor = random.pick(&FACTORS).max(2);
            let mut order = factor;
            while order <= wanted {
                factors.push(factor);
                order *= factor;
            }
        }
        _ => {
            let mut order = 1;
            for _ in 0..random.below(12) {
                let factor = random.pick(&FACTORS);
                if order * factor <= wanted {
                    order *= factor;
                    factors.push(factor);
                }
            }
        }
    }
    AbelianGroup::new(&factors).expect("an order that does not pass 2^64")
}

/// A prime `k exponent + 1` below `limit`; `None` where none is found.
pub fn prime_with_roots(random: &mut Random, exponent: u64, limit: u64) -> Option<u64> {
    let most = (limit - 2) / exponent;
    let first = random.below(most) + 1;
    (0..4000.min(most)).map(|i| (first + i - 1) % most + 1).map(|k| k * exponent + 1).find(|&p| is_prime(p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_the_order_asked_for() {
        let mut random = Random::new(4);
        for _ in 0..500 {
            assert!(draw(&mut random, 1000).order() <= 1000);
        }
        assert_eq!(draw(&mut random, 0).order(), 1);
    }

    #[test]
    fn primes_have_the_roots() {
        let mut random = Random::new(5);
        for exponent in [1, 2, 7, 1000, 65_536] {
            let p = prime_with_roots(&mut random, exponent, 1 << 31).unwrap();
            assert!(is_prime(p) && (p - 1).is_multiple_of(exponent) && p < 1 << 31);
        }
    }
}
