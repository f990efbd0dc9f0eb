//! Operations on functions on groups as data, with their jobs: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `fourier` | the Fourier transform as an operation |
//! | `job` | its job, over any numbers |
//! | `kinds` | what complex numbers and residues do differently |
//! | `choices` | the transform as a choice among candidates |

mod choices;
mod fourier;
mod job;
mod kinds;

use manycore_device::{ErrorKind, LibraryError};
use std::fmt;

use manycore_operation::{Failure, Operation, of_input};

use crate::error::FourierError;
pub use choices::CHOICES;

/// Every operation on functions on groups.
pub static ALL: [&dyn Operation; 1] = [&fourier::Transform];

impl Failure for FourierError {}

/// An error of a group that the values of a file make.
#[derive(Debug)]
struct OfValues(FourierError);

impl fmt::Display for OfValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::error::Error for OfValues {}

impl LibraryError for OfValues {
    fn kind(&self) -> ErrorKind {
        self.0.kind()
    }
}

impl Failure for OfValues {
    fn told(&self, inputs: &[String]) -> String {
        let is_of_values = matches!(
            self.0,
            FourierError::NoRoot(_)
                | FourierError::Length { .. }
                | FourierError::TooLarge { .. }
                | FourierError::Exponent { .. }
        );
        if is_of_values { of_input(self, inputs, 0) } else { self.to_string() }
    }
}
