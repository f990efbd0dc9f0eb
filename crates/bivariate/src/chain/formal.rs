//! All subresultants at one point, for any degrees: Euclid's algorithm with the factors of subresultants, and rules for leading
//! coefficients that vanish.
//!
//! Let `f` and `g` have the formal degrees `m >= n >= 1` and the degrees `m'` and `n'`, and `S_k` be the formal ones.
//!
//! ```text
//!   m' < m, n' < n:  S_k = 0, a column of zeros
//!   n' < n:          S_k = lc(f)^(n-n') S_k(f, g)                             k < n'
//!                    S_k = lc(f)^(n-k) g_k^(m-k-1) g                          k >= n'
//!   m' < m:          S_k = ((-1)^(n-k) lc(g))^(m-m') S_k(f, g)                k < m'
//!                    S_k = ((-1)^(n-k) lc(g))^(m-k) f_k^(n-k-1) f             k >= m'
//! ```
//!
//! by development after the columns that have one entry, where `f_k` is a coefficient and `0^0 = 1`. With true degrees `m >= n >= 1`,
//! `r = f mod g`, `l = deg r` and `c = lc(g)`,
//!
//! ```text
//!   S_(n-1) = (-c)^(m-n+1) r          S_k = 0                                 l < k < n - 1
//!   S_l     = (-1)^((n-l)(m-l)) c^(m-l) lc(r)^(n-l-1) r                       l < n - 1
//!   S_k     = (-1)^((n-k)(m-k)) c^(m-l) S_k(g, r)                             k < l
//! ```

use manycore_field::ModularField;
use manycore_poly::linear::reference::stripped_len;

use super::lanes::Wanted;

/// A division of the sequence: the degrees of dividend and divisor, on which later signs depend.
#[derive(Clone, Copy)]
struct Division {
    above: usize,
    divisor: usize,
}

/// Calls `found` with each `k` for which `S_k` may be other than zero, a polynomial and the factor that makes it `S_k`.
///
/// `f` and `g` have `m + 1 >= n + 1 >= 2` words, formal degrees and one, of which the last may be zero. `O(m n)` products.
///
/// ```
/// use manycore_bivariate::chain::formal::subresultants;
/// use manycore_field::PrimeField;
/// let field = PrimeField::<u32>::new(9001)?;
/// let mut resultant = 0;
/// // y + 1, formally of degree 3, and 2 y^2 + 1: (-1)^(2 * 2) 2^2 times the resultant 3.
/// subresultants(&field, &[1, 1, 0, 0], &[1, 0, 2], |k, polynomial, factor| {
///     if k == 0 {
///         resultant = factor * polynomial[0] % 9001;
///     }
/// });
/// assert_eq!(resultant, 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn subresultants<F: ModularField>(
    field: &F,
    f: &[F::Element],
    g: &[F::Element],
    mut found: impl FnMut(usize, &[F::Element], F::Element),
) {
    let (m, n) = (f.len() - 1, g.len() - 1);
    let a = &f[..stripped_len(field, f)];
    let b = &g[..stripped_len(field, g)];
    let signed = |negative: bool, value| if negative { field.neg(value) } else { value };
    match (a.len() == f.len(), b.len() == g.len()) {
        (false, false) => {}
        (true, true) => true_degrees(field, a, b, &mut found),
        (true, false) => {
            let Some(degree) = b.len().checked_sub(1) else { return };
            let c = f[m];
            // Zero coefficients of `g` to a positive power are left out.
            if degree < n {
                if degree < n - 1 && m == n {
                    found(n - 1, b, c);
                }
                let power = field.power(b[degree], (m - degree - 1) as u64);
                found(degree, b, field.mul(field.power(c, (n - degree) as u64), power));
            }
            if degree >= 1 {
                let factor = field.power(c, (n - degree) as u64);
                true_degrees(field, a, b, &mut |k, s, by| found(k, s, field.mul(factor, by)));
            }
        }
        (false, true) => {
            let Some(degree) = a.len().checked_sub(1) else { return };
            let c = g[n];
            let power_of = |k: usize, exponent: usize| {
                signed((n - k) % 2 == 1 && exponent % 2 == 1, field.power(c, exponent as u64))
            };
            if degree < n {
                if degree < n - 1 {
                    found(n - 1, a, power_of(n - 1, m - (n - 1)));
                }
                let power = field.power(a[degree], (n - degree - 1) as u64);
                found(degree, a, field.mul(power_of(degree, m - degree), power));
            }
            if degree >= n {
                true_degrees(field, a, b, &mut |k, s, by| found(k, s, field.mul(power_of(k, m - degree), by)));
            } else if degree >= 1 {
                true_degrees(field, b, a, &mut |k, s, by| {
                    let by = signed((degree - k) * (n - k) % 2 == 1, by);
                    found(k, s, field.mul(power_of(k, m - degree), by));
                });
            }
        }
    }
}

/// The subresultant for polynomials of exactly these degrees, that of `f` being the larger one and `g` not constant.
fn true_degrees<F: ModularField>(
    field: &F,
    f: &[F::Element],
    g: &[F::Element],
    found: &mut impl FnMut(usize, &[F::Element], F::Element),
) {
    let (mut a, mut b) = (f.to_vec(), g.to_vec());
    let mut divisions: Vec<Division> = Vec::new();
    let mut factor = field.one();
    while b.len() > 1 {
        let (m, n) = (a.len() - 1, b.len() - 1);
        let c = b[n];
        remainder(field, &mut a, &b);
        let Some(l) = a.len().checked_sub(1) else { return };
        let signed = |divisions: &[Division], k: usize, value| {
            let negative = divisions.iter().filter(|by| (by.divisor - k) * (by.above - k) % 2 == 1).count();
            if negative % 2 == 1 { field.neg(value) } else { value }
        };
        let power = field.power(field.neg(c), (m - n + 1) as u64);
        found(n - 1, &a, signed(&divisions, n - 1, field.mul(factor, power)));
        divisions.push(Division { above: m, divisor: n });
        factor = field.mul(factor, field.power(c, (m - l) as u64));
        if l < n - 1 {
            let power = field.power(a[l], (n - l - 1) as u64);
            found(l, &a, signed(&divisions, l, field.mul(factor, power)));
        }
        std::mem::swap(&mut a, &mut b);
    }
}

/// Makes `a` its remainder by `b`, whose last word is not zero.
fn remainder<F: ModularField>(field: &F, a: &mut Vec<F::Element>, b: &[F::Element]) {
    let n = b.len() - 1;
    // The leading coefficient has an inverse.
    let inverse = field.inverse(b[n]).unwrap_or(field.zero());
    for top in (n..a.len()).rev() {
        let q = field.mul(a[top], inverse);
        let negative = field.neg(q);
        for (x, &y) in a[top - n..top].iter_mut().zip(b) {
            *x = field.add(*x, field.mul(negative, y));
        }
    }
    a.truncate(n);
    a.truncate(stripped_len(field, a));
}

/// The wanted words at one point.
pub(super) fn single<F: ModularField>(
    field: &F,
    f: &[F::Element],
    g: &[F::Element],
    wanted: &Wanted<'_>,
    mut give: impl FnMut(usize, F::Element),
) {
    (0..wanted.words()).for_each(|word| give(word, field.zero()));
    subresultants(field, f, g, |k, s, factor| {
        let Some(offset) = wanted.offset(k) else { return };
        // A remainder has a degree of at most k.
        for (j, &c) in s.iter().enumerate().take(k + 1) {
            give(offset + j, field.mul(c, factor));
        }
    });
}
