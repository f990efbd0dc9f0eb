//! The common part of jobs on matrices: inputs and options, reading, and refusals.

use manycore_files::OutOfMemory;
use manycore_files::memory::probe;
use manycore_operation::{DeclaredOption, Files, Input, Job, OperationError, OptionKind};
use manycore_verify::{Outcome, Passed};

use crate::file::{self, Dense, FileEntry};

pub(super) type Boxed = Box<dyn Job>;

/// The help text of a matrix.
pub(super) const MATRIX: &str = "The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy; - is standard input";
pub(super) const M: &[Input] = &[Input::matrix("m", "M", MATRIX)];

/// The modulus where there are others.
pub(super) const MODULO: DeclaredOption = DeclaredOption {
    value: OptionKind::Modulus { is_required: false },
    ..DeclaredOption::flag("modulus", "Modulo a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1")
};
pub(super) const OVER_RATIONALS: &str =
    "Over the rationals: the entries are integers, decimal numbers or fractions such as 2/3";

/// Reads a matrix of numbers.
pub(super) fn read<T: FileEntry + Clone>(
    files: &mut dyn Files,
    input: usize,
    earlier: &[Dense<T>],
) -> Result<Dense<T>, OperationError> {
    if let Some(same) = files.earlier(input).and_then(|earlier_input| earlier.get(earlier_input)) {
        return Ok(same.clone());
    }
    let source = files.matrix(input)?;
    let name = source.file().to_owned();
    let matrix = file::read(source)?;
    room(&matrix, &name)?;
    Ok(matrix)
}

/// Refuses matrices with which nothing can be computed: there must be memory for them on a device, and for their result.
pub(super) fn room<T>(matrix: &Dense<T>, file: &str) -> Result<(), OutOfMemory> {
    probe(2 * size_of_val(&matrix.entries[..]) as u64, || format!("the results of {file}"))
}

/// What a check says that may fail in other ways, too.
pub(super) fn passed(outcome: Outcome) -> Result<Passed, OperationError> {
    Ok(outcome?)
}
