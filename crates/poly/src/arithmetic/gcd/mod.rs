//! Greatest common divisors (paper 002, chapter 9, corrected).
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | Euclid's algorithm by the definition: specification and oracle |
//! | `steps` | the steps that devices make, by the definition |
//! | `euclid`, `host` | Euclid's algorithm on slices of the host, for one pair and for many |
//! | `device` | steps on OpenCL devices, in chains of launches and in local memory |
//! | `half`, `half_matrix` | half-gcd: the quotients by divide and conquer, matrices of polynomials |
//! | `sums`, `half_products`, `half_spectra` | their products: the ring's, or on the host by spectra that several products share |
//! | `transition` | its base: the first quotients of a pair, and their matrix |
//! | `extended`, `inverse` | cofactors, inverses modulo a polynomial |
//! | `batch` | many pairs at once |
//! | `plan` | the algorithms and their parameters |
//! | [`cost`] | what each of them counts |

mod batch;
pub mod cost;
mod device;
pub(crate) mod euclid;
mod extended;
mod extended_verify;
pub(crate) mod half;
mod half_matrix;
mod half_products;
mod half_spectra;
mod host;
mod inverse;
pub(crate) mod plan;
pub mod reference;
mod steps;
pub(crate) mod sums;
pub(crate) mod transition;

use manycore_device::Executor;
use manycore_field::ResidueWord as _;
use manycore_tuning::{Asked, Choice, Costed, Operation, Proof, proof};

use crate::arithmetic::multiply::Batch;
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

use cost::WithHalf;

pub use batch::GcdBatch;
pub use extended::Xgcd;
pub use plan::{GcdAlgorithm, GcdPlan, GcdShape, Packing, Segments};
pub use steps::Steps;

impl<F: PolyField> PolyRing<F> {
    /// The monic greatest common divisor, by the algorithm that the planner chooses ([`PolyRing::explain_gcd`]); zero where
    /// both are zero. `O(n m)` products for `n` and `m` coefficients.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let (a, b) = (ring.poly(&[5, 11, 3, 17, 3, 3])?, ring.poly(&[35, 7, 12, 1, 1])?);
    /// assert_eq!(ring.coefficients(&ring.gcd(&a, &b)?)?, [5, 1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::MixedRings`]; [`PolyError::Device`] for too little memory or another device's polynomial;
    /// [`PolyError::NoChoice`] where no algorithm suits the device.
    #[inline(never)]
    pub fn gcd(&self, a: &Poly<F>, b: &Poly<F>) -> Result<Poly<F>, PolyError> {
        self.own(a)?;
        self.own(b)?;
        if let Some(divisor) = self.short_gcd(a, b)? {
            return Ok(divisor);
        }
        let (a, b) = if a.len < b.len { (b, a) } else { (a, b) };
        // Much longer polynomials are divided once first.
        if a.len / 2 >= b.len {
            return self.gcd(b, &self.rem(a, b)?);
        }
        let shape = GcdShape { count: 1, n: a.len, m: b.len };
        self.by_gcd_plan(&shape, |plan| self.gcd_by(a, b, plan))
    }

    /// The monic greatest common divisor in the way of `plan`, one of [`PolyRing::explain_gcd`]'s or of one's own.
    ///
    /// # Errors
    /// As [`PolyRing::gcd`]; [`PolyError::Gcd`] for a plan that the device does not have or that does not serve the lengths.
    #[inline(never)]
    pub fn gcd_by(&self, a: &Poly<F>, b: &Poly<F>, plan: &GcdPlan) -> Result<Poly<F>, PolyError> {
        self.own(a)?;
        self.own(b)?;
        if let Some(divisor) = self.short_gcd(a, b)? {
            return Ok(divisor);
        }
        match (plan, self.device().executor()) {
            (GcdPlan::Half { base }, _) => self.monic(&half::gcd(self, a, b, *base)?),
            (_, Executor::Host(pool)) => {
                self.gcd_on_host(plan)?;
                let divisor = host::gcd(self.field(), pool, a.host()?, b.host()?);
                Ok(self.exact(self.device().upload(&divisor)?, divisor.len()))
            }
            (_, Executor::OpenCl(cl)) => device::gcd(self, cl, a, b, plan),
        }
    }

    /// Fails for a plan that is not one of the host.
    fn gcd_on_host(&self, plan: &GcdPlan) -> Result<(), PolyError> {
        if matches!(plan, GcdPlan::Euclid | GcdPlan::Half { .. }) {
            return Ok(());
        }
        let reason = "it is for OpenCL devices".to_owned();
        Err(PolyError::Gcd { algorithm: plan.algorithm(), device: self.device().info().label(), reason })
    }

    /// The divisor where one polynomial is zero or a constant.
    fn short_gcd(&self, a: &Poly<F>, b: &Poly<F>) -> Result<Option<Poly<F>>, PolyError> {
        Ok(match (a.len, b.len) {
            (_, 0) => Some(self.monic(a)?),
            (0, _) => Some(self.monic(b)?),
            (1, _) | (_, 1) => Some(self.one()?),
            _ => None,
        })
    }

    /// The choice that is taken for polynomials of `n` and `m` coefficients on this ring's device: every algorithm and its
    /// parameters with an estimate, the chosen one first, and the origin of the choice. Where the device is to be measured
    /// ([`Device::tuned`](manycore_device::Device::tuned)) and such lengths were not yet, the candidates are measured now.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::host(), PrimeField::<u32>::new(469_762_049)?)?;
    /// println!("{}", ring.explain_gcd(1000, 1000)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::TooLong`] for lengths that no memory holds; [`PolyError::NoChoice`] where none suits the device;
    /// [`PolyError::Device`] when it cannot be opened.
    #[inline(never)]
    pub fn explain_gcd(&self, n: usize, m: usize) -> Result<Choice<GcdPlan>, PolyError> {
        self.explain_gcd_batch(&GcdShape { count: 1, n, m })
    }

    /// The choice that is taken for many pairs; as [`PolyRing::explain_gcd`].
    ///
    /// # Errors
    /// As [`PolyRing::explain_gcd`].
    #[inline(never)]
    pub fn explain_gcd_batch(&self, shape: &GcdShape) -> Result<Choice<GcdPlan>, PolyError> {
        Self::addressable(shape.count, [shape.n, shape.m], "a pair, or a batch of them,")?;
        match self.device().executor() {
            Executor::Host(_) => {
                let others = cost::OnHost { word_bytes: size_of::<F::Element>() as u32, order: self.field().order() };
                self.planner().choice(&WithHalf { others, ring: self }, shape)
            }
            Executor::OpenCl(cl) => {
                let others = device::operation(self, cl)?;
                self.planner().choice(&WithHalf { others, ring: self }, shape)
            }
        }
    }

    /// Asks for the plan of a shape.
    fn ask_gcd(&self, shape: &GcdShape) -> Result<Asked<'_, GcdPlan, PolyError>, PolyError> {
        Self::addressable(shape.count, [shape.n, shape.m], "a pair, or a batch of them,")?;
        Ok(match self.device().executor() {
            Executor::Host(_) => {
                let others = cost::OnHost { word_bytes: size_of::<F::Element>() as u32, order: self.field().order() };
                self.planner().ask(WithHalf { others, ring: self }, *shape)
            }
            Executor::OpenCl(cl) => {
                self.planner().ask(WithHalf { others: device::operation(self, cl)?, ring: self }, *shape)
            }
        })
    }

    /// Finds divisors by the plan that is taken for a shape.
    fn by_gcd_plan<R>(
        &self,
        shape: &GcdShape,
        run: impl FnMut(&GcdPlan) -> Result<R, PolyError>,
    ) -> Result<R, PolyError> {
        self.gcds.chosen.run(self.device(), *shape, |shape| self.ask_gcd(shape), run)
    }

    /// The polynomial over its leading coefficient; zero for zero.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn monic(&self, f: &Poly<F>) -> Result<Poly<F>, PolyError> {
        match self.leading(f)?.and_then(|c| self.field().inverse(c)) {
            Some(inverse) => self.scale(f, inverse),
            None => self.zero(),
        }
    }
}

/// Polynomials of a measurement.
enum Trial<F: PolyField> {
    One(Poly<F>, Poly<F>),
    Many(Batch<F>, Batch<F>),
}

impl<D: Costed<Size = GcdShape, Parameters = GcdPlan>, F: PolyField> Operation for WithHalf<'_, D, F> {
    type Costs = Self;
    type Trial = Trial<F>;
    type Error = PolyError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &Self {
        self
    }

    fn family(&self, _: &GcdShape) -> String {
        format!("gcd, {}", self.ring.arithmetic())
    }

    /// Lengths with the same power of two take the same plan.
    fn sizes(&self, shape: &GcdShape) -> Vec<usize> {
        vec![1 << shape.n.ilog2(), 1 << shape.m.ilog2()]
    }

    fn arrays(&self, shape: &GcdShape) -> usize {
        shape.count
    }

    fn is_empty(&self, shape: &GcdShape) -> bool {
        shape.n < 2 || shape.m < 2 || shape.count == 0
    }

    fn trial(&self, &GcdShape { count, n, m }: &GcdShape) -> Result<Trial<F>, PolyError> {
        let ring = self.ring;
        Ok(if count == 1 {
            Trial::One(ring.random(n, 1)?, ring.random(m, 2)?)
        } else {
            Trial::Many(ring.random_batch(count, n, 1)?, ring.random_batch(count, m, 2)?)
        })
    }

    fn try_plan(&self, _: &GcdShape, trial: &mut Trial<F>, plan: &GcdPlan) -> Result<(), PolyError> {
        match trial {
            Trial::One(a, b) => self.ring.gcd_by(a, b, plan).map(drop),
            Trial::Many(a, b) => self.ring.gcd_batch_by(a, b, Some(plan)).map(drop),
        }
    }

    /// Multiples of polynomials of a quarter of the shorter length.
    fn proof(&self, shape: &GcdShape, plan: &GcdPlan) -> Result<Proof, PolyError> {
        let GcdShape { n, m, .. } = *shape;
        let count = proof::few(shape.count, n + m);
        let words = (count as u64).saturating_mul((n + m) as u64);
        let log = u64::from(n.max(2).ilog2());
        let operations = words.saturating_mul((n.min(m) as u64).min(32 * log * log));
        if !proof::is_small(words, operations) {
            return Ok(Proof::TooLarge);
        }
        let (host, order) = (self.ring.proving()?, F::Element::from_u64(self.ring.field().order()));
        let known = |len: usize, seed: u64| {
            let mut words = proof::known_residues(order, len, seed);
            words.iter_mut().last().into_iter().for_each(|leading| *leading = host.field().one());
            host.poly(&words)
        };
        let common = n.min(m) / 4;
        let mut words = [Vec::new(), Vec::new()];
        for pair in 0..count as u64 {
            let divisor = known(common + 1, 3 * pair)?;
            for (i, (words, len)) in words.iter_mut().zip([n, m]).enumerate() {
                let multiple = host.mul(&divisor, &known(len - common, 3 * pair + 1 + i as u64)?)?;
                words.extend(host.coefficients(&multiple)?);
            }
        }
        let [a, b] = words;
        if count == 1 {
            let find = |ring: &PolyRing<F>, plan: Option<&GcdPlan>| {
                let (a, b) = (ring.poly(&a)?, ring.poly(&b)?);
                let found = plan.map_or_else(|| ring.gcd(&a, &b), |plan| ring.gcd_by(&a, &b, plan))?;
                ring.coefficients(&found)
            };
            return Ok(Proof::of_words(&find(self.ring, Some(plan))?, &find(&host, None)?));
        }
        let find = |ring: &PolyRing<F>, plan: Option<&GcdPlan>| {
            let found = ring.gcd_batch_by(&ring.batch(&a, count, n)?, &ring.batch(&b, count, m)?, plan)?;
            Ok::<_, PolyError>((found.lens().to_vec(), found.divisors().buffer().download()?))
        };
        let ((lens, found), (expected_lens, expected)) = (find(self.ring, Some(plan))?, find(&host, None)?);
        Ok(Proof::of_values(&lens, &expected_lens).and(Proof::of_words(&found, &expected)))
    }
}
