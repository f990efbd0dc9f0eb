//! Products of thin matrices of 63-bit residues, subtracted from rows: four products of two words for one reduction; with products of
//! 52 bits where there are.

use super::level::{Level, Task};
use super::thin::{LINES, shape};
#[cfg(target_arch = "x86_64")]
use super::tile_wide::has_vectors;
use crate::algebra::Ring as _;
use crate::prime_field::{Montgomery, PrimeField};

/// `target[r stride + c] -= sum over k of factors[r][k] lines[k][c]`.
pub(super) struct WideThin<'a> {
    pub(super) field: &'a PrimeField<u64>,
    /// Of the field's modulus, where it is odd.
    pub(super) montgomery: &'a Montgomery<u64>,
    pub(super) target: &'a mut [u64],
    pub(super) stride: usize,
    pub(super) factors: &'a [[u64; LINES]],
    pub(super) lines: [&'a [u64]; LINES],
}

impl WideThin<'_> {
    pub(super) fn run(self, level: Level) {
        #[cfg(target_arch = "x86_64")]
        if has_vectors(level, self.field, self.montgomery) {
            let Self { field, montgomery, target, stride, factors, lines } = self;
            // SAFETY: the processor has both instruction sets.
            return unsafe { super::ifma::sub_products((field, montgomery), target, stride, factors, lines) };
        }
        level.run(self);
    }

    /// For a modulus that is `SHORT`, at most `2^62`, or not: the sum of four products, below `4 p^2`, is folded below `p 2^64` where it
    /// may be above. A factor `f R` makes Montgomery's reduction give the sum itself; modulo 2 the sum is divided.
    #[inline(always)]
    fn accumulate<const SHORT: bool>(self) {
        let Self { field, montgomery, target, stride, factors, lines } = self;
        let (rows, columns) = shape(target.len(), stride, factors.len(), &lines);
        let lines = lines.map(|line| &line[..columns]);
        let fold = u128::from(field.modulus()) << 64;
        let is_odd = montgomery.modulus() == field.modulus();
        for (row, factors) in target.chunks_mut(stride.max(1)).zip(&factors[..rows]) {
            let factors = factors.map(|factor| if is_odd { montgomery.enter(factor) } else { factor });
            for (c, x) in row[..columns].iter_mut().enumerate() {
                let products = [0, 1, 2, 3].map(|k| u128::from(factors[k]) * u128::from(lines[k][c]));
                let sum = products[0] + products[1] + products[2] + products[3];
                let sum = if SHORT { sum } else { sum.min(sum.wrapping_sub(fold)) };
                let (low, high) = (sum as u64, (sum >> 64) as u64);
                let product = if is_odd { montgomery.reduce(low, high) } else { low % 2 };
                *x = field.sub(*x, product);
            }
        }
    }
}

impl Task for WideThin<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        if self.field.modulus() <= 1 << 62 { self.accumulate::<true>() } else { self.accumulate::<false>() }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: super::vectors::Pairs>(self) {
        self.portable();
    }
}
