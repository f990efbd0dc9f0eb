//! `manycore maxplus schedule`.

use std::path::{Path, PathBuf};

use clap::Args;
use manycore::Device;
use manycore::files::{Target, shown};
use manycore::maxplus::MaxPlusError;
use manycore::maxplus::project::{Project, ProjectFormat, Schedule};
use manycore::verify::{CheckError, Outcome, Passed};
use serde_json::json;

use crate::arguments::Global;
use crate::destination;
use crate::error::Error;
use crate::input;
use crate::output::{self, Report};
use crate::pages;
use crate::progress;
use crate::verification::verified;

/// What `--help` says first.
pub(super) const ABOUT: &str = "\
Earliest and latest times, slack and critical path of a project

Tasks start as early as their releases and links allow; resources do not count. Links that contradict each other are an error with the \
tasks of the circuit. Written a task a line: number, name, duration, earliest and latest start, total and free slack, and * where it is \
critical; then the critical path by names, and the length.";

/// What `--help` says last.
pub(super) const HELP: &str = "\
A project is a file of PSPLIB (.sm; .mm, of whose modes the first of each job counts), with time lags (.sch), of Patterson (.rcp), a \
square matrix of least times between starts (.mtx, .sms), or a table of name,duration,predecessors,release,deadline (.csv, and standard \
input, -), where a predecessor is a name, or one with a kind and a lag: dig;pour+2;plan:SS+1. A kind says what waits for what: FS, the \
start for the end, where none is given; SS, FF, SF. Semicolons stand between predecessors. Fields of a table may stand in quotes, with \
commas, semicolons or tabs between them; times are whole numbers; a first line without numbers where times stand is a header. Tasks are numbered from 0 in the order of the file. Computed on the host, exactly.

--verify computes earliest and latest starts once more, by relaxation of links in any order. No wrong time passes.

Examples:
  manycore maxplus schedule j301_1.sm --gantt chart.svg
  printf 'dig,3\\npour,2,dig\\n' > plan.csv && manycore maxplus schedule plan.csv --json";

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The project
    pub project: PathBuf,

    /// Write a Gantt chart as SVG to this file, whose name ends in .svg; with -o, - is standard output
    #[arg(long, value_name = "FILE")]
    pub gantt: Option<PathBuf>,
}

/// Reads a project; the form is that of the file's name.
pub(super) fn read(path: &Path) -> Result<Project, Error> {
    let file = input::name(path);
    let standard_input = (path == Path::new("-")).then_some(ProjectFormat::Csv);
    let format = standard_input.or_else(|| ProjectFormat::of(path));
    let text = input::lines_of_text(path)?;
    let Some(format) = format else {
        return Err(Error::Usage(format!(
            "{file}: the name ends in none of .sm, .mm, .sch, .rcp, .csv, .mtx and .sms{}",
            tip(&file, &text, None)
        )));
    };
    Project::parse(&file, &text, format).map_err(|error| match error {
        MaxPlusError::Task { what, task, value, reason } => {
            Error::Usage(format!("{file}: {what} of task {}, by the order of the file, is {value}: {reason}", task + 1))
        }
        MaxPlusError::Text(error) => Error::Usage(format!("{error}{}", tip(&file, &text, Some(format)))),
        error => error.into(),
    })
}

/// What else a text can be read as, to be told behind what is wrong with it.
fn tip(file: &str, text: &str, tried: Option<ProjectFormat>) -> &'static str {
    let is_table = tried != Some(ProjectFormat::Csv)
        && Project::parse(file, text, ProjectFormat::Csv).is_ok_and(|project| !project.tasks().is_empty());
    if is_table { "; its text is a table of tasks: end its name in .csv, or give it on standard input, -" } else { "" }
}

/// The error of a schedule, with the file and the names of its tasks in place of their numbers.
pub(super) fn of_project(error: MaxPlusError, path: &Path, project: &Project) -> Error {
    let file = input::name(path);
    let name = |task: usize| project.tasks().get(task).map_or_else(|| task.to_string(), |task| shown(&task.name));
    match error {
        MaxPlusError::Cycle { nodes } => {
            let ends = nodes.iter().chain(nodes.first()).map(|&task| name(task as usize)).collect::<Vec<_>>();
            Error::Usage(format!("{file}: tasks wait for each other: {}", ends.join(", then ")))
        }
        error @ MaxPlusError::Infeasible { .. } => Error::Of { file, error: Box::new(error.into()) },
        error => error.into(),
    }
}

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    // Looked at before the work begins.
    let chart = arguments.gantt.as_deref();
    let target = chart.map(|path| destination::beside("--gantt", (path, &["svg"]), global)).transpose()?;
    progress::step(format!("reading {}", input::name(&arguments.project)));
    let project = read(&arguments.project)?;
    progress::step("scheduling");
    let schedule = project.schedule().map_err(|error| of_project(error, &arguments.project, &project))?;
    let verification = if global.verify {
        progress::step("verifying");
        Some(verified(check(&project, &schedule)?, &Device::host())?)
    } else {
        None
    };
    if let Some(target) = target {
        write_chart(target.as_ref(), &schedule.gantt(&project), global)?;
    }
    let (latest, total, free) = (schedule.latest(), schedule.total_slack(), schedule.free_slack());
    if global.json {
        let late: Vec<_> = schedule.late().into_iter().map(|(task, by)| json!({ "task": task, "by": by })).collect();
        let result = json!({
            "earliest": schedule.earliest(),
            "latest": latest,
            "slack": total,
            "free_slack": free,
            "critical": schedule.critical(),
            "critical_path": schedule.critical_path(),
            "critical_paths": schedule.count_critical_paths().map(|count| count.to_string()),
            "late": late,
            "length": schedule.length(),
        });
        let parameters = json!({ "tasks": project.tasks().len(), "links": project.links().len() });
        let report = Report {
            verified: global.verify.then_some(true),
            verification,
            ..Report::new("maxplus schedule", parameters, result)
        };
        return output::write_report(global, &report);
    }
    let critical = schedule.critical();
    let names: Vec<String> = project.tasks().iter().map(|task| manycore::files::shown(&task.name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(4);
    output::write(global, |out| {
        writeln!(out, "task  {:<width$}  duration  earliest    latest     slack      free", "name")?;
        for (task, of) in project.tasks().iter().enumerate() {
            let mark = if critical.binary_search(&(task as u32)).is_ok() { " *" } else { "" };
            writeln!(
                out,
                "{task:>4}  {:<width$}  {:>8}  {:>8}  {:>8}  {:>8}  {:>8}{mark}",
                names[task],
                of.duration,
                schedule.earliest()[task],
                latest[task],
                total[task],
                free[task]
            )?;
        }
        for (task, by) in schedule.late() {
            writeln!(out, "task {task} misses its deadline by {by}")?;
        }
        let name = |&task: &u32| names.get(task as usize).map_or("", String::as_str);
        let path: Vec<&str> = schedule.critical_path().iter().map(name).collect();
        writeln!(out, "critical path {}", path.join(", "))?;
        writeln!(out, "length {}", schedule.length())
    })
}

/// Writes the chart to its file, or to standard output.
fn write_chart(target: Option<&Target>, text: &str, global: &Global) -> Result<(), Error> {
    match target {
        Some(target) => target.write(|out| out.write_all(text.as_bytes())).map_err(destination::output_error),
        None => pages::write(&Global { output: None, target: None, ..global.clone() }, text),
    }
}

/// Earliest starts and the ways to the end by relaxation.
pub(super) fn check(project: &Project, schedule: &Schedule) -> Result<Outcome, Error> {
    let tasks = project.tasks();
    let graph = project.graph()?;
    let times = |of: Vec<i64>| of.into_iter().map(Some).collect::<Vec<_>>();
    let earliest = graph.solve(&times(tasks.iter().map(|task| task.release).collect()))?;
    let tails = graph.reversed().solve(&times(tasks.iter().map(|task| task.duration).collect()))?;
    let ends: Vec<Option<i64>> =
        tasks.iter().map(|task| task.deadline.map(|deadline| task.duration - deadline)).collect();
    let due = graph.reversed().solve(&ends)?;
    let finishes = earliest.iter().zip(tasks).filter_map(|(start, task)| Some((*start)? + task.duration));
    let length = finishes.max().unwrap_or(0);
    for (task, latest) in schedule.latest().into_iter().enumerate() {
        let end = due[task].map_or(i64::MAX, |due| -due);
        let expected = tails[task].map(|tail| (length - tail).min(end));
        for (found, expected) in [(schedule.earliest()[task], earliest[task]), (latest, expected)] {
            if Some(found) != expected {
                let expected = expected.map_or("none".to_owned(), |expected| expected.to_string());
                return Ok(Err(CheckError::Value { run: 0, index: task, found: found.to_string(), expected }));
            }
        }
    }
    Ok(Ok(Passed::by_second_computation("second computation by relaxation of links")))
}
