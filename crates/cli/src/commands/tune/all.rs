//! `tune all`: measures many shapes, and compares the default plan of each with the best one.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::PossibleValuesParser;
use manycore::model::machine::Seconds;
use manycore::operation::Explained;
use manycore::{Device, DeviceKind, TuningMode};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::standard::Shape;
use super::{builders, listed, standard};
use crate::commands::choice::{self, Chosen};
use crate::error::Error;
use crate::global::Global;
use crate::label::label;
use crate::output::{self, Report};
use crate::progress;

/// A default may take so much longer than the best candidate.
const MOST_OVER_BEST: f64 = 1.15;
/// The part of the time that is given to processes that build kernels.
const BUILDING: f64 = 0.6;

/// The arguments of `tune all`.
#[derive(Debug, Args)]
pub struct All {
    /// The least size is 2^LOG
    #[arg(long, value_name = "LOG", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=40))]
    pub from: u32,

    /// The largest size is 2^LOG
    #[arg(long, value_name = "LOG", default_value_t = 24, value_parser = clap::value_parser!(u32).range(0..=40))]
    pub to: u32,

    /// Only these operations
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = PossibleValuesParser::new(choice::names()))]
    pub only: Vec<String>,

    /// The standard shapes, whose choices ship with the library
    #[arg(long, conflicts_with_all = ["from", "to"])]
    pub standard: bool,

    /// Begin no new shape after N minutes; a later run skips shapes that are measured
    #[arg(long, value_name = "N", value_parser = minutes)]
    pub minutes: Option<f64>,

    /// Number of processes that build the kernels of standard shapes before measurements begin
    #[arg(long, value_name = "N", default_value_t = 1, requires = "standard")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: u32,

    /// Build the kernels of this family of standard shapes, and measure nothing.
    #[arg(long, hide = true, requires = "standard")]
    pub build: Option<usize>,
}

fn minutes(text: &str) -> Result<f64, String> {
    let minutes = text.parse().ok().filter(|minutes| (0.0..=1e6).contains(minutes));
    minutes.ok_or_else(|| format!("{text}: no number of minutes"))
}

/// The JSON form of the choice of one shape.
#[derive(Debug, Default, Serialize)]
struct Tuned {
    operation: &'static str,
    shape: Map<String, Value>,
    /// The chosen candidate; `None` where there is none.
    chosen: Option<String>,
    /// Its time in seconds, where it was measured.
    seconds: Option<f64>,
    /// Where the choice comes from.
    chosen_by: Option<String>,
    /// Seconds of what is taken where nothing is measured, over those of the choice.
    default_over_best: Option<f64>,
    /// Why there is no choice.
    left_out: Option<String>,
}

impl Tuned {
    fn of(operation: &Chosen, explained: Explained) -> Self {
        let Explained { mut parameters, rows, default_over_best, .. } = explained;
        parameters.remove("operation");
        let best = rows.into_iter().next();
        Self {
            operation: operation.name(),
            shape: parameters,
            seconds: best.as_ref().and_then(|row| row.measured_seconds),
            chosen_by: best.as_ref().and_then(|row| row.chosen_by.clone()),
            chosen: best.map(|row| row.parameters),
            default_over_best,
            left_out: None,
        }
    }

    fn left_out(operation: &Chosen, shape: Map<String, Value>, why: &Error) -> Self {
        let left_out = Some(why.to_string());
        Self { operation: operation.name(), shape, left_out, ..Self::default() }
    }
}

/// The requested shapes, by families.
fn families(arguments: &All, device: &Device) -> Result<Vec<listed::Family>, Error> {
    let &All { from, to, ref only, .. } = arguments;
    let info = device.info();
    let mut families =
        if arguments.standard { listed::families(info.kind)? } else { vec![standard::shapes(from..=to, info.fp64)] };
    for family in &mut families {
        family.retain(|shape| only.is_empty() || only.iter().any(|name| name == shape.operation.name()));
    }
    Ok(families)
}

/// Tunes many shapes. One that a device refuses is left out, unless it refuses all.
///
/// # Errors
/// As `tune`.
pub(super) fn run(arguments: &All, device: &Device, global: &Global) -> Result<(), Error> {
    let started = Instant::now();
    let families = families(arguments, device)?;
    if let Some(family) = arguments.build {
        let building = device.with_tuning(TuningMode::Build);
        // A shape that the device refuses is reported when it is to be measured.
        families.iter().skip(family).take(1).flatten().for_each(|shape| drop(shape.operation.explain(&building)));
        return Ok(());
    }
    let &All { from, to, standard, jobs, minutes, .. } = arguments;
    if families.iter().all(Vec::is_empty) {
        return Err(Error::Usage(format!("--from {from} --to {to}: no shape of these sizes")));
    }
    let limit = minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes));
    if jobs > 1 && device.info().kind != DeviceKind::Host {
        progress::step("building kernels");
        let wanted: Vec<usize> = (0..families.len()).filter(|&i| !families[i].is_empty()).collect();
        builders::run(device, &wanted, jobs as usize, limit.map(|limit| started + limit.mul_f64(BUILDING)))?;
    }
    let is_over = || limit.is_some_and(|limit| started.elapsed() >= limit);
    let count = families.iter().map(Vec::len).sum::<usize>();
    let (mut tuned, mut refusal) = (Vec::new(), None);
    for (i, Shape { operation, told }) in families.into_iter().flatten().enumerate().take_while(|_| !is_over()) {
        progress::step(format!("{} of {count}: {} {}", i + 1, operation.name(), words(&told)));
        match operation.measured(device) {
            Ok(explained) => tuned.push(Tuned::of(&operation, explained)),
            Err(error) => {
                tuned.push(Tuned::left_out(&operation, told, &error));
                refusal = Some(error);
            }
        }
    }
    if let Some(error) = refusal.filter(|_| tuned.iter().all(|one| one.left_out.is_some())) {
        return Err(error);
    }
    if !global.json {
        let text = table(&tuned) + &if standard { verdict(&tuned, count) } else { String::new() };
        return output::write(global, |out| out.write_all(text.as_bytes()));
    }
    let shapes =
        if standard { json!({ "standard": true, "shapes": count }) } else { json!({ "from": from, "to": to }) };
    let report = Report { device: Some(label(device)), ..Report::new("tune all", shapes, tuned) };
    output::write_report(global, &report)
}

/// The number of defaults near the best plan, and the defaults farthest from it.
fn verdict(tuned: &[Tuned], count: usize) -> String {
    let mut judged: Vec<(f64, &Tuned)> = tuned.iter().filter_map(|one| Some((one.default_over_best?, one))).collect();
    judged.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near = judged.iter().filter(|(over, _)| *over <= MOST_OVER_BEST).count();
    let percent = 100.0 * (MOST_OVER_BEST - 1.0);
    let mut text = format!("{near} of {} defaults within {percent:.0} % of the best", judged.len());
    if let Some((over, worst)) = judged.first() {
        let _ = write!(text, "; the farthest: {over:.2}, {} {}", worst.operation, words(&worst.shape));
    }
    if tuned.len() < count {
        let _ = write!(text, "; {} of {count} shapes are left for another run", count - tuned.len());
    }
    text + "\n"
}

/// A shape in words, such as `n 2^20, batch 1, type f32`.
fn words(shape: &Map<String, Value>) -> String {
    fn value(told: &Value) -> String {
        match told {
            Value::Number(number) => match number.as_u64() {
                Some(n) if n.is_power_of_two() && n >= 1024 => format!("2^{}", n.ilog2()),
                _ => number.to_string(),
            },
            Value::String(text) => text.clone(),
            Value::Array(factors) => match factors.as_slice() {
                [one] => value(one),
                [first, ..] if factors.iter().all(|factor| factor == first) => format!("{first}^{}", factors.len()),
                _ => factors.iter().map(value).collect::<Vec<_>>().join(","),
            },
            other => other.to_string(),
        }
    }
    let words = shape.iter().filter(|(_, told)| !told.is_null()).map(|(key, told)| format!("{key} {}", value(told)));
    words.collect::<Vec<_>>().join(", ")
}

/// The choices, one a line: the seconds, and those of the default over them.
fn table(tuned: &[Tuned]) -> String {
    let mut text = String::new();
    let shapes: Vec<String> = tuned.iter().map(|one| words(&one.shape)).collect();
    let width = shapes.iter().map(|shape| shape.chars().count()).max().unwrap_or(0);
    for (shape, one) in shapes.iter().zip(tuned) {
        let Tuned { operation, chosen, seconds, chosen_by, default_over_best, left_out, .. } = one;
        let _ = match (chosen, left_out) {
            (Some(chosen), _) => {
                let time = seconds.map_or("-".to_owned(), |seconds| Seconds(seconds).to_string());
                let by = chosen_by.as_deref().unwrap_or("-");
                let over = default_over_best.map_or("-".to_owned(), |over| format!("{over:.2}"));
                writeln!(text, "{operation:<16}  {shape:<width$}  {time:>10}  {over:>5}  {by:<9}  {chosen}")
            }
            (None, why) => {
                let why = why.as_deref().unwrap_or("no candidate");
                writeln!(text, "{operation:<16}  {shape:<width$}  left out: {why}")
            }
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_told_in_words() {
        let words = |shape: Value| words(shape.as_object().unwrap());
        let shape = json!({ "batch": 1, "group": [3, 3, 3], "modulus": null, "n": 1 << 20, "type": "f32" });
        assert_eq!(words(shape), "batch 1, group 3^3, n 2^20, type f32");
        assert_eq!(words(json!({ "group": [4096] })), "group 2^12");
        assert_eq!(words(json!({ "group": [6, 4] })), "group 6,4");
    }

    #[test]
    fn choices_and_refusals_have_their_lines() {
        let line = |chosen: Option<&str>, left_out: Option<&str>| Tuned {
            operation: "walsh",
            shape: json!({ "n": 1024 }).as_object().unwrap().clone(),
            chosen: chosen.map(str::to_owned),
            seconds: Some(2e-6),
            chosen_by: Some("measured".into()),
            default_over_best: Some(1.5),
            left_out: left_out.map(str::to_owned),
        };
        let text = table(&[line(Some("tile 10"), None), line(None, Some("no f64"))]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].contains("n 2^10") && lines[0].ends_with("tile 10"), "{text}");
        assert!(lines[1].ends_with("left out: no f64"), "{text}");
    }

    #[test]
    fn defaults_are_judged_by_what_they_take_over_the_best() {
        let one = |n: u64, over: Option<f64>| Tuned {
            operation: "ntt",
            shape: json!({ "n": n }).as_object().unwrap().clone(),
            default_over_best: over,
            ..Tuned::default()
        };
        let tuned = [one(1024, Some(1.1)), one(2048, Some(3.0)), one(4096, None)];
        let text = verdict(&tuned, 5);
        assert_eq!(
            text,
            "1 of 2 defaults within 15 % of the best; the farthest: 3.00, ntt n 2^11; 2 of 5 shapes are left for another run\n"
        );
        assert_eq!(verdict(&[], 0), "0 of 0 defaults within 15 % of the best\n");
    }
}
