//! The subresultant chain over `F_p[x]` by pseudo-remainders and exact divisions (Brown 1978; Ducos, Optimizations of the
//! subresultant algorithm, 2000), for fields with fewer elements than the resultant has coefficients.
//!
//! ```text
//!   s = lc(g)^(m-n),  A = g,  B = prem(f, -g)
//!   repeat with d = deg A, e = deg B:  S_(d-1) = B;  B = 0: end
//!      e < d - 1:  C = lc(B)^(d-1-e) B / s^(d-1-e),  S_e = C;   else C = B
//!      e = 0: end;   B = prem(A, -B) / (s^(d-e) lc(A)),  A = C,  s = lc(C)
//! ```
//!
//! with `prem(a, -b) = (-lc(b))^(deg a - deg b + 1) a mod b`.

use crate::error::BivariateError;
use crate::polynomial::Bivariate;
use crate::ring::{BivariateField, BivariateRing};
use crate::univariate::{Univariate, Words};

/// All subresultants of `deg_y f >= deg_y g >= 1`, by their index.
pub(super) fn subresultants<F: BivariateField>(
    ring: &BivariateRing<F>,
    f: &Bivariate<F>,
    g: &Bivariate<F>,
) -> Result<Vec<Bivariate<F>>, BivariateError> {
    let u = ring.univariate();
    let n = g.degree_y().unwrap_or(0);
    let mut chain: Vec<Vec<Words<F>>> = vec![Vec::new(); n];
    let mut s = u.power(leading(g.rows()), f.rows().len() - g.rows().len())?;
    let mut a = g.rows().to_vec();
    let mut b = pseudo_remainder(u, f.rows(), g.rows())?;
    while let Some(e) = b.len().checked_sub(1) {
        let d = a.len() - 1;
        chain[d - 1].clone_from(&b);
        let mut c = b.clone();
        if e < d - 1 {
            let up = u.power(leading(&b), d - 1 - e)?;
            let down = u.power(&s, d - 1 - e)?;
            for row in &mut c {
                *row = u.div_exact(&u.mul(row, &up)?, &down)?;
            }
            chain[e].clone_from(&c);
        }
        if e == 0 {
            break;
        }
        let by = u.mul(&u.power(&s, d - e)?, leading(&a))?;
        b = pseudo_remainder(u, &a, &b)?;
        for row in &mut b {
            *row = u.div_exact(row, &by)?;
        }
        a = c;
        s = leading(&a).to_vec();
    }
    Ok(chain.into_iter().map(|rows| Bivariate::trimmed(ring.field(), rows)).collect())
}

/// The coefficient of the highest power of `y`.
fn leading<E>(rows: &[Vec<E>]) -> &[E] {
    rows.last().map_or(&[], Vec::as_slice)
}

/// `(-lc(b))^(deg a - deg b + 1) a mod b`, without rows of zeros at its end, for `deg a >= deg b`.
fn pseudo_remainder<F: BivariateField>(
    u: &Univariate<F>,
    a: &[Words<F>],
    b: &[Words<F>],
) -> Result<Vec<Words<F>>, BivariateError> {
    let n = b.len() - 1;
    let c = u.scale(leading(b), u.field().neg(u.field().one()));
    let mut r = a.to_vec();
    for top in (n..a.len()).rev() {
        // -lc(b) a + a_top y^(top - n) b
        let q = r.pop().unwrap_or_default();
        for (j, row) in r.iter_mut().enumerate() {
            let mut value = u.mul(row, &c)?;
            if let Some(y) = (j + n).checked_sub(top).and_then(|j| b.get(j)) {
                value = u.sub(&value, &u.scale(&u.mul(&q, y)?, u.field().neg(u.field().one())));
            }
            *row = value;
        }
    }
    while r.pop_if(|row| row.is_empty()).is_some() {}
    Ok(r)
}
