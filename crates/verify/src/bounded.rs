//! Second computations of floating-point results: each number beside the sum of the absolute values of its terms.
//!
//! A result is a sum of terms, entries of a matrix times values of the input. A tree of additions and products of depth d in
//! arithmetic of unit roundoff u computes it with an error of at most d u times the sum of the terms' absolute values, up to
//! terms of order u^2 (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition 2002, sections 3.1 and 4.2).
//! The second computation carries that sum along, so that the bound of a place comes from the values that reach the place.
//!
//! Devices may take numbers below the smallest normal one for 0, in the input and after each operation. A term that is lost
//! so is below the smallest normal number, which an absolute part of the bound allows for as often as there are operations.

use crate::number::Real;
use crate::outcome::CheckError;

/// A number of the second computation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Bounded {
    /// The number, in double precision.
    pub(crate) value: f64,
    /// The sum of the absolute values of its terms.
    pub(crate) size: f64,
}

impl Bounded {
    /// A value of the input.
    pub(crate) fn of(value: f64) -> Self {
        Self { value, size: value.abs() }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self { value: self.value + other.value, size: self.size + other.size }
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        Self { value: self.value - other.value, size: self.size + other.size }
    }

    pub(crate) fn times(self, factor: f64) -> Self {
        Self { value: self.value * factor, size: self.size * factor.abs() }
    }
}

/// What a right number may differ by from that of the second computation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tolerance {
    /// The depth of the computation: roundings on the way from an input to the result.
    pub(crate) depth: f64,
    /// The operations on whose results a result depends: as many losses below the smallest normal number.
    pub(crate) operations: f64,
    /// The largest ratio of an intermediate number to the sum of the terms.
    pub(crate) headroom: f64,
    /// The power of two that the second computation has divided the input by.
    pub(crate) scale: f64,
}

impl Tolerance {
    /// The relative bound: both computations are rounded.
    pub(crate) fn relative<T: Real>(self) -> f64 {
        // The terms of order u^2 and those of the bound itself are within a hundredth where d u is.
        1.01 * self.depth * (T::ROUNDOFF + f64::EPSILON / 2.0)
    }

    /// Whether `found`, at `index` of `run`, is within the bound of `expected`; `size` is the sum of the terms.
    pub(crate) fn check<T: Real>(
        self,
        found: f64,
        expected: f64,
        size: f64,
        (run, index): (usize, usize),
    ) -> Result<(), CheckError> {
        if !found.is_finite() {
            let overflow = size * self.headroom * self.scale > T::LARGEST;
            return Err(CheckError::NotFinite { run, index, found, overflow });
        }
        let bound = self.relative::<T>() * size + self.operations * (T::SMALLEST / self.scale);
        // A difference that is no number is not within.
        if (found / self.scale - expected).abs() <= bound {
            return Ok(());
        }
        let [expected, bound] = [expected, bound].map(|value| value * self.scale);
        Err(CheckError::Bound { run, index, found, expected, bound })
    }
}

/// The power of two by which the second computation divides its input, so that no sum of terms that are `growth` times as
/// large as the largest input overflows; 1 where none would anyway.
///
/// What the division loses is below `growth` times the smallest normal number, only where there are numbers near the largest.
pub(crate) fn scale_for(largest: f64, growth: f64) -> f64 {
    let log = largest.max(f64::MIN_POSITIVE).log2() + growth.max(1.0).log2();
    let most = f64::from(f64::MAX_EXP) - 8.0;
    if log < most { 1.0 } else { (log - most).ceil().min(1000.0).exp2() }
}

/// The largest absolute value of an input.
///
/// # Errors
/// [`CheckError::Input`] with the first that is infinite or no number.
pub(crate) fn largest_of<T: Real>(values: &[T]) -> Result<f64, CheckError> {
    values.iter().enumerate().try_fold(0.0f64, |largest, (index, &value)| {
        let value: f64 = value.into();
        if value.is_finite() {
            Ok(largest.max(value.abs()))
        } else {
            Err(CheckError::Input { index, found: value.to_string(), expected: "finite number".into() })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXACT: Tolerance = Tolerance { depth: 2.0, operations: 4.0, headroom: 1.0, scale: 1.0 };

    #[test]
    fn sizes_are_sums_of_absolute_values() {
        let sum = Bounded::of(3.0).minus(Bounded::of(5.0)).plus(Bounded::of(-1.0)).times(-2.0);
        assert_eq!(sum, Bounded { value: 6.0, size: 18.0 });
    }

    #[test]
    fn a_number_is_within_its_bound_or_told() {
        let relative = EXACT.relative::<f32>();
        assert!(relative > 2.0 * f32::ROUNDOFF && relative < 2.1 * f32::ROUNDOFF);
        let check = |found| EXACT.check::<f32>(found, 1.0, 1.0, (3, 4));
        assert_eq!(check(1.0 + relative), Ok(()));
        assert!(matches!(check(1.0 - 1.1 * relative), Err(CheckError::Bound { run: 3, index: 4, .. })));
        assert!(matches!(check(f64::NAN), Err(CheckError::NotFinite { overflow: false, .. })));
        let past = EXACT.check::<f32>(f64::INFINITY, 4e38, 4e38, (0, 0));
        assert!(matches!(past, Err(CheckError::NotFinite { overflow: true, .. })));
        // What is flushed to zero is within, what is lost above that is not.
        let tiny = f64::from(f32::MIN_POSITIVE);
        assert_eq!(EXACT.check::<f32>(0.0, 3.9 * tiny, 3.9 * tiny, (0, 0)), Ok(()));
        assert!(EXACT.check::<f32>(0.0, 4.1 * tiny, 4.1 * tiny, (0, 0)).is_err());
    }

    #[test]
    fn only_numbers_near_the_largest_are_scaled() {
        assert!((scale_for(1e300, 1024.0) - 1.0).abs() < f64::EPSILON);
        assert!((scale_for(0.0, 1e9) - 1.0).abs() < f64::EPSILON);
        for (largest, growth) in [(f64::MAX, 1.0), (f64::MAX, 1e12), (1e307, 1e30)] {
            let scale = scale_for(largest, growth);
            assert!((largest / scale * growth).is_finite() && scale <= growth.log2().exp2() * 1024.0, "{scale}");
        }
    }

    #[test]
    fn an_infinite_input_is_named() {
        assert_eq!(largest_of(&[1.0, -3.0, 0.0]), Ok(3.0));
        let error = largest_of(&[1.0f32, f32::NAN]).unwrap_err();
        assert_eq!(error.to_string(), "value 2 of the input is NaN, no finite number");
    }
}
