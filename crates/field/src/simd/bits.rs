//! Sums modulo 2 of lines of bits that tables hold: the inner loop of the Method of the Four Russians.

use super::level::{Level, Task};

/// Words of a line: a vector of the widest kind.
const LINE: usize = 8;

/// Sums of lines of 512 bits, on one thread, with the widest vectors that the processor has.
///
/// ```
/// use manycore_field::BitLines;
/// // Two rows; factors have 64 bits, eight at a time of which choose a line of a table.
/// let mut tables = vec![[0; 8]; 8 * 256];
/// tables[3] = [5; 8]; // of the first table, for the bits 00000011
/// let mut out = [1, 1, 1, 1];
/// BitLines::new().add_lines(&mut out, 2, 2, &[3, 0], 1, &tables);
/// assert_eq!(out, [4, 4, 1, 1]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitLines {
    level: Level,
}

impl Default for BitLines {
    fn default() -> Self {
        Self::new()
    }
}

impl BitLines {
    /// With the processor's widest vectors.
    pub fn new() -> Self {
        Self { level: Level::widest() }
    }

    /// For each row `i`, of which `width` words at most 8 stand at `out[i * stride]`, adds modulo 2 the line that every part of the
    /// factor `factors[i * step]` chooses of its table. There are 8 tables of 256 lines for parts of eight bits, lowest first, or
    /// 16 of 16 lines for parts of four; lines that are not there are 0. As many rows as there are words for in both slices.
    pub fn add_lines(
        &self,
        out: &mut [u64],
        stride: usize,
        width: usize,
        factors: &[u64],
        step: usize,
        tables: &[[u64; 8]],
    ) {
        self.level.run(Lines { out, stride, width, factors, step, tables });
    }
}

struct Lines<'a> {
    out: &'a mut [u64],
    stride: usize,
    width: usize,
    factors: &'a [u64],
    step: usize,
    tables: &'a [[u64; LINE]],
}

impl Lines<'_> {
    /// With a function that adds the lines of a factor.
    #[inline(always)]
    fn by<const LINES: usize>(self, sum: impl Fn(&[[[u64; LINE]; LINES]], u64) -> [u64; LINE]) {
        let Self { out, stride, width, factors, step, tables } = self;
        let tables = tables.as_chunks::<LINES>().0;
        let rows = out.chunks_mut(stride.max(1)).zip(factors.iter().step_by(step.max(1)));
        for (row, &factor) in rows {
            let line = sum(tables, factor);
            match row.first_chunk_mut::<LINE>() {
                Some(row) if width >= LINE => row.iter_mut().zip(line).for_each(|(x, y)| *x ^= y),
                _ => row.iter_mut().zip(line).take(width).for_each(|(x, y)| *x ^= y),
            }
        }
    }
}

/// The sum of the lines that the parts of a factor choose.
#[inline(always)]
fn sum<const BITS: usize, const LINES: usize>(tables: &[[[u64; LINE]; LINES]], factor: u64) -> [u64; LINE] {
    let mut line = [0u64; LINE];
    for (t, table) in tables.iter().enumerate() {
        let other = &table[(factor >> (BITS * t)) as usize % LINES];
        line.iter_mut().zip(other).for_each(|(x, y)| *x ^= y);
    }
    line
}

impl Task for Lines<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        if self.tables.len() > 256 { self.by::<256>(sum::<8, 256>) } else { self.by::<16>(sum::<4, 16>) }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: super::vectors::Pairs>(self) {
        use super::bits_avx512 as wide;
        if V::LANES < 16 {
            return self.portable();
        }
        if self.tables.len() > 256 {
            // SAFETY: the caller has the instruction set of vectors of sixteen words, AVX-512F.
            self.by::<256>(|tables, factor| unsafe { wide::sum::<8, 256>(tables, factor) });
        } else {
            // SAFETY: as above.
            self.by::<16>(|tables, factor| unsafe { wide::sum::<4, 16>(tables, factor) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(i: usize) -> u64 {
        (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    }

    #[test]
    fn every_level_adds_the_lines_of_all_parts() {
        for (bits, count) in [(8, 8), (4, 16)] {
            let tables: Vec<[u64; LINE]> =
                (0..count << bits).map(|e| std::array::from_fn(|w| word(e * LINE + w))).collect();
            for (width, stride, step, rows) in [(8, 8, 1, 5), (8, 11, 3, 4), (3, 9, 2, 7), (1, 1, 1, 2), (5, 5, 1, 0)] {
                let factors: Vec<u64> = (0..rows * step).map(|i| word(7 * i)).collect();
                let before: Vec<u64> = (0..rows * stride).map(|i| word(i + 99)).collect();
                for level in Level::all() {
                    let mut out = before.clone();
                    BitLines { level }.add_lines(&mut out, stride, width, &factors, step, &tables);
                    for (e, &found) in out.iter().enumerate() {
                        let (i, w) = (e / stride, e % stride);
                        let part = |t: usize| (factors[i * step] >> (bits * t)) as usize % (1 << bits);
                        let lines = (0..count).map(|t| tables[(t << bits) + part(t)][w]);
                        let expected = if w < width { lines.fold(before[e], |x, y| x ^ y) } else { before[e] };
                        assert_eq!(found, expected, "{level:?} {bits} {width} {stride} {step} {e}");
                    }
                }
            }
        }
    }
}
