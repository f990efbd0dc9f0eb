//! Operations on vectors by Kronecker products as data, with their jobs: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `product` | the product times vectors as an operation |
//! | `job` | its job, over any ring |
//! | `rings` | what integers, residues and other numbers do differently |
//! | `choices` | the product as a choice among candidates |

mod choices;
mod job;
mod product;
mod rings;

use manycore_operation::{Failure, Operation};

use crate::error::{KroneckerError, ParseError};
pub use choices::CHOICES;

/// Every operation by Kronecker products.
pub static ALL: [&dyn Operation; 1] = [&product::Product];

impl Failure for KroneckerError {
    fn is_of_input(&self) -> bool {
        matches!(
            self,
            Self::Order { .. }
                | Self::Batch { .. }
                | Self::Factor { .. }
                | Self::Length { .. }
                | Self::Overflow { .. }
                | Self::Fraction { .. }
        )
    }
}

impl Failure for ParseError {
    fn told(&self, _: &[String]) -> String {
        format!("--product: {self}")
    }
}
