//! Combinations of rows of words of the field of 2^16 elements: multiples by x, chosen by the bits of the factors.

use super::level::{Level, Task};

/// Rows of a result that are made at a time: a row of the input is read once for all of them.
pub const BINARY_OUTPUTS: usize = 4;

/// Words of a step of the portable form: some vectors of every instruction set.
const LANES: usize = 32;

/// Sums of multiples of rows over the field of `2^16` elements ([`BinaryField16`](crate::BinaryField16)), on one thread, with the
/// widest vectors that the processor has: a product with a matrix of bits by GFNI under AVX-512, else 16 doublings, which compilers
/// make vectors of. Words are of 16 bits, little-endian. Every level gives the same bits.
///
/// ```
/// use manycore_field::BinarySlices;
///
/// let mut out = [[1, 0], [0, 0]];
/// let [first, second] = &mut out;
/// // 2 x + 1 y and 0 x + 3 y, for the words x = 0x8000 and y = 5, added to what is there.
/// BinarySlices::new().add_products(&mut [first, second], &[[2, 0, 0, 0], [1, 3, 0, 0]], &[&[0, 0x80], &[5, 0]]);
/// assert_eq!(out, [[1 ^ 0x0b ^ 5, 0x10], [15, 0]]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BinarySlices {
    level: Level,
}

impl Default for BinarySlices {
    fn default() -> Self {
        Self::new()
    }
}

impl BinarySlices {
    /// With the processor's widest vectors.
    pub fn new() -> Self {
        Self { level: Level::widest() }
    }

    /// `out[j][w] += sum over i of factors[i][j] rows[i][w]` for every word `w` that all rows have, and for the first
    /// [`BINARY_OUTPUTS`] rows `j` of `out`; `i` counts to the shorter of `factors` and `rows`.
    pub fn add_products(&self, out: &mut [&mut [u8]], factors: &[[u16; BINARY_OUTPUTS]], rows: &[&[u8]]) {
        let lengths = out.iter().map(|row| row.len()).chain(rows.iter().map(|row| row.len()));
        let bytes = lengths.min().unwrap_or(0) / 2 * 2;
        let count = factors.len().min(rows.len());
        let (factors, rows) = (&factors[..count], &rows[..count]);
        match out {
            [] => {}
            [a] => self.level.run(Products { out: [&mut a[..]], factors, rows, bytes }),
            [a, b] => self.level.run(Products { out: [&mut a[..], &mut b[..]], factors, rows, bytes }),
            [a, b, c] => self.level.run(Products { out: [&mut a[..], &mut b[..], &mut c[..]], factors, rows, bytes }),
            [a, b, c, d, ..] => {
                self.level.run(Products {
                    out: [&mut a[..], &mut b[..], &mut c[..], &mut d[..]],
                    factors,
                    rows,
                    bytes,
                });
            }
        }
    }
}

struct Products<'a, const N: usize> {
    out: [&'a mut [u8]; N],
    factors: &'a [[u16; BINARY_OUTPUTS]],
    rows: &'a [&'a [u8]],
    /// An even number, no more than any row has.
    bytes: usize,
}

impl<const N: usize> Products<'_, N> {
    /// The sums of the words from byte `start` on, at most [`LANES`] of them.
    #[inline(always)]
    fn sums(&self, start: usize, bytes: usize) -> [[u16; LANES]; N] {
        let mut sums = [[0u16; LANES]; N];
        for (row, factors) in self.rows.iter().zip(self.factors) {
            let mut x = [0u16; LANES];
            for (x, word) in x.iter_mut().zip(row[start..start + bytes].as_chunks::<2>().0) {
                *x = u16::from_le_bytes(*word);
            }
            for bit in 0..16 {
                for (sums, factor) in sums.iter_mut().zip(factors) {
                    let mask = 0u16.wrapping_sub(factor >> bit & 1);
                    for (sum, x) in sums.iter_mut().zip(&x) {
                        *sum ^= x & mask;
                    }
                }
                // The sign bit is that of x^15, which becomes x^16.
                for x in &mut x {
                    *x = (*x << 1) ^ (0x100b & ((*x as i16) >> 15) as u16);
                }
            }
        }
        sums
    }
}

impl<const N: usize> Task for Products<'_, N> {
    type Output = ();

    #[inline(always)]
    fn portable(mut self) {
        for start in (0..self.bytes).step_by(2 * LANES) {
            let bytes = (self.bytes - start).min(2 * LANES);
            let sums = self.sums(start, bytes);
            for (out, sums) in self.out.iter_mut().zip(&sums) {
                let words = out[start..start + bytes].as_chunks_mut::<2>().0;
                for (word, sum) in words.iter_mut().zip(sums) {
                    *word = (u16::from_le_bytes(*word) ^ sum).to_le_bytes();
                }
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: super::vectors::Pairs>(self) {
        if V::LANES < 16 || !Level::widest().has_gfni() {
            return self.portable();
        }
        // SAFETY: the processor has the instruction sets, and no row is shorter than `bytes`.
        unsafe { super::binary_gfni::add_products(self.out, self.factors, self.rows, self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Semiring as _;
    use crate::binary::BinaryField16;

    fn byte(i: usize) -> u8 {
        ((i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 53) as u8
    }

    #[test]
    fn every_level_adds_the_products_of_the_definition() {
        for bytes in [0, 2, 62, 64, 66, 126, 128, 130, 382] {
            for inputs in [0, 1, 3, 64, 67] {
                let rows: Vec<Vec<u8>> =
                    (0..inputs).map(|i| (0..=bytes).map(|b| byte(1000 * i + b)).collect()).collect();
                let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
                let factors: Vec<[u16; 4]> = (0..inputs)
                    .map(|i| std::array::from_fn(|j| u16::from_le_bytes([byte(7 * i + j), byte(9 * i + j + 5)])))
                    .collect();
                for count in 0..=5 {
                    let before: Vec<Vec<u8>> =
                        (0..count).map(|j| (0..bytes).map(|b| byte(77 * j + b)).collect()).collect();
                    for level in Level::all() {
                        let mut out = before.clone();
                        let mut lines: Vec<&mut [u8]> = out.iter_mut().map(Vec::as_mut_slice).collect();
                        BinarySlices { level }.add_products(&mut lines, &factors, &rows);
                        for (j, (out, before)) in out.iter().zip(&before).enumerate() {
                            for w in (0..bytes).step_by(2) {
                                let word = |row: &[u8]| u16::from_le_bytes([row[w], row[w + 1]]);
                                let product = |i: usize| {
                                    BinaryField16::product_by_definition(factors[i][j.min(3)], word(rows[i]))
                                };
                                let sum = |sum, i| BinaryField16.add(sum, product(i));
                                let expected = if j < 4 { (0..inputs).fold(word(before), sum) } else { word(before) };
                                assert_eq!(word(out), expected, "{level:?}: {bytes} bytes, {inputs} rows, {j}, {w}");
                            }
                        }
                    }
                }
            }
        }
    }
}
