//! `manycore sparse`: sparse matrices, one file an operation.

mod cache;
mod info;
mod misses;
mod multiply;
pub(crate) mod orders;
mod reorder;
mod report;

use clap::Subcommand;

use crate::arguments::Global;
use crate::error::Error;
use crate::shard::Split;

/// The operations.
#[derive(Debug, Subcommand)]
pub enum Operation {
    /// Put rows and columns in an order that saves cache misses
    #[command(long_about = reorder::LONG_ABOUT, after_long_help = reorder::AFTER_HELP)]
    Reorder(reorder::Arguments),
    /// Multiply by a vector
    #[command(long_about = multiply::LONG_ABOUT, after_long_help = multiply::AFTER_HELP)]
    Multiply(multiply::Arguments),
    /// Count the cache misses of a product on its vector
    #[command(long_about = misses::LONG_ABOUT, after_long_help = misses::AFTER_HELP)]
    Misses(misses::Arguments),
    /// Size, rows and symmetry of a matrix, and whether reordering pays
    #[command(long_about = info::LONG_ABOUT, after_long_help = info::AFTER_HELP)]
    Info(info::Arguments),
    /// A page to look at: spy plots as given and in each order, cache misses, lengths of rows
    #[command(long_about = report::LONG_ABOUT, after_long_help = report::AFTER_HELP)]
    Report(report::Arguments),
}

/// How the work of an operation splits into shards.
pub(crate) fn split(operation: &Operation) -> Option<&dyn Split> {
    match operation {
        Operation::Multiply(arguments) => Some(arguments),
        Operation::Reorder(_) | Operation::Misses(_) | Operation::Info(_) | Operation::Report(_) => None,
    }
}

/// Does what was asked for.
///
/// # Errors
/// Whatever the operation fails with.
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    match operation {
        Operation::Reorder(arguments) => reorder::run(arguments, global),
        Operation::Multiply(arguments) => multiply::run(arguments, global),
        Operation::Misses(arguments) => misses::run(arguments, global),
        Operation::Info(arguments) => info::run(arguments, global),
        Operation::Report(arguments) => report::run(arguments, global),
    }
}
