//! The page of a schedule: a Gantt chart with slack, the critical path, all tasks as a table.

use crate::project::{LinkKind, Project, Schedule};
use manycore_files as files;
use manycore_pages::{Bar, Body, Gantt, Page, Table};

/// Tasks that the chart and the table have at the most.
const MOST_TASKS: usize = 2000;

/// The page.
pub(super) fn page(name: &str, project: &Project, schedule: &Schedule) -> String {
    let tasks = project.tasks();
    let (critical, slack, free) = (schedule.critical(), schedule.total_slack(), schedule.free_slack());
    let latest = schedule.latest();
    let is_critical = |task: usize| critical.binary_search(&(task as u32)).is_ok();
    let title = |task: usize| files::shown(&tasks[task].name);
    let mut body = Body::new();
    body.figures([
        ("length", schedule.length().to_string()),
        ("tasks", tasks.len().to_string()),
        ("critical tasks", critical.len().to_string()),
        ("links", project.links().len().to_string()),
    ]);
    body.section("Schedule")
        .text("Every task at its earliest times; it may start later by its slack without making the project longer.");
    let shown = tasks.len().min(MOST_TASKS);
    let bars = (0..shown).map(|task| {
        Bar::new(title(task), schedule.earliest()[task], tasks[task].duration)
            .slack(slack[task])
            .critical(is_critical(task))
    });
    let ends = |kind| match kind {
        LinkKind::FinishStart => (true, false),
        LinkKind::StartStart => (false, false),
        LinkKind::FinishFinish => (true, true),
        LinkKind::StartFinish => (false, true),
    };
    let links = project.links().iter().map(|link| {
        let (from, to) = ends(link.kind);
        ((link.from as usize, from), (link.to as usize, to))
    });
    body.gantt(&Gantt::new("Gantt chart", bars).links(links));
    if shown < tasks.len() {
        body.note(&format!("The first {shown} of {} tasks.", tasks.len()));
    }
    body.section("Critical path");
    let path: Vec<String> = schedule.critical_path().iter().map(|&task| title(task as usize)).collect();
    body.text(&path.join(" → "));
    if let Some(paths) = schedule.count_critical_paths() {
        body.note(&format!("Critical paths in all: {paths}."));
    }
    body.section("Tasks");
    let mut table =
        Table::new(["name", "duration", "earliest start", "latest start", "total slack", "free slack"]).names(1);
    for task in 0..shown {
        let numbers = [tasks[task].duration, schedule.earliest()[task], latest[task], slack[task], free[task]];
        let cells = std::iter::once(title(task)).chain(numbers.iter().map(i64::to_string));
        table = if is_critical(task) { table.best(cells) } else { table.row(cells) };
    }
    body.table(&table);
    for (task, by) in schedule.late() {
        body.note(&format!("{} misses its deadline by {by}.", title(task as usize)));
    }
    Page::new(format!("Schedule of {name}"))
        .lead(format!("Length {}; critical tasks stand out.", schedule.length()))
        .html(&body)
}
