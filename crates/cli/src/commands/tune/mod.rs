//! `manycore tune`: measures the candidates of operations on a device, and keeps the choices.

mod standard;

use std::fmt::Write as _;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use manycore::model::machine::Seconds;
use manycore::{Device, DeviceKind, tuning};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::choice::{Explained, Operation};
use super::{label, refuse_json};
use crate::arguments::Global;
use crate::error::Error;
use crate::output::{self, Report};
use crate::progress::Progress;

/// What to tune.
#[derive(Debug, Subcommand)]
pub enum Tune {
    /// Tune common shapes of every operation
    All(All),
    /// Print what is kept for the device, in the form of the files that ship with the library
    Export,
    /// One operation
    #[command(flatten)]
    One(Operation),
}

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
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = PossibleValuesParser::new(Operation::NAMES))]
    pub only: Vec<String>,
}

/// What `--help` says first.
pub(crate) const LONG_ABOUT: &str = "\
Measure the candidates of operations on a device, and keep the choices

The algorithms and parameters that an operation has for a shape are timed as a user would wait for them, those that the model's \
estimate leaves in the running; the fastest is kept in the user's cache folder (or the folder that MANYCORE_CACHE names) for this \
device with this driver and this version of the code. Later runs take it. What was kept before is not measured again. On a GPU \
each candidate's kernels are built first, which takes most of the time.

Processors through OpenCL are not tuned: there the estimate decides.";

/// What `--help` says last.
pub(crate) const AFTER_HELP: &str = "\
The variable MANYCORE_TUNING says how every command chooses: estimate (by the model alone), kept (what was kept or ships with the \
library, else the estimate; the default) or measure (as kept, and what is not known is measured and kept).

Examples:
  manycore tune walsh --n 2^20 --type f64
  manycore tune all --only ntt,poly-mul --from 12 --to 20
  manycore tune export -o this-device.json";

/// Measures what was asked for, or prints what is kept.
///
/// # Errors
/// [`Error::Usage`] for a device that is not tuned, a size that an operation does not have, and where nothing is kept;
/// [`Error::Device`], [`Error::Output`], and errors of the operation.
pub fn run(tune: &Tune, global: &Global) -> Result<(), Error> {
    let device = Device::select(&global.device)?.tuned();
    let info = device.info();
    if info.kind == DeviceKind::Cpu {
        let device = label(&device);
        return Err(Error::Usage(format!(
            "{device}: a processor through OpenCL is not tuned, the model's estimate decides there; \
             --device host tunes the library's own code for the processor"
        )));
    }
    match tune {
        Tune::One(operation) => one(operation, &device, global),
        Tune::All(arguments) => all(arguments, &device, global),
        Tune::Export => export(&device, global),
    }
}

/// Tunes one shape of an operation, and prints its candidates.
fn one(operation: &Operation, device: &Device, global: &Global) -> Result<(), Error> {
    let progress = Progress::new(global.quiet);
    progress.step(format!("measuring {} on {}", operation.name(), label(device)));
    let explained = measured(operation, device)?;
    drop(progress);
    explained.write("tune", device, global)
}

/// The choice of one shape, which is measured where it was not known.
fn measured(operation: &Operation, device: &Device) -> Result<Explained, Error> {
    let explained = operation.explain(device)?;
    if explained.is_unmeasured() {
        return Err(Error::Unmeasured { operation: operation.name(), device: label(device) });
    }
    Ok(explained)
}

/// The choice of one shape, as the JSON form has it.
#[derive(Debug, Serialize)]
struct Tuned {
    operation: &'static str,
    shape: Map<String, Value>,
    /// The chosen candidate; `None` where there is none.
    chosen: Option<String>,
    /// Its time in seconds, where it was measured.
    seconds: Option<f64>,
    /// Where the choice comes from.
    chosen_by: Option<String>,
    /// Why there is no choice.
    left_out: Option<String>,
}

impl Tuned {
    fn of(operation: &Operation, explained: Explained) -> Self {
        let Explained { mut parameters, rows, .. } = explained;
        parameters.remove("operation");
        let best = rows.into_iter().next();
        Self {
            operation: operation.name(),
            shape: parameters,
            seconds: best.as_ref().and_then(|row| row.measured_seconds),
            chosen_by: best.as_ref().and_then(|row| row.chosen_by.clone()),
            chosen: best.map(|row| row.parameters),
            left_out: None,
        }
    }

    fn left_out(operation: &Operation, shape: Map<String, Value>, why: &Error) -> Self {
        let left_out = Some(why.to_string());
        Self { operation: operation.name(), shape, chosen: None, seconds: None, chosen_by: None, left_out }
    }
}

/// Tunes the standard shapes. One that a device refuses is left out, unless it refuses all.
fn all(arguments: &All, device: &Device, global: &Global) -> Result<(), Error> {
    let &All { from, to, ref only } = arguments;
    let mut shapes = standard::shapes(from..=to, device.info().fp64);
    shapes.retain(|shape| only.is_empty() || only.iter().any(|name| name == shape.operation.name()));
    if shapes.is_empty() {
        return Err(Error::Usage(format!("--from {from} --to {to}: no shape of these sizes")));
    }
    let progress = Progress::new(global.quiet);
    let (count, mut tuned, mut refusal) = (shapes.len(), Vec::new(), None);
    for (i, standard::Shape { operation, told }) in shapes.into_iter().enumerate() {
        progress.step(format!("{} of {count}: {} {}", i + 1, operation.name(), words(&told)));
        match measured(&operation, device) {
            Ok(explained) => tuned.push(Tuned::of(&operation, explained)),
            Err(error) => {
                tuned.push(Tuned::left_out(&operation, told, &error));
                refusal = Some(error);
            }
        }
    }
    drop(progress);
    if let Some(error) = refusal.filter(|_| tuned.iter().all(|one| one.left_out.is_some())) {
        return Err(error);
    }
    if !global.json {
        let text = table(&tuned);
        return output::write(global, |out| out.write_all(text.as_bytes()));
    }
    let report =
        Report { device: Some(label(device)), ..Report::new("tune all", json!({ "from": from, "to": to }), tuned) };
    output::write_report(global, &report)
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

/// The choices, one a line.
fn table(tuned: &[Tuned]) -> String {
    let mut text = String::new();
    let shapes: Vec<String> = tuned.iter().map(|one| words(&one.shape)).collect();
    let width = shapes.iter().map(|shape| shape.chars().count()).max().unwrap_or(0);
    for (shape, Tuned { operation, chosen, seconds, chosen_by, left_out, .. }) in shapes.iter().zip(tuned) {
        let _ = match (chosen, left_out) {
            (Some(chosen), _) => {
                let time = seconds.map_or("-".to_owned(), |seconds| Seconds(seconds).to_string());
                let by = chosen_by.as_deref().unwrap_or("-");
                writeln!(text, "{operation:<16}  {shape:<width$}  {time:>10}  {by:<9}  {chosen}")
            }
            (None, why) => {
                let why = why.as_deref().unwrap_or("no candidate");
                writeln!(text, "{operation:<16}  {shape:<width$}  left out: {why}")
            }
        };
    }
    text
}

/// Prints what is kept for the device.
fn export(device: &Device, global: &Global) -> Result<(), Error> {
    refuse_json(global, "tune export")?;
    let nothing = || Error::Usage(format!("nothing is kept for {}: `manycore tune all` measures", label(device)));
    let text = tuning::export(device).ok_or_else(nothing)?;
    output::write(global, |out| out.write_all(text.as_bytes()))
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
            left_out: left_out.map(str::to_owned),
        };
        let text = table(&[line(Some("tile 10"), None), line(None, Some("no f64"))]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].contains("n 2^10") && lines[0].ends_with("tile 10"), "{text}");
        assert!(lines[1].ends_with("left out: no f64"), "{text}");
    }
}
