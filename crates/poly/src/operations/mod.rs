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

mod divisor;
mod factor;
mod job;
mod points;
mod product;
mod quotient;
mod refusal;
mod series;

use manycore_field::NotPrime;
use manycore_files::{FileError, OutOfMemory};
use manycore_operation::{DeclaredOption, Operation, OptionKind};
use manycore_verify::CheckError;

use crate::error::PolyError;
use crate::file::PolyFileError;

use job::Over;

/// Every operation on polynomials.
pub static ALL: [&dyn Operation<Error = OperationError>; 15] = [
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

/// Why an operation on polynomials was not done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OperationError {
    /// The file does not hold coefficients.
    #[error(transparent)]
    File(#[from] Box<PolyFileError>),
    /// There is no memory for what the file holds.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The modulus is not a supported prime.
    #[error(transparent)]
    Modulus(#[from] NotPrime),
    /// The operation was not done.
    #[error(transparent)]
    Poly(#[from] PolyError),
}

impl From<PolyFileError> for OperationError {
    fn from(error: PolyFileError) -> Self {
        Self::File(Box::new(error))
    }
}

impl From<FileError> for OperationError {
    fn from(error: FileError) -> Self {
        Self::from(PolyFileError::from(error))
    }
}

impl From<CheckError> for OperationError {
    fn from(error: CheckError) -> Self {
        Self::Poly(error.into())
    }
}

/// An option that picks one of the parts of a result.
const fn only(help: &'static str, words: &'static [(&'static str, &'static str)]) -> DeclaredOption {
    DeclaredOption {
        value: OptionKind::Word { value_name: "PART", words, default: None },
        ..DeclaredOption::flag("only", help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_whole() {
        let mut names = Vec::new();
        for operation in ALL {
            let declaration = operation.declaration();
            names.push(declaration.name);
            assert!(declaration.name.starts_with("poly ") && !declaration.title.is_empty(), "{declaration:?}");
            assert!(declaration.about.contains("\n\n") && declaration.help.contains("Examples:\n"), "{declaration:?}");
            assert!(declaration.option("modulus").is_some(), "{declaration:?}");
            let whens = declaration.inputs.iter().filter_map(|input| input.when);
            let whens = whens.chain(declaration.options.iter().filter_map(|option| option.when));
            assert!(
                whens.map(|when| when.option).all(|option| declaration.option(option).is_some()),
                "{declaration:?}"
            );
        }
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
