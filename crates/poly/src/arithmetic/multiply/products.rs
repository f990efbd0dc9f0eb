//! Products as operations of the ring: the input is checked, a plan chosen, the algorithm called.

use std::ops::{Range, RangeBounds};
use std::sync::Arc;

use manycore_device::{Buffer, Executor, Word};
use manycore_model::{Estimate, Machine};
use manycore_tuning::{Asked, Choice, Costed, Proof};

use super::transform::error::ProductError;
use super::transform::operation::known_factors;
use super::{Algorithm, Plan, Shape, cost, device, host};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// An operation that has several algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// A product of polynomials of `n` and `m` coefficients.
    Multiply {
        /// Coefficients of one factor.
        n: usize,
        /// Coefficients of the other.
        m: usize,
    },
    /// The square of a polynomial of `n` coefficients.
    Square {
        /// Its coefficients.
        n: usize,
    },
    /// Several products, or a part of their coefficients.
    Products(Shape),
}

impl Operation {
    fn shape(self) -> Shape {
        match self {
            Self::Multiply { n, m } => Shape::full(n, m),
            Self::Square { n } => Shape { square: true, ..Shape::full(n, n) },
            Self::Products(shape) => shape,
        }
    }
}

/// Factors of products: their coefficients from the beginning of a buffer on.
pub(crate) struct Factors<'a, E: Word> {
    pub(crate) a: &'a Buffer<E>,
    pub(crate) b: &'a Buffer<E>,
}

impl<F: PolyField> PolyRing<F> {
    /// `f g`, by the algorithm that the planner chooses ([`PolyRing::explain`]).
    ///
    /// # Errors
    /// [`PolyError::MixedRings`]; [`PolyError::TooLong`] and [`PolyError::Device`] for too little memory or another device's
    /// polynomial.
    #[inline(never)]
    pub fn mul(&self, f: &Poly<F>, g: &Poly<F>) -> Result<Poly<F>, PolyError> {
        let len = self.product_len(f, g)?;
        self.product(f, g, 0..len, None)
    }

    /// `f^2`; by transforms with one of them less.
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    pub fn square(&self, f: &Poly<F>) -> Result<Poly<F>, PolyError> {
        self.mul(f, f)
    }

    /// `f g` in the way of `plan`, one of [`PolyRing::explain`]'s or of one's own.
    ///
    /// # Errors
    /// As [`PolyRing::mul`]; [`PolyError::Algorithm`] for a way that the device does not have; [`PolyError::Rows`].
    #[inline(never)]
    pub fn mul_by(&self, f: &Poly<F>, g: &Poly<F>, plan: &Plan) -> Result<Poly<F>, PolyError> {
        let len = self.product_len(f, g)?;
        self.product(f, g, 0..len, Some(plan))
    }

    /// `f g` by this algorithm, with its best parameters.
    ///
    /// # Errors
    /// As [`PolyRing::mul_by`].
    #[inline(never)]
    pub fn mul_with(&self, f: &Poly<F>, g: &Poly<F>, algorithm: Algorithm) -> Result<Poly<F>, PolyError> {
        let len = self.product_len(f, g)?;
        if len == 0 {
            return self.zero();
        }
        let (plan, _) = self.plan(Operation::Products(Self::shape(f, g, &(0..len))), algorithm)?;
        self.product(f, g, 0..len, Some(&plan))
    }

    /// The lowest `n` coefficients of `f g`: the product mod `x^n`.
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    #[inline(never)]
    pub fn mul_short(&self, f: &Poly<F>, g: &Poly<F>, n: usize) -> Result<Poly<F>, PolyError> {
        let len = self.product_len(f, g)?;
        self.product(f, g, 0..len.min(n), None)
    }

    /// The coefficients `range` of `f g`, as those of a polynomial that begins with the first of them: the middle product.
    ///
    /// # Errors
    /// As [`PolyRing::mul`]; [`PolyError::Range`] for a range that ends before it begins.
    pub fn mul_middle(&self, f: &Poly<F>, g: &Poly<F>, range: impl RangeBounds<usize>) -> Result<Poly<F>, PolyError> {
        let len = self.product_len(f, g)?;
        self.middle(f, g, manycore_arrays::range(&range, len), len)
    }

    #[inline(never)]
    pub(crate) fn middle(
        &self,
        f: &Poly<F>,
        g: &Poly<F>,
        Range { start, end }: Range<usize>,
        len: usize,
    ) -> Result<Poly<F>, PolyError> {
        if start > end {
            return Err(PolyError::Range { start, end });
        }
        self.product(f, g, start.min(len)..end.min(len), None)
    }

    /// The choice that is taken for an operation on this ring's device: every algorithm and its parameters with an
    /// estimate, the chosen one first, and the origin of the choice. Where the device is to be measured
    /// ([`Device::tuned`](manycore_device::Device::tuned)) and this shape was not yet, its candidates are measured now.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::{Operation, PolyRing};
    /// let ring = PolyRing::new(&Device::host(), PrimeField::<u32>::new(469_762_049)?)?;
    /// println!("{}", ring.explain(Operation::Multiply { n: 1 << 12, m: 1 << 12 })?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::TooLong`] for lengths that no memory holds; [`PolyError::NoChoice`] where none suits the device;
    /// [`PolyError::Device`] when it cannot be opened.
    #[inline(never)]
    pub fn explain(&self, operation: Operation) -> Result<Choice<Plan>, PolyError> {
        let shape = operation.shape();
        Self::addressable(shape.count, [shape.n, shape.m], "a pair of factors, or a batch of them,")?;
        self.choice(&shape)
    }

    /// The plan that [`PolyRing::mul`] takes for an operation, with its estimated seconds: the best of [`PolyRing::explain`], but
    /// for a few coefficients on the host always the definition, since no estimate counts the calls of the others.
    ///
    /// # Errors
    /// As [`PolyRing::explain`].
    #[inline(never)]
    pub fn mul_plan(&self, operation: Operation) -> Result<(Plan, f64), PolyError> {
        let shape = operation.shape();
        let plan = self.product_plan(&shape)?;
        Ok(((*plan).clone(), self.product_estimate(&shape, self.machine())?.seconds))
    }

    /// The best plan of an algorithm for an operation, with its estimated seconds if the plan is among the candidates.
    ///
    /// # Errors
    /// [`PolyError::Algorithm`] for an algorithm that the device does not have, or that does not serve factors of these lengths; as
    /// [`PolyRing::explain`].
    #[inline(never)]
    pub fn plan(&self, operation: Operation, algorithm: Algorithm) -> Result<(Plan, Option<f64>), PolyError> {
        let shape = operation.shape();
        let choice = self.choice(&shape)?;
        let of_it = |plan: &Plan| plan.algorithm() == algorithm;
        if let Some(candidate) = choice.candidates().iter().find(|candidate| of_it(&candidate.parameters)) {
            return Ok((candidate.parameters.clone(), Some(candidate.estimate.seconds)));
        }
        if let (Algorithm::TwoPhase { x }, Executor::OpenCl(cl)) = (algorithm, self.device().executor()) {
            return Ok((device::two_phase::plan(cl, x), None));
        }
        Err(PolyError::Algorithm {
            algorithm,
            device: self.device().info().label(),
            reason: match choice.refused.iter().find(|(plan, _)| of_it(plan)) {
                Some((_, reason)) => reason.to_string(),
                None if algorithm == Algorithm::Karatsuba && matches!(self.device().executor(), Executor::Host(_)) => {
                    let (short, least) = (shape.n.min(shape.m), cost::LEAST_CUT);
                    format!("a factor has {short} coefficients, and the algorithm needs {least} of each")
                }
                None => "the device does not have it".to_owned(),
            },
        })
    }

    /// The seconds that an operation takes by the device's clock, on random coefficients that lie on the device, in the way of
    /// `plan`: the median of several runs, after one that builds kernels and tables.
    ///
    /// # Errors
    /// As [`PolyRing::mul_by`].
    #[inline(never)]
    pub fn time(&self, operation: Operation, plan: &Plan) -> Result<f64, PolyError> {
        let shape = operation.shape();
        self.planner().seconds(&self.products(self.on_host()), &shape, plan)
    }

    /// The coefficients of `f g`.
    fn product_len(&self, f: &Poly<F>, g: &Poly<F>) -> Result<usize, PolyError> {
        self.own(f)?;
        self.own(g)?;
        if f.len == 0 || g.len == 0 {
            return Ok(0);
        }
        f.len.checked_add(g.len - 1).ok_or(PolyError::TooLong { what: "a product" })
    }

    fn shape(f: &Poly<F>, g: &Poly<F>, range: &Range<usize>) -> Shape {
        let square = std::ptr::eq(f, g);
        Shape { count: 1, n: f.len, m: g.len, low: range.start, len: range.len(), square }
    }

    /// The coefficients `range` of the product, which lie within it.
    fn product(
        &self,
        f: &Poly<F>,
        g: &Poly<F>,
        range: Range<usize>,
        plan: Option<&Plan>,
    ) -> Result<Poly<F>, PolyError> {
        let len = range.len();
        if len == 0 {
            return self.zero();
        }
        let whole = range == (0..f.len + g.len - 1);
        let mut out = self.device().scratch(len)?;
        self.multiply(&Self::shape(f, g, &range), &Factors { a: &f.buffer, b: &g.buffer }, &mut out, plan)?;
        // The leading coefficient of a product is the product of the leading coefficients, which is not zero in a field.
        if whole { Ok(self.exact(out, len)) } else { self.stripped(out, len) }
    }

    /// The products of `shape` into `out`, of formal lengths: leading coefficients may be zero.
    pub(crate) fn multiply(
        &self,
        shape: &Shape,
        factors: &Factors<'_, F::Element>,
        out: &mut Buffer<F::Element>,
        plan: Option<&Plan>,
    ) -> Result<(), PolyError> {
        let Factors { a, b } = *factors;
        self.multiply_at(shape, (a, 0), (b, 0), (out, 0), plan)
    }

    /// Products of factors, into a result, that begin at the given places of their buffers.
    pub(crate) fn multiply_at(
        &self,
        shape: &Shape,
        a: (&Buffer<F::Element>, usize),
        b: (&Buffer<F::Element>, usize),
        out: (&mut Buffer<F::Element>, usize),
        plan: Option<&Plan>,
    ) -> Result<(), PolyError> {
        let words = shape.count * shape.len;
        if words == 0 {
            return Ok(());
        }
        let result = out.1..out.1 + words;
        if shape.n == 0 || shape.m == 0 {
            return Ok(out.0.view_mut(result)?.fill(self.field().zero())?);
        }
        let plan = match plan {
            Some(plan) => plan,
            None if self.is_short(shape) => &Plan::Plain,
            None => {
                let run = |plan: &Plan| self.multiply_at(shape, a, b, (&mut *out.0, out.1), Some(plan));
                return self.multiplier.chosen.run(self.device(), *shape, |shape| self.ask(shape), run);
            }
        };
        let refused = |reason: &str| PolyError::Algorithm {
            algorithm: plan.algorithm(),
            device: self.device().info().label(),
            reason: reason.to_owned(),
        };
        match (plan, self.device().executor()) {
            (Plan::Transform(route), _) => {
                let a = a.0.view(a.1..a.1 + shape.count * shape.n)?;
                let b = b.0.view(b.1..b.1 + shape.count * shape.m)?;
                let out = out.0.view_mut(result)?;
                Ok(self.multiplier.transform.multiply_by(a, b, shape.count, shape.low, out, route)?)
            }
            (Plan::Plain | Plan::Karatsuba { .. }, Executor::Host(pool)) => {
                let (f, g, to) = (a.0.host()?, b.0.host()?, out.0.host_mut()?);
                let team = pool.team().only_if(!self.on_host().suit_one_processor(shape, self.machine()));
                host::run(self.field(), (pool, team), plan, shape, &f[a.1..], &g[b.1..], &mut to[result]);
                Ok(())
            }
            (Plan::PlainTile(tile), Executor::OpenCl(cl)) => device::plain(self, cl, tile, shape, a, b, out),
            (Plan::Plain, Executor::OpenCl(_)) => {
                let (plan, _) = self.plan(Operation::Products(*shape), Algorithm::Plain)?;
                self.multiply_at(shape, a, b, out, Some(&plan))
            }
            (Plan::TwoPhase { x, group }, Executor::OpenCl(cl)) => {
                device::two_phase::run(self, cl, *x, *group, shape, a, b, out)
            }
            (Plan::PlainTile(_) | Plan::TwoPhase { .. }, Executor::Host(_)) => Err(refused("it is for OpenCL devices")),
            (Plan::Karatsuba { .. }, Executor::OpenCl(_)) => Err(refused("it is for the host")),
        }
    }

    /// The one place that plans products.
    fn choice(&self, shape: &Shape) -> Result<Choice<Plan>, PolyError> {
        match self.device().executor() {
            Executor::Host(_) => self.planner().choice(&self.products(self.on_host()), shape),
            Executor::OpenCl(cl) => self.planner().choice(&self.products(device::operation(self, cl)?), shape),
        }
    }

    /// Asks for the plan of products.
    fn ask(&self, shape: &Shape) -> Result<Asked<'_, Plan, PolyError>, PolyError> {
        Ok(match self.device().executor() {
            Executor::Host(_) => self.planner().ask(self.products(self.on_host()), *shape),
            Executor::OpenCl(cl) => self.planner().ask(self.products(device::operation(self, cl)?), *shape),
        })
    }

    /// Products by every algorithm, with those by the definition that the device has.
    fn products<D>(&self, definition: D) -> Products<'_, D, F> {
        Products { ring: self, costs: cost::EveryAlgorithm { definition, transform: &self.multiplier.transform } }
    }

    /// The plan that is taken for a shape.
    pub(crate) fn product_plan(&self, shape: &Shape) -> Result<Arc<Plan>, PolyError> {
        let chosen = || self.multiplier.chosen.plan(*shape, |shape| self.ask(shape));
        Ok(Arc::new(if self.is_short(shape) { Plan::Plain } else { chosen()? }))
    }

    /// The estimate on `machine` of the product that is taken for a shape: what operations that multiply count.
    pub(crate) fn product_estimate(&self, shape: &Shape, machine: &Machine) -> Result<Estimate, PolyError> {
        if shape.is_zero() {
            return Ok(Estimate::default());
        }
        let plan = self.product_plan(shape)?;
        let estimate = match self.device().executor() {
            Executor::Host(_) => self.products(self.on_host()).costs.estimate(shape, &plan, machine),
            Executor::OpenCl(cl) => self.products(device::operation(self, cl)?).costs.estimate(shape, &plan, machine),
        };
        estimate.map_err(|error| PolyError::Transform(ProductError::Fits(error)))
    }

    /// Products on the host by the algorithms that the host alone has.
    pub(crate) fn on_host(&self) -> cost::OnHost {
        cost::OnHost { word_bytes: size_of::<F::Element>() as u32, order: self.field().order() }
    }

    /// Whether the host takes the definition at once.
    fn is_short(&self, shape: &Shape) -> bool {
        self.planner().on_host()
            && shape.n.min(shape.m) <= cost::ALWAYS_PLAIN
            && self.on_host().suit_one_processor(shape, self.machine())
    }
}

/// Products on a ring's device.
struct Products<'a, D, F: PolyField> {
    ring: &'a PolyRing<F>,
    costs: cost::EveryAlgorithm<'a, D, F>,
}

impl<'a, D, F> manycore_tuning::Operation for Products<'a, D, F>
where
    D: Costed<Size = Shape, Parameters = Plan>,
    F: PolyField,
{
    type Costs = cost::EveryAlgorithm<'a, D, F>;
    /// Random factors, the second one of no words for a square, and memory for the products.
    type Trial = [Buffer<F::Element>; 3];
    type Error = PolyError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &Self::Costs {
        &self.costs
    }

    fn family(&self, shape: &Shape) -> String {
        format!("product, {}, {}", self.ring.arithmetic(), self.costs.transform.family(shape))
    }

    fn sizes(&self, shape: &Shape) -> Vec<usize> {
        shape.sizes()
    }

    fn arrays(&self, shape: &Shape) -> usize {
        shape.count
    }

    fn is_empty(&self, shape: &Shape) -> bool {
        shape.is_zero()
    }

    fn trial(&self, shape: &Shape) -> Result<Self::Trial, PolyError> {
        let (ring, device) = (self.ring, self.ring.device());
        let words = |len: usize| shape.count.checked_mul(len).ok_or(PolyError::TooLong { what: "a batch" });
        let mut a = device.scratch(words(shape.n)?)?;
        ring.fill_random(&mut a, 1)?;
        let mut b = device.scratch(if shape.is_square() { 0 } else { words(shape.m)? })?;
        ring.fill_random(&mut b, 2)?;
        Ok([a, b, device.scratch(words(shape.len)?)?])
    }

    fn try_plan(&self, shape: &Shape, [a, b, out]: &mut Self::Trial, plan: &Plan) -> Result<(), PolyError> {
        self.ring.multiply(shape, &Factors { a, b: if shape.is_square() { a } else { b } }, out, Some(plan))
    }

    fn proof(&self, shape: &Shape, plan: &Plan) -> Result<Proof, PolyError> {
        let Some((shape, [a, b])) = known_factors(self.ring.field(), shape) else { return Ok(Proof::TooLarge) };
        let product = |ring: &PolyRing<F>, plan: Option<&Plan>| -> Result<Vec<F::Element>, PolyError> {
            let [a, b] = [ring.device().upload(&a)?, ring.device().upload(&b)?];
            let mut out = ring.device().scratch(shape.count * shape.len)?;
            ring.multiply(&shape, &Factors { a: &a, b: if shape.is_square() { &a } else { &b } }, &mut out, plan)?;
            Ok(out.download()?)
        };
        Ok(Proof::of_words(&product(self.ring, Some(plan))?, &product(&self.ring.proving()?, None)?))
    }
}
