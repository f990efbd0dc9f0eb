//! What a long command is at, on standard error.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::ProgressBar;
use manycore::files::escaped;

/// A line that tells the step a command is at. It shows only on a terminal, and disappears when the command ends.
#[derive(Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// Shows steps unless `quiet`.
    pub fn new(quiet: bool) -> Self {
        if quiet || !io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// The step that begins now.
    pub fn step(&self, what: impl Into<String>) {
        self.0.set_message(escaped(&what.into()));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
