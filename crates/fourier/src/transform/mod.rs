//! Fourier transforms of functions on finite Abelian groups.
//!
//! `F[w] = sum_z f(z) conj(chi_w(z))` over the elements `z` of the group, and back `f(z) = (1 / N) sum_w F[w] chi_w(z)`. Elements
//! and characters have natural order, the first factor's digit being the most significant one, in and out.
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the definition: specification and oracle |
//! | `plan` | the group cut into stages: factors, pieces of cyclic lengths, chirps |
//! | `tables` | the roots that stages need |
//! | `filter` | the filters of chirps, transformed |
//! | `host`, `device` | the stages on threads, and as OpenCL kernels |
//! | [`cost`] | what the stages of a plan move, compute and launch |
//! | `choice` | measurements and proofs of plans |

mod choice;
pub mod cost;
pub(crate) mod device;
pub(crate) mod direction;
mod filter;
pub(crate) mod host;
pub(crate) mod plan;
pub mod reference;
mod tables;

use std::sync::Arc;

use manycore_characters::AbelianGroup;
use manycore_device::{DeviceError, Executor, InPlace};
use manycore_tuning::{Asked, Choice, Watched};

use crate::context::{Fourier, Key};
use crate::error::FourierError;
use crate::numbers::Numbers;
use choice::GroupTransforms;
use cost::{Shape, Transforms};
use device::prepare::DevicePart;
pub use direction::Direction;
use filter::filter;
use host::tables::HostPart;
use plan::build::{Build, build};
use plan::parameters::Limits;
pub use plan::parameters::Plan;
use plan::slots::Stages;

/// A plan with its roots, ready to run.
struct Ready<N: Numbers> {
    plan: Plan,
    /// The choice that the plan is of, on a device.
    watched: Option<Watched<Plan>>,
    first: usize,
    second: usize,
    parts: Parts<N>,
}

enum Parts<N: Numbers> {
    Host(Vec<HostPart<N>>),
    Device(Vec<DevicePart<N>>),
}

impl Fourier {
    /// The spectrum of functions on `group`, in place: `F[w] = sum_z f(z) conj(chi_w(z))`.
    ///
    /// `data` holds functions one after the other, each of the group's order in values; complex numbers are two words each, and
    /// residues are below the prime. It is a slice, a vector or an array of words, of pairs or of `num_complex::Complex`
    /// numbers, a buffer, or a part of a buffer ([`InPlace`]): the host transforms a slice where it lies, and for an OpenCL
    /// device it is uploaded and downloaded.
    ///
    /// `O(N log N)` operations for every group whose cyclic factors have small primes or roots for chirps.
    ///
    /// Complex results have a relative error in the 2-norm of about `2^-24 log2 N` (`f32`) or `2^-53 log2 N` (`f64`), chirps a
    /// few times that; residues are exact and the same on every device.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_fourier::{AbelianGroup, Complexes, Fourier};
    /// let fourier = Fourier::new(&Device::from_env()?);
    /// let (group, numbers) = (AbelianGroup::new(&[2, 3])?, Complexes::<f32>::new());
    /// let mut f = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0].map(|re| num_complex::Complex { re, im: 0.0 });
    /// fourier.forward(&group, &numbers, &mut f)?;
    /// assert_eq!(f.map(|value| value.re), [2.0, 2.0, 2.0, 0.0, 0.0, 0.0]);
    /// let mut f = fourier.upload_real(&numbers, &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0])?; // in the device's memory
    /// fourier.forward(&group, &numbers, &mut f)?;
    /// assert_eq!(fourier.download(&numbers, &f)?.iter().map(|value| value.re).sum::<f32>(), 6.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FourierError::Length`] for words that are no whole number of functions; [`FourierError::NoRoot`] for residues of a
    /// field that has no roots of the group's exponent; [`FourierError::Exponent`] for an exponent past `2^31`;
    /// [`FourierError::Device`] for a buffer of another device, too little memory, `f64` where the device has none, or a
    /// failure.
    pub fn forward<'a, N: Numbers>(
        &self,
        group: &AbelianGroup,
        numbers: &N,
        data: impl Into<InPlace<'a, N::Word>>,
    ) -> Result<Plan, FourierError> {
        self.run(group, numbers, (Direction::Forward, false), data.into(), None)
    }

    /// The functions of spectra on `group`, in place: `f(z) = (1 / N) sum_w F[w] chi_w(z)`.
    ///
    /// # Errors
    /// As [`Fourier::forward`].
    pub fn inverse<'a, N: Numbers>(
        &self,
        group: &AbelianGroup,
        numbers: &N,
        data: impl Into<InPlace<'a, N::Word>>,
    ) -> Result<Plan, FourierError> {
        self.run(group, numbers, (Direction::Inverse, true), data.into(), None)
    }

    /// A transform in either direction, by a plan of [`Fourier::explain_transform`] or the one that the planner chooses; gives
    /// the plan.
    ///
    /// # Errors
    /// As [`Fourier::forward`]; [`FourierError::Plan`] for a plan that does not suit the group.
    pub fn transform<'a, N: Numbers>(
        &self,
        group: &AbelianGroup,
        numbers: &N,
        direction: Direction,
        data: impl Into<InPlace<'a, N::Word>>,
        plan: Option<&Plan>,
    ) -> Result<Plan, FourierError> {
        let scaled = direction == Direction::Inverse;
        self.run(group, numbers, (direction, scaled), data.into(), plan)
    }

    /// The transform in a direction; an inverse one divides by the order if `scaled`.
    #[inline(never)]
    pub(crate) fn run<N: Numbers>(
        &self,
        group: &AbelianGroup,
        numbers: &N,
        (direction, scaled): (Direction, bool),
        data: InPlace<'_, N::Word>,
        plan: Option<&Plan>,
    ) -> Result<Plan, FourierError> {
        self.device().accepts(&data)?;
        let batch = batch::<N>(group, data.len())?;
        let key = Key::new(numbers, group.factors(), batch, (direction, scaled), plan);
        let ready = self.cached(key, || self.ready(group, numbers, batch, (direction, scaled), plan))?;
        if let Some(watched) = ready.watched.as_ref().filter(|watched| !watched.keeps_choice()) {
            let may_take = |plan: &Plan| Ok(self.ask(group, numbers, batch)?.may_take(plan));
            return self.device().in_steps(data, |data| match data {
                InPlace::Buffer(data) => watched.run_in_place(data, may_take, |plan, data| {
                    self.run(group, numbers, (direction, scaled), data.into(), Some(plan))
                }),
                _ => Err(DeviceError::elsewhere().into()),
            });
        }
        let scratch = |values: usize| self.device().scratch::<N::Word>(values * N::WORDS);
        // A context prepares for its own device.
        self.device().in_place(
            data,
            |pool, data| {
                let Parts::Host(parts) = &ready.parts else { return Err(DeviceError::elsewhere().into()) };
                let (mut first, mut second) = (scratch(ready.first)?, scratch(ready.second)?);
                let [data, first, second] =
                    [data, first.host_mut()?, second.host_mut()?].map(bytemuck::cast_slice_mut::<_, N::Value>);
                host::run(pool, numbers, parts, data, first, second);
                Ok(())
            },
            |cl, data| {
                let Parts::Device(parts) = &ready.parts else { return Err(DeviceError::elsewhere().into()) };
                let (mut first, mut second) = (scratch(ready.first)?, scratch(ready.second)?);
                device::run(cl, numbers, parts, data, &mut first, &mut second)
            },
        )?;
        Ok(ready.plan.clone())
    }

    fn limits<N: Numbers>(&self, numbers: &N) -> Limits {
        let processors = self.device().info().compute_units.max(1) as usize;
        Limits::new(numbers, self.on_host(), processors)
    }

    fn ready<N: Numbers>(
        &self,
        group: &AbelianGroup,
        numbers: &N,
        batch: usize,
        (direction, scaled): (Direction, bool),
        plan: Option<&Plan>,
    ) -> Result<Ready<N>, FourierError> {
        // What cannot be made is refused before anything is.
        numbers.powers(group.exponent(), direction, &mut std::iter::empty())?;
        let nothing = Plan { tile_values: 0, largest_dense: 0, powers_of_two: false, passes: Arc::default() };
        let mut watched = None;
        let plan = match plan {
            Some(plan) => plan.clone(),
            None if batch == 0 || group.order() == 1 => nothing,
            None => {
                let choice = self.ask(group, numbers, batch)?.choice()?;
                watched = (!self.on_host()).then(|| Watched::new(&choice));
                choice.best().parameters.clone()
            }
        };
        let what = Build { factors: group.factors(), batch, plan: plan.clone(), limits: self.limits(numbers) };
        let Stages { list, first, second } = if batch == 0 || group.order() == 1 {
            Stages::default()
        } else {
            let stages = build(&what, &|order| numbers.has_roots(order));
            if stages.names()[..] != plan.passes[..] {
                return Err(FourierError::Plan { plan: plan.to_string(), group: group.to_string() });
            }
            stages
        };
        let scale = scaled.then(|| numbers.reciprocal(group.order()));
        let filter = |n, length| filter(numbers, n, length, direction);
        let parts = tables::parts(numbers, list, direction, scale, &filter)?;
        let parts = match self.device().executor() {
            Executor::Host(_) => Parts::Host(host::tables::prepare(numbers, parts)),
            Executor::OpenCl(cl) => Parts::Device(device::prepare::prepare(cl, self.device(), numbers, parts)?),
        };
        Ok(Ready { plan, watched, first, second, parts })
    }

    /// The candidates for transforms of `count` functions on a group with their estimates, the chosen one first. Where the
    /// device's mode is [`TuningMode::Measure`](manycore_device::TuningMode::Measure), candidates that were not measured before
    /// are measured now.
    ///
    /// All candidates of residues give the same result. Of complex numbers only those are chosen that give the bits of the best
    /// estimate, so that results do not depend on the mode.
    ///
    /// # Errors
    /// [`FourierError::NoRoot`] for residues of a field without the roots; [`FourierError::NoChoice`] where no candidate fits the device;
    /// [`FourierError::TooLarge`].
    #[inline(never)]
    pub fn explain_transform<N: Numbers>(
        &self,
        group: &AbelianGroup,
        numbers: &N,
        count: usize,
    ) -> Result<Choice<Plan>, FourierError> {
        let (operation, shape) = self.operation(group, numbers, count)?;
        numbers.powers(group.exponent(), Direction::Forward, &mut std::iter::once(0))?;
        self.planner().choice(&operation, &shape)
    }

    /// Asks for the plan of transforms of `count` functions on a group.
    fn ask<'a, N: Numbers>(
        &'a self,
        group: &'a AbelianGroup,
        numbers: &'a N,
        count: usize,
    ) -> Result<Asked<'a, Plan, FourierError>, FourierError> {
        let (operation, shape) = self.operation(group, numbers, count)?;
        Ok(self.planner().ask(operation, shape))
    }

    fn operation<'a, N: Numbers>(
        &'a self,
        group: &'a AbelianGroup,
        numbers: &'a N,
        count: usize,
    ) -> Result<(GroupTransforms<'a, N>, Shape), FourierError> {
        let words = words::<N>(group, count)?;
        let processors = self.device().info().compute_units.max(1) as usize;
        let shape = Shape::new(group.factors(), count, numbers, (self.on_host(), processors));
        let local_bytes = match self.device().executor() {
            Executor::Host(_) => usize::MAX,
            Executor::OpenCl(cl) => cl.info().local_memory_bytes as usize,
        };
        let transforms = GroupTransforms {
            context: self,
            group,
            numbers,
            count,
            words,
            limits: self.limits(numbers),
            costs: Transforms { local_bytes },
            run: Self::run::<N>,
        };
        Ok((transforms, shape))
    }
}

/// The words of `count` functions on a group: so few that the numbers of values and operations of no plan overflow.
fn words<N: Numbers>(group: &AbelianGroup, count: usize) -> Result<usize, FourierError> {
    let bytes = u128::from(group.order()) * size_of::<N::Value>() as u128;
    // The limit holds for one function and for all of them: a batch of no functions is valid, too.
    if bytes.saturating_mul(count.max(1) as u128) > isize::MAX as u128 / 64 {
        return Err(FourierError::TooLarge { order: group.order() });
    }
    Ok(group.order() as usize * N::WORDS * count)
}

/// The number of functions in a buffer.
pub(crate) fn batch<N: Numbers>(group: &AbelianGroup, given: usize) -> Result<usize, FourierError> {
    let words = words::<N>(group, 1)?;
    if !given.is_multiple_of(words) {
        return Err(FourierError::Length { order: group.order(), words: words as u64, given });
    }
    Ok(given / words)
}
