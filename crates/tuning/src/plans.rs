//! The plans of an operation by shape: each is chosen at its first use and watched.

use std::hash::Hash;
use std::sync::Arc;

use manycore_device::{Buffer, Cache, Device, DeviceError, Word};

use crate::choose::Choice;
use crate::watched::Watched;

/// A choice with its candidates, for operations that tell it again and again, and the watched plan.
#[derive(Debug)]
pub struct Planned<P> {
    /// The choice as it was made.
    pub choice: Choice<P>,
    /// The plan that is taken.
    pub watched: Watched<P>,
}

impl<P: Clone> From<Choice<P>> for Planned<P> {
    fn from(choice: Choice<P>) -> Self {
        Self { watched: Watched::new(&choice), choice }
    }
}

/// Shapes that an operation keeps plans of, at most.
const MOST: usize = 1 << 12;

/// The plans that an operation takes, by shape: each is chosen at its first use, and [watched](Watched).
///
/// An operation does its work through [`Plans::run`] or [`Plans::run_in_place`], so that its choices are watched; what only
/// counts, or needs a plan that stays, takes [`Plans::plan`]. Nothing is locked while a choice is made.
///
/// ```
/// use manycore_device::{Device, DeviceError};
/// use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Program};
/// use manycore_tuning::{Costed, Plans, choose};
///
/// /// Passes of so many elements.
/// struct Sums;
/// impl Costed for Sums {
///     type Size = usize;
///     type Parameters = usize;
///     fn name(&self) -> &'static str { "sums" }
///     fn candidates(&self, _: &usize, _: &Machine) -> Vec<usize> { vec![64, 256] }
///     fn program(&self, &n: &usize, &pass: &usize, _: &Machine) -> Result<Program, DoesNotFit> {
///         let mut program = Program::new();
///         program.queue(Kernel::new("sum", 1).blocks(Blocks::even(n.div_ceil(pass) as u64, 1, pass as u64, 1, 0)))?;
///         Ok(program)
///     }
/// }
/// let (device, plans) = (Device::host(), Plans::<usize, usize>::default());
/// let choice = |n: &usize| choose(&Sums, n, &device.typical_machine()).map_err(|none| DeviceError::Unsupported {
///     device: none.machine, feature: none.operation.to_owned(),
/// });
/// let passes = plans.run(&device, 1000, choice, |pass| Ok::<_, DeviceError>(1000_usize.div_ceil(*pass)))?;
/// assert!([16, 4].contains(&passes));
/// # Ok::<(), DeviceError>(())
/// ```
#[derive(Debug)]
pub struct Plans<K, P> {
    chosen: Cache<K, Watched<P>>,
}

impl<K, P> Default for Plans<K, P> {
    /// Of 4096 shapes at most.
    fn default() -> Self {
        Self::at_most(MOST)
    }
}

impl<K, P> Plans<K, P> {
    /// Plans of `most` shapes at most; before one too many is added, all others are dropped.
    pub fn at_most(most: usize) -> Self {
        Self { chosen: Cache::at_most(most) }
    }
}

impl<K: Hash + Eq + Clone, P: Clone> Plans<K, P> {
    /// The watched plan of a shape, made of the choice of `choose` at its first use.
    ///
    /// # Errors
    /// Those of `choose`.
    pub fn watched<E>(&self, shape: K, choose: impl FnOnce(&K) -> Result<Choice<P>, E>) -> Result<Arc<Watched<P>>, E> {
        self.chosen.get_unlocked(shape, |shape| Ok(Watched::new(&choose(shape)?)))
    }

    /// The plan that is taken for a shape now.
    ///
    /// # Errors
    /// Those of `choose`.
    pub fn plan<E>(&self, shape: K, choose: impl FnOnce(&K) -> Result<Choice<P>, E>) -> Result<P, E> {
        Ok(self.watched(shape, choose)?.plan().clone())
    }

    /// Does the work of a shape by the plan that is taken, as [`Watched::run`].
    ///
    /// # Errors
    /// Those of `choose` and of [`Watched::run`].
    pub fn run<R, E: From<DeviceError>>(
        &self,
        device: &Device,
        shape: K,
        choose: impl FnOnce(&K) -> Result<Choice<P>, E>,
        run: impl FnMut(&P) -> Result<R, E>,
    ) -> Result<R, E> {
        self.watched(shape, choose)?.run(device, run)
    }

    /// Does the work of a shape in place by the plan that is taken, as [`Watched::run_in_place`].
    ///
    /// # Errors
    /// Those of `choose` and of [`Watched::run_in_place`].
    pub fn run_in_place<T: Word, R, E: From<DeviceError>>(
        &self,
        x: &mut Buffer<T>,
        shape: K,
        choose: impl FnOnce(&K) -> Result<Choice<P>, E>,
        run: impl FnMut(&P, &mut Buffer<T>) -> Result<R, E>,
    ) -> Result<R, E> {
        self.watched(shape, choose)?.run_in_place(x, run)
    }
}
