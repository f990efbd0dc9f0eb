//! A schedule that follows changes of durations and links: what depends on a change is computed again, in topological order (Ramalingam,
//! Reps, "An incremental algorithm for a generalization of the shortest-path problem", 1996, without circuits).

use std::collections::BTreeSet;

use super::model::{Link, Project, check_duration, check_time};
use super::schedule::Schedule;
use crate::error::MaxPlusError;

/// A project with its schedule. Links lead forward: maximal lags, which make circuits, are scheduled anew as a whole.
#[derive(Debug, Clone)]
pub struct Scheduler {
    project: Project,
    schedule: Schedule,
    /// Links that lead from and to each task.
    outgoing: Vec<Vec<u32>>,
    incoming: Vec<Vec<u32>>,
    /// The place of each task in topological order; `None` where links make circuits.
    places: Option<Vec<u32>>,
    order: Vec<u32>,
    touched: usize,
}

impl Scheduler {
    /// The schedule of a project.
    ///
    /// # Errors
    /// As [`Project::schedule`].
    pub fn new(project: Project) -> Result<Self, MaxPlusError> {
        let schedule = project.schedule()?;
        let tasks = project.tasks.len();
        let (mut outgoing, mut incoming) = (vec![Vec::new(); tasks], vec![Vec::new(); tasks]);
        for (number, link) in (0..).zip(&project.links) {
            outgoing[link.from as usize].push(number);
            incoming[link.to as usize].push(number);
        }
        let order = schedule.graph.topological_order().unwrap_or_default();
        let places = (order.len() == tasks).then(|| {
            let mut places = vec![0; tasks];
            (0..).zip(&order).for_each(|(place, &task)| places[task as usize] = place);
            places
        });
        Ok(Self { project, schedule, outgoing, incoming, places, order, touched: tasks })
    }

    /// The project as it is now.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The schedule as it is now; its times are those of [`Project::schedule`].
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Tasks whose times the last change computed again.
    pub fn touched(&self) -> usize {
        self.touched
    }

    /// Changes a task's duration.
    ///
    /// # Errors
    /// [`MaxPlusError::Index`] and [`MaxPlusError::Task`]; [`MaxPlusError::Infeasible`], after which all is as before.
    pub fn set_duration(&mut self, task: u32, duration: i64) -> Result<(), MaxPlusError> {
        let (at, count) = (task as usize, self.project.tasks.len());
        if at >= count {
            return Err(MaxPlusError::Index { what: "task", index: at, count });
        }
        check_duration(at, duration)?;
        let before = self.project.tasks[at].duration;
        self.project.tasks[at].duration = duration;
        self.changed(&[task]).inspect_err(|_| self.project.tasks[at].duration = before)
    }

    /// Changes the lag of a link, by its place among the project's links.
    ///
    /// # Errors
    /// As [`Scheduler::set_duration`].
    pub fn set_lag(&mut self, link: usize, lag: i64) -> Result<(), MaxPlusError> {
        let count = self.project.links.len();
        if link >= count {
            return Err(MaxPlusError::Index { what: "link", index: link, count });
        }
        let Link { from, to, lag: before, .. } = self.project.links[link];
        check_time("the lag of a link", from as usize, lag)?;
        self.project.links[link].lag = lag;
        self.changed(&[from, to]).inspect_err(|_| self.project.links[link].lag = before)
    }

    fn changed(&mut self, tasks: &[u32]) -> Result<(), MaxPlusError> {
        let Some(places) = &self.places else {
            self.schedule = self.project.schedule()?;
            self.touched = self.project.tasks.len();
            return Ok(());
        };
        for &task in tasks {
            self.schedule.durations[task as usize] = self.project.tasks[task as usize].duration;
        }
        // Parallel links count by the longest, so that arcs are looked up link by link.
        let weight = |link: &Link| link.weight(&self.project.tasks);
        let links = &self.project.links;
        // Ends of links whose weight may have changed.
        let around = |from_side: bool| -> BTreeSet<u32> {
            let own = tasks.iter().copied();
            let numbers = tasks.iter().flat_map(|&task| {
                let sides = [&self.outgoing[task as usize], &self.incoming[task as usize]];
                sides.into_iter().flatten()
            });
            let others = numbers.map(|&number| {
                let link = &links[number as usize];
                if from_side { link.from } else { link.to }
            });
            own.chain(others).map(|task| places[task as usize]).collect()
        };
        let schedule = &mut self.schedule;
        let mut touched = BTreeSet::new();
        let mut waiting = around(false);
        while let Some(place) = waiting.pop_first() {
            let task = self.order[place as usize];
            touched.insert(task);
            let before = self.incoming[task as usize].iter().map(|&number| {
                let link = &links[number as usize];
                schedule.earliest[link.from as usize] + weight(link)
            });
            let start = before.fold(self.project.tasks[task as usize].release, i64::max);
            if start != schedule.earliest[task as usize] {
                schedule.earliest[task as usize] = start;
                waiting.extend(
                    self.outgoing[task as usize].iter().map(|&number| places[links[number as usize].to as usize]),
                );
            }
        }
        let mut waiting = around(true);
        while let Some(place) = waiting.pop_last() {
            let task = self.order[place as usize];
            touched.insert(task);
            let own = &self.project.tasks[task as usize];
            let mut tail = own.duration;
            let mut due = own.deadline.map_or(i64::MAX, |deadline| deadline - own.duration);
            for &number in &self.outgoing[task as usize] {
                let link = &links[number as usize];
                tail = tail.max(schedule.tails[link.to as usize] + weight(link));
                let after = schedule.due[link.to as usize];
                due = due.min(if after == i64::MAX { after } else { after - weight(link) });
            }
            if (tail, due) != (schedule.tails[task as usize], schedule.due[task as usize]) {
                (schedule.tails[task as usize], schedule.due[task as usize]) = (tail, due);
                waiting.extend(
                    self.incoming[task as usize].iter().map(|&number| places[links[number as usize].from as usize]),
                );
            }
        }
        // The end of the project is the longest of all ways, a pass without links.
        let finishes = schedule.earliest.iter().zip(&schedule.durations).map(|(start, duration)| start + duration);
        schedule.length = finishes.max().unwrap_or(0);
        // Arcs whose weight changed.
        let ends: Vec<(u32, u32)> = tasks
            .iter()
            .flat_map(|&task| [&self.outgoing[task as usize], &self.incoming[task as usize]].into_iter().flatten())
            .map(|&number| (links[number as usize].from, links[number as usize].to))
            .collect();
        for (from, to) in ends {
            let tied = self.outgoing[from as usize].iter().map(|&number| &links[number as usize]);
            if let Some(longest) = tied.filter(|link| link.to == to).map(weight).max() {
                schedule.graph.set_weight(from, to, longest);
            }
        }
        self.touched = touched.len();
        Ok(())
    }
}
