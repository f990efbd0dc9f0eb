//! Tasks and links, and the graph of their starts.

use crate::error::MaxPlusError;
use crate::graph::Graph;

/// The largest time that is taken, by its size: sums over all tasks stay within 64 bits.
pub(super) const MOST_TIME: i64 = 1 << 40;

/// A task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The name, for messages and charts.
    pub name: String,
    /// The duration, at least 0.
    pub duration: i64,
    /// The earliest time that it may start.
    pub release: i64,
    /// The latest time by which it must be finished; `None` for no such time.
    pub deadline: Option<i64>,
}

impl Task {
    /// A task that may start at 0 and has no deadline.
    pub fn new(name: impl Into<String>, duration: i64) -> Self {
        Self { name: name.into(), duration, release: 0, deadline: None }
    }
}

/// Which ends of two tasks a link ties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LinkKind {
    /// The second starts once the first is finished.
    #[default]
    FinishStart,
    /// The second starts once the first has started.
    StartStart,
    /// The second finishes once the first is finished.
    FinishFinish,
    /// The second finishes once the first has started.
    StartFinish,
}

impl LinkKind {
    /// Whether the duration of the first task counts, and that of the second.
    pub(super) fn durations(self) -> (bool, bool) {
        match self {
            Self::FinishStart => (true, false),
            Self::StartStart => (false, false),
            Self::FinishFinish => (true, true),
            Self::StartFinish => (false, true),
        }
    }

    /// The two letters that planners write.
    pub fn code(self) -> &'static str {
        match self {
            Self::FinishStart => "FS",
            Self::StartStart => "SS",
            Self::FinishFinish => "FF",
            Self::StartFinish => "SF",
        }
    }

    /// The kind of two letters, large or small.
    pub fn of_code(code: &str) -> Option<Self> {
        let all = [Self::FinishStart, Self::StartStart, Self::FinishFinish, Self::StartFinish];
        all.into_iter().find(|kind| kind.code().eq_ignore_ascii_case(code))
    }
}

/// A link: an end of task `to` is no earlier than an end of task `from` and a lag, which is a lead where it is negative.
///
/// A link backwards with a negative lag is a maximal lag: `to` of it must not be later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Link {
    /// The first task.
    pub from: u32,
    /// The second task.
    pub to: u32,
    /// Which ends are tied.
    pub kind: LinkKind,
    /// The least time between both ends.
    pub lag: i64,
}

impl Link {
    /// The least time between the starts of both tasks.
    pub(super) fn weight(&self, tasks: &[Task]) -> i64 {
        let (first, second) = self.kind.durations();
        let of = |counts: bool, task: u32| if counts { tasks[task as usize].duration } else { 0 };
        self.lag + of(first, self.from) - of(second, self.to)
    }
}

/// Tasks and links.
///
/// ```
/// use manycore_maxplus::project::{Link, LinkKind, Project, Task};
/// let tasks = vec![Task::new("dig", 3), Task::new("pour", 2), Task::new("dry", 4)];
/// let link = |from, to| Link { from, to, kind: LinkKind::FinishStart, lag: 0 };
/// let schedule = Project::new(tasks, vec![link(0, 1), link(1, 2)])?.schedule()?;
/// assert_eq!((schedule.length(), schedule.earliest()), (9, &[0, 3, 5][..]));
/// # Ok::<(), manycore_maxplus::MaxPlusError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    pub(super) tasks: Vec<Task>,
    pub(super) links: Vec<Link>,
}

impl Project {
    /// A project; links may be parallel.
    ///
    /// # Errors
    /// [`MaxPlusError::Node`] for a link to a task that is not there; [`MaxPlusError::Task`] for a duration below 0 and for times past
    /// 2^40 in size; [`MaxPlusError::TooManyNodes`].
    pub fn new(tasks: Vec<Task>, links: Vec<Link>) -> Result<Self, MaxPlusError> {
        let count = tasks.len();
        // Sums over all tasks stay within 62 bits.
        if count > (1 << 21) && tasks.iter().any(|task| task.duration > MOST_TIME >> 10) {
            return Err(MaxPlusError::TooManyNodes { nodes: count });
        }
        if count > crate::graph::MOST_NODES {
            return Err(MaxPlusError::TooManyNodes { nodes: count });
        }
        for (task, of) in tasks.iter().enumerate() {
            check_duration(task, of.duration)?;
            let times = [("the release", Some(of.release)), ("the deadline", of.deadline)];
            for (what, value) in times.into_iter().filter_map(|(what, time)| time.map(|time| (what, time))) {
                check_time(what, task, value)?;
            }
        }
        for (arc, link) in links.iter().enumerate() {
            if link.from as usize >= count || link.to as usize >= count {
                return Err(MaxPlusError::Node { arc, from: link.from, to: link.to, nodes: count });
            }
            check_time("the lag of a link", link.from as usize, link.lag)?;
        }
        Ok(Self { tasks, links })
    }

    /// The tasks.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// The links.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The graph whose arcs are the least times between starts: that of a link, of parallel links the longest. Its star has the least
    /// time between the starts of any two tasks.
    ///
    /// # Errors
    /// None that is known: tasks and links were checked.
    pub fn graph(&self) -> Result<Graph<i64>, MaxPlusError> {
        let arcs: Vec<(u32, u32, i64)> =
            self.links.iter().map(|link| (link.from, link.to, link.weight(&self.tasks))).collect();
        Graph::from_arcs(self.tasks.len(), &arcs)
    }
}

pub(super) fn check_duration(task: usize, duration: i64) -> Result<(), MaxPlusError> {
    if duration < 0 {
        let reason = "a task takes no negative time";
        return Err(MaxPlusError::Task { what: "the duration", task, value: duration, reason });
    }
    check_time("the duration", task, duration)
}

pub(super) fn check_time(what: &'static str, task: usize, value: i64) -> Result<(), MaxPlusError> {
    if value.unsigned_abs() > MOST_TIME.unsigned_abs() {
        return Err(MaxPlusError::Task { what, task, value, reason: "times are taken up to 2^40" });
    }
    Ok(())
}
