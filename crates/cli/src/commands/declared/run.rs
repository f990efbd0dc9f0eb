//! The frame of an operation: its input is read, a device computes, the result is checked and written.

use std::ops::Range;
use std::path::Path;

use manycore::files::Source;
use manycore::operation::{Answer, Files, Value};
use manycore::verify::{CheckError, Passed, SplitMix};
use manycore::{FileError, LinalgError, PolyError};
use serde_json::{Map, Value as Json};

use super::write::write;
use super::{Called, Family};
use crate::arguments::Global;
use crate::commands::auto::{Wanted, is_auto};
use crate::commands::choice::Operation;
use crate::commands::label;
use crate::commands::several::{Asked, Devices, one};
use crate::error::Error;
use crate::input;
use crate::message;
use crate::output::{self, JsonInteger, Report};
use crate::progress;
use crate::shard;
use crate::verification::{Verification, announce, failed};

/// Does an operation, whose errors of values name the files by `of_files`.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(crate) fn run<F: Family>(
    called: &Called<F>,
    global: &Global,
    of_files: impl Fn(Error, &[&Path]) -> Error,
) -> Result<(), Error> {
    called.fits()?;
    output::check_form(global)?;
    let (operation, declaration) = (called.operation, called.declaration());
    let is_shared = operation.is_shared(&called.arguments);
    let asked = if is_shared { Asked::new(global)? } else { Asked::One(Wanted::new(global)?) };
    let paths = called.paths();
    let mut files = Opened { paths: &paths, global, is_without_part: false };
    let job = operation.read(&called.arguments, &mut files);
    let mut job = job.map_err(|error| of_files(error.into(), &paths))?;
    if files.is_without_part {
        return shard::write_empty(global);
    }
    if !job.is_shared() && matches!(asked, Asked::Several(_)) {
        one(global)?;
    }
    let task = if is_auto(&global.device) { job.task().and_then(|task| Operation::of_task(&task)) } else { None };
    let devices = asked.devices(task.as_ref());
    progress::compute(format!("{} on {}", declaration.step, label(&devices)));
    let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
    let (outcome, spent) = devices.measured(|| job.compute(devices.set(), seed))?;
    if let Err(refused) = outcome {
        if global.verify {
            progress::step("verifying");
            announce(job.check_seconds(Some(&refused), false), global.quiet);
            if let Some(outcome) = job.check_refusal(&refused, seed) {
                verified::<F>(outcome, &devices)?;
            }
        }
        return Err(of_files(refused.into(), &paths));
    }
    let verification = if global.verify {
        progress::step("verifying");
        announce(job.check_seconds(None, global.json), global.quiet);
        Some(verified::<F>(job.check(seed, global.json), &devices)?)
    } else {
        None
    };
    let Answer { value, modulus, algorithm, predicted_seconds, parameters, is_random } = job.answer();
    if let (Some(none), Value::Elements(words), false) = (declaration.none, &value, global.json)
        && words.is_empty()
    {
        message::tell(none);
    }
    let mut told: Map<String, Json> = parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let seed = (global.verify || is_random).then_some(JsonInteger(seed.into()));
    told.insert("seed".to_owned(), serde_json::json!(seed));
    let report = Report {
        algorithm,
        predicted_seconds,
        verified: global.verify.then_some(true),
        ..Report::new(declaration.name, told.into(), value).of_run(&devices, spent, verification)
    };
    write(global, report, modulus)
}

/// What a check answers, with the error of a wrong result.
fn verified<F: Family>(outcome: Result<Passed, F::Error>, devices: &Devices) -> Result<Verification, Error> {
    outcome.map(Verification::from).map_err(|error| match difference(error.into()) {
        Ok(error) => failed(error, devices),
        Err(error) => error,
    })
}

/// What a check found, where the error is one of that.
fn difference(error: Error) -> Result<CheckError, Error> {
    match error {
        Error::Linalg(LinalgError::Check(error)) | Error::Poly(PolyError::Check(error)) => Ok(error),
        error => Err(error),
    }
}

/// The files of a command.
struct Opened<'a> {
    paths: &'a [&'a Path],
    global: &'a Global,
    /// Whether the shard has no item of the work.
    is_without_part: bool,
}

impl Files for Opened<'_> {
    fn numbers(&mut self, input: usize) -> Result<Source<'static>, FileError> {
        let path = self.paths[input];
        progress::step(format!("reading {}", input::name(path)));
        input::open(path)
    }

    fn matrix(&mut self, input: usize) -> Result<Source<'static>, FileError> {
        let path = self.paths[input];
        progress::step(format!("reading {}", input::name(path)));
        input::open_matrix(path)
    }

    fn earlier(&self, input: usize) -> Option<usize> {
        self.paths[..input].iter().position(|earlier| *earlier == self.paths[input])
    }

    fn is_kept(&self) -> bool {
        self.global.verify || shard::is_on(self.global)
    }

    fn part(&mut self, items: usize) -> Range<usize> {
        let part = shard::range(self.global, items);
        self.is_without_part |= part.is_none();
        part.unwrap_or(0..0)
    }
}
