//! Transforms of one length over one field on one device: parameters, caches, and the call.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use manycore_device::{Cache, Device, Executor, InPlace};
use manycore_field::{Arithmetic, PrimeField};
use manycore_model::Machine;
use manycore_tuning::Planner;

use crate::cost::{self, Plan};
use crate::kind::{Kind, SpectrumOrder, Way};
use crate::{NttError, device, host};

/// Prime fields that have number-theoretic transforms on the host and on devices: [`PrimeField<u32>`], [`PrimeField<u64>`]
/// and [`Goldilocks`](manycore_field::Goldilocks).
pub trait NttField: host::EngineField {}

impl<F: host::EngineField> NttField for F {}

/// Transforms of one length over one field on one device: keeps kernels, roots and choices.
///
/// ```
/// use manycore_device::Device;
/// use manycore_field::PrimeField;
/// use manycore_ntt::{Kind, Ntt};
/// let device = Device::from_env()?;
/// let field = PrimeField::<u32>::new(469_762_049)?;
/// let ntt = Ntt::new(&device, &field, 8, Kind::Cyclic)?;
/// let mut x = [1u32, 1, 0, 0, 0, 0, 0, 0];
/// ntt.forward(&mut x)?;
/// assert_eq!(x[..2], [2, 0]); // X[0] and X[4]: the order is bit-reversed
/// let mut x = device.upload(&x)?; // a buffer stays on the device between calls
/// ntt.inverse(&mut x)?;
/// assert_eq!(x.download()?, [1, 1, 0, 0, 0, 0, 0, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Ntt<F: NttField = PrimeField<u32>> {
    pub(crate) planner: Arc<Planner>,
    pub(crate) field: F,
    pub(crate) log_len: u32,
    pub(crate) kind: Kind,
    pub(crate) order: SpectrumOrder,
    /// The root of order `len`, or twice that for negacyclic transforms.
    pub(crate) root: F::Element,
    /// The arithmetic of the device's kernels.
    pub(crate) arithmetic: Arithmetic,
    pub(crate) device_tables: Cache<device::TableKey, device::Tables<F::Element>>,
    /// Launches that are ready, by direction, arrays and passes.
    pub(crate) steps: Planned<device::StepsKey>,
    pub(crate) middles: Planned<cost::Arrays>,
    pub(crate) host_tables: OnceLock<host::Tables<F>>,
    /// Choices on an OpenCL device.
    pub(crate) chosen: Cache<cost::Arrays, device::Chosen>,
}

/// A cache of plans and of what is made by them, which locks nothing while they are made: planning may measure.
pub(crate) type Planned<K> = Cache<K, dyn Any + Send + Sync>;

/// Entries of a cache of plans, at most.
const MOST_PLANS: usize = 256;

impl<F: NttField> Ntt<F> {
    /// Transforms of `len` values modulo the field's prime on `device`, planned by the device's machine (the calibrated
    /// one if there is one) and its mode ([`Device::tuning`]). Every candidate gives the same bits.
    ///
    /// # Errors
    /// [`NttError::NotPowerOfTwo`]; [`NttError::NoRoot`] where `len` (twice `len` for negacyclic transforms) does not divide
    /// `p - 1`, with the largest power of two that does.
    #[inline(never)]
    pub fn new(device: &Device, field: &F, len: usize, kind: Kind) -> Result<Self, NttError> {
        Self::with_planner(&Arc::new(Planner::new(device)), field, len, kind)
    }

    /// Transforms of `len` values modulo the field's prime on `device`, planned as if the device were `machine`, by
    /// estimates alone; nothing is measured, read or kept.
    ///
    /// # Errors
    /// As [`Ntt::new`].
    #[inline(never)]
    pub fn with_machine(
        device: &Device,
        machine: Machine,
        field: &F,
        len: usize,
        kind: Kind,
    ) -> Result<Self, NttError> {
        Self::with_planner(&Arc::new(Planner::with_machine(device, machine)), field, len, kind)
    }

    /// Transforms of `len` values modulo the field's prime, planned by `planner`, whose kernels several transforms
    /// share.
    ///
    /// # Errors
    /// As [`Ntt::new`].
    #[inline(never)]
    pub fn with_planner(planner: &Arc<Planner>, field: &F, len: usize, kind: Kind) -> Result<Self, NttError> {
        if !len.is_power_of_two() {
            return Err(NttError::NotPowerOfTwo { len });
        }
        let log_len = len.ilog2();
        let p = field.order();
        let largest = 1u64 << field.two_adicity().min(63);
        // No field has a root of order 2^63 or more.
        let order = match kind {
            Kind::Cyclic => len as u64,
            Kind::Negacyclic => (len as u64).saturating_mul(2),
        };
        if order > largest {
            return Err(NttError::NoRoot { order, p, largest });
        }
        let root = field.root_of_unity(order).map_err(|_| NttError::NoRoot { order, p, largest })?;
        let arithmetic = cost::fastest_butterflies(&field.arithmetics(), planner.device(), planner.machine());
        Ok(Self::of(planner, field, (log_len, kind, SpectrumOrder::BitReversed), root, arithmetic))
    }

    pub(crate) fn of(
        planner: &Arc<Planner>,
        field: &F,
        (log_len, kind, order): (u32, Kind, SpectrumOrder),
        root: F::Element,
        arithmetic: Arithmetic,
    ) -> Self {
        Self {
            planner: Arc::clone(planner),
            field: field.clone(),
            log_len,
            kind,
            order,
            root,
            arithmetic,
            device_tables: Cache::default(),
            steps: Cache::at_most(MOST_PLANS),
            middles: Cache::at_most(MOST_PLANS),
            host_tables: OnceLock::new(),
            chosen: Cache::at_most(MOST_PLANS),
        }
    }

    /// The transforms with caches of their own, which are dropped with them.
    pub(crate) fn apart(&self) -> Self {
        Self::of(&self.planner, &self.field, (self.log_len, self.kind, self.order), self.root, self.arithmetic)
    }

    /// The transforms with spectra in `order`.
    #[must_use]
    #[inline(never)]
    pub fn with_order(self, order: SpectrumOrder) -> Self {
        Self { order, ..self }.apart()
    }

    /// The transforms with kernels that compute in `arithmetic` instead of the arithmetic of the best estimate; the
    /// bits of results do not depend on it.
    ///
    /// # Errors
    /// [`NttError::Arithmetic`] where its range does not hold the prime.
    #[inline(never)]
    pub fn with_arithmetic(self, arithmetic: Arithmetic) -> Result<Self, NttError> {
        if !self.field.arithmetics().contains(&arithmetic) {
            return Err(NttError::Arithmetic { arithmetic, p: self.field.order() });
        }
        Ok(Self { arithmetic, ..self }.apart())
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
        self.planner.device()
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
    /// The residues must be below `p`; the results are. Takes `n 2^(n-1)` butterflies for `2^n` values. `x` is a slice, a vector
    /// or an array, a buffer, or a part of a buffer ([`InPlace`]): the host transforms a slice where it lies, and for an OpenCL
    /// device it is uploaded and downloaded, in [blocks](Ntt::blocks) where it does not fit the device.
    ///
    /// # Errors
    /// [`NttError::Batch`] for a length; [`NttError::NoChoice`] where no way fits the device; [`NttError::Device`].
    pub fn forward<'a>(&self, x: impl Into<InPlace<'a, F::Element>>) -> Result<(), NttError> {
        self.run(x.into(), Way::Forward, None)
    }

    /// The inverse of [`Ntt::forward`]: takes spectra in the same order.
    ///
    /// # Errors
    /// As [`Ntt::forward`].
    pub fn inverse<'a>(&self, x: impl Into<InPlace<'a, F::Element>>) -> Result<(), NttError> {
        self.run(x.into(), Way::Inverse, None)
    }

    /// [`Ntt::forward`] in the way of `plan`, one of [`Ntt::explain`]'s or of one's own; the host has one way.
    ///
    /// # Errors
    /// As [`Ntt::forward`]; [`NttError::Passes`] for passes that do not make the transform.
    pub fn forward_by<'a>(&self, x: impl Into<InPlace<'a, F::Element>>, plan: &Plan) -> Result<(), NttError> {
        self.run(x.into(), Way::Forward, Some(plan))
    }

    /// [`Ntt::inverse`] in the way of `plan`, taken backwards.
    ///
    /// # Errors
    /// As [`Ntt::forward_by`].
    pub fn inverse_by<'a>(&self, x: impl Into<InPlace<'a, F::Element>>, plan: &Plan) -> Result<(), NttError> {
        self.run(x.into(), Way::Inverse, Some(plan))
    }

    pub(crate) fn arrays(&self, len: usize) -> Result<cost::Arrays, NttError> {
        if !len.is_multiple_of(self.len()) {
            return Err(NttError::Batch { buffer_len: len, len: self.len() });
        }
        Ok(cost::Arrays {
            count: len >> self.log_len,
            log_len: self.log_len,
            arithmetic: self.arithmetic,
            // The transform of one value multiplies it by 1.
            negacyclic: self.kind == Kind::Negacyclic && self.log_len > 0,
            natural: self.order == SpectrumOrder::Natural,
        })
    }

    #[inline(never)]
    pub(crate) fn run(&self, x: InPlace<'_, F::Element>, way: Way, plan: Option<&Plan>) -> Result<(), NttError> {
        self.device().accepts(&x)?;
        let arrays = self.arrays(x.len())?;
        // The transform of a single value is that value.
        if x.is_empty() || self.log_len == 0 {
            return Ok(());
        }
        match (x, self.device().executor()) {
            (InPlace::Slice(words), Executor::OpenCl(_)) if plan.is_none() => self.at_once_or_in_blocks(words, way),
            (x, _) => self.at_once(x, &arrays, way, plan),
        }
    }

    pub(crate) fn at_once(
        &self,
        x: InPlace<'_, F::Element>,
        arrays: &cost::Arrays,
        way: Way,
        plan: Option<&Plan>,
    ) -> Result<(), NttError> {
        self.device().in_place(
            x,
            |pool, values| {
                let (bytes, operations) = (2 * size_of_val(values) as u64, 3 * arrays.butterflies());
                let alone = arrays.suit_one_processor(self.field.order(), self.planner.machine());
                let team = pool.team().only_if(!alone);
                pool.step("ntt", bytes, operations, || {
                    host::transform(self, self.host_tables(), values, way, team);
                });
                Ok(())
            },
            |cl, x| device::run(self, cl, x, arrays, way, plan),
        )
    }

    /// The root of order `2^log_order`, or its inverse.
    pub(crate) fn root_of(&self, log_order: u32, way: Way) -> F::Element {
        let log_root = self.log_len + u32::from(self.kind == Kind::Negacyclic);
        let root = self.field.power(self.root, 1u64 << (log_root - log_order));
        match way {
            Way::Forward => root,
            Way::Inverse => self.field.inverse(root).unwrap_or(root),
        }
    }

    /// The inverse of the length.
    pub(crate) fn scale(&self) -> F::Element {
        let len = self.field.natural(self.len() as u64);
        // The length divides p - 1, so it is not 0 modulo p.
        self.field.inverse(len).unwrap_or(len)
    }

    pub(crate) fn host_tables(&self) -> &host::Tables<F> {
        self.host_tables.get_or_init(|| host::Tables::new(self))
    }
}
