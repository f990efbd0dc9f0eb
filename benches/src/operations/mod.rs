//! The cases of operations that no other module of the benches has: sorts, sparse and generalized products, stars, tables of groups,
//! Boolean functions, exact and binary matrices, factors, series, codes and bivariate systems.
//!
//! Each case prepares its operands on a device, runs, and checks its result by a second route. On the host other codes run the same work
//! in turns with the library; on OpenCL devices calls are made in a row as a user makes them, on operands that lie there where the
//! operation takes such.
//!
//! | file | operations |
//! |---|---|
//! | `case` | what a case is |
//! | `sorting` | sorts, scans |
//! | `sparse` | products of sparse matrices |
//! | `semirings` | generalized products, longest paths |
//! | `groups` | character tables, Kronecker and Fourier transforms |
//! | `boolean` | spectra of Boolean functions, tables of S-boxes |
//! | `exact` | integers, matrices of integers, of doubles and of bits |
//! | `polynomials` | factors, power series, bivariate systems |
//! | `codes` | erasure codes |

mod boolean;
mod case;
mod codes;
mod exact;
mod groups;
mod polynomials;
mod semirings;
mod sorting;
mod sparse;

use anyhow::Result;
use manycore_device::{Device, DeviceKind};

use crate::contest::{Entrant, Facts, hold};
use crate::lines::{Environment, Line, Measurement, Skipped};
use crate::measure::{Effort, measure};
use crate::memory_rate::MemoryRate;
use crate::peers::Absent;
use crate::walsh::Profile;
use case::Extent;
pub use case::{Case, Work};

/// Whether a device with `threads` threads runs these cases: a quick run leaves out the host with one thread.
pub fn concerns(profile: Profile, threads: Option<u64>) -> bool {
    profile != Profile::Quick || threads.is_none_or(|threads| threads == u64::from(Device::host().info().compute_units))
}

/// The cases of a profile for a kind of device, in the order they are run.
pub fn cases(profile: Profile, kind: DeviceKind) -> Vec<Case> {
    let extent = Extent { profile, kind };
    let lists = [
        sorting::cases(extent),
        sparse::cases(extent),
        semirings::cases(extent),
        groups::cases(extent),
        boolean::cases(extent),
        exact::cases(extent),
        polynomials::cases(extent),
        codes::cases(extent),
    ];
    lists.into_iter().flatten().collect()
}

/// A line for each code that could be measured with the cases of the host and is absent.
pub fn preface(is_on_host: bool) -> Vec<Line> {
    let line = |(operation, Absent { name, reason }): (&'static str, Absent)| {
        let case = format!("{operation}: {name}");
        Line::Skipped(Skipped { operation, case, device: "host".into(), reason: reason.into() })
    };
    if is_on_host { crate::peers::absent_beside().into_iter().map(line).collect() } else { Vec::new() }
}

/// Runs a case on the host: lines of the other codes' times of this run, each beside ours in the measurement that comes last.
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
    let entrant = |name: String, threads: u64, mut work: Box<dyn Work>| -> Result<Entrant> {
        work.run()?;
        let verified = work.check()?;
        Ok(Entrant { name, threads, verified, run: Box::new(move || work.run()) })
    };
    let threads = u64::from(device.info().compute_units);
    let ours = entrant(String::new(), threads, (case.ours)(device)?)?;
    let mut others = Vec::new();
    for other in &case.others {
        // Codes that take as many threads as the machine has stand beside ours with as many.
        let all = u64::from(Device::host().info().compute_units);
        if other.threaded && threads != all {
            continue;
        }
        let count = if other.threaded { all } else { 1 };
        others.push(entrant(other.name.clone(), count, (other.prepare)()?)?);
    }
    let facts = Facts {
        operation: case.operation,
        case: case.to_string(),
        element: case.element,
        size: Some(case.size.clone()),
        log_len: case.log_len,
        order: "",
        algorithm: String::new(),
        bytes: case.bytes,
        operations: case.operations,
        floor_seconds: Some(case.floor_seconds(rate)?),
        checked: case.checked,
    };
    hold(facts, ours, others, environment, effort, rate)
}

/// Runs a case on an OpenCL device: calls in a row as the host enqueues them.
///
/// # Errors
/// When the device has too little memory or fails.
pub fn on_device(device: &Device, case: &Case, effort: Effort, rate: &mut MemoryRate) -> Result<Measurement> {
    let floor_seconds = case.floor_seconds(rate)?;
    let mut work = (case.ours)(device)?;
    work.run()?;
    let verified = work.check()?;
    let times = measure(effort, 1 << 20, |repeats| {
        let (done, seconds) = device.elapsed(|| (0..repeats).try_for_each(|_| work.run()))?;
        done?;
        Ok(seconds)
    })?;
    let wrong = if verified { "" } else { "WRONG: " };
    Ok(Measurement {
        operation: case.operation,
        case: case.to_string(),
        device: device.info().id.clone(),
        element: case.element,
        size: Some(case.size.clone()),
        order: "",
        algorithm: String::new(),
        log_len: case.log_len,
        batch: 1,
        threads: None,
        seconds: times.median,
        minimum: times.minimum,
        maximum: times.maximum,
        repeats: times.repeats,
        upload_seconds: None,
        download_seconds: None,
        floor_seconds,
        passes: None,
        pass_floor_seconds: None,
        bytes: 2.0 * case.bytes as f64,
        operations: case.operations,
        launches: None,
        verified,
        baseline: false,
        note: format!("{wrong}{}", case.checked),
    })
}

#[cfg(test)]
mod tests {
    use manycore_device::{Device, DeviceKind};

    use super::cases;
    use crate::walsh::Profile;
    use crate::{matrices, modular, polynomials, spectral, walsh};

    #[test]
    fn names_are_unique() {
        for profile in [Profile::Quick, Profile::Standard, Profile::Full] {
            for kind in [DeviceKind::Host, DeviceKind::Cpu, DeviceKind::Gpu] {
                let mut names: Vec<String> = cases(profile, kind).iter().map(ToString::to_string).collect();
                let count = names.len();
                names.sort();
                names.dedup();
                assert_eq!(names.len(), count);
            }
        }
    }

    #[test]
    fn every_operation_is_timed() {
        for kind in [DeviceKind::Host, DeviceKind::Gpu] {
            let mut timed: Vec<&str> = vec![walsh::OPERATION];
            timed.extend(spectral::cases(Profile::Quick, kind).iter().map(spectral::Case::operation));
            timed.extend(modular::cases(Profile::Quick).iter().map(modular::Case::operation));
            timed.extend(polynomials::cases(Profile::Quick, kind).iter().map(|case| case.work.operation()));
            timed.extend(matrices::cases(Profile::Quick, kind).iter().map(|case| case.work.operation()));
            timed.extend(cases(Profile::Quick, kind).iter().map(|case| case.operation));
            for operation in manycore_operations::ALL {
                assert!(timed.contains(&operation.name), "{} is not timed on {kind:?}", operation.name);
            }
        }
    }

    #[test]
    fn quick_results_are_right_on_the_host() {
        for case in cases(Profile::Quick, DeviceKind::Host) {
            let mut work = (case.ours)(&Device::host()).unwrap();
            work.run().unwrap();
            assert!(work.check().unwrap(), "{case}");
            for other in &case.others {
                let mut work = (other.prepare)().unwrap();
                work.run().unwrap();
                assert!(work.check().unwrap(), "{case} by {}", other.name);
            }
        }
    }
}
