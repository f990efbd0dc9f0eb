//! Products as operations of the ring: the input is checked, the model asked, the algorithm called.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use manycore_device::{Buffer, Device, Executor, Word};
use manycore_model::{Choice, Machine, choose};

use super::transform::TransformProduct;
use super::{Algorithm, Plan, Shape, cost, device, host};
use crate::error::PolyError;
use crate::poly::Poly;
use crate::ring::{PolyField, PolyRing};

/// The model's choices, and the context of products by transforms.
#[derive(Debug)]
pub(crate) struct Multiplier<F: PolyField> {
    chosen: Mutex<HashMap<Shape, Plan>>,
    pub(crate) transform: TransformProduct<F>,
}

impl<F: PolyField> Multiplier<F> {
    /// Choices that are kept.
    const KEPT: usize = 1 << 12;

    pub(crate) fn new(device: &Device, machine: &Machine, field: &F) -> Result<Self, PolyError> {
        Ok(Self { chosen: Mutex::default(), transform: TransformProduct::new(device, machine.clone(), field)? })
    }

    /// The same with the prices of transforms corrected by measurements.
    pub(crate) fn corrected(self) -> Self {
        Self { chosen: Mutex::default(), transform: self.transform.corrected() }
    }

    /// Drops the choices.
    pub(crate) fn forget(&mut self) {
        self.chosen = Mutex::default();
    }
}

/// An operation that the model has several ways for.
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
pub(super) struct Factors<'a, E: Word> {
    pub(super) a: &'a Buffer<E>,
    pub(super) b: &'a Buffer<E>,
}

impl<F: PolyField> PolyRing<F> {
    /// `f g`, by the algorithm that the model finds fastest.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`]; [`PolyError::TooLong`] and [`PolyError::Device`] for too little memory or another device's
    /// polynomial.
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
    pub fn mul_by(&self, f: &Poly<F>, g: &Poly<F>, plan: &Plan) -> Result<Poly<F>, PolyError> {
        let len = self.product_len(f, g)?;
        self.product(f, g, 0..len, Some(plan))
    }

    /// `f g` by this algorithm, with the parameters that the model finds fastest.
    ///
    /// # Errors
    /// As [`PolyRing::mul_by`].
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
    pub fn mul_short(&self, f: &Poly<F>, g: &Poly<F>, n: usize) -> Result<Poly<F>, PolyError> {
        let len = self.product_len(f, g)?;
        self.product(f, g, 0..len.min(n), None)
    }

    /// The coefficients `range` of `f g`, as those of a polynomial that begins with the first of them: the middle product.
    ///
    /// # Errors
    /// As [`PolyRing::mul`]; [`PolyError::Range`] for a range that ends before it begins.
    pub fn mul_middle(&self, f: &Poly<F>, g: &Poly<F>, range: Range<usize>) -> Result<Poly<F>, PolyError> {
        let len = self.product_len(f, g)?;
        let Range { start, end } = range;
        if start > end {
            return Err(PolyError::Range { start, end });
        }
        self.product(f, g, start.min(len)..end.min(len), None)
    }

    /// What the model says of every way to do an operation on this ring's device, the one that is taken first.
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
    /// [`PolyError::NoChoice`] where none suits the device; [`PolyError::Device`] when it cannot be opened.
    pub fn explain(&self, operation: Operation) -> Result<Choice<Plan>, PolyError> {
        self.choice(&operation.shape())
    }

    /// The fastest plan of an algorithm for an operation, with the seconds that the model predicts if the plan is among its
    /// candidates.
    ///
    /// # Errors
    /// [`PolyError::Algorithm`] for an algorithm that the device does not have, or that does not serve factors of these lengths; as
    /// [`PolyRing::explain`].
    pub fn plan(&self, operation: Operation, algorithm: Algorithm) -> Result<(Plan, Option<f64>), PolyError> {
        let shape = operation.shape();
        let choice = self.choice(&shape)?;
        let of_it = |plan: &Plan| plan.algorithm() == algorithm;
        if let Some(candidate) = choice.candidates().iter().find(|candidate| of_it(&candidate.parameters)) {
            return Ok((candidate.parameters.clone(), Some(candidate.prediction.seconds)));
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
    pub fn time(&self, operation: Operation, plan: &Plan) -> Result<f64, PolyError> {
        let shape = operation.shape();
        let words = |len: usize| shape.count.checked_mul(len).ok_or(PolyError::TooLong { what: "a batch" });
        let mut a = self.device().scratch(words(shape.n)?)?;
        self.fill_random(&mut a, 1)?;
        let mut b = self.device().scratch(if shape.square { 0 } else { words(shape.m)? })?;
        self.fill_random(&mut b, 2)?;
        let mut out = self.device().scratch(words(shape.len)?)?;
        let factors = Factors { a: &a, b: if shape.square { &a } else { &b } };
        manycore_device::context::seconds(self.device(), || self.multiply(&shape, &factors, &mut out, Some(plan)))
    }

    /// Measures at most `most` candidates of [`PolyRing::explain`], the best predicted first, and chooses by what they took.
    /// Stops where the model's floor shows that no other can be faster. Tells how many were measured.
    ///
    /// # Errors
    /// As [`PolyRing::time`].
    pub fn measure(&self, operation: Operation, choice: &mut Choice<Plan>, most: usize) -> Result<usize, PolyError> {
        choice.refine(most, |plan| self.time(operation, plan))
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

    pub(super) fn multiply(
        &self,
        shape: &Shape,
        factors: &Factors<'_, F::Element>,
        out: &mut Buffer<F::Element>,
        plan: Option<&Plan>,
    ) -> Result<(), PolyError> {
        if out.is_empty() {
            return Ok(());
        }
        if shape.n == 0 || shape.m == 0 {
            return Ok(out.fill(self.field().zero())?);
        }
        let plan = match plan {
            Some(plan) => plan.clone(),
            None => self.chosen(shape)?,
        };
        let refused = |reason: &str| PolyError::Algorithm {
            algorithm: plan.algorithm(),
            device: self.device().info().label(),
            reason: reason.to_owned(),
        };
        match (&plan, self.device().executor()) {
            (Plan::Transform(route), _) => {
                let (a, b) = (factors.a.view(..shape.count * shape.n)?, factors.b.view(..shape.count * shape.m)?);
                let out = out.view_mut(..)?;
                Ok(self.multiplier.transform.multiply_by(a, b, shape.count, shape.low, out, route)?)
            }
            (Plan::Plain | Plan::Karatsuba { .. }, Executor::Host(pool)) => {
                if let (Some(a), Some(b), Some(out)) = (factors.a.as_host(), factors.b.as_host(), out.as_host_mut()) {
                    host::run(self.field(), pool, &plan, shape, a, b, out);
                }
                Ok(())
            }
            (Plan::PlainTile(tile), Executor::OpenCl(cl)) => {
                device::plain(self, cl, tile, shape, factors.a, factors.b, out)
            }
            (Plan::Plain, Executor::OpenCl(_)) => {
                let (plan, _) = self.plan(Operation::Products(*shape), Algorithm::Plain)?;
                self.multiply(shape, factors, out, Some(&plan))
            }
            (Plan::TwoPhase { x, group }, Executor::OpenCl(cl)) => {
                device::two_phase::run(self, cl, *x, *group, shape, factors.a, factors.b, out)
            }
            (Plan::PlainTile(_) | Plan::TwoPhase { .. }, Executor::Host(_)) => Err(refused("it is for OpenCL devices")),
            (Plan::Karatsuba { .. }, Executor::OpenCl(_)) => Err(refused("it is for the host")),
        }
    }

    fn choice(&self, shape: &Shape) -> Result<Choice<Plan>, PolyError> {
        match self.device().executor() {
            Executor::Host(_) => Ok(choose(&self.every_way(self.on_host()), shape, self.machine())?),
            Executor::OpenCl(cl) => Ok(choose(&self.every_way(device::operation(self, cl)?), shape, self.machine())?),
        }
    }

    fn every_way<D>(&self, definition: D) -> cost::EveryWay<'_, D, F> {
        cost::EveryWay { definition, transform: &self.multiplier.transform }
    }

    fn on_host(&self) -> cost::OnHost {
        cost::OnHost { word_bytes: size_of::<F::Element>() as u32, order: self.field().order() }
    }

    /// The plan kept for a shape, or the model's choice.
    fn chosen(&self, shape: &Shape) -> Result<Plan, PolyError> {
        // The definition is the fastest for short factors on the host, and asking the model takes longer.
        if let Executor::Host(_) = self.device().executor()
            && shape.n.min(shape.m) <= cost::ALWAYS_PLAIN
            && host::is_serial(shape)
        {
            return Ok(Plan::Plain);
        }
        let mut kept = self.multiplier.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = kept.get(shape) {
            return Ok(plan.clone());
        }
        let plan = self.choice(shape)?.best().parameters.clone();
        if kept.len() >= Multiplier::<F>::KEPT {
            kept.clear();
        }
        kept.insert(*shape, plan.clone());
        Ok(plan)
    }
}
