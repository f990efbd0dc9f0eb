//! Operations over maximum and plus as data, with their jobs: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `graph` | graphs as they are read |
//! | `paths` | which paths are wanted, and how they are written |
//! | `star`, `star_check`, `columns` | the star of a matrix, its check, and columns of it |
//! | `cycle_mean` | cycle means |
//! | `simulate` | steps of linear systems |
//! | `project` | projects as they are read |
//! | `schedule`, `page` | schedules of a project, and their page |
//! | `variants` | schedules of many variants of a project |
//! | `faults` | what is wrong with a job |
//! | `choices` | the star as a choice among candidates |

mod choices;
mod columns;
mod cycle_mean;
mod faults;
mod graph;
mod page;
mod paths;
mod project;
mod schedule;
mod simulate;
mod star;
mod star_check;
mod variants;

use manycore_operation::Operation;

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
