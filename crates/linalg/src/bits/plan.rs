//! Plans of products of matrices of bits: algorithms and their parameters, shapes, and the choices made so far.

use std::fmt;

use manycore_device::{Cache, DeviceError, DeviceKind, OpenCl};
use manycore_tuning::Plans;

/// How matrices of bits are multiplied; the products are the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BitProductPlan {
    /// On the host: tables of all sums of eight rows, or of four where there are few rows, for strips of eight words.
    Strips,
    /// On OpenCL devices: every bit of the first matrix adds a row of the second or not, a word to an item.
    Masks,
    /// On OpenCL devices: tables in local memory.
    Tables(BitTables),
}

impl fmt::Display for BitProductPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Strips => f.write_str("strips"),
            Self::Masks => f.write_str("masks"),
            Self::Tables(BitTables { bits, rows }) => write!(f, "tables of 2^{bits} sums, {rows} rows an item"),
        }
    }
}

/// The tables of a group of items, and its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitTables {
    /// Rows of the second matrix whose sums a table has: 4 to 6.
    pub bits: u32,
    /// Rows of the result that an item makes, two words of each.
    pub rows: u32,
}

/// Items along a row of a strip, each with two words: a line of a table has 128 bytes, the width of the banks of a GPU.
pub(super) const LANES: usize = 8;
/// Large tables are for many rows, which share them.
const TABLES: [(u32, u32); 7] = [(6, 16), (5, 16), (5, 8), (4, 8), (4, 4), (4, 2), (4, 1)];

impl BitTables {
    /// The tables that are candidates on a device, those for the most rows first.
    pub(super) fn candidates(cl: &OpenCl) -> Result<Vec<Self>, DeviceError> {
        let mut found = Vec::new();
        for (bits, rows) in TABLES {
            let tables = Self { bits, rows };
            if tables.fits(cl)? {
                found.push(tables);
            }
        }
        Ok(found)
    }

    /// Whether the device has room for the tables.
    pub(super) fn fits(self, cl: &OpenCl) -> Result<bool, DeviceError> {
        let is_known = (4..=6).contains(&self.bits) && (1..=16).contains(&self.rows);
        let has_room = is_known && self.local_words() * size_of::<u64>() <= cl.local_limit_bytes()?;
        Ok(has_room && cl.info().group_limit >= LANES)
    }

    /// Rows that a group takes at a time: as many as a group of 256 items has, of 64 where items are no threads.
    pub(super) fn lines(cl: &OpenCl) -> usize {
        let widest = if cl.info().kind == DeviceKind::Gpu { 256 } else { 64 };
        (widest.min(cl.info().group_limit) / LANES).max(1)
    }

    /// Tables for the rows of a word of the first matrix.
    pub(super) const fn count(self) -> usize {
        u64::BITS.div_ceil(self.bits) as usize
    }

    /// Words of local memory.
    pub(super) const fn local_words(self) -> usize {
        (self.count() << self.bits) * 2 * LANES
    }
}

/// Added to a matrix of `rows` by `words` words: the product of one of `rows` by `inner` bits and one of `inner` by `words` words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct BitShape {
    pub(super) rows: usize,
    pub(super) inner: usize,
    pub(super) words: usize,
}

impl BitShape {
    /// Shapes whose numbers have the next power of two in common are estimated together.
    pub(super) fn bucket(self) -> Self {
        let power = |count: usize| count.checked_next_power_of_two().unwrap_or(count);
        Self { rows: power(self.rows), inner: power(self.inner), words: power(self.words) }
    }

    /// Rows, rounds of a word of the first matrix each, and words of a row, each at least 1.
    pub(super) fn counts(self) -> (u64, u64, u64) {
        (self.rows.max(1) as u64, self.inner.div_ceil(u64::BITS as usize).max(1) as u64, self.words.max(1) as u64)
    }
}

/// Choices by shape, and those by estimates alone, which elimination takes.
#[derive(Debug)]
pub(super) struct BitChoices {
    pub(super) chosen: Plans<BitShape, BitProductPlan>,
    pub(super) estimated: Cache<BitShape, BitProductPlan>,
}

impl Default for BitChoices {
    fn default() -> Self {
        Self { chosen: Plans::default(), estimated: Cache::at_most(1 << 12) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_for_all_bits_of_a_word() {
        let tables = |bits| BitTables { bits, rows: 1 };
        assert_eq!([4, 5, 6].map(|bits| tables(bits).count()), [16, 13, 11]);
        assert_eq!(tables(4).local_words() * 8, 32 << 10);
        assert_eq!(tables(6).local_words() * 8, 11 * 64 * 128);
    }

    #[test]
    fn texts_tell_plans_apart() {
        let tables = TABLES.map(|(bits, rows)| BitProductPlan::Tables(BitTables { bits, rows }));
        let plans = tables.into_iter().chain([BitProductPlan::Strips, BitProductPlan::Masks]);
        let mut texts: Vec<String> = plans.map(|plan| plan.to_string()).collect();
        let count = texts.len();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), count);
    }
}
