//! The arithmetic transform as an operation.

use manycore_device::{Buffer, Device, DeviceSet};
use manycore_operation::json::{Json, integer};
use manycore_operation::vector::NumberType;
use manycore_operation::verify::{BitShape, Outcome, SplitMix, arithmetic as check};
use manycore_operation::{Arguments, Declaration, DeclaredOption, OperationError, Splits, Task};

use super::numbers::{Floating, Spectrum, Whole, refuse_overflow};
use super::options::{
    ALGORITHM, BATCH, BIT_ORDER, POLARITY, TYPE, VALUES, WRAP, algorithm, algorithm_name, bit_order, direction,
    polarity_of, suited,
};
use super::runs::Runs;
use crate::arithmetic::{Arithmetic, arithmetic_over};
use crate::context::Spectral;
use crate::error::SpectralError;
use crate::scalar::Scalar;
use crate::walsh::Algorithm;
use crate::{BitOrder, Direction};

const DECLARATION: Declaration = Declaration {
    name: "spectrum arithmetic",
    title: "The arithmetic transform of 2^n values: the integer polynomial",
    about: "\
The arithmetic transform of 2^n values

The coefficients of the polynomial in n variables, each of degree 1 at most, that has the values x(i) where the variables are \
the bits of i: coefficient w, of the product of the variables whose bits are set in w, is the sum of the x(v) for the subsets \
v of w, negated where w has an odd number of ones more. With --polarity the variables at its set bits stand complemented, as 1 \
less the variable. The order is that of w: natural, or reversed (its bits). The result is one number a line; a .npy file with \
-o NAME.npy; one JSON object with --json.

Integers are computed exactly: values that have a coefficient past the type are refused, unless --wrap is given.

A .npy array larger than memory, or --memory, is left in its file where the result goes to one, beside which the disk must have room \
for it once more.",
    help: "\
What --verify checks, on the host, of the values that are written:
  integers   Both sides, the sum of the coefficients and that of the values times their weights, at a random point of the \
function's multilinear extension modulo primes near 2^61. A wrong result passes with a chance below \
(n + number of transforms) / 2^60.
  --wrap     Every value, by the plain loop; no wrong value passes.
  f32, f64   Every value, by the plain loop in double precision, within n + 2 roundoffs of the sum of the absolute values of \
its terms.

Examples:
  echo 0 1 1 0 | manycore spectrum arithmetic -
  manycore spectrum arithmetic x.npy --polarity 0x5 --verify -o spectrum.npy
  manycore spectrum arithmetic spectrum.npy --polarity 0x5 --inverse",
    step: "transforming",
    inputs: VALUES,
    options: &[
        BATCH,
        DeclaredOption::flag("inverse", "The inverse: from coefficients to values"),
        BIT_ORDER,
        POLARITY,
        ALGORITHM,
        TYPE,
        WRAP,
    ],
    splits: Some(Splits::Values),
    ..Declaration::BASE
};

pub(super) struct Work {
    shape: BitShape,
    len: usize,
    direction: Direction,
    algorithm: Algorithm,
    /// The algorithm that was asked for.
    asked: Option<Algorithm>,
    number_type: NumberType,
    wrap: bool,
}

impl Work {
    /// The transform of numbers that were looked at before, with their file.
    fn how(&self) -> Arithmetic {
        let how = Arithmetic::new().wrapping().order(self.shape.order).polarity(self.shape.polarity);
        how.algorithm(self.algorithm).direction(self.direction).batch(self.len)
    }
}

impl Spectrum for Work {
    const DECLARATION: &'static Declaration = &DECLARATION;
    const IS_SHARED: bool = true;
    const IS_LEFT: bool = true;

    fn new(arguments: &Arguments, runs: &Runs, number_type: NumberType, is_left: bool) -> Result<Self, OperationError> {
        let (order, asked, variables) = (bit_order(arguments), algorithm(arguments), runs.log_len());
        // Of values that are left in their file that in place.
        let suited = if is_left { Algorithm::CooleyTukey } else { suited(order) };
        Ok(Self {
            shape: BitShape { variables, order, polarity: polarity_of(arguments, variables)? },
            len: runs.len,
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
        refuse_overflow::<T>(runs, |limit| check::largest(x, self.direction, self.shape, limit))
    }

    fn predicted_seconds<T: Scalar>(&self, device: &Device, len: usize) -> Result<f64, SpectralError> {
        Ok(Spectral::new(device).explain_arithmetic::<T>(len, &self.how())?.best().estimate.seconds)
    }

    fn transform<T: Scalar>(&self, device: &Device, values: &mut Buffer<T>) -> Result<(), SpectralError> {
        Spectral::new(device).arithmetic(values, &self.how())
    }

    fn over<T: Scalar>(&self, devices: &DeviceSet, values: &mut [T]) -> Result<(), SpectralError> {
        arithmetic_over(devices, values, &self.how())
    }

    fn is_ordered(&self) -> bool {
        self.shape.order != BitOrder::Natural
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

    fn task(&self, sizes: Vec<(&'static str, u64)>) -> Task {
        let (number_type, order) = (self.number_type.name(), self.shape.order.name());
        let task = Task::of("arithmetic", sizes).with("type", number_type).with("order", order);
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
        vec![
            ("type", self.number_type.name().into()),
            ("order", self.shape.order.name().into()),
            ("polarity", integer(self.shape.polarity)),
            ("wrap", self.wrap.into()),
        ]
    }
}
