//! Ratios of weight to time: exact fractions of integers, or doubles with a bound of their error.

use std::cmp::Ordering;
use std::fmt::{Debug, Display};

use crate::error::MaxPlusError;
use crate::path_sum::PathSum;

/// The numbers of ratios: `i128`, exactly, and `f64`.
pub trait RatioNumber: PathSum {
    /// Whether ratios are exact.
    const IS_EXACT: bool;

    /// The ratio of weight to time in lowest terms; `None` where the time is 0.
    fn reduced(weight: Self, time: u64) -> Option<Ratio<Self>>;

    /// An arc's weight above the ratio times its time, times the ratio's time; `None` past 127 bits.
    fn above(self, time: u64, ratio: &Ratio<Self>) -> Option<Self>;

    /// Which of two ratios is greater; `None` past 127 bits.
    fn compare(a: &Ratio<Self>, b: &Ratio<Self>) -> Option<Ordering>;

    /// The sum; `None` past 127 bits.
    fn checked(self, other: Self) -> Option<Self>;

    /// The difference; `None` past 127 bits.
    fn less(self, other: Self) -> Option<Self>;

    /// The nearest double.
    fn double(self) -> f64;

    /// A number of floating point times a power of two; itself if it is exact.
    #[must_use]
    fn scaled(self, factor: f64) -> Self;

    /// A bound of the rounding error of a sum of `count` terms of absolute value at most `largest`.
    fn rounding(count: usize, largest: f64) -> Self;
}

/// A ratio of weight to time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio<E> {
    /// The weight; of exact ratios without a factor in common with the time.
    pub weight: E,
    /// The time, at least 1; 1 for doubles.
    pub time: u64,
}

impl<E: RatioNumber> Ratio<E> {
    /// The nearest double, or one beside it.
    pub fn value(&self) -> f64 {
        self.weight.double() / self.time as f64
    }

    pub(crate) fn scaled(self, factor: f64) -> Self {
        Self { weight: self.weight.scaled(factor), ..self }
    }
}

impl<E: Display> Display for Ratio<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.time {
            1 => write!(f, "{}", self.weight),
            time => write!(f, "{}/{time}", self.weight),
        }
    }
}

impl RatioNumber for i128 {
    const IS_EXACT: bool = true;

    fn reduced(weight: Self, time: u64) -> Option<Ratio<Self>> {
        let (mut a, mut b) = (weight.unsigned_abs(), u128::from(time));
        while b != 0 {
            (a, b) = (b, a % b);
        }
        // Of a time of at least 1 and any weight at least 1, and at most the time.
        (time != 0).then(|| Ratio { weight: weight / a as i128, time: time / a as u64 })
    }

    fn above(self, time: u64, ratio: &Ratio<Self>) -> Option<Self> {
        self.checked_mul(ratio.time.into())?.checked_sub(ratio.weight.checked_mul(time.into())?)
    }

    fn compare(a: &Ratio<Self>, b: &Ratio<Self>) -> Option<Ordering> {
        Some(a.weight.checked_mul(b.time.into())?.cmp(&b.weight.checked_mul(a.time.into())?))
    }

    fn checked(self, other: Self) -> Option<Self> {
        self.checked_add(other)
    }

    fn less(self, other: Self) -> Option<Self> {
        self.checked_sub(other)
    }

    fn double(self) -> f64 {
        self as f64
    }

    fn scaled(self, _: f64) -> Self {
        self
    }

    fn rounding(_: usize, _: f64) -> Self {
        0
    }
}

impl RatioNumber for f64 {
    const IS_EXACT: bool = false;

    fn reduced(weight: Self, time: u64) -> Option<Ratio<Self>> {
        (time != 0).then(|| Ratio { weight: weight / time as Self, time: 1 })
    }

    fn above(self, time: u64, ratio: &Ratio<Self>) -> Option<Self> {
        Some(self - ratio.weight * time as Self)
    }

    fn compare(a: &Ratio<Self>, b: &Ratio<Self>) -> Option<Ordering> {
        a.weight.partial_cmp(&b.weight)
    }

    fn checked(self, other: Self) -> Option<Self> {
        Some(self + other)
    }

    fn less(self, other: Self) -> Option<Self> {
        Some(self - other)
    }

    fn double(self) -> f64 {
        self
    }

    fn scaled(self, factor: f64) -> Self {
        self * factor
    }

    fn rounding(count: usize, largest: f64) -> Self {
        // Each of count sums is off by half a unit in the last place of at most count times the largest term, with room for a
        // product and a difference in each term.
        4.0 * (count as f64 + 1.0) * largest * Self::EPSILON
    }
}

/// The error of numbers past 127 bits.
pub(crate) fn exact<R>(found: Option<R>) -> Result<R, MaxPlusError> {
    found.ok_or(MaxPlusError::Exact { what: "the cycle mean" })
}
