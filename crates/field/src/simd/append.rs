//! A step of Horner's rule for integers of several words.

use super::level::Task;
use crate::prime_field::{PrimeField, ShoupFactor};

/// `to = 2^64 to + words mod p`, with the factors `2^64`, `2^32` and 1.
pub(super) struct Append<'a> {
    pub(super) field: &'a PrimeField<u32>,
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "vectors multiply by them"))]
    pub(super) factors: [ShoupFactor<u32>; 3],
    pub(super) to: &'a mut [u32],
    pub(super) words: &'a [u64],
}

impl Task for Append<'_> {
    type Output = ();

    /// By quotients of two words, one after the other.
    #[inline(always)]
    fn portable(self) {
        let by = self.field.barrett();
        for (to, &word) in self.to.iter_mut().zip(self.words) {
            let high = by.reduce_wide((word >> 32) as u32, *to);
            *to = by.reduce_wide(word as u32, high);
        }
    }

    /// By products of single words, which do not wait for each other: the compiler makes vectors of the loop.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: super::vectors::Pairs>(self) {
        let Self { field, factors: [square, radix, one], to, words } = self;
        let (p, by) = (field.modulus(), field.shoup());
        let add = |x: u32, y: u32| (x + y).min((x + y).wrapping_sub(p));
        for (to, &word) in to.iter_mut().zip(words) {
            let high = add(by.mul(*to, &square), by.mul((word >> 32) as u32, &radix));
            *to = add(high, by.mul(word as u32, &one));
        }
    }
}
