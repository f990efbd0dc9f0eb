//! Exact exponents.

use std::io::{self, Write};
use std::marker::PhantomData;

use manycore_field::primes;

use super::{LARGEST_EXPONENT, Product, Values, sealed};
use crate::error::CharacterError;

/// Exact exponents `E(w, z)` below the group's exponent `L`, as `u8`, `u16` or `u32`: `chi_w(z) = exp(2 pi i E / L)`.
///
/// `L` may be up to 256, 65536 or 2^31.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exponents<W>(PhantomData<W>);

impl<W> Exponents<W> {
    /// Exponents in words of type `W`.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// Whether the roots of unity of `order` to these powers have the sum `expected`, in exact arithmetic.
///
/// With `h_e` counting the powers `e`, the sum is 0 where the polynomial `h` vanishes at the primitive roots; the product of
/// `1 - x^(L / q)` over the primes `q` that divide `L` vanishes at all other roots and not at these, so `h` times it is 0
/// modulo `x^L - 1` exactly then.
fn powers_sum_to(order: u64, powers: impl Iterator<Item = u64>, expected: u64) -> bool {
    let mut counts = vec![0i128; order as usize];
    counts[0] = -i128::from(expected);
    for power in powers {
        match counts.get_mut(power as usize) {
            Some(count) => *count += 1,
            None => return false,
        }
    }
    for (prime, _) in primes::factorise(order) {
        let shift = counts.len() - counts.len() / prime as usize;
        // Coefficient e less coefficient e - L / q.
        counts = (0..counts.len()).map(|e| counts[e] - counts[(e + shift) % counts.len()]).collect();
    }
    counts.iter().all(|&count| count == 0)
}

macro_rules! exponents {
    ($word:ty, $limit:expr, $npy:literal) => {
        impl sealed::Sealed for Exponents<$word> {}

        impl Values for Exponents<$word> {
            type Word = $word;
            type Value = $word;
            type Base = u64;
            const EXPONENTS: bool = true;

            fn name(&self) -> String {
                concat!("exponents ", stringify!($word)).to_owned()
            }

            fn npy_type(&self) -> &'static str {
                $npy
            }

            fn write_text(&self, out: &mut dyn Write, value: $word) -> io::Result<()> {
                write!(out, "{value}")
            }

            fn base(&self, order: u64) -> Result<u64, CharacterError> {
                if order > $limit {
                    return Err(CharacterError::Exponent { exponent: order, limit: $limit, values: self.name() });
                }
                Ok(order)
            }

            #[inline(always)]
            fn root(&self, _: u64, t: u64) -> $word {
                t as $word
            }

            #[inline(always)]
            fn multiply(&self, order: u64, a: $word, b: $word) -> $word {
                let sum = u64::from(a) + u64::from(b);
                (if sum < order { sum } else { sum - order }) as $word
            }

            fn conjugate(&self, order: u64, a: $word) -> $word {
                if a == 0 { 0 } else { (order - u64::from(a)) as $word }
            }

            fn equal(&self, a: $word, b: $word, _: u32) -> bool {
                a == b
            }

            fn sum_is(&self, order: u64, roots: &[$word], expected: u64, _: u32) -> bool {
                powers_sum_to(order, roots.iter().map(|&power| power.into()), expected)
            }

            fn product(&self) -> Product {
                Product::Sum
            }
        }
    };
}

exponents!(u8, 1 << 8, "u1");
exponents!(u16, 1 << 16, "u2");
exponents!(u32, LARGEST_EXPONENT, "u4");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_roots_are_exact() {
        let sum = |order, powers: &[u64], expected| powers_sum_to(order, powers.iter().copied(), expected);
        assert!(sum(1, &[0, 0], 2) && !sum(1, &[0], 0));
        assert!(sum(6, &[0, 2, 4], 0) && sum(6, &[1, 4], 0) && !sum(6, &[0, 1], 0));
        // A vanishing sum that is no union of cosets of one subgroup; 1 + w^2 of order 6 is w.
        assert!(sum(6, &[0, 3, 1, 3, 5], 0));
        assert!(sum(30, &[5, 25, 6, 12, 18, 24], 0));
        assert!(sum(6, &[1, 5], 1) && !sum(6, &[1, 5], 2));
        assert!(sum(12, &[], 0) && !sum(12, &[12], 0));
    }
}
