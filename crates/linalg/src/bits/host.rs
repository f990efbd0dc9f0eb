//! Products of matrices of bits with the host's threads, by the Method of the Four Russians: of eight rows of the second matrix a
//! table has all 256 sums, and each byte of the first chooses one (Albrecht, Bard and Hart, section 3, with several tables at a
//! time). Strips of eight words keep the eight tables of 64 rows in the second cache.

use manycore_device::HostPool;
use manycore_field::BitLines;

use super::matrix::BITS;
use crate::block::Block;

/// Words of a strip.
const LINE: usize = 8;
/// Rows from which tables of 256 sums pay: with fewer, tables have 16.
const MANY: usize = 256;
/// Rows of a thread at least, for each thread makes its tables.
const BAND: usize = 512;

/// `out += a b`, blocks of words.
pub(super) fn add_product(
    pool: &HostPool,
    (a, left): (&[u64], Block),
    (b, right): (&[u64], Block),
    (out, target): (&mut [u64], Block),
) {
    let bytes = 8 * (left.rows * left.columns + right.rows * right.columns + 2 * target.rows * target.columns) as u64;
    let operations = (left.rows * right.rows * right.columns) as u64 / 8;
    pool.step("bits_product", bytes, operations, || {
        let lines = BitLines::new();
        let bits = if target.rows >= MANY { 8 } else { 4 };
        let band = target.rows.div_ceil(pool.threads()).max(BAND);
        let end = out.len().min(target.start + (target.rows - 1) * target.stride + target.columns);
        let bands = out[target.start..end].chunks_mut(band * target.stride).enumerate();
        let tables = || vec![[0; LINE]; (BITS / bits) << bits];
        pool.team().only_if(target.rows > band).each_with(bands, tables, |tables, (number, out)| {
            for first in (0..right.columns).step_by(LINE) {
                let width = LINE.min(right.columns - first);
                for (q, row) in (0..right.rows).step_by(BITS).enumerate() {
                    let rows = row..right.rows.min(row + BITS);
                    fill(tables, bits, b, right.part(rows, first..first + width));
                    let factors = &a[left.start + number * band * left.stride + q..];
                    lines.add_lines(&mut out[first..], target.stride, width, factors, left.stride, tables);
                }
            }
        });
    });
}

/// Tables of all sums of `bits` rows each, for rows as far as the block has them.
fn fill(tables: &mut [[u64; LINE]], bits: usize, b: &[u64], block: Block) {
    for (number, table) in tables.chunks_mut(1 << bits).enumerate() {
        table[0] = [0; LINE];
        for k in 0..bits {
            let mut line = [0; LINE];
            if number * bits + k < block.rows {
                line[..block.columns].copy_from_slice(block.row(b, number * bits + k));
            }
            let (known, next) = table.split_at_mut(1 << k);
            for (sum, known) in next.iter_mut().zip(&*known) {
                *sum = std::array::from_fn(|w| known[w] ^ line[w]);
            }
        }
    }
}

/// The transpose of a matrix of `rows` rows: blocks of 64 by 64 bits.
pub(super) fn transpose(a: &[u64], rows: usize, stride: usize, out: &mut [u64], out_stride: usize) {
    for w in 0..out_stride {
        for q in 0..stride {
            let mut block: [u64; BITS] = std::array::from_fn(|i| {
                let row = w * BITS + i;
                if row < rows { a[row * stride + q] } else { 0 }
            });
            transpose_block(&mut block);
            let lines = out.chunks_mut(out_stride).skip(q * BITS).zip(block);
            lines.for_each(|(line, word)| line[w] = word);
        }
    }
}

/// Transposes 64 by 64 bits by exchanging the off-diagonal quarters, then those of the quarters. Source: Warren, Hacker's Delight,
/// section 7-3.
fn transpose_block(block: &mut [u64; BITS]) {
    let (mut half, mut mask) = (BITS / 2, u64::MAX >> (BITS / 2));
    while half > 0 {
        for i in (0..BITS).filter(|i| i & half == 0) {
            let swapped = (block[i] >> half ^ block[i + half]) & mask;
            block[i] ^= swapped << half;
            block[i + half] ^= swapped;
        }
        half /= 2;
        mask ^= mask << half;
    }
}

#[cfg(test)]
mod tests {
    use super::super::reference::bit;
    use super::*;

    #[test]
    fn transposes_exchange_rows_and_columns() {
        for (rows, columns) in [(1, 1), (64, 64), (65, 3), (130, 200)] {
            let (stride, out_stride) = (usize::div_ceil(columns, BITS), usize::div_ceil(rows, BITS));
            let word = |e: usize| (e as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17);
            let a: Vec<u64> = (0..rows * stride).map(word).collect();
            let mut out = vec![0; columns * out_stride];
            transpose(&a, rows, stride, &mut out, out_stride);
            for i in 0..rows {
                assert!((0..columns).all(|j| bit(&a, stride, i, j) == bit(&out, out_stride, j, i)), "{rows} {columns}");
            }
        }
    }
}
