//! The Taylor shift `f(x + c)` by one convolution (A. Aho, K. Steiglitz, J. Ullman, Evaluating polynomials at fixed sets of points,
//! SIAM Journal on Computing 4, 1975; J. von zur Gathen, J. Gerhard, Fast algorithms for Taylor shifts, ISSAC 1997, method F).
//!
//! `k!` times coefficient `k` of the result is the sum over `i >= k` of `i! f_i` times `c^(i - k) / (i - k)!`. Where the
//! characteristic is at most the degree, factorials have no inverses, and the shift is a composition.

use crate::arithmetic::multiply::{Factors, Shape};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// `f(x + c)`: one product of as many coefficients as `f` has, below the characteristic; by divide and conquer, `O(M(n) log n)`,
    /// from there on.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let shifted = ring.taylor_shift(&ring.poly(&[0, 0, 0, 1])?, 2)?; // (x + 2)^3
    /// assert_eq!(ring.coefficients(&shifted)?, [8, 12, 6, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfRange`] for a `c` that is no residue; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn taylor_shift(&self, f: &Poly<F>, c: F::Element) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        let field = self.field();
        field.check(&[c])?;
        let n = f.len();
        if n <= 1 || c == field.zero() {
            return self.copy(f);
        }
        if n as u64 > field.order() {
            return self.compose(f, &self.poly(&[c, field.one()])?);
        }
        let factorials = self.weights.factorials((self.device(), self.field()), n)?;
        let [up, down] = &*factorials;
        let weighted = self.hadamard(f.view()?, up.view(..n)?)?;
        let reversed = self.reverse_words(&self.exact(weighted, n))?;
        let powers = self.factors(Some(down), n, c, field.one())?;
        let mut sums = self.device().scratch(n)?;
        let shape = Shape { count: 1, n, m: n, low: 0, len: n, square: false };
        self.multiply(&shape, &Factors { a: &reversed, b: &powers }, &mut sums, None)?;
        let sums = self.reverse_words(&self.exact(sums, n))?;
        // The leading coefficient is that of f.
        Ok(self.exact(self.hadamard(sums.view(..)?, down.view(..n)?)?, n))
    }
}
