//! Schedules of many variants of a project: Monte Carlo.

use std::ops::Range;

use manycore_device::DeviceSet;
use manycore_files::shown;
use manycore_operation::json::{Json, integer};
use manycore_operation::verify::{CheckError, Outcome, Passed};
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, Files, Job, Operation, OperationError, OptionKind,
    Range as Numbers, Splits, Value, unmade,
};
use serde_json::json;

use super::project::{PROJECT, of_project, read};
use crate::error::MaxPlusError;
use crate::project::{Project, Task, Variants as Drawn, VariantsReport};

const DECLARATION: Declaration = Declaration {
    name: "maxplus variants",
    title: "Schedules of many variants of a project's durations: distribution of the length, how often tasks are critical",
    about: "\
Schedules of many variants of a project's durations: distribution of the length, how often tasks are critical

Each variant draws the duration of every task evenly between the planned one less and more --spread percent of it, to a whole number; \
--seed makes the same variants again. Every variant is scheduled exactly, on the device. Written as the mean length and its quantiles, \
and a task a line: number, name, and in how many variants it is critical.",
    help: "\
A project is a file as for `maxplus schedule`, whose links lead forward.

--verify schedules every variant once more on the host, one by one. No wrong length or count passes.

--shard splits the variants: each draws from a generator of its own, so that the shards have those of one run.

Examples:
  manycore maxplus variants j301_1.sm --count 10000 --spread 30
  manycore maxplus variants plan.csv --seed 7 --json",
    step: "scheduling variants",
    inputs: PROJECT,
    options: &[
        DeclaredOption {
            value: OptionKind::Count {
                value_name: "N",
                range: Numbers::PositiveShort,
                is_required: false,
                default: Some(1000),
            },
            ..DeclaredOption::flag("count", "The number of variants")
        },
        DeclaredOption {
            value: OptionKind::Count {
                value_name: "PERCENT",
                range: Numbers::Within(0, 100),
                is_required: false,
                default: Some(20),
            },
            ..DeclaredOption::flag("spread", "Largest deviation of a duration, in percent")
        },
    ],
    no_array: Some("a report of variants"),
    splits: Some(Splits::Own),
    seed: Some(1),
    ..Declaration::BASE
};

/// The quantiles of the lengths of variants in the report, in percent.
const QUANTILES: [u32; 7] = [0, 5, 25, 50, 75, 95, 100];

/// The operation.
pub(super) struct Variants;

impl Operation for Variants {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let count = arguments.number("count").unwrap_or_default();
        let spread = arguments.number("spread").unwrap_or_default();
        let range = files.part(usize::try_from(count).unwrap_or(usize::MAX));
        let (is_part, project, file) = (files.is_part(), read(files)?, files.name(0));
        Ok(Box::new(Sampling { project, file, count, spread, range, is_part, made: None }))
    }
}

/// A call.
struct Sampling {
    project: Project,
    file: String,
    count: u64,
    spread: u64,
    /// The variants that are scheduled here.
    range: Range<usize>,
    is_part: bool,
    made: Option<(Drawn, VariantsReport)>,
}

impl Job for Sampling {
    fn compute(&mut self, devices: &DeviceSet, seed: u64) -> Result<(), OperationError> {
        let spread = self.spread as f64 / 100.0;
        let tasks = self.project.tasks();
        let draw = |task: usize, unit: f64| {
            let planned = tasks.get(task).map_or(0, |task| task.duration) as f64;
            (planned * (1.0 + spread * (2.0 * unit - 1.0))).round() as i64
        };
        let range = self.range.start as u64..self.range.end as u64;
        let drawn = Drawn::drawn_of(tasks.len(), range, seed, draw)?;
        let report = self.project.schedule_variants(&devices.devices()[0], &drawn);
        let report = report.map_err(|error| of_project(error, &self.file, &self.project))?;
        self.made = Some((drawn, report));
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let (drawn, report) = self.made.as_ref().ok_or_else(unmade)?;
        Ok(check(&self.project, drawn, report)??)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { project, count, spread, is_part, made, .. } = *self;
        let Some((_, report)) = made else { return Answer::of(Value::None) };
        let names: Vec<String> = project.tasks().iter().map(|task| task.name.clone()).collect();
        let value = if is_part {
            let (lengths, critical) = (report.lengths(), report.critical());
            Value::Shown {
                text: String::new(),
                json: json!({ "names": names, "lengths": lengths, "critical": critical }),
            }
        } else {
            variants(&names, &report)
        };
        Answer { is_random: true, ..Answer::of(value) }.with("count", count).with("spread", spread)
    }
}

/// What the variants of a project of these tasks give, as a result.
pub fn variants(names: &[String], report: &VariantsReport) -> Value {
    let quantile = |percent: u32| (percent, report.quantile(f64::from(percent) / 100.0));
    let quantiles = QUANTILES.map(quantile);
    let told = |(percent, length): (u32, Option<i64>)| json!({ "percent": percent, "length": length.map(integer) });
    let critical: Vec<Json> = report.critical().iter().map(|&count| integer(count)).collect();
    let json = json!({ "mean": report.mean(), "quantiles": quantiles.map(told), "critical": critical });
    let Some(mean) = report.mean() else { return Value::Shown { text: "no variants\n".to_owned(), json } };
    let mut text = format!("mean length {mean}\n");
    for (percent, length) in quantiles.into_iter().filter_map(|(percent, length)| Some((percent, length?))) {
        text.extend([match percent {
            0 => format!("the shortest takes {length}\n"),
            100 => format!("the longest takes {length}\n"),
            _ => format!("{percent} percent of the variants take at most {length}\n"),
        }]);
    }
    for (task, (name, count)) in names.iter().zip(report.critical()).enumerate() {
        text.extend([format!("{task} {} {count}\n", shown(name))]);
    }
    Value::Shown { text, json }
}

/// Checks the variants one by one.
fn check(project: &Project, variants: &Drawn, report: &VariantsReport) -> Result<Outcome, MaxPlusError> {
    let mut critical = vec![0u64; project.tasks().len()];
    for variant in 0..variants.count() {
        let duration = |task: usize| variants.duration(task, variant).unwrap_or_default();
        let tasks = project.tasks().iter().enumerate();
        let tasks = tasks.map(|(task, of)| Task { duration: duration(task), ..of.clone() }).collect();
        let schedule = Project::new(tasks, project.links().to_vec()).and_then(|own| own.schedule())?;
        if report.lengths().get(variant) != Some(&schedule.length()) {
            let found = report.lengths().get(variant).map_or("none".to_owned(), i64::to_string);
            let expected = schedule.length().to_string();
            return Ok(Err(CheckError::Value { run: 0, index: variant, found, expected }));
        }
        schedule.critical().iter().for_each(|&task| critical[task as usize] += 1);
    }
    if report.critical().len() != critical.len() {
        return Ok(Err(CheckError::Length { found: report.critical().len(), expected: critical.len() }));
    }
    if let Some((index, (found, expected))) =
        report.critical().iter().zip(&critical).enumerate().find(|(_, (found, expected))| found != expected)
    {
        let (found, expected) = (found.to_string(), expected.to_string());
        return Ok(Err(CheckError::Value { run: 1, index, found, expected }));
    }
    Ok(Ok(Passed::by_second_computation("second computation of every variant by itself")))
}
