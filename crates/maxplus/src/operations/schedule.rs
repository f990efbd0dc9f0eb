//! Schedules of a project as text, JSON, a chart or a page.

use manycore_device::DeviceSet;
use manycore_operation::json::{Json, integer};
use manycore_operation::verify::{CheckError, Outcome, Passed};
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, DeviceUse, Files, Job, Operation, OperationError, OptionKind,
    Value, unmade,
};
use serde_json::json;

use super::page;
use super::project::{PROJECT, names, of_project, read};
use crate::error::MaxPlusError;
use crate::project::{Project, Schedule};

const SCHEDULE: Declaration = Declaration {
    name: "maxplus schedule",
    title: "Earliest and latest times, slack and critical path of a project",
    about: "\
Earliest and latest times, slack and critical path of a project

Tasks start as early as their releases and links allow; resources do not count. Links that contradict each other are an error with the \
tasks of the circuit. Written a task a line: number, name, duration, earliest and latest start, total and free slack, and * where it is \
critical; then the critical path by names, and the length.",
    help: "\
A project is a file of PSPLIB (.sm; .mm, of whose modes the first of each job counts), with time lags (.sch), of Patterson (.rcp), a \
square matrix of least times between starts (.mtx, .sms), or a table of name,duration,predecessors,release,deadline (.csv, and standard \
input, -), where a predecessor is a name, or one with a kind and a lag: dig;pour+2;plan:SS+1. A kind says what waits for what: FS, the \
start for the end, where none is given; SS, FF, SF. Semicolons stand between predecessors. Fields of a table may stand in quotes, with \
commas, semicolons or tabs between them; times are whole numbers; a first line without numbers where times stand is a header. Tasks are numbered from 0 in the order of the file. Computed on the host, exactly.

--verify computes earliest and latest starts once more, by relaxation of links in any order. No wrong time passes.

Examples:
  manycore maxplus schedule j301_1.sm --gantt chart.svg
  printf 'dig,3\\npour,2,dig\\n' > plan.csv && manycore maxplus schedule plan.csv --json",
    options: &[DeclaredOption {
        value: OptionKind::Written { value_name: "FILE", ends: &["svg"] },
        ..DeclaredOption::flag(
            GANTT,
            "Write a Gantt chart as SVG to this file, whose name ends in .svg; with -o, - is standard output",
        )
    }],
    no_array: Some("a schedule"),
    ..BASE
};

const REPORT: Declaration = Declaration {
    name: "maxplus report",
    title: "A page to look at: a Gantt chart with slack, the critical path, all tasks",
    about: "\
Write a page to look at: a Gantt chart with slack, the critical path, and all tasks of a project

One HTML file that loads nothing. The chart zooms in time; up to 2000 tasks are shown.",
    help: "\
Projects are those of maxplus schedule. --verify computes earliest and latest starts once more, by relaxation of links in any order. No \
wrong time passes.

Examples:
  manycore maxplus report j301_1.sm -o schedule.html
  printf 'dig,3\\npour,2,dig\\n' | manycore maxplus report - -o schedule.html",
    is_page: true,
    ..BASE
};

/// What both have.
const BASE: Declaration = Declaration {
    step: "scheduling",
    inputs: PROJECT,
    is_seedless: true,
    device: DeviceUse::Unused,
    ..Declaration::BASE
};

/// The option of the chart.
const GANTT: &str = "gantt";

/// An operation that schedules a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OfProject {
    /// The times of all tasks.
    Times,
    /// A page.
    Page,
}

impl Operation for OfProject {
    fn declaration(&self) -> &'static Declaration {
        match self {
            Self::Times => &SCHEDULE,
            Self::Page => &REPORT,
        }
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let (project, file) = (read(files)?, files.name(0));
        Ok(Box::new(Scheduling { kind: *self, has_chart: arguments.is_given(GANTT), project, file, schedule: None }))
    }
}

/// A call.
struct Scheduling {
    kind: OfProject,
    has_chart: bool,
    project: Project,
    file: String,
    schedule: Option<Schedule>,
}

impl Job for Scheduling {
    fn is_on_host(&self) -> bool {
        true
    }

    fn compute(&mut self, _: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let made = self.project.schedule().map_err(|error| of_project(error, &self.file, &self.project))?;
        self.schedule = Some(made);
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        Ok(check(&self.project, self.schedule.as_ref().ok_or_else(unmade)?)??)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { kind, has_chart, project, file, schedule } = *self;
        let Some(schedule) = schedule else { return Answer::of(Value::None) };
        if kind == OfProject::Page {
            return Answer::of(Value::Page(page::page(&file, &project, &schedule)));
        }
        let value = Value::Shown { text: text(&project, &schedule), json: json(&schedule) };
        let chart = has_chart.then(|| (GANTT, schedule.gantt(&project).into_bytes()));
        let answer = Answer { files: chart.into_iter().collect(), ..Answer::of(value) };
        answer.with("tasks", project.tasks().len()).with("links", project.links().len())
    }
}

/// A task a line, the tasks that are late, the critical path, and the length.
fn text(project: &Project, schedule: &Schedule) -> String {
    let (latest, total, free) = (schedule.latest(), schedule.total_slack(), schedule.free_slack());
    let (critical, names) = (schedule.critical(), names(project));
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(4);
    let mut text = format!("task  {:<width$}  duration  earliest    latest     slack      free\n", "name");
    let times = schedule.earliest().iter().zip(latest).zip(total.into_iter().zip(free));
    for (task, ((of, name), ((earliest, latest), (total, free)))) in
        project.tasks().iter().zip(&names).zip(times).enumerate()
    {
        let mark = if critical.binary_search(&(task as u32)).is_ok() { " *" } else { "" };
        text.extend([format!(
            "{task:>4}  {name:<width$}  {:>8}  {earliest:>8}  {latest:>8}  {total:>8}  {free:>8}{mark}\n",
            of.duration
        )]);
    }
    for (task, by) in schedule.late() {
        text.extend([format!("task {task} misses its deadline by {by}\n")]);
    }
    let name = |&task: &u32| names.get(task as usize).map_or("", String::as_str);
    let path: Vec<&str> = schedule.critical_path().iter().map(name).collect();
    text + &format!("critical path {}\nlength {}\n", path.join(", "), schedule.length())
}

fn json(schedule: &Schedule) -> Json {
    let times = |times: &[i64]| times.iter().map(|&time| integer(time)).collect::<Json>();
    let late = schedule.late().into_iter().map(|(task, by)| json!({ "task": task, "by": integer(by) }));
    json!({
        "earliest": times(schedule.earliest()),
        "latest": times(&schedule.latest()),
        "slack": times(&schedule.total_slack()),
        "free_slack": times(&schedule.free_slack()),
        "critical": schedule.critical(),
        "critical_path": schedule.critical_path(),
        "critical_paths": schedule.count_critical_paths().map(|count| count.to_string()),
        "late": late.collect::<Vec<Json>>(),
        "length": integer(schedule.length()),
    })
}

/// Earliest starts and the ways to the end by relaxation.
fn check(project: &Project, schedule: &Schedule) -> Result<Outcome, MaxPlusError> {
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
