//! The progress of a long command on standard error: one line, fed by the phases of the command and by the control of its work.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use manycore::Control;
use manycore::device::Progress;
use manycore::files::escaped;

/// The time that a command works before its line shows.
const PATIENCE: Duration = Duration::from_secs(1);
/// The period of changes of the line.
const PERIOD: Duration = Duration::from_millis(100);

/// The line of the command under way.
static LINE: Mutex<Option<Line>> = Mutex::new(None);
/// Whether the line shows: all that a step of the work looks at before it does.
static IS_SHOWN: AtomicBool = AtomicBool::new(false);
/// Whether the command computes by steps, between which it can be cancelled.
static COMPUTES: AtomicBool = AtomicBool::new(false);

/// The line, from the beginning of the command on; it shows later, and on a terminal alone.
struct Line {
    phase: String,
    bar: Option<ProgressBar>,
    changed: Instant,
}

impl Line {
    fn show(&mut self, step: Option<Progress>) {
        let Some(bar) = &self.bar else { return };
        self.changed = Instant::now();
        let phase = &self.phase;
        bar.set_message(match step {
            None => phase.clone(),
            Some(Progress { step, steps, .. }) => format!("{phase}: {step}, step {steps}"),
        });
    }
}

fn line() -> MutexGuard<'static, Option<Line>> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The phase that begins now: reading, verifying, or work without steps. An interrupt in it ends the program at once.
pub fn step(what: impl Into<String>) {
    begin(&what.into(), false);
}

/// The phase that begins now: work that goes by steps, and stops between two of them where it is cancelled.
pub fn compute(what: impl Into<String>) {
    begin(&what.into(), true);
}

/// The work is cancelled, and ends with the step that it is at.
#[cfg(unix)]
pub(crate) fn cancelled() {
    if let Some(line) = &mut *line() {
        "stopping after this step; another interrupt ends it at once".clone_into(&mut line.phase);
        line.show(None);
    }
}

/// The result is written from now on; to a terminal it goes without the line.
pub(crate) fn write(is_to_standard_output: bool) {
    begin("writing", false);
    if is_to_standard_output && io::stdout().is_terminal() {
        IS_SHOWN.store(false, Ordering::Relaxed);
        *line() = None;
    }
}

/// Whether the command computes by steps at the moment.
pub(crate) fn computes() -> bool {
    COMPUTES.load(Ordering::SeqCst)
}

fn begin(what: &str, computes: bool) {
    COMPUTES.store(computes, Ordering::SeqCst);
    if let Some(line) = &mut *line() {
        line.phase = escaped(what);
        line.show(None);
    }
}

/// Tells a step of the work, where the line shows and did not change just now.
fn watch(step: Progress) {
    if !IS_SHOWN.load(Ordering::Relaxed) {
        return;
    }
    // If the lock is taken, another thread updates the line.
    if let Ok(mut line) = LINE.try_lock()
        && let Some(line) = &mut *line
        && line.changed.elapsed() >= PERIOD
    {
        line.show(Some(step));
    }
}

/// Does the work of a command under its control, with a line of its progress unless it is `quiet`: after a second, where standard
/// error is a terminal.
pub(crate) fn under<R>(quiet: bool, work: impl FnOnce(Control) -> R) -> R {
    let _end = End;
    if quiet || !io::stderr().is_terminal() {
        return work(Control::new());
    }
    *line() = Some(Line { phase: String::new(), bar: None, changed: Instant::now() });
    let (ended, wakes) = (&Mutex::new(false), &Condvar::new());
    std::thread::scope(|scope| {
        let wait = move || {
            let ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = wakes.wait_timeout_while(ended, PATIENCE, |ended| !*ended);
            let has_ended = waited.map_or_else(|poison| *poison.into_inner().0, |(ended, _)| *ended);
            if let (Some(line), false) = (&mut *line(), has_ended) {
                let bar = ProgressBar::new_spinner();
                bar.enable_steady_tick(PERIOD);
                line.bar = Some(bar);
                line.show(None);
                IS_SHOWN.store(true, Ordering::Relaxed);
            }
        };
        // Where the system gives no thread, no line shows.
        let shows = std::thread::Builder::new().name("progress".into()).spawn_scoped(scope, wait).is_ok();
        let _wake = shows.then_some(Wake { ended, wakes });
        work(Control::watching(watch))
    })
}

/// Ends the wait for the line, also where the work panics.
struct Wake<'a> {
    ended: &'a Mutex<bool>,
    wakes: &'a Condvar,
}

impl Drop for Wake<'_> {
    fn drop(&mut self) {
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.wakes.notify_all();
    }
}

/// The end of a command, which takes its line away.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        COMPUTES.store(false, Ordering::SeqCst);
        IS_SHOWN.store(false, Ordering::Relaxed);
        *line() = None;
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_tell_whether_the_work_goes_by_steps() {
        under(true, |_| {
            assert!(!computes());
            compute("multiplying");
            assert!(computes());
            step("verifying");
            assert!(!computes());
            compute("multiplying");
            write(true);
            assert!(!computes());
            compute("multiplying");
        });
        assert!(!computes());
        assert!(line().is_none());
    }
}
