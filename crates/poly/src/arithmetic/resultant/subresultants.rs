//! Subresultant polynomials by Euclid's remainder sequence and the structure theorem (Habicht 1948; von zur Gathen and Luecking
//! 2003).
//!
//! For `m = deg f >= n = deg g >= 1`, `c = lc(g)`, `r = f mod g` of the degree `l`:
//!
//! ```text
//!   S_(n-1)(f, g) = (-c)^(m-n+1) r
//!   S_k(f, g)     = 0                                                      l < k < n - 1
//!   S_l(f, g)     = (-1)^((n-l)(m-l)) c^(m-l) lc(r)^(n-l-1) r              where l < n - 1
//!   S_k(f, g)     = (-1)^((n-k)(m-k)) c^(m-l) S_k(g, r)                    k < l
//! ```

use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// What a division of the sequence does to the lower subresultants: a sign that depends on `k`, and a factor.
struct Division {
    above: usize,
    divisor: usize,
}

impl<F: PolyField> PolyRing<F> {
    /// The subresultant polynomials `S_0, ..., S_(d-1)` of `f` and `g`, with `d` the smaller of their degrees: `S_k` has a degree of
    /// at most `k`, and its coefficient of `x^j` is the determinant of the first `m + n - 2 k - 1` columns and that of `x^j` of the
    /// rows `x^(n-k-1) f, ..., f, x^(m-k-1) g, ..., g` (see [`reference::subresultant`](crate::arithmetic::resultant::reference::subresultant)).
    /// `S_0` is the resultant; the first one that is not zero is a greatest common divisor. Those of a degree below `k` are the
    /// defective ones; most of them are zero. None where a polynomial is zero or constant.
    ///
    /// A division for each remainder: `O(n^2)` products of coefficients, as many as the result has coefficients.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let chain = ring.subresultants(&ring.poly(&[1, 0, 1])?, &ring.poly(&[3, 1])?)?;
    /// assert_eq!(chain.len(), 1);
    /// assert_eq!(ring.coefficients(&chain[0])?, [3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::div_rem`].
    #[inline(never)]
    pub fn subresultants(&self, f: &Poly<F>, g: &Poly<F>) -> Result<Vec<Poly<F>>, PolyError> {
        self.own(f)?;
        self.own(g)?;
        let (Some(m), Some(n)) = (f.degree(), g.degree()) else { return Ok(Vec::new()) };
        let swapped = m < n;
        let (mut a, mut b) = if swapped { (self.copy(g)?, self.copy(f)?) } else { (self.copy(f)?, self.copy(g)?) };
        let field = self.field();
        let mut chain = (0..m.min(n)).map(|_| self.zero()).collect::<Result<Vec<_>, _>>()?;
        // Rows of one polynomial past those of the other.
        let mut divisions: Vec<Division> = Vec::new();
        if swapped {
            divisions.push(Division { above: m, divisor: n });
        }
        let mut factor = field.one();
        while let Some(n) = b.degree().filter(|&n| n > 0) {
            let m = a.len - 1;
            let r = self.rem(&a, &b)?;
            let (Some(l), Some(c), Some(leading)) = (r.degree(), self.leading(&b)?, self.leading(&r)?) else { break };
            let signed = |divisions: &[Division], k: usize, value| {
                let negative = divisions.iter().filter(|by| (by.divisor - k) * (by.above - k) % 2 == 1).count();
                if negative % 2 == 1 { field.neg(value) } else { value }
            };
            let power = field.power(field.neg(c), (m - n + 1) as u64);
            chain[n - 1] = self.scale(&r, signed(&divisions, n - 1, field.mul(factor, power)))?;
            divisions.push(Division { above: m, divisor: n });
            factor = field.mul(factor, field.power(c, (m - l) as u64));
            if l < n - 1 {
                let power = field.power(leading, (n - l - 1) as u64);
                chain[l] = self.scale(&r, signed(&divisions, l, field.mul(factor, power)))?;
            }
            (a, b) = (b, r);
        }
        Ok(chain)
    }
}
