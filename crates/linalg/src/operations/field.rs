//! Jobs modulo a prime: matrices are read as residues, or modulo 2 as bits, and the device computes.

use std::marker::PhantomData;

use manycore_device::{DeviceError, DeviceSet};
use manycore_field::{ResidueWord, with_field};
use manycore_files::Source;
use manycore_operation::{Answer, Arguments, Declaration, Files, Job, Operation, OperationError, Task, Value, unmade};
use manycore_verify::{CheckError, Outcome, Passed, SplitMix, matrix};

use super::common::{Boxed, passed, room};
use super::found::Found;
use crate::bits::{BitAlgebra, BitMatrix};
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::file::{self, Dense};
use crate::modular::algebra::LinearAlgebra;
use crate::modular::matrix::Matrix;

/// An operation on matrices over a field of any type.
pub(super) trait Work: Sync + Send + 'static {
    /// What it is.
    const DECLARATION: &'static Declaration;

    /// Whether the rows of the result are made of those of the first matrix, so that several processes have some of them each.
    const SPLITS_BY_ROWS: bool = false;

    /// Whether several devices share the work, and [`Work::share`] does it: but for modulo 2.
    const IS_SHARED: bool = false;

    /// Whether [`Work::of_bits`] does it modulo 2.
    const HAS_BITS: bool = false;

    /// Computes the result on the device.
    fn compute<F: MatrixField>(
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Found<F::Element>, LinalgError>;

    /// Computes the result on several devices, or past the memory of one.
    fn share<F: MatrixField>(
        _devices: &DeviceSet,
        _field: &F,
        _matrices: &[Dense<F::Element>],
    ) -> Result<Found<F::Element>, LinalgError> {
        Err(DeviceError::elsewhere().into())
    }

    /// Computes the result modulo 2 from matrices of bits.
    fn of_bits<T: ResidueWord>(_space: &BitAlgebra, _matrices: Vec<BitMatrix>) -> Result<Found<T>, LinalgError> {
        Err(DeviceError::elsewhere().into())
    }

    /// The work on matrices of these rows and columns as one whose time is estimated.
    fn task(_shapes: &[[usize; 2]], _modulus: u64) -> Option<Task> {
        None
    }

    /// About how many seconds the check of a result takes, where it is more than products by vectors.
    fn check_seconds<F: MatrixField>(_: &Done<'_, F>) -> f64 {
        0.0
    }

    /// Checks a result against the matrices as they were read.
    fn check<F: MatrixField>(done: &Done<'_, F>) -> Outcome;

    /// The parameters of the answer that follow from the result.
    fn parameters<T: ResidueWord>(_found: &Found<T>, answer: Answer) -> Answer {
        answer
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
    pub(super) found: &'a Found<F::Element>,
    /// Whether the answer's parameters are written, too.
    pub(super) is_told: bool,
    /// The seed of the check.
    pub(super) seed: u64,
}

/// The order of the first matrix, where it is square and not empty.
pub(super) fn order(shapes: &[[usize; 2]]) -> Option<usize> {
    shapes.first().filter(|[rows, columns]| rows == columns && *rows > 0).map(|&[order, _]| order)
}

/// A choice of an order and a modulus.
pub(super) fn of_order(choice: &'static str, shapes: &[[usize; 2]], modulus: u64) -> Option<Task> {
    order(shapes).map(|n| Task::of(choice, vec![("n", n as u64), ("modulus", modulus)]))
}

/// Reads matrices modulo a prime, as a job of `W`.
pub(super) fn read<W: Work>(p: u64, files: &mut dyn Files) -> Result<Boxed, OperationError> {
    with_field!(p, field => of_field::<W, _>(field, files))?
}

fn of_field<W: Work, F: MatrixField>(field: F, files: &mut dyn Files) -> Result<Boxed, OperationError> {
    let count = W::DECLARATION.inputs.len();
    if field.order() == 2 && W::HAS_BITS && !files.is_kept() {
        let sources = (0..count)
            .map(|input| {
                Ok(match files.earlier(input) {
                    Some(earlier) => Opened::Earlier(earlier),
                    None => Opened::Source(files.matrix(input)?),
                })
            })
            .collect::<Result<Vec<_>, OperationError>>()?;
        let found = None;
        return Ok(Box::new(OfBits::<W> { sources, shapes: Vec::new(), found, work: PhantomData }));
    }
    let mut matrices: Vec<Dense<F::Element>> = Vec::with_capacity(count);
    for input in 0..count {
        if let Some(same) = files.earlier(input).and_then(|earlier| matrices.get(earlier)) {
            matrices.push(same.clone());
            continue;
        }
        let source = files.matrix(input)?;
        let name = source.file().to_owned();
        let matrix = file::residues(&field, source)?;
        room(&matrix, &name)?;
        matrices.push(matrix);
    }
    let shapes = matrices.iter().map(|dense| [dense.rows, dense.columns]).collect();
    if let Some(first) = matrices.first_mut().filter(|_| W::SPLITS_BY_ROWS) {
        let rows = files.part(first.rows);
        first.entries.truncate(rows.end * first.columns);
        first.entries.drain(..rows.start * first.columns);
        first.rows = rows.len();
    }
    Ok(Box::new(Modular::<W, F> { field, matrices, shapes, found: None, work: PhantomData }))
}

/// A job over a field.
struct Modular<W, F: MatrixField> {
    field: F,
    matrices: Vec<Dense<F::Element>>,
    /// The shapes of the whole matrices.
    shapes: Vec<[usize; 2]>,
    found: Option<Found<F::Element>>,
    work: PhantomData<W>,
}

impl<W: Work, F: MatrixField> Modular<W, F> {
    fn done(&self, seed: u64, is_told: bool) -> Result<Done<'_, F>, OperationError> {
        let found = self.found.as_ref().ok_or_else(unmade)?;
        Ok(Done { p: self.field.order(), field: &self.field, matrices: &self.matrices, found, is_told, seed })
    }
}

impl<W: Work, F: MatrixField> Job for Modular<W, F> {
    fn task(&self) -> Option<Task> {
        let shapes: Vec<[usize; 2]> = self.matrices.iter().map(|dense| [dense.rows, dense.columns]).collect();
        if self.field.order() == 2 { None } else { W::task(&shapes, self.field.order()) }
    }

    fn is_shared(&self) -> bool {
        W::IS_SHARED && self.field.order() != 2
    }

    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let is_bits = self.field.order() == 2;
        if W::IS_SHARED && !is_bits {
            self.found = Some(W::share(devices, &self.field, &self.matrices)?);
            return Ok(());
        }
        let device = &devices.devices()[0];
        self.found = Some(if is_bits && W::HAS_BITS {
            let space = BitAlgebra::new(device);
            let of = |dense: &Dense<F::Element>| space.of_residues(dense.rows, dense.columns, &dense.entries);
            W::of_bits(&space, self.matrices.iter().map(of).collect::<Result<Vec<_>, _>>()?)?
        } else {
            let space = LinearAlgebra::new(device, self.field.clone())?;
            let of = |dense: &Dense<F::Element>| space.matrix(dense.rows, dense.columns, &dense.entries);
            W::compute(&space, &self.matrices.iter().map(of).collect::<Result<Vec<_>, _>>()?)?
        });
        Ok(())
    }

    fn check_seconds(&self, refused: Option<&OperationError>, is_told: bool) -> f64 {
        match refused {
            None => self.done(0, is_told).map_or(0.0, |done| W::check_seconds(&done)),
            Some(refused) => match refused.of() {
                Some(&LinalgError::Singular { order, .. }) => {
                    matrix::elimination_seconds(self.field.order(), (order, order))
                }
                _ => 0.0,
            },
        }
    }

    fn check(&self, seed: u64, is_told: bool) -> Result<Passed, OperationError> {
        passed(W::check(&self.done(seed, is_told)?))
    }

    fn check_refusal(&self, refused: &OperationError, seed: u64) -> Option<Result<Passed, OperationError>> {
        let &LinalgError::Singular { rank, order } = refused.of()? else { return None };
        Some(passed(singular(self.field.order(), &self.matrices[0], rank, order, seed)))
    }

    fn answer(self: Box<Self>) -> Answer {
        answered::<W, _>(self.found, self.field.order(), &self.shapes)
    }
}

/// The answer of a result modulo a prime.
fn answered<W: Work, T: ResidueWord>(found: Option<Found<T>>, p: u64, shapes: &[[usize; 2]]) -> Answer {
    let found = found.unwrap_or(Found::None);
    let answer = Answer::of(Value::None).modulo(p).with("modulus", manycore_operation::json::integer(p));
    let answer = answer.with("shapes", shapes.iter().map(|shape| shape.to_vec()).collect::<Vec<_>>());
    let answer = W::parameters(&found, answer);
    Answer { value: found.value(), ..answer }
}

/// Whether a matrix has this rank, below its order, and so no inverse.
fn singular<T: ResidueWord>(p: u64, a: &Dense<T>, rank: usize, order: usize, seed: u64) -> Outcome {
    if rank >= order || (a.rows, a.columns) != (order, order) {
        let relation = format!("that a matrix of {} rows and rank {rank} has no inverse", a.rows);
        return Err(CheckError::Relation { relation });
    }
    matrix::rank(p, (order, order), &a.entries, rank, &mut SplitMix::new(seed))
}

/// What is read into bits.
enum Opened {
    Source(Source<'static>),
    /// The matrix of an earlier input, by its index.
    Earlier(usize),
}

/// A job modulo 2 without a check, which wants the entries as they were read: files are read into bits.
struct OfBits<W> {
    sources: Vec<Opened>,
    shapes: Vec<[usize; 2]>,
    found: Option<Found<u64>>,
    work: PhantomData<W>,
}

impl<W: Work> Job for OfBits<W> {
    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let space = BitAlgebra::new(&devices.devices()[0]);
        let mut matrices: Vec<BitMatrix> = Vec::with_capacity(self.sources.len());
        for opened in std::mem::take(&mut self.sources) {
            matrices.push(match opened {
                Opened::Source(source) => space.read_from(source)?,
                Opened::Earlier(earlier) => space.copy_of(&matrices[earlier])?,
            });
        }
        self.shapes = matrices.iter().map(|matrix| [matrix.rows(), matrix.columns()]).collect();
        self.found = Some(W::of_bits(&space, matrices)?);
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        Err(unmade().into())
    }

    fn answer(self: Box<Self>) -> Answer {
        answered::<W, _>(self.found, 2, &self.shapes)
    }
}

/// An operation that is done modulo a prime alone.
pub(super) struct Modulo<W>(PhantomData<fn() -> W>);

impl<W> Modulo<W> {
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<W: Work> Operation for Modulo<W> {
    fn declaration(&self) -> &'static Declaration {
        W::DECLARATION
    }

    fn is_shared(&self, _: &Arguments) -> bool {
        W::IS_SHARED
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Boxed, OperationError> {
        // Zero is no prime, and refused as such.
        read::<W>(arguments.number("modulus").unwrap_or(0), files)
    }
}

/// An operation that is done modulo a prime, or in another way where no modulus is given.
pub(super) struct Either<W> {
    pub(super) other: fn(&Arguments, &mut dyn Files) -> Result<Boxed, OperationError>,
    /// Whether several devices share the work of the other way.
    pub(super) is_shared: fn(&Arguments) -> bool,
    work: PhantomData<fn() -> W>,
}

impl<W> Either<W> {
    pub(super) const fn new(other: fn(&Arguments, &mut dyn Files) -> Result<Boxed, OperationError>) -> Self {
        Self { other, is_shared: |_| false, work: PhantomData }
    }

    pub(super) const fn shared(self, is_shared: fn(&Arguments) -> bool) -> Self {
        Self { is_shared, ..self }
    }
}

impl<W: Work> Operation for Either<W> {
    fn declaration(&self) -> &'static Declaration {
        W::DECLARATION
    }

    fn is_shared(&self, arguments: &Arguments) -> bool {
        if arguments.is_given("modulus") { W::IS_SHARED } else { (self.is_shared)(arguments) }
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Boxed, OperationError> {
        match arguments.number("modulus") {
            Some(p) => read::<W>(p, files),
            None => (self.other)(arguments, files),
        }
    }
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
