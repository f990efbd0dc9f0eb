//! A proved bound of the error of a determinant from its triangular factors.
//!
//! With `X` and `Y` near the inverses of the lower and the upper factor, computed in any way as triangular matrices, `X` with ones on
//! its diagonal, `B = X (P A Q) Y` is near the identity, and `det A = det(B) / product of y[i][i]`, signs apart. If `g` is the
//! largest sum of a row of `|B - I|`, then `|det B - 1| <= (1 + g)^n - 1`. The computed `B` differs from the true one by at most
//! `(2 gamma + gamma^2) |X| |P A Q| |Y|` with `gamma = n u / (1 - n u)`, whose sums of rows take three products by a vector.
//! Source: Rump, "Verification methods: rigorous results using floating-point arithmetic", Acta Numerica 19 (2010), section 10;
//! Higham, Accuracy and Stability of Numerical Algorithms, section 3.5.
//!
//! Where that says nothing, Hadamard's inequality does: the determinant is at most the product of the rows' norms, and that
//! of a matrix whose rows differ by at most `e[i]` differs by at most the product of `norm + e` less the product of norms.

use super::factors::{Factors, factors};
use super::{Condensed, Scaled};

/// The unit of rounding.
const U: f64 = f64::EPSILON / 2.0;
/// The least double above 0: the most that a product below the normal range is off by.
const ETA: f64 = f64::from_bits(1);
/// What bounds are made larger by, for the rounding of their own last operations.
const MARGIN: f64 = 1.0 + 1e-9;

/// The most that the determinant of `words` differs from `value`, which is the rounded product of the pivots.
pub(super) fn error_bound(words: &[f64], condensed: &Condensed, value: Scaled) -> Scaled {
    let order = condensed.order;
    if order == 0 {
        return Scaled::ZERO;
    }
    let norms = row_norms(words, order);
    let hadamard = norms.iter().fold(Scaled::ONE, |product, &norm| product.times(norm * MARGIN));
    let worst = value.abs().plus(hadamard).times(MARGIN);
    let Some(factors) = factors(condensed) else { return worst };
    let log = perturbation(&factors, &norms);
    // The error of the factors' product, and that of the rounded product of pivots.
    let backward = hadamard.times(log.exp_m1() * MARGIN).plus(value.abs().times(4.0 * order as f64 * U));
    let relative = relative_bound(words, &factors);
    [value.abs().times(relative), backward].into_iter().filter(|bound| bound.mantissa.is_finite()).fold(worst, smaller)
}

fn smaller(a: Scaled, b: Scaled) -> Scaled {
    let key = |x: Scaled| if x.mantissa == 0.0 { (i64::MIN, 0.0) } else { (x.exponent, x.mantissa) };
    if key(b) < key(a) { b } else { a }
}

/// The Euclidean norm of each row, rounded up.
fn row_norms(words: &[f64], order: usize) -> Vec<f64> {
    let norm = |row: &[f64]| {
        let largest = row.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        if largest == 0.0 {
            return 0.0;
        }
        let squares: f64 = row.iter().map(|x| (x / largest) * (x / largest)).sum();
        // Quotients that underflow are below the margin beside the largest, which is 1.
        largest * squares.sqrt() * (1.0 + (order as f64 + 8.0) * U) * MARGIN
    };
    words.chunks(order).map(norm).collect()
}

/// The sum of the logarithms of `1 + e[i] / norm[i]`, where the factors' product differs from row `i` of the matrix by at most
/// `e[i]`: `gamma |L| |U|`. Infinite where nothing is known.
fn perturbation(factors: &Factors, norms: &[f64]) -> f64 {
    let order = norms.len();
    let gamma = gamma(order);
    let upper = row_sums(&factors.upper, order, &vec![1.0; order]);
    let errors = row_sums(&factors.lower, order, &upper);
    let terms = factors.rows.iter().zip(&errors).map(|(&row, error)| {
        let error = (gamma * error + order as f64 * order as f64 * ETA) * MARGIN;
        if norms[row] > 0.0 { (error / norms[row]).ln_1p() } else { f64::INFINITY }
    });
    terms.sum::<f64>() * MARGIN
}

/// The most that the determinant differs from the rounded product of the pivots, over the size of that product; infinite or no
/// number where nothing is known.
fn relative_bound(words: &[f64], factors: &Factors) -> f64 {
    let order = factors.rows.len();
    let reciprocal_is_normal = |i: usize| (1e-300..1e300).contains(&factors.upper[i * order + i].abs());
    if !(0..order).all(reciprocal_is_normal) {
        return f64::INFINITY;
    }
    let x = lower_inverse(&factors.lower, order);
    let y = upper_inverse(&factors.upper, order);
    let permuted: Vec<f64> = factors
        .rows
        .iter()
        .flat_map(|&row| factors.columns.iter().map(move |&column| words[row * order + column]))
        .collect();
    let b = product(&product(&x, &permuted, order), &y, order);
    // The sums of rows of |X| |P A Q| |Y|.
    let sums_y = row_sums(&y, order, &vec![1.0; order]);
    let sums = row_sums(&x, order, &row_sums(&permuted, order, &sums_y));
    let gamma = gamma(order);
    let underflow = order as f64 * ETA * (sums_y.iter().sum::<f64>() + order as f64);
    let off = |(i, (row, sum)): (usize, (&[f64], &f64))| {
        let away: f64 = row.iter().enumerate().map(|(j, &entry)| (entry - f64::from(u8::from(i == j))).abs()).sum();
        (away * (1.0 + (order as f64 + 8.0) * U) + (2.0 * gamma + gamma * gamma) * sum + underflow) * MARGIN
    };
    // A number that is none is no bound: the largest keeps it.
    let g = b.chunks(order).zip(&sums).enumerate().map(off).fold(
        0.0,
        |g: f64, off| {
            if off.is_nan() || off > g { off } else { g }
        },
    );
    (order as f64 * (g.ln_1p() + 4.0 * U)).exp_m1() * MARGIN
}

/// `n u / (1 - n u)` for sums of `n` products.
fn gamma(order: usize) -> f64 {
    let nu = (order as f64 + 2.0) * U;
    nu / (1.0 - nu) * MARGIN
}

/// The products of the sizes of a matrix' entries with a vector of sizes, rounded up.
fn row_sums(words: &[f64], order: usize, vector: &[f64]) -> Vec<f64> {
    let sum = |row: &[f64]| row.iter().zip(vector).map(|(x, y)| x.abs() * y).sum::<f64>();
    words.chunks(order).map(|row| sum(row) * (1.0 + 4.0 * (order as f64 + 2.0) * U) * MARGIN).collect()
}

/// `row += factor other`.
fn add_scaled(row: &mut [f64], factor: f64, other: &[f64]) {
    row.iter_mut().zip(other).for_each(|(x, &y)| *x += factor * y);
}

/// About the inverse of a lower triangular matrix with ones on its diagonal; exactly such a matrix.
fn lower_inverse(lower: &[f64], order: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; order * order];
    for i in 0..order {
        let (above, rest) = inverse.split_at_mut(i * order);
        rest[i] = 1.0;
        for (s, row) in above.chunks(order).enumerate() {
            add_scaled(&mut rest[..i], -lower[i * order + s], &row[..i]);
        }
    }
    inverse
}

/// About the inverse of an upper triangular matrix; exactly such a matrix, with the rounded reciprocals on its diagonal.
fn upper_inverse(upper: &[f64], order: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; order * order];
    for i in (0..order).rev() {
        let (above, below) = inverse.split_at_mut((i + 1) * order);
        let row = &mut above[i * order..];
        for (s, other) in (i + 1..order).zip(below.chunks(order)) {
            add_scaled(&mut row[i + 1..], -upper[i * order + s], &other[i + 1..]);
        }
        let pivot = upper[i * order + i];
        row[i + 1..].iter_mut().for_each(|x| *x /= pivot);
        row[i] = 1.0 / pivot;
    }
    inverse
}

fn product(a: &[f64], b: &[f64], order: usize) -> Vec<f64> {
    let mut out = vec![0.0; order * order];
    for (row, a) in out.chunks_mut(order).zip(a.chunks(order)) {
        for (&factor, b) in a.iter().zip(b.chunks(order)).filter(|(factor, _)| **factor != 0.0) {
            add_scaled(row, factor, b);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_are_near() {
        let lower = [1.0, 0.0, 0.0, 0.5, 1.0, 0.0, -2.0, 3.0, 1.0];
        assert_eq!(product(&lower_inverse(&lower, 3), &lower, 3), [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        let upper = [2.0, 1.0, 4.0, 0.0, 4.0, -1.0, 0.0, 0.0, 0.5];
        assert_eq!(product(&upper, &upper_inverse(&upper, 3), 3), [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn norms_are_rounded_up() {
        let norms = row_norms(&[3e200, 4e200, 0.0, 0.0], 2);
        assert!((5e200..5.000_000_1e200).contains(&norms[0]) && norms[1] == 0.0);
    }
}
