//! Products, quotients and greatest common divisors of slices of coefficients: by the definition at once where polynomials are
//! short, by the ring's plans where they are long.

use manycore_device::{Buffer, DeviceError, Executor, Team};

use crate::arithmetic::divide::HostDivisor;
use crate::arithmetic::gcd::euclid;
use crate::arithmetic::linear::reference::{random, stripped_len};
use crate::arithmetic::multiply::cost::ALWAYS_PLAIN;
use crate::arithmetic::multiply::{Plan, Shape, run_on_host};
use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

/// Coefficients up to which greatest common divisors are those of Euclid's algorithm, without a choice.
const SHORT_GCD: usize = 64;

/// The seed of the random polynomials. The factors do not depend on it.
const SEED: u64 = 0x5eed;

/// Polynomials as slices of coefficients on the host, with the plans and the memory of their products.
pub(in crate::factor) struct Words<'a, F: PolyField> {
    pub(super) ring: &'a PolyRing<F>,
    /// Plans of the last shapes of long products.
    plans: Vec<(Shape, Plan)>,
    /// Operands and result of products by transforms.
    buffers: Option<[Buffer<F::Element>; 3]>,
    /// Random polynomials so far.
    draws: u64,
}

impl<'a, F: PolyField> Words<'a, F> {
    /// Shapes whose plans stay at hand.
    const MOST_PLANS: usize = 16;

    pub(in crate::factor) fn new(ring: &'a PolyRing<F>) -> Self {
        Self { ring, plans: Vec::new(), buffers: None, draws: 0 }
    }

    pub(super) fn field(&self) -> &'a F {
        self.ring.field()
    }

    pub(super) fn zeros(&self, len: usize) -> Vec<F::Element> {
        vec![self.field().zero(); len]
    }

    /// The coefficients of `a b` from `low` on. A square is one slice, given twice.
    pub(super) fn multiply(
        &mut self,
        a: &[F::Element],
        b: &[F::Element],
        low: usize,
        out: &mut [F::Element],
    ) -> Result<(), PolyError> {
        if a.len().min(b.len()) <= ALWAYS_PLAIN {
            self.field().convolve(a, b, low, out);
            return Ok(());
        }
        let square = std::ptr::eq(a, b);
        let shape = Shape { count: 1, n: a.len(), m: b.len(), low, len: out.len(), square };
        let known = self.plans.iter().position(|(known, _)| *known == shape);
        let known = if let Some(known) = known {
            known
        } else {
            let plan = self.ring.product_plan(&shape)?;
            if self.plans.len() == Self::MOST_PLANS {
                self.plans.remove(0);
            }
            self.plans.push((shape, (*plan).clone()));
            self.plans.len() - 1
        };
        let plan = &self.plans[known].1;
        match (plan, self.ring.device().executor()) {
            (Plan::Plain | Plan::Karatsuba { .. }, Executor::Host(pool)) => {
                run_on_host(self.ring.field(), (pool, Team::ALONE), plan, &shape, a, b, out);
                Ok(())
            }
            _ => Self::by_buffers(self.ring, &mut self.buffers, plan, &shape, a, b, out),
        }
    }

    fn by_buffers(
        ring: &PolyRing<F>,
        buffers: &mut Option<[Buffer<F::Element>; 3]>,
        plan: &Plan,
        shape: &Shape,
        a: &[F::Element],
        b: &[F::Element],
        out: &mut [F::Element],
    ) -> Result<(), PolyError> {
        let longest = shape.n.max(shape.m).max(shape.len);
        let [x, y, product] = match buffers {
            Some(buffers) if buffers[0].len() >= longest => buffers,
            _ => {
                let device = ring.device();
                buffers.insert([device.scratch(longest)?, device.scratch(longest)?, device.scratch(longest)?])
            }
        };
        let host = |buffer: &mut Buffer<F::Element>, words: &[F::Element]| -> Result<(), PolyError> {
            let own = buffer.as_host_mut().ok_or_else(DeviceError::elsewhere)?;
            own[..words.len()].copy_from_slice(words);
            Ok(())
        };
        host(x, a)?;
        if !shape.square {
            host(y, b)?;
        }
        let y = if shape.square { &*x } else { &*y };
        ring.multiply_at(shape, (x, 0), (y, 0), (product, 0), Some(plan))?;
        out.copy_from_slice(&product.as_host().ok_or_else(DeviceError::elsewhere)?[..out.len()]);
        Ok(())
    }

    /// `a` without leading zeros.
    pub(super) fn stripped(&self, mut a: Vec<F::Element>) -> Vec<F::Element> {
        a.truncate(stripped_len(self.field(), &a));
        a
    }

    /// Quotient and remainder by a polynomial whose leading coefficient is not zero.
    pub(super) fn divide(&self, mut a: Vec<F::Element>, b: &[F::Element]) -> Result<[Vec<F::Element>; 2], PolyError> {
        let Some(len) = (a.len() + 1).checked_sub(b.len()).filter(|&len| len > 0) else {
            return Ok([Vec::new(), a]);
        };
        if len.min(b.len()) <= ALWAYS_PLAIN {
            let mut quotient = self.zeros(len);
            let divisor = HostDivisor::new(self.field(), b, len.min(ALWAYS_PLAIN));
            divisor.ok_or(PolyError::ZeroDivisor)?.divide_once(&mut a, &mut quotient);
            a.truncate(b.len() - 1);
            return Ok([quotient, self.stripped(a)]);
        }
        let ring = self.ring;
        let (quotient, remainder) = ring.div_rem(&ring.poly(&a)?, &ring.poly(b)?)?;
        Ok([ring.coefficients(&quotient)?, ring.coefficients(&remainder)?])
    }

    /// `a` modulo a polynomial whose leading coefficient is not zero.
    pub(super) fn remainder(&self, a: &[F::Element], b: &[F::Element]) -> Result<Vec<F::Element>, PolyError> {
        let [_, remainder] = self.divide(a.to_vec(), b)?;
        Ok(remainder)
    }

    /// The quotient by a factor that a step before found.
    pub(super) fn cofactor(&self, f: &[F::Element], factor: &[F::Element]) -> Result<Vec<F::Element>, PolyError> {
        let [quotient, remainder] = self.divide(f.to_vec(), factor)?;
        if remainder.is_empty() {
            return Ok(quotient);
        }
        Err(PolyError::NoFactor { degree: factor.len().saturating_sub(1), of: f.len().saturating_sub(1) })
    }

    /// The monic greatest common divisor of polynomials of which the first is monic.
    pub(super) fn gcd(&self, a: &[F::Element], b: &[F::Element]) -> Result<Vec<F::Element>, PolyError> {
        let b = &b[..stripped_len(self.field(), b)];
        if b.len() > SHORT_GCD {
            let ring = self.ring;
            return ring.coefficients(&ring.gcd(&ring.poly(a)?, &ring.poly(b)?)?);
        }
        let (mut divisor, mut b) = (a.to_vec(), b.to_vec());
        euclid::monic_gcd(self.field(), &mut divisor, &mut b);
        Ok(divisor)
    }

    /// `x[i] -= c y[i]`.
    pub(super) fn subtract_multiple(&self, x: &mut [F::Element], c: F::Element, y: &[F::Element]) {
        self.field().sub_scaled_slice(x, c, y);
    }

    /// `a - b`, of as many coefficients as `a`, which is not shorter.
    pub(super) fn difference(&self, a: &[F::Element], b: &[F::Element]) -> Vec<F::Element> {
        let mut difference = a.to_vec();
        self.field().sub_slice(&mut difference[..b.len()], b);
        difference
    }

    /// A random polynomial of `len` coefficients, another one each time.
    pub(super) fn random(&mut self, len: usize) -> Vec<F::Element> {
        self.draws += 1;
        let seed = SEED.wrapping_add(self.draws);
        (0..len as u64).map(|i| random(self.field(), seed, i)).collect()
    }
}
