//! Checking a product by its value at a random point, at a fraction of its cost.
//!
//! If `h` is not `f g`, then `f g - h` has at most as many roots as its degree `d`, in the field and in every extension of
//! it. So at a point drawn uniformly from the field with `p^k` elements a wrong product passes with a chance of at most
//! `d / p^k`, and `k` is taken as small as keeps this below `2^-64`: an extension of degree 3 for 31-bit primes, of 2 for
//! 62-bit ones, of 85 for `p = 2` and a degree of `2^20`. The prime's own points would not do: mod 2 there are two.
//!
//! The coordinates of `z^0, ..., z^(B-1)` stand in a table of `k` rows; the coordinates of the value of a block of `B`
//! coefficients are sums of products with them, which the device makes, and Horner's rule in `z^B` puts them together on
//! the host. That is `k` products for each coefficient.

mod extension;

use crate::error::PolyError;
use crate::linear::reference::random;
use crate::poly::Poly;
use crate::ring::{PolyField, PolyRing};
use extension::Extension;

impl<F: PolyField> PolyRing<F> {
    /// Whether `h` is `f g`, found out by the value of all three at a random point of an extension of the field: a right
    /// product always passes, a wrong one with a chance below `2^-64` over the choice of `seed`.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(2)?)?;
    /// let (f, g) = (ring.random(1000, 1)?, ring.random(900, 2)?);
    /// let h = ring.mul(&f, &g)?;
    /// assert!(ring.verify_product(&f, &g, &h, 3)?);
    /// assert!(!ring.verify_product(&f, &g, &ring.add(&h, &ring.one()?)?, 3)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] and [`PolyError::Device`].
    pub fn verify_product(&self, f: &Poly<F>, g: &Poly<F>, h: &Poly<F>, seed: u64) -> Result<bool, PolyError> {
        for poly in [f, g, h] {
            self.own(poly)?;
        }
        let len = if f.is_zero() || g.is_zero() { 0 } else { f.len() + g.len() - 1 };
        if h.len() != len || len == 0 {
            return Ok(h.len() == len);
        }
        let degree = extension_degree(self.field().order(), len as u64 - 1);
        let extension = Extension::new(self.field(), degree);
        let z: Vec<F::Element> = (0..degree as u64).map(|i| random(self.field(), seed, i)).collect();
        let log_block = (len.ilog2() / 2).clamp(4, 10);
        let points = Points::new(&extension, &z, log_block);
        let value = |poly: &Poly<F>| self.value_in(poly, &extension, &points);
        let product = extension.mul(&value(f)?, &value(g)?);
        Ok(product == value(h)?)
    }

    /// The coordinates of a polynomial's value.
    fn value_in(
        &self,
        f: &Poly<F>,
        extension: &Extension<F>,
        points: &Points<F::Element>,
    ) -> Result<Vec<F::Element>, PolyError> {
        let degree = extension.degree();
        let sums = self.project(f, &points.table, points.log_block, degree)?;
        let zero = vec![self.field().zero(); degree];
        Ok(sums.chunks(degree).rev().fold(zero, |value, block| {
            let mut value = extension.mul(&value, &points.step);
            self.field().add_slice(&mut value, block);
            value
        }))
    }
}

/// Powers of a point.
struct Points<E> {
    log_block: u32,
    /// For each coordinate, those of `z^0, ..., z^(B-1)`.
    table: Vec<E>,
    /// `z^B`.
    step: Vec<E>,
}

impl<E: Copy> Points<E> {
    fn new<F: PolyField<Element = E>>(extension: &Extension<F>, z: &[E], log_block: u32) -> Self {
        let block = 1 << log_block;
        let mut power = extension.one();
        let mut table = vec![power[power.len() - 1]; extension.degree() * block];
        for i in 0..block {
            power.iter().enumerate().for_each(|(row, &c)| table[row * block + i] = c);
            power = extension.mul(&power, z);
        }
        Self { log_block, table, step: power }
    }
}

/// The least `k` with `p^k >= 2^64 d`.
fn extension_degree(p: u64, d: u64) -> usize {
    let wanted = u128::from(d.max(1)) << 64;
    let (mut k, mut elements) = (1, u128::from(p));
    while elements < wanted {
        elements = elements.saturating_mul(p.into());
        k += 1;
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chance_of_a_wrong_product_is_below_two_to_the_minus_64() {
        for (p, d, k) in [
            (2, 1, 64),
            (2, 1 << 20, 84),
            (2, (1 << 20) + 1, 85),
            (3, 1, 41),
            (469_762_049, 1 << 21, 3),
            (9_223_372_036_854_775_783, 1 << 20, 2),
            (0xffff_ffff_0000_0001, 1 << 30, 2),
        ] {
            assert_eq!(extension_degree(p, d), k, "{p} {d}");
        }
    }
}
