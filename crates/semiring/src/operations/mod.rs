//! Operations over semirings as data, with their jobs: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `kind` | semirings and types of entries by their names, with their options |
//! | `faults` | what is wrong with a job |
//! | `entries` | matrices as text, and entries as they are written |
//! | `product` | `semiring product` |
//! | `plan`, `page` | `semiring plan`, and its page |
//! | `rows` | matrices as results |
//! | `check` | the second computation of a product, by plain loops |
//! | `exact` | its integers |
//! | `choices` | the product as a choice among candidates |

pub(crate) mod check;
mod choices;
pub(crate) mod entries;
pub(crate) mod exact;
mod faults;
pub(crate) mod kind;
mod page;
mod plan;
mod product;
mod rows;

use manycore_operation::Operation;

pub use choices::CHOICES;
pub use entries::{EntriesError, Entry, Infinities, coordinates, of_array, of_source, read, rows, zero};
pub use kind::{Kind, TYPES, checked, numbers, wrapping};
pub use product::value_of_lines;
pub use rows::Rows;

/// Every operation over semirings.
pub static ALL: [&dyn Operation; 2] = [&product::Product, &plan::PlanOfProgram];
