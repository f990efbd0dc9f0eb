//! Products by transforms, as the planner sees them.

use manycore_device::{Buffer, Device, DeviceError};
use manycore_field::ResidueWord as _;
use manycore_ntt::NttField;
use manycore_tuning::{NoChoice, Operation, Proof, proof};

use super::error::ProductError;
use super::product::TransformProduct;
use super::route::Route;
use super::shape::Shape;

/// The shape of a proof, with fewer products, and its factors; `None` where those are too large.
pub(in crate::arithmetic::multiply) fn known_factors<F: NttField>(
    field: &F,
    shape: &Shape,
) -> Option<(Shape, [Vec<F::Element>; 2])> {
    let each = shape.n.checked_add(shape.m)?.checked_add(shape.len)?;
    let count = proof::few(shape.count, each);
    let words = (count as u64).checked_mul(each as u64)?;
    // Three transforms of at least as many values, by several primes.
    if !proof::is_small(words, words.saturating_mul(u64::from(each.max(2).ilog2()))) {
        return None;
    }
    let known = |len: usize, seed: u64| proof::known_residues(F::Element::from_u64(field.order()), count * len, seed);
    Some((Shape { count, ..*shape }, [known(shape.n, 1), known(shape.m, 2)]))
}

impl<F: NttField> Operation for &TransformProduct<F> {
    type Costs = TransformProduct<F>;
    /// Factors of zeros, the second one of no words for a square, and memory for the products.
    type Trial = [Buffer<F::Element>; 3];
    type Error = ProductError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &TransformProduct<F> {
        self
    }

    /// The prime counts by its bits and its roots of unity.
    fn family(&self, shape: &Shape) -> String {
        let (p, words) = (self.field().order(), 8 * size_of::<F::Element>());
        let (bits, roots) = (u64::BITS - p.leading_zeros(), self.field().two_adicity());
        let form = if shape.square { "squares" } else { "products" };
        format!("{form} by transforms, {words}-bit words mod {bits} bits with roots of order 2^{roots}")
    }

    fn sizes(&self, shape: &Shape) -> Vec<usize> {
        shape.sizes()
    }

    fn arrays(&self, shape: &Shape) -> usize {
        shape.count
    }

    fn refused(&self, shape: &Shape, none: NoChoice) -> ProductError {
        match shape.trimmed() {
            Some(trimmed) if none.first.is_none() => {
                let values = trimmed.terms().max(1).checked_next_power_of_two();
                let log_order = values.map_or(usize::BITS, usize::ilog2);
                ProductError::NoRoute { log_order, reason: format!("modulo {}", self.field().order()) }
            }
            _ => none.into(),
        }
    }

    fn trial(&self, shape: &Shape) -> Result<Self::Trial, ProductError> {
        let zeros = |len: usize| -> Result<Buffer<F::Element>, DeviceError> {
            let mut zeros = self.device().scratch(shape.count.saturating_mul(len))?;
            // Written, so that the host's memory has pages of its own.
            zeros.fill(self.field().zero())?;
            Ok(zeros)
        };
        let second = if shape.is_square() { 0 } else { shape.m };
        Ok([zeros(shape.n)?, zeros(second)?, zeros(shape.len)?])
    }

    fn try_plan(&self, shape: &Shape, [a, b, out]: &mut Self::Trial, route: &Route) -> Result<(), ProductError> {
        let b = if shape.is_square() { &*a } else { &*b };
        self.run((&*a).into(), b.into(), shape, route, out.into())
    }

    fn proof(&self, shape: &Shape, route: &Route) -> Result<Proof, ProductError> {
        let Some((shape, [a, b])) = known_factors(self.field(), shape) else { return Ok(Proof::TooLarge) };
        let factors = |device: &Device| Ok::<_, DeviceError>([device.upload(&a)?, device.upload(&b)?]);
        let host = TransformProduct::new(&proof::host(), self.field())?;
        let ([a, b], mut expected) = (factors(host.device())?, host.device().scratch(shape.count * shape.len)?);
        let b = if shape.is_square() { &a } else { &b };
        host.multiply((&a).into(), b.into(), shape.count, shape.low, (&mut expected).into())?;
        let ([a, b], mut found) = (factors(self.device())?, self.device().scratch(shape.count * shape.len)?);
        let b = if shape.is_square() { &a } else { &b };
        self.run((&a).into(), b.into(), &shape, route, (&mut found).into())?;
        Ok(Proof::of_words(&found.download()?, &expected.download()?))
    }
}
