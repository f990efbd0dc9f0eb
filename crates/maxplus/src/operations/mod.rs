//! Operations over maximum and plus as data, with their jobs: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `graph` | graphs as they are read |
//! | `star`, `star_check`, `columns` | the star of a matrix, its check, and columns of it |
//! | `cycle_mean` | cycle means |
//! | `simulate` | steps of linear systems |
//! | `project` | projects as they are read |
//! | `schedule`, `page` | schedules of a project, and their page |
//! | `variants` | schedules of many variants of a project |
//! | `choices` | the star as a choice among candidates |

mod choices;
mod columns;
mod cycle_mean;
mod graph;
mod page;
mod project;
mod schedule;
mod simulate;
mod star;
mod star_check;
mod variants;

use manycore_operation::verify::CheckError;
use manycore_operation::{Failure, Operation, OperationError, of_input};

use crate::error::MaxPlusError;

pub use choices::CHOICES;
pub use columns::star_of_lines;
pub use graph::{FileWeight, Zero, of_source};
pub use star::rounding_note;
pub use variants::variants;

/// Every operation over maximum and plus.
pub static ALL: [&dyn Operation; 6] = [
    &star::Star,
    &schedule::OfProject::Times,
    &variants::Variants,
    &cycle_mean::CycleMean,
    &simulate::Simulate,
    &schedule::OfProject::Page,
];

impl Failure for MaxPlusError {
    fn is_refusal(&self) -> bool {
        match self {
            Self::Device(_) | Self::Faulty { .. } | Self::Memory { .. } | Self::Blocks { .. } => false,
            Self::File(error) => !error.is_out_of_memory(),
            _ => true,
        }
    }

    fn is_of_size(&self) -> bool {
        matches!(self, Self::Device(error) if error.is_of_size())
    }

    fn told(&self, inputs: &[String]) -> String {
        match self {
            Self::Cycle { .. }
            | Self::PositiveCircuit { .. }
            | Self::NegativeCircuit { .. }
            | Self::Overflow { .. }
            | Self::Large { .. }
            | Self::Infeasible { .. } => of_input(self, inputs, 0),
            error => error.to_string(),
        }
    }
}

/// The error of numbers that are made of those of the file, without its name.
fn of_made(error: MaxPlusError) -> OperationError {
    if error.is_refusal() { OperationError::usage(error.to_string()) } else { error.into() }
}

/// What is asked of a job before its result is there.
fn unmade() -> CheckError {
    CheckError::Relation { relation: "that there is a result".to_owned() }
}
