//! Operations on Boolean functions and S-boxes as data, with their jobs: what the program and packages for other languages are made
//! from.
//!
//! | file | what |
//! |---|---|
//! | `read` | texts, and the lines of what is wrong in them |
//! | `facts` | facts as text and JSON |
//! | `function` | operations on Boolean functions |
//! | `function_text` | Boolean functions as texts |
//! | `function_page` | the page of a Boolean function |
//! | `properties` | what is told of a Boolean function |

mod facts;
mod function;
mod function_page;
mod function_text;
mod properties;
mod read;

use manycore_operation::{Failure, Operation};
use manycore_verify::CheckError;

use crate::error::{BooleanError, TableError};

use function::OfFunction;
pub use read::TextError;

/// Every operation on Boolean functions.
pub static FUNCTIONS: [&dyn Operation; 5] = [
    &OfFunction::<function::Info>::new(),
    &OfFunction::<function::Walsh>::new(),
    &OfFunction::<function::NormalForm>::new(),
    &OfFunction::<function::Autocorrelation>::new(),
    &OfFunction::<function::Report>::new(),
];

impl Failure for BooleanError {
    fn is_refusal(&self) -> bool {
        match self {
            Self::Table(error) => !matches!(error, TableError::OutOfMemory { .. }),
            error => matches!(error, Self::TooManyVariables { .. } | Self::Rows { .. }),
        }
    }

    fn is_of_size(&self) -> bool {
        matches!(self, Self::Device(error) if error.is_of_size())
    }

    fn told(&self, _: &[String]) -> String {
        if let Self::Rows { .. } = self { format!("--rows: {self}") } else { self.to_string() }
    }
}

/// What is asked of a job before its result is there.
fn unmade() -> CheckError {
    CheckError::Relation { relation: "that there is a result".to_owned() }
}
