//! The Walsh-Hadamard transform.
//!
//! The transform of `2^n` values is `W x` with `W[w][x] = (-1)^popcount(w & x)` in Hadamard order, the `n`-fold
//! Kronecker power of `[[1, 1], [1, -1]]` (paper 001, equation 1 and Table 1). It takes `n * 2^n` additions and
//! subtractions. The inverse is the same transform divided by `2^n`.
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the definition, quadratic: specification and oracle |
//! | `how` | its options |
//! | `host` | threads and SIMD |
//! | `device` | OpenCL orchestration |
//! | `explain` | the choice of a plan, and measured seconds |
//! | `several` | several devices |
//! | [`cost`] | the candidates, and what each one moves, computes and launches |

pub(crate) mod butterfly;
pub mod cost;
pub(crate) mod device;
mod explain;
pub(crate) mod host;
mod how;
pub mod reference;
mod several;

use std::ops::Range;

use manycore_device::{Buffer, Device, HostPool, InPlace, WordType};
use manycore_tuning::Choice;

use crate::blocks::KroneckerPower;
use crate::context::Spectral;
pub use crate::error::SpectralError;
use crate::operation::OfZeros;
use crate::scalar::Scalar;
pub use butterfly::{Algorithm, Butterfly};
use cost::{Arrays, HostPlan};
pub use how::{Walsh, WalshPlan};
pub use manycore_arrays::orders::{Direction, Order, ParseOrderError};
pub use several::walsh_over;

impl Spectral {
    /// Transforms `x` in place: the whole of it, or each run of [`Walsh::batch`] values. It is a slice, a vector or an array,
    /// a buffer, or a part of a buffer ([`InPlace`]): the host transforms a slice where it lies, and for an OpenCL device it is
    /// uploaded and downloaded, in [blocks](Spectral::walsh_blocks) where it does not fit the device.
    ///
    /// Integers are exact: a spectrum that its type does not hold is refused before the work, and an inverse of what is no spectrum
    /// of integers after it, unless they may be [wrapping](Walsh::wrapping). The look at them takes a pass over memory that is
    /// read, an inverse a second one, and on an OpenCL device waits for the result of a launch. Takes `n * 2^n` additions for
    /// `2^n` values; constant geometry and orders other than Hadamard need a second buffer of the same size meanwhile.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_spectral::{Order, Spectral, Walsh};
    /// let spectral = Spectral::new(&Device::from_env()?);
    /// let mut x = [3i32, 1, 4, 1, 5, 9, 2, 6];
    /// spectral.walsh(&mut x, &Walsh::new().order(Order::Sequency))?;
    /// assert_eq!(x, [31, -13, -7, 5, -1, -1, 13, -3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SpectralError::NotPowerOfTwo`] and [`SpectralError::Batch`] for lengths; [`SpectralError::Overflow`], after which `x` is as it
    /// was, and [`SpectralError::Fraction`], after which what it holds is unspecified; [`SpectralError::Device`] for a buffer of
    /// another device, `f64` where the device has none, too little memory for the second buffer, or a failure.
    pub fn walsh<'a, T: Scalar>(&self, x: impl Into<InPlace<'a, T>>, how: &Walsh) -> Result<(), SpectralError> {
        self.walsh_in_place(x.into(), how)
    }

    #[inline(never)]
    pub(crate) fn walsh_in_place<T: Scalar>(&self, x: InPlace<'_, T>, how: &Walsh) -> Result<(), SpectralError> {
        self.device().accepts(&x)?;
        let sums = how.sums(how.log_len(x.len())?);
        self.exactly(x, sums, |x| self.transform(x, how))
    }

    /// The transform by the butterfly of `how`.
    #[inline(never)]
    pub(crate) fn transform<T: Scalar>(&self, x: InPlace<'_, T>, how: &Walsh) -> Result<(), SpectralError> {
        self.device().accepts(&x)?;
        let log_len = how.log_len(x.len())?;
        if x.is_empty() || log_len == 0 {
            return Ok(());
        }
        self.whole_or_blocks(x, log_len, how, |x| {
            self.device().in_place(
                x,
                |pool, x| on_host(self, pool, x, log_len, how),
                |cl, x| device::run(self, cl, x, log_len, how, as_on_host(how)),
            )
        })
    }

    /// The Walsh-Hadamard spectrum of `x`, which lies on the host: uploads, transforms and downloads.
    ///
    /// # Errors
    /// As [`Spectral::walsh`].
    #[inline(never)]
    pub fn walsh_of<T: Scalar>(&self, x: &[T], how: &Walsh) -> Result<Vec<T>, SpectralError> {
        let sums = how.sums(how.log_len(x.len())?);
        self.exactly_of(x, sums, |buffer| self.transform(buffer.into(), how))
    }

    /// The planner's choice on the host.
    pub(crate) fn host_choice<T: Scalar>(
        &self,
        arrays: &Arrays,
        how: &Walsh,
    ) -> Result<Choice<HostPlan>, SpectralError> {
        let costs = how.on_host();
        let family = costs.key(arrays);
        let run =
            |x: &mut Buffer<T>, plan: &HostPlan| self.transform(x.into(), &how.clone().by(&WalshPlan::Host(*plan)));
        self.planner().choice(&OfZeros::new(self.device(), family, costs, run, as_on_host(how)), arrays)
    }

    /// The base-2 logarithm of the bytes of the host's blocks that the planner chooses.
    fn chosen_log_block_bytes<T: Scalar>(&self, arrays: &Arrays, how: &Walsh) -> Result<u32, SpectralError> {
        self.log_block_bytes((how.on_host(), *arrays), || {
            Ok(self.host_choice::<T>(arrays, how)?.best().parameters.log_block_bytes)
        })
    }
}

impl<T: Scalar> KroneckerPower<T> for Walsh {
    fn whole(&self, spectral: &Spectral, x: InPlace<'_, T>, log_len: u32) -> Result<(), SpectralError> {
        spectral.transform(x, &self.clone().batch(1 << log_len))
    }

    fn part(
        &self,
        spectral: &Spectral,
        x: InPlace<'_, T>,
        bits: Range<u32>,
        log_len: u32,
    ) -> Result<(), SpectralError> {
        spectral.transform(x, &self.part_of(bits, log_len))
    }

    fn order(&self) -> Order {
        self.spectrum_order()
    }

    fn takes_order(&self) -> bool {
        false // the matrices are symmetric
    }

    fn commutes(&self) -> bool {
        !matches!(T::TYPE, WordType::F32 | WordType::F64)
    }
}

/// The transform of a buffer of the host, for proofs of plans.
fn as_on_host<T: Scalar>(how: &Walsh) -> impl Fn(&mut Buffer<T>) -> Result<(), SpectralError> {
    |x| Spectral::new(x.device()).transform(x.into(), how)
}

fn on_host<T: Scalar>(
    spectral: &Spectral,
    pool: &HostPool,
    values: &mut [T],
    log_len: u32,
    how: &Walsh,
) -> Result<(), SpectralError> {
    let [_, in_place_step, geometry_step, order_step] = how.butterfly.names();
    let scale = how.scale(log_len);
    let bytes = 2 * size_of_val(values) as u64;
    let operations = (values.len() >> log_len) as u64 * cost::operations(log_len);
    let in_place = how.algorithm_for_order() == Algorithm::CooleyTukey && how.order == Order::Hadamard;
    // Short arrays are one block whatever is chosen.
    let log_block_bytes = match how.log_block_bytes {
        None if size_of_val(values) > 1 << host::BLOCK_BYTES.start() => {
            let arrays = Arrays { count: values.len() >> log_len, log_len, element: T::TYPE };
            Some(spectral.chosen_log_block_bytes::<T>(&arrays, how)?)
        }
        given => given,
    };
    let mut scratch = if in_place { None } else { Some(spectral.device().scratch::<T>(values.len())?) };
    let scratch = scratch.as_mut().map(Buffer::host_mut).transpose()?;
    // One thread does a short transform in its cache sooner than several; a single block is for one anyway.
    let one_block = log_block_bytes.is_some_and(|log| size_of_val(values) <= 1 << log);
    let short = size_of_val(values) <= host::SERIAL_BYTES || one_block;
    let team = pool.team().only_if(scratch.is_some() || !short);
    let cooley_tukey = |values: &mut [T]| {
        host::cooley_tukey(how.butterfly, values, log_len, scale, log_block_bytes, team);
    };
    match (scratch, how.algorithm_for_order()) {
        (None, _) => pool.step(in_place_step, bytes, operations, || cooley_tukey(values)),
        (Some(scratch), Algorithm::ConstantGeometry) => pool.step(geometry_step, 2 * bytes, operations, || {
            host::constant_geometry(how.butterfly, values, scratch, log_len, how.order, scale, team);
        }),
        (Some(scratch), Algorithm::CooleyTukey) => {
            pool.step(in_place_step, bytes, operations, || cooley_tukey(values));
            pool.step(order_step, 2 * bytes, 0, || host::reorder(values, scratch, log_len, how.order, team));
        }
    }
    Ok(())
}

/// The transform on a device for one call; a [`Spectral`] caches its kernels for several calls.
///
/// # Errors
/// As [`Spectral::walsh`].
pub fn walsh_hadamard<T: Scalar>(device: &Device, x: &[T], how: &Walsh) -> Result<Vec<T>, SpectralError> {
    Spectral::new(device).walsh_of(x, how)
}
