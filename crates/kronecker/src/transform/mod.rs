//! The transform: a product's matrix times vectors.
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the definition: specification and oracle |
//! | [`plan`] | how factors are split into passes over memory and rounds between registers |
//! | `exact` | integers: bounds of results, and exact divisions |
//! | `host`, `device` | the one primitive, a pass: threads and vectors, and OpenCL kernels |
//! | `geometry` | how a group of a device does a tile |
//! | [`cost`] | the candidates, and what their passes move, compute and launch |
//!
//! The factors' actions on different digits commute, so that passes may come in any order: the least significant digits are
//! done first.

pub mod cost;
mod device;
mod exact;
mod geometry;
mod host;
pub mod plan;
pub mod reference;

use std::hash::Hasher as _;

use fnv::FnvHasher;
use manycore_device::{Buffer, Executor, InPlace};
use manycore_tuning::{Asked, Choice, Operation, Proof, proof};

use crate::context::Kronecker;
use crate::error::KroneckerError;
use crate::factor::{Factor, LARGEST_SIGN_ORDER};
use crate::product::KroneckerProduct;
use crate::values::Values;
use cost::{Shape, Transforms};
use exact::Exact;
use host::Matrix;
pub use plan::{Limits, Plan};

/// A product's transform of a number of vectors at once, planned and with its kernels built, for many runs.
#[derive(Debug)]
pub struct Transform<'a, V: Values> {
    context: &'a Kronecker,
    values: V,
    plan: Plan,
    words: usize,
    /// By factor.
    matrices: Vec<Matrix<V>>,
    /// Of each pass.
    divisors: Vec<Option<V::Constant>>,
    launches: Vec<device::Pass>,
    /// Of integers that may not wrap, whose passes divide nothing.
    exact: Option<Exact>,
}

impl<V: Values> Transform<'_, V> {
    /// How it goes through memory.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Transforms vectors in place: see [`Kronecker::forward`].
    ///
    /// # Errors
    /// [`KroneckerError::Planned`] for data of another length; [`KroneckerError::Overflow`], after which the data are as they were, and
    /// [`KroneckerError::Fraction`], after which what they hold is unspecified; [`KroneckerError::Device`] for a buffer of another
    /// device, or a failure.
    pub fn run<'a>(&self, data: impl Into<InPlace<'a, V::Word>>) -> Result<(), KroneckerError> {
        self.run_in_place(data.into())
    }

    #[inline(never)]
    pub(crate) fn run_in_place(&self, data: InPlace<'_, V::Word>) -> Result<(), KroneckerError> {
        self.context.device().accepts(&data)?;
        if data.len() != self.words {
            return Err(KroneckerError::Planned { expected: self.words, given: data.len() });
        }
        if self.words == 0 {
            return Ok(());
        }
        match &self.exact {
            Some(exact) => exact.run(self.context.device(), data, |data| self.passes(data)),
            None => self.passes(data),
        }
    }

    /// All passes, as they are.
    fn passes(&self, data: InPlace<'_, V::Word>) -> Result<(), KroneckerError> {
        self.context.device().in_place(
            data,
            |pool, words| {
                let data: &mut [V::Value] = bytemuck::cast_slice_mut(words);
                for (pass, &divisor) in self.plan.passes.iter().zip(&self.divisors) {
                    let work = host::Work { values: &self.values, matrices: &self.matrices, pass, divisor };
                    host::pass(pool, &work, data);
                }
                Ok(())
            },
            |cl, data| {
                let count = data.len() / V::WORDS;
                let mut passes = self.plan.passes.iter().zip(&self.launches);
                passes.try_for_each(|(pass, launch)| launch.run(cl, &self.values, pass, count, data))
            },
        )
    }
}

impl Kronecker {
    /// Plans the transform of vectors of `product.order()` values each, `batch` of them one after the other in a buffer.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_kronecker::{Kronecker, Reals, parse};
    /// let kronecker = Kronecker::new(&Device::host());
    /// let transform = kronecker.transform(&parse(&Reals::<f32>::new(), "id x walsh")?, 1)?;
    /// let mut data = [1.0f32, 2.0, 3.0, 4.0];
    /// transform.run(&mut data)?;
    /// assert_eq!(data, [3.0, -1.0, 7.0, -1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`KroneckerError::Factor`] where a factor's divisor does not suit the ring; [`KroneckerError::NoChoice`] where no plan
    /// suits the device; [`KroneckerError::Device`] where kernels are not built, as for `f64` where the device has none.
    #[inline(never)]
    pub fn transform<V: Values>(
        &self,
        product: &KroneckerProduct<V>,
        batch: usize,
    ) -> Result<Transform<'_, V>, KroneckerError> {
        words(product, batch)?;
        let plan = self.plans.plan(Shape::of(product, batch), |_| self.ask(product, batch))?;
        self.transform_by(product, batch, plan)
    }

    /// The plan of a product within limits of the caller's, for tuning: rounds and matrices are as many as the device takes.
    ///
    /// A tile that does not fit the device's local memory is refused when kernels are built or launched.
    #[inline(never)]
    pub fn plan_within<V: Values>(&self, product: &KroneckerProduct<V>, limits: &Limits) -> Plan {
        let most = Transforms { on_host: self.on_host() }.most_parts();
        let positive = |n: usize| n.max(1);
        let limits = Limits {
            tile: positive(limits.tile),
            columns: positive(limits.columns),
            registers: limits.registers.min(LARGEST_SIGN_ORDER),
            rounds: limits.rounds.min(most),
            matrices: limits.matrices.min(most),
        };
        Plan::new(&Shape::of(product, 0).digits, &limits)
    }

    /// The transform by a given plan: one of [`Kronecker::explain`]'s candidates, or one of [`Kronecker::plan_within`].
    ///
    /// # Errors
    /// As [`Kronecker::transform`]; [`KroneckerError::Plan`] for a plan of another product, or of a context of another kind.
    #[inline(never)]
    pub fn transform_by<V: Values>(
        &self,
        product: &KroneckerProduct<V>,
        batch: usize,
        plan: Plan,
    ) -> Result<Transform<'_, V>, KroneckerError> {
        let values = product.values().clone();
        let words = words(product, batch)?;
        let most = Transforms { on_host: self.on_host() }.most_parts();
        if !plan.suits(&Shape::of(product, 0).digits, most) {
            return Err(KroneckerError::Plan);
        }
        let exact = Exact::new(product)?;
        let undivided = exact.as_ref().map(|_| product.undivided());
        let product = undivided.as_ref().unwrap_or(product);
        let matrices = product.factors().iter().map(|factor| Matrix::new(&values, factor)).collect();
        let mut divisors = Vec::new();
        let mut launches = Vec::new();
        for pass in &plan.passes {
            let by = product.divisor_of(&pass.factors)?;
            divisors.push((by != 1).then(|| values.divisor(by)).flatten());
            if let Executor::OpenCl(cl) = self.device().executor()
                && words > 0
            {
                launches.push(device::Pass::new(self, cl, product, pass, by)?);
            }
        }
        Ok(Transform { context: self, values, plan, words, matrices, divisors, launches, exact })
    }

    /// Multiplies each vector of `data` by the product's matrix, in place: `y(r) = sum_c A(r, c) x(c)`.
    ///
    /// `data` holds whole vectors of `product.order()` values, complex numbers as two words; residues are canonical. It is a
    /// slice, a vector or an array of words, of pairs or of `num_complex::Complex` numbers, a buffer, or a part of a buffer
    /// ([`InPlace`]): the host transforms a slice where it lies, and for an OpenCL device it is uploaded and downloaded. About
    /// `N` times the sum of the orders of the factors that are no identities in operations, instead of `N^2`. Integers are
    /// exact: results that the type does not hold are refused before the work, and quotients of an inverse that are no integers after
    /// it, unless they may be [wrapping](KroneckerProduct::wrapping); the look at them is a pass over memory that is read. Results
    /// modulo a prime and of integers are the same on every device, floating-point ones differ by rounding where products occur,
    /// and only there.
    ///
    /// # Errors
    /// [`KroneckerError::Length`]; else as [`Kronecker::transform`] and [`Transform::run`].
    pub fn forward<'a, V: Values>(
        &self,
        product: &KroneckerProduct<V>,
        data: impl Into<InPlace<'a, V::Word>>,
    ) -> Result<(), KroneckerError> {
        self.forward_in_place(product, data.into())
    }

    #[inline(never)]
    pub(crate) fn forward_in_place<V: Values>(
        &self,
        product: &KroneckerProduct<V>,
        data: InPlace<'_, V::Word>,
    ) -> Result<(), KroneckerError> {
        self.device().accepts(&data)?;
        let vector = product.order() * V::WORDS;
        if !data.len().is_multiple_of(vector) {
            return Err(KroneckerError::Length { given: data.len(), vector, order: product.order() });
        }
        let batch = data.len() / vector;
        let ask = |_: &Shape| self.ask(product, batch);
        self.device().in_steps(data, |data| match data {
            InPlace::Buffer(data) if !self.on_host() => {
                self.plans.run_in_place(data, Shape::of(product, batch), ask, |plan, data| {
                    self.transform_by(product, batch, plan.clone())?.run_in_place(data.into())
                })
            }
            data => self.transform(product, batch)?.run_in_place(data),
        })
    }

    /// Multiplies by the inverse matrix, in place; see [`KroneckerProduct::inverse`] for what integers must fit.
    ///
    /// # Errors
    /// As [`Kronecker::forward`] and [`KroneckerProduct::inverse`].
    pub fn inverse<'a, V: Values>(
        &self,
        product: &KroneckerProduct<V>,
        data: impl Into<InPlace<'a, V::Word>>,
    ) -> Result<(), KroneckerError> {
        self.forward(&product.inverse()?, data)
    }

    /// Multiplies by the transposed matrix, in place.
    ///
    /// # Errors
    /// As [`Kronecker::forward`].
    pub fn transpose<'a, V: Values>(
        &self,
        product: &KroneckerProduct<V>,
        data: impl Into<InPlace<'a, V::Word>>,
    ) -> Result<(), KroneckerError> {
        self.forward(&product.transposed(), data)
    }

    /// The choice that [`Kronecker::forward`] takes for `batch` vectors on this context's device: every candidate with
    /// its estimate, the chosen one first, and the origin of the choice. Where the device is to be measured
    /// ([`Device::tuned`](manycore_device::Device::tuned)) and this product was not yet, its candidates are measured
    /// now.
    ///
    /// # Errors
    /// [`KroneckerError::NoChoice`] where no candidate fits the device; [`KroneckerError::Batch`] for too many vectors.
    #[inline(never)]
    pub fn explain<V: Values>(
        &self,
        product: &KroneckerProduct<V>,
        batch: usize,
    ) -> Result<Choice<Plan>, KroneckerError> {
        words(product, batch)?;
        let costs = Transforms { on_host: self.on_host() };
        self.planner().choice(&BatchTransforms { context: self, product, batch, costs }, &Shape::of(product, batch))
    }

    /// Asks for the plan of `batch` vectors.
    fn ask<'a, V: Values>(
        &'a self,
        product: &'a KroneckerProduct<V>,
        batch: usize,
    ) -> Result<Asked<'a, Plan, KroneckerError>, KroneckerError> {
        words(product, batch)?;
        let costs = Transforms { on_host: self.on_host() };
        Ok(self.planner().ask(BatchTransforms { context: self, product, batch, costs }, Shape::of(product, batch)))
    }
}

/// Transforms of a number of vectors by a product.
struct BatchTransforms<'a, V: Values> {
    context: &'a Kronecker,
    product: &'a KroneckerProduct<V>,
    batch: usize,
    costs: Transforms,
}

impl<'a, V: Values> Operation for BatchTransforms<'a, V> {
    type Costs = Transforms;
    /// Vectors, and the transform that was made ready last.
    type Trial = (Buffer<V::Word>, Option<Transform<'a, V>>);
    type Error = KroneckerError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &Transforms {
        &self.costs
    }

    fn family(&self, shape: &Shape) -> String {
        shape.key()
    }

    fn sizes(&self, _: &Shape) -> Vec<usize> {
        Vec::new()
    }

    fn arrays(&self, _: &Shape) -> usize {
        self.batch
    }

    fn is_empty(&self, _: &Shape) -> bool {
        self.batch == 0
    }

    fn trial(&self, _: &Shape) -> Result<Self::Trial, KroneckerError> {
        Ok((self.context.device().zeros(words(self.product, self.batch)?)?, None))
    }

    fn try_plan(&self, _: &Shape, (data, ready): &mut Self::Trial, plan: &Plan) -> Result<(), KroneckerError> {
        match ready {
            Some(transform) if transform.plan == *plan => transform.run_in_place(data.into()),
            other => {
                let product = self.product.clone().wrapping();
                let transform = self.context.transform_by(&product, self.batch, plan.clone())?;
                other.insert(transform).run_in_place(data.into())
            }
        }
    }

    /// A fingerprint of the factors' entries and divisors, which stand in the kernels' text.
    fn constants(&self, _: &Shape) -> String {
        let mut hash = FnvHasher::default();
        for factor in self.product.factors() {
            let entries = factor.entries().unwrap_or_default();
            hash.write(bytemuck::cast_slice(entries));
            hash.write(&factor.divisor().to_le_bytes());
        }
        format!("{:016x}", hash.finish())
    }

    /// A value is a sum along each factor in turn, of as many terms as its order; so floating-point values round by at most one unit
    /// for each term, and four for a complex product, of the largest value by absolute values of all entries. Integers are such
    /// multiples that divisions are exact in any order of passes, else those of the product that divides by nothing.
    fn proof(&self, _: &Shape, plan: &Plan) -> Result<Proof, KroneckerError> {
        const MOST: u32 = 7;
        let Self { context, product, .. } = *self;
        let batch = proof::few(self.batch, product.order() * V::WORDS);
        let terms: usize = product.factors().iter().filter(|factor| !factor.is_identity()).map(Factor::order).sum();
        let count = words(product, batch)?;
        if !proof::is_small(count as u64, (count as u64).saturating_mul(terms as u64)) {
            return Ok(Proof::TooLarge);
        }
        let largest: f64 = product.factors().iter().map(Factor::largest_row_sum).product();
        let divisor: f64 = product.factors().iter().map(|factor| factor.divisor() as f64).product();
        // Where numbers overflow nothing is compared; what underflows may be zero on a device.
        let [least, limit] = proof::normal_range::<V::Word>();
        if f64::from(MOST) * largest >= limit {
            return Ok(Proof::TooLarge);
        }
        let is_exact = f64::from(MOST) * divisor * largest < f64::powi(2.0, 8 * size_of::<V::Word>() as i32 - 1);
        let wrapping = product.clone().wrapping();
        let undivided = wrapping.undivided();
        let product = if V::INTEGERS && divisor > 1.0 && !is_exact { &undivided } else { &wrapping };
        let times = if V::INTEGERS { product.divisor().unwrap_or(1) as i64 } else { 1 };
        let values = product.values();
        let mut known = proof::KnownWords::new(product.order() as u64);
        let data: Vec<V::Value> = (0..count / V::WORDS).map(|_| values.integer(times * known.whole(MOST))).collect();
        let mut found = context.device().upload::<V::Word>(bytemuck::cast_slice(&data))?;
        let mut expected: Vec<V::Word> = bytemuck::cast_slice(&data).to_vec();
        context.transform_by(product, batch, plan.clone())?.run_in_place((&mut found).into())?;
        Kronecker::new(&proof::host()).forward_in_place(product, expected.as_mut_slice().into())?;
        let roundings = 4.0 * proof::rounding_unit::<V::Word>() * (terms + 1) as f64;
        let most = roundings * f64::from(MOST) * largest / divisor + least * (terms + 1) as f64 * largest.max(1.0);
        Ok(Proof::of_near(&found.download()?, &expected, most))
    }
}

/// The words of `batch` vectors.
fn words<V: Values>(product: &KroneckerProduct<V>, batch: usize) -> Result<usize, KroneckerError> {
    let order = product.order();
    let bytes = (order * size_of::<V::Value>()).checked_mul(batch).filter(|&bytes| isize::try_from(bytes).is_ok());
    bytes.map(|bytes| bytes / size_of::<V::Word>()).ok_or(KroneckerError::Batch { batch, order })
}
