//! Sorts of numbers, sparse words and lines as operations, with their jobs: what the program and packages for other languages are made
//! from.
//!
//! | file | what |
//! |---|---|
//! | `numbers` | sorts of numbers in memory |
//! | `left` | sorts of numbers that are left in their file |
//! | `keys` | the types of numbers |
//! | `options` | what is asked of a sort |
//! | `sparse` | sorts of sparse binary words |
//! | `text` | sorts of lines |
//! | `check` | the checks of all of them |
//! | `choices` | the sort of numbers as a choice among candidates |

mod check;
mod choices;
mod keys;
mod left;
mod numbers;
mod options;
mod sparse;
mod text;

use manycore_operation::{Failure, Operation};

use crate::error::SortError;
pub use choices::CHOICES;
pub use sparse::{Words, words};

/// Every operation that sorts.
pub static ALL: [&dyn Operation; 3] = [&numbers::SortNumbers, &sparse::SortSparse, &text::SortText];

impl Failure for SortError {
    fn is_of_input(&self) -> bool {
        matches!(self, Self::Places { .. })
    }
}
