//! One case of a task that other codes solve too: checks everybody's result, then times everybody.

use std::fmt::Display;
use std::time::Instant;

use anyhow::Result;
use manycore_device::{Device, DeviceError, Kind};
use manycore_linalg::LinalgError;
use manycore_poly::PolyError;

use crate::contest::{Entrant, Facts, hold};
use crate::lines::{Environment, Line, Measurement, Skipped};
use crate::measure::{Effort, measure};
use crate::memory_rate::MemoryRate;
use crate::modular::Prime;
use crate::peers::tasks::{Computation, FFPACK, Task, of_ffpack};
use crate::peers::{Absent, solvers};
use crate::verify::Told;

/// A task on a device, and the way that the library takes for it.
pub type Planned = (Box<dyn Computation>, String);

/// A case whose task other codes solve too.
pub trait Solved: Display {
    /// The operation's name in every line.
    fn operation(&self) -> &'static str;

    /// The modulus.
    fn prime(&self) -> Prime;

    /// The size, as a power of two.
    fn log_len(&self) -> u32;

    /// Whether it is one on an OpenCL device.
    fn on_device(&self) -> bool;

    /// Bytes that are read, about as many as are written.
    fn bytes(&self) -> u64;

    /// Products and sums of the definition.
    fn operations(&self) -> f64;

    /// What is to be computed, the same in each run.
    fn task(&self) -> Task;

    /// Takes the task to a device.
    ///
    /// # Errors
    /// When the device has too little memory or fails.
    fn prepare(&self, device: &Device, task: &Task) -> Result<Planned>;

    /// Whether the lists are the task's result.
    ///
    /// # Errors
    /// Where the check could not be made.
    fn check(&self, task: &Task, result: &[Vec<u64>]) -> Result<Told>;
}

/// A case on the host, with as many threads as `device` has: lines of the other codes' times of this run, each beside ours in
/// the measurement that comes last.
///
/// # Errors
/// When somebody has too little memory.
pub fn on_host(
    device: &Device,
    environment: &Environment,
    case: &impl Solved,
    effort: Effort,
    rate: &mut MemoryRate,
) -> Result<Vec<Line>> {
    let (p, task) = (case.prime().p, case.task());
    let entrant = |name, threads, mut work: Box<dyn Computation>| -> Result<(Entrant, &'static str)> {
        work.run()?;
        let (verified, checked) = case.check(&task, &work.result()?)?;
        Ok((Entrant { name, threads, verified, run: Box::new(move || work.run()) }, checked))
    };
    let (work, algorithm) = case.prepare(device, &task)?;
    let (our_own, checked) = entrant(String::new(), device.info().compute_units.into(), work)?;
    let present = solvers().present;
    let others = present.iter().filter_map(|code| Some(entrant(code.name(), 1, code.prepare(p, &task)?)));
    let others = others.map(|told| told.map(|(entrant, _)| entrant)).collect::<Result<Vec<_>>>()?;
    let facts = Facts {
        operation: case.operation(),
        case: case.to_string(),
        element: case.prime().element,
        size: None,
        log_len: case.log_len(),
        order: "",
        algorithm,
        bytes: case.bytes(),
        operations: case.operations(),
        checked,
        floor_seconds: None,
    };
    hold(facts, our_own, others, environment, effort, rate)
}

/// A case on an OpenCL device, on data that lie there: calls in a row as the host enqueues them.
///
/// # Errors
/// When the device has too little memory or fails.
pub fn on_device(device: &Device, case: &impl Solved, effort: Effort, rate: &mut MemoryRate) -> Result<Measurement> {
    let floor_seconds = rate.floor_seconds(case.bytes())?;
    let task = case.task();
    let started = Instant::now();
    let (mut work, algorithm) = case.prepare(device, &task)?;
    device.finish()?;
    let up = started.elapsed().as_secs_f64();
    work.run()?;
    let started = Instant::now();
    let result = work.result()?;
    let down = started.elapsed().as_secs_f64();
    let (verified, checked): Told = case.check(&task, &result)?;
    let (done, moves) = device.profile(|| work.run())?;
    done?;
    let moved = moves.entries.iter().filter(|entry| matches!(entry.kind, Kind::Kernel | Kind::Copy | Kind::Fill));
    let bytes = moved.map(|entry| entry.bytes).sum::<u64>() as f64;
    let times = measure(effort, 1 << 20, |repeats| {
        let (done, seconds) = device.elapsed(|| (0..repeats).try_for_each(|_| work.run()))?;
        done?;
        Ok(seconds)
    })?;
    let passes = bytes / (2.0 * case.bytes() as f64);
    let wrong = if verified { "" } else { "WRONG: " };
    Ok(Measurement {
        operation: case.operation(),
        case: case.to_string(),
        device: device.info().id.clone(),
        element: case.prime().element,
        size: None,
        order: "",
        algorithm,
        log_len: case.log_len(),
        batch: 1,
        threads: None,
        seconds: times.median,
        minimum: times.minimum,
        maximum: times.maximum,
        repeats: times.repeats,
        upload_seconds: Some(up),
        download_seconds: Some(down),
        floor_seconds,
        passes: Some(passes),
        pass_floor_seconds: Some(passes * floor_seconds),
        bytes,
        operations: case.operations(),
        launches: Some(moves.launches() as u64),
        verified,
        baseline: false,
        note: format!("{wrong}{checked}"),
    })
}

/// A line for each code that could be measured with the cases of an operation on the host and is absent.
pub fn absent(operation: &'static str) -> impl Iterator<Item = Line> {
    let absent = solvers().absent.into_iter().filter(move |code| code.name != FFPACK || of_ffpack(operation));
    absent.map(move |Absent { name, reason }| {
        let (case, device) = (format!("{operation}/host: {name} beside ours"), "host".into());
        Line::Skipped(Skipped { operation, case, device, reason: reason.to_owned() })
    })
}

/// Whether a case failed because the device's memory is too small.
pub fn is_out_of_memory(error: &anyhow::Error) -> bool {
    let of_polynomials = || match error.downcast_ref::<PolyError>() {
        Some(PolyError::Device(error)) => Some(error),
        _ => None,
    };
    let of_matrices = || match error.downcast_ref::<LinalgError>() {
        Some(LinalgError::Device(error)) => Some(error),
        _ => None,
    };
    let device = error.downcast_ref::<DeviceError>().or_else(of_polynomials).or_else(of_matrices);
    matches!(device, Some(DeviceError::OutOfMemory { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modular::{FFT_29, FFT_62, PLAIN_31};
    use crate::{environment, matrices, polynomials};

    const EFFORT: Effort = Effort { group_seconds: 1e-4, groups: 3, case_seconds: 0.05 };

    fn every_case(case: &impl Solved) {
        let device = Device::host_with(1).unwrap();
        let mut rate = MemoryRate::new(&device);
        let environment = environment::of(&device, &mut rate).unwrap();
        let codes = solvers().present.len();
        let lines = on_host(&device, &environment, case, EFFORT, &mut rate).unwrap();
        assert_eq!(lines.iter().filter(|line| matches!(line, Line::Peer(_))).count(), codes, "{lines:?}");
        let Some(Line::Measurement(measured)) = lines.last() else { panic!("{lines:?}") };
        assert!(measured.verified && measured.seconds > 0.0, "{measured:?}");
        assert_eq!(measured.note.contains("times ours"), codes > 0);
        // The form of devices runs on the host as well.
        let measured = on_device(&device, case, EFFORT, &mut rate).unwrap();
        assert!(measured.verified && measured.seconds > 0.0, "{measured:?}");
    }

    #[test]
    fn every_case_is_right_and_everybody_has_a_time() {
        for prime in [FFT_29, PLAIN_31, FFT_62] {
            for work in polynomials::Work::ALL {
                every_case(&polynomials::Case { work, prime, log_len: 6, on_device: false });
            }
            for work in matrices::Work::ALL {
                every_case(&matrices::Case { work, prime, log_order: 5, on_device: false });
            }
        }
    }
}
