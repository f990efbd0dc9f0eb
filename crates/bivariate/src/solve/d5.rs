//! Polynomials in `y` over `F_p[x]` modulo a squarefree `T`: the dynamic evaluation of Della Dora, Dicrescenzo and Duval (D5, 1985),
//! which computes as in a field and splits `T` where an element is neither zero nor a unit.

use manycore_poly::PolyError;

use crate::error::BivariateError;
use crate::ring::BivariateField;
use crate::univariate::{Univariate, Words};

/// Coefficients in `x` by powers of `y`, the last one not zero.
pub(super) type Rows<F> = Vec<Words<F>>;

/// A part of `T`, and a polynomial modulo it.
pub(super) type Branch<F> = (Words<F>, Rows<F>);

impl<F: BivariateField> Univariate<F> {
    fn reduced(&self, rows: &[Words<F>], t: &[F::Element]) -> Result<Rows<F>, BivariateError> {
        let mut reduced = rows.iter().map(|row| self.rem(row, t)).collect::<Result<Rows<F>, _>>()?;
        while reduced.pop_if(|row| row.is_empty()).is_some() {}
        Ok(reduced)
    }

    /// Splits a squarefree `T` into pairwise coprime parts, modulo each of which the polynomial is zero or monic.
    pub(super) fn normalise(&self, t: &[F::Element], h: &[Words<F>]) -> Result<Vec<Branch<F>>, BivariateError> {
        let mut done = Vec::new();
        let mut open = vec![(t.to_vec(), h.to_vec())];
        while let Some((t, h)) = open.pop() {
            if t.len() <= 1 {
                continue;
            }
            let mut h = self.reduced(&h, &t)?;
            let Some(leading) = h.last() else {
                done.push((t, h));
                continue;
            };
            // Euclid's algorithm gives the inverse, or shows that there is none.
            match self.inverse_mod(leading, &t) {
                Ok(inverse) => {
                    if let Some((last, low)) = h.split_last_mut() {
                        for row in low {
                            *row = self.mul_mod(row, &inverse, &t)?;
                        }
                        *last = self.one();
                    }
                    done.push((t, h));
                }
                Err(BivariateError::Poly(PolyError::NotInvertible { .. })) => {
                    let g = self.gcd(leading, &t)?;
                    open.push((self.div_exact(&t, &g)?, h.clone()));
                    h.pop();
                    open.push((g, h));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }

    /// Splits a squarefree `T` into pairwise coprime parts with a greatest common divisor of `f` and `g` modulo each, zero or monic.
    pub(super) fn gcd_by_splitting(
        &self,
        t: &[F::Element],
        f: &[Words<F>],
        g: &[Words<F>],
    ) -> Result<Vec<Branch<F>>, BivariateError> {
        let mut done = Vec::new();
        let mut open = vec![(t.to_vec(), f.to_vec(), g.to_vec())];
        while let Some((t, f, g)) = open.pop() {
            for (t, g) in self.normalise(&t, &g)? {
                if g.is_empty() {
                    done.extend(self.normalise(&t, &f)?);
                } else {
                    let r = self.remainder_mod(&f, &g, &t)?;
                    open.push((t, g, r));
                }
            }
        }
        Ok(done)
    }

    /// The remainder of `f` by `g`, monic in `y`, modulo `T`.
    pub(super) fn remainder_mod(
        &self,
        f: &[Words<F>],
        g: &[Words<F>],
        t: &[F::Element],
    ) -> Result<Rows<F>, BivariateError> {
        let mut r = self.reduced(f, t)?;
        let n = g.len().saturating_sub(1);
        while r.len() > n {
            let top = r.len() - 1;
            let Some(q) = r.pop() else { break };
            for (row, by) in r[top - n..].iter_mut().zip(g) {
                let difference = self.sub(row, &self.mul_mod(&q, by, t)?);
                *row = difference;
            }
        }
        while r.pop_if(|row| row.is_empty()).is_some() {}
        Ok(r)
    }
}
