//! Inputs of proofs, which the host makes: pseudo-random words of all bits, and the numbers that words are.

use manycore_device::{Word, WordType};

/// Arrays of a proof in place of `count` of so many words each: a few, and of short ones as many as fill a work-group's memory,
/// and one more.
pub fn few(count: usize, words_each: usize) -> usize {
    const WORDS_OF_GROUP: usize = 1 << 13;
    count.min((WORDS_OF_GROUP / words_each.max(1) + 1).max(3))
}

/// Pseudo-random words of all bits, by `SplitMix64` (Steele, Lea, Flood 2014).
#[derive(Debug, Clone)]
pub struct KnownWords(u64);

impl KnownWords {
    /// The words of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A whole number from `-bound` to `bound` that is not zero, whose sign sums would lose.
    pub fn whole(&mut self, bound: u32) -> i64 {
        let word = self.next_word();
        let size = 1 + (word >> 1) as i64 % i64::from(bound.max(1));
        if word & 1 == 0 { size } else { -size }
    }

    /// The next word.
    pub fn next_word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl Iterator for KnownWords {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        Some(self.next_word())
    }
}

/// Pseudo-random numbers below `bound`, as residues are, from 0 on with the largest one among them.
pub fn known_below(bound: u64, seed: u64) -> impl Iterator<Item = u64> {
    let corners = [0, bound.saturating_sub(1), 1];
    corners.into_iter().chain(KnownWords::new(seed)).map(move |word| word % bound.max(1))
}

/// Pseudo-random canonical residues modulo `modulus`, the largest one among them.
pub fn known_residues<T: Word>(modulus: T, count: usize, seed: u64) -> Vec<T> {
    let mut bound = [0; 8];
    bound[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&modulus));
    let word = |residue: u64| bytemuck::pod_read_unaligned(&residue.to_le_bytes()[..size_of::<T>()]);
    known_below(u64::from_le_bytes(bound), seed).take(count).map(word).collect()
}

/// Pseudo-random words of a type: integers of all bits; floating-point numbers are whole and from 1 to 7 in absolute value, so
/// that sums of a million are exact in single precision.
pub fn known_words<T: Word>(count: usize, seed: u64) -> Vec<T> {
    let mut words = KnownWords::new(seed);
    let word = |_| match T::TYPE {
        WordType::F32 => bytemuck::pod_read_unaligned(bytemuck::bytes_of(&(words.whole(7) as f32))),
        WordType::F64 => bytemuck::pod_read_unaligned(bytemuck::bytes_of(&(words.whole(7) as f64))),
        // The lowest bytes of a word are those of a shorter one.
        _ => bytemuck::pod_read_unaligned(&words.next_word().to_le_bytes()[..size_of::<T>()]),
    };
    (0..count).map(word).collect()
}

/// The value of a word, rounded to double precision.
pub fn number<T: Word>(word: T) -> f64 {
    let bytes = bytemuck::bytes_of(&word);
    // The lowest bytes of a word are those of a shorter one, and its sign is above them.
    let bits = |fill: u8| -> u64 {
        let mut all = [fill; 8];
        all[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(all)
    };
    let is_negative = bytes.last().is_some_and(|byte| byte >> 7 == 1);
    match T::TYPE {
        WordType::F32 => f64::from(f32::from_bits(bits(0) as u32)),
        WordType::F64 => f64::from_bits(bits(0)),
        WordType::U8 | WordType::U16 | WordType::U32 | WordType::U64 => bits(0) as f64,
        WordType::I8 | WordType::I16 | WordType::I32 | WordType::I64 => {
            bits(if is_negative { 0xff } else { 0 }) as i64 as f64
        }
    }
}

/// The smallest normal and the largest number of a floating-point type; 0 and infinity for integers.
pub fn normal_range<T: Word>() -> [f64; 2] {
    match T::TYPE {
        WordType::F32 => [f32::MIN_POSITIVE, f32::MAX].map(f64::from),
        WordType::F64 => [f64::MIN_POSITIVE, f64::MAX],
        _ => [0.0, f64::INFINITY],
    }
}

/// The distance of 1 from the next number of a floating-point type; 0 for integers.
pub fn rounding_unit<T: Word>() -> f64 {
    match T::TYPE {
        WordType::F32 => f64::from(f32::EPSILON),
        WordType::F64 => f64::EPSILON,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_words_are_of_their_type() {
        let words: Vec<u64> = KnownWords::new(0).take(2).collect();
        // The reference values of SplitMix64.
        assert_eq!(words, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
        assert_eq!(known_words::<u64>(2, 0), words);
        assert_eq!(known_words::<u16>(2, 0), [0xcdaf, 0x65f4]);
        let numbers = known_words::<f32>(1000, 3);
        assert!(numbers.iter().all(|x| x.fract() == 0.0 && x.abs() <= 7.0));
        assert!((-7..=7).all(|whole| numbers.contains(&(whole as f32)) == (whole != 0)));
        assert!(known_below(7, 3).take(1000).all(|word| word < 7) && known_below(7, 3).take(3).eq([0, 6, 1]));
        assert_eq!(known_residues(101u32, 3, 7), [0, 100, 1]);
        assert_eq!(known_below(1, 3).take(3).max(), Some(0));
    }

    #[test]
    fn words_are_numbers() {
        let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
        let found = [number(-3i8), number(-3i64), number(-1.5f32), number(2.5f64)];
        assert_eq!(bits(&found), bits(&[-3.0, -3.0, -1.5, 2.5]));
        assert_eq!(bits(&[number(0xfdu8), number(1u32 << 31)]), bits(&[253.0, 2_147_483_648.0]));
    }

    #[test]
    fn few_arrays_fill_a_group() {
        assert_eq!([few(1, 1 << 20), few(100, 1 << 20), few(2, 4), few(1 << 20, 4)], [1, 3, 2, 2049]);
        assert_eq!(few(1 << 20, 0), 8193);
    }
}
