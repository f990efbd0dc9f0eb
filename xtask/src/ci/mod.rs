//! `cargo xtask ci`: what must hold before a change is taken, and with `--all` everything, in parts where it takes long.

pub(crate) mod items;
pub(crate) mod run;
pub(crate) mod scope;
mod state;
mod steps;
pub(crate) mod times;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use run::Run;
use scope::Nearness;
use steps::{STEPS, Step, When};

/// Runs what must hold before a change is taken: tests, kernels and faults of what differs from the last commit that passed
/// everything and of what depends on it, and as much of the rest as there is time for.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only steps whose name holds one of these texts
    steps: Vec<String>,
    /// Everything; what has passed of the same files is not run again
    #[arg(long)]
    all: bool,
    /// Minutes after which nothing begins any more: the same command goes on
    #[arg(long = "for", value_name = "MINUTES", requires = "all", default_value_t = 60)]
    minutes: u64,
    /// Only print the names of the steps
    #[arg(long)]
    list: bool,
    /// Compile what each package packs, too
    #[arg(long)]
    verify_packages: bool,
}

/// Seconds for the steps that are drawn, in a run that is not of everything.
const DRAWN_SECONDS: f64 = 180.0;

/// Seconds that a step is expected to take of which no time is kept.
const UNKNOWN_SECONDS: f64 = 60.0;

/// How one step ended.
struct Ended {
    name: &'static str,
    took: Duration,
    error: Option<String>,
}

/// `cargo xtask ci`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let is_wanted = |step: &&Step| {
        arguments.steps.is_empty() || arguments.steps.iter().any(|text| step.name.contains(text.as_str()))
    };
    let steps: Vec<&Step> = STEPS.iter().filter(is_wanted).collect();
    if arguments.list {
        for step in &steps {
            println!("{}", step.name);
        }
        return Ok(());
    }
    if steps.is_empty() {
        bail!("no step is called {}", arguments.steps.join(" or "));
    }
    let mut run = if arguments.all { Run::all(Duration::from_secs(60 * arguments.minutes))? } else { Run::change()? };
    run.compiles_packages = arguments.verify_packages;
    eprintln!("ci: {}", run.scope.describe());
    let drawn = if arguments.all || !arguments.steps.is_empty() { steps } else { draw(steps, &run)? };
    let mut ended = Vec::new();
    for step in drawn {
        if !run.may_begin(step.name) {
            continue;
        }
        eprintln!("\n==== {} ====", step.name);
        let started = Instant::now();
        let error = (step.run)(&run).err().map(|error| format!("{error:#}"));
        let took = started.elapsed();
        match &error {
            Some(error) => eprintln!("{} failed: {error}", step.name),
            None => run.passed(step.name, took),
        }
        let word = if error.is_none() { "passed" } else { "FAILED" };
        eprintln!("==== {}: {word} in {:.1} s", step.name, took.as_secs_f64());
        ended.push(Ended { name: step.name, took, error });
    }
    summary(&ended, &run, arguments.steps.is_empty())
}

/// The steps of each change, and those of the others that are near the change or drawn by it, while there is time for them.
fn draw<'a>(steps: Vec<&'a Step>, run: &Run) -> Result<Vec<&'a Step>> {
    let kept = times::Times::kept()?.unwrap_or_default();
    let mut others: Vec<(Nearness, u64, &Step)> = Vec::new();
    for step in &steps {
        if let When::Drawn(packages) = step.when {
            // What merely depends on a change is drawn like the rest: nearly every change is below the program.
            let near = match run.scope.nearest(packages) {
                Nearness::Changed => Nearness::Changed,
                Nearness::Dependent | Nearness::Rest => Nearness::Rest,
            };
            others.push((near, run.scope.draw(step.name), step));
        }
    }
    others.sort_by_key(|(near, draw, _)| (*near, *draw));
    let mut left = DRAWN_SECONDS;
    let mut chosen: Vec<&str> = Vec::new();
    for (_, _, step) in others {
        let expected = kept.steps.get(step.name).copied().unwrap_or(UNKNOWN_SECONDS);
        if expected <= left {
            left -= expected;
            chosen.push(step.name);
        } else {
            eprintln!("ci: left for `cargo xtask ci --all`: {}", step.name);
        }
    }
    let is_chosen = |step: &&Step| matches!(step.when, When::Always) || chosen.contains(&step.name);
    Ok(steps.into_iter().filter(is_chosen).collect())
}

/// Prints the times, then every failure again; an error where an item failed, a package takes much longer than before, or a whole run is
/// not finished.
fn summary(ended: &[Ended], run: &Run, is_whole: bool) -> Result<()> {
    let total: Duration = ended.iter().map(|step| step.took).sum();
    let steps = ended.iter().map(|step| (step.name.to_owned(), step.took.as_secs_f64())).collect();
    let times = run.times(steps, |name| STEPS.iter().any(|step| step.name == name))?;
    eprintln!("\n{}", times.tables());
    eprintln!("==== {} steps in {:.1} minutes", ended.len(), total.as_secs_f64() / 60.0);
    let mut failed: Vec<&str> = Vec::new();
    for step in ended {
        if let Some(error) = &step.error {
            eprintln!("\n==== {} failed: {error}", step.name);
            failed.push(step.name);
        }
    }
    let grown = times::Times::kept()?.map(|kept| times.grown(&kept)).unwrap_or_default();
    for growth in &grown {
        eprintln!("==== {growth}");
    }
    if !grown.is_empty() {
        failed.push("times");
    }
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    run.finish(&times, is_whole)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Ended, Run, summary};

    #[test]
    fn one_failure_fails_the_whole() {
        let took = Duration::from_secs(1);
        let wrong = || Some("why".to_owned());
        let run = Run::everything();
        assert!(
            summary(&[Ended { name: "a", took, error: None }, Ended { name: "b", took, error: None }], &run, false)
                .is_ok()
        );
        let ended = [
            Ended { name: "a", took, error: wrong() },
            Ended { name: "b", took, error: None },
            Ended { name: "c", took, error: wrong() },
        ];
        assert_eq!(summary(&ended, &run, false).unwrap_err().to_string(), "failed: a, c");
    }
}
