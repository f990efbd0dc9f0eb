//! `manycore matrix`: dense matrices over a prime field, the integers and in double precision, as `manycore::linalg` declares them.
//!
//! | file | what |
//! |---|---|
//! | `shards` | exact determinants by primes in shards |

mod shards;

use std::path::Path;

use manycore::LinalgError;
use manycore::linalg::operations::{ALL, OperationError};

use crate::arguments::Global;
use crate::commands::declared::{self, Called, Family};
use crate::error::Error;
use crate::input;
use crate::shard::{self, Split};

/// The operations on matrices.
#[derive(Debug)]
pub struct Matrices;

impl Family for Matrices {
    type Error = OperationError;

    fn all() -> &'static [&'static dyn manycore::operation::Operation<Error = OperationError>] {
        &ALL
    }
}

/// One of them, as it is called.
pub type Operation = Called<Matrices>;

impl From<OperationError> for Error {
    fn from(error: OperationError) -> Self {
        match error {
            OperationError::File(error) => Self::Input((*error).into()),
            OperationError::Memory(error) => Self::Input(error.into()),
            OperationError::Modulus(error) => error.into(),
            OperationError::Linalg(error) => error.into(),
            error => Self::Usage(error.to_string()),
        }
    }
}

/// Does what was asked for.
///
/// # Errors
/// Whatever the operation fails with.
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    match shard::turn(global) {
        Some(turn) if operation.declaration().name == shards::DETERMINANT => shards::write(operation, global, turn),
        _ => declared::run(operation, global, of_files),
    }
}

/// How the work of an operation splits into shards.
pub(crate) fn split(operation: &Operation) -> Option<&dyn Split> {
    [shards::DETERMINANT, shards::PRODUCT].contains(&operation.declaration().name).then_some(operation as &dyn Split)
}

/// The error of one file's matrix names the file, and that of two whose shapes do not fit both.
pub(super) fn of_files(error: Error, files: &[&Path]) -> Error {
    let Error::Linalg(error) = error else { return error };
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
