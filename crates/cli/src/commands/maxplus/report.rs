//! `manycore maxplus report`.

use std::path::PathBuf;

use clap::Args;
use manycore::Device;

use super::schedule::{check, of_project, read};
use crate::arguments::Global;
use crate::commands::refuse_json;
use crate::error::Error;
use crate::input;
use crate::pages::{self, schedule as page};
use crate::progress;
use crate::verification::verified;

/// What `--help` says first.
pub(super) const ABOUT: &str = "\
Write a page to look at: a Gantt chart with slack, the critical path, and all tasks of a project

One HTML file that loads nothing. The chart zooms in time; up to 2000 tasks are shown.";

/// What `--help` says last.
pub(super) const HELP: &str = "\
Projects are those of maxplus schedule. --verify computes earliest and latest starts once more, by relaxation of links in any order. No \
wrong time passes.

Examples:
  manycore maxplus report j301_1.sm -o schedule.html
  printf 'dig,3\\npour,2,dig\\n' | manycore maxplus report - -o schedule.html";

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The project
    pub project: PathBuf,
}

/// Schedules and writes the page.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    refuse_json(global, "maxplus report")?;
    let name = input::name(&arguments.project);
    progress::step(format!("reading {name}"));
    let project = read(&arguments.project)?;
    progress::step("scheduling");
    let schedule = project.schedule().map_err(|error| of_project(error, &arguments.project, &project))?;
    if global.verify {
        progress::step("verifying");
        verified(check(&project, &schedule)?, &Device::host())?;
    }
    pages::write(global, &page::page(&name, &project, &schedule))
}
