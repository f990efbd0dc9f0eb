//! Patterson's format `.rcp` (Patterson, "A comparison of exact approaches for solving the multiple constrained resource, project
//! scheduling problem", 1984): the numbers of activities and of resources, their capacities, and for each activity its duration,
//! needs, number of successors and successors, from 1; line ends mean nothing.

use super::model::{Link, LinkKind, Task};
use super::text::{Lines, MOST_TASKS};
use crate::error::ProjectTextError;

/// Numbers with the lines that they stand in.
struct Numbers<'a> {
    lines: Lines<'a>,
    row: Vec<i64>,
    number: usize,
}

impl Numbers<'_> {
    fn next(&mut self, what: &str) -> Result<i64, ProjectTextError> {
        while self.row.is_empty() {
            let line = self.lines.expect(what)?;
            self.number = line.number;
            let numbers = line.words.iter().rev().map(|word| self.lines.number(line.number, word, what));
            self.row = numbers.collect::<Result<_, _>>()?;
        }
        Ok(self.row.pop().unwrap_or_default())
    }

    fn within(&mut self, what: &str, least: i64, most: i64) -> Result<i64, ProjectTextError> {
        let value = self.next(what)?;
        if !(least..=most).contains(&value) {
            let what = format!("{what} is {value}, which is not within {least} to {most}");
            return Err(self.lines.wrong(self.number, what));
        }
        Ok(value)
    }
}

/// The tasks and links of an `.rcp` file.
pub(super) fn read(file: &str, text: &str) -> Result<(Vec<Task>, Vec<Link>), ProjectTextError> {
    let mut numbers = Numbers { lines: Lines::new(file, text), row: Vec::new(), number: 0 };
    let count = numbers.within("the number of activities", 0, MOST_TASKS)?;
    let resources = numbers.within("the number of resources", 0, 1 << 16)?;
    for _ in 0..resources {
        numbers.next("a capacity")?;
    }
    let (mut tasks, mut links) = (Vec::new(), Vec::new());
    for task in 0..count {
        let duration = numbers.within("a duration", 0, i64::MAX)?;
        for _ in 0..resources {
            numbers.next("a need of a resource")?;
        }
        for _ in 0..numbers.within("the number of successors", 0, MOST_TASKS)? {
            let to = numbers.within("a successor", 1, count)?;
            links.push(Link { from: task as u32, to: (to - 1) as u32, kind: LinkKind::FinishStart, lag: 0 });
        }
        tasks.push(Task::new((task + 1).to_string(), duration));
    }
    if !numbers.row.is_empty() {
        let what = format!("{} numbers more than the activities have", numbers.row.len());
        return Err(numbers.lines.wrong(numbers.number, what));
    }
    if let Some(line) = numbers.lines.next() {
        return Err(numbers.lines.wrong(line.number, "a line past the last activity"));
    }
    Ok((tasks, links))
}
