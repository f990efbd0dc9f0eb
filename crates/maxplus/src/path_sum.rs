//! Sums of weights along paths.

use std::fmt::{Debug, Display};

/// A sum of weights along a path.
pub trait PathSum: Copy + PartialOrd + Debug + Display {
    /// No weight.
    const NOTHING: Self;

    /// The sum of two; of integers of 128 bits, which no path of weights of 64 bits passes.
    #[must_use]
    fn and(self, other: Self) -> Self;
}

impl PathSum for i128 {
    const NOTHING: Self = 0;

    fn and(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}

impl PathSum for f32 {
    const NOTHING: Self = 0.0;

    fn and(self, other: Self) -> Self {
        self + other
    }
}

impl PathSum for f64 {
    const NOTHING: Self = 0.0;

    fn and(self, other: Self) -> Self {
        self + other
    }
}
