//! The input of every case: -1, 0 and 1 in a random pattern that is the same in each run; residues for modular cases.
//!
//! The sums of up to 2^24 such values are integers that every element type holds, so that results are compared exactly.
//! Beyond, coefficients of random signs stay far below 2^24 in size; a wrong one would still show.

use manycore_spectral::Scalar;
use rayon::prelude::*;

/// A number type of the cases.
pub trait Number: Scalar + From<i8> {
    /// The number as an integer; `None` where it is none, or past 2^53.
    fn integer(self) -> Option<i64>;
}

macro_rules! integers {
    ($($type:ident)*) => { $(
        impl Number for $type {
            fn integer(self) -> Option<i64> {
                Some(self.into())
            }
        }
    )* };
}

macro_rules! reals {
    ($($type:ident)*) => { $(
        impl Number for $type {
            fn integer(self) -> Option<i64> {
                let value = f64::from(self);
                (value.fract() == 0.0 && value.abs() <= (1u64 << 53) as f64).then_some(value as i64)
            }
        }
    )* };
}

integers!(i32 i64);
reals!(f32 f64);

/// The value at `index`: 0 for half of the indices, else 1 or -1.
pub fn value(index: u64) -> i8 {
    [-1, 0, 0, 1][(mixed(index) >> 62) as usize]
}

/// The first `len` values, made by all threads.
pub fn values<T: Number>(len: usize) -> Vec<T> {
    (0..len as u64).into_par_iter().map(|index| T::from(value(index))).collect()
}

/// The value of a Boolean function at `index`.
pub fn bit(index: u64) -> bool {
    word(index / 64) >> (index % 64) & 1 == 1
}

/// The 64 values of [`bit`] from `64 index` on.
pub fn word(index: u64) -> u64 {
    mixed(index)
}

/// The first `64 len` values of [`bit`] packed 64 a word, made by all threads.
pub fn words(len: usize) -> Vec<u64> {
    (0..len as u64).into_par_iter().map(mixed).collect()
}

/// `len` residues modulo `p`, others for another `seed`, made by all threads.
pub fn residues(len: usize, p: u64, seed: u64) -> Vec<u64> {
    (0..len as u64).into_par_iter().map(|index| mixed(index.wrapping_add(seed << 40)) % p).collect()
}

/// `len` coefficients modulo `p` of which the last one is not 0, so that they are a polynomial's, as [`residues`].
pub fn coefficients(len: usize, p: u64, seed: u64) -> Vec<u64> {
    let mut coefficients = residues(len, p, seed);
    if let Some(last @ 0) = coefficients.last_mut() {
        *last = 1;
    }
    coefficients
}

/// The output of the `SplitMix64` generator after `index` steps from seed 0 (Steele, Lea, Flood 2014).
fn mixed(index: u64) -> u64 {
    let x = index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::{Number as _, coefficients, mixed, residues, value, values};

    #[test]
    fn only_integers_are_integers() {
        assert_eq!((7i32.integer(), i64::MIN.integer(), (-3.0f32).integer()), (Some(7), Some(i64::MIN), Some(-3)));
        for none in [0.5, 1e300, f64::NAN, f64::INFINITY] {
            assert_eq!(none.integer(), None, "{none}");
        }
    }

    #[test]
    fn leading_coefficients_are_not_zero() {
        for seed in 0..64 {
            assert_eq!(coefficients(3, 2, seed)[2], 1);
        }
        assert!(coefficients(0, 2, 0).is_empty());
    }

    #[test]
    fn the_generator_is_splitmix64() {
        assert_eq!(mixed(0), 0xE220_A839_7B1D_CDAF);
        assert_eq!(mixed(1), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn signs_are_balanced() {
        let all: Vec<i32> = values(1 << 16);
        let count = |wanted: i32| all.iter().filter(|&&v| v == wanted).count() as f64 / 65536.0;
        assert!((count(1) - 0.25).abs() < 0.01 && (count(-1) - 0.25).abs() < 0.01 && (count(0) - 0.5).abs() < 0.01);
        assert_eq!(all[77], i32::from(value(77)));
    }

    #[test]
    fn bits_are_those_of_the_words() {
        let words = super::words(3);
        for index in 0..192 {
            assert_eq!(super::bit(index), words[index as usize / 64] >> (index % 64) & 1 == 1);
        }
    }

    #[test]
    fn residues_fill_their_range_and_depend_on_the_seed() {
        let (one, two) = (residues(1 << 12, 7, 1), residues(1 << 12, 7, 2));
        assert!((0..7).all(|residue| one.contains(&residue)) && one.iter().all(|&x| x < 7) && one != two);
    }
}
