//! Products of polynomials with coefficients in 32-bit words.
//!
//! A tile of [`WIDTH`] neighbouring coefficients is summed in 64-bit words, which vectors hold in registers, term by term.
//! With `p < 2^31` a folded sum is below `2^32 p`, so that `2^32 / p` products may be added before the next folding, the
//! subtraction of `2^32 p` where the sum is not below it.

use manycore_field::{PrimeField, Semiring as _};

use super::factors::{ordered, padded};

/// Coefficients of a tile: eight vectors of four sums.
const WIDTH: usize = 32;

pub(super) fn convolve(field: &PrimeField<u32>, a: &[u32], b: &[u32], low: usize, out: &mut [u32]) {
    let (a, b) = ordered(a, b);
    let length = if a.is_empty() { 0 } else { a.len() + b.len() - 1 };
    let (out, beyond) = out.split_at_mut(length.saturating_sub(low).min(out.len()));
    beyond.fill(field.zero());
    if out.is_empty() {
        return;
    }
    let (window, start) = padded(b, a.len(), low, out.len(), WIDTH, 0, u64::from);
    let tiles = Tiles { field: *field, a, window: &window, start, b_len: b.len() };
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instruction set.
            return unsafe { tiles.with_avx512(low, out) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: as above.
            return unsafe { tiles.with_avx2(low, out) };
        }
    }
    tiles.fill(low, out);
}

/// What all tiles of a product share.
struct Tiles<'a> {
    field: PrimeField<u32>,
    a: &'a [u32],
    /// The coefficients of `b` from `start` on, padded.
    window: &'a [u64],
    start: usize,
    b_len: usize,
}

impl Tiles<'_> {
    #[inline(always)]
    fn fill(&self, low: usize, out: &mut [u32]) {
        let p = u64::from(self.field.modulus());
        let terms = ((1u64 << 32) / p).min(64) as usize;
        for (tile, part) in out.chunks_mut(WIDTH).enumerate() {
            let sums = self.sums(low + tile * WIDTH, terms, p << 32);
            for (out, &sum) in part.iter_mut().zip(&sums) {
                *out = self.field.barrett().reduce_wide(sum as u32, (sum >> 32) as u32);
            }
        }
    }

    /// The folded sums of the coefficients from `k` on.
    #[inline(always)]
    fn sums(&self, k: usize, terms: usize, fold: u64) -> [u64; WIDTH] {
        let (first, last) = ((k + 1).saturating_sub(self.b_len), (self.a.len() - 1).min(k + WIDTH - 1));
        let a = &self.a[first..=last];
        // The first term meets b from k - first on, each later one a word further down.
        let end = k + 2 * WIDTH - first - self.start;
        let window = &self.window[end + 1 - WIDTH - a.len()..end];
        let mut sums = [0u64; WIDTH];
        let mut at = a.len();
        for run in a.chunks(terms) {
            for &factor in run {
                at -= 1;
                let words = &window[at..at + WIDTH];
                for (sum, word) in sums.iter_mut().zip(words) {
                    // The mask shows the compiler that the factors are 32-bit words.
                    *sum += u64::from(factor) * (word & 0xffff_ffff);
                }
            }
            for sum in &mut sums {
                *sum = (*sum).min(sum.wrapping_sub(fold));
            }
        }
        sums
    }

    /// # Safety
    /// The processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn with_avx2(&self, low: usize, out: &mut [u32]) {
        self.fill(low, out);
    }

    /// # Safety
    /// The processor has AVX-512F.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx2")]
    unsafe fn with_avx512(&self, low: usize, out: &mut [u32]) {
        self.fill(low, out);
    }
}
