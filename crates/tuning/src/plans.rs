//! The plans of an operation by shape: each is chosen at its first use and watched.

use std::hash::Hash;
use std::sync::Arc;

use manycore_device::{Buffer, Cache, Device, DeviceError, Word};

use crate::proof::Asked;
use crate::watched::Watched;

/// Shapes that an operation keeps plans of, at most.
const MOST: usize = 1 << 12;

/// The plans that an operation takes, by shape: each is chosen at its first use, and [watched](Watched).
///
/// An operation does its work through [`Plans::run`] or [`Plans::run_in_place`], so that its choices are watched; what only
/// counts, or needs a plan that stays, takes [`Plans::plan`]. Nothing is locked while a choice is made.
///
/// ```
/// use manycore_device::{Buffer, Device, DeviceError};
/// use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Program};
/// use manycore_tuning::{Costed, NoChoice, Operation, Planner, Plans, Proof, proof};
///
/// /// Passes of so many elements.
/// struct Sums<'a>(&'a Device);
/// impl Costed for Sums<'_> {
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
/// # #[derive(Debug)] struct Failed;
/// # impl From<NoChoice> for Failed { fn from(_: NoChoice) -> Self { Self } }
/// # impl From<DeviceError> for Failed { fn from(_: DeviceError) -> Self { Self } }
/// # fn sum(x: &Buffer<u32>, pass: usize) -> Result<u32, Failed> {
/// #     Ok(x.download()?.chunks(pass).map(|part| part.iter().copied().fold(0, u32::wrapping_add)).fold(0, u32::wrapping_add))
/// # }
/// impl Operation for Sums<'_> {
///     type Costs = Self;
///     type Trial = Buffer<u32>;
///     type Error = Failed;
///     fn revision(&self) -> u64 { 1 }
///     fn costs(&self) -> &Self { self }
///     fn family(&self, _: &usize) -> String { "sums".to_owned() }
///     fn sizes(&self, &n: &usize) -> Vec<usize> { vec![n] }
///     fn trial(&self, &n: &usize) -> Result<Buffer<u32>, Failed> { Ok(self.0.zeros(n)?) }
///     fn try_plan(&self, _: &usize, x: &mut Buffer<u32>, &pass: &usize) -> Result<(), Failed> { sum(x, pass).map(drop) }
///     fn proof(&self, &n: &usize, &pass: &usize) -> Result<Proof, Failed> {
///         if !proof::is_small(n as u64, n as u64) {
///             return Ok(Proof::TooLarge);
///         }
///         let words = proof::known_words::<u32>(n, 1);
///         let found = sum(&self.0.upload(&words)?, pass)?;
///         Ok(Proof::of_values(&found, &words.iter().copied().fold(0, u32::wrapping_add)))
///     }
/// }
/// let (device, plans) = (Device::host(), Plans::<usize, usize>::default());
/// let planner = Planner::new(&device);
/// let ask = |&n: &usize| Ok(planner.ask(Sums(&device), n));
/// let x = device.upload(&[3u32; 1000])?;
/// assert_eq!(plans.run(&device, 1000, ask, |&pass| sum(&x, pass))?, 3000);
/// # Ok::<(), Failed>(())
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
    /// The watched plan of a shape, made of the choice of what `ask` asks ([`Planner::ask`](crate::Planner::ask)) at its first use.
    ///
    /// # Errors
    /// Those of `ask` and of the choice.
    pub fn watched<'a, E>(
        &self,
        shape: K,
        ask: impl FnOnce(&K) -> Result<Asked<'a, P, E>, E>,
    ) -> Result<Arc<Watched<P>>, E> {
        self.chosen.get_unlocked(shape, |shape| Ok(Watched::new(&ask(shape)?.choice()?)))
    }

    /// The plan that is taken for a shape now.
    ///
    /// # Errors
    /// As [`Plans::watched`].
    pub fn plan<'a, E>(&self, shape: K, ask: impl FnOnce(&K) -> Result<Asked<'a, P, E>, E>) -> Result<P, E> {
        Ok(self.watched(shape, ask)?.plan().clone())
    }

    /// Does the work of a shape by the plan that is taken, as [`Watched::run`].
    ///
    /// # Errors
    /// As [`Plans::watched`] and [`Watched::run`].
    pub fn run<'a, R, E: From<DeviceError>>(
        &self,
        device: &Device,
        shape: K,
        ask: impl Fn(&K) -> Result<Asked<'a, P, E>, E>,
        run: impl FnMut(&P) -> Result<R, E>,
    ) -> Result<R, E> {
        let again = shape.clone();
        let watched = self.watched(shape, &ask)?;
        watched.run(device, |plan| Ok(ask(&again)?.may_take(plan)), run)
    }

    /// Does the work of a shape in place by the plan that is taken, as [`Watched::run_in_place`].
    ///
    /// # Errors
    /// As [`Plans::watched`] and [`Watched::run_in_place`].
    pub fn run_in_place<'a, T: Word, R, E: From<DeviceError>>(
        &self,
        x: &mut Buffer<T>,
        shape: K,
        ask: impl Fn(&K) -> Result<Asked<'a, P, E>, E>,
        run: impl FnMut(&P, &mut Buffer<T>) -> Result<R, E>,
    ) -> Result<R, E> {
        let again = shape.clone();
        let watched = self.watched(shape, &ask)?;
        watched.run_in_place(x, |plan| Ok(ask(&again)?.may_take(plan)), run)
    }
}
