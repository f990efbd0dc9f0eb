//! The Haar transform: sums and differences of halves, at every scale.
//!
//! Coefficient 0 of the spectrum of `2^n` values is their sum; coefficient `2^j + q` is the sum of the first half of block `q`
//! of `2^(n - j)` values minus that of the second half (paper 001, equation 2 as corrected). The algorithm of constant geometry
//! (Algorithm 4) takes `2 * (2^n - 1)` additions and a second buffer and gives the standard order; the one in place
//! (Algorithm 3, ascending) leaves the coefficients amid the values that they tell of.
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the definition: specification and oracle |
//! | `host` | threads and SIMD |
//! | `device` | OpenCL orchestration |
//! | [`cost`] | the candidates, and what each one moves, computes and launches |

pub mod cost;
mod device;
mod host;
pub mod reference;

use manycore_device::{Device, DeviceError, Executor, HostPool, InPlace, Team, timing};
use manycore_tuning::Choice;

use crate::context::Spectral;
use crate::exact::{Of, Sums};
use crate::scalar::Scalar;
use crate::threads;
use crate::walsh::cost::Arrays;
use crate::walsh::{Direction, SpectralError, Walsh};
use cost::HaarPlan;
pub use manycore_arrays::orders::{HaarOrder, Normalization, ParseHaarError};

/// How a Haar transform is to be done.
///
/// ```
/// use manycore_spectral::{Haar, HaarOrder, Normalization};
/// let how = Haar::new().order(HaarOrder::InPlace).normalization(Normalization::Orthonormal).inverse().batch(1 << 10);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Haar {
    order: HaarOrder,
    normalization: Normalization,
    inverse: bool,
    transform_len: Option<usize>,
    plan: Option<HaarPlan>,
    wrapping: bool,
}

impl Haar {
    /// Forward, in standard order, of the whole buffer, not normalised.
    pub fn new() -> Self {
        Self::default()
    }

    /// The order of the spectrum: of the result, or of the input of an inverse.
    #[must_use]
    pub fn order(self, order: HaarOrder) -> Self {
        Self { order, ..self }
    }

    /// What the coefficients are multiplied by; other than [`Normalization::None`] for `f32` and `f64` only.
    #[must_use]
    pub fn normalization(self, normalization: Normalization) -> Self {
        Self { normalization, ..self }
    }

    /// The inverse: values from coefficients.
    #[must_use]
    pub fn inverse(self) -> Self {
        self.direction(Direction::Inverse)
    }

    /// Forward or inverse.
    #[must_use]
    pub fn direction(self, direction: Direction) -> Self {
        Self { inverse: direction == Direction::Inverse, ..self }
    }

    /// Transforms each run of `len` values by itself.
    #[must_use]
    pub fn batch(self, len: usize) -> Self {
        Self { transform_len: Some(len), ..self }
    }

    /// Integers are computed modulo 2^32 or 2^64, an inverse rounds down, and nothing is refused: sums are the caller's to bound.
    #[must_use]
    pub fn wrapping(self) -> Self {
        Self { wrapping: true, ..self }
    }

    /// By `plan` instead of the chosen one; the order becomes the plan's.
    #[must_use]
    pub fn by(self, plan: &HaarPlan) -> Self {
        Self { order: plan.order, plan: Some(*plan), ..self }
    }

    /// The same for lanes of `len` values: each whole, or cut into the runs that are asked for.
    #[cfg(feature = "ndarray")]
    pub(crate) fn for_lanes<T: Scalar>(&self, len: usize) -> Result<Self, SpectralError> {
        let how = Self { transform_len: Some(self.transform_len.unwrap_or(len)), ..self.clone() };
        how.log_len::<T>(len)?;
        Ok(how)
    }

    /// The sums of runs of `2^log_len` integers; `None` where they may wrap.
    fn sums(&self, log_len: u32) -> Option<Sums> {
        let direction = if self.inverse { Direction::Inverse } else { Direction::Forward };
        (!self.wrapping).then_some(Sums { log_len, of: Of::Haar(direction, self.order) })
    }

    fn log_len<T: Scalar>(&self, buffer_len: usize) -> Result<u32, SpectralError> {
        if self.normalization != Normalization::None && !T::TYPE.is_floating() {
            return Err(SpectralError::IntegerNormalization { element: T::NAME, normalization: self.normalization });
        }
        Walsh::new().batch(self.transform_len.unwrap_or(buffer_len)).log_len(buffer_len)
    }
}

impl Spectral {
    /// Transforms `x` in place: the whole of it, or each run of [`Haar::batch`] values.
    ///
    /// Integers are exact, or refused, unless they may be [wrapping](Haar::wrapping), as [`Spectral::walsh`] has it; coefficients of
    /// values 1 and -1 are at most `2^n` in absolute value. The inverse halves sums and differences. Floating-point numbers are sums of halves of halves, the same bits on every device; a normalised
    /// coefficient is rounded once more. The standard order needs a second buffer meanwhile, which on the host takes the place
    /// of a whole buffer, and is copied back to a slice or a part of a buffer.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_spectral::{Haar, Spectral};
    /// let spectral = Spectral::new(&Device::from_env()?);
    /// let mut x = [3i32, 1, 4, 1, 5, 9, 2, 6];
    /// spectral.haar(&mut x, &Haar::new())?;
    /// assert_eq!(x, [31, -13, -1, 6, 2, 3, -4, -4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Spectral::walsh`]; [`SpectralError::IntegerNormalization`] for normalised integers.
    pub fn haar<'a, T: Scalar>(&self, x: impl Into<InPlace<'a, T>>, how: &Haar) -> Result<(), SpectralError> {
        self.haar_in_place(x.into(), how)
    }

    #[inline(never)]
    pub(crate) fn haar_in_place<T: Scalar>(&self, x: InPlace<'_, T>, how: &Haar) -> Result<(), SpectralError> {
        self.device().accepts(&x)?;
        let sums = how.sums(how.log_len::<T>(x.len())?);
        self.exactly(x, sums, |x| self.haar_as_it_is(x, how))
    }

    /// The same where integers may wrap.
    #[inline(never)]
    pub(crate) fn haar_as_it_is<T: Scalar>(&self, x: InPlace<'_, T>, how: &Haar) -> Result<(), SpectralError> {
        self.device().accepts(&x)?;
        let log_len = how.log_len::<T>(x.len())?;
        if x.is_empty() || log_len == 0 {
            return Ok(());
        }
        self.device().in_steps(x, |x| match (self.device().executor(), x) {
            (Executor::Host(pool), x) => on_host(self, pool, x, log_len, how),
            (Executor::OpenCl(cl), InPlace::Buffer(x)) => device::run(self, cl, x, log_len, how),
            (Executor::OpenCl(_), _) => Err(DeviceError::elsewhere().into()),
        })
    }

    /// The Haar spectrum of `x`, which lies on the host: uploads, transforms and downloads.
    ///
    /// # Errors
    /// As [`Spectral::haar`].
    #[inline(never)]
    pub fn haar_of<T: Scalar>(&self, x: &[T], how: &Haar) -> Result<Vec<T>, SpectralError> {
        let sums = how.sums(how.log_len::<T>(x.len())?);
        self.exactly_of(x, sums, |buffer| self.haar_as_it_is(buffer.into(), how))
    }

    /// The choice that [`Spectral::haar`] takes for `len` values on this context's device, as
    /// [`Spectral::explain_walsh`].
    ///
    /// # Errors
    /// As [`Spectral::explain_walsh`].
    #[inline(never)]
    pub fn explain_haar<T: Scalar>(&self, len: usize, how: &Haar) -> Result<Choice<HaarPlan>, SpectralError> {
        let log_len = how.log_len::<T>(len)?;
        let arrays = Arrays { count: len >> log_len, log_len, element: T::TYPE };
        match self.device().executor() {
            Executor::Host(_) => {
                Ok(manycore_tuning::choose(&cost::OnHost { order: how.order }, &arrays, self.machine())?)
            }
            Executor::OpenCl(cl) => self.planner().choice(&device::transforms::<T>(self, cl, &arrays, how)?, &arrays),
        }
    }

    /// The seconds of a transform of `len` zeros, as [`Spectral::time_walsh`].
    ///
    /// # Errors
    /// As [`Spectral::haar`].
    #[inline(never)]
    pub fn time_haar<T: Scalar>(&self, len: usize, how: &Haar) -> Result<f64, SpectralError> {
        let mut x = self.device().zeros::<T>(len)?;
        timing::seconds(self.device(), || self.haar_as_it_is((&mut x).into(), how))
    }
}

/// Arrays of at most this many bytes are transformed by the calling thread.
const SERIAL_BYTES: usize = 512 << 10;

fn on_host<T: Scalar>(
    spectral: &Spectral,
    pool: &HostPool,
    x: InPlace<'_, T>,
    log_len: u32,
    how: &Haar,
) -> Result<(), SpectralError> {
    let len = 1 << log_len;
    let bytes = 2 * (x.len() * size_of::<T>()) as u64;
    let operations = 2 * x.len() as u64;
    let offset = how.normalization.offset(log_len);
    let team = pool.team().only_if(x.len() * size_of::<T>() > SERIAL_BYTES);
    let (outer, inner) =
        if len < host::SHARED_VALUES { (team, Team::ALONE) } else { threads::outer_and_inner(team, x.len() / len) };
    let some = len * host::TASK_VALUES.div_ceil(len);
    if how.order == HaarOrder::InPlace {
        let values = x.into_host()?;
        let each = |run: &mut [T]| host::in_place(run, how.inverse, offset, inner);
        let runs = || outer.each(values.chunks_mut(some), |runs| runs.chunks_exact_mut(len).for_each(each));
        pool.step("haar_in_place", bytes, operations, runs);
        return Ok(());
    }
    let mut scratch = spectral.device().scratch::<T>(x.len())?;
    // From one array to the other, and back to the first one where it is to have the result.
    let transform = |from: &mut [T], to: &mut [T], back: bool| {
        let each = |(from, to): (&mut [T], &mut [T])| {
            if how.inverse {
                host::inverse(from, to, offset, inner);
            } else {
                host::forward(from, to, offset, inner);
            }
            if back {
                let parts = from.chunks_mut(host::TASK_VALUES).zip(to.chunks(host::TASK_VALUES));
                inner.each(parts, |(from, to)| from.copy_from_slice(to));
            }
        };
        pool.step("haar", if back { 2 * bytes } else { bytes }, operations, || {
            outer.each(from.chunks_mut(some).zip(to.chunks_mut(some)), |(from, to)| {
                from.chunks_exact_mut(len).zip(to.chunks_exact_mut(len)).for_each(each);
            });
        });
    };
    match x {
        // A buffer takes the memory that has the result.
        InPlace::Buffer(x) => {
            transform(x.host_mut()?, scratch.host_mut()?, false);
            std::mem::swap(x, &mut scratch);
        }
        x => transform(x.into_host()?, scratch.host_mut()?, true),
    }
    Ok(())
}

/// The same on a device given for one call; a [`Spectral`] kept for several calls keeps its kernels.
///
/// # Errors
/// As [`Spectral::haar`].
pub fn haar<T: Scalar>(device: &Device, x: &[T], how: &Haar) -> Result<Vec<T>, SpectralError> {
    Spectral::new(device).haar_of(x, how)
}
