//! Random words for checks.

use std::hash::{BuildHasher, RandomState};

/// The `SplitMix64` generator (G. L. Steele, D. Lea, C. H. Flood, Fast Splittable Pseudorandom Number Generators, 2014):
/// 64 bits of state, every word once in its period.
#[derive(Debug, Clone)]
pub struct SplitMix {
    state: u64,
}

impl SplitMix {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A seed that nobody could foresee: from the keys that the system gives to hash tables.
    pub fn fresh_seed() -> u64 {
        RandomState::new().hash_one(0)
    }

    /// The next word.
    pub fn next_word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Two words as one.
    pub fn next_double_word(&mut self) -> u128 {
        u128::from(self.next_word()) << 64 | u128::from(self.next_word())
    }

    /// An index below `len`, a power of two.
    pub fn index(&mut self, len: usize) -> usize {
        self.next_word() as usize & (len - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence() {
        let mut random = SplitMix::new(1_234_567);
        assert_eq!([random.next_word(), random.next_word()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn indices_lie_below_the_length() {
        let mut random = SplitMix::new(0);
        assert_eq!(random.index(1), 0);
        let mut seen = [false; 8];
        (0..200).for_each(|_| seen[random.index(8)] = true);
        assert_eq!(seen, [true; 8]);
    }

    #[test]
    fn fresh_seeds_differ() {
        assert_ne!(SplitMix::fresh_seed(), SplitMix::fresh_seed());
    }
}
