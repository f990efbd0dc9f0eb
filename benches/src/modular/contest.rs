//! Transforms and products on the host beside other codes: checks everybody's result.

use anyhow::Result;
use manycore_device::Device;

use super::{Case, Work, ours};
use crate::contest::{Entrant, Facts, hold};
use crate::data;
use crate::lines::{Environment, Line};
use crate::measure::Effort;
use crate::memory_rate::MemoryRate;
use crate::peers::{self, Product, Transform};
use crate::verify;

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
    let (order, checked, transforms, log_len) = match case.work {
        Work::Transform => ("bit-reversed", "four values by the definition, all by a round trip", 1.0, case.log_len),
        Work::Product => ("", "at two random points", 3.0, case.log_len + 1),
    };
    let facts = Facts {
        operation: case.operation(),
        case: case.to_string(),
        element: case.prime.element,
        size: None,
        log_len: case.log_len,
        order,
        algorithm,
        bytes: case.bytes(),
        // A product, a sum and a difference in each butterfly.
        operations: transforms * 1.5 * f64::from(log_len) * f64::from(log_len).exp2(),
        checked,
        floor_seconds: None,
    };
    hold(facts, our_own, others, environment, effort, rate)
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
