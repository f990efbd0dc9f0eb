//! Determinants: modulo a prime, over the integers by Chinese remainders, and in double precision by condensation.

use manycore_device::{Device, DeviceSet};
use manycore_field::ResidueWord;
use manycore_operation::{
    Answer, Arguments, Bound, Bounded, Declaration, DeclaredOption, Files, Job, OperationError, OptionKind, Range,
    Splits, Task, Value, unmade,
};
use manycore_verify::{CheckError, Outcome, Passed, SplitMix, matrix};
use num_bigint::BigInt;

use super::common::{Boxed, M, MODULO, read};
use super::field::{Done, Either, Work, of_order};
use super::found::Found;
use crate::bits::{BitAlgebra, BitMatrix};
use crate::error::LinalgError;
use crate::exact::{self, Certainty, ExactDeterminant};
use crate::field::MatrixField;
use crate::file::Dense;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::matrix::Matrix;
use crate::real::{self, Pivoting, RealDeterminant, RealOptions, Scaled};

/// The determinant.
pub(super) static DET: Either<Determinant> = Either::new(other).shared(|arguments| arguments.is_given("exact"));

const DET_DECLARATION: Declaration = Declaration {
    name: "matrix det",
    title: "The determinant",
    about: "\
The determinant of a square matrix

Modulo a prime, one residue; with --exact over the integers, by Chinese remainders, a decimal number; with --real in double \
precision, a number with an exponent of any size and a proved bound of its error: the digits that are known, +/-, and the bound, \
which counts the digits left out; all digits of both in the JSON object of --json.",
    help: "\
--verify computes a determinant modulo a prime a second time, on the host, of the transposed matrix in a random order of rows and \
columns; one over the integers so modulo random primes of 61 bits, with a chance of a wrong one below 2^-64. One in double \
precision is computed again on the host, to the last bit, and has to be within its bound of the exact determinant, by Chinese \
remainders, or where that takes long (past order 300 or so) of one of the transposed matrix in a random order.

--shard splits the primes that prove a determinant with --exact.

Examples:
  printf '1 2\\n3 4\\n' | manycore matrix det - --modulus 101
  manycore matrix det m.mtx --exact --verify
  manycore matrix det hilbert.txt --real --pivoting complete --json",
    step: "computing the determinant",
    inputs: M,
    options: &[
        MODULO,
        DeclaredOption::flag("exact", "Over the integers"),
        DeclaredOption::flag("real", "In double precision"),
        DeclaredOption {
            value: OptionKind::Count { value_name: "BITS", range: Range::Short, is_required: false, default: None },
            requires: Some("exact"),
            ..DeclaredOption::flag(
                "probable",
                "With --exact: stop early, once the chance of a wrong result is below 2^-BITS; without it the result is proved",
            )
        },
        DeclaredOption {
            value: OptionKind::Word {
                value_name: "RULE",
                words: &[
                    ("first", "The first of its row that is not 0"),
                    ("closest-to-one", "The nearest to 1.0 of its row, as in the thesis"),
                    ("partial", "The largest of its row"),
                    ("complete", "The largest of the matrix"),
                ],
                default: Some("partial"),
            },
            requires: Some("real"),
            ..DeclaredOption::flag("pivoting", "With --real: the pivot rule")
        },
    ],
    one_of: &["modulus", "exact", "real"],
    no_array: Some("a determinant"),
    splits: Some(Splits::Own),
    ..Declaration::BASE
};

pub(super) struct Determinant;

impl Work for Determinant {
    const DECLARATION: &'static Declaration = &DET_DECLARATION;
    const IS_SHARED: bool = true;
    const HAS_BITS: bool = true;

    fn task(shapes: &[[usize; 2]], modulus: u64) -> Option<Task> {
        of_order("matrix-det", shapes, modulus)
    }

    fn compute<F: MatrixField>(
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Found<F::Element>, LinalgError> {
        Ok(Found::Element(space.determinant(&matrices[0])?))
    }

    fn share<F: MatrixField>(
        devices: &DeviceSet,
        field: &F,
        matrices: &[Dense<F::Element>],
    ) -> Result<Found<F::Element>, LinalgError> {
        let a = &matrices[0];
        square(a)?;
        Ok(Found::Element(LinearAlgebra::determinant_on(devices, field, a.rows, &a.entries)?))
    }

    fn of_bits<T: ResidueWord>(space: &BitAlgebra, matrices: Vec<BitMatrix>) -> Result<Found<T>, LinalgError> {
        Ok(Found::Element(T::from_u64(space.determinant(&matrices[0])?.into())))
    }

    fn check_seconds<F: MatrixField>(done: &Done<'_, F>) -> f64 {
        let a = &done.matrices[0];
        matrix::elimination_seconds(done.p, (a.rows, a.columns))
    }

    fn check<F: MatrixField>(done: &Done<'_, F>) -> Outcome {
        let a = &done.matrices[0];
        let found = done.found.words().first().copied().unwrap_or(F::Element::from_u64(0));
        matrix::determinant(done.p, a.rows, &a.entries, found, &mut SplitMix::new(done.seed))
    }
}

/// Refuses a matrix that is not square.
///
/// # Errors
/// [`LinalgError::NotSquare`].
pub fn square<T>(matrix: &Dense<T>) -> Result<(), LinalgError> {
    let &Dense { rows, columns, .. } = matrix;
    if rows == columns { Ok(()) } else { Err(LinalgError::NotSquare { operation: "determinant", rows, columns }) }
}

/// The determinant without a modulus.
fn other(arguments: &Arguments, files: &mut dyn Files) -> Result<Boxed, OperationError> {
    if arguments.is_given("exact") {
        let matrix = read::<BigInt>(files, 0, &[])?;
        square(&matrix)?;
        let bits = arguments.number("probable").and_then(|bits| u32::try_from(bits).ok());
        return Ok(Box::new(OverIntegers { matrix, bits, found: None }));
    }
    let matrix = read::<f64>(files, 0, &[])?;
    square(&matrix)?;
    let word = arguments.word("pivoting").unwrap_or("partial");
    let pivoting = match word {
        "first" => Pivoting::First,
        "closest-to-one" => Pivoting::ClosestToOne,
        "complete" => Pivoting::Complete,
        _ => Pivoting::Partial,
    };
    Ok(Box::new(InDoublePrecision { matrix, options: RealOptions { pivoting, bound: true }, word, found: None }))
}

/// How determinants over the integers are computed, as reports name it.
pub const ALGORITHM: &str = "chinese-remainders";

/// What a report says of a determinant over the integers.
#[must_use]
pub fn parameters(answer: Answer, order: usize, found: &ExactDeterminant) -> Answer {
    answer.with("shapes", vec![vec![order, order]]).with("primes", found.primes).with("proved", found.is_proved)
}

struct OverIntegers {
    matrix: Dense<BigInt>,
    /// The chance of a wrong result is below `2^-bits`; `None` where it is proved.
    bits: Option<u32>,
    found: Option<ExactDeterminant>,
}

impl Job for OverIntegers {
    fn is_shared(&self) -> bool {
        true
    }

    fn compute(&mut self, devices: &DeviceSet, seed: u64) -> Result<(), OperationError> {
        let certainty = self.bits.map_or(Certainty::Proved, |bits| Certainty::Probable { bits, seed });
        let a = &self.matrix;
        self.found = Some(exact::determinant_on(devices, a.rows, &a.entries, certainty)?);
        Ok(())
    }

    fn check_seconds(&self, refused: Option<&OperationError>, _: bool) -> f64 {
        if refused.is_some() { 0.0 } else { exact::check_seconds(self.matrix.rows, &self.matrix.entries) }
    }

    fn check(&self, seed: u64, _: bool) -> Result<Passed, OperationError> {
        let found = self.found.as_ref().ok_or_else(unmade)?;
        // Other primes than those that the determinant was computed with.
        Ok(exact::check(self.matrix.rows, &self.matrix.entries, &found.value, !seed)?)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Some(found) = self.found else { return Answer::of(Value::None) };
        let answer = Answer::of(Value::Integer(found.value.clone())).by(ALGORITHM);
        Answer { is_random: self.bits.is_some(), ..parameters(answer, self.matrix.rows, &found) }
    }
}

struct InDoublePrecision {
    matrix: Dense<f64>,
    options: RealOptions,
    /// The pivot rule.
    word: &'static str,
    found: Option<RealDeterminant>,
}

/// How refusals of real matrices are checked, as reports name it.
const REFUSED: &str = "second computation on the host";

impl InDoublePrecision {
    fn on(&self, device: &Device) -> Result<RealDeterminant, LinalgError> {
        real::determinant(device, self.matrix.rows, &self.matrix.entries, self.options)
    }
}

impl Job for InDoublePrecision {
    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        self.found = Some(self.on(&devices.devices()[0])?);
        Ok(())
    }

    /// Whether a determinant and its bound are those of a second computation on the host, to the last bit, and the determinant of the
    /// matrix as it was read is within the bound.
    fn check(&self, seed: u64, _: bool) -> Result<Passed, OperationError> {
        let found = self.found.as_ref().ok_or_else(unmade)?;
        let second = match self.on(&Device::host()) {
            Err(error @ (LinalgError::NotFinite { .. } | LinalgError::Overflow { .. })) => {
                let relation = format!("that the determinant can be computed, where on the host {error}");
                return Err(CheckError::Relation { relation }.into());
            }
            second => second?,
        };
        if *found != second {
            // With all digits: the last bits may be the only ones that differ.
            let number = |x: Scaled| format!("{} 2^{}", x.mantissa, x.exponent);
            let text = |determinant: &RealDeterminant| match determinant.error_bound {
                Some(bound) if found.value == second.value => {
                    format!("{} within {}", number(determinant.value), number(bound))
                }
                _ => number(determinant.value),
            };
            return Err(CheckError::Value { run: 0, index: 0, found: text(found), expected: text(&second) }.into());
        }
        Ok(real::check(self.matrix.rows, &self.matrix.entries, found, seed)?)
    }

    fn check_refusal(&self, refused: &OperationError, _: u64) -> Option<Result<Passed, OperationError>> {
        let Some(error @ (LinalgError::NotFinite { .. } | LinalgError::Overflow { .. })) = refused.of() else {
            return None;
        };
        // The texts are compared, since an entry of NaN makes equal errors unequal.
        if self.on(&Device::host()).is_err_and(|second| second.to_string() == error.to_string()) {
            return Some(Ok(Passed::by_second_computation(REFUSED)));
        }
        Some(Err(CheckError::Relation { relation: format!("the answer \"{error}\"") }.into()))
    }

    fn answer(self: Box<Self>) -> Answer {
        let value = self.found.map_or(Value::None, |found| {
            let bound = |bound: Scaled| Bound { mantissa: bound.mantissa, exponent2: bound.exponent };
            Value::Bounded(Bounded {
                text: found.to_string(),
                sign: found.value.signum(),
                mantissa: found.value.mantissa.abs(),
                exponent2: found.value.exponent,
                log_abs: found.log_abs(),
                error_bound: found.error_bound.map(bound),
            })
        });
        let shapes = vec![vec![self.matrix.rows, self.matrix.columns]];
        Answer::of(value).by("condensation").with("shapes", shapes).with("pivoting", self.word)
    }
}
