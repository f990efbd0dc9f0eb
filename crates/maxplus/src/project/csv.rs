//! Projects as tables: a task has its name, duration, predecessors, release and deadline, the last three may be left out. A predecessor
//! is a name with, where it is no finish-start link without lag, a kind and a lag: `dig`, `dig+2`, `dig:SS`, `dig:FF-1`; several stand
//! with semicolons between them, or commas where those do not separate fields.
//!
//! ```text
//! name,duration,predecessors,release,deadline
//! dig,3
//! "pour, wide",2,dig+1
//! dry,4,"pour, wide:SS+1;dig",5,20
//! ```

use std::borrow::Cow;
use std::collections::HashMap;

use manycore_files::{LineFault, NotFinite, Numeral, Table, shown};

use super::model::{Link, LinkKind, Task};
use crate::error::MaxPlusError;
use crate::error::ProjectTextError;

/// The tasks and links of a table; a first row whose durations and times are no numbers is a header.
pub(super) fn read(file: &str, text: &str) -> Result<(Vec<Task>, Vec<Link>), MaxPlusError> {
    let wrong = |line: usize, what: String| ProjectTextError { file: file.to_owned(), line, what };
    let mut table = Table::new(text, file, |field| matches!(field, 1 | 3 | 4));
    let mut tasks: Vec<Task> = Vec::new();
    let mut names: HashMap<String, u32> = HashMap::new();
    let mut waiting: Vec<(usize, String)> = Vec::new();
    while let Some((line, fields)) = table.next_row()? {
        if !(2..=5).contains(&fields.len()) {
            let what = format!("{} values, where a task has two to five", fields.len());
            return Err(wrong(line, what).into());
        }
        let integer = |at: usize, what: &str| {
            let field = fields.get(at).filter(|field| !field.is_empty());
            field.map(|field| time(field, what).map_err(|what| wrong(line, what))).transpose()
        };
        let name = fields[0].as_ref();
        if name.is_empty() || name.contains([';', ':']) {
            let what = format!("\"{}\" is no name: it is not empty, and has no semicolon or colon", shown(name));
            return Err(wrong(line, what).into());
        }
        let duration = integer(1, "duration")?.ok_or_else(|| wrong(line, "the duration is missing".to_owned()))?;
        if duration < 0 {
            return Err(wrong(line, format!("the duration is {duration}")).into());
        }
        let task = Task {
            name: name.to_owned(),
            duration,
            release: integer(3, "release")?.unwrap_or(0),
            deadline: integer(4, "deadline")?,
        };
        if names.insert(name.to_owned(), tasks.len() as u32).is_some() {
            return Err(wrong(line, format!("a second task with the name \"{}\"", shown(name))).into());
        }
        tasks.push(task);
        waiting.push((line, fields.get(2).map(Cow::to_string).unwrap_or_default()));
    }
    let mut links = Vec::new();
    for ((line, list), to) in waiting.iter().zip(0..) {
        for (from, kind, lag) in predecessors(list, &names).map_err(|what| wrong(*line, what))? {
            links.push(Link { from, to, kind, lag });
        }
    }
    Ok((tasks, links))
}

/// A time of a task: a whole number.
fn time(field: &str, what: &str) -> Result<i64, String> {
    i64::of_word(field, NotFinite::Refused).map_err(|fault| match fault {
        LineFault::Number { found, expected: "integer" } => {
            format!("`{found}` is no whole {what}: write all times in a smaller unit")
        }
        LineFault::Number { found, .. } => format!("`{found}` is no {what}"),
        fault => format!("a {what}: {fault}"),
    })
}

/// The predecessors of a list. A name may have commas of its own.
fn predecessors(list: &str, names: &HashMap<String, u32>) -> Result<Vec<(u32, LinkKind, i64)>, String> {
    let words = |list: &str, separator: char| -> Vec<String> {
        list.split(separator).map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
    };
    let mut all = Vec::new();
    for word in words(list, ';') {
        match predecessor(&word, names) {
            Ok(link) => all.push(link),
            Err(_) if word.contains(',') => {
                for word in words(&word, ',') {
                    all.push(predecessor(&word, names)?);
                }
            }
            Err(what) => return Err(what),
        }
    }
    Ok(all)
}

/// The task, the kind and the lag of a predecessor.
fn predecessor(word: &str, names: &HashMap<String, u32>) -> Result<(u32, LinkKind, i64), String> {
    let task = |name: &str| names.get(name.trim()).copied();
    let lag_of = |text: &str| time(text, "lag").map_err(|what| format!("{what}, in \"{}\"", shown(word)));
    if let Some((name, rest)) = word.split_once(':') {
        let from = task(name).ok_or_else(|| format!("no task has the name \"{}\"", shown(name)))?;
        let (code, lag) = match rest.find(['+', '-']) {
            Some(at) => (&rest[..at], lag_of(&rest[at..])?),
            None => (rest, 0),
        };
        let kind = LinkKind::of_code(code.trim())
            .ok_or_else(|| format!("\"{}\" is none of FS, SS, FF and SF", shown(code)))?;
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
    Err(format!("no task has the name \"{}\"", shown(word)))
}
