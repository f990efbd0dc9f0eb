//! Many products at once.

use manycore_device::Buffer;

use super::products::Factors;
use super::{Plan, Shape};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// Polynomials of equal length side by side on a device, for products of many at once.
///
/// Unlike a [`Poly`](crate::Poly), each has a formal length: leading coefficients may be zero.
#[derive(Debug)]
pub struct Batch<F: PolyField> {
    pub(crate) buffer: Buffer<F::Element>,
    pub(crate) count: usize,
    pub(crate) len: usize,
    pub(crate) order: u64,
}

impl<F: PolyField> Batch<F> {
    /// The number of polynomials.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Coefficients of each.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no coefficients.
    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    /// All coefficients, one polynomial after the other.
    pub fn buffer(&self) -> &Buffer<F::Element> {
        &self.buffer
    }
}

impl<F: PolyField> PolyRing<F> {
    /// A batch whose coefficients are made already.
    pub(crate) fn batch_in(&self, buffer: Buffer<F::Element>, count: usize, len: usize) -> Batch<F> {
        Batch { buffer, count, len, order: self.field().order() }
    }

    /// Polynomial `index` of a batch.
    pub(crate) fn of_batch(&self, batch: &Batch<F>, index: usize) -> Result<Poly<F>, PolyError> {
        let mut copy = self.device().scratch(batch.len)?;
        if batch.len > 0 {
            copy.view_mut(..)?.copy_from(batch.buffer.view(index * batch.len..(index + 1) * batch.len)?)?;
        }
        self.stripped(copy, batch.len)
    }

    /// `count` polynomials of `len` coefficients each, one after the other.
    ///
    /// # Errors
    /// [`PolyError::Batch`] where the coefficients are not `count * len`; [`PolyError::OutOfRange`]; [`PolyError::Device`].
    #[inline(never)]
    pub fn batch(&self, coefficients: &[F::Element], count: usize, len: usize) -> Result<Batch<F>, PolyError> {
        if count.checked_mul(len) != Some(coefficients.len()) {
            return Err(PolyError::Batch { given: coefficients.len(), count, len });
        }
        self.field().check(coefficients)?;
        Ok(Batch { buffer: self.device().upload(coefficients)?, count, len, order: self.field().order() })
    }

    /// `count` polynomials of `len` random coefficients each; as [`PolyRing::random`].
    ///
    /// # Errors
    /// [`PolyError::TooLong`] and [`PolyError::Device`] for too little memory.
    #[inline(never)]
    pub fn random_batch(&self, count: usize, len: usize, seed: u64) -> Result<Batch<F>, PolyError> {
        let words = count.checked_mul(len).ok_or(PolyError::TooLong { what: "a batch" })?;
        let mut buffer = self.device().scratch(words)?;
        self.fill_random(&mut buffer, seed)?;
        Ok(Batch { buffer, count, len, order: self.field().order() })
    }

    /// The product of each polynomial of `f` with that of `g` at the same place: `f.len() + g.len() - 1` coefficients each.
    ///
    /// # Errors
    /// [`PolyError::Batch`] for batches of different counts; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn mul_batch(&self, f: &Batch<F>, g: &Batch<F>) -> Result<Batch<F>, PolyError> {
        self.mul_batch_by(f, g, None)
    }

    /// The products by `plan`, if one is given.
    ///
    /// # Errors
    /// As [`PolyRing::mul_batch`] and [`PolyRing::mul_by`].
    #[inline(never)]
    pub fn mul_batch_by(&self, f: &Batch<F>, g: &Batch<F>, plan: Option<&Plan>) -> Result<Batch<F>, PolyError> {
        self.same_batches(f, g)?;
        let too_long = PolyError::TooLong { what: "a batch of products" };
        let len = if f.len == 0 || g.len == 0 { Some(0) } else { f.len.checked_add(g.len - 1) };
        let words = len.and_then(|len| f.count.checked_mul(len));
        let (Some(len), Some(words)) = (len, words) else { return Err(too_long) };
        let mut out = self.device().scratch(words)?;
        let square = std::ptr::eq(f, g);
        let shape = Shape { count: f.count, n: f.len, m: g.len, low: 0, len, square };
        self.multiply(&shape, &Factors { a: &f.buffer, b: &g.buffer }, &mut out, plan)?;
        Ok(Batch { buffer: out, count: f.count, len, order: f.order })
    }

    /// Fails unless the polynomials are of this ring, on its device.
    pub(crate) fn own_batch(&self, batch: &Batch<F>) -> Result<(), PolyError> {
        if batch.order != self.field().order() {
            return Err(PolyError::MixedRings { expected: self.field().order(), given: batch.order });
        }
        Ok(self.device().same_as(batch.buffer.device())?)
    }

    /// Fails unless both batches are of this ring, on its device, and have as many polynomials.
    pub(crate) fn same_batches(&self, f: &Batch<F>, g: &Batch<F>) -> Result<(), PolyError> {
        self.own_batch(f)?;
        self.own_batch(g)?;
        if f.count != g.count {
            return Err(PolyError::Batch { given: g.buffer.len(), count: f.count, len: g.len });
        }
        Ok(())
    }
}
