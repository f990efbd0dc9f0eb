//! The context of spectral transforms.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use manycore_device::context::usual_refinement;
use manycore_device::{Context, Device};
use manycore_model::{Machine, Refinement};

use crate::haar::{self, cost::HaarPlan};
use crate::walsh::cost::{Arrays, OnDevice, OnHost, Pass};

/// Choices by operation and arrays.
type Kept<O, C> = HashMap<(O, Arrays), C>;

/// Spectral transforms on one device; keeps the kernels that it has built and the choices that it has made.
#[derive(Debug)]
pub struct Spectral {
    context: Context,
    passes: Mutex<Kept<OnDevice, Arc<[Pass]>>>,
    host_blocks: Mutex<Kept<OnHost, u32>>,
    haar_plans: Mutex<Kept<haar::cost::OnDevice, HaarPlan>>,
}

impl Spectral {
    /// A context for `device`, that chooses by the device's machine: the calibrated one if there is one. Kernels are built
    /// when they are first needed.
    ///
    /// On a CPU through OpenCL the choice is refined as by [`Spectral::measuring`] with the default [`Refinement`], and what
    /// was measured is kept in the folder of calibrations for later processes. It is never an error that nothing can be kept.
    pub fn new(device: &Device) -> Self {
        Self::of(Context::new(device))
    }

    /// A context that chooses as if the device were `machine`, by prediction alone; it reads and keeps no measurements.
    pub fn with_machine(device: &Device, machine: Machine) -> Self {
        Self::of(Context::with_machine(device, machine))
    }

    fn of(context: Context) -> Self {
        Self { context, passes: Mutex::default(), host_blocks: Mutex::default(), haar_plans: Mutex::default() }
    }

    /// The same context, that measures a few candidates at the first transform of a shape and takes the fastest, or with
    /// `None` goes by the model alone.
    ///
    /// Measured are the candidates that the [`Refinement`] names, on zeros in buffers of their own. For floating-point
    /// numbers only those are compared that add in the same order, so that a measurement never changes a result's bits;
    /// integers are exact in every way. Shapes whose numbers of arrays have the same power of two share a measurement, and
    /// while one thread measures, others go by the model. The transform itself then takes no longer than it would anyway;
    /// the first one takes up to [`Refinement::seconds`] more, and the building of the kernels.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_model::Refinement;
    /// use manycore_spectral::{Spectral, Walsh};
    /// let spectral = Spectral::new(&Device::host()).measuring(Refinement { most: 2, ..Refinement::default() });
    /// let choice = spectral.explain_walsh::<f32>(1 << 18, &Walsh::new())?;
    /// assert!(choice.best().measured_seconds.is_some());
    /// println!("{choice}"); // predicted and measured times
    /// # Ok::<(), manycore_spectral::SpectralError>(())
    /// ```
    #[must_use]
    pub fn measuring(self, refinement: impl Into<Option<Refinement>>) -> Self {
        Self::of(self.context.measuring(refinement.into()))
    }

    /// How far choices are refined by measurements; `None` where they are not.
    pub fn refinement(&self) -> Option<Refinement> {
        self.context.refinement()
    }

    /// The refinement that [`Spectral::new`] takes for `device`.
    pub fn usual_refinement(device: &Device) -> Option<Refinement> {
        usual_refinement(device)
    }

    /// The machine that choices are made for.
    pub fn machine(&self) -> &Machine {
        self.context.machine()
    }

    /// The device that it computes on.
    pub fn device(&self) -> &Device {
        self.context.device()
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// The passes kept for a transform, or those that `choose` gives; they are kept if it says so.
    pub(crate) fn passes<E>(
        &self,
        key: (OnDevice, Arrays),
        choose: impl FnOnce() -> Result<(Vec<Pass>, bool), E>,
    ) -> Result<Arc<[Pass]>, E> {
        kept(&self.passes, key, || choose().map(|(passes, keep)| (passes.into(), keep)))
    }

    /// The plan kept for a Haar transform, or that which `choose` gives.
    pub(crate) fn haar_plan<E>(
        &self,
        key: (haar::cost::OnDevice, Arrays),
        choose: impl FnOnce() -> Result<(HaarPlan, bool), E>,
    ) -> Result<HaarPlan, E> {
        kept(&self.haar_plans, key, choose)
    }

    /// The block size kept for a transform on the host, or that which `choose` gives.
    pub(crate) fn host_blocks<E>(
        &self,
        key: (OnHost, Arrays),
        choose: impl FnOnce() -> Result<(u32, bool), E>,
    ) -> Result<u32, E> {
        kept(&self.host_blocks, key, choose)
    }
}

/// What is kept under `key`, or what `choose` gives, kept if it says so. Choosing may take long and runs with nothing locked.
fn kept<O: Eq + Hash, C: Clone, E>(
    all: &Mutex<Kept<O, C>>,
    key: (O, Arrays),
    choose: impl FnOnce() -> Result<(C, bool), E>,
) -> Result<C, E> {
    let lock = || all.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = lock().get(&key) {
        return Ok(kept.clone());
    }
    let (chosen, keep) = choose()?;
    if keep {
        lock().insert(key, chosen.clone());
    }
    Ok(chosen)
}
