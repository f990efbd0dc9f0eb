//! The frame of an operation: its input is read, a device computes, the result is checked and written.

use std::io;
use std::path::Path;
use std::time::Instant;

use manycore::Device;
use manycore::operation::{Answer, DeviceUse, Flow, OperationError, Value, Writing};
use manycore::verify::{Passed, SplitMix};
use serde_json::{Map, Value as Json};

use super::beside::Beside;
use super::called::Called;
use super::files::Opened;
use super::forms;
use super::write::write;
use crate::commands::auto::{ByJob, is_auto};
use crate::commands::choice::Chosen;
use crate::commands::several::{Asked, Devices, Wanted, one};
use crate::error::Error;
use crate::global::Global;
use crate::label::label;
use crate::message;
use crate::output::{self, JsonInteger, Report, Spent};
use crate::progress;
use crate::shard;
use crate::verification::{Verification, announce, failed};

/// Does an operation.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(crate) fn run(called: &Called, global: &Global) -> Result<(), Error> {
    if let (Some(turn), Some(own)) = (shard::turn(global), forms::of(called))
        && let Some(written) = own.write_part(global, turn)
    {
        return written;
    }
    called.fits()?;
    if called.declaration().is_page {
        output::refuse_json(global, called.declaration().name)?;
    }
    output::check_form(global)?;
    let beside = Beside::of(called, global)?;
    let (operation, declaration) = (called.operation, called.declaration());
    let asked = match declaration.device {
        DeviceUse::Unused => None,
        _ if operation.is_shared(&called.arguments) => Some(Asked::new(global)?),
        _ => Some(Asked::One(Wanted::new(global)?)),
    };
    let paths = called.paths();
    let mut files = Opened::new(called, global);
    let job = operation.read(&called.arguments, &mut files);
    if files.is_without_part {
        return shard::write_empty(global);
    }
    let mut job = job.map_err(|error| Error::of_operation(error, &paths))?;
    if !job.is_shared() && matches!(asked, Some(Asked::Several(_))) {
        one(global)?;
    }
    let devices = match asked.filter(|_| !job.is_on_host()) {
        None => Device::host().into(),
        Some(asked) => {
            let task = if is_auto(&global.device) { job.task().and_then(|task| Chosen::of_task(&task)) } else { None };
            match task {
                Some(task) => asked.devices(Some(&task)),
                None => asked.devices(Some(&ByJob(&*job))),
            }
        }
    };
    if let (false, Some(flow)) = (global.json || shard::is_on(global), job.flow()) {
        progress::compute(format!("{} on {}", declaration.step, label(&devices)));
        return write_flow(flow, global, &devices, &paths);
    }
    job.prepare(devices.set()).map_err(|error| refused(error, &devices, &paths))?;
    let seed = global.seed.or(declaration.seed).unwrap_or_else(SplitMix::fresh_seed);
    let (outcome, spent) = if declaration.device == DeviceUse::Computes {
        progress::compute(format!("{} on {}", declaration.step, label(&devices)));
        let begun = Instant::now();
        let (outcome, spent) = devices.measured(|| job.compute(devices.set(), seed))?;
        let waited = Spent { seconds: begun.elapsed().as_secs_f64(), transfer_seconds: None };
        (outcome, Some(if job.is_waited_for() { waited } else { spent }))
    } else {
        progress::step(declaration.step);
        (job.compute(devices.set(), seed), None)
    };
    if let Err(error) = outcome {
        if global.verify {
            progress::step("verifying");
            announce(job.check_seconds(Some(&error), false), global.quiet);
            if let Some(outcome) = job.check_refusal(&error, seed) {
                verified(outcome, &devices, &paths)?;
            }
        }
        return Err(refused(error, &devices, &paths));
    }
    let verification = if global.verify && global.not_checked.is_none() {
        progress::step("verifying");
        announce(job.check_seconds(None, global.json), global.quiet);
        Some(verified(job.check(seed, global.json), &devices, &paths)?)
    } else {
        None
    };
    let Answer { value, modulus, algorithm, predicted_seconds, parameters, is_random, files, notes } = job.answer();
    beside.write(&files, global)?;
    if let (Some(none), Value::Elements(words), false) = (declaration.none, &value, global.json)
        && words.is_empty()
    {
        message::tell(none);
    }
    if !global.quiet && !global.json && !shard::is_on(global) {
        for note in &notes {
            message::tell(note);
        }
    }
    let mut told: Map<String, Json> = parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    if !declaration.is_seedless {
        let seed = (global.verify || is_random).then_some(JsonInteger(seed.into()));
        told.insert("seed".to_owned(), serde_json::json!(seed));
    }
    let report = Report::new(declaration.name, told.into(), value);
    let report = match spent {
        Some(spent) => report.of_run(&devices, spent, verification),
        None => report.of_check(verification),
    };
    let report = Report { algorithm, predicted_seconds, ..report };
    if let (Some(own), true) = (forms::of(called), shard::is_on(global)) {
        return own.write(global, &report);
    }
    write(global, report, modulus)
}

/// Writes a result while it is made.
fn write_flow(flow: &mut dyn Flow, global: &Global, devices: &Devices, paths: &[&Path]) -> Result<(), Error> {
    let mut refusal = None;
    let outcome = output::write(global, |out| {
        let progress = &mut |done, all| progress::step(format!("{done} of {all} rows on {}", label(devices)));
        let passed: &mut dyn FnMut(Passed) = &mut |passed| drop(Verification::from(passed));
        let passed = Some(passed).filter(|_| global.verify && global.not_checked.is_none());
        let written = flow.write(devices.set(), Writing { out, format: output::format(global), passed, progress })?;
        written.map_err(|error| {
            refusal = Some(error);
            io::Error::other("no result")
        })
    });
    devices.tell_failures();
    refusal.map_or(outcome, |error| Err(refused(error, devices, paths)))
}

/// What a check answers, with the error of a wrong result.
fn verified(
    outcome: Result<Passed, OperationError>,
    devices: &Devices,
    paths: &[&Path],
) -> Result<Verification, Error> {
    outcome.map(Verification::from).map_err(|error| refused(error, devices, paths))
}

/// The error of an operation, or of a check that is a part of it.
fn refused(error: OperationError, devices: &Devices, paths: &[&Path]) -> Error {
    match error.difference() {
        Some(difference) => failed(difference.clone(), devices),
        None => Error::of_operation(error, paths),
    }
}
