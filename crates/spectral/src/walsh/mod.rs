//! The Walsh-Hadamard transform.
//!
//! The transform of `2^n` values is `W x` with `W[w][x] = (-1)^popcount(w & x)` in Hadamard order, the `n`-fold
//! Kronecker power of `[[1, 1], [1, -1]]` (paper 001, equation 1 and Table 1). It takes `n * 2^n` additions and
//! subtractions. The inverse is the same transform divided by `2^n`.
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the definition, quadratic: specification and oracle |
//! | `host` | threads and SIMD |
//! | `device` | OpenCL orchestration |
//! | `explain` | the choice of a plan, and measured seconds |
//! | `several` | several devices |
//! | [`cost`] | the candidates, and what each one moves, computes and launches |

mod algorithm;
pub(crate) mod butterfly;
pub mod cost;
pub(crate) mod device;
mod explain;
pub(crate) mod host;
pub mod reference;
mod several;

use std::fmt;
use std::ops::Range;

use manycore_device::{Buffer, Device, DeviceError, HostPool, InPlace};

use crate::context::Spectral;
use crate::exact::{Of, Sums};
use crate::scalar::Scalar;
pub use algorithm::Algorithm;
pub use butterfly::Butterfly;
use cost::{Arrays, HostPlan, OnHost, Pass, Plan};
pub use manycore_arrays::orders::{Direction, Order, ParseOrderError};
pub use several::walsh_over;

/// How a Walsh-Hadamard transform is to be done.
///
/// ```
/// use manycore_spectral::{Order, Walsh};
/// let how = Walsh::new().order(Order::Sequency).inverse().batch(1 << 10);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walsh {
    order: Order,
    direction: Direction,
    algorithm: Option<Algorithm>,
    transform_len: Option<usize>,
    steps: Option<u32>,
    passes: Option<Vec<Pass>>,
    log_block_bytes: Option<u32>,
    butterfly: Butterfly,
    /// The base-2 logarithm of what the inverse divides by, where that is not its length.
    log_divisor: Option<u32>,
    wrapping: bool,
}

/// A plan of the transform: a candidate of [`Spectral::explain_walsh`], which [`Walsh::by`] makes a transform take.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WalshPlan {
    /// On the host.
    Host(HostPlan),
    /// On an OpenCL device.
    Device(Plan),
}

impl fmt::Display for WalshPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(plan) => plan.fmt(f),
            Self::Device(plan) => plan.fmt(f),
        }
    }
}

impl Walsh {
    /// Forward, in Hadamard order, of the whole buffer, by the algorithm that suits the order.
    pub fn new() -> Self {
        Self::default()
    }

    /// The order of the spectrum; all three matrices are symmetric, so an inverse takes its input in this order.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// The inverse: the transform divided by its length.
    #[must_use]
    pub fn inverse(self) -> Self {
        self.direction(Direction::Inverse)
    }

    /// Forward or inverse.
    #[must_use]
    pub fn direction(self, direction: Direction) -> Self {
        Self { direction, ..self }
    }

    /// The algorithm. Without this, Cooley-Tukey in place for Hadamard order and constant geometry for the others, which
    /// it produces without a permutation.
    #[must_use]
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm: Some(algorithm), ..self }
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

    /// At most so many steps of the constant geometry in one pass over memory on an OpenCL device; 1 is paper 001's form.
    #[must_use]
    pub fn steps_per_pass(self, steps: u32) -> Self {
        Self { steps: Some(steps), ..self }
    }

    /// The passes of the in-place algorithm on an OpenCL device, instead of the chosen ones: for experiments.
    #[must_use]
    pub fn passes(self, passes: Vec<Pass>) -> Self {
        Self { passes: Some(passes), ..self }
    }

    /// By `plan` instead of the chosen one; the algorithm becomes the plan's.
    #[must_use]
    pub fn by(self, plan: &WalshPlan) -> Self {
        match plan {
            WalshPlan::Host(plan) => {
                Self { algorithm: Some(plan.algorithm), log_block_bytes: Some(plan.log_block_bytes), ..self }
            }
            WalshPlan::Device(plan) => {
                let how = Self { algorithm: Some(plan.algorithm), ..self };
                match plan.algorithm {
                    // The bit reversal that may follow is no part of the cut.
                    Algorithm::CooleyTukey => {
                        let own = |pass: &&Pass| !matches!(pass, Pass::Geometry { .. });
                        Self { passes: Some(plan.passes.iter().take_while(own).copied().collect()), ..how }
                    }
                    Algorithm::ConstantGeometry => {
                        let steps = plan.passes.iter().map(|pass| match *pass {
                            Pass::Geometry { stages, butterflies: true, .. } => stages,
                            _ => 0,
                        });
                        Self { steps: steps.max(), ..how }
                    }
                }
            }
        }
    }

    /// The same passes with the butterfly of another transform.
    #[must_use]
    pub(crate) fn butterfly(self, butterfly: Butterfly) -> Self {
        Self { butterfly, ..self }
    }

    /// The order of the spectrum.
    pub(crate) fn spectrum_order(&self) -> Order {
        self.order
    }

    /// The part along the bits `bits` of the index of runs of `2^log_len` values, in natural order: the last part divides for all.
    pub(crate) fn part_of(&self, bits: Range<u32>, log_len: u32) -> Self {
        let is_last = bits.end == log_len;
        let direction = if is_last { self.direction } else { Direction::Forward };
        let log_divisor = is_last.then_some(log_len);
        let transform_len = Some(1 << bits.len());
        Self { direction, transform_len, butterfly: self.butterfly, log_divisor, ..Self::default() }
    }

    /// What the inverse of `2^log_len` values divides by, as a base-2 logarithm; `None` for the forward transform.
    fn scale(&self, log_len: u32) -> Option<u32> {
        (self.direction == Direction::Inverse).then_some(self.log_divisor.unwrap_or(log_len))
    }

    /// The transform on the host, for the planner.
    fn on_host(&self) -> OnHost {
        OnHost { butterfly: self.butterfly, order: self.order, algorithm: self.algorithm_for_order() }
    }

    /// The algorithm: the one given, else that which suits the order.
    pub fn algorithm_for_order(&self) -> Algorithm {
        self.algorithm.unwrap_or(match self.order {
            Order::Hadamard => Algorithm::CooleyTukey,
            Order::Sequency | Order::Dyadic => Algorithm::ConstantGeometry,
        })
    }

    /// The sums of runs of `2^log_len` integers; `None` where they may wrap.
    pub(crate) fn sums(&self, log_len: u32) -> Option<Sums> {
        (!self.wrapping).then_some(Sums { log_len, of: Of::Walsh(self.direction) })
    }

    /// Whether integers may wrap.
    pub(crate) fn is_wrapping(&self) -> bool {
        self.wrapping
    }

    /// The same for lanes of `len` values: each whole, or cut into the runs that are asked for.
    #[cfg(feature = "ndarray")]
    pub(crate) fn for_lanes(&self, len: usize) -> Result<Self, SpectralError> {
        let how = self.clone().batch(self.transform_len.unwrap_or(len));
        how.log_len(len)?;
        Ok(how)
    }

    /// Whether transforms along several axes are one of as many values as the axes have together.
    #[cfg(feature = "ndarray")]
    pub(crate) fn joins_axes(&self) -> bool {
        self.order == Order::Hadamard && self.transform_len.is_none()
    }

    /// The base-2 logarithm of one transform's length in a buffer of `buffer_len` values.
    pub(crate) fn log_len(&self, buffer_len: usize) -> Result<u32, SpectralError> {
        let len = self.transform_len.unwrap_or(buffer_len);
        if !len.is_power_of_two() {
            return Err(SpectralError::NotPowerOfTwo { len });
        }
        if !buffer_len.is_multiple_of(len) {
            return Err(SpectralError::Batch { buffer_len, len });
        }
        Ok(len.ilog2())
    }
}

/// Why a spectral transform was not done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpectralError {
    /// The definition needs a power of two, and padding with zeros would change the result.
    #[error("a spectral transform of {len} values: the length must be a power of two")]
    NotPowerOfTwo {
        /// The length of one transform.
        len: usize,
    },
    /// The buffer does not hold a whole number of transforms.
    #[error("{buffer_len} values do not make whole transforms of {len}")]
    Batch {
        /// The buffer's length.
        buffer_len: usize,
        /// The length of one transform.
        len: usize,
    },
    /// Packed words do not hold whole functions.
    #[error("{words} words of 64 values do not make whole functions of {variables} variables")]
    Packed {
        /// The words given.
        words: usize,
        /// The variables of one function.
        variables: u32,
    },
    /// Packed spectra have the natural order alone.
    #[error("packed Reed-Muller spectra are in natural order; unpack the values for another one")]
    PackedOrder,
    /// A dyadic shift or a polarity past the end.
    #[error("a dyadic shift or polarity {by:#x} of 2^{log_len} values: it must be below their number")]
    Shift {
        /// The shift.
        by: u64,
        /// The base-2 logarithm of the number of values.
        log_len: u32,
    },
    /// Normalised coefficients are irrational.
    #[error("{normalization} Haar coefficients of {element} values: they are no integers; take f32 or f64")]
    IntegerNormalization {
        /// The values' type.
        element: &'static str,
        /// What was asked for.
        normalization: crate::haar::Normalization,
    },
    /// A sum of integers is past their type.
    #[error(
        "{}: sums of its integers reach {sum}, past integers of {bits} bits; take wider ones or floating-point numbers, or `wrapping` \
         to compute modulo 2^{bits}",
        of_transform(*transform)
    )]
    Overflow {
        /// Which transform of a batch, from 0; `None` of lanes of an array.
        transform: Option<usize>,
        /// The sum.
        sum: i128,
        /// The bits of the type.
        bits: u32,
    },
    /// An inverse is not of integers.
    #[error(
        "{}: its input is no spectrum of integers, so that the inverse has fractions; take floating-point numbers, or `wrapping` to \
         round down",
        of_transform(*transform)
    )]
    Fraction {
        /// Which transform of a batch, from 0; `None` of lanes of an array and of values on an OpenCL device.
        transform: Option<usize>,
    },
    /// Passes given by hand do not make the transform.
    #[error("passes that do not make a transform of 2^{log_len} values: {reason}")]
    Passes {
        /// The base-2 logarithm of the transform's length.
        log_len: u32,
        /// What is wrong with them.
        reason: String,
    },
    /// Axes that the array does not have, or an output of another shape.
    #[cfg(feature = "ndarray")]
    #[error(transparent)]
    Axes(#[from] manycore_arrays::AxesError),
    /// No candidate fits the device.
    #[error(transparent)]
    NoChoice(#[from] manycore_tuning::NoChoice),
    /// The device failed, or the buffer is on another one.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

fn of_transform(transform: Option<usize>) -> String {
    transform.map_or_else(|| "a transform".to_owned(), |transform| format!("transform {transform}"))
}

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

    /// The same by the butterfly that `how` names.
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
                |cl, x| device::run(self, cl, x, log_len, how, device::on_host(how)),
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

    /// The base-2 logarithm of the bytes of the host's blocks that the planner chooses.
    fn chosen_log_block_bytes<T: Scalar>(&self, arrays: &Arrays, how: &Walsh) -> Result<u32, SpectralError> {
        self.log_block_bytes((how.on_host(), *arrays), || {
            Ok(self.host_choice::<T>(arrays, how)?.best().parameters.log_block_bytes)
        })
    }
}

/// Arrays of at most this many bytes are transformed in place by the calling thread.
pub(crate) const SERIAL_BYTES: usize = 64 << 10;

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
    let short = size_of_val(values) <= SERIAL_BYTES || one_block;
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

/// The same on a device given for one call; a [`Spectral`] kept for several calls keeps its kernels.
///
/// # Errors
/// As [`Spectral::walsh`].
pub fn walsh_hadamard<T: Scalar>(device: &Device, x: &[T], how: &Walsh) -> Result<Vec<T>, SpectralError> {
    Spectral::new(device).walsh_of(x, how)
}
