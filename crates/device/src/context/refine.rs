//! Choices refined by measurements on the device itself, and kept.
//!
//! The model counts what a kernel does; how well a CPU's OpenCL compiler vectorizes it is a lottery that no count foresees:
//! of two kernels that differ in one constant, one may take twice as long as the other. There the first transform of a
//! shape measures the few candidates that are predicted to be about as fast as the best one
//! ([`Refinement`]), on zeros in buffers of its own, and what it found is kept in the folder of calibrations for this device,
//! driver and kernels, so that a machine pays once. GPUs and the host, where the model decides well, measure only when asked.
//!
//! On the same devices prices are corrected by standard passes, see [`Context::slowdown`](super::Context::slowdown).

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};

use manycore_model::{Choice, Refinement};

use super::timing;
use crate::device::Device;
use crate::error::DeviceError;
use crate::info::DeviceKind;
use crate::opencl::kernel::KernelSpec;

/// One measurement at a time, in all contexts.
pub(super) static MEASURING: Mutex<()> = Mutex::new(());

/// The fingerprints of kernels, which are long texts.
static FINGERPRINTS: Mutex<BTreeMap<Vec<usize>, u64>> = Mutex::new(BTreeMap::new());

/// The measured candidates of a choice: parameters as text, and seconds of one array.
type Measured = Arc<[(String, f64)]>;

/// How a context's choices are refined, and what it measured.
#[derive(Debug)]
pub(crate) struct Refiner {
    /// `None`: never.
    pub(crate) how: Option<Refinement>,
    /// Whether earlier measurements of this machine count, and later processes may have these.
    keeps: bool,
    /// Whether prices are corrected by standard passes.
    pub(crate) corrects: bool,
    known: Mutex<HashMap<String, Measured>>,
}

/// A choice to refine.
#[derive(Debug)]
pub struct Task<'a, P, Stands> {
    /// The operation and its shape but for the number of arrays, which counts by its power of two.
    pub key: String,
    /// The kernels that the candidates launch.
    pub kernels: &'a [&'static KernelSpec],
    /// Arrays side by side.
    pub count: usize,
    /// The candidates.
    pub choice: &'a mut Choice<P>,
    /// Whether the second may stand in for the first, predicted best: whether they give the same bits.
    pub stands_in: Stands,
    /// What candidates have in common that a prediction may have wrong: some of each kind are measured.
    pub kind: fn(&P) -> u64,
}

impl Refiner {
    /// As a context of `device` begins.
    pub(crate) fn usual(device: &Device) -> Self {
        Self { how: usual_refinement(device), keeps: true, corrects: is_lottery(device), known: Mutex::default() }
    }

    /// No measurements at all.
    pub(crate) fn none() -> Self {
        Self { how: None, keeps: false, corrects: false, known: Mutex::default() }
    }

    /// The same with another refinement.
    pub(crate) fn with(self, how: Option<Refinement>) -> Self {
        Self { how, ..self }
    }

    /// See [`Context::refine`](super::Context::refine).
    pub(crate) fn refine<P: Display, E: From<DeviceError>>(
        &self,
        device: &Device,
        task: Task<'_, P, impl Fn(&P, &P) -> bool>,
        mut run: impl FnMut(&P) -> Result<(), E>,
    ) -> bool {
        let Task { key, kernels, count, choice, stands_in, kind } = task;
        let Some(how) = self.how.filter(|how| choice.near(how.factor) > 1) else { return true };
        let key = format!("{key}, about 2^{} of them, {how:?}, {:016x}", count.max(1).ilog2(), fingerprint(kernels));
        let arrays = count.max(1) as f64;
        if self.known(device, &key).is_some_and(|measured| note(choice, &measured, arrays)) {
            return true;
        }
        let _alone = match MEASURING.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        // What was measured before a failure counts, in this process.
        let outcome = choice.refine_within(&how, stands_in, kind, |parameters, first| {
            timing::sample(device, first, || run(parameters))
        });
        let seconds = |candidate: &manycore_model::Candidate<P>| {
            Some((candidate.parameters.to_string(), candidate.measured_seconds? / arrays))
        };
        let measured: Measured = choice.candidates().iter().filter_map(seconds).collect();
        if !measured.is_empty() {
            if outcome.is_ok() && self.keeps {
                // Where it cannot be kept, the next process measures again.
                let _ = device.keep_choice(&key, &measured);
            }
            self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, measured);
        }
        true
    }

    fn known(&self, device: &Device, key: &str) -> Option<Measured> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(measured) = known.get(key) {
            return Some(Arc::clone(measured));
        }
        let measured: Measured = device.kept_choice(key).filter(|_| self.keeps)?.into();
        known.insert(key.to_owned(), Arc::clone(&measured));
        Some(measured)
    }
}

/// Whether compilers for a device are a lottery: on the CPUs of OpenCL, but not on a simulator, whose times say nothing.
pub fn is_lottery(device: &Device) -> bool {
    let info = device.info();
    let simulator = info.name.to_lowercase().contains("oclgrind");
    info.kind == DeviceKind::Cpu && !simulator
}

/// The refinement that a context of `device` begins with: measurements where compilers are a lottery.
pub fn usual_refinement(device: &Device) -> Option<Refinement> {
    is_lottery(device).then(Refinement::default)
}

/// Notes what was measured; tells whether any of it is of these candidates.
fn note<P: Display>(choice: &mut Choice<P>, measured: &[(String, f64)], arrays: f64) -> bool {
    for (text, seconds) in measured {
        choice.note(|parameters| parameters.to_string() == *text, seconds * arrays);
    }
    choice.measured() > 0
}

/// A number that another text of the kernels or another version of this crate changes, by FNV-1a.
pub(super) fn fingerprint(kernels: &[&'static KernelSpec]) -> u64 {
    let key: Vec<usize> = kernels.iter().map(|spec| std::ptr::from_ref(*spec).addr()).collect();
    let lock = || FINGERPRINTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&known) = lock().get(&key) {
        return known;
    }
    let found = fingerprint_of(kernels);
    lock().insert(key, found);
    found
}

fn fingerprint_of(kernels: &[&'static KernelSpec]) -> u64 {
    let texts = kernels.iter().map(|spec| manycore_kernels::spliced(spec.unit));
    let all = texts.fold(env!("CARGO_PKG_VERSION").to_owned(), |all, text| all + &text);
    all.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
