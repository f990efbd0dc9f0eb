//! The context of all transforms on one device.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;

use manycore_device::context::Kept;
use manycore_device::{Buffer, Context, Device};
use manycore_model::{Machine, Refinement};

use crate::error::FourierError;
use crate::numbers::Numbers;
use crate::transform::{Direction, Plan};

/// What makes Fourier transforms on one device: keeps the plans used last, with their roots and kernels.
///
/// See [`Fourier::forward`] and [`Fourier::convolve`].
pub struct Fourier {
    context: Context,
    kept: Kept<Key, dyn Any + Send + Sync>,
}

/// So many plans are kept; one more, and all are let go.
const MOST_KEPT: usize = 32;

/// What a kept plan belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    numbers: (TypeId, String),
    factors: Vec<u64>,
    batch: usize,
    direction: Direction,
    scaled: bool,
    plan: Option<Plan>,
}

impl Key {
    pub(crate) fn new<N: Numbers>(
        numbers: &N,
        factors: &[u64],
        batch: usize,
        (direction, scaled): (Direction, bool),
        plan: Option<&Plan>,
    ) -> Self {
        let numbers = (TypeId::of::<N>(), numbers.name());
        Self { numbers, factors: factors.to_vec(), batch, direction, scaled, plan: plan.cloned() }
    }
}

impl fmt::Debug for Fourier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fourier").field("device", self.device()).finish_non_exhaustive()
    }
}

impl Fourier {
    /// A context of `device`, that chooses by the device's machine: the calibrated one if there is one.
    ///
    /// On a CPU through OpenCL the choice is refined as by [`Fourier::measuring`] with the default [`Refinement`], and what was
    /// measured is kept in the folder of calibrations for later processes. It is never an error that nothing can be kept.
    pub fn new(device: &Device) -> Self {
        Self::of(Context::new(device))
    }

    /// The same, choosing as if the device were `machine`, by prediction alone; it reads and keeps no measurements.
    pub fn with_machine(device: &Device, machine: Machine) -> Self {
        Self::of(Context::with_machine(device, machine))
    }

    fn of(context: Context) -> Self {
        Self { context, kept: Kept::at_most(MOST_KEPT) }
    }

    /// The same context, that measures a few plans at the first transform of a group and takes the fastest, or with `None` goes
    /// by the model alone. The last bits of floating-point results are those of the plan; residues are exact.
    #[must_use]
    pub fn measuring(self, refinement: impl Into<Option<Refinement>>) -> Self {
        Self::of(self.context.measuring(refinement.into()))
    }

    /// How far choices are refined by measurements; `None` where they are not.
    pub fn refinement(&self) -> Option<Refinement> {
        self.context.refinement()
    }

    /// The device that it computes on.
    pub fn device(&self) -> &Device {
        self.context.device()
    }

    /// The machine that choices are made for.
    pub fn machine(&self) -> &Machine {
        self.context.machine()
    }

    pub(crate) fn on_host(&self) -> bool {
        self.context.on_host()
    }

    /// The values of functions in the device's memory, after a check that they are numbers of this kind.
    ///
    /// # Errors
    /// [`FourierError::OutOfRange`] with the first that is no canonical residue; [`FourierError::Device`].
    pub fn upload<N: Numbers>(&self, numbers: &N, values: &[N::Value]) -> Result<Buffer<N::Word>, FourierError> {
        let words: &[N::Word] = bytemuck::cast_slice(values);
        numbers.check(words)?;
        Ok(self.device().upload(words)?)
    }

    /// Real functions as complex ones in the device's memory: the parts of `N` with zeros between them.
    ///
    /// # Errors
    /// [`FourierError::Device`].
    pub fn upload_real<N: Numbers>(&self, numbers: &N, values: &[N::Word]) -> Result<Buffer<N::Word>, FourierError> {
        numbers.check(values)?;
        let mut words: Vec<N::Word> = bytemuck::zeroed_vec(values.len() * N::WORDS);
        words.iter_mut().step_by(N::WORDS).zip(values).for_each(|(word, &value)| *word = value);
        Ok(self.device().upload(&words)?)
    }

    /// The values in a buffer.
    ///
    /// # Errors
    /// [`FourierError::Device`] when the device failed.
    pub fn download<N: Numbers>(&self, _: &N, buffer: &Buffer<N::Word>) -> Result<Vec<N::Value>, FourierError> {
        let mut values: Vec<N::Value> = bytemuck::zeroed_vec(buffer.len() / N::WORDS);
        let words: &mut [N::Word] = bytemuck::cast_slice_mut(&mut values);
        buffer.view(..words.len())?.read_into(words)?;
        Ok(values)
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// What is kept under `key`, or what `make` gives, which is then kept where it says so.
    pub(crate) fn kept<T: Any + Send + Sync>(
        &self,
        key: Key,
        make: impl FnOnce() -> Result<(T, bool), FourierError>,
    ) -> Result<Arc<T>, FourierError> {
        self.kept.get_typed(key, make)
    }
}
