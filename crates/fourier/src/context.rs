//! The context of all transforms on one device.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;

use manycore_device::{Buffer, Cache, Device};
use manycore_model::Machine;
use manycore_tuning::Planner;

use crate::error::FourierError;
use crate::numbers::Numbers;
use crate::transform::direction::Direction;
use crate::transform::plan::parameters::Plan;

/// A context of Fourier transforms on one device: a planner, and a cache of the plans used last with their roots and kernels.
///
/// See [`Fourier::forward`] and [`Fourier::convolve`].
pub struct Fourier {
    planner: Planner,
    plans: Cache<Key, dyn Any + Send + Sync>,
}

/// Plans in the cache, at most.
const MOST_PLANS: usize = 32;

/// The key of a plan in the cache. Those of few factors have no memory of their own: every call makes one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    /// The type, and the group of roots, which tells residues of different primes apart.
    numbers: (TypeId, u64),
    /// The first factors, and 0 for those that there are not; then all others.
    factors: ([u64; 4], Vec<u64>),
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
        let numbers = (TypeId::of::<N>(), numbers.group_of_roots());
        let mut first = [0; 4];
        let (few, others) = factors.split_at(first.len().min(factors.len()));
        first[..few.len()].copy_from_slice(few);
        Self { numbers, factors: (first, others.to_vec()), batch, direction, scaled, plan: plan.cloned() }
    }
}

impl fmt::Debug for Fourier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fourier").field("device", self.device()).finish_non_exhaustive()
    }
}

impl Fourier {
    /// A context of `device`, whose plans are chosen for the device's machine (the calibrated one where there is one) and in
    /// the device's mode ([`Device::tuning`]).
    pub fn new(device: &Device) -> Self {
        Self::of(Planner::new(device))
    }

    /// A context of `device`, whose plans are chosen by the estimate for `machine` alone.
    pub fn with_machine(device: &Device, machine: Machine) -> Self {
        Self::of(Planner::with_machine(device, machine))
    }

    fn of(planner: Planner) -> Self {
        Self { planner, plans: Cache::at_most(MOST_PLANS) }
    }

    /// The device that computes.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    /// The machine that plans are chosen for.
    pub fn machine(&self) -> &Machine {
        self.planner.machine()
    }

    pub(crate) fn on_host(&self) -> bool {
        self.planner.on_host()
    }

    /// The values of functions in the device's memory, after a check that they are numbers of this kind.
    ///
    /// # Errors
    /// [`FourierError::OutOfRange`] with the first that is no canonical residue; [`FourierError::Device`].
    #[inline(never)]
    pub fn upload<N: Numbers>(&self, numbers: &N, values: &[N::Value]) -> Result<Buffer<N::Word>, FourierError> {
        let words: &[N::Word] = bytemuck::cast_slice(values);
        numbers.check(words)?;
        Ok(self.device().upload(words)?)
    }

    /// Real functions as complex ones in the device's memory: the parts of `N` with zeros between them.
    ///
    /// # Errors
    /// [`FourierError::Device`].
    #[inline(never)]
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
    #[inline(never)]
    pub fn download<N: Numbers>(&self, numbers: &N, buffer: &Buffer<N::Word>) -> Result<Vec<N::Value>, FourierError> {
        let mut values: Vec<N::Value> = bytemuck::zeroed_vec(buffer.len() / N::WORDS);
        self.download_into(numbers, buffer, &mut values)?;
        Ok(values)
    }

    /// Copies the values in a buffer to `out`, as many as it takes, from the first on.
    ///
    /// # Errors
    /// [`FourierError::Device`] for an output of more values than the buffer has, and when the device failed.
    pub fn download_into<N: Numbers>(
        &self,
        _: &N,
        buffer: &Buffer<N::Word>,
        out: &mut [N::Value],
    ) -> Result<(), FourierError> {
        let words: &mut [N::Word] = bytemuck::cast_slice_mut(out);
        Ok(buffer.view(..words.len())?.read_into(words)?)
    }

    pub(crate) fn planner(&self) -> &Planner {
        &self.planner
    }

    /// The plan of `key` in the cache, or the one that `make` makes, which is then added.
    pub(crate) fn cached<T: Any + Send + Sync>(
        &self,
        key: Key,
        make: impl FnOnce() -> Result<T, FourierError>,
    ) -> Result<Arc<T>, FourierError> {
        self.plans.get_typed(key, || Ok((make()?, true)))
    }
}
