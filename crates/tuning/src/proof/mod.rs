//! Known-answer tests of plans: a plan is compared with the host before a device first takes it.
//!
//! Drivers also miscompile programs whose primitives are all right. So the operation runs once by the plan on a small input that
//! the host makes ([`Operation::proof`](crate::Operation::proof)), and the results are compared with the host's. What was found is kept with the driver
//! and the revision of the code (`verdicts`).
//!
//! | file | what |
//! |---|---|
//! | `input` | words that the host makes |
//! | `ask` | when a plan is proved, and what follows |
//! | `every` | proofs of every plan of a choice |

mod ask;
mod every;
mod input;

use std::fmt;

use manycore_device::{Device, TuningMode, Word};

pub use ask::Asked;
pub(crate) use every::choosing;
pub use every::{Proved, every};
pub use input::{KnownWords, few, known_below, known_residues, known_words, normal_range, number, rounding_unit};

/// Words of the largest input of a proof.
pub const MOST_WORDS: u64 = 1 << 22;
/// Additions and products of the host for the largest proof: tenths of a second of one processor.
pub const MOST_OPERATIONS: u64 = 1 << 28;

/// What is known of the results of a plan on a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// They are those of the host.
    Holds,
    /// They are not: where and by how much.
    Differs(String),
    /// The shape is too large for a proof: nothing is known.
    TooLarge,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Holds => f.write_str("gave the host's results on this device with this driver"),
            Self::Differs(difference) => f.write_str(difference),
            Self::TooLarge => f.write_str("not compared with the host: the shape is too large for a known-answer test"),
        }
    }
}

impl Proof {
    /// Compares the bits of a device's words with those of the host.
    pub fn of_words<T: Word>(found: &[T], expected: &[T]) -> Self {
        if found.len() != expected.len() {
            return Self::Differs(format!("{} words, not {}", found.len(), expected.len()));
        }
        let differs = |(a, b): (&T, &T)| bytemuck::bytes_of(a) != bytemuck::bytes_of(b);
        match found.iter().zip(expected).position(differs) {
            None => Self::Holds,
            Some(i) => Self::Differs(format!("word {i} of {} is {:?}, not {:?}", found.len(), found[i], expected[i])),
        }
    }

    /// Compares a device's words with those of the host: integers by their bits, floating-point numbers up to `most`.
    pub fn of_near<T: Word>(found: &[T], expected: &[T], most: f64) -> Self {
        if rounding_unit::<T>() == 0.0 || found.len() != expected.len() {
            return Self::of_words(found, expected);
        }
        let near = |(&a, &b): (&T, &T)| (number(a) - number(b)).abs() <= most;
        match found.iter().zip(expected).position(|pair| !near(pair)) {
            None => Self::Holds,
            Some(i) => Self::Differs(format!(
                "word {i} of {} is {:?}, not {:?} up to {most:.3e}",
                found.len(),
                found[i],
                expected[i]
            )),
        }
    }

    /// Compares two values as a whole.
    pub fn of_values<T: PartialEq + fmt::Debug>(found: &T, expected: &T) -> Self {
        if found == expected {
            return Self::Holds;
        }
        let short = |value: &T| -> String { format!("{value:?}").chars().take(100).collect() };
        Self::Differs(format!("{}, not {}", short(found), short(expected)))
    }

    /// Compares by the distance of all results from the host's, which is at most `bound`: for numbers that round.
    pub fn of_distance(distance: f64, bound: f64) -> Self {
        if distance <= bound {
            return Self::Holds;
        }
        Self::Differs(format!(
            "the results are {distance:.3e} from the host's, where rounding makes {bound:.3e} at most"
        ))
    }

    /// Compares numbers of absolute value 1 or residues one by one, by what tells whether two are `equal`.
    pub fn of_equal<T: fmt::Debug>(found: &[T], expected: &[T], equal: impl Fn(&T, &T) -> bool) -> Self {
        if found.len() != expected.len() {
            return Self::Differs(format!("{} values, not {}", found.len(), expected.len()));
        }
        match found.iter().zip(expected).position(|(a, b)| !equal(a, b)) {
            None => Self::Holds,
            Some(i) => Self::Differs(format!("value {i} of {} is {:?}, not {:?}", found.len(), found[i], expected[i])),
        }
    }

    /// Both of two comparisons: the first that differs.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match self {
            Self::Holds => other,
            found => found,
        }
    }
}

/// Whether an input of so many words, on which the host does so many operations, is small enough for a proof.
pub fn is_small(words: u64, operations: u64) -> bool {
    words <= MOST_WORDS && operations <= MOST_OPERATIONS
}

/// The host, whose results count: it chooses by estimates, so that a proof measures nothing.
pub fn host() -> Device {
    Device::host().with_tuning(TuningMode::Estimate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_wrong_word_is_told() {
        assert_eq!(Proof::of_words(&[1u32, 2, 3], &[1, 2, 3]), Proof::Holds);
        assert_eq!(Proof::of_words(&[1u32, 7, 9], &[1, 2, 3]), Proof::Differs("word 1 of 3 is 7, not 2".into()));
        assert_eq!(Proof::of_words(&[1u32], &[1, 2]), Proof::Differs("1 words, not 2".into()));
        // The same bits, though NaN is not equal to itself and 0 is to -0.
        assert_eq!(Proof::of_words(&[f64::NAN], &[f64::NAN]), Proof::Holds);
        assert!(matches!(Proof::of_words(&[0.0f32], &[-0.0]), Proof::Differs(_)));
        assert_eq!(Proof::of_near(&[1.0f32, 2.5], &[1.0, 2.0], 0.5), Proof::Holds);
        let far = Proof::Differs("word 1 of 2 is 2.5, not 2.0 up to 1.000e-1".into());
        assert_eq!(Proof::of_near(&[1.0f64, 2.5], &[1.0, 2.0], 0.1), far);
        assert!(matches!(Proof::of_near(&[f64::NAN], &[1.0], 9.0), Proof::Differs(_)));
        assert!(matches!(Proof::of_near(&[2u32], &[1], 9.0), Proof::Differs(_)));
        assert_eq!(Proof::of_distance(f64::NAN, 1.0).and(Proof::Holds), Proof::of_distance(f64::NAN, 1.0));
        assert_eq!(Proof::Holds.and(Proof::TooLarge), Proof::TooLarge);
    }
}
