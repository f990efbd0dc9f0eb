//! Projects as they are read, and errors of schedules with the names of their tasks.

use manycore_files::shown;
use manycore_operation::{Files, Input, OperationError};

use crate::error::MaxPlusError;
use crate::project::{Project, ProjectFormat};

/// Tables of tasks: the form of a text without a name.
const TABLES: &[&str] = &["dig,3\npour,2,dig\ndry,4,pour:SS+1;dig\n", "name,duration\na,1\nb,2\n", "one,7\n"];

/// The input of every operation on a project.
pub(super) const PROJECT: &[Input] = &[Input::new("project", "PROJECT", "The project").such_as(TABLES)];

/// Reads a project; the form is that of the file's name, and a table where it has none.
///
/// # Errors
/// What is wrong with the name or in the text.
pub(super) fn read(files: &mut dyn Files) -> Result<Project, OperationError> {
    let file = files.name(0);
    let format = match files.path(0) {
        Some(path) => ProjectFormat::of(path),
        None => ProjectFormat::of(&file).or(Some(ProjectFormat::Csv)),
    };
    let text = files.text(0)?;
    let Some(format) = format else {
        return Err(OperationError::usage(format!(
            "{file}: the name ends in none of .sm, .mm, .sch, .rcp, .csv, .mtx and .sms{}",
            tip(&file, &text, None)
        )));
    };
    Project::parse(&file, &text, format).map_err(|error| match error {
        MaxPlusError::Task { what, task, value, reason } => OperationError::usage(format!(
            "{file}: {what} of task {}, by the order of the file, is {value}: {reason}",
            task + 1
        )),
        MaxPlusError::Text(error) => OperationError::usage(format!("{error}{}", tip(&file, &text, Some(format)))),
        error => error.into(),
    })
}

/// A hint for the error message: another format in which the text can be read.
fn tip(file: &str, text: &str, tried: Option<ProjectFormat>) -> &'static str {
    let is_table = tried != Some(ProjectFormat::Csv)
        && Project::parse(file, text, ProjectFormat::Csv).is_ok_and(|project| !project.tasks().is_empty());
    if is_table { "; its text is a table of tasks: end its name in .csv, or give it on standard input, -" } else { "" }
}

/// The names of the tasks, as they are shown.
pub(super) fn names(project: &Project) -> Vec<String> {
    project.tasks().iter().map(|task| shown(&task.name)).collect()
}

/// The error of a schedule, with the file and the names of its tasks in place of their numbers.
pub(super) fn of_project(error: MaxPlusError, file: &str, project: &Project) -> OperationError {
    let name = |task: usize| project.tasks().get(task).map_or_else(|| task.to_string(), |task| shown(&task.name));
    match error {
        MaxPlusError::Cycle { nodes } => {
            let ends = nodes.iter().chain(nodes.first()).map(|&task| name(task as usize)).collect::<Vec<_>>();
            OperationError::usage(format!("{file}: tasks wait for each other: {}", ends.join(", then ")))
        }
        error => error.into(),
    }
}
