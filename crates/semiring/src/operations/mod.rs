//! Operations over semirings as data, with their jobs: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `kind` | semirings by their names |
//! | `entries` | matrices as text, and entries as they are written |
//! | `product` | `semiring product` |
//! | `plan`, `page` | `semiring plan`, and its page |
//! | `rows` | matrices as results |
//! | `check` | the second computation of a product, by plain loops |
//! | `exact` | its integers |
//! | `choices` | the product as a choice among candidates |

mod check;
mod choices;
mod entries;
mod exact;
mod kind;
mod page;
mod plan;
mod product;
mod rows;

use manycore_operation::verify::CheckError;
use manycore_operation::{DeclaredOption, Failure, Operation, OptionKind};

use crate::error::SemiringError;

pub(crate) use check::{Plain, Real, told};
pub use choices::CHOICES;
pub use entries::{EntriesError, Entry, Infinities, coordinates, of_array, of_source, read, rows, zero};
pub(crate) use exact::{ABOVE, Domain, Exact};
pub use kind::{Kind, TYPES, checked, numbers, wrapping};
pub use product::value_of_lines;
pub use rows::Rows;

/// Every operation over semirings.
pub static ALL: [&dyn Operation; 2] = [&product::Product, &plan::PlanOfProgram];

/// The option of the type of entries.
const fn type_option(help: &'static str) -> DeclaredOption {
    DeclaredOption {
        value: OptionKind::Word { value_name: "TYPE", words: TYPES, default: Some("i64") },
        ..DeclaredOption::flag("type", help)
    }
}

const WRAP: DeclaredOption =
    DeclaredOption::flag("wrap", "Sums and products of integers are modulo 2^bits, and no integer is an infinity");

/// An integer that its type does not hold.
#[derive(Debug, thiserror::Error)]
#[error("{what} is past type {type_name}")]
struct Past {
    /// Its place, and what it is.
    what: String,
    type_name: &'static str,
}

impl Failure for Past {
    fn is_refusal(&self) -> bool {
        true
    }

    fn told(&self, _: &[String]) -> String {
        let (other, bits) = if self.type_name == "i32" { ("i64", 32) } else { ("f64, which rounds", 64) };
        format!("{self}: --type {other}, or --wrap for integers modulo 2^{bits}")
    }
}

/// What is asked of a job before its result is there.
fn unmade() -> CheckError {
    CheckError::Relation { relation: "that there is a result".to_owned() }
}

impl Failure for SemiringError {
    fn is_refusal(&self) -> bool {
        !matches!(self, Self::Device(_) | Self::Memory { .. } | Self::NoChoice(_) | Self::Expression(_))
    }

    fn is_of_size(&self) -> bool {
        matches!(self, Self::Device(error) if error.is_of_size())
    }
}
