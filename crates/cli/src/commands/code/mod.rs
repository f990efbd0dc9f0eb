//! `manycore code`: files in parts, enough of which restore them, one file an operation.

mod join;
mod parts;
mod split;

use clap::Subcommand;

use crate::error::Error;
use crate::global::Global;

/// The operations.
#[derive(Debug, Subcommand)]
pub enum Operation {
    /// Split a file into parts, any K of which restore it
    #[command(long_about = split::LONG_ABOUT, after_long_help = split::AFTER_HELP)]
    Split(split::Arguments),
    /// Restore a file from any K of its parts
    #[command(long_about = join::LONG_ABOUT, after_long_help = join::AFTER_HELP)]
    Join(join::Arguments),
}

/// Does what was asked for.
///
/// # Errors
/// Whatever the operation fails with.
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    match operation {
        Operation::Split(arguments) => split::run(arguments, global),
        Operation::Join(arguments) => join::run(arguments, global),
    }
}
