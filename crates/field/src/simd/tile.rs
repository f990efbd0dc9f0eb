//! Tiles of products of matrices of 31-bit residues: sums of 64 bits, reduced late, in loops that compilers make vectors of.

use super::level::Task;

/// Rows of a tile: each word of the second matrix is read once for all of them.
pub(super) const ROWS: usize = 4;
/// Columns of a tile.
pub(super) const COLUMNS: usize = 32;

/// Residues of a tile.
#[cfg(target_arch = "x86_64")]
pub(super) type Residues = [[u32; COLUMNS]; ROWS];

/// `sums[r][c] += sum over k of rows[r][k] panel[k][c]`, folded below `p 2^32`, as the sums have to be before.
pub(super) struct Tile<'a> {
    pub(super) p: u32,
    pub(super) sums: &'a mut [[u64; COLUMNS]; ROWS],
    pub(super) rows: [&'a [u32]; ROWS],
    pub(super) panel: &'a [[u32; COLUMNS]],
}

impl Tile<'_> {
    /// With as many products between two foldings as the modulus leaves room for: a folded sum is below `p 2^32`, products are
    /// below `p^2`, and both together must be below `2 p 2^32 < 2^64`.
    #[inline(always)]
    fn accumulate(self) {
        match self.p {
            ..=0x2000_0000 => self.by::<8>(),
            0x2000_0001..=0x4000_0000 => self.by::<4>(),
            _ => self.by::<2>(),
        }
    }

    #[inline(always)]
    fn by<const TERMS: usize>(self) {
        let Self { p, sums, rows, panel } = self;
        let fold = u64::from(p) << 32;
        let (whole, rest) = panel.as_chunks::<TERMS>();
        for (sums, row) in sums.iter_mut().zip(rows) {
            let (factors, left) = row[..panel.len().min(row.len())].as_chunks::<TERMS>();
            for (factors, lines) in factors.iter().zip(whole) {
                for (c, sum) in sums.iter_mut().enumerate() {
                    let products = |k: usize| u64::from(factors[k]) * u64::from(lines[k][c]);
                    let total = (0..TERMS).fold(*sum, |total, k| total + products(k));
                    *sum = total.min(total.wrapping_sub(fold));
                }
            }
            for (&factor, line) in left.iter().zip(rest) {
                for (sum, &word) in sums.iter_mut().zip(line) {
                    let total = *sum + u64::from(factor) * u64::from(word);
                    *sum = total.min(total.wrapping_sub(fold));
                }
            }
        }
    }
}

impl Task for Tile<'_> {
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
    use super::super::level::Level;
    use super::*;

    #[test]
    fn every_level_gives_the_sums_of_products() {
        for p in [2, 3, 469_762_049, 1 << 29, 1 << 30, (1 << 31) - 1] {
            for len in [0, 1, 2, 3, 4, 5, 9, 100] {
                let word =
                    |i: usize| if i.is_multiple_of(3) { p - 1 } else { (i as u32).wrapping_mul(0x9e37_79b9) % p };
                let rows: [Vec<u32>; ROWS] = std::array::from_fn(|r| (0..len).map(|k| word(r + 5 * k)).collect());
                let panel: Vec<[u32; COLUMNS]> =
                    (0..len).map(|k| std::array::from_fn(|c| word(7 * k + c + 1))).collect();
                let before = |r: usize, c: usize| ((u64::from(p) << 32) - 1) / (r + c + 1) as u64;
                for level in Level::all() {
                    let mut sums = std::array::from_fn(|r| std::array::from_fn(|c| before(r, c)));
                    let rows_of = std::array::from_fn(|r| rows[r].as_slice());
                    level.run(Tile { p, sums: &mut sums, rows: rows_of, panel: &panel });
                    for (r, sums) in sums.iter().enumerate() {
                        for (c, &sum) in sums.iter().enumerate() {
                            let products = (0..len).map(|k| u128::from(rows[r][k]) * u128::from(panel[k][c]));
                            let expected = u128::from(before(r, c)) + products.sum::<u128>();
                            assert_eq!(
                                u128::from(sum) % u128::from(p),
                                expected % u128::from(p),
                                "{level:?} {p} {len}"
                            );
                            assert!(sum < u64::from(p) << 32);
                        }
                    }
                }
            }
        }
    }
}
