//! What the operations on matrices over a field have in common: files are read, the device computes, the result is checked and
//! written.

use std::path::Path;

use manycore::device::{DeviceError, DeviceSet};
use manycore::field::ResidueWord;
use manycore::linalg::bits::{BitAlgebra, BitMatrix};
use manycore::linalg::file::Dense;
use manycore::verify::{CheckError, Outcome, SplitMix, matrix};
use manycore::{LinalgError, LinearAlgebra, Matrix, MatrixField, PolyField};
use serde_json::{Map, json};

use super::value::{self, Value};
use crate::arguments::Global;
use crate::commands::auto::Wanted;
use crate::commands::choice::Operation;
use crate::commands::label;
use crate::commands::poly::{Modulus, WithField};
use crate::commands::several::{Asked, Spent, one};
use crate::error::Error;
use crate::input;
use crate::output::{self, JsonInteger, Report};
use crate::progress;
use crate::shard;
use crate::verification::{Verification, announce, verified};

/// An operation on matrices over a field of any type.
pub(super) trait Work: Sized {
    /// The command, as reports name it.
    const COMMAND: &'static str;

    /// What progress calls it.
    const STEP: &'static str;

    /// Computes the result on the device, and what the report's parameters have beside the modulus, the shapes and the seed.
    fn compute<F: MatrixField>(
        &self,
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Computed, LinalgError>;

    /// Whether the rows of the result are made of those of the first matrix, so that shards have some of them each.
    const SPLITS_BY_ROWS: bool = false;

    /// Whether several devices share the work, and [`Work::share`] does it: but for modulo 2.
    const IS_SHARED: bool = false;

    /// Computes the result on several devices, or past the memory of one.
    fn share<F: MatrixField>(
        &self,
        _devices: &DeviceSet,
        _field: &F,
        _matrices: &[Dense<F::Element>],
    ) -> Result<Computed, LinalgError> {
        Err(DeviceError::elsewhere().into())
    }

    /// Computes the result modulo 2 from matrices of bits, where it has such a form.
    const OF_BITS: Option<OfBits<Self>> = None;

    /// About how many seconds the check of a result takes, where it is more than products by vectors.
    fn check_seconds<F: MatrixField>(&self, _: &Done<'_, F>) -> f64 {
        0.0
    }

    /// The work on matrices of these rows and columns as an operation whose time is estimated, where it is one.
    fn operation(&self, _shapes: &[[usize; 2]], _modulus: u64) -> Option<Operation> {
        None
    }

    /// Checks a result against the matrices as they were read.
    fn check<F: MatrixField>(&self, done: &Done<'_, F>) -> Outcome;
}

/// A computation modulo 2.
pub(super) type OfBits<W> = fn(&W, &BitAlgebra, Vec<BitMatrix>) -> Result<Computed, LinalgError>;

/// A result, and how it was made.
pub(super) struct Computed {
    pub(super) value: Value,
    pub(super) parameters: Map<String, serde_json::Value>,
}

impl From<Value> for Computed {
    fn from(value: Value) -> Self {
        Self { value, parameters: Map::new() }
    }
}

/// What a check gets to see.
pub(super) struct Done<'a, F: MatrixField> {
    /// The modulus.
    pub(super) p: u64,
    /// The field.
    pub(super) field: &'a F,
    /// The matrices, as they were read.
    pub(super) matrices: &'a [Dense<F::Element>],
    /// The result.
    pub(super) value: &'a Value,
    /// What the report says beside it, where it is written; nothing where the result is written alone.
    pub(super) told: Option<&'a Map<String, serde_json::Value>>,
    /// The seed of the check.
    pub(super) seed: u64,
}

impl<F: MatrixField> Done<'_, F> {
    /// The words of the result.
    pub(super) fn words(&self) -> Vec<F::Element> {
        let words: &[u64] = match self.value {
            Value::Integer(value) => std::slice::from_ref(value),
            Value::List(list) => &list.0,
            Value::Rows { words, .. } => words,
            Value::Decimal(_)
            | Value::Decimals(_)
            | Value::Integers { .. }
            | Value::Fractions { .. }
            | Value::Parts(_)
            | Value::Real(_)
            | Value::None => &[],
        };
        words.iter().map(|&word| F::Element::from_u64(word)).collect()
    }
}

/// A matrix as the program writes it.
pub(super) fn rows<F: MatrixField>(space: &LinearAlgebra<F>, a: &Matrix<F>) -> Result<Value, LinalgError> {
    let words = space.entries(a)?.into_iter().map(F::Element::as_u64).collect();
    Ok(Value::Rows { rows: a.rows(), columns: a.columns(), words })
}

/// A matrix of bits as the program writes it.
pub(super) fn rows_of_bits(space: &BitAlgebra, a: &BitMatrix) -> Result<Value, LinalgError> {
    Ok(Value::Rows { rows: a.rows(), columns: a.columns(), words: space.residues(a)? })
}

/// The order of the first matrix, where it is square and not empty.
pub(super) fn order(shapes: &[[usize; 2]]) -> Option<usize> {
    shapes.first().filter(|[rows, columns]| rows == columns && *rows > 0).map(|&[order, _]| order)
}

/// Reads the matrices of these files, does the work on the device of `global`, checks and writes the result.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run<W: Work>(work: &W, files: &[&Path], modulus: u64, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let asked = if W::IS_SHARED { Asked::new(global)? } else { Asked::One(Wanted::new(global)?) };
    Modulus(modulus).with(Job { work, files, global, asked })
}

struct Job<'a, W> {
    work: &'a W,
    files: &'a [&'a Path],
    global: &'a Global,
    asked: Asked<'a>,
}

impl<W: Work> WithField for Job<'_, W> {
    type Output = ();

    fn run<F: PolyField + MatrixField>(self, field: F) -> Result<(), Error> {
        if let (2, Some(compute), false) = (field.order(), W::OF_BITS, self.global.verify || shard::is_on(self.global))
        {
            return self.run_bits(compute);
        }
        let Self { work, files, global, asked } = self;
        let mut read = input::each_once(files, |path| {
            progress::step(format!("reading {}", input::name(path)));
            Ok(input::matrix_of_residues(path, &field)?)
        })?;
        let p = field.order();
        let all: Vec<(usize, usize)> = read.iter().map(|dense| (dense.rows, dense.columns)).collect();
        if let Some(first) = read.first_mut().filter(|_| W::SPLITS_BY_ROWS) {
            let Some(rows) = shard::range(global, first.rows) else { return shard::write_empty(global) };
            first.entries.truncate(rows.end * first.columns);
            first.entries.drain(..rows.start * first.columns);
            first.rows = rows.len();
        }
        let shapes: Vec<[usize; 2]> = read.iter().map(|dense| [dense.rows, dense.columns]).collect();
        if p == 2 && matches!(asked, Asked::Several(_)) {
            one(global)?;
        }
        let devices = asked.devices(work.operation(&shapes, p).filter(|_| p != 2).as_ref());
        progress::compute(format!("{} on {}", W::STEP, label(&devices)));
        let device = &devices.set().devices()[0];
        let space = LinearAlgebra::new(device, field)?;
        let (outcome, spent) = devices.measured(|| -> Result<_, LinalgError> {
            if W::IS_SHARED && p != 2 {
                return work.share(devices.set(), space.field(), &read);
            }
            if let (2, Some(compute)) = (p, W::OF_BITS) {
                let space = BitAlgebra::new(device);
                let matrices = read
                    .iter()
                    .map(|dense| space.of_residues(dense.rows, dense.columns, &dense.entries))
                    .collect::<Result<Vec<_>, _>>()?;
                return compute(work, &space, matrices);
            }
            let matrices = read
                .iter()
                .map(|dense| space.matrix(dense.rows, dense.columns, &dense.entries))
                .collect::<Result<Vec<_>, _>>()?;
            work.compute(&space, &matrices)
        })?;
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        let Computed { value, parameters: own } = match outcome {
            Ok(computed) => computed,
            Err(error) => {
                if let (true, &LinalgError::Singular { rank, order }) = (global.verify, &error) {
                    progress::step("verifying");
                    announce(matrix::elimination_seconds(p, (order, order)), global.quiet);
                    verified(singular(p, &read[0], rank, order, seed), &devices)?;
                }
                return Err(of_files(error, files));
            }
        };
        let verification = if global.verify {
            progress::step("verifying");
            let told = global.json.then_some(&own);
            let done = Done::<F> { p, field: space.field(), matrices: &read, value: &value, told, seed };
            announce(work.check_seconds(&done), global.quiet);
            Some(verified(work.check(&done), &devices)?)
        } else {
            None
        };
        let parameters = parameters(p, &all, global.verify.then_some(seed), own);
        let made = Made {
            command: W::COMMAND,
            device: label(&devices),
            algorithm: None,
            spent,
            verification,
            modulus: Some(p),
        };
        write(global, made, parameters, value)
    }
}

impl<W: Work> Job<'_, W> {
    /// The same modulo 2, without a check, which wants the entries as they were read: files are read into bits.
    fn run_bits(self, compute: OfBits<W>) -> Result<(), Error> {
        let Self { work, files, global, asked } = self;
        let Asked::One(wanted) = asked else { return one(global).map(drop) };
        let device = wanted.device(None::<&Operation>);
        let space = BitAlgebra::new(&device);
        let mut shapes = Vec::with_capacity(files.len());
        let (outcome, profile) = device.profile(|| -> Result<_, Error> {
            let read = |path: &Path| {
                progress::step(format!("reading {}", input::name(path)));
                Ok(input::matrix_of_bits(path, &space)?)
            };
            let copied = |matrix: &BitMatrix| space.copy_of(matrix).map_err(|error| of_files(error, files));
            let matrices = input::each_once_or_copied(files, read, copied)?;
            shapes.extend(matrices.iter().map(BitMatrix::shape));
            progress::compute(format!("{} on {}", W::STEP, label(&device)));
            compute(work, &space, matrices).map_err(|error| of_files(error, files))
        })?;
        let Computed { value, parameters: own } = outcome?;
        let parameters = parameters(2, &shapes, None, own);
        let made = Made {
            command: W::COMMAND,
            device: label(&device),
            algorithm: None,
            spent: (&profile).into(),
            verification: None,
            modulus: Some(2),
        };
        write(global, made, parameters, value)
    }
}

/// What a report says of an input.
fn parameters(
    p: u64,
    shapes: &[(usize, usize)],
    seed: Option<u64>,
    own: Map<String, serde_json::Value>,
) -> serde_json::Value {
    let shapes: Vec<_> = shapes.iter().map(|&(rows, columns)| [rows, columns]).collect();
    let seed = seed.map(|seed| JsonInteger(seed.into()));
    let mut parameters = json!({ "modulus": JsonInteger(p.into()), "shapes": shapes, "seed": seed });
    if let Some(parameters) = parameters.as_object_mut() {
        parameters.extend(own);
    }
    parameters
}

/// Whether a matrix has this rank, below its order, and so no inverse.
fn singular<T: ResidueWord>(p: u64, a: &Dense<T>, rank: usize, order: usize, seed: u64) -> Outcome {
    if rank >= order || (a.rows, a.columns) != (order, order) {
        let relation = format!("that a matrix of {} rows and rank {rank} has no inverse", a.rows);
        return Err(CheckError::Relation { relation });
    }
    matrix::rank(p, (order, order), &a.entries, rank, &mut SplitMix::new(seed))
}

/// The error of one file's matrix names the file, and that of two whose shapes do not fit both.
pub(super) fn of_files(error: LinalgError, files: &[&Path]) -> Error {
    match (error, files) {
        (LinalgError::Shapes { operation, left, right }, [first, second]) => {
            let (first, second) = (input::name(first), input::name(second));
            let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
            // The columns of the first and the rows of the second factor of a product; the rows of both sides of a system.
            let expected = if operation == "product" { count(left.1, "column") } else { count(left.0, "row") };
            Error::Usage(format!("{second}: {}, where {first} has {expected}", count(right.0, "row")))
        }
        (error @ LinalgError::Device(_), _) => error.into(),
        (error, [file]) => Error::Of { file: input::name(file), error: Box::new(error.into()) },
        (error, _) => error.into(),
    }
}

/// How a result was made.
pub(super) struct Made {
    pub(super) command: &'static str,
    pub(super) device: String,
    pub(super) algorithm: Option<&'static str>,
    pub(super) spent: Spent,
    pub(super) verification: Option<Verification>,
    /// The modulus of residues.
    pub(super) modulus: Option<u64>,
}

/// Writes a result with its report.
///
/// # Errors
/// [`Error::Output`] when it cannot be written.
pub(super) fn write(global: &Global, made: Made, parameters: serde_json::Value, value: Value) -> Result<(), Error> {
    let Made { command, device, algorithm, spent, verification, modulus } = made;
    let report = Report {
        device: Some(device),
        algorithm,
        seconds: Some(spent.seconds),
        transfer_seconds: spent.transfer_seconds,
        verified: global.verify.then_some(true),
        verification,
        ..Report::new(command, parameters, value)
    };
    value::write(global, report, modulus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_without_inverse_have_the_rank_that_is_told() {
        let a = Dense { rows: 2, columns: 2, entries: vec![1u32, 2, 2, 4] };
        let is_wrong = |rank, order| singular(7, &a, rank, order, 1).is_err_and(|error| error.is_wrong());
        assert!(singular(7, &a, 1, 2, 1).is_ok());
        assert!(is_wrong(0, 2) && is_wrong(2, 2) && is_wrong(1, 3) && is_wrong(1, 1));
        let regular = Dense { rows: 2, columns: 2, entries: vec![1u32, 2, 2, 5] };
        assert!(singular(7, &regular, 1, 2, 1).is_err_and(|error| error.is_wrong()));
    }
}
