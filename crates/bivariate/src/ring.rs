//! The ring of bivariate polynomials on one device, which all operations share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use manycore_device::{Defines, Device, Executor, Word as _};
use manycore_field::{Arithmetic, ResidueWord as _};
use manycore_ntt::cost::{SumCounts, fastest, sum_terms};
use manycore_ntt::{Kind, Ntt, SpectrumOrder};
use manycore_poly::PolyField;
use manycore_tuning::Planner;

use crate::error::BivariateError;
use crate::polynomial::Bivariate;
use crate::univariate::Univariate;

/// Fields whose bivariate systems are solved: [`PrimeField<u32>`](manycore_field::PrimeField),
/// [`PrimeField<u64>`](manycore_field::PrimeField) and [`Goldilocks`](manycore_field::Goldilocks).
pub trait BivariateField: PolyField {}

impl<F: PolyField> BivariateField for F {}

/// The ring of polynomials in `x` and `y` over a prime field, on one device: keeps kernels, transforms and choices.
///
/// Polynomials lie in the host's memory ([`Bivariate`]). Images at many points, their subresultants and the transforms back are
/// computed on the device; greatest common divisors of univariate polynomials on the host.
#[derive(Debug)]
pub struct BivariateRing<F: BivariateField> {
    planner: Arc<Planner>,
    field: F,
    /// How the device's kernels compute.
    arithmetic: Arithmetic,
    univariate: Univariate<F>,
    /// Transforms by the logarithm of their length.
    transforms: Mutex<HashMap<u32, Arc<Ntt<F>>>>,
}

impl<F: BivariateField> BivariateRing<F> {
    /// The ring over `field` on `device`.
    ///
    /// # Errors
    /// As [`PolyRing::new`](manycore_poly::PolyRing::new).
    #[inline(never)]
    pub fn new(device: &Device, field: F) -> Result<Self, BivariateError> {
        let host = match device.executor() {
            Executor::Host(_) => device.clone(),
            Executor::OpenCl(_) => Device::host(),
        };
        let planner = Arc::new(Planner::new(device));
        let sums = |arithmetic| SumCounts::of(arithmetic, sum_terms(arithmetic, field.order())).four;
        Ok(Self {
            arithmetic: fastest(&field.arithmetics(), device, planner.machine(), sums),
            planner,
            univariate: Univariate::new(&host, field.clone())?,
            field,
            transforms: Mutex::default(),
        })
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    /// The field of the coefficients.
    pub fn field(&self) -> &F {
        &self.field
    }

    pub(crate) fn univariate(&self) -> &Univariate<F> {
        &self.univariate
    }

    /// The transform of `2^log_len` values, spectra in natural order.
    pub(crate) fn transform(&self, log_len: u32) -> Result<Arc<Ntt<F>>, BivariateError> {
        let mut kept = self.transforms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ntt) = kept.get(&log_len) {
            return Ok(Arc::clone(ntt));
        }
        let ntt = Ntt::with_planner(&self.planner, &self.field, 1 << log_len, Kind::Cyclic)?;
        let ntt = Arc::new(ntt.with_order(SpectrumOrder::Natural));
        kept.insert(log_len, Arc::clone(&ntt));
        Ok(ntt)
    }

    /// The planner, with the kernels built so far.
    pub(crate) fn planner(&self) -> &Planner {
        &self.planner
    }

    /// The words that products on the device need of the prime.
    pub(crate) fn modulus(&self) -> (F::Element, u64) {
        (F::Element::from_u64(self.field.order()), self.field.reciprocal(self.arithmetic))
    }

    /// The definitions that kernels of this ring are built with.
    pub(crate) fn defines(&self) -> Defines {
        self.arithmetic.define(Defines::new().element(F::Element::TYPE))
    }

    /// Fails unless the polynomial is over the ring's field.
    pub(crate) fn own(&self, f: &Bivariate<F>) -> Result<(), BivariateError> {
        let (expected, given) = (self.field.order(), f.field().order());
        if expected == given { Ok(()) } else { Err(BivariateError::MixedFields { expected, given }) }
    }
}
