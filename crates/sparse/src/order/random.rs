//! Random order, the same for a seed on every machine.

use super::room::Room;
use crate::error::SparseError;
use crate::pattern::Pattern;
use crate::permutation::{ColumnPermutation, Permutation, Reordering, RowPermutation};

/// Random numbers by `SplitMix64` (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014).
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// A number below `bound > 0`; the bias is below `bound / 2^64`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

/// The finalizer of `SplitMix64`: a bijection of 64-bit words whose bits all depend on all.
pub(crate) fn mixed(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// A place of the order of each row and column.
const ROOM: Room = Room { line_bytes: 4, non_zero_bytes: 0 };

/// An order of rows and one of columns, each uniform up to the generator's quality.
pub(super) fn order(pattern: &Pattern, seed: u64) -> Result<Reordering, SparseError> {
    ROOM.ask(pattern)?;
    let mut random = Random::new(seed);
    Ok(Reordering {
        rows: shuffled(pattern.rows(), &mut random) as RowPermutation,
        columns: shuffled(pattern.columns(), &mut random) as ColumnPermutation,
    })
}

/// Shuffle of Fisher and Yates, after Durstenfeld (1964).
fn shuffled<A>(len: usize, random: &mut Random) -> Permutation<A> {
    let mut order: Vec<u32> = (0..len as u32).collect();
    for last in (1..len).rev() {
        order.swap(last, random.below(last + 1));
    }
    Permutation::known(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        // The first numbers of seed 1234567 that the reference implementation gives.
        let mut random = Random::new(1_234_567);
        let drawn: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn every_order_of_three_comes_equally_often() {
        let mut counts = std::collections::HashMap::new();
        let mut random = Random::new(1);
        for _ in 0..6000 {
            *counts.entry(shuffled::<()>(3, &mut random).new_to_old().to_vec()).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        // Four standard deviations of a count are 115.
        assert!(counts.values().all(|&count| (885..=1115).contains(&count)), "{counts:?}");
    }
}
