//! Random draws from a seed: choices, lengths biased to corners, and numbers.

use manycore::verify::SplitMix;

/// Everything that one case draws, from a seed of 64 bits (`SplitMix64`).
#[derive(Debug, Clone)]
pub struct Random(SplitMix);

impl Random {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix::new(seed))
    }

    /// The next word.
    pub fn word(&mut self) -> u64 {
        self.0.next_word()
    }

    /// A number below `n`; 0 for `n = 0`.
    pub fn below(&mut self, n: u64) -> u64 {
        // The high half of the product is below n; its bias is below n / 2^64.
        ((u128::from(self.word()) * u128::from(n)) >> 64) as u64
    }

    /// A number from `low` to `high`, both included.
    pub fn within(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// One of several, all alike.
    ///
    /// # Panics
    /// If there is none.
    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    /// A length of at most `most`: log-uniform; half of them at corners, which are 0, 1, 2, powers of two and their neighbours,
    /// and three quarters of a power of two.
    pub fn length(&mut self, most: usize) -> usize {
        let log = most.max(1).ilog2();
        let exponent = self.within(0, u64::from(log)) as u32;
        let power = 1_usize << exponent;
        let len = match self.below(16) {
            0 => self.below(3) as usize,
            1 | 2 => power,
            3 | 4 => power + 1,
            5 | 6 => power - 1,
            7 => power / 2 + power / 4,
            _ => power + self.below(power as u64) as usize,
        };
        len.min(most)
    }

    /// A base-2 logarithm of a length of at most `most` values.
    pub fn log_length(&mut self, most: usize) -> u32 {
        self.within(0, u64::from(most.max(1).ilog2())) as u32
    }

    /// A number in [-1, 1), with 53 bits.
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_reproduce() {
        let (mut a, mut b) = (Random::new(7), Random::new(7));
        assert!((0..100).all(|_| a.length(1 << 20) == b.length(1 << 20)));
        assert_ne!(Random::new(7).word(), Random::new(8).word());
    }

    #[test]
    fn numbers_lie_in_their_ranges_and_reach_both_ends() {
        let mut random = Random::new(1);
        let drawn: Vec<u64> = (0..1000).map(|_| random.within(3, 6)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&3), Some(&6)));
        assert_eq!(random.below(0), 0);
        assert!((0..1000).all(|_| (-1.0..1.0).contains(&random.unit())));
    }

    #[test]
    fn lengths_meet_corners() {
        let mut random = Random::new(2);
        let lengths: Vec<usize> = (0..20_000).map(|_| random.length(1 << 12)).collect();
        assert!(lengths.iter().all(|&len| len <= 1 << 12));
        for corner in [0, 1, 2, 3, 255, 256, 257, 1 << 12, 3 << 9] {
            assert!(lengths.contains(&corner), "{corner}");
        }
        assert_eq!(Random::new(3).length(0), 0);
    }
}
