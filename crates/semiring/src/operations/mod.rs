//! Operations over semirings as data, with their jobs: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `kind` | semirings by their names |
//! | `entries` | matrices as text, and entries as they are written |
//! | `choices` | the product as a choice among candidates |

mod choices;
mod entries;
mod kind;

use manycore_operation::Failure;

use crate::error::SemiringError;

pub use choices::CHOICES;
pub use entries::{EntriesError, Entry, Infinities, coordinates, of_array, of_source, read, rows, zero};
pub use kind::{Kind, TYPES, checked, numbers, wrapping};

impl Failure for SemiringError {
    fn is_refusal(&self) -> bool {
        !matches!(self, Self::Device(_) | Self::Memory { .. } | Self::NoChoice(_) | Self::Expression(_))
    }

    fn is_of_size(&self) -> bool {
        matches!(self, Self::Device(error) if error.is_of_size())
    }
}
