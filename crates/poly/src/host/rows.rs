//! Sums of multiples of rows: a product of a row and a matrix, by the definition.
//!
//! ```text
//!   out[c] += factors[0] rows[0][c] + factors[1] rows[1][c] + ...
//! ```
//!
//! Columns are summed in tiles as the coefficients of products are; rows begin a stride apart, with room for whole tiles of the
//! narrow width.

use manycore_field::{PrimeField, Semiring as _};

use super::long::{LongField, Sum};
use super::sums::{Narrow, Sums, Wide};

/// Columns of a tile: eight vectors of four sums.
const WIDTH: usize = 32;
/// Columns of the tiles behind the last whole one; strides of rows are multiples.
pub(crate) const NARROW_WIDTH: usize = 8;
/// Columns of residues in 64-bit words that are summed together.
const LONG_WIDTH: usize = 2;

/// Rows of 32-bit words.
pub(super) fn add_short(field: &PrimeField<u32>, factors: &[u32], rows: &[u32], stride: usize, out: &mut [u32]) {
    let work = Work { field: *field, factors, rows, stride };
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instruction set.
            return unsafe { work.with_avx512(out) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: as above.
            return unsafe { work.with_avx2(out) };
        }
    }
    work.add(out);
}

struct Work<'a> {
    field: PrimeField<u32>,
    factors: &'a [u32],
    rows: &'a [u32],
    stride: usize,
}

impl Work<'_> {
    #[inline(always)]
    fn add(&self, out: &mut [u32]) {
        match Narrow::new(self.field, self.factors.len()) {
            Some(narrow) => self.add_by(&narrow, out),
            None => self.add_by(&Wide::new(self.field), out),
        }
    }

    #[inline(always)]
    fn add_by<S: Sums>(&self, by: &S, out: &mut [u32]) {
        let whole = out.len() / WIDTH * WIDTH;
        let (tiles, rest) = out.split_at_mut(whole);
        for (i, out) in tiles.chunks_mut(WIDTH).enumerate() {
            self.tile::<S, WIDTH>(by, i * WIDTH, out);
        }
        for (i, out) in rest.chunks_mut(NARROW_WIDTH).enumerate() {
            self.tile::<S, NARROW_WIDTH>(by, whole + i * NARROW_WIDTH, out);
        }
    }

    #[inline(always)]
    fn tile<S: Sums, const W: usize>(&self, by: &S, column: usize, out: &mut [u32]) {
        let mut sums = [by.zero(); W];
        let runs = self.factors.chunks(by.terms());
        for (run, rows) in runs.zip(self.rows.chunks(by.terms() * self.stride)) {
            for (&factor, row) in run.iter().zip(rows.chunks(self.stride)) {
                let row = &row[column..column + W];
                for (sum, &word) in sums.iter_mut().zip(row) {
                    *sum = S::plus(*sum, factor, S::word(word));
                }
            }
            for sum in &mut sums {
                *sum = by.folded(*sum);
            }
        }
        out.iter_mut().zip(sums).for_each(|(out, sum)| *out = self.field.add(*out, by.residue(sum)));
    }

    /// # Safety
    /// The processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn with_avx2(&self, out: &mut [u32]) {
        self.add(out);
    }

    /// # Safety
    /// The processor has AVX-512F.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx2")]
    unsafe fn with_avx512(&self, out: &mut [u32]) {
        self.add(out);
    }
}

/// Rows of 64-bit words, of which there are fewer than `2^30`.
pub(super) fn add_long<F: LongField>(field: &F, factors: &[u64], rows: &[u64], stride: usize, out: &mut [u64]) {
    for (i, out) in out.chunks_mut(LONG_WIDTH).enumerate() {
        let column = i * LONG_WIDTH;
        let mut sums = [Sum::default(); LONG_WIDTH];
        for (&factor, row) in factors.iter().zip(rows.chunks(stride)) {
            let row = &row[column..column + LONG_WIDTH];
            sums.iter_mut().zip(row).for_each(|(sum, &word)| sum.add(factor, word));
        }
        out.iter_mut().zip(sums).for_each(|(out, sum)| *out = field.add(*out, field.residue(sum)));
    }
}
