//! The ring of polynomials, which all operations share.

use std::sync::Arc;

use manycore_device::{Buffer, Defines, Device, Word as _};
use manycore_field::{Arithmetic, ResidueWord as _};
use manycore_model::Machine;
use manycore_ntt::cost::{SumCounts, fastest, sum_terms};
use manycore_tuning::{Planner, proof};

use crate::arithmetic::divide::plan::Divisions;
use crate::arithmetic::evaluate::cost::Blockings;
use crate::arithmetic::gcd::sums::GcdPlans;
use crate::arithmetic::multiply::multiplier::Multiplier;
use crate::arithmetic::series::weights::Weights;
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};

/// The ring of polynomials in one variable over a prime field, on one device: keeps kernels, tables and choices.
///
/// Polynomials lie in the device's memory and chains of operations do not return to the host; see [`Poly`].
///
/// ```
/// use manycore_device::Device;
/// use manycore_field::PrimeField;
/// use manycore_poly::PolyRing;
///
/// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
/// let f = ring.poly(&[3, 0, 5, 1])?; // 3 + 5 x^2 + x^3
/// let g = ring.poly(&[2, 6])?;
/// assert_eq!(ring.coefficients(&ring.mul(&f, &g)?)?, [6, 4, 3, 4, 6]);
/// assert_eq!(ring.evaluate(&f, 2)?, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PolyRing<F: PolyField> {
    planner: Arc<Planner>,
    field: F,
    /// How the device's kernels compute.
    arithmetic: Arithmetic,
    pub(crate) multiplier: Multiplier<F>,
    pub(crate) blockings: Blockings,
    pub(crate) divisions: Divisions,
    pub(crate) gcds: GcdPlans,
    pub(crate) weights: Weights<F::Element>,
}

impl<F: PolyField> PolyRing<F> {
    /// The ring over `field` on `device`, planned by the device's machine (the calibrated one if there is one) and its
    /// mode ([`Device::tuning`]). Kernels are built when they are first needed; every candidate of a choice gives the
    /// same bits.
    ///
    /// # Errors
    /// None now; kept for devices that prepare something.
    #[inline(never)]
    pub fn new(device: &Device, field: F) -> Result<Self, PolyError> {
        Ok(Self::of(Arc::new(Planner::new(device)), field))
    }

    /// The ring over `field` on `device`, planned as if the device were `machine`, by estimates alone; nothing is
    /// measured, read or kept.
    ///
    /// # Errors
    /// As [`PolyRing::new`].
    #[inline(never)]
    pub fn with_machine(device: &Device, machine: Machine, field: F) -> Result<Self, PolyError> {
        Ok(Self::of(Arc::new(Planner::with_machine(device, machine)), field))
    }

    /// The ring planned by a planner that others share, with its kernels.
    pub(crate) fn of(planner: Arc<Planner>, field: F) -> Self {
        let p = field.order();
        let sums = |arithmetic| SumCounts::of(arithmetic, sum_terms(arithmetic, p)).four;
        Self {
            arithmetic: fastest(&field.arithmetics(), planner.device(), planner.machine(), sums),
            multiplier: Multiplier::new(&planner, &field),
            blockings: Blockings::default(),
            divisions: Divisions::default(),
            gcds: GcdPlans::default(),
            weights: Weights::new(),
            planner,
            field,
        }
    }

    /// The ring with kernels that compute in `arithmetic` instead of the arithmetic of the best estimate; the bits of
    /// results do not depend on it. Products by transforms choose their own arithmetic.
    ///
    /// # Errors
    /// [`PolyError::Arithmetic`](PolyError) where its range does not hold the prime.
    #[inline(never)]
    pub fn with_arithmetic(mut self, arithmetic: Arithmetic) -> Result<Self, PolyError> {
        if !self.field.arithmetics().contains(&arithmetic) {
            return Err(PolyError::Arithmetic { arithmetic, p: self.field.order() });
        }
        self.arithmetic = arithmetic;
        self.multiplier.forget();
        self.blockings = Blockings::default();
        self.divisions = Divisions::default();
        self.gcds = GcdPlans::default();
        Ok(self)
    }

    /// The ring on the host, whose results are the reference in proofs of plans.
    pub(crate) fn proving(&self) -> Result<Self, PolyError> {
        Self::new(&proof::host(), self.field.clone())
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    /// The machine that choices are planned for.
    pub fn machine(&self) -> &Machine {
        self.planner.machine()
    }

    /// The field of the coefficients.
    pub fn field(&self) -> &F {
        &self.field
    }

    /// How the kernels of OpenCL devices compute.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// Fails unless the polynomial is one of this ring, on its device.
    pub(crate) fn own(&self, f: &Poly<F>) -> Result<(), PolyError> {
        if f.field.order() != self.field.order() {
            return Err(PolyError::MixedRings { expected: self.field.order(), given: f.field.order() });
        }
        Ok(self.device().same_as(f.buffer.device())?)
    }

    /// A number from a device, for lengths, indices and ends of loops, checked to be within its range.
    pub(crate) fn within(
        &self,
        what: &'static str,
        value: usize,
        range: std::ops::RangeInclusive<usize>,
    ) -> Result<usize, PolyError> {
        if range.contains(&value) {
            return Ok(value);
        }
        let device = self.device().info().label();
        Err(PolyError::Spoiled { device, what, value, least: *range.start(), most: *range.end() })
    }

    /// A polynomial whose leading coefficient, if `len` is not 0, is known not to be zero.
    pub(crate) fn exact(&self, buffer: Buffer<F::Element>, len: usize) -> Poly<F> {
        Poly { buffer, len, field: self.field.clone() }
    }

    /// Fails where `count` times as many coefficients as both lengths together cannot be addressed.
    pub(crate) fn addressable(count: usize, lens: [usize; 2], what: &'static str) -> Result<(), PolyError> {
        let words = lens.into_iter().try_fold(0, usize::checked_add).and_then(|words| words.checked_mul(count));
        let bytes = words.and_then(|words| words.checked_mul(size_of::<F::Element>()));
        bytes.filter(|&bytes| isize::try_from(bytes).is_ok()).map(|_| ()).ok_or(PolyError::TooLong { what })
    }

    /// Fails where a result of `len` coefficients and an operand of that length cannot be addressed, or have no room on the device.
    pub(crate) fn room(&self, len: usize, what: &'static str) -> Result<(), PolyError> {
        Self::addressable(2, [len, 0], what)?;
        Ok(self.device().has_room((2 * len * size_of::<F::Element>()) as u64)?)
    }

    /// The words that products need of the prime.
    pub(crate) fn modulus(&self) -> (F::Element, u64) {
        (F::Element::from_u64(self.field.order()), self.field.reciprocal(self.arithmetic))
    }

    /// The definitions that kernels of this ring are built with.
    pub(crate) fn defines(&self) -> Defines {
        self.arithmetic.define(Defines::new().element(F::Element::TYPE))
    }

    /// Products that kernels add between two reductions: 4 where the range has room, else 2.
    pub(crate) fn sum_terms(&self) -> u32 {
        sum_terms(self.arithmetic, self.field.order())
    }

    /// The planner, with the kernels built so far.
    pub(crate) fn planner(&self) -> &Arc<Planner> {
        &self.planner
    }
}
