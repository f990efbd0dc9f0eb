//! Products of polynomials with coefficients in 32-bit words.
//!
//! A tile of [`WIDTH`] neighbouring coefficients is summed in words that vectors hold in registers ([`Sums`]), term by term.

use manycore_field::{PrimeField, Semiring as _};

use super::factors::{ordered, padded};
use super::sums::{Narrow, Sums, Wide};

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
    match Narrow::new(*field, a.len()) {
        Some(by) => convolve_by(by, (a, b), low, out),
        None => convolve_by(Wide::new(*field), (a, b), low, out),
    }
}

/// The coefficients from `low` on of the product of `a` and a `b` that is not shorter; the range lies within it.
fn convolve_by<S: Sums>(by: S, (a, b): (&[u32], &[u32]), low: usize, out: &mut [u32]) {
    let (window, start) = padded(b, a.len(), low, out.len(), WIDTH, S::Word::default(), S::word);
    Tiles { by, a, window: &window, start, b_len: b.len() }.run(low, out);
}

/// What all tiles of a product share.
struct Tiles<'a, S: Sums> {
    by: S,
    a: &'a [u32],
    /// The coefficients of `b` from `start` on, padded.
    window: &'a [S::Word],
    start: usize,
    b_len: usize,
}

impl<S: Sums> Tiles<'_, S> {
    #[inline(always)]
    fn fill(&self, low: usize, out: &mut [u32]) {
        for (tile, part) in out.chunks_mut(WIDTH).enumerate() {
            let sums = self.sums(low + tile * WIDTH);
            for (out, &sum) in part.iter_mut().zip(&sums) {
                *out = self.by.residue(sum);
            }
        }
    }

    /// The folded sums of the coefficients from `k` on.
    #[inline(always)]
    fn sums(&self, k: usize) -> [S::Sum; WIDTH] {
        let (first, last) = ((k + 1).saturating_sub(self.b_len), (self.a.len() - 1).min(k + WIDTH - 1));
        let a = &self.a[first..=last];
        // The first term meets b from k - first on, each later one a word further down.
        let end = k + 2 * WIDTH - first - self.start;
        let window = &self.window[end + 1 - WIDTH - a.len()..end];
        let mut sums = [self.by.zero(); WIDTH];
        let mut at = a.len();
        for run in a.chunks(self.by.terms()) {
            for &factor in run {
                at -= 1;
                let words = &window[at..at + WIDTH];
                for (sum, &word) in sums.iter_mut().zip(words) {
                    *sum = S::plus(*sum, factor, word);
                }
            }
            for sum in &mut sums {
                *sum = self.by.folded(*sum);
            }
        }
        sums
    }

    fn run(&self, low: usize, out: &mut [u32]) {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has the instruction set.
                return unsafe { self.with_avx512(low, out) };
            }
            if is_x86_feature_detected!("avx2") {
                // SAFETY: as above.
                return unsafe { self.with_avx2(low, out) };
            }
        }
        self.fill(low, out);
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
