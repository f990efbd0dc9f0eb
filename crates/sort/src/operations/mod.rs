//! Sorts of numbers, sparse words and lines as operations, with their jobs: what the program and packages for other languages are made
//! from.
//!
//! | file | what |
//! |---|---|
//! | `numbers` | sorts of numbers in memory |
//! | `left` | sorts of numbers that are left in their file |
//! | `keys` | the types of numbers |
//! | `sparse` | sorts of sparse binary words |
//! | `text` | sorts of lines |
//! | `check` | the checks of all of them |
//! | `choices` | the sort of numbers as a choice among candidates |

mod check;
mod choices;
mod keys;
mod left;
mod numbers;
mod sparse;
mod text;

use manycore_operation::verify::CheckError;
use manycore_operation::{Arguments, DeclaredOption, Failure, Operation};

use crate::error::SortError;
use crate::sort_order::SortOrder;
pub use choices::CHOICES;
pub use sparse::{Words, words};

/// Every operation that sorts.
pub static ALL: [&dyn Operation; 3] = [&numbers::SortNumbers, &sparse::SortSparse, &text::SortText];

impl Failure for SortError {
    fn is_refusal(&self) -> bool {
        matches!(self, Self::Places { .. })
    }

    fn is_of_size(&self) -> bool {
        if let Self::Device(error) = self { error.is_of_size() } else { false }
    }
}

/// The option of the order.
const fn descending(help: &'static str) -> DeclaredOption {
    DeclaredOption::flag("descending", help)
}

/// The order that is asked for.
fn order(arguments: &Arguments) -> SortOrder {
    if arguments.is_given("descending") { SortOrder::Descending } else { SortOrder::Ascending }
}

/// The name of an order.
fn order_name(order: SortOrder) -> &'static str {
    match order {
        SortOrder::Ascending => "ascending",
        SortOrder::Descending => "descending",
    }
}

/// What is asked of a job before its result is there.
fn unmade() -> CheckError {
    CheckError::Relation { relation: "that there is a result".to_owned() }
}
