//! Tiles of products of matrices of 63-bit residues: sums of two words, reduced late; with products of 52 bits where there are.

use super::level::{Level, Task};
use super::tile::{COLUMNS, ROWS};
use crate::prime_field::{Montgomery, PrimeField};

/// `residues[r][c] += sum over k of rows[r][k] panel[k][c]`.
pub(super) struct WideTile<'a> {
    pub(super) field: &'a PrimeField<u64>,
    /// Of the field's modulus, where it is odd.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "other processors have no products of 52 bits")
    )]
    pub(super) montgomery: &'a Montgomery<u64>,
    pub(super) residues: &'a mut [[u64; COLUMNS]; ROWS],
    pub(super) rows: [&'a [u64]; ROWS],
    pub(super) panel: &'a [[u64; COLUMNS]],
}

/// Whether there are products of 52 bits, and constants of Montgomery for the field's modulus.
pub(super) fn has_vectors(level: Level, field: &PrimeField<u64>, montgomery: &Montgomery<u64>) -> bool {
    level.has_ifma() && montgomery.modulus() == field.modulus()
}

impl WideTile<'_> {
    pub(super) fn run(self, level: Level) {
        #[cfg(target_arch = "x86_64")]
        if has_vectors(level, self.field, self.montgomery) {
            // SAFETY: the processor has both instruction sets.
            unsafe {
                super::ifma::add_tile((self.field, self.montgomery), self.residues, self.rows, self.panel);
            }
            return;
        }
        level.run(self);
    }

    /// A folded sum is below `p 2^64`, and `2^64 / p` products below `p^2` each make it at most twice that, which two words hold
    /// because `p < 2^63`; subtracting `p 2^64` where the sum is not below it folds it again.
    #[inline(always)]
    fn accumulate(self) {
        let Self { field, residues, rows, panel, .. } = self;
        let fold = u128::from(field.modulus()) << 64;
        let terms =
            usize::try_from((1 << 64) / u128::from(field.modulus())).unwrap_or(usize::MAX).min(panel.len().max(1));
        for (residues, row) in residues.iter_mut().zip(rows) {
            let mut sums = residues.map(u128::from);
            for (lines, factors) in panel.chunks(terms).zip(row.chunks(terms)) {
                for (line, &factor) in lines.iter().zip(factors) {
                    for (sum, &word) in sums.iter_mut().zip(line) {
                        *sum = sum.wrapping_add(u128::from(factor) * u128::from(word));
                    }
                }
                for sum in &mut sums {
                    *sum = (*sum).min(sum.wrapping_sub(fold));
                }
            }
            *residues = sums.map(|sum| field.barrett().reduce_wide(sum as u64, (sum >> 64) as u64));
        }
    }
}

impl Task for WideTile<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        self.accumulate();
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: super::vectors::Pairs>(self) {
        self.accumulate();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Semiring as _;

    const PRIMES: [u64; 9] = [
        2,
        3,
        65_537,
        2_147_483_647,
        1_125_897_625_141_249,
        4_503_599_627_370_449,
        4_503_599_627_370_517,
        4_611_686_009_971_671_041,
        9_223_372_036_854_775_783,
    ];

    #[test]
    fn every_level_gives_the_residues_of_sums_of_products() {
        for p in PRIMES {
            let field = PrimeField::<u64>::new(p).unwrap();
            let montgomery = Montgomery::odd(if p == 2 { 3 } else { p });
            for len in [0, 1, 2, 3, 4, 5, 9, 100, 4095, 4096, 4097] {
                let word = |i: usize| {
                    if i.is_multiple_of(3) { p - 1 } else { (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) % p }
                };
                // Long sums of the largest words alone.
                let word = |i: usize| if len > 100 && i.is_multiple_of(2) { p - 1 } else { word(i) };
                let rows: [Vec<u64>; ROWS] =
                    std::array::from_fn(|r| (0..len + r).map(|k| word(2 * r + (r % 2 + 1) * k)).collect());
                let panel: Vec<[u64; COLUMNS]> =
                    (0..len).map(|k| std::array::from_fn(|c| word(4 * k + c + 2))).collect();
                let before = |r: usize, c: usize| word(r + c);
                for level in Level::all() {
                    let mut residues = std::array::from_fn(|r| std::array::from_fn(|c| before(r, c)));
                    let rows_of = std::array::from_fn(|r| rows[r].as_slice());
                    let tile = WideTile {
                        field: &field,
                        montgomery: &montgomery,
                        residues: &mut residues,
                        rows: rows_of,
                        panel: &panel,
                    };
                    tile.run(level);
                    for (r, residues) in residues.iter().enumerate() {
                        for (c, &residue) in residues.iter().enumerate() {
                            let products = (0..len).map(|k| field.mul(rows[r][k], panel[k][c]));
                            let expected = products.fold(before(r, c), |sum, product| field.add(sum, product));
                            assert_eq!(residue, expected, "{level:?} {p} {len} ({r}, {c})");
                        }
                    }
                }
            }
        }
    }
}
