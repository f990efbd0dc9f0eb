//! `manycore maxplus`: longest paths, cycle means, linear systems and schedules.
//!
//! | file | what |
//! |---|---|
//! | `star` | `star` |
//! | `columns` | `star` in shards |
//! | `cycle_mean` | `cycle-mean` |
//! | `simulate` | `simulate` |
//! | `schedule` | `schedule` |
//! | `variants` | `variants` |
//! | `report` | `report` |
//! | `graph` | graphs in files |

mod columns;
pub mod cycle_mean;
pub(crate) mod graph;
pub mod report;
pub mod schedule;
pub mod simulate;
pub mod star;
pub mod variants;

use clap::Subcommand;

use crate::arguments::Global;
use crate::error::Error;
use crate::shard::Split;
pub(crate) use graph::FileWeight;

/// The operations.
#[derive(Debug, Subcommand)]
pub enum Operation {
    /// The Kleene star of a matrix: longest or shortest paths between all pairs of nodes, or reachability
    #[command(long_about = star::ABOUT, after_long_help = star::HELP)]
    Star(star::Arguments),
    /// Earliest and latest times, slack and critical path of a project
    #[command(long_about = schedule::ABOUT, after_long_help = schedule::HELP)]
    Schedule(schedule::Arguments),
    /// Schedules of many variants of a project's durations: distribution of the length, how often tasks are critical
    #[command(long_about = variants::ABOUT, after_long_help = variants::HELP)]
    Variants(variants::Arguments),
    /// The maximum cycle mean of a matrix, an eigenvector and a critical circuit
    #[command(long_about = cycle_mean::ABOUT, after_long_help = cycle_mean::HELP)]
    CycleMean(cycle_mean::Arguments),
    /// Steps of the linear system x(k) = A x(k - 1)
    #[command(long_about = simulate::ABOUT, after_long_help = simulate::HELP)]
    Simulate(simulate::Arguments),
    /// A page to look at: a Gantt chart with slack, the critical path, all tasks
    #[command(long_about = report::ABOUT, after_long_help = report::HELP)]
    Report(report::Arguments),
}

/// What an operation writes.
pub(crate) fn text_alone(operation: &Operation) -> Option<&'static str> {
    Some(match operation {
        Operation::Star(_) => return None,
        Operation::Schedule(_) => "a schedule",
        Operation::Variants(_) => "a report of variants",
        Operation::CycleMean(_) => "a cycle mean",
        Operation::Simulate(_) => "a list of states",
        Operation::Report(_) => "a page",
    })
}

/// How the work of an operation splits into shards.
pub(crate) fn split(operation: &Operation) -> Option<&dyn Split> {
    match operation {
        Operation::Star(arguments) => Some(arguments),
        Operation::Variants(arguments) => Some(arguments),
        Operation::Schedule(_) | Operation::CycleMean(_) | Operation::Simulate(_) | Operation::Report(_) => None,
    }
}

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    crate::output::check_form(global)?;
    match operation {
        Operation::Star(arguments) => star::run(arguments, global),
        Operation::Schedule(arguments) => schedule::run(arguments, global),
        Operation::Variants(arguments) => variants::run(arguments, global),
        Operation::CycleMean(arguments) => cycle_mean::run(arguments, global),
        Operation::Simulate(arguments) => simulate::run(arguments, global),
        Operation::Report(arguments) => report::run(arguments, global),
    }
}
