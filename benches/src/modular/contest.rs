//! One case: checks everybody's result, then times everybody in turns.

use anyhow::Result;
use manycore_device::Device;

use super::{Case, Work, ours};
use crate::data;
use crate::lines::{Environment, Line, Measurement, Peer, Skipped};
use crate::measure::{Effort, Times, in_turns};
use crate::memory_rate::MemoryRate;
use crate::peers::{self, Product, Transform};
use crate::verify;

/// Somebody who does the work of a case.
struct Entrant {
    name: String,
    /// Threads that it takes at most.
    threads: u64,
    verified: bool,
    run: Box<dyn FnMut() -> Result<()>>,
}

/// The library, the others that serve the case, and the library's algorithm.
type Entrants = (Entrant, Vec<Entrant>, String);

/// Runs a case on the host, with as many threads as `device` has: lines of the other codes' times of this run, each beside
/// ours in the measurement that comes last.
///
/// # Errors
/// When somebody has too little memory.
pub fn run(
    device: &Device,
    environment: &Environment,
    case: &Case,
    effort: Effort,
    rate: &mut MemoryRate,
) -> Result<Vec<Line>> {
    let threads = u64::from(device.info().compute_units);
    let (our_own, others, algorithm) = match case.work {
        Work::Transform => transforms(device, case, threads)?,
        Work::Product => products(device, case, threads)?,
    };
    // The time of a wrong result is not told.
    let (others, wrong): (Vec<_>, Vec<_>) = others.into_iter().partition(|entrant| entrant.verified);
    let mut lines: Vec<Line> = wrong
        .into_iter()
        .map(|entrant| {
            let (name, device) = (format!("{case}: {}", entrant.name), environment.device.clone());
            let reason = "its result is wrong".to_owned();
            Line::Skipped(Skipped { operation: case.operation(), case: name, device, reason })
        })
        .collect();
    let mut entrants: Vec<Entrant> = std::iter::once(our_own).chain(others).collect();
    let mut programs: Vec<_> = entrants.iter_mut().map(|entrant| entrant.run.as_mut() as _).collect();
    let times = in_turns(effort, &mut programs)?;
    let others = || entrants.iter().zip(&times).skip(1);
    lines.extend(others().map(|(entrant, times)| Line::Peer(peer(case, environment, threads, entrant, times))));
    let beside: String = others().map(|(entrant, theirs)| ratio(entrant, theirs, &times[0])).collect();
    let floor_seconds = rate.floor_seconds(case.bytes())?;
    lines.push(Line::Measurement(Box::new(measurement(
        case,
        environment,
        &entrants[0],
        &times[0],
        floor_seconds,
        algorithm,
        &beside,
    ))));
    Ok(lines)
}

/// The library first, then the others that serve the case.
fn transforms(device: &Device, case: &Case, threads: u64) -> Result<Entrants> {
    let p = case.prime.p;
    let x = data::residues(1 << case.log_len, p, 0);
    let (mut transform, root) = ours::transform(device, p, &x)?;
    let right = is_spectrum(transform.as_mut(), p, root, &x)? && returns(transform.as_mut(), &x)?;
    let our_own = Entrant { name: String::new(), threads, verified: right, run: Box::new(move || transform.forward()) };
    let mut others = Vec::new();
    for code in peers::transformers().present {
        if let Some(mut transform) = code.prepare(p, &x) {
            transform.forward()?;
            let verified = transform.values() != x && returns(transform.as_mut(), &x)?;
            let run = Box::new(move || transform.forward());
            others.push(Entrant { name: code.name(), threads: 1, verified, run });
        }
    }
    Ok((our_own, others, "cyclic".into()))
}

/// Transforms, and checks the spectrum.
fn is_spectrum(transform: &mut dyn Transform, p: u64, root: u64, x: &[u64]) -> Result<bool> {
    transform.forward()?;
    Ok(verify::ntt(p, root, x, &transform.values())?.0)
}

/// Whether the inverse brings `x` back.
fn returns(transform: &mut dyn Transform, x: &[u64]) -> Result<bool> {
    transform.inverse()?;
    Ok(transform.values() == x)
}

/// The library first, then the others that serve the case.
fn products(device: &Device, case: &Case, threads: u64) -> Result<Entrants> {
    let (p, len) = (case.prime.p, 1 << case.log_len);
    let (a, b) = (data::coefficients(len, p, 1), data::coefficients(len, p, 2));
    let entrant = |name: String, mut product: Box<dyn Product>| -> Result<Entrant> {
        product.run()?;
        let (verified, _) = verify::product(p, &a, &b, &product.result())?;
        Ok(Entrant { name, threads: product.threads(), verified, run: Box::new(move || product.run()) })
    };
    let (product, plan) = ours::product(device, p, &a, &b)?;
    let our_own = Entrant { threads, ..entrant(String::new(), product)? };
    let others = peers::multipliers().present.into_iter();
    let others = others.filter_map(|code| Some(entrant(code.name(), code.prepare(p, &a, &b, threads)?)));
    Ok((our_own, others.collect::<Result<_>>()?, plan))
}

fn peer(case: &Case, environment: &Environment, threads: u64, entrant: &Entrant, times: &Times) -> Peer {
    let fewer = if entrant.threads == threads { String::new() } else { format!(", {}", counted(entrant.threads)) };
    Peer {
        operation: case.operation(),
        code: format!("{}{fewer}", entrant.name),
        machine: environment.name.clone(),
        class: "host",
        element: case.prime.element,
        log_len: case.log_len,
        batch: 1,
        threads: Some(threads),
        seconds: times.median,
        source: "this run, in turns with ours",
    }
}

fn counted(threads: u64) -> String {
    if threads == 1 { "1 thread".into() } else { format!("{threads} threads") }
}

/// What stands in our note about another code.
fn ratio(entrant: &Entrant, theirs: &Times, ours: &Times) -> String {
    let (factor, threads) = (theirs.median / ours.median, counted(entrant.threads));
    format!("; {}, {threads}: {:.3e} s, {factor:.2} times ours", entrant.name, theirs.median)
}

fn measurement(
    case: &Case,
    environment: &Environment,
    entrant: &Entrant,
    times: &Times,
    floor_seconds: f64,
    algorithm: String,
    beside: &str,
) -> Measurement {
    let (order, checked, transforms, log_len) = match case.work {
        Work::Transform => ("bit-reversed", "four values by the definition, all by a round trip", 1.0, case.log_len),
        Work::Product => ("", "at two random points", 3.0, case.log_len + 1),
    };
    let wrong = if entrant.verified { "" } else { "WRONG: " };
    Measurement {
        operation: case.operation(),
        case: case.to_string(),
        device: environment.device.clone(),
        element: case.prime.element,
        order,
        algorithm,
        log_len: case.log_len,
        batch: 1,
        threads: Some(entrant.threads),
        seconds: times.median,
        minimum: times.minimum,
        maximum: times.maximum,
        repeats: times.repeats,
        upload_seconds: None,
        download_seconds: None,
        floor_seconds,
        passes: None,
        pass_floor_seconds: None,
        bytes: 2.0 * case.bytes() as f64,
        // A product, a sum and a difference in each butterfly.
        operations: transforms * 1.5 * f64::from(log_len) * f64::from(log_len).exp2(),
        launches: None,
        verified: entrant.verified,
        baseline: false,
        note: format!("{wrong}{checked}{beside}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_spectrum, run};
    use crate::lines::Line;
    use crate::measure::Effort;
    use crate::memory_rate::MemoryRate;
    use crate::modular::{Case, FFT_29, FFT_62, Work, ours};
    use crate::{data, environment, peers};
    use manycore_device::Device;

    #[test]
    fn a_wrong_spectrum_is_seen() {
        let device = Device::host_with(1).unwrap();
        let x = data::residues(64, FFT_29.p, 0);
        let (mut transform, root) = ours::transform(&device, FFT_29.p, &x).unwrap();
        assert!(is_spectrum(transform.as_mut(), FFT_29.p, root, &x).unwrap());
        // The spectrum of the spectrum is not that of the values.
        assert!(!is_spectrum(transform.as_mut(), FFT_29.p, root, &x).unwrap());
    }

    #[test]
    fn everybody_who_serves_a_case_has_a_time() {
        let effort = Effort { group_seconds: 1e-4, groups: 3, case_seconds: 0.1 };
        for device in [Device::host_with(1).unwrap(), Device::host_with(2).unwrap()] {
            let mut rate = MemoryRate::new(&device);
            let environment = environment::of(&device, &mut rate).unwrap();
            for (work, prime) in [(Work::Transform, FFT_29), (Work::Product, FFT_29), (Work::Product, FFT_62)] {
                let case = Case { work, prime, log_len: 7 };
                let lines = run(&device, &environment, &case, effort, &mut rate).unwrap();
                let others = lines.iter().filter(|line| matches!(line, Line::Peer(_))).count();
                let present = match work {
                    Work::Transform => peers::transformers().present.len(),
                    // NTL takes no prime of 62 bits.
                    Work::Product if prime == FFT_62 => peers::multipliers().present.len().min(2),
                    Work::Product => peers::multipliers().present.len(),
                };
                assert_eq!(others, present, "{case}: {lines:?}");
                let Some(Line::Measurement(measured)) = lines.last() else { panic!("{lines:?}") };
                assert!(measured.verified && measured.seconds > 0.0, "{measured:?}");
                assert_eq!(lines.len(), present + 1, "{lines:?}");
                assert_eq!(measured.threads, Some(device.info().compute_units.into()));
                assert_eq!(measured.note.contains("times ours"), present > 0);
            }
        }
    }
}
