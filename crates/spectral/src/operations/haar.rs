//! The Haar transform as an operation.

use manycore_device::{Buffer, Device};
use manycore_operation::json::Json;
use manycore_operation::vector::{NumberType, Vector};
use manycore_operation::verify::haar::{self as check, NoInverse};
use manycore_operation::verify::{CheckError, Outcome};
use manycore_operation::{
    Arguments, Declaration, DeclaredOption, OperationError, OptionKind, Splits, Task, ValueError,
};

use super::numbers::{Floating, Spectrum, Whole, overflow, refuse_overflow};
use super::options::{BATCH, TYPE, VALUES, WRAP, direction};
use super::runs::Runs;
use crate::context::Spectral;
use crate::error::SpectralError;
use crate::haar::Haar;
use crate::scalar::Scalar;
use crate::{Direction, HaarOrder, Normalization};

/// The orders of the coefficients.
pub(super) const ORDERS: &[(&str, &str)] = &[("standard", ""), ("in-place", "")];

/// What coefficients are multiplied by.
const NORMALIZATIONS: &[(&str, &str)] = &[("none", ""), ("orthonormal", ""), ("equal-energy", "")];

const DECLARATION: Declaration = Declaration {
    name: "spectrum haar",
    title: "The Haar transform of 2^n values",
    about: "\
The Haar transform of 2^n values

Coefficient 0 is the sum of all values; coefficient 2^j + q is the sum of the first half of block q of 2^(n-j) values less that \
of the second half. In standard order coefficient 2^j + q stands at that place, in-place amid the values that it tells of, at \
(2q + 1) 2^(n-1-j). Normalised coefficients are floating-point numbers. The result is one number a line; a .npy file with -o \
NAME.npy; one JSON object with --json.

Integers are computed exactly: values that have a coefficient past the type are refused, unless --wrap is given.",
    help: "\
--verify computes the transform again on the host, level after level, and compares every value that is written: integers \
exactly, floating-point numbers in double precision within n + 4 roundoffs of the sum of the absolute values of its terms. No \
wrong value passes.

Examples:
  echo 3 1 4 1 5 9 2 6 | manycore spectrum haar -
  manycore spectrum haar x.npy --normalization orthonormal --verify -o spectrum.npy
  manycore spectrum haar spectrum.npy --normalization orthonormal --inverse",
    step: "transforming",
    inputs: VALUES,
    options: &[
        BATCH,
        DeclaredOption::flag("inverse", "The inverse: from coefficients to values\n\nIntegers must be a spectrum of integers, so that every sum and difference can be halved; with --wrap halves are rounded down."),
        DeclaredOption {
            value: OptionKind::Word { value_name: "ORDER", words: ORDERS, default: Some("standard") },
            ..DeclaredOption::flag("order", "The order of the coefficients, which decides how to compute: standard between two buffers, in-place within one")
        },
        DeclaredOption {
            value: OptionKind::Word { value_name: "NORMALIZATION", words: NORMALIZATIONS, default: Some("none") },
            ..DeclaredOption::flag("normalization", "What coefficient 2^j + q is multiplied by: none by 1, orthonormal by 2^((j-n)/2), equal-energy by 2^(j/2)")
        },
        DeclaredOption {
            help: "Compute in this type; without it, i64 for integers, f64 for text with fractions and where normalised, an array's own floating-point type",
            ..TYPE
        },
        WRAP,
    ],
    splits: Some(Splits::Values),
    ..Declaration::BASE
};

pub(super) struct Work {
    shape: check::Shape,
    len: usize,
    direction: Direction,
    number_type: NumberType,
    wrap: bool,
}

impl Work {
    /// The transform of numbers that were looked at before, with their file.
    fn how(&self) -> Haar {
        let how = Haar::new().wrapping().order(self.shape.order).normalization(self.shape.normalization);
        how.direction(self.direction).batch(self.len)
    }

    /// Refuses coefficients that are not those of integers, or whose sums on the way back leave the type.
    fn refuse_no_spectrum<T: Whole>(&self, y: &[T], runs: &Runs) -> Result<(), OperationError> {
        let len = self.len;
        for (transform, run) in y.chunks(len).enumerate() {
            match check::comes_back(run, self.shape) {
                Ok(()) => {}
                Err(NoInverse::Sum(bound)) => return Err(overflow::<T>(runs, transform, bound).into()),
                Err(NoInverse::TooLarge { bytes }) => return Err(CheckError::TooLarge { bytes }.into()),
                Err(NoInverse::Fraction { index, numerator }) => {
                    let (file, index) = (runs.file.clone(), runs.first_value() + transform * len + index);
                    return Err(ValueError::NotSpectrum { file, index, numerator, len }.into());
                }
            }
        }
        Ok(())
    }
}

/// The normalization of the coefficients in the options.
fn normalization(arguments: &Arguments) -> Normalization {
    arguments.word("normalization").and_then(|word| word.parse().ok()).unwrap_or_default()
}

impl Spectrum for Work {
    const DECLARATION: &'static Declaration = &DECLARATION;
    const IS_SHARED: bool = false;
    const IS_LEFT: bool = false;

    fn wanted(arguments: &Arguments) -> Result<Option<NumberType>, OperationError> {
        let (wanted, normalization) = (arguments.word("type").and_then(NumberType::of_name), normalization(arguments));
        match wanted {
            Some(integer @ (NumberType::I32 | NumberType::I64)) if normalization != Normalization::None => {
                Err(OperationError::usage(format!(
                    "--normalization {normalization}: the coefficients are no integers; use --type f32 or f64 instead of {integer}"
                )))
            }
            wanted => Ok(wanted),
        }
    }

    fn taken(arguments: &Arguments, vector: Vector) -> Vector {
        match vector {
            vector if normalization(arguments) == Normalization::None => vector,
            Vector::I32(x) => Vector::F64(x.into_iter().map(f64::from).collect()),
            Vector::I64(x) => Vector::F64(x.into_iter().map(|value| value as f64).collect()),
            vector => vector,
        }
    }

    fn new(arguments: &Arguments, runs: &Runs, number_type: NumberType, _: bool) -> Result<Self, OperationError> {
        let order: HaarOrder = arguments.word("order").and_then(|word| word.parse().ok()).unwrap_or_default();
        Ok(Self {
            shape: check::Shape { log_len: runs.log_len(), order, normalization: normalization(arguments) },
            len: runs.len,
            direction: direction(arguments),
            number_type,
            wrap: arguments.is_given("wrap"),
        })
    }

    fn refuse<T: Whole>(&self, x: &[T], runs: &Runs) -> Result<(), OperationError> {
        match (self.wrap, self.direction) {
            (true, _) => Ok(()),
            (false, Direction::Forward) => refuse_overflow::<T>(runs, |limit| check::largest(x, self.shape, limit)),
            (false, Direction::Inverse) => self.refuse_no_spectrum(x, runs),
        }
    }

    fn predicted_seconds<T: Scalar>(&self, device: &Device, len: usize) -> Result<f64, SpectralError> {
        Ok(Spectral::new(device).explain_haar::<T>(len, &self.how())?.best().estimate.seconds)
    }

    fn transform<T: Scalar>(&self, device: &Device, values: &mut Buffer<T>) -> Result<(), SpectralError> {
        Spectral::new(device).haar(values, &self.how())
    }

    fn check_integers<T: Whole>(&self, x: &[T], y: &[T], _: u64) -> Outcome {
        let by = if self.wrap { check::wrapping::<T> } else { check::exact::<T> };
        by(x, y, self.direction, self.shape)
    }

    fn check_reals<T: Floating>(&self, x: &[T], y: &[T]) -> Outcome {
        check::reals(x, y, self.direction, self.shape)
    }

    fn task(&self, sizes: Vec<(&'static str, u64)>) -> Task {
        Task::of("haar", sizes).with("type", self.number_type.name()).with("order", self.shape.order.name())
    }

    fn direction(&self) -> Direction {
        self.direction
    }

    fn algorithm(&self) -> Option<&'static str> {
        Some(match self.shape.order {
            HaarOrder::Standard => "constant-geometry",
            HaarOrder::InPlace => "cooley-tukey",
        })
    }

    fn parameters(&self) -> Vec<(&'static str, Json)> {
        vec![
            ("type", self.number_type.name().into()),
            ("order", self.shape.order.name().into()),
            ("normalization", self.shape.normalization.name().into()),
            ("wrap", self.wrap.into()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_and_normalizations_have_their_words() {
        assert!(ORDERS.iter().map(|(word, _)| *word).eq(HaarOrder::ALL.map(HaarOrder::name)));
        assert!(NORMALIZATIONS.iter().map(|(word, _)| *word).eq(Normalization::ALL.map(Normalization::name)));
    }
}
