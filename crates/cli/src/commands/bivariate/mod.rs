//! `manycore bivariate`: systems of two polynomials in two variables over a prime field or the rationals.
//!
//! | file | what |
//! |---|---|
//! | `job` | what both do: read, compute, check, write |
//! | `report` | `report` |
//! | `resultant` | `resultant` |
//! | `shards` | `resultant` in shards |
//! | `solve` | `solve` |
//! | `system` | systems in files |
//! | `value` | results as text and JSON |

mod job;
pub mod report;
pub mod resultant;
mod shards;
pub mod solve;
mod system;
mod value;

use clap::Subcommand;

use crate::arguments::Global;
use crate::error::Error;
use crate::shard::Split;

/// The operations.
#[derive(Debug, Subcommand)]
pub enum Operation {
    /// The resultant of two polynomials with respect to one variable
    #[command(long_about = resultant::ABOUT, after_long_help = resultant::HELP)]
    Resultant(resultant::Arguments),
    /// The common zeros of two polynomials
    #[command(long_about = solve::ABOUT, after_long_help = solve::HELP)]
    Solve(solve::Arguments),
    /// A page to look at: both curves as points of the plane over a small field, common zeros marked
    #[command(long_about = report::ABOUT, after_long_help = report::HELP)]
    Report(report::Arguments),
}

/// What an operation writes if no array holds it.
pub(crate) fn text_alone(operation: &Operation) -> Option<&'static str> {
    match operation {
        Operation::Resultant(arguments) => {
            arguments.system.exact.then_some("a polynomial with coefficients of any size")
        }
        Operation::Solve(_) => Some("a list of solutions"),
        Operation::Report(_) => Some("a page"),
    }
}

/// How the work of an operation splits into shards.
pub(crate) fn split(operation: &Operation) -> Option<&dyn Split> {
    match operation {
        Operation::Resultant(arguments) => Some(arguments),
        Operation::Solve(_) | Operation::Report(_) => None,
    }
}

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    match operation {
        Operation::Resultant(arguments) => resultant::run(arguments, global),
        Operation::Solve(arguments) => solve::run(arguments, global),
        Operation::Report(arguments) => report::run(arguments, global),
    }
}
