//! One run of checks: what it is of, what has passed of it, how long things may begin, and what they took.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::items::{self, Item, Quota};
use super::scope::{MARKER, Scope};
use super::state::{self, State};
use super::times::{KEPT, Times};
use crate::costs::{Cost, Costs};
use crate::metadata;
use crate::shell;

/// The step whose programs' times are those of their packages.
pub(crate) const TESTS: &str = "test";

/// One run.
pub(crate) struct Run {
    pub(crate) scope: Scope,
    /// Whether packages are compiled from what they pack.
    pub(super) compiles_packages: bool,
    costs: Option<Costs>,
    /// What passed before, and when nothing begins any more: of runs of everything.
    kept: Option<(State, Instant)>,
    /// Things that there was no time for.
    left: AtomicUsize,
    /// Packages some of whose tests were not run.
    incomplete: Mutex<BTreeSet<String>>,
}

impl Run {
    /// All of what a command does, without time limit, state or figures.
    pub(crate) fn everything() -> Self {
        Self {
            scope: Scope::everything(),
            compiles_packages: false,
            costs: None,
            kept: None,
            left: AtomicUsize::new(0),
            incomplete: Mutex::default(),
        }
    }

    /// What must hold before a change is taken.
    pub(super) fn change() -> Result<Self> {
        Ok(Self { scope: Scope::since_passed()?, costs: Some(Costs::new(&folder()?, true)?), ..Self::everything() })
    }

    /// A run of everything, in parts of this time.
    pub(super) fn all(part: Duration) -> Result<Self> {
        let state = State::read(folder()?.join("passed.json"))?;
        let costs = Costs::new(&folder()?, state.is_fresh())?;
        Ok(Self { costs: Some(costs), kept: Some((state, Instant::now() + part)), ..Self::everything() })
    }

    /// Whether a step is to be run now: it has not passed before, and there is time to begin it.
    pub(super) fn may_begin(&self, step: &str) -> bool {
        let Some((state, end)) = &self.kept else { return true };
        if state.has(step) {
            return false;
        }
        let is_time = Instant::now() < *end;
        if !is_time {
            self.left.fetch_add(1, Ordering::Relaxed);
        }
        is_time
    }

    /// Keeps that a step passed, where nothing of it is left.
    pub(super) fn passed(&self, step: &str, took: Duration) {
        if let Some((state, _)) = &self.kept
            && self.left.load(Ordering::Relaxed) == 0
        {
            state.note(step, took.as_secs_f64());
        }
    }

    /// Lets the compilers that a command of cargo starts be counted.
    pub(crate) fn of_compilers(&self, cargo: &mut Command) {
        if let Some(costs) = &self.costs {
            costs.of_compilers(cargo);
        }
    }

    /// Runs items of a step: in a run that is not of everything those that begin within `seconds`.
    pub(crate) fn items(&self, step: &str, items: Vec<Item>, seconds: u64) -> Result<()> {
        let quota = match &self.kept {
            Some((_, end)) => Quota::seconds(end.saturating_duration_since(Instant::now()).as_secs()),
            None if self.costs.is_some() => Quota::seconds(seconds),
            None => Quota::NONE,
        };
        let names: Vec<(String, String)> = items.iter().map(|item| (item.package.clone(), item.name.clone())).collect();
        let is_done = |name: &str| self.kept.as_ref().is_some_and(|(state, _)| state.has(name));
        let outcome = items::run(items, &self.scope, quota, &is_done, &|done| {
            if let Some((state, _)) = &self.kept {
                state.note(&done.name, done.took.as_secs_f64());
            }
        });
        self.left.fetch_add(outcome.left.iter().sum(), Ordering::Relaxed);
        let run: BTreeSet<&str> = outcome.done.iter().map(|done| done.name.as_str()).collect();
        let missing = names.iter().filter(|(_, name)| !run.contains(name.as_str()) && !is_done(name));
        let missing = missing.map(|(package, _)| package.clone());
        if step == TESTS {
            self.incomplete.lock().unwrap_or_else(PoisonError::into_inner).extend(missing);
        }
        let failed = outcome.failed.len();
        let done = outcome.report(step)?;
        let passed: u64 = done.iter().map(|done| done.passed).sum();
        println!("{step}: {passed} passed, {failed} failed");
        Ok(())
    }

    /// The command of a test program, counted for its package.
    pub(crate) fn of_test(&self, command: Command, package: &str) -> Command {
        match &self.costs {
            Some(costs) => costs.of_test(&command, package),
            None => command,
        }
    }

    /// The times of the run, with those of steps that passed before in it; `is_step` knows their names.
    pub(super) fn times(&self, mut steps: BTreeMap<String, f64>, is_step: impl Fn(&str) -> bool) -> Result<Times> {
        if let Some((state, _)) = &self.kept {
            let before = state.seconds().into_iter().filter(|(name, _)| is_step(name));
            steps.extend(before);
        }
        let Some(costs) = &self.costs else { return Ok(Times { steps, ..Times::default() }) };
        let own: BTreeSet<String> = metadata::workspace()?.packages.into_iter().map(|package| package.name).collect();
        let mut packages: BTreeMap<String, Cost> = BTreeMap::new();
        let incomplete = self.incomplete.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, cost) in costs.by_package()? {
            let test = if incomplete.contains(&name) { 0.0 } else { cost.test };
            let name = if own.contains(&name) { name } else { "others' packages".into() };
            let sum = packages.entry(name).or_default();
            sum.build += cost.build;
            sum.test += test;
        }
        let times = Times { steps, packages };
        times.write(&folder()?.join("times.json"))?;
        Ok(times)
    }

    /// For a whole run: prints what is left, or records that the commit passed.
    pub(super) fn finish(&self, times: &Times, is_whole: bool) -> Result<()> {
        if self.kept.is_none() {
            return Ok(());
        }
        let left = self.left.load(Ordering::Relaxed);
        if left > 0 {
            bail!("{left} things are left: the same command goes on with them");
        }
        if !is_whole {
            return Ok(());
        }
        let Some(commit) = state::clean_commit()? else {
            eprintln!("ci: everything passed, but files differ from the commit, so that {MARKER} stays as it is");
            return Ok(());
        };
        let root = shell::root();
        std::fs::write(root.join(MARKER), commit + "\n").with_context(|| format!("cannot write {MARKER}"))?;
        // What was built before is not in the times.
        if metadata::workspace()?.packages.iter().all(|package| times.packages.contains_key(&package.name)) {
            times.write(&root.join(KEPT))?;
        }
        eprintln!("ci: everything passed: commit {MARKER}, and {KEPT} where it differs");
        Ok(())
    }
}

fn folder() -> Result<std::path::PathBuf> {
    let folder = metadata::workspace()?.target_directory.join("ci");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}
