//! Programs of tests run side by side, the nearest to a change first, and the rest as long as there is time for it.

use std::cell::Cell;
use std::num::NonZero;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::scope::{Nearness, Scope};
use crate::failures;
use crate::shell;

/// One command that runs tests.
pub(crate) struct Item {
    /// The package whose tests they are.
    pub(crate) package: String,
    /// What it is called in reports; no other item of a step is called so.
    pub(crate) name: String,
    /// The command; its output is kept from sight where it succeeds.
    pub(crate) command: Command,
    /// The judgement of its output beside its exit status; an error is a failure.
    pub(crate) judge: fn(&str) -> Result<()>,
}

/// The time during which items of a step may begin.
#[derive(Clone, Copy)]
pub(crate) struct Quota(Option<Duration>);

impl Quota {
    /// All of them, however long it takes.
    pub(crate) const NONE: Self = Self(None);

    pub(crate) const fn seconds(seconds: u64) -> Self {
        Self(Some(Duration::from_secs(seconds)))
    }

    /// When the items of a nearness stop to begin: those that depend on a change leave a fifth to the rest, which has a fifth
    /// at most.
    fn ends(self, near: Nearness, begun: Duration) -> Option<Duration> {
        let whole = self.0?;
        Some(match near {
            Nearness::Changed => whole,
            Nearness::Dependent => whole * 4 / 5,
            Nearness::Rest => whole.min(begun + whole / 5),
        })
    }
}

/// How one item ended.
pub(crate) struct Done {
    pub(crate) name: String,
    pub(crate) took: Duration,
    /// Tests that passed.
    pub(crate) passed: u64,
}

/// What a step ran and what it left.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) done: Vec<Done>,
    /// Names of failed items with what they said.
    pub(crate) failed: Vec<String>,
    /// Items that there was no time for, of each nearness.
    pub(crate) left: [usize; Nearness::ALL.len()],
}

impl Outcome {
    /// Prints what was run, and fails where an item failed.
    pub(crate) fn report(mut self, step: &str) -> Result<Vec<Done>> {
        self.done.sort_by_key(|done| std::cmp::Reverse(done.took));
        for done in self.done.iter().take(SLOWEST) {
            eprintln!("{:>8.1} s  {}", done.took.as_secs_f64(), done.name);
        }
        let [changed, dependent, rest] = self.left;
        if changed + dependent + rest > 0 {
            eprintln!(
                "{step}: left for `cargo xtask ci --all`: {changed} of what changed, {dependent} of what depends on it, \
                 {rest} of the rest"
            );
        }
        if !self.failed.is_empty() {
            bail!("{} of {step} failed\n{}", self.failed.len(), self.failed.join("\n"));
        }
        Ok(self.done)
    }
}

/// Items that a report names with the time that they took.
const SLOWEST: usize = 10;

/// Puts items in the order in which they begin: the nearest first, within a nearness by the draw of the scope.
fn ordered(mut items: Vec<Item>, scope: &Scope) -> Vec<(Nearness, Item)> {
    items.sort_by_cached_key(|item| (scope.of(&item.package), scope.draw(&item.name)));
    items.into_iter().map(|item| (scope.of(&item.package), item)).collect()
}

/// Runs the items on as many processors as there are, in the order of the scope, until the quota is used up.
///
/// Items for which `is_done` is true are not run again; `note` is called with each item that passed.
pub(crate) fn run(
    items: Vec<Item>,
    scope: &Scope,
    quota: Quota,
    is_done: &dyn Fn(&str) -> bool,
    note: &(dyn Fn(&Done) + Sync),
) -> Outcome {
    let fresh: Vec<Item> = items.into_iter().filter(|item| !is_done(&item.name)).collect();
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get).min(fresh.len());
    let waiting = Mutex::new(Waiting { items: ordered(fresh, scope), began: Cell::new(None) });
    let outcome = Mutex::new(Outcome::default());
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    // In a statement of its own: the lock is free while the item runs.
                    let next = locked(&waiting).next(quota, started, &outcome);
                    let Some(item) = next else { break };
                    finish(item, &outcome, note);
                }
            });
        }
    });
    outcome.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Items that have not begun, and when those of the present nearness began.
struct Waiting {
    items: Vec<(Nearness, Item)>,
    began: Cell<Option<(Nearness, Duration)>>,
}

impl Waiting {
    /// The next item that there is time for; those that there is none for are counted.
    fn next(&mut self, quota: Quota, started: Instant, outcome: &Mutex<Outcome>) -> Option<Item> {
        while !self.items.is_empty() {
            let (near, item) = self.items.remove(0);
            let now = started.elapsed();
            let begun = match self.began.get() {
                Some((of, begun)) if of == near => begun,
                _ => now,
            };
            self.began.set(Some((near, begun)));
            if quota.ends(near, begun).is_none_or(|end| now < end) {
                return Some(item);
            }
            locked(outcome).left[near as usize] += 1;
        }
        None
    }
}

/// Runs one item and adds how it ended.
fn finish(mut item: Item, outcome: &Mutex<Outcome>, note: &(dyn Fn(&Done) + Sync)) {
    let started = Instant::now();
    let ended = run_one(&mut item);
    let took = started.elapsed();
    let seconds = took.as_secs_f64();
    match ended {
        Ok(passed) => {
            eprintln!("passed in {seconds:>6.1} s: {}", item.name);
            let done = Done { name: item.name, took, passed };
            note(&done);
            locked(outcome).done.push(done);
        }
        Err(error) => {
            eprintln!("FAILED in {seconds:>6.1} s: {}\n{error:#}", item.name);
            locked(outcome).failed.push(format!("{}: {error:#}", item.name));
        }
    }
}

/// Runs an item to its end and gives the number of its tests that passed.
fn run_one(item: &mut Item) -> Result<u64> {
    let line = shell::line(&item.command);
    let output = item.command.stdin(Stdio::null()).output().with_context(|| format!("cannot start: {line}"))?;
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let judged = (item.judge)(&text);
    if !output.status.success() || judged.is_err() {
        let told = failures::told(&text);
        let why = judged.err().map(|error| format!("; {error:#}")).unwrap_or_default();
        bail!("{line}: {}{why}\n{told}", output.status);
    }
    Ok(failures::passed(&text))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Item, Quota, run};
    use crate::ci::scope::{Nearness, Scope};
    use crate::shell;

    fn item(name: &str, script: &str) -> Item {
        let mut command = shell::command("sh");
        command.args(["-c", script]);
        Item { package: "a".into(), name: name.into(), command, judge: |_| Ok(()) }
    }

    #[test]
    fn the_rest_has_a_fifth() {
        let quota = Quota::seconds(100);
        let seconds = Duration::from_secs;
        assert_eq!(quota.ends(Nearness::Changed, seconds(0)), Some(seconds(100)));
        assert_eq!(quota.ends(Nearness::Dependent, seconds(10)), Some(seconds(80)));
        assert_eq!(quota.ends(Nearness::Rest, seconds(10)), Some(seconds(30)));
        assert_eq!(quota.ends(Nearness::Rest, seconds(95)), Some(seconds(100)));
        assert_eq!(Quota::NONE.ends(Nearness::Rest, seconds(95)), None);
    }

    #[cfg(unix)]
    #[test]
    fn items_run_side_by_side() {
        if std::thread::available_parallelism().is_ok_and(|count| count.get() < 2) {
            return;
        }
        // Each waits until the other has begun.
        let folder = std::env::temp_dir().join(format!("manycore-xtask-items-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let meets = |own: &str, other: &str| {
            let at = folder.display();
            item(
                own,
                &format!(
                    "touch {at}/{own}; for i in $(seq 200); do test -e {at}/{other} && exit 0; sleep 0.05; done; exit 1"
                ),
            )
        };
        let outcome =
            run(vec![meets("a", "b"), meets("b", "a")], &Scope::everything(), Quota::NONE, &|_| false, &|_| ());
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!((outcome.done.len(), outcome.failed.len()), (2, 0), "{:?}", outcome.failed);
    }

    #[cfg(unix)]
    #[test]
    fn items_end_as_their_programs_do() {
        let result = "echo 'test result: ok. 3 passed; 0 failed'";
        let items = || vec![item("right", result), item("wrong", "echo why; exit 3"), item("known", "exit 1")];
        let scope = Scope::everything();
        let outcome = run(items(), &scope, Quota::NONE, &|name| name == "known", &|_| ());
        assert_eq!((outcome.done.len(), outcome.done[0].passed), (1, 3));
        assert!(outcome.failed.len() == 1 && outcome.failed[0].contains("why"), "{:?}", outcome.failed);
        assert!(outcome.report("tests").is_err());
        let outcome = run(items(), &scope, Quota::seconds(0), &|_| false, &|_| ());
        assert_eq!((outcome.done.len(), outcome.left), (0, [3, 0, 0]));
        assert!(outcome.report("tests").is_ok());
    }
}
