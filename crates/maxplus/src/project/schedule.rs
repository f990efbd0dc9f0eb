//! Earliest and latest starts, slack and critical paths (critical path method: Kelley, Walker 1959): longest paths from the releases,
//! and to the end.

use super::model::Project;
use crate::circuit::{longest, turned};
use crate::error::MaxPlusError;
use crate::graph::Graph;

/// A schedule without resources: times of a project's tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    pub(super) graph: Graph<i64>,
    pub(super) durations: Vec<i64>,
    pub(super) releases: Vec<i64>,
    pub(super) deadlines: Vec<Option<i64>>,
    pub(super) earliest: Vec<i64>,
    /// From the start of a task, the longest way to the end of the project.
    pub(super) tails: Vec<i64>,
    /// The latest start that all deadlines after it allow; `i64::MAX` where there are none.
    pub(super) due: Vec<i64>,
    pub(super) length: i64,
}

/// Critical paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CriticalPaths {
    /// The tasks of each, from its first to its last.
    pub paths: Vec<Vec<u32>>,
    /// Whether these are all.
    pub is_complete: bool,
}

impl Project {
    /// The schedule in which each task starts as early as its release and links allow. `O(n + m)` where links lead forward, else up to
    /// `O(n m)`.
    ///
    /// # Errors
    /// [`MaxPlusError::Infeasible`] where links contradict each other, with the tasks, links and lags of the circuit. A deadline that is
    /// missed is no error: [`Schedule::late`].
    pub fn schedule(&self) -> Result<Schedule, MaxPlusError> {
        let graph = self.graph()?;
        let releases: Vec<i64> = self.tasks.iter().map(|task| task.release).collect();
        let durations: Vec<i64> = self.tasks.iter().map(|task| task.duration).collect();
        let deadlines: Vec<Option<i64>> = self.tasks.iter().map(|task| task.deadline).collect();
        let starts = |from: &[i64]| from.iter().map(|&time| Some(i128::from(time))).collect();
        let earliest = self.ways(&graph, starts(&releases))?;
        let backward = graph.reversed();
        let tails = self.ways(&backward, starts(&durations))?;
        let latest: Vec<Option<i128>> = deadlines
            .iter()
            .zip(&durations)
            .map(|(deadline, duration)| deadline.map(|deadline| i128::from(duration - deadline)))
            .collect();
        let due = self.ways(&backward, latest)?;
        let time = |way: Option<i128>| way.map_or(i64::MIN, |way| way as i64);
        let earliest: Vec<i64> = earliest.into_iter().map(time).collect();
        let length = earliest.iter().zip(&durations).map(|(start, duration)| start + duration).max().unwrap_or(0);
        Ok(Schedule {
            graph,
            durations,
            releases,
            deadlines,
            earliest,
            tails: tails.into_iter().map(time).collect(),
            due: due.into_iter().map(|way| way.map_or(i64::MAX, |way| -way as i64)).collect(),
            length,
        })
    }

    /// Longest ways that begin with these.
    fn ways(&self, graph: &Graph<i64>, starts: Vec<Option<i128>>) -> Result<Vec<Option<i128>>, MaxPlusError> {
        let weight = |_: u32, _: u32, weight: i64| i128::from(weight);
        match graph.topological_order() {
            Ok(order) => {
                let mut ways = starts;
                for node in order {
                    let Some(way) = ways[node as usize] else { continue };
                    for (to, weight) in graph.successors(node) {
                        ways[to as usize] = ways[to as usize].max(Some(way + i128::from(weight)));
                    }
                }
                Ok(ways)
            }
            Err(_) => longest(graph, starts, weight).map(|found| found.weights).map_err(|_| self.contradiction()),
        }
    }

    /// The links of a circuit that is longer than nothing, in words.
    fn contradiction(&self) -> MaxPlusError {
        let graph = match self.graph() {
            Ok(graph) => graph,
            Err(error) => return error,
        };
        let tasks = crate::potentials::positive_circuit(&graph);
        let tasks = turned(tasks);
        let ends = tasks.iter().zip(tasks.iter().cycle().skip(1));
        let mut excess = 0;
        let mut steps = Vec::new();
        for (&from, &to) in ends {
            let tied = self.links.iter().filter(|link| link.from == from && link.to == to);
            let Some(link) = tied.max_by_key(|link| link.weight(&self.tasks)) else { continue };
            let weight = link.weight(&self.tasks);
            excess += weight;
            let (first, second) = (&self.tasks[from as usize].name, &self.tasks[to as usize].name);
            let (kind, lag) = (link.kind.code(), link.lag);
            steps.push(format!("{second} starts at least {weight} after {first} ({kind}, lag {lag})"));
        }
        MaxPlusError::Infeasible { tasks, excess, explanation: steps.join("; ") }
    }
}

impl Schedule {
    /// The earliest start of each task.
    pub fn earliest(&self) -> &[i64] {
        &self.earliest
    }

    /// The earliest finish of each task.
    pub fn earliest_finish(&self) -> Vec<i64> {
        self.earliest.iter().zip(&self.durations).map(|(start, duration)| start + duration).collect()
    }

    /// The latest start of each task that keeps the project's length and all deadlines; before the earliest where a deadline is
    /// missed.
    pub fn latest(&self) -> Vec<i64> {
        (0..self.earliest.len()).map(|task| (self.length - self.tails[task]).min(self.due[task])).collect()
    }

    /// The delay of each task's earliest start that neither lengthens the project nor misses a deadline; negative where a deadline is
    /// missed.
    pub fn total_slack(&self) -> Vec<i64> {
        self.latest().iter().zip(&self.earliest).map(|(latest, earliest)| latest - earliest).collect()
    }

    /// The delay of each task's earliest start that delays no other task, does not lengthen the project, and does not newly miss its own
    /// deadline.
    pub fn free_slack(&self) -> Vec<i64> {
        let free = |task: usize| {
            let finish = self.earliest[task] + self.durations[task];
            let end = self.length.min(self.deadlines[task].map_or(self.length, |deadline| deadline.max(finish)));
            self.graph
                .successors(task as u32)
                .filter(|&(to, _)| to as usize != task)
                .map(|(to, weight)| self.earliest[to as usize] - self.earliest[task] - weight)
                .fold(end - finish, i64::min)
        };
        (0..self.earliest.len()).map(free).collect()
    }

    /// When the last task is finished, at its earliest; 0 without tasks.
    pub fn length(&self) -> i64 {
        self.length
    }

    /// Tasks on a longest way from a release to the end of the project: a delay of any delays the end.
    pub fn critical(&self) -> Vec<u32> {
        (0..self.earliest.len() as u32).filter(|&task| self.is_critical(task)).collect()
    }

    pub(super) fn is_critical(&self, task: u32) -> bool {
        self.earliest[task as usize] + self.tails[task as usize] == self.length
    }

    /// Tasks that miss their deadline at their earliest, with the time that they are late by.
    pub fn late(&self) -> Vec<(u32, i64)> {
        let late = |task: usize| Some(self.earliest[task] + self.durations[task] - self.deadlines[task]?);
        (0..self.earliest.len()).filter_map(|task| Some((task as u32, late(task).filter(|&late| late > 0)?))).collect()
    }

    /// The links without play between critical tasks: each holds the second where it is, and leads on to the end.
    fn tight(&self) -> Tight {
        let tasks = self.earliest.len();
        let mut tight = Tight { after: vec![Vec::new(); tasks], has_before: vec![false; tasks], is_acyclic: true };
        let mut arcs = Vec::new();
        for (from, to, weight) in self.graph.arcs().filter(|&(from, to, _)| from != to) {
            let (first, second) = (from as usize, to as usize);
            if self.is_critical(from)
                && self.is_critical(to)
                && self.earliest[second] == self.earliest[first] + weight
                && self.tails[first] == self.tails[second] + weight
            {
                tight.after[first].push(to);
                tight.has_before[second] = true;
                arcs.push((from, to, 0));
            }
        }
        tight.is_acyclic = Graph::<i32>::from_arcs(tasks, &arcs).is_ok_and(|graph| graph.topological_order().is_ok());
        tight
    }

    /// Whether a critical path begins with a task: it starts at its release, and no link without play leads to it. Where such links form
    /// a circuit, the first is enough.
    fn begins(&self, tight: &Tight, task: u32) -> bool {
        let at = task as usize;
        self.earliest[at] == self.releases[at] && !(tight.is_acyclic && tight.has_before[at])
    }

    /// Whether a critical path ends with a task.
    fn ends(&self, tight: &Tight, task: u32) -> bool {
        let at = task as usize;
        self.tails[at] == self.durations[at] && (!tight.is_acyclic || tight.after[at].is_empty())
    }

    /// Critical paths up to a limit: from a task that starts at its release along links without play to one that finishes with the
    /// project, each as long as it can be; smaller tasks first. A task comes once in a path.
    pub fn critical_paths(&self, limit: usize) -> CriticalPaths {
        let mut found = CriticalPaths { paths: Vec::new(), is_complete: true };
        let tight = self.tight();
        let mut is_met = vec![false; self.earliest.len()];
        for first in self.critical().into_iter().filter(|&task| self.begins(&tight, task)) {
            let mut path = vec![first];
            let mut next = vec![0];
            is_met[first as usize] = true;
            if self.ends(&tight, first) && !found.add(&path, limit) {
                return found;
            }
            while let (Some(&task), Some(place)) = (path.last(), next.last_mut()) {
                let Some(&to) = tight.after[task as usize].get(*place) else {
                    is_met[task as usize] = false;
                    path.pop();
                    next.pop();
                    continue;
                };
                *place += 1;
                if !is_met[to as usize] {
                    is_met[to as usize] = true;
                    path.push(to);
                    next.push(0);
                    if self.ends(&tight, to) && !found.add(&path, limit) {
                        return found;
                    }
                }
            }
        }
        found
    }

    /// The first critical path; empty without tasks.
    pub fn critical_path(&self) -> Vec<u32> {
        self.critical_paths(1).paths.into_iter().next().unwrap_or_default()
    }

    /// The number of critical paths, saturating; `None` where links without play form a circuit.
    pub fn count_critical_paths(&self) -> Option<u128> {
        let tight = self.tight();
        let arcs: Vec<(u32, u32, i32)> =
            (0..).zip(&tight.after).flat_map(|(from, after)| after.iter().map(move |&to| (from, to, 0))).collect();
        let order = Graph::from_arcs(self.earliest.len(), &arcs).ok()?.topological_order().ok()?;
        let mut ways = vec![0u128; self.earliest.len()];
        let mut count = 0u128;
        for task in order.into_iter().filter(|&task| self.is_critical(task)) {
            let at = task as usize;
            if self.begins(&tight, task) {
                ways[at] = 1;
            }
            if self.ends(&tight, task) {
                count = count.saturating_add(ways[at]);
            }
            for &to in &tight.after[at] {
                ways[to as usize] = ways[to as usize].saturating_add(ways[at]);
            }
        }
        Some(count)
    }
}

/// Links without play between critical tasks.
struct Tight {
    /// Where those from each task lead, ascending.
    after: Vec<Vec<u32>>,
    /// Whether one leads to each task.
    has_before: Vec<bool>,
    is_acyclic: bool,
}

impl CriticalPaths {
    /// Takes one more path where there is room for it; whether there was.
    fn add(&mut self, path: &[u32], limit: usize) -> bool {
        self.is_complete = self.paths.len() < limit;
        if self.is_complete {
            self.paths.push(path.to_vec());
        }
        self.is_complete
    }
}
