//! Solutions with triangular matrices of bits: 64 unknowns at a time, whose block of the diagonal is inverted on the host, and a product
//! for the other rows.

use manycore_device::Buffer;

use super::algebra::BitAlgebra;
use super::matrix::{BITS, BitMatrix};
use super::multipliers::lower_inverse;
use crate::block::Block;
use crate::error::LinalgError;

/// Where a triangular matrix has its entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// On and below the diagonal, also in rows below the square.
    Lower,
    /// On and above the diagonal.
    Upper,
}

/// Solves with a triangular matrix that has ones on its diagonal and as many columns as unknowns: in place, for rows of words. Rows below
/// the square lose the solution's combinations.
pub(super) fn solve(
    space: &BitAlgebra,
    side: Side,
    a: &BitMatrix,
    right: &mut Buffer<u64>,
    whole: Block,
) -> Result<(), LinalgError> {
    let (count, width) = (a.columns, whole.columns);
    if count == 0 || width == 0 {
        return Ok(());
    }
    let blocks = count.div_ceil(BITS);
    for step in 0..blocks {
        let q = if side == Side::Lower { step } else { blocks - 1 - step };
        let rows = q * BITS..count.min((q + 1) * BITS);
        let diagonal = space.words_of(&a.buffer, a.block().part(rows.clone(), q..q + 1))?.download()?;
        let inverse = match side {
            Side::Lower => lower_inverse(&diagonal),
            Side::Upper => upper_inverse(&diagonal),
        };
        let own = whole.part(rows.clone(), 0..width);
        let lines = Block::whole(rows.len(), width);
        let factors: Vec<u64> = inverse.iter().enumerate().map(|(i, row)| row ^ 1 << i).collect();
        let factors = space.device().upload(&factors)?;
        let heads = space.words_of(right, own)?;
        space.add_product((&factors, Block::whole(rows.len(), 1)), (&heads, lines), (&mut *right, own))?;
        let others = if side == Side::Lower { rows.end..whole.rows } else { 0..rows.start };
        let solved = space.words_of(right, own)?;
        let factors = (&a.buffer, a.block().part(others.clone(), q..q + 1));
        space.add_product(factors, (&solved, lines), (&mut *right, whole.part(others, 0..width)))?;
    }
    Ok(())
}

/// The inverse of a unit upper triangular matrix of at most 64 rows: that of its rows and columns in reverse order is lower triangular.
fn upper_inverse(upper: &[u64]) -> Vec<u64> {
    let shift = (BITS - upper.len()) as u32;
    let reversed = |rows: &[u64]| rows.iter().rev().map(|row| row.reverse_bits() >> shift).collect::<Vec<u64>>();
    reversed(&lower_inverse(&reversed(upper)))
}

#[cfg(test)]
mod tests {
    use super::super::multipliers::combined;
    use super::*;

    #[test]
    fn inverses_of_upper_triangles_are_inverses() {
        for count in [1usize, 2, 17, 63, 64] {
            let mask = u64::MAX >> (BITS - count);
            let upper: Vec<u64> = (0..count as u64)
                .map(|i| ((i + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) & u64::MAX << i | 1 << i) & mask)
                .collect();
            let inverse = upper_inverse(&upper);
            for (i, &row) in inverse.iter().enumerate() {
                assert_eq!(combined(row, &upper), 1 << i, "{count} {i}");
            }
        }
    }
}
