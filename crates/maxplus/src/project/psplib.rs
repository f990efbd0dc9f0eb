//! Projects of PSPLIB (Kolisch, Sprecher, "PSPLIB - a project scheduling problem library", 1996): `.sm` of one mode, and `.sch` of ProGen/max
//! with minimal and maximal time lags (Schwindt 1998). Resources are left aside; of several modes of a job (`.mm`) the first counts.

use super::model::{Link, LinkKind, Task};
use super::text::{Line, Lines, MOST_TASKS};
use crate::error::ProjectTextError;

/// The tasks and links of an `.sm` file.
pub(super) fn single_mode(file: &str, text: &str) -> Result<(Vec<Task>, Vec<Link>), ProjectTextError> {
    let mut lines = Lines::new(file, text);
    let mut jobs = None;
    // The head: the number of jobs, up to the successors.
    loop {
        let line = lines.expect("PRECEDENCE RELATIONS:")?;
        let lower = line.text.trim_start().to_ascii_lowercase();
        if lower.starts_with("precedence relations") {
            break;
        }
        if lower.starts_with("jobs") {
            let word = line.words.last().copied().unwrap_or_default();
            let count = lines.number(line.number, word, "the number of jobs")?;
            if !(0..=MOST_TASKS).contains(&count) {
                return Err(lines.wrong(line.number, format!("{count} jobs, where up to {MOST_TASKS} are read")));
            }
            jobs = Some(count as usize);
        }
    }
    let mut links: Vec<Link> = Vec::new();
    let (mut met, mut modes) = (Vec::new(), Vec::new());
    let last = loop {
        let line = lines.expect("REQUESTS/DURATIONS:")?;
        if line.text.starts_with('*') || line.words[0].starts_with("jobnr") {
            continue;
        }
        if line.text.trim_start().to_ascii_lowercase().starts_with("requests/durations") {
            break line.number;
        }
        let job = lines.integer(&line, 0, "the number of a job")?;
        if job != met.len() as i64 + 1 {
            return Err(lines.wrong(line.number, format!("job {job} stands where job {} should", met.len() + 1)));
        }
        let count = lines.count(&line, 2, "the number of successors", MOST_TASKS)?;
        if line.words.len() != 3 + count {
            let given = line.words.len().saturating_sub(3);
            return Err(lines.wrong(line.number, format!("{given} successors, where {count} are announced")));
        }
        for at in 3..line.words.len() {
            let to = lines.integer(&line, at, "a successor")?;
            let most = jobs.map_or(MOST_TASKS, |jobs| jobs as i64);
            if !(1..=most).contains(&to) {
                return Err(lines.wrong(line.number, format!("successor {to}, where jobs are numbered 1 to {most}")));
            }
            links.push(Link { from: met.len() as u32, to: (to - 1) as u32, kind: LinkKind::FinishStart, lag: 0 });
        }
        met.push(line.number);
        modes.push(lines.count(&line, 1, "the number of modes", MOST_TASKS)?);
    };
    let jobs = jobs.unwrap_or(met.len());
    if met.len() != jobs {
        return Err(lines.wrong(last, format!("successors of {} jobs, where there are {jobs}", met.len())));
    }
    if let Some(link) = links.iter().find(|link| link.to as usize >= jobs) {
        let line = met[link.from as usize];
        return Err(lines.wrong(line, format!("successor {}, where there are {jobs} jobs", link.to + 1)));
    }
    let mut tasks: Vec<Task> = Vec::new();
    while tasks.len() < jobs {
        let line = lines.expect("the duration of a job")?;
        if line.text.starts_with(['*', '-']) || line.words[0].starts_with("jobnr") {
            continue;
        }
        let job = lines.integer(&line, 0, "the number of a job")?;
        let duration = lines.integer(&line, 2, "a duration")?;
        if job != tasks.len() as i64 + 1 {
            return Err(lines.wrong(line.number, format!("job {job} stands where job {} should", tasks.len() + 1)));
        }
        if duration < 0 {
            return Err(lines.wrong(line.number, format!("the duration is {duration}")));
        }
        tasks.push(Task::new(job.to_string(), duration));
        // A further mode has no number of a job.
        for mode in 2..=modes[job as usize - 1] {
            let line = lines.expect("a further mode of a job")?;
            if lines.integer(&line, 0, "the number of a mode")? != mode as i64 {
                let what = format!(
                    "{:?} stands where mode {mode} of job {job} should: it has {} modes",
                    line.words[0],
                    modes[job as usize - 1]
                );
                return Err(lines.wrong(line.number, what));
            }
        }
    }
    Ok((tasks, links))
}

/// The tasks and links of an `.sch` file, from the start of a task to that of another; a negative lag backwards is a maximal one.
pub(super) fn time_lags(file: &str, text: &str) -> Result<(Vec<Task>, Vec<Link>), ProjectTextError> {
    let mut lines = Lines::new(file, text);
    let head = lines.expect("the number of activities")?;
    let tasks_without_ends = lines.count(&head, 0, "the number of activities", MOST_TASKS)?;
    let count = tasks_without_ends + 2;
    let mut links = Vec::new();
    for task in 0..count {
        let line = lines.expect("an activity's successors")?;
        expect_number(&lines, &line, task)?;
        let successors = lines.count(&line, 2, "the number of successors", MOST_TASKS)?;
        let lags: Vec<i64> = lags(&lines, &line, 3 + successors)?;
        if line.words.len() < 3 + successors || lags.len() != successors {
            let (words, lags) = (line.words.len().saturating_sub(3), lags.len());
            let what = format!("{successors} successors are announced, and {words} words with {lags} lags follow");
            return Err(lines.wrong(line.number, what));
        }
        for (at, lag) in lags.into_iter().enumerate() {
            let to = lines.count(&line, 3 + at, "a successor", count as i64 - 1)?;
            links.push(Link { from: task as u32, to: to as u32, kind: LinkKind::StartStart, lag });
        }
    }
    let mut tasks = Vec::new();
    for task in 0..count {
        let line = lines.expect("an activity's duration")?;
        expect_number(&lines, &line, task)?;
        let duration = lines.integer(&line, 2, "a duration")?;
        if duration < 0 {
            return Err(lines.wrong(line.number, format!("the duration is {duration}")));
        }
        tasks.push(Task::new(task.to_string(), duration));
    }
    Ok((tasks, links))
}

fn expect_number(lines: &Lines<'_>, line: &Line<'_>, task: usize) -> Result<(), ProjectTextError> {
    let number = lines.integer(line, 0, "the number of an activity")?;
    if number != task as i64 {
        return Err(lines.wrong(line.number, format!("activity {number} stands where activity {task} should")));
    }
    Ok(())
}

/// Lags in brackets, one for the one mode of each successor.
fn lags(lines: &Lines<'_>, line: &Line<'_>, from: usize) -> Result<Vec<i64>, ProjectTextError> {
    line.words
        .iter()
        .skip(from)
        .map(|word| {
            let inner = word.strip_prefix('[').and_then(|word| word.strip_suffix(']'));
            let inner = inner.ok_or_else(|| lines.wrong(line.number, format!("{word:?} is no lag in brackets")))?;
            lines.number(line.number, inner, "a lag")
        })
        .collect()
}
