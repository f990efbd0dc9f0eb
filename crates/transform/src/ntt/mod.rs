//! The number-theoretic transform: the discrete Fourier transform over a prime field.
//!
//! `X[k]` is the sum of `x[j] w^(j k)` over `2^n` values, where `w` has the order `2^n` modulo `p`; products of spectra are
//! spectra of cyclic convolutions. The negacyclic transform takes `v^(j (2 k + 1))` with `v` of order `2^(n+1)` and
//! multiplies modulo `x^(2^n) + 1`. A transform takes `n * 2^(n-1)` butterflies.
//!
//! By default the forward transform leaves its spectrum in bit-reversed order and the inverse takes it in that order, so
//! that neither moves values more than its butterflies do; pointwise work does not mind. [`SpectrumOrder::Natural`] takes a
//! bit reversal more.
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the definition, quadratic: specification and oracle |
//! | `tables` | roots of unity as the kernels want them |
//! | `host` | threads and SIMD |
//! | `device` | OpenCL orchestration |
//! | `explain` | what the model says of a transform, and what it takes |
//! | `middle` | the passes of long transforms that other operations do not do themselves |
//! | `parts` | what parts a pass finds, and how it twists them |
//! | `products` | products on the host, without spectra in between |
//! | `reversal` | bit reversal, for natural order |
//! | `standard` | what a compiler made of an arithmetic, by a pass that is measured |
//! | [`truncated`] | transforms of any length |
//! | [`cost`] | the passes that a device takes, and what they cost |

pub mod cost;
mod device;
mod error;
mod explain;
mod host;
mod middle;
mod parts;
mod products;
pub mod reference;
mod reversal;
mod standard;
pub mod tables;
pub mod truncated;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use manycore_device::{Buffer, Context, Device, Executor, context};
use manycore_field::{Arithmetic, KernelField, PrimeField};
use manycore_model::{Machine, Refinement};

use cost::Plan;
pub use error::NttError;
pub use middle::{Columns, Middle};
pub use products::Rows;
pub use truncated::{TruncatedNtt, TruncatedSpectrum};

/// Which convolution a transform's products are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Modulo `x^len - 1`.
    #[default]
    Cyclic,
    /// Modulo `x^len + 1`.
    Negacyclic,
}

/// The order in which a spectrum stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum SpectrumOrder {
    /// `X[k]` at the place whose bits are those of `k` in reversed order.
    #[default]
    BitReversed,
    /// `X[k]` at place `k`.
    Natural,
}

/// Prime fields that have number-theoretic transforms on the host and on devices: [`PrimeField<u32>`], [`PrimeField<u64>`]
/// and [`Goldilocks`](manycore_field::Goldilocks).
pub trait NttField: KernelField + host::HostField {}

impl<F: KernelField + host::HostField> NttField for F {}

/// Forward or inverse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Way {
    /// From values to the spectrum in bit-reversed order.
    Forward,
    /// Back.
    Inverse,
}

/// Transforms of one length over one field on one device: keeps kernels, roots and the model's choices.
///
/// ```
/// use manycore_device::Device;
/// use manycore_field::PrimeField;
/// use manycore_transform::{Kind, Ntt};
/// let device = Device::from_env()?;
/// let field = PrimeField::<u32>::new(469_762_049)?;
/// let ntt = Ntt::new(&device, &field, 8, Kind::Cyclic)?;
/// let mut x = device.upload(&[1u32, 1, 0, 0, 0, 0, 0, 0])?;
/// ntt.forward(&mut x)?;
/// assert_eq!(x.download()?[..2], [2, 0]); // X[0] and X[4]: the order is bit-reversed
/// ntt.inverse(&mut x)?;
/// assert_eq!(x.download()?, [1, 1, 0, 0, 0, 0, 0, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Ntt<F: NttField = PrimeField<u32>> {
    context: Context,
    field: F,
    log_len: u32,
    kind: Kind,
    order: SpectrumOrder,
    /// The root of order `len`, or twice that for negacyclic transforms.
    root: F::Element,
    /// How the device's kernels compute.
    arithmetic: Arithmetic,
    /// How many times as long its operations take as the machine says.
    slowdowns: OnceLock<cost::Slowdowns>,
    device_tables: Mutex<HashMap<device::TableKey, Arc<device::Tables<F::Element>>>>,
    /// Launches that are ready: the passes taken last for each shape.
    steps: Mutex<HashMap<device::StepsKey, Arc<device::Steps<F::Element>>>>,
    host_tables: Mutex<Option<Arc<host::Tables<F>>>>,
    /// The model's choices on an OpenCL device.
    chosen: Mutex<HashMap<cost::Arrays, Arc<[cost::Pass]>>>,
}

impl<F: NttField> Ntt<F> {
    /// Transforms of `len` values modulo the field's prime on `device`, that choose by the device's machine: the calibrated
    /// one if there is one.
    ///
    /// On a CPU through OpenCL, whose compilers are a lottery, prices are corrected ([`Ntt::corrected`]) and choices refined
    /// as by [`Ntt::measuring`] with the default [`Refinement`]; what was measured is kept in the folder of calibrations for
    /// later processes. It is never an error that nothing can be kept.
    ///
    /// # Errors
    /// [`NttError::NotPowerOfTwo`]; [`NttError::NoRoot`] where `len` (twice `len` for negacyclic transforms) does not divide
    /// `p - 1`, with the largest power of two that does.
    pub fn new(device: &Device, field: &F, len: usize, kind: Kind) -> Result<Self, NttError> {
        Self::of(Context::new(device), field, len, kind)
    }

    /// The same, choosing as if the device were `machine`, by prediction alone; it reads and keeps no measurements.
    ///
    /// # Errors
    /// As [`Ntt::new`].
    pub fn with_machine(
        device: &Device,
        machine: Machine,
        field: &F,
        len: usize,
        kind: Kind,
    ) -> Result<Self, NttError> {
        Self::of(Context::with_machine(device, machine), field, len, kind)
    }

    fn of(context: Context, field: &F, len: usize, kind: Kind) -> Result<Self, NttError> {
        if !len.is_power_of_two() {
            return Err(NttError::NotPowerOfTwo { len });
        }
        let log_len = len.ilog2();
        let order = match kind {
            Kind::Cyclic => len as u64,
            Kind::Negacyclic => 2 * len as u64,
        };
        let p = field.order();
        let largest = 1u64 << field.two_adicity().min(63);
        if order > largest {
            return Err(NttError::NoRoot { order, p, largest });
        }
        let root = field.root_of_unity(order).map_err(|_| NttError::NoRoot { order, p, largest })?;
        Ok(Self {
            arithmetic: standard::fastest(&field.arithmetics(), &context),
            slowdowns: OnceLock::new(),
            context,
            field: field.clone(),
            log_len,
            kind,
            order: SpectrumOrder::BitReversed,
            root,
            device_tables: Mutex::default(),
            steps: Mutex::default(),
            host_tables: Mutex::default(),
            chosen: Mutex::default(),
        })
    }

    /// The same with spectra in `order`.
    #[must_use]
    pub fn with_order(mut self, order: SpectrumOrder) -> Self {
        self.order = order;
        self
    }

    /// The same with kernels that compute in `arithmetic` instead of the one that the model finds fastest; the results are
    /// the same bits.
    ///
    /// # Errors
    /// [`NttError::Arithmetic`] where its range does not hold the prime.
    pub fn with_arithmetic(mut self, arithmetic: Arithmetic) -> Result<Self, NttError> {
        if !self.field.arithmetics().contains(&arithmetic) {
            return Err(NttError::Arithmetic { arithmetic, p: self.field.order() });
        }
        self.set_arithmetic(arithmetic);
        Ok(self)
    }

    fn set_arithmetic(&mut self, arithmetic: Arithmetic) {
        self.arithmetic = arithmetic;
        self.slowdowns = OnceLock::new();
        self.device_tables = Mutex::default();
        self.steps = Mutex::default();
        self.chosen = Mutex::default();
    }

    /// The same, that measures a few candidates at the first transform of a shape and takes the fastest, or with `None` goes
    /// by the model alone: as [`Context::measuring`]. Every candidate gives the same bits.
    #[must_use]
    pub fn measuring(mut self, refinement: impl Into<Option<Refinement>>) -> Self {
        self.context = self.context.measuring(refinement.into());
        self.chosen = Mutex::default();
        self
    }

    /// How far choices are refined by measurements; `None` where they are not.
    pub fn refinement(&self) -> Option<Refinement> {
        self.context.refinement()
    }

    /// The refinement that [`Ntt::new`] takes for `device`.
    pub fn usual_refinement(device: &Device) -> Option<Refinement> {
        context::usual_refinement(device)
    }

    /// The same with the price of each arithmetic corrected by one measurement, as [`Ntt::new`] corrects it: on CPUs through
    /// OpenCL, and nowhere else. The arithmetic is chosen anew.
    ///
    /// Prices are counted in multiply-adds, which a compiler may vectorize where it does not vectorize modular butterflies.
    /// So one pass of a standard shape is measured for each arithmetic, and the prediction of every pass takes operations
    /// to last as many times longer as that one needs. Each number of values an item has one; a measurement takes about a
    /// second, for the building of its kernel, and its seconds are kept in the folder of calibrations for later processes; where it fails, prices stay as they are.
    #[must_use]
    pub fn corrected(mut self) -> Self {
        self.context = self.context.correcting();
        let arithmetic = standard::fastest(&self.field.arithmetics(), &self.context);
        self.set_arithmetic(arithmetic);
        self
    }

    /// How many times as long the operations of passes take as the machine's rates say, where that is measured; else 1. Whoever
    /// predicts [`cost::Pass::kernel`] gives that of the pass to [`Kernel::slowdown`](manycore_model::Kernel::slowdown).
    pub fn slowdowns(&self) -> cost::Slowdowns {
        *self.slowdowns.get_or_init(|| standard::slowdowns(&self.context, self.arithmetic))
    }

    /// How the kernels of OpenCL devices compute.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// The order of spectra.
    pub fn order(&self) -> SpectrumOrder {
        self.order
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.context.device()
    }

    /// The field.
    pub fn field(&self) -> &F {
        &self.field
    }

    /// Values of one transform.
    pub fn len(&self) -> usize {
        1 << self.log_len
    }

    /// Never: even the shortest transform has a value.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The root of unity of the definition: of order `len`, or `2 len` for negacyclic transforms.
    pub fn root(&self) -> F::Element {
        self.root
    }

    /// Transforms every run of `len` residues of `x` in place. In bit-reversed order place `i` gets `X[reversed(i)]`.
    ///
    /// The residues must be below `p`; the results are. Takes `n 2^(n-1)` butterflies for `2^n` values.
    ///
    /// # Errors
    /// [`NttError::Batch`] for a length; [`NttError::NoChoice`] where no way fits the device; [`NttError::Device`].
    pub fn forward(&self, x: &mut Buffer<F::Element>) -> Result<(), NttError> {
        self.run(x, Way::Forward, None)
    }

    /// The inverse of [`Ntt::forward`]: takes spectra in the same order.
    ///
    /// # Errors
    /// As [`Ntt::forward`].
    pub fn inverse(&self, x: &mut Buffer<F::Element>) -> Result<(), NttError> {
        self.run(x, Way::Inverse, None)
    }

    /// [`Ntt::forward`] in the way of `plan`, one of [`Ntt::explain`]'s or of one's own; the host has one way.
    ///
    /// # Errors
    /// As [`Ntt::forward`]; [`NttError::Passes`] for passes that do not make the transform.
    pub fn forward_by(&self, x: &mut Buffer<F::Element>, plan: &Plan) -> Result<(), NttError> {
        self.run(x, Way::Forward, Some(plan))
    }

    /// [`Ntt::inverse`] in the way of `plan`, taken backwards.
    ///
    /// # Errors
    /// As [`Ntt::forward_by`].
    pub fn inverse_by(&self, x: &mut Buffer<F::Element>, plan: &Plan) -> Result<(), NttError> {
        self.run(x, Way::Inverse, Some(plan))
    }

    fn arrays(&self, len: usize) -> Result<cost::Arrays, NttError> {
        if !len.is_multiple_of(self.len()) {
            return Err(NttError::Batch { buffer_len: len, len: self.len() });
        }
        Ok(cost::Arrays {
            count: len >> self.log_len,
            log_len: self.log_len,
            arithmetic: self.arithmetic,
            negacyclic: self.kind == Kind::Negacyclic,
            natural: self.order == SpectrumOrder::Natural,
        })
    }

    fn run(&self, x: &mut Buffer<F::Element>, way: Way, plan: Option<&Plan>) -> Result<(), NttError> {
        self.device().same_as(x.device())?;
        let arrays = self.arrays(x.len())?;
        // The transform of a single value is that value.
        if x.is_empty() || self.log_len == 0 {
            return Ok(());
        }
        match self.device().executor() {
            Executor::Host(pool) => {
                let tables = self.host_tables();
                let bytes = 2 * size_of::<F::Element>() as u64 * x.len() as u64;
                let operations = 3 * arrays.butterflies();
                if let Some(values) = x.as_host_mut() {
                    let team = pool.team().only_if(!arrays.is_serial());
                    pool.step("ntt", bytes, operations, || host::transform(self, &tables, values, way, team));
                }
                Ok(())
            }
            Executor::OpenCl(cl) => {
                if arrays.natural && way == Way::Inverse {
                    reversal::run(&self.context, cl, x, self.log_len)?;
                }
                device::run(self, cl, x, &arrays, way, plan)?;
                if arrays.natural && way == Way::Forward {
                    reversal::run(&self.context, cl, x, self.log_len)?;
                }
                Ok(())
            }
        }
    }

    /// The root of order `2^log_order`, or its inverse.
    fn root_of(&self, log_order: u32, way: Way) -> F::Element {
        let log_root = self.log_len + u32::from(self.kind == Kind::Negacyclic);
        let root = self.field.power(self.root, 1u64 << (log_root - log_order));
        match way {
            Way::Forward => root,
            Way::Inverse => self.field.inverse(root).unwrap_or(root),
        }
    }

    /// The inverse of the length.
    fn scale(&self) -> F::Element {
        let len = self.field.natural(self.len() as u64);
        // The length divides p - 1, so it is not 0 modulo p.
        self.field.inverse(len).unwrap_or(len)
    }

    fn host_tables(&self) -> Arc<host::Tables<F>> {
        let mut kept = self.host_tables.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(kept.get_or_insert_with(|| Arc::new(host::Tables::new(self))))
    }
}
