//! The Walsh-Hadamard transform as an operation.

use manycore_device::{Buffer, Device, DeviceSet};
use manycore_operation::json::Json;
use manycore_operation::vector::NumberType;
use manycore_operation::verify::kronecker::first_fraction;
use manycore_operation::verify::{Outcome, SplitMix, walsh as check};
use manycore_operation::{
    Arguments, Declaration, DeclaredOption, OperationError, OptionKind, Splits, Task, ValueError,
};

use super::numbers::{Floating, Spectrum, Whole, refuse_overflow};
use super::options::{ALGORITHM, BATCH, TYPE, VALUES, WRAP, algorithm, algorithm_name, direction};
use super::runs::Runs;
use crate::context::Spectral;
use crate::error::SpectralError;
use crate::scalar::Scalar;
use crate::walsh::{Algorithm, Walsh, walsh_over};
use crate::{Direction, Order};

/// The orders of the coefficients.
pub(super) const ORDERS: &[(&str, &str)] = &[("hadamard", ""), ("sequency", ""), ("dyadic", "")];

const DECLARATION: Declaration = Declaration {
    name: "spectrum walsh",
    title: "The Walsh-Hadamard transform of 2^n values",
    about: "\
The Walsh-Hadamard transform of 2^n values

Coefficient w is the sum of the values x(i), each negated where w and i have an odd number of ones in common. The order \
is that of w: hadamard (natural), dyadic (bit-reversed), or sequency (by the number of sign changes). The result is one \
number a line; a .npy file with -o NAME.npy; one JSON object with --json.

Integers are computed exactly: values that have a coefficient past the type are refused, unless --wrap is given. An inverse \
divides its coefficients by 2^n at the end: those times 2^n must fit the type.

A .npy array larger than memory, or --memory, is left in its file where the result goes to one, beside which the disk must have room \
for it once more.",
    help: "\
What --verify checks, on the host, of the values that are written:
  integers   Both sides of y = W x at a random point modulo primes near 2^61, in time proportional to the length. A wrong \
result passes with a chance below (n + number of transforms) / 2^60.
  --wrap     Every value, by the plain loop; no wrong value passes.
  f32, f64   Every value, by the plain loop in double precision, within n + 2 roundoffs of the sum of the absolute values of \
its terms.

Examples:
  echo 1 0 1 0 | manycore spectrum walsh -
  manycore spectrum walsh x.npy --order sequency --verify -o spectrum.npy
  manycore spectrum walsh table.txt --batch 256 --json",
    step: "transforming",
    inputs: VALUES,
    options: &[
        BATCH,
        DeclaredOption::flag("inverse", "The inverse: from coefficients to values\n\nIntegers must be a spectrum of integers, so that the division by the length is exact; with --wrap the division rounds down."),
        DeclaredOption {
            value: OptionKind::Word { value_name: "ORDER", words: ORDERS, default: Some("hadamard") },
            ..DeclaredOption::flag("order", "The order of the coefficients")
        },
        ALGORITHM,
        TYPE,
        WRAP,
    ],
    splits: Some(Splits::Values),
    ..Declaration::BASE
};

pub(super) struct Work {
    shape: check::Shape,
    direction: Direction,
    algorithm: Algorithm,
    /// The algorithm that was asked for.
    asked: Option<Algorithm>,
    number_type: NumberType,
    wrap: bool,
}

impl Work {
    /// The transform of numbers that were looked at before, with their file.
    fn how(&self) -> Walsh {
        // An inverse of integers is the same transform forward, which divides nothing, so that values that the length does not divide
        // are found instead of rounded.
        let direction = if self.is_of_integers() { Direction::Forward } else { self.direction };
        let how = Walsh::new().wrapping().order(self.shape.order).algorithm(self.algorithm);
        how.direction(direction).batch(self.shape.len)
    }

    fn is_of_integers(&self) -> bool {
        matches!(self.number_type, NumberType::I32 | NumberType::I64)
    }
}

impl Spectrum for Work {
    const DECLARATION: &'static Declaration = &DECLARATION;
    const IS_SHARED: bool = true;
    const IS_LEFT: bool = true;

    fn new(arguments: &Arguments, runs: &Runs, number_type: NumberType, is_left: bool) -> Result<Self, OperationError> {
        let order: Order = arguments.word("order").and_then(|word| word.parse().ok()).unwrap_or_default();
        let asked = algorithm(arguments);
        // Of values that are left in their file that in place.
        let suited = if is_left { Algorithm::CooleyTukey } else { Walsh::new().order(order).algorithm_for_order() };
        Ok(Self {
            shape: check::Shape { len: runs.len, order },
            direction: direction(arguments),
            algorithm: asked.unwrap_or(suited),
            asked,
            number_type,
            wrap: arguments.is_given("wrap"),
        })
    }

    fn refuse<T: Whole>(&self, x: &[T], runs: &Runs) -> Result<(), OperationError> {
        if self.wrap {
            return Ok(());
        }
        refuse_overflow::<T>(runs, |limit| check::largest(x, self.shape, limit))
    }

    fn predicted_seconds<T: Scalar>(&self, device: &Device, len: usize) -> Result<f64, SpectralError> {
        Ok(Spectral::new(device).explain_walsh::<T>(len, &self.how())?.best().estimate.seconds)
    }

    fn transform<T: Scalar>(&self, device: &Device, values: &mut Buffer<T>) -> Result<(), SpectralError> {
        Spectral::new(device).walsh(values, &self.how())
    }

    fn over<T: Scalar>(&self, devices: &DeviceSet, values: &mut [T]) -> Result<(), SpectralError> {
        walsh_over(devices, values, &self.how())
    }

    fn is_ordered(&self) -> bool {
        self.shape.order != Order::Hadamard
    }

    fn finish<T: Whole>(&self, y: &mut [T], runs: &Runs) -> Result<(), OperationError> {
        if self.direction == Direction::Forward {
            return Ok(());
        }
        let len = self.shape.len;
        if let Some(index) = first_fraction(y, len as u64).filter(|_| !self.wrap) {
            let (file, numerator) = (runs.file.clone(), i128::from(y[index].into()));
            return Err(ValueError::NotSpectrum { file, index: runs.first_value() + index, numerator, len }.into());
        }
        for value in y {
            *value = value.divide_by_power(self.shape.log_len());
        }
        Ok(())
    }

    fn check_integers<T: Whole>(&self, x: &[T], y: &[T], seed: u64) -> Outcome {
        if self.wrap {
            return check::wrapping(x, y, self.direction, self.shape);
        }
        check::exact(x, y, self.direction, self.shape, &mut SplitMix::new(seed))
    }

    fn check_reals<T: Floating>(&self, x: &[T], y: &[T]) -> Outcome {
        check::reals(x, y, self.direction, self.shape)
    }

    fn check_unfinished<T: Whole>(&self, x: &[T], y: &[T], seed: u64) -> Option<Outcome> {
        Some(check::exact(x, y, Direction::Forward, self.shape, &mut SplitMix::new(seed)))
    }

    fn task(&self, sizes: Vec<(&'static str, u64)>) -> Task {
        let task =
            Task::of("walsh", sizes).with("type", self.number_type.name()).with("order", self.shape.order.name());
        match self.asked {
            Some(algorithm) => task.with("algorithm", algorithm_name(algorithm)),
            None => task,
        }
    }

    fn direction(&self) -> Direction {
        self.direction
    }

    fn algorithm(&self) -> Option<&'static str> {
        Some(algorithm_name(self.algorithm))
    }

    fn parameters(&self) -> Vec<(&'static str, Json)> {
        let name = self.number_type.name();
        vec![("type", name.into()), ("order", self.shape.order.name().into()), ("wrap", self.wrap.into())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_have_their_words() {
        assert!(ORDERS.iter().map(|(word, _)| *word).eq(Order::ALL.map(Order::name)));
    }
}
