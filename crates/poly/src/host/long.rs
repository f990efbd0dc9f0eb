//! Sums of products of residues in 64-bit words: added in two words whose overflows are counted, reduced once.

use manycore_field::{Goldilocks, ModularField, PrimeField, Ring as _, Semiring};

use super::factors::{ordered, padded};

/// Coefficients that are summed together, so that their additions do not wait for each other.
const WIDTH: usize = 2;

/// A sum of products of 64-bit words.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sum {
    low: u128,
    /// Multiples of `2^128`.
    overflows: u64,
}

impl Sum {
    #[inline(always)]
    pub(super) fn add(&mut self, x: u64, y: u64) {
        let overflow;
        (self.low, overflow) = self.low.overflowing_add(u128::from(x) * u128::from(y));
        self.overflows += u64::from(overflow);
    }
}

/// Fields with residues in 64-bit words.
pub(super) trait LongField: ModularField + Semiring<Element = u64> {
    /// A sum mod `p`.
    fn residue(&self, sum: Sum) -> u64;
}

impl LongField for PrimeField<u64> {
    #[inline(always)]
    fn residue(&self, sum: Sum) -> u64 {
        // Word by word from the highest: each remainder is below p.
        let barrett = self.barrett();
        let high = barrett.reduce(sum.overflows);
        let middle = barrett.reduce_wide((sum.low >> 64) as u64, high);
        barrett.reduce_wide(sum.low as u64, middle)
    }
}

impl LongField for Goldilocks {
    #[inline(always)]
    fn residue(&self, sum: Sum) -> u64 {
        // 2^128 = -2^32, and fewer than 2^32 of them are below p.
        self.sub(self.reduce_u128(sum.low), sum.overflows << 32)
    }
}

pub(super) fn convolve<F: LongField>(field: &F, a: &[u64], b: &[u64], low: usize, out: &mut [u64]) {
    let (a, b) = ordered(a, b);
    let length = if a.is_empty() { 0 } else { a.len() + b.len() - 1 };
    let (out, beyond) = out.split_at_mut(length.saturating_sub(low).min(out.len()));
    beyond.fill(0);
    if a.len() >= 1 << 30 {
        // Sums of more terms would overflow the count of overflows.
        let one = |k: usize| {
            let (first, last) = ((k + 1).saturating_sub(b.len()), (a.len() - 1).min(k));
            (first..=last).fold(0, |sum, i| field.add(sum, field.mul(a[i], b[k - i])))
        };
        out.iter_mut().enumerate().for_each(|(j, out)| *out = one(low + j));
        return;
    }
    if out.is_empty() {
        return;
    }
    let (window, start) = padded(b, a.len(), low, out.len(), WIDTH, 0, |b| b);
    for (tile, part) in out.chunks_mut(WIDTH).enumerate() {
        let k = low + tile * WIDTH;
        let (first, last) = ((k + 1).saturating_sub(b.len()), (a.len() - 1).min(k + WIDTH - 1));
        let a = &a[first..=last];
        // The first term meets b from k - first on, each later one a word further down.
        let end = k + 2 * WIDTH - first - start;
        let window = &window[end + 1 - WIDTH - a.len()..end];
        let mut sums = [Sum::default(); WIDTH];
        for (&factor, words) in a.iter().zip(window.windows(WIDTH).rev()) {
            sums.iter_mut().zip(words).for_each(|(sum, &word)| sum.add(factor, word));
        }
        part.iter_mut().zip(sums).for_each(|(out, sum)| *out = field.residue(sum));
    }
}
