//! `manycore semiring`: generalized products of matrices.
//!
//! | file | what |
//! |---|---|
//! | `product` | `product` |
//! | `plan` | `plan` |
//! | `entries` | matrices as text, and entries as they are written |
//! | `check` | the second computation of a product, by plain loops |
//! | `exact` | its integers |

mod check;
pub(crate) mod entries;
mod exact;
pub mod plan;
pub mod product;

use clap::Subcommand;

use crate::arguments::Global;
use crate::error::Error;
use crate::shard::Split;

/// The operations.
#[derive(Debug, Subcommand)]
pub enum Operation {
    /// The product of two matrices over a semiring
    #[command(long_about = product::ABOUT, after_long_help = product::HELP)]
    Product(product::Arguments),
    /// Run a program of products, functions of entries and sums by its cheapest plan
    #[command(long_about = plan::ABOUT, after_long_help = plan::HELP)]
    Plan(plan::Arguments),
}

/// How the work of an operation splits into shards.
pub(crate) fn split(operation: &Operation) -> Option<&dyn Split> {
    match operation {
        Operation::Product(arguments) => Some(arguments),
        Operation::Plan(_) => None,
    }
}

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    match operation {
        Operation::Product(arguments) => product::run(arguments, global),
        Operation::Plan(arguments) => plan::run(arguments, global),
    }
}
