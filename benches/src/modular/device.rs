//! The cases of modular arithmetic on OpenCL devices: number-theoretic transforms and products of polynomials on data that
//! lie on the device, by its own clock; transfers are measured apart.

use std::fmt;
use std::time::Instant;

use anyhow::Result;
use manycore_device::{Buffer, Device, DeviceError, DeviceKind, Kind, Profile as Moves};
use manycore_field::{PrimeField, ResidueWord};
use manycore_ntt::{Kind as Convolution, Ntt, NttError};
use manycore_poly::{Algorithm, Operation, Plan, Poly, PolyError, PolyField, PolyRing};

use super::{FFT_29, FFT_31, FFT_62, NTT, PLAIN_31, PLAIN_62, PRODUCT, Prime, Work};
use crate::data;
use crate::lines::Measurement;
use crate::measure::{Effort, measure};
use crate::memory_rate::MemoryRate;
use crate::prepare::{Facts, Prepared};
use crate::verify;
use crate::walsh::Profile;

/// How a product is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As the model chooses; transforms have this form only.
    Chosen,
    /// By the definition in one launch.
    Plain,
    /// By the definition in the two phases of paper 002, chapter 8.
    TwoPhase {
        /// Coefficients of the shorter factor for each row.
        x: usize,
    },
}

/// A case on an OpenCL device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceCase {
    /// What is computed.
    pub work: Work,
    /// How.
    pub form: Form,
    /// The modulus.
    pub prime: Prime,
    /// Values of a transform or coefficients of an operand, as a power of two.
    pub log_len: u32,
}

impl fmt::Display for DeviceCase {
    /// As `ntt/device/469762049/2^12`, `poly-mul/device/469762049/2^12`, with `/plain` or `/two-phase-16` at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/device/{}/2^{}", self.operation(), self.prime.p, self.log_len)?;
        match self.form {
            Form::Chosen => Ok(()),
            Form::Plain => f.write_str("/plain"),
            Form::TwoPhase { x } => write!(f, "/two-phase-{x}"),
        }
    }
}

impl DeviceCase {
    /// The operation's name.
    pub const fn operation(&self) -> &'static str {
        match self.work {
            Work::Transform => NTT,
            Work::Product => PRODUCT,
        }
    }

    /// Values of a transform or coefficients of an operand.
    pub const fn len(&self) -> usize {
        1 << self.log_len
    }

    /// Never: even the shortest case has a value.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Bytes that are read and that are written, at least each: the operands are as long as the result.
    pub const fn bytes(&self) -> u64 {
        match self.work {
            Work::Transform => self.prime.word_bytes() << self.log_len,
            Work::Product => self.prime.word_bytes() << (self.log_len + 1),
        }
    }

    /// Additions, subtractions and products modulo the prime: of three transforms, or of the definition.
    fn operations(&self) -> f64 {
        let transform = |log_len: u32| 1.5 * f64::from(log_len) * f64::from(log_len).exp2();
        match (self.work, self.form) {
            (Work::Transform, _) => transform(self.log_len),
            (Work::Product, Form::Chosen) => 3.0 * transform(self.log_len + 1),
            (Work::Product, _) => 2.0 * f64::from(2 * self.log_len).exp2(),
        }
    }

    fn algorithm(&self) -> String {
        match (self.work, self.form) {
            (Work::Transform, _) => "cyclic".into(),
            (Work::Product, Form::Chosen) => "the model's choice".into(),
            (Work::Product, Form::Plain) => Algorithm::Plain.to_string(),
            (Work::Product, Form::TwoPhase { x }) => Algorithm::TwoPhase { x }.to_string(),
        }
    }
}

/// The cases of a profile for a kind of device, in the order they are run. A CPU takes about a second to build each kernel,
/// so that it gets small sizes only; the host's own cases are elsewhere.
pub fn cases(profile: Profile, kind: DeviceKind) -> Vec<DeviceCase> {
    let of = |work, form, primes: &[Prime], lengths: &[u32]| -> Vec<DeviceCase> {
        let case = |prime| lengths.iter().map(move |&log_len| DeviceCase { work, form, prime, log_len });
        primes.iter().flat_map(|&prime| case(prime)).collect()
    };
    let (transform, chosen) = (&[FFT_29, FFT_31, FFT_62], &[FFT_29, PLAIN_31, FFT_62, PLAIN_62]);
    let parts: Vec<Vec<DeviceCase>> = match (kind, profile) {
        (DeviceKind::Host, _) => Vec::new(),
        (DeviceKind::Gpu | DeviceKind::Accelerator, _) => {
            let lengths: &[u32] = match profile {
                Profile::Quick => &[12, 16, 20, 22, 24],
                Profile::Standard => &[12, 14, 16, 18, 20, 22, 24],
                Profile::Full => &[10, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25],
            };
            let products: &[u32] = match profile {
                Profile::Quick => &[8, 12, 16, 20],
                Profile::Standard => &[8, 10, 12, 14, 16, 18, 20],
                Profile::Full => &[8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22],
            };
            let mut parts = vec![
                of(Work::Transform, Form::Chosen, transform, lengths),
                of(Work::Product, Form::Chosen, chosen, products),
                of(Work::Product, Form::Plain, &[FFT_29], &[10, 11, 12, 13, 14]),
            ];
            // Paper 002's claim: the overhead falls with x.
            let rows = [1, 2, 4, 8, 16, 32, 64];
            parts.extend(rows.map(|x| of(Work::Product, Form::TwoPhase { x }, &[FFT_29], &[12])));
            parts
        }
        (_, Profile::Quick) => vec![
            of(Work::Transform, Form::Chosen, &[FFT_29, FFT_62], &[12]),
            of(Work::Product, Form::Chosen, &[FFT_29, PLAIN_31], &[12]),
        ],
        (_, _) => vec![
            of(Work::Transform, Form::Chosen, transform, &[12, 16]),
            of(Work::Product, Form::Chosen, chosen, &[8, 12]),
            of(Work::Product, Form::Plain, &[FFT_29], &[10]),
            of(Work::Product, Form::TwoPhase { x: 4 }, &[FFT_29], &[10]),
            of(Work::Product, Form::TwoPhase { x: 16 }, &[FFT_29], &[10]),
        ],
    };
    parts.concat()
}

/// Checks a case and times it.
///
/// # Errors
/// When the device has too little memory or fails.
pub fn run(device: &Device, case: &DeviceCase, effort: Effort, rate: &mut MemoryRate) -> Result<Measurement> {
    let floor_seconds = rate.floor_seconds(case.bytes())?;
    let (mut work, way) = prepare(device, case)?;
    let (verified, checked) = work.check()?;
    let facts = work.facts()?;
    let times = measure(effort, work.most_repeats(), |repeats| work.group(repeats))?;
    let passes = facts.bytes / (2.0 * case.bytes() as f64);
    let wrong = if verified { "" } else { "WRONG: " };
    Ok(Measurement {
        operation: case.operation(),
        case: case.to_string(),
        device: device.info().id.clone(),
        element: case.prime.element,
        size: None,
        order: if case.work == Work::Transform { "bit-reversed" } else { "" },
        algorithm: case.algorithm(),
        log_len: case.log_len,
        batch: 1,
        threads: None,
        seconds: times.median,
        minimum: times.minimum,
        maximum: times.maximum,
        repeats: times.repeats,
        upload_seconds: facts.transfers.map(|(up, _)| up),
        download_seconds: facts.transfers.map(|(_, down)| down),
        floor_seconds,
        passes: Some(passes),
        pass_floor_seconds: Some(passes * floor_seconds),
        bytes: facts.bytes,
        operations: case.operations(),
        launches: Some(facts.launches),
        verified,
        baseline: false,
        note: format!("{wrong}{checked}; {way}"),
    })
}

/// Sets a case up, and returns a description of its plan.
///
/// # Errors
/// When the device has too little memory or fails.
pub fn prepare(device: &Device, case: &DeviceCase) -> Result<(Box<dyn Prepared>, String)> {
    match u32::try_from(case.prime.p) {
        Ok(p) if p >> 31 == 0 => over(device, PrimeField::<u32>::new(p)?, case),
        _ => over(device, PrimeField::<u64>::new(case.prime.p)?, case),
    }
}

fn over<F: PolyField + 'static>(device: &Device, field: F, case: &DeviceCase) -> Result<(Box<dyn Prepared>, String)> {
    Ok(match case.work {
        Work::Transform => {
            let ntt = Ntt::new(device, &field, case.len(), Convolution::Cyclic)?;
            let way = ntt.explain(case.len())?.best().parameters.to_string();
            let input = data::residues(case.len(), case.prime.p, 0);
            let x = device.upload(&words::<F>(&input))?;
            (Box::new(Spectrum { ntt, input, x }), way)
        }
        Work::Product => {
            let ring = PolyRing::new(device, field)?;
            let [a, b] = [1, 2].map(|seed| data::coefficients(case.len(), case.prime.p, seed));
            let (f, g) = (ring.poly(&words::<F>(&a))?, ring.poly(&words::<F>(&b))?);
            let operation = Operation::Multiply { n: f.len(), m: g.len() };
            let plan = match case.form {
                Form::Chosen => ring.explain(operation)?.best().parameters.clone(),
                Form::Plain => ring.plan(operation, Algorithm::Plain)?.0,
                Form::TwoPhase { x } => ring.plan(operation, Algorithm::TwoPhase { x })?.0,
            };
            let way = plan.to_string();
            // Without a plan the ring asks the model itself, and keeps the answer.
            let plan = (case.form != Form::Chosen).then_some(plan);
            (Box::new(Multiplied { ring, a, b, f, g, plan }), way)
        }
    })
}

fn words<F: PolyField>(x: &[u64]) -> Vec<F::Element> {
    x.iter().map(|&value| F::Element::from_u64(value)).collect()
}

fn numbers<W: ResidueWord>(x: &[W]) -> Vec<u64> {
    x.iter().map(|word| word.as_u64()).collect()
}

/// What the launches of a run moved.
fn facts(moves: &Moves, transfers: (f64, f64)) -> Facts {
    let moved = moves.entries.iter().filter(|entry| matches!(entry.kind, Kind::Kernel | Kind::Copy | Kind::Fill));
    let bytes = moved.map(|entry| entry.bytes).sum::<u64>() as f64;
    Facts { bytes, launches: moves.launches() as u64, transfers: Some(transfers) }
}

/// Runs in a row, by the device's clock.
fn together(device: &Device, repeats: usize, mut run: impl FnMut() -> Result<()>) -> Result<f64> {
    let (done, seconds) = device.elapsed(|| (0..repeats).try_for_each(|_| run()))?;
    done?;
    Ok(seconds)
}

/// A forward transform, in place: the spectrum of a spectrum is one of residues again.
struct Spectrum<F: PolyField> {
    ntt: Ntt<F>,
    input: Vec<u64>,
    x: Buffer<F::Element>,
}

impl<F: PolyField> Prepared for Spectrum<F> {
    fn check(&mut self) -> Result<(bool, &'static str)> {
        let Self { ntt, input, x } = self;
        let words = words::<F>(input);
        x.write(&words)?;
        ntt.forward(&mut *x)?;
        let spectrum = numbers(&x.download()?);
        let (right, how) = verify::ntt(ntt.field().order(), ntt.root().as_u64(), input, &spectrum)?;
        ntt.inverse(&mut *x)?;
        Ok((right && x.download()? == words, how))
    }

    fn facts(&mut self) -> Result<Facts> {
        let Self { ntt, input, x } = self;
        let device = ntt.device().clone();
        let mut words = words::<F>(input);
        let started = Instant::now();
        x.write(&words)?;
        device.finish()?;
        let up = started.elapsed().as_secs_f64();
        let (done, moves) = device.profile(|| ntt.forward(&mut *x))?;
        done?;
        let started = Instant::now();
        x.read_into(&mut words)?;
        Ok(facts(&moves, (up, started.elapsed().as_secs_f64())))
    }

    fn most_repeats(&self) -> usize {
        1 << 20
    }

    fn group(&mut self, repeats: usize) -> Result<f64> {
        let Self { ntt, x, .. } = self;
        together(&ntt.device().clone(), repeats, || Ok(ntt.forward(&mut *x)?))
    }
}

/// A product; the factors stay on the device.
struct Multiplied<F: PolyField> {
    ring: PolyRing<F>,
    a: Vec<u64>,
    b: Vec<u64>,
    f: Poly<F>,
    g: Poly<F>,
    /// `None`: as the model chooses.
    plan: Option<Plan>,
}

impl<F: PolyField> Multiplied<F> {
    fn run(&self) -> Result<Poly<F>> {
        Ok(match &self.plan {
            Some(plan) => self.ring.mul_by(&self.f, &self.g, plan)?,
            None => self.ring.mul(&self.f, &self.g)?,
        })
    }
}

impl<F: PolyField> Prepared for Multiplied<F> {
    fn check(&mut self) -> Result<(bool, &'static str)> {
        let product = numbers(&self.ring.coefficients(&self.run()?)?);
        verify::product(self.ring.field().order(), &self.a, &self.b, &product)
    }

    fn facts(&mut self) -> Result<Facts> {
        let device = self.ring.device().clone();
        let (a, b) = (words::<F>(&self.a), words::<F>(&self.b));
        let started = Instant::now();
        (self.f, self.g) = (self.ring.poly(&a)?, self.ring.poly(&b)?);
        device.finish()?;
        let up = started.elapsed().as_secs_f64();
        let (product, moves) = device.profile(|| self.run())?;
        let product = product?;
        let started = Instant::now();
        self.ring.coefficients(&product)?;
        Ok(facts(&moves, (up, started.elapsed().as_secs_f64())))
    }

    fn most_repeats(&self) -> usize {
        1 << 20
    }

    fn group(&mut self, repeats: usize) -> Result<f64> {
        together(&self.ring.device().clone(), repeats, || self.run().map(drop))
    }
}

/// Whether a case failed because the device has too little memory.
pub fn is_out_of_memory(error: &anyhow::Error) -> bool {
    let device = error.downcast_ref::<DeviceError>().or_else(|| match error.downcast_ref::<PolyError>() {
        Some(PolyError::Device(error)) => Some(error),
        _ => match error.downcast_ref::<NttError>() {
            Some(NttError::Device(error)) => Some(error),
            _ => None,
        },
    });
    matches!(device, Some(DeviceError::OutOfMemory { .. }))
}

#[cfg(test)]
mod tests {
    use manycore_device::{Device, DeviceKind};

    use super::super::{FFT_29, FFT_62, PLAIN_31, Work};
    use super::{DeviceCase, Form, cases, prepare, run};
    use crate::measure::Effort;
    use crate::memory_rate::MemoryRate;
    use crate::walsh::Profile;

    #[test]
    fn names_are_unique_and_tell_the_case() {
        for profile in [Profile::Quick, Profile::Standard, Profile::Full] {
            assert!(cases(profile, DeviceKind::Host).is_empty());
            for kind in [DeviceKind::Gpu, DeviceKind::Cpu] {
                let mut names: Vec<String> = cases(profile, kind).iter().map(ToString::to_string).collect();
                let count = names.len();
                assert!(names.iter().any(|name| name == "ntt/device/469762049/2^12"));
                assert!(names.iter().any(|name| name == "poly-mul/device/2147483647/2^12"));
                assert_eq!(names.iter().any(|name| name.ends_with("2^12/two-phase-16")), kind == DeviceKind::Gpu);
                names.sort();
                names.dedup();
                assert_eq!(names.len(), count);
            }
        }
    }

    #[test]
    fn every_transform_has_its_root_of_unity() {
        for kind in [DeviceKind::Gpu, DeviceKind::Cpu] {
            for case in cases(Profile::Full, kind).iter().filter(|case| case.work == Work::Transform) {
                assert_eq!((case.prime.p - 1) % (1 << case.log_len), 0, "{case}");
            }
        }
    }

    /// The library's host takes the same path: this needs no OpenCL.
    #[test]
    fn cases_are_right_and_have_a_time() {
        let effort = Effort { group_seconds: 1e-4, groups: 3, case_seconds: 0.1 };
        let device = Device::host_with(1).unwrap();
        let mut rate = MemoryRate::new(&device);
        for (work, form, prime) in [
            (Work::Transform, Form::Chosen, FFT_29),
            (Work::Transform, Form::Chosen, FFT_62),
            (Work::Product, Form::Chosen, PLAIN_31),
            (Work::Product, Form::Plain, FFT_62),
        ] {
            let case = DeviceCase { work, form, prime, log_len: 6 };
            let measured = run(&device, &case, effort, &mut rate).unwrap();
            assert!(measured.verified && measured.seconds > 0.0, "{measured:?}");
            assert!(measured.upload_seconds.is_some() && measured.download_seconds.is_some());
        }
        let single = DeviceCase { work: Work::Transform, form: Form::Chosen, prime: FFT_29, log_len: 0 };
        assert!(prepare(&device, &single).unwrap().0.check().unwrap().0);
    }

    #[test]
    fn a_form_that_a_device_lacks_is_an_error() {
        let case = DeviceCase { work: Work::Product, form: Form::TwoPhase { x: 4 }, prime: FFT_29, log_len: 4 };
        assert!(prepare(&Device::host(), &case).is_err());
    }
}
