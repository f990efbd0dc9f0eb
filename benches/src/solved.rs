//! One case: checks everybody's result, then times everybody.

use std::time::Instant;

use anyhow::Result;
use manycore_device::{Device, DeviceError, Kind};
use manycore_poly::PolyError;

use super::check::check;
use super::{Case, ours};
use crate::contest::{Entrant, Facts, hold};
use crate::lines::{Environment, Line, Measurement};
use crate::measure::{Effort, measure};
use crate::memory_rate::MemoryRate;
use crate::peers::tasks::{Computation, solvers};
use crate::verify::Told;

/// A case on the host, with as many threads as `device` has: lines of the other codes' times of this run, each beside ours in
/// the measurement that comes last.
///
/// # Errors
/// When somebody has too little memory.
pub fn on_host(
    device: &Device,
    environment: &Environment,
    case: &Case,
    effort: Effort,
    rate: &mut MemoryRate,
) -> Result<Vec<Line>> {
    let (p, task) = (case.prime.p, case.task());
    let entrant = |name, threads, mut work: Box<dyn Computation>| -> Result<(Entrant, &'static str)> {
        work.run()?;
        let (verified, checked) = check(p, &task, &work.result()?)?;
        Ok((Entrant { name, threads, verified, run: Box::new(move || work.run()) }, checked))
    };
    let (work, algorithm) = ours::prepare(device, p, &task)?;
    let (our_own, checked) = entrant(String::new(), device.info().compute_units.into(), work)?;
    let present = solvers().present;
    let others = present.iter().filter_map(|code| Some(entrant(code.name(), 1, code.prepare(p, &task)?)));
    let others = others.map(|told| told.map(|(entrant, _)| entrant)).collect::<Result<Vec<_>>>()?;
    let facts = Facts {
        operation: case.work.operation(),
        case: case.to_string(),
        element: case.prime.element,
        log_len: case.log_len,
        order: "",
        algorithm,
        bytes: case.bytes(),
        operations: case.operations(),
        checked,
    };
    hold(facts, our_own, others, environment, effort, rate)
}

/// A case on an OpenCL device, on data that lie there: calls in a row as the host enqueues them.
///
/// # Errors
/// When the device has too little memory or fails.
pub fn on_device(device: &Device, case: &Case, effort: Effort, rate: &mut MemoryRate) -> Result<Measurement> {
    let floor_seconds = rate.floor_seconds(case.bytes())?;
    let (p, task) = (case.prime.p, case.task());
    let started = Instant::now();
    let (mut work, algorithm) = ours::prepare(device, p, &task)?;
    device.finish()?;
    let up = started.elapsed().as_secs_f64();
    work.run()?;
    let started = Instant::now();
    let result = work.result()?;
    let down = started.elapsed().as_secs_f64();
    let (verified, checked): Told = check(p, &task, &result)?;
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
        operation: case.work.operation(),
        case: case.to_string(),
        device: device.info().id.clone(),
        element: case.prime.element,
        order: "",
        algorithm,
        log_len: case.log_len,
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

/// Whether a case failed because the device's memory is too small.
pub fn is_out_of_memory(error: &anyhow::Error) -> bool {
    let device = error.downcast_ref::<DeviceError>().or_else(|| match error.downcast_ref::<PolyError>() {
        Some(PolyError::Device(error)) => Some(error),
        _ => None,
    });
    matches!(device, Some(DeviceError::OutOfMemory { .. }))
}

#[cfg(test)]
mod tests {
    use super::super::Work;
    use super::*;
    use crate::environment;
    use crate::modular::{FFT_29, FFT_62, PLAIN_31};

    const EFFORT: Effort = Effort { group_seconds: 1e-4, groups: 3, case_seconds: 0.05 };

    #[test]
    fn every_case_is_right_and_everybody_has_a_time() {
        let device = Device::host_with(1).unwrap();
        let mut rate = MemoryRate::new(&device);
        let environment = environment::of(&device, &mut rate).unwrap();
        let codes = solvers().present.len();
        for work in Work::ALL {
            for prime in [FFT_29, PLAIN_31, FFT_62] {
                let case = Case { work, prime, log_len: 6, on_device: false };
                let lines = on_host(&device, &environment, &case, EFFORT, &mut rate).unwrap();
                assert_eq!(lines.iter().filter(|line| matches!(line, Line::Peer(_))).count(), codes, "{lines:?}");
                let Some(Line::Measurement(measured)) = lines.last() else { panic!("{lines:?}") };
                assert!(measured.verified && measured.seconds > 0.0, "{measured:?}");
                assert_eq!(measured.note.contains("times ours"), codes > 0);
            }
        }
    }

    /// The form of devices runs on the host as well.
    #[test]
    fn the_form_on_devices_is_right() {
        let device = Device::host_with(1).unwrap();
        let mut rate = MemoryRate::new(&device);
        for work in Work::ALL {
            let case = Case { work, prime: FFT_29, log_len: 7, on_device: true };
            let measured = on_device(&device, &case, EFFORT, &mut rate).unwrap();
            assert!(measured.verified && measured.seconds > 0.0, "{measured:?}");
        }
    }
}
