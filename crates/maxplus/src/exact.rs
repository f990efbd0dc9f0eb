//! Exact sums of floating-point weights: multiples of a power of two in 128 bits where all sums fit, else a fixed-point number over the
//! whole range of double precision (Kulisch, "Computer arithmetic and validity", 2013, chapter 8).
//!
//! A sum of doubles is a dyadic rational, so that the sign of a circuit is decided, not estimated. What the doubles stand for may be
//! off: an integer counts as exact, any other weight as rounded, by up to half a unit in its last place.

use std::cmp::Ordering;
use std::fmt;

use crate::error::MaxPlusError;
use crate::graph::Graph;
use crate::path_sum::PathSum;
use crate::weight::Weight;

/// Exact sums, in multiples of a [`Unit`].
pub(crate) trait ExactSum: PathSum + Ord + Send + Sync {
    /// `mantissa * 2^exponent` units.
    fn of(mantissa: i64, exponent: u32) -> Self;

    /// The difference.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// Whether it is negative, the highest 128 bits of the size from its first one on, of which the lowest one is set where one below is
    /// cut off, and the number of bits below them.
    fn leading(self) -> (bool, u128, i32);
}

impl ExactSum for i128 {
    fn of(mantissa: i64, exponent: u32) -> Self {
        Self::from(mantissa) << exponent
    }

    fn minus(self, other: Self) -> Self {
        self - other
    }

    fn leading(self) -> (bool, u128, i32) {
        (self < 0, self.unsigned_abs(), 0)
    }
}

/// Words of a fixed-point number of all doubles: from `2^-1088` to sums of `2^63` of the largest one.
const WORDS: usize = 34;

/// A fixed-point number in two's complement, the lowest word first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wide([u64; WORDS]);

impl Wide {
    fn is_negative(self) -> bool {
        self.0[WORDS - 1] >> 63 == 1
    }

    fn opposite(self) -> Self {
        Self::NOTHING.minus(self)
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Self) -> Ordering {
        // Negative numbers are the lower ones, otherwise all words count as they are.
        let signs = other.is_negative().cmp(&self.is_negative());
        signs.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Unit::WIDE.rounded(*self, f64::MANTISSA_DIGITS))
    }
}

impl PathSum for Wide {
    const NOTHING: Self = Self([0; WORDS]);

    fn and(self, other: Self) -> Self {
        let mut sum = self;
        let mut carry = false;
        for (word, other) in sum.0.iter_mut().zip(other.0) {
            let (added, first) = word.overflowing_add(other);
            let (added, second) = added.overflowing_add(u64::from(carry));
            (*word, carry) = (added, first || second);
        }
        sum
    }
}

impl ExactSum for Wide {
    fn of(mantissa: i64, exponent: u32) -> Self {
        let (word, shift) = (exponent as usize / 64, exponent % 64);
        let bits = i128::from(mantissa) << shift;
        let mut words = [if mantissa < 0 { u64::MAX } else { 0 }; WORDS];
        words[..word].fill(0);
        (words[word], words[word + 1]) = (bits as u64, (bits >> 64) as u64);
        Self(words)
    }

    fn minus(self, other: Self) -> Self {
        let mut difference = self;
        let mut borrow = false;
        for (word, other) in difference.0.iter_mut().zip(other.0) {
            let (less, first) = word.overflowing_sub(other);
            let (less, second) = less.overflowing_sub(u64::from(borrow));
            (*word, borrow) = (less, first || second);
        }
        difference
    }

    fn leading(self) -> (bool, u128, i32) {
        let size = if self.is_negative() { self.opposite() } else { self };
        let Some(top) = (0..WORDS).rev().find(|&word| size.0[word] != 0) else { return (false, 0, 0) };
        let word = |below: usize| top.checked_sub(below).map_or(0, |at| u128::from(size.0[at]));
        let zeros = size.0[top].leading_zeros();
        let mut leading = word(0) << 64 | word(1);
        if zeros > 0 {
            leading = leading << zeros | word(2) >> (64 - zeros);
        }
        let has_more = (word(2) << zeros) as u64 != 0 || size.0[..top.saturating_sub(2)].iter().any(|&word| word != 0);
        (self.is_negative(), leading | u128::from(has_more), 64 * (top as i32 - 1) - zeros as i32)
    }
}

/// What exact sums count: a power of two of which all weights of a graph, and half a unit in the last place of each, are multiples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unit {
    exponent: i32,
    /// Whether 128 bits hold all sums.
    pub(crate) is_narrow: bool,
}

impl Unit {
    pub(crate) const WIDE: Self = Self { exponent: -32 * (WORDS as i32), is_narrow: false };

    /// The unit of sums of up to `count` of these weights.
    pub(crate) fn of<T: Weight>(weights: impl Iterator<Item = T>, count: usize) -> Self {
        let (mut least, mut most) = (0, 0);
        for weight in weights {
            let (mantissa, exponent) = weight.parts();
            least = least.min(weight.half_unit().unwrap_or(exponent));
            most = most.max(exponent + 64 - mantissa.unsigned_abs().leading_zeros() as i32);
        }
        // Differences of three sums, and a sign.
        let bits = most - least + (usize::BITS - count.leading_zeros()) as i32 + 4;
        if bits <= 126 { Self { exponent: least, is_narrow: true } } else { Self::WIDE }
    }

    /// A weight.
    pub(crate) fn exactly<T: Weight, S: ExactSum>(self, weight: T) -> S {
        let (mantissa, exponent) = weight.parts();
        if mantissa == 0 { S::NOTHING } else { S::of(mantissa, (exponent - self.exponent).unsigned_abs()) }
    }

    /// By how much a weight may be off.
    pub(crate) fn doubt<T: Weight, S: ExactSum>(self, weight: T) -> S {
        weight.half_unit().map_or(S::NOTHING, |exponent| S::of(1, (exponent - self.exponent).unsigned_abs()))
    }

    /// The nearest number with `bits` bits of precision; of two equally near ones, the even one.
    pub(crate) fn rounded<S: ExactSum>(self, sum: S, bits: u32) -> f64 {
        let (is_negative, size, below) = sum.leading();
        let cut = (128 - size.leading_zeros()).saturating_sub(bits);
        let (kept, rest) = (size >> cut, size & ((1 << cut) - 1));
        let half = if cut == 0 { 1 } else { 1u128 << (cut - 1) };
        let up = rest > half || (rest == half && kept & 1 == 1);
        let size = power((kept + u128::from(up)) as f64, cut as i32 + below + self.exponent);
        if is_negative { -size } else { size }
    }

    /// The nearest weight.
    pub(crate) fn weight<T: Weight, S: ExactSum>(self, sum: S) -> Option<T> {
        T::from_real(self.rounded(sum, T::MANTISSA_BITS))
    }
}

/// `value * 2^exponent`, in steps that do not pass the ends of the type before the result does.
fn power(mut value: f64, mut exponent: i32) -> f64 {
    while exponent != 0 {
        let step = exponent.clamp(-1000, 1000);
        value *= f64::from_bits(((1023 + i64::from(step)) as u64) << 52);
        exponent -= step;
    }
    value
}

/// The error of a positive circuit of a graph.
pub(crate) fn positive<T: Weight>(graph: &Graph<T>, nodes: Vec<u32>) -> MaxPlusError {
    MaxPlusError::PositiveCircuit { sum: sum_of_circuit(graph, &nodes), nodes }
}

/// The sum of the weights of a circuit's arcs, to be read: exact of integers, the nearest double of the exact sum otherwise.
fn sum_of_circuit<T: Weight>(graph: &Graph<T>, circuit: &[u32]) -> String {
    let ends = circuit.iter().zip(circuit.iter().cycle().skip(1));
    let weights: Vec<T> = ends.filter_map(|(&from, &to)| graph.weight(from, to)).collect();
    if T::IS_EXACT {
        let sum: i128 = weights.iter().filter_map(|weight| weight.integer()).sum();
        return sum.to_string();
    }
    let sum = weights.iter().fold(Wide::NOTHING, |sum, &weight| sum.and(Unit::WIDE.exactly(weight)));
    sum.to_string()
}

#[allow(clippy::float_cmp)] // exact values
#[cfg(test)]
mod tests {
    use super::*;

    fn sum<S: ExactSum>(unit: Unit, weights: &[f64]) -> S {
        weights.iter().fold(S::NOTHING, |sum, &weight| sum.and(unit.exactly(weight)))
    }

    #[test]
    fn sums_of_doubles_are_exact() {
        for (weights, expected) in [
            (&[1e300, -1e300, 0.5][..], 0.5),
            (&[1e16, -1.000_000_000_000_000_2e16], -2.0),
            (&[0.1, 0.7, -0.8], -8.326_672_684_688_674e-17),
            (&[f64::MAX, f64::MAX, -f64::MAX, -f64::MAX, f64::from_bits(1)], f64::from_bits(1)),
            (&[-0.25, 0.25], 0.0),
            (&[], 0.0),
            (&[0.1, 0.2], 0.300_000_000_000_000_04),
            (&[9_007_199_254_740_992.0, 1.0], 9_007_199_254_740_992.0),
            (&[9_007_199_254_740_992.0, 1.0, 1e-300], 9_007_199_254_740_994.0),
            (&[-9_007_199_254_740_992.0, -3.0], -9_007_199_254_740_996.0),
        ] {
            let unit = Unit::of(weights.iter().copied(), weights.len());
            assert_eq!(Unit::WIDE.rounded(sum::<Wide>(Unit::WIDE, weights), 53), expected, "{weights:?}");
            if unit.is_narrow {
                assert_eq!(unit.rounded(sum::<i128>(unit, weights), 53), expected, "{weights:?}");
            }
        }
        assert!(Unit::of([0.1, 0.7, -0.8].into_iter(), 3).is_narrow);
        assert!(!Unit::of([1e300, 0.5].into_iter(), 3).is_narrow);
    }

    #[test]
    fn wide_numbers_are_ordered() {
        let numbers = [-1e300, -2.0, -1.5, -1e-310, 0.0, 1e-310, 0.5, 0.75, 3.0, 1e300];
        let wide = numbers.map(|number| Unit::WIDE.exactly::<f64, Wide>(number));
        assert!(wide.is_sorted_by(|a, b| a < b));
        for (number, wide) in numbers.into_iter().zip(wide) {
            assert_eq!((Unit::WIDE.rounded(wide, 53), wide.opposite().opposite()), (number, wide));
        }
    }

    #[test]
    fn integers_are_exact_and_others_rounded() {
        assert_eq!((3.0f64.half_unit(), 1e16.half_unit(), 0.0f64.half_unit()), (None, None, None));
        assert_eq!((1.5f64.half_unit(), 0.1f64.half_unit(), 0.1f32.half_unit()), (Some(-53), Some(-57), Some(-28)));
        assert_eq!((f64::from_bits(1).half_unit(), (-0.75f64).parts()), (Some(-1075), (-3, -2)));
        assert_eq!((7i64.parts(), 7i32.half_unit()), ((7, 0), None));
    }
}
