//! Operations on sparse matrices as data: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `choices` | the product as a choice among candidates |

mod choices;

use manycore_operation::Failure;

use crate::error::SparseError;

pub use choices::CHOICES;

impl Failure for SparseError {
    fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Length { .. }
                | Self::Parameter { .. }
                | Self::Value { .. }
                | Self::Geometry(_)
                | Self::NotSquare { .. }
                | Self::TooLarge { .. }
        )
    }

    fn is_of_size(&self) -> bool {
        matches!(self, Self::Device(error) if error.is_of_size())
    }
}
