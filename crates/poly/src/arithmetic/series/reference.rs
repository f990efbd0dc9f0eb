//! Power series by the recurrences of their coefficients, quadratic: specification and oracle.
//!
//! Each takes the coefficients of a series, the constant term first, missing ones being 0, and gives the first `n` of the result.

use manycore_field::ModularField;

/// Coefficient `i`, 0 past the last.
fn at<F: ModularField>(field: &F, f: &[F::Element], i: usize) -> F::Element {
    f.get(i).copied().unwrap_or(field.zero())
}

/// The sum of `a_i b_(k-i)` for `first <= i <= last`.
fn sum<F: ModularField>(
    field: &F,
    a: &[F::Element],
    b: &[F::Element],
    k: usize,
    first: usize,
    last: usize,
) -> F::Element {
    let terms = (first..=last.min(k)).map(|i| field.mul(at(field, a, i), at(field, b, k - i)));
    terms.fold(field.zero(), |sum, term| field.add(sum, term))
}

/// The quotient of `f` by `g`: `q_k = (f_k - sum of g_i q_(k-i) for 1 <= i <= k) / g_0`; `None` where `g_0` is 0.
pub fn quotient<F: ModularField>(field: &F, f: &[F::Element], g: &[F::Element], n: usize) -> Option<Vec<F::Element>> {
    let inverse = field.inverse(at(field, g, 0))?;
    let mut q: Vec<F::Element> = Vec::with_capacity(n);
    for k in 0..n {
        let known = sum(field, g, &q, k, 1, k);
        q.push(field.mul(field.sub(at(field, f, k), known), inverse));
    }
    Some(q)
}

/// The logarithm of an `f` with the constant term 1: `k l_k = k f_k - sum of i l_i f_(k-i) for 1 <= i < k`, and `l_0 = 0`; `None`
/// where an integer below `n` has no inverse.
pub fn logarithm<F: ModularField>(field: &F, f: &[F::Element], n: usize) -> Option<Vec<F::Element>> {
    // The coefficients of x times the derivative of the logarithm.
    let mut weighted: Vec<F::Element> = Vec::with_capacity(n);
    let mut logarithm = Vec::with_capacity(n);
    for k in 0..n {
        let own = field.mul(field.natural(k as u64), at(field, f, k));
        weighted.push(if k == 0 { own } else { field.sub(own, sum(field, &weighted, f, k, 1, k - 1)) });
        let inverse = if k == 0 { field.one() } else { field.inverse(field.natural(k as u64))? };
        logarithm.push(field.mul(weighted[k], inverse));
    }
    Some(logarithm)
}

/// The exponential of an `f` with the constant term 0: `k g_k = sum of i f_i g_(k-i) for 1 <= i <= k`, and `g_0 = 1`; `None` where
/// an integer below `n` has no inverse.
pub fn exponential<F: ModularField>(field: &F, f: &[F::Element], n: usize) -> Option<Vec<F::Element>> {
    let weighted: Vec<F::Element> = (0..n).map(|i| field.mul(field.natural(i as u64), at(field, f, i))).collect();
    let mut g: Vec<F::Element> = Vec::with_capacity(n);
    for k in 0..n {
        let value = match k {
            0 => field.one(),
            _ => field.mul(sum(field, &weighted, &g, k, 1, k), field.inverse(field.natural(k as u64))?),
        };
        g.push(value);
    }
    Some(g)
}

/// The square root of `f` with the constant term `root`, whose square is `f_0`: `2 root s_k = f_k - sum of s_i s_(k-i) for
/// 0 < i < k`; `None` where `2 root` is 0.
pub fn square_root<F: ModularField>(
    field: &F,
    f: &[F::Element],
    root: F::Element,
    n: usize,
) -> Option<Vec<F::Element>> {
    let inverse = field.inverse(field.add(root, root))?;
    let mut s: Vec<F::Element> = Vec::with_capacity(n);
    for k in 0..n {
        let value = match k {
            0 => root,
            _ => field.mul(field.sub(at(field, f, k), sum(field, &s, &s, k, 1, k - 1)), inverse),
        };
        s.push(value);
    }
    Some(s)
}

/// The compositional inverse of an `f` without constant term: `g` with `f(g) = x`, a coefficient after another, since
/// coefficient `k` of `f(g)` is `f_1 g_k` and a number that depends on earlier ones; `None` where `f_1` is 0. Takes `O(n^4)`
/// operations.
pub fn reversion<F: ModularField>(field: &F, f: &[F::Element], n: usize) -> Option<Vec<F::Element>> {
    let inverse = field.inverse(at(field, f, 1))?;
    let mut g = vec![field.zero(); n.min(1)];
    for k in 1..n {
        // The value of f there, without coefficient k, by Horner's rule modulo x^(k+1).
        let mut value = vec![field.zero(); k + 1];
        for i in (0..f.len().min(k + 1)).rev() {
            value = (0..=k).map(|j| sum(field, &value, &g, j, 0, j)).collect();
            value[0] = field.add(value[0], f[i]);
        }
        let wanted = if k == 1 { field.one() } else { field.zero() };
        g.push(field.mul(field.sub(wanted, value[k]), inverse));
    }
    Some(g)
}
