//! Degrees in `x` of subresultants: the least of the bounds that weights of the variables give.

use manycore_field::ModularField;

use crate::polynomial::Bivariate;

/// Weights of `y` that are tried, beside the weight 1 of `x`.
const WEIGHTS: std::ops::RangeInclusive<i64> = -8..=8;

/// A bound of the degree in `x` of `S_k`, of all of its coefficients, for `k < deg_y g <= deg_y f`.
///
/// With the weight 1 of `x` and `w` of `y` let `a` and `b` be the largest weights of terms of `f` and `g`. The entry of a matrix
/// in the row `y^r f` and the column of `y^c` has a degree of at most `a - w (c - r)`, so that the determinant of the columns
/// `y^(m+n-k-1), ..., y^(k+1), y^j` has at most
///
/// ```text
///   (n-k) a + (m-k) b + w ((n-k)(n-k-1)/2 + (m-k)(m-k-1)/2 - (k+1) - ... - (m+n-k-1) - j)
/// ```
///
/// `w = 0` gives the bound by partial degrees, `w = 1` Bézout's by total degrees.
pub(super) fn degree<F: ModularField>(f: &Bivariate<F>, g: &Bivariate<F>, k: usize) -> usize {
    let [m, n] = [f, g].map(|f| f.degree_y().unwrap_or(0) as i64);
    let bound = |w: i64| {
        let [a, b] = [f, g].map(|f| weight(f, w));
        let k = k as i64;
        let (rows_f, rows_g) = (n - k, m - k);
        let columns = m + n - k; // those of the powers 0 to m + n - k - 1
        let powers = columns * (columns - 1) / 2 - k * (k + 1) / 2;
        let of_rows = rows_f * (rows_f - 1) / 2 + rows_g * (rows_g - 1) / 2;
        // The largest over j = 0..=k.
        let last = if w < 0 { -w * k } else { 0 };
        rows_f * a + rows_g * b + w * (of_rows - powers) + last
    };
    // A bound below zero says that the subresultant is zero.
    WEIGHTS.map(bound).min().unwrap_or(0).max(0) as usize
}

/// The largest `i + w j` of the terms `x^i y^j`.
fn weight<F: ModularField>(f: &Bivariate<F>, w: i64) -> i64 {
    let rows = f.rows().iter().enumerate().filter(|(_, row)| !row.is_empty());
    rows.map(|(j, row)| row.len() as i64 - 1 + w * j as i64).max().unwrap_or(0)
}
