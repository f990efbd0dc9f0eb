//! Choices refined by measurements on the device itself, and kept.
//!
//! The model counts what a kernel does; how well a CPU's OpenCL compiler vectorizes it is a lottery that no count foresees:
//! of two kernels that differ in one constant, one may take twice as long as the other. There the first transform of a
//! shape measures the few candidates that are predicted to be about as fast as the best one
//! ([`Refinement`]), on zeros in buffers of its own, and what it found is kept in the folder of calibrations for this device,
//! driver and kernels, so that a machine pays once. GPUs and the host, where the model decides well, measure only when asked.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};

use manycore_device::{Device, DeviceError, DeviceKind, KernelSpec};
use manycore_model::{Choice, Refinement};

use crate::timing;

/// One measurement at a time, in all contexts.
static MEASURING: Mutex<()> = Mutex::new(());

/// The measured candidates of a choice: parameters as text, and seconds of one array.
type Measured = Arc<[(String, f64)]>;

/// How a context's choices are refined, and what it measured.
#[derive(Debug)]
pub(crate) struct Refiner {
    /// `None`: never.
    pub(crate) how: Option<Refinement>,
    /// Whether earlier measurements of this machine count, and later processes may have these.
    keeps: bool,
    known: Mutex<HashMap<String, Measured>>,
}

/// A choice to refine.
pub(crate) struct Task<'a, P, Stands> {
    /// The operation and its shape but for the number of arrays, which counts by its power of two.
    pub(crate) key: String,
    /// The kernels that the candidates launch.
    pub(crate) kernels: &'a [&'static KernelSpec],
    /// Arrays side by side.
    pub(crate) count: usize,
    /// The candidates.
    pub(crate) choice: &'a mut Choice<P>,
    /// Whether the second may stand in for the first, predicted best: whether they give the same bits.
    pub(crate) stands_in: Stands,
}

impl Refiner {
    pub(crate) fn new(how: Option<Refinement>, keeps: bool) -> Self {
        Self { how, keeps, known: Mutex::default() }
    }

    /// The same with another refinement.
    pub(crate) fn with(self, how: Option<Refinement>) -> Self {
        Self { how, ..self }
    }

    /// Measures the candidates of a choice, or takes what was measured before; `run` does the work of one candidate once.
    /// Tells whether this was the last word: not where another thread measures just now, and the prediction has to do. A
    /// candidate that fails is not measured: the operation itself will tell the error.
    pub(crate) fn refine<P: Display, E: From<DeviceError>>(
        &self,
        device: &Device,
        task: Task<'_, P, impl Fn(&P, &P) -> bool>,
        mut run: impl FnMut(&P) -> Result<(), E>,
    ) -> bool {
        let Task { key, kernels, count, choice, stands_in } = task;
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
        let outcome = choice
            .refine_within(&how, stands_in, |parameters, first| timing::sample(device, first, || run(parameters)));
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

/// The refinement that a context of `device` begins with: measurements where compilers are a lottery, on the CPUs of
/// OpenCL, but not on a simulator, whose times say nothing.
pub(crate) fn usual(device: &Device) -> Option<Refinement> {
    let info = device.info();
    let simulator = info.name.to_lowercase().contains("oclgrind");
    (info.kind == DeviceKind::Cpu && !simulator).then(Refinement::default)
}

/// Notes what was measured; tells whether any of it is of these candidates.
fn note<P: Display>(choice: &mut Choice<P>, measured: &[(String, f64)], arrays: f64) -> bool {
    for (text, seconds) in measured {
        choice.note(|parameters| parameters.to_string() == *text, seconds * arrays);
    }
    choice.measured() > 0
}

/// A number that another text of the kernels or another version of this crate changes, by FNV-1a.
fn fingerprint(kernels: &[&'static KernelSpec]) -> u64 {
    let texts = kernels.iter().map(|spec| manycore_kernels::spliced(spec.unit));
    let all = texts.fold(env!("CARGO_PKG_VERSION").to_owned(), |all, text| all + &text);
    all.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
