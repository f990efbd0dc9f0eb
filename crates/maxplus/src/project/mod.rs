//! Projects: tasks with durations, and links between their starts and finishes with lags (metra potential method, Roy 1959; precedence
//! diagramming, Fondahl 1961). Times are integers of one unit; resources are read and left aside.

mod batch;
mod csv;
mod gantt;
mod model;
mod patterson;
mod psplib;
mod read;
mod schedule;
mod text;
mod update;

pub use crate::error::ProjectTextError;
pub use batch::{Variants, VariantsReport};
pub use model::{Link, LinkKind, Project, Task};
pub use read::ProjectFormat;
pub use schedule::{CriticalPaths, Schedule};
pub use update::Scheduler;
