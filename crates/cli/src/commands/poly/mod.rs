//! `manycore poly`: polynomials over a prime field, as `manycore::poly` declares them.
//!
//! | file | what |
//! |---|---|
//! | `field` | the field that a modulus names |

mod field;

use manycore::operation::{Operation as Declared, Value};
use manycore::poly::operations::{ALL, OperationError};

pub(crate) use field::{Modulus, WithField};

use crate::arguments::Global;
use crate::commands::declared::{self, Called, Family};
use crate::error::Error;
use crate::shard::{Shards, Split, array};

/// The operations on polynomials.
#[derive(Debug)]
pub struct Polynomials;

impl Family for Polynomials {
    type Error = OperationError;

    fn all() -> &'static [&'static dyn Declared<Error = OperationError>] {
        &ALL
    }
}

/// One of them, as it is called.
pub type Operation = Called<Polynomials>;

impl From<OperationError> for Error {
    fn from(error: OperationError) -> Self {
        match error {
            OperationError::File(error) => Self::Input((*error).into()),
            OperationError::Memory(error) => Self::Input(error.into()),
            OperationError::Modulus(error) => error.into(),
            OperationError::Poly(error) => error.into(),
            error => Self::Usage(error.to_string()),
        }
    }
}

/// Does what was asked for.
///
/// # Errors
/// Whatever the operation fails with.
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    declared::run(operation, global, Error::of_files)
}

/// The operation whose work splits into shards, by points.
const VALUES: &str = "poly eval";

/// How the work of an operation splits into shards.
pub(crate) fn split(operation: &Operation) -> Option<&dyn Split> {
    (operation.declaration().name == VALUES).then_some(operation as &dyn Split)
}

impl Split for Operation {
    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let report = array::residues(VALUES, shards, global)?;
        declared::write::write(global, report.map(|words| Value::Elements(words.0)), self.arguments.number("modulus"))
    }
}
