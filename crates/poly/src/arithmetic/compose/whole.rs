//! Composition by divide and conquer: `f = l + x^k h`, so that `f(g) = l(g) + g^k h(g)`, with `k` a power of two (J. von zur
//! Gathen, J. Gerhard, Modern Computer Algebra, exercise 9.20; W. Hart, A. Novocin, CASC 2011).

use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// The base-2 logarithm of the coefficients of `f` whose value is a sum of powers of `g`: below, products are too short to be
/// worth a call.
const LOG_BLOCK: u32 = 4;

impl<F: PolyField> PolyRing<F> {
    /// `f(g)`, by divide and conquer: `O(M(n m) log n)` operations for `f` of degree `n` and `g` of degree `m`, with `M(k)` those of
    /// a product of degree `k`.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let (f, g) = (ring.poly(&[5, 0, 1])?, ring.poly(&[1, 0, 3])?);
    /// let h = ring.compose(&f, &g)?; // (3 x^2 + 1)^2 + 5
    /// assert_eq!(ring.coefficients(&h)?, [6, 0, 6, 0, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::TooLong`] for a polynomial that no memory holds, and [`PolyError::Device`] for one that the device has no room for,
    /// before it is computed; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn compose(&self, f: &Poly<F>, g: &Poly<F>) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        self.own(g)?;
        let Some(n) = f.degree().filter(|&n| n > 0) else { return self.copy(f) };
        let Some(m) = g.degree().filter(|&m| m > 0) else {
            return self.constant(self.evaluate(f, self.coefficient(g, 0)?)?);
        };
        let what = "a composition";
        let len = n.checked_mul(m).and_then(|degree| degree.checked_add(1)).ok_or(PolyError::TooLong { what })?;
        self.room(len, what)?;
        let log_block = LOG_BLOCK.min(n.ilog2() + 1);
        let product = |a: &Poly<F>, b: &Poly<F>| self.mul(a, b);
        let powers = self.powers_of(g, 1 << log_block, &product)?;
        let mut values = self.values_of_blocks(f, &powers, log_block)?;
        // The power of g that a level multiplies by: that of twice the highest half at first, then its squares.
        let half = &powers[1 << (log_block - 1)];
        let mut power = self.square(half)?;
        while values.len() > 1 {
            let mut next = Vec::with_capacity(values.len().div_ceil(2));
            for pair in values.chunks(2) {
                next.push(match pair {
                    [low, high] => self.add(low, &self.mul(high, &power)?)?,
                    _ => self.copy(&pair[0])?,
                });
            }
            values = next;
            if values.len() > 1 {
                power = self.square(&power)?;
            }
        }
        match values.pop() {
            Some(value) => Ok(value),
            None => self.zero(),
        }
    }
}
