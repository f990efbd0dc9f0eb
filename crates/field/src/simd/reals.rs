//! Differences of doubles and products, in the order of elimination: what blocked triangular factorizations are made of.

use super::level::{Level, Task};
use super::tile::{COLUMNS, ROWS};

/// Arithmetic on slices of doubles, on one thread, with the widest vectors that the processor has: AVX-512 or AVX2, found at run
/// time, else loops for the compiler. Every operation is rounded by itself and in a fixed order, none is fused: every level gives
/// the same bits.
///
/// ```
/// use manycore_field::RealSlices;
/// let mut x = [1.0, 2.0, 3.0];
/// RealSlices::new().sub_scaled(&mut x, 0.5, &[2.0, 4.0, 8.0]);
/// assert_eq!(x, [0.0, 0.0, -1.0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RealSlices {
    level: Level,
}

impl Default for RealSlices {
    fn default() -> Self {
        Self::new()
    }
}

impl RealSlices {
    /// With the processor's widest vectors.
    pub fn new() -> Self {
        Self { level: Level::widest() }
    }

    /// `x[i] -= factor y[i]` over the shorter slice's length: the product is rounded, then the difference.
    pub fn sub_scaled(&self, x: &mut [f64], factor: f64, y: &[f64]) {
        self.level.run(Scaled { x, factor, y });
    }

    /// A tile of a difference of matrices, one product after the other: `words[r][c] -= rows[r][k] panel[k][c]` for `k` ascending,
    /// over the shortest length. The product is rounded, then the difference.
    ///
    /// ```
    /// use manycore_field::RealSlices;
    /// let mut words = [[10.0; 32]; 4];
    /// RealSlices::new().sub_tile(&mut words, [&[1.0, 2.0]; 4], &[[1.0; 32], [3.0; 32]]);
    /// assert_eq!(words, [[3.0; 32]; 4]);
    /// ```
    pub fn sub_tile(&self, words: &mut [[f64; 32]; 4], rows: [&[f64]; 4], panel: &[[f64; 32]]) {
        let len = rows.iter().fold(panel.len(), |len, row| len.min(row.len()));
        let (rows, panel) = (rows.map(|row| &row[..len]), &panel[..len]);
        #[cfg(target_arch = "x86_64")]
        if self.level.has_avx512() {
            // SAFETY: the processor has the instruction set.
            return unsafe { super::reals_avx512::sub_tile(words, rows, panel) };
        }
        self.level.run(RealTile { words, rows, panel });
    }
}

/// A slice less a multiple of another.
struct Scaled<'a> {
    x: &'a mut [f64],
    factor: f64,
    y: &'a [f64],
}

impl Task for Scaled<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let Self { x, factor, y } = self;
        x.iter_mut().zip(y).for_each(|(x, &y)| *x -= y * factor);
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: super::vectors::Pairs>(self) {
        self.portable();
    }
}

/// A tile less a product; the rows are as long as the panel.
struct RealTile<'a> {
    words: &'a mut [[f64; COLUMNS]; ROWS],
    rows: [&'a [f64]; ROWS],
    panel: &'a [[f64; COLUMNS]],
}

impl RealTile<'_> {
    /// `WIDTH` columns at a time, as many as registers hold.
    #[inline(always)]
    fn by<const WIDTH: usize>(self) {
        let Self { words, rows, panel } = self;
        // The compiler sees here that all have one length, and checks no index of a row.
        let rows = rows.map(|row| &row[..panel.len()]);
        for block in 0..COLUMNS / WIDTH {
            let mut tile: [[f64; WIDTH]; ROWS] =
                std::array::from_fn(|r| std::array::from_fn(|c| words[r][block * WIDTH + c]));
            for (k, line) in panel.iter().enumerate() {
                let line = &line.as_chunks::<WIDTH>().0[block];
                for (tile, row) in tile.iter_mut().zip(rows) {
                    for (word, &other) in tile.iter_mut().zip(line) {
                        *word -= other * row[k];
                    }
                }
            }
            for (words, tile) in words.iter_mut().zip(&tile) {
                words.as_chunks_mut::<WIDTH>().0[block] = *tile;
            }
        }
    }
}

impl Task for RealTile<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        self.by::<4>();
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: super::vectors::Pairs>(self) {
        self.by::<8>();
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "every level gives the same bits")]
mod tests {
    use super::*;

    fn word(i: usize) -> f64 {
        (i as f64 * 0.618_033_988_749_894_9).fract() * 2f64.powi((i % 23) as i32 - 11)
    }

    #[test]
    fn every_level_rounds_each_operation_in_order() {
        for len in [0, 1, 2, 3, 7, 33] {
            let rows: [Vec<f64>; ROWS] = std::array::from_fn(|r| (0..len + r).map(|k| word(r + 5 * k)).collect());
            let panel: Vec<[f64; COLUMNS]> = (0..len).map(|k| std::array::from_fn(|c| word(7 * k + c + 1))).collect();
            let before: [[f64; COLUMNS]; ROWS] = std::array::from_fn(|r| std::array::from_fn(|c| word(r * c + 3)));
            for level in Level::all() {
                let (slices, mut words) = (RealSlices { level }, before);
                slices.sub_tile(&mut words, std::array::from_fn(|r| rows[r].as_slice()), &panel);
                for (r, words) in words.iter().enumerate() {
                    for (c, &found) in words.iter().enumerate() {
                        let expected = (0..len).fold(before[r][c], |word, k| word - rows[r][k] * panel[k][c]);
                        assert_eq!(found, expected, "{level:?} {len} ({r}, {c})");
                    }
                }
                let mut x: Vec<f64> = (0..len).map(word).collect();
                slices.sub_scaled(&mut x, 0.3, &rows[3]);
                assert!(x.iter().enumerate().all(|(i, &x)| x == word(i) - rows[3][i] * 0.3), "{level:?} {len}");
            }
        }
    }
}
