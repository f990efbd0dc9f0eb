//! Operations on polynomials as data, with their jobs: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `job` | jobs over a field, and results over it |
//! | `product` | products, powers, compositions and shifts |
//! | `quotient` | quotients with remainders, inverses |
//! | `divisor` | greatest common divisors, resultants |
//! | `series` | power series |
//! | `points` | values at points, and polynomials through them |
//! | `factor` | roots and factors |
//! | `refusal` | the check of answers such as that there is no inverse |
//! | `choices` | the operations that choose among candidates |

mod choices;
mod divisor;
mod factor;
mod job;
mod points;
mod product;
mod quotient;
mod refusal;
mod series;

use manycore_device::{ErrorKind, LibraryError};
use manycore_operation::{Failure, Operation, of_input};
use manycore_verify::CheckError;

use crate::error::PolyError;
use crate::file::PolyFileError;

pub use choices::CHOICES;
use job::Over;

/// Every operation on polynomials.
pub static ALL: [&dyn Operation; 15] = [
    &Over::<product::Product>::new(),
    &Over::<quotient::Division>::new(),
    &Over::<divisor::Gcd>::new(),
    &Over::<divisor::Xgcd>::new(),
    &Over::<divisor::Resultant>::new(),
    &Over::<divisor::Discriminant>::new(),
    &Over::<quotient::Inverse>::new(),
    &Over::<product::Power>::new(),
    &Over::<product::Composition>::new(),
    &Over::<product::Shift>::new(),
    &Over::<series::Series>::new(),
    &Over::<points::Eval>::new(),
    &Over::<points::Interpolate>::new(),
    &Over::<factor::Roots>::new(),
    &Over::<factor::Factors>::new(),
];

impl LibraryError for PolyFileError {
    fn kind(&self) -> ErrorKind {
        if let Self::File(error) = self { error.kind() } else { ErrorKind::Value }
    }
}

impl Failure for PolyFileError {}

impl Failure for PolyError {
    fn is_of_input(&self) -> bool {
        matches!(
            self,
            Self::TooLong { .. }
                | Self::ZeroDivisor
                | Self::RepeatedPoint { .. }
                | Self::Values { .. }
                | Self::NotInvertible { .. }
                | Self::ZeroHasNoFactors
                | Self::EveryElementIsRoot
                | Self::NoUnit
                | Self::ConstantTerm { .. }
                | Self::Characteristic { .. }
                | Self::CharacteristicTwo { .. }
                | Self::NoSquareRoot { .. }
                | Self::NoReversion
        )
    }

    fn is_of_size(&self) -> bool {
        match self {
            Self::Device(error) => error.is_of_size(),
            error => matches!(error, Self::TooLong { .. }),
        }
    }

    fn difference(&self) -> Option<&CheckError> {
        if let Self::Check(error) = self { Some(error) } else { None }
    }

    fn told(&self, inputs: &[String]) -> String {
        let input = match self {
            Self::RepeatedPoint { .. }
            | Self::ZeroHasNoFactors
            | Self::EveryElementIsRoot
            | Self::ConstantTerm { .. }
            | Self::NoSquareRoot { .. }
            | Self::NoReversion => 0,
            Self::NoUnit => inputs.len().saturating_sub(1),
            Self::Values { .. } | Self::ZeroDivisor => 1,
            _ => return self.to_string(),
        };
        of_input(self, inputs, input)
    }
}
