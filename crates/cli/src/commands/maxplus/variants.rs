//! `manycore maxplus variants`: Monte Carlo of schedules.

use std::path::PathBuf;

use clap::Args;
use manycore::maxplus::MaxPlusError;
use manycore::maxplus::project::{Project, Task, Variants, VariantsReport};
use manycore::verify::{CheckError, Outcome, Passed};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::schedule::{of_project, read};
use crate::arguments::{Global, positive};
use crate::commands::label;
use crate::commands::several::one;
use crate::error::Error;
use crate::input;
use crate::output::{self, Report};
use crate::progress;
use crate::shard::{self, Shards, Split};
use crate::verification::verified;

/// What `--help` says first.
pub(super) const ABOUT: &str = "\
Schedules of many variants of a project's durations: distribution of the length, how often tasks are critical

Each variant draws the duration of every task evenly between the planned one less and more --spread percent of it, to a whole number; \
--seed makes the same variants again. Every variant is scheduled exactly, on the device. Written as the mean length and its quantiles, \
and a task a line: number, name, and in how many variants it is critical.";

/// What `--help` says last.
pub(super) const HELP: &str = "\
A project is a file as for `maxplus schedule`, whose links lead forward.

--verify schedules every variant once more on the host, one by one. No wrong length or count passes.

--shard splits the variants: each draws from a generator of its own, so that the shards have those of one run.

Examples:
  manycore maxplus variants j301_1.sm --count 10000 --spread 30
  manycore maxplus variants plan.csv --seed 7 --json";

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The project
    pub project: PathBuf,

    /// The number of variants
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = positive::<u32>)]
    pub count: u32,

    /// Largest deviation of a duration, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub spread: u32,
}

/// Parts of the variants whose lengths are told, in percent.
const QUANTILES: [u32; 7] = [0, 5, 25, 50, 75, 95, 100];

/// The seed where none is given.
const SEED: u64 = 1;

/// A part of the variants, as shards have it.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    names: Vec<String>,
    lengths: Vec<i64>,
    critical: Vec<u64>,
}

impl Split for Arguments {
    fn seed(&self, global: &Global) -> Option<u64> {
        Some(global.seed.unwrap_or(SEED))
    }

    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let merged = shards.decode::<Part>()?;
        let names = merged.parts.first().map(|part| part.names.clone()).unwrap_or_default();
        let part = |part: &Part| VariantsReport::new(part.lengths.clone(), part.critical.clone());
        let variants = VariantsReport::of_parts(&merged.parts.iter().map(part).collect::<Vec<_>>())?;
        if variants.lengths().len() as u64 != shards.items() || variants.critical().len() != names.len() {
            return Err(shards
                .damaged("the parts are not of as many variants and tasks as they tell".to_owned())
                .into());
        }
        let seed = shards.seed().unwrap_or(SEED);
        let report = merged.report(Report::new(COMMAND, self.parameters(seed), variants), global.verify)?;
        write(&names, report, global)
    }
}

/// The command, as reports name it.
const COMMAND: &str = "maxplus variants";

impl Arguments {
    fn parameters(&self, seed: u64) -> serde_json::Value {
        json!({ "count": self.count, "spread": self.spread, "seed": seed })
    }
}

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    let Some(range) = shard::range(global, arguments.count as usize) else { return shard::write_empty(global) };
    let device = one(global)?;
    progress::step(format!("reading {}", input::name(&arguments.project)));
    let project = read(&arguments.project)?;
    let spread = f64::from(arguments.spread) / 100.0;
    let draw = |task: usize, unit: f64| {
        let planned = project.tasks()[task].duration as f64;
        (planned * (1.0 + spread * (2.0 * unit - 1.0))).round() as i64
    };
    let seed = global.seed.unwrap_or(SEED);
    let range = range.start as u64..range.end as u64;
    let variants = Variants::drawn_of(project.tasks().len(), range, seed, draw)?;
    progress::compute(format!("scheduling variants on {}", label(&device)));
    let (made, profile) = device.profile(|| project.schedule_variants(&device, &variants))?;
    let report = made.map_err(|error| of_project(error, &arguments.project, &project))?;
    let verification = if global.verify {
        progress::step("verifying");
        Some(verified(check(&project, &variants, &report)?, &device)?)
    } else {
        None
    };
    let names: Vec<String> = project.tasks().iter().map(|task| task.name.clone()).collect();
    let report =
        Report::new(COMMAND, arguments.parameters(seed), report).of_run(&device, (&profile).into(), verification);
    if shard::is_on(global) {
        let (lengths, critical) = (report.result.lengths().to_vec(), report.result.critical().to_vec());
        return shard::write(global, &report, &Part { names, lengths, critical });
    }
    write(&names, report, global)
}

/// Writes what the variants of a project of these tasks give.
fn write(names: &[String], report: Report<VariantsReport>, global: &Global) -> Result<(), Error> {
    let of_all = &report.result;
    let quantiles: Vec<(u32, Option<i64>)> =
        QUANTILES.iter().map(|&percent| (percent, of_all.quantile(f64::from(percent) / 100.0))).collect();
    if global.json {
        let quantiles: Vec<_> =
            quantiles.iter().map(|(percent, length)| json!({ "percent": percent, "length": length })).collect();
        let result = json!({ "mean": of_all.mean(), "quantiles": quantiles, "critical": of_all.critical() });
        return output::write_report(global, &report.with(result));
    }
    output::write(global, |out| {
        let Some(mean) = of_all.mean() else { return writeln!(out, "no variants") };
        writeln!(out, "mean length {mean}")?;
        for (percent, length) in quantiles.iter().filter_map(|(percent, length)| Some((percent, (*length)?))) {
            match percent {
                0 => writeln!(out, "the shortest takes {length}")?,
                100 => writeln!(out, "the longest takes {length}")?,
                _ => writeln!(out, "{percent} percent of the variants take at most {length}")?,
            }
        }
        names
            .iter()
            .zip(of_all.critical())
            .enumerate()
            .try_for_each(|(task, (name, count))| writeln!(out, "{task} {} {count}", manycore::files::shown(name)))
    })
}

/// Every variant by itself.
fn check(project: &Project, variants: &Variants, report: &VariantsReport) -> Result<Outcome, Error> {
    let mut critical = vec![0u64; project.tasks().len()];
    for variant in 0..variants.count() {
        let duration = |task: usize| variants.duration(task, variant).unwrap_or_default();
        let tasks = project.tasks().iter().enumerate();
        let tasks = tasks.map(|(task, of)| Task { duration: duration(task), ..of.clone() }).collect();
        let schedule = Project::new(tasks, project.links().to_vec()).and_then(|own| own.schedule());
        let schedule = schedule.map_err(|error: MaxPlusError| Error::MaxPlus(error))?;
        if report.lengths().get(variant) != Some(&schedule.length()) {
            let found = report.lengths().get(variant).map_or("none".to_owned(), i64::to_string);
            let expected = schedule.length().to_string();
            return Ok(Err(CheckError::Value { run: 0, index: variant, found, expected }));
        }
        schedule.critical().iter().for_each(|&task| critical[task as usize] += 1);
    }
    if let Some(index) = (0..critical.len()).find(|&task| report.critical()[task] != critical[task]) {
        let (found, expected) = (report.critical()[index].to_string(), critical[index].to_string());
        return Ok(Err(CheckError::Value { run: 1, index, found, expected }));
    }
    Ok(Ok(Passed::by_second_computation("second computation of every variant by itself")))
}
