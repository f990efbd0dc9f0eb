//! A step of Horner's rule for integers of several words.

use super::level::Task;
use crate::prime_field::{Shoup, ShoupFactor};

/// `to = 2^64 to + words mod p`, with the factors `2^64`, `2^32` and 1.
pub(super) struct Append<'a> {
    pub(super) by: Shoup<u32>,
    pub(super) factors: [ShoupFactor<u32>; 3],
    pub(super) to: &'a mut [u32],
    pub(super) words: &'a [u64],
}

impl Append<'_> {
    /// The products do not wait for each other, and the compiler makes vectors of the loop.
    #[inline(always)]
    fn scalar(self) {
        let Self { by, factors: [square, radix, one], to, words } = self;
        let add = |x: u32, y: u32| (x + y).min((x + y).wrapping_sub(by.modulus()));
        for (to, &word) in to.iter_mut().zip(words) {
            let high = add(by.mul(*to, &square), by.mul((word >> 32) as u32, &radix));
            *to = add(high, by.mul(word as u32, &one));
        }
    }
}

impl Task for Append<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        self.scalar();
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: super::vector::Words>(self) {
        self.scalar();
    }
}
