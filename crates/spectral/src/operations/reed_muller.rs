//! The Reed-Muller transform as an operation: of values 0 and 1, and of 64 a word.

use manycore_device::{Buffer, Device, DeviceSet};
use manycore_operation::json::{Json, integer};
use manycore_operation::verify::{BitShape, Outcome, SplitMix, reed_muller as check};
use manycore_operation::{
    Arguments, Declaration, DeclaredOption, Files, Input, Job, Operation, OperationError, OptionKind, Range, Splits,
    Task, Value, ValueError, read,
};

use super::job::{Transforms, Work};
use super::options::{
    ALGORITHM, BATCH, BIT_ORDER, POLARITY, algorithm, algorithm_name, bit_order, direction, polarity_of, size, suited,
};
use super::runs::Runs;
use crate::context::Spectral;
use crate::error::SpectralError;
use crate::reed_muller::{ReedMuller, reed_muller_over};
use crate::walsh::Algorithm;
use crate::{BitOrder, Direction};

const DECLARATION: Declaration = Declaration {
    name: "spectrum reed-muller",
    title: "The Reed-Muller transform of 2^n values 0 and 1: the algebraic normal form",
    about: "\
The Reed-Muller transform of 2^n values 0 and 1

The coefficients modulo 2 of the polynomial in n variables (algebraic normal form) that has the values f(i) where the variables \
are the bits of i: coefficient w, of the product of the variables whose bits are set in w, is the exclusive or of the f(v) \
for the subsets v of w. With --polarity the variables at its set bits stand complemented. The order is that of w: natural, or \
reversed (its bits). The result is one number a line, with --packed one word in hexadecimal; a .npy file with -o NAME.npy; one \
JSON object with --json.",
    help: "\
--verify compares, on the host and of the values that are written, both sides, the sum of the coefficients and that of the \
values times their weights, at a random point of the field of 2^64 elements, in time proportional to the length. A wrong result \
passes with a chance below \
(n + number of transforms) / 2^64.

Examples:
  echo 1 0 0 1 1 1 0 1 | manycore spectrum reed-muller -
  echo 0xb9 | manycore spectrum reed-muller - --packed --variables 3
  manycore spectrum reed-muller f.npy --polarity 0x5 --verify -o spectrum.npy",
    step: "transforming",
    inputs: &[Input::bits("file", "FILE", "The values: text (numbers separated by white space or commas, # begins a comment) or .npy; - is standard input")],
    options: &[
        BATCH,
        DeclaredOption::flag("inverse", "The inverse: from coefficients to values; the transform is its own inverse, except with a polarity"),
        BIT_ORDER,
        POLARITY,
        DeclaredOption {
            excludes: Some("packed"),
            ..ALGORITHM
        },
        DeclaredOption {
            excludes: Some("batch"),
            ..DeclaredOption::flag("packed", "The file holds words of 64 values, hexadecimal after 0x or decimal: bit i of word w is value 64 w + i")
        },
        DeclaredOption {
            value: OptionKind::Count { value_name: "N", range: Range::Short, is_required: false, default: None },
            requires: Some("packed"),
            ..DeclaredOption::flag("variables", "The variables of each packed function, of which a word holds several below 6; without it, one function of all words")
        },
    ],
    splits: Some(Splits::Values),
    ..Declaration::BASE
};

/// The operation.
pub(super) struct ReedMullerTransform;

type Boxed = Box<dyn Job>;

impl Operation for ReedMullerTransform {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn is_shared(&self, arguments: &Arguments) -> bool {
        !arguments.is_given("packed")
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Boxed, OperationError> {
        if arguments.is_given("packed") { packed(arguments, files) } else { bits(arguments, files) }
    }
}

/// The transform of values 0 and 1.
struct OfBits {
    shape: BitShape,
    len: usize,
    direction: Direction,
    algorithm: Algorithm,
}

/// The transform of packed values.
struct OfWords {
    shape: BitShape,
    direction: Direction,
}

fn bits(arguments: &Arguments, files: &mut dyn Files) -> Result<Boxed, OperationError> {
    let x = read::bits(files, 0)?;
    let mut runs = Runs::new(files.name(0), size(arguments, "batch"), x.len())?;
    let len = runs.len;
    let x = runs.part(files, x, len);
    let (order, variables) = (bit_order(arguments), runs.log_len());
    let work = OfBits {
        shape: BitShape { variables, order, polarity: polarity_of(arguments, variables)? },
        len,
        direction: direction(arguments),
        algorithm: algorithm(arguments).unwrap_or(suited(order)),
    };
    Ok(Box::new(Transforms::new(work, runs, x)))
}

fn packed(arguments: &Arguments, files: &mut dyn Files) -> Result<Boxed, OperationError> {
    let order = bit_order(arguments);
    if order != BitOrder::Natural {
        return Err(OperationError::usage(format!("--order {order}: packed spectra are in natural order")));
    }
    let x = read::words(files, 0)?;
    let (words, file) = (x.len(), files.name(0));
    let variables = match arguments.number("variables") {
        Some(variables) => u32::try_from(variables).unwrap_or(u32::MAX),
        None if words.is_power_of_two() => 6 + words.ilog2(),
        None => return Err(ValueError::NotPowerOfTwo { file, len: 64 * words }.into()),
    };
    // The words of a function, or of several in one.
    let of_one = variables.saturating_sub(6);
    if variables >= usize::BITS || !words.is_multiple_of(1 << of_one) {
        return Err(ValueError::Words { file, words, variables }.into());
    }
    let polarity = polarity_of(arguments, variables)?;
    let mut runs = Runs::packed(file, variables, (64 * words) >> variables);
    let x = runs.part(files, x, 1 << of_one);
    let work = OfWords { shape: BitShape { variables, order, polarity }, direction: direction(arguments) };
    Ok(Box::new(Transforms::new(work, runs, x)))
}

/// Parameters of reports beside the runs.
fn parameters(shape: &BitShape, is_packed: bool) -> Vec<(&'static str, Json)> {
    vec![("order", shape.order.name().into()), ("polarity", integer(shape.polarity)), ("packed", is_packed.into())]
}

impl OfBits {
    fn how(&self) -> ReedMuller {
        let how = ReedMuller::new().order(self.shape.order).polarity(self.shape.polarity).algorithm(self.algorithm);
        how.direction(self.direction).batch(self.len)
    }
}

impl Work<u8> for OfBits {
    const IS_SHARED: bool = true;

    fn predicted_seconds(&self, device: &Device, len: usize) -> Result<f64, SpectralError> {
        Ok(Spectral::new(device).explain_reed_muller::<u8>(len, &self.how())?.best().estimate.seconds)
    }

    fn transform(&self, device: &Device, values: &mut Buffer<u8>) -> Result<(), SpectralError> {
        Spectral::new(device).reed_muller(values, &self.how())
    }

    fn over(&self, devices: &DeviceSet, values: &mut [u8]) -> Result<(), SpectralError> {
        reed_muller_over(devices, values, &self.how())
    }

    fn check(&self, x: &[u8], y: &[u8], seed: u64) -> Outcome {
        check::bits(x, y, self.direction, self.shape, &mut SplitMix::new(seed))
    }

    fn value(&self, y: Vec<u8>) -> Value {
        Value::Bits(y)
    }

    fn task(&self, sizes: Vec<(&'static str, u64)>) -> Task {
        Task::of("reed-muller", sizes)
    }

    fn direction(&self) -> Direction {
        self.direction
    }

    fn algorithm(&self) -> Option<&'static str> {
        Some(algorithm_name(self.algorithm))
    }

    fn parameters(&self) -> Vec<(&'static str, Json)> {
        parameters(&self.shape, false)
    }
}

impl OfWords {
    fn how(&self) -> ReedMuller {
        ReedMuller::new().polarity(self.shape.polarity).direction(self.direction)
    }
}

impl Work<u64> for OfWords {
    const IS_SHARED: bool = false;
    const VALUES: usize = 64;

    fn predicted_seconds(&self, device: &Device, len: usize) -> Result<f64, SpectralError> {
        let choice = Spectral::new(device).explain_reed_muller_packed(len, self.shape.variables, &self.how())?;
        Ok(choice.best().estimate.seconds)
    }

    fn transform(&self, device: &Device, values: &mut Buffer<u64>) -> Result<(), SpectralError> {
        Spectral::new(device).reed_muller_packed(values, self.shape.variables, &self.how())
    }

    fn check(&self, x: &[u64], y: &[u64], seed: u64) -> Outcome {
        check::words(x, y, self.direction, self.shape, &mut SplitMix::new(seed))
    }

    fn value(&self, y: Vec<u64>) -> Value {
        Value::Words(y)
    }

    fn task(&self, sizes: Vec<(&'static str, u64)>) -> Task {
        Task::of("reed-muller", sizes).with("packed", "")
    }

    fn direction(&self) -> Direction {
        self.direction
    }

    fn algorithm(&self) -> Option<&'static str> {
        None
    }

    fn parameters(&self) -> Vec<(&'static str, Json)> {
        parameters(&self.shape, true)
    }
}
