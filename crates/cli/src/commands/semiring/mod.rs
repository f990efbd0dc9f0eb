//! `manycore semiring`: generalized products of matrices.
//!
//! | file | what |
//! |---|---|
//! | `product` | `product` |
//! | `plan` | `plan` |
//! | `check` | the second computation of a product, by plain loops |
//! | `exact` | its integers |

mod check;
mod exact;
pub mod plan;
pub mod product;

use std::path::Path;

use clap::Subcommand;
use manycore::semiring::Matrix;
use manycore::semiring::operations::{Entry, Infinities, of_source};

use crate::arguments::Global;
use crate::error::Error;
use crate::input;
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

/// Reads a matrix over a semiring from a file.
///
/// # Errors
/// What is wrong in it.
pub(crate) fn read<T: Entry>(path: &Path, infinities: Infinities, absent: Option<T>) -> Result<Matrix<T>, Error> {
    Ok(of_source(input::open_matrix(path)?, infinities, absent)?)
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
