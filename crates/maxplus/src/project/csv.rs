//! Projects as lines of values between commas: a task has its name, duration, predecessors, release and deadline, the last three
//! may be left out. A predecessor is a name with, where it is no finish-start link without lag, a kind and a lag: `dig`, `dig+2`,
//! `dig:SS`, `dig:FF-1`; several stand with semicolons between them.
//!
//! ```text
//! name,duration,predecessors,release,deadline
//! dig,3
//! pour,2,dig+1
//! dry,4,pour:SS+1;dig,5,20
//! ```

use std::collections::HashMap;

use super::error::ProjectTextError;
use super::model::{Link, LinkKind, Task};

/// The tasks and links of lines; one that begins with `#` says nothing, and a first one whose second value is no number is a head.
pub(super) fn read(file: &str, text: &str) -> Result<(Vec<Task>, Vec<Link>), ProjectTextError> {
    let wrong = |line: usize, what: String| ProjectTextError { file: file.to_owned(), line, what };
    let mut tasks: Vec<Task> = Vec::new();
    let mut names: HashMap<&str, u32> = HashMap::new();
    let mut waiting: Vec<(usize, u32, &str)> = Vec::new();
    let mut is_first = true;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let values: Vec<&str> = line.split(',').map(str::trim).collect();
        let is_head = std::mem::take(&mut is_first)
            && values
                .get(1)
                .is_some_and(|value| value.parse::<i64>().is_err() && value.eq_ignore_ascii_case("duration"));
        if is_head {
            continue;
        }
        if !(2..=5).contains(&values.len()) {
            let what = format!("{} values, where a task has two to five", values.len());
            return Err(wrong(number, what));
        }
        let integer = |at: usize, what: &str| {
            let value = values.get(at).copied().filter(|value| !value.is_empty());
            let read = |value: &str| value.parse::<i64>().map_err(|_| wrong(number, format!("{value:?} is no {what}")));
            value.map(read).transpose()
        };
        let name = values[0];
        if name.is_empty() || name.contains([';', ':']) {
            return Err(wrong(number, format!("{name:?} is no name: it is not empty, and has no semicolon or colon")));
        }
        let duration = integer(1, "duration")?.ok_or_else(|| wrong(number, "the duration is missing".to_owned()))?;
        if duration < 0 {
            return Err(wrong(number, format!("the duration is {duration}")));
        }
        let task = Task {
            name: name.to_owned(),
            duration,
            release: integer(3, "release")?.unwrap_or(0),
            deadline: integer(4, "deadline")?,
        };
        let index = tasks.len() as u32;
        if names.insert(name, index).is_some() {
            return Err(wrong(number, format!("a second task with the name {name:?}")));
        }
        tasks.push(task);
        let before = values.get(2).copied().unwrap_or_default();
        waiting
            .extend(before.split(';').map(str::trim).filter(|word| !word.is_empty()).map(|word| (number, index, word)));
    }
    let mut links = Vec::new();
    for (number, to, word) in waiting {
        let (name, kind, lag) = predecessor(word, &names).map_err(|what| wrong(number, what))?;
        links.push(Link { from: name, to, kind, lag });
    }
    Ok((tasks, links))
}

/// The task, the kind and the lag of a predecessor.
fn predecessor(word: &str, names: &HashMap<&str, u32>) -> Result<(u32, LinkKind, i64), String> {
    let task = |name: &str| names.get(name.trim()).copied();
    let lag_of = |text: &str| text.parse::<i64>().map_err(|_| format!("{text:?} is no lag in {word:?}"));
    if let Some((name, rest)) = word.split_once(':') {
        let from = task(name).ok_or_else(|| format!("no task has the name {name:?}"))?;
        let (code, lag) = match rest.find(['+', '-']) {
            Some(at) => (&rest[..at], lag_of(&rest[at..])?),
            None => (rest, 0),
        };
        let kind = LinkKind::of_code(code.trim()).ok_or_else(|| format!("{code:?} is none of FS, SS, FF and SF"))?;
        return Ok((from, kind, lag));
    }
    // A name may have signs of its own.
    if let Some(from) = task(word) {
        return Ok((from, LinkKind::FinishStart, 0));
    }
    if let Some(at) = word.rfind(['+', '-'])
        && let Some(from) = task(&word[..at])
    {
        return Ok((from, LinkKind::FinishStart, lag_of(&word[at..])?));
    }
    Err(format!("no task has the name {word:?}"))
}
