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
//! | `how` | its options |
//! | `host` | threads and SIMD |
//! | `device` | OpenCL orchestration |
//! | [`cost`] | the candidates, and what each one moves, computes and launches |

pub mod cost;
mod device;
mod host;
mod how;
pub mod reference;

use manycore_device::{Buffer, Device, DeviceError, Executor, HostPool, InPlace, Team, timing};
use manycore_tuning::Choice;

use crate::context::Spectral;
use crate::error::SpectralError;
use crate::scalar::Scalar;
use crate::threads;
use crate::walsh::cost::Arrays;
use cost::HaarPlan;
pub use how::Haar;
pub use manycore_arrays::orders::{HaarOrder, Normalization, ParseHaarError};

impl Spectral {
    /// Transforms `x` in place: the whole of it, or each run of [`Haar::batch`] values.
    ///
    /// Integers are exact, or refused, unless they may be [wrapping](Haar::wrapping), by the rules of [`Spectral::walsh`]; coefficients of
    /// values 1 and -1 are at most `2^n` in absolute value. The inverse halves sums and differences. Floating-point numbers are sums of
    /// halves of halves, the same bits on every device; a normalised coefficient is rounded once more. The standard order needs a second
    /// buffer meanwhile, which on the host takes the place of a whole buffer, and is copied back to a slice or a part of a buffer.
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

    /// The transform without a check of integers, which may wrap.
    #[inline(never)]
    pub(crate) fn haar_as_it_is<T: Scalar>(&self, x: InPlace<'_, T>, how: &Haar) -> Result<(), SpectralError> {
        self.device().accepts(&x)?;
        let log_len = how.log_len::<T>(x.len())?;
        if x.is_empty() || log_len == 0 {
            return Ok(());
        }
        self.device().in_steps(x, |x| match (self.device().executor(), x) {
            (Executor::Host(pool), x) => on_host(self, pool, x, log_len, how),
            (Executor::OpenCl(cl), InPlace::Buffer(x)) => device::run(self, cl, x, log_len, how, as_on_host(how)),
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
            Executor::OpenCl(cl) => {
                self.planner().choice(&device::transforms::<T>(self, cl, &arrays, how, as_on_host(how))?, &arrays)
            }
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

/// The transform of a buffer of the host, for proofs of what a device computes.
fn as_on_host<T: Scalar>(how: &Haar) -> impl Fn(&mut Buffer<T>) -> Result<(), SpectralError> {
    |x| Spectral::new(x.device()).haar_as_it_is(x.into(), how)
}

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
    let team = pool.team().only_if(x.len() * size_of::<T>() > host::SERIAL_BYTES);
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

/// The transform on a device for one call; a [`Spectral`] caches its kernels for several calls.
///
/// # Errors
/// As [`Spectral::haar`].
pub fn haar<T: Scalar>(device: &Device, x: &[T], how: &Haar) -> Result<Vec<T>, SpectralError> {
    Spectral::new(device).haar_of(x, how)
}
