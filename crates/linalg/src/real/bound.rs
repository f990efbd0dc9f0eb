//! A proved bound of the error of a determinant from its triangular factors, underflow and overflow included.
//!
//! An operation of doubles has the result `(x op y)(1 + delta) + eta` with `|delta| <= u = 2^-53`, and `|eta| <= h = 2^-1074` for
//! products and quotients, 0 for sums, unless it overflows (Higham, section 2.1 and problem 2.20; half of `h` would do). An entry
//! of the matrix is itself off by `h` at most where scaling has brought it below the normal range. So factors that the steps leave,
//! each entry of which has lost at most `n` products and was divided once, have
//!
//! ```text
//! |P A Q - L U| <= gamma |L| |U| + w h      w = n + 2 + max |pivot|,  gamma = (n + 2) u / (1 - (n + 2) u)
//! ```
//!
//! for every entry, since a quotient's `eta` is multiplied by its pivot. The same holds with fewer terms for the systems below.
//! Every sum of products of sizes is computed with the same arithmetic, and then made larger by `n h` and some parts of `u`.
//! Infinite numbers and those that are none stay so up to the end, where they are no bound.
//!
//! Let `Y` be near the inverse of the upper factor, computed in any way as a triangular matrix, and `R = L - P A Q Y`. Then
//! `det A = det(I - M) / product of y[i][i]`, signs apart, with `M = inv(L) R`, and `|det(I - M) - 1| <= (1 + g)^n - 1` for the
//! largest sum `g` of a row of `|inv(D) M D|` with any diagonal `D`: here the pivots' sizes, which are scaled as rows are. The
//! computed `R` differs from the true one by at most `gamma (|L| + |P A Q| |Y|)`, `n h`, and `h` times sums of columns of `|Y|`.
//!
//! An inverse `X` of the lower factor that is computed by substitution has `L X = I + G` with `|G| <= gamma |L| |X| + n h`. With the
//! vectors `d` of `D` and `v >= |R| d`, and a number with `|G| v <= eta v`,
//!
//! ```text
//! g <= max over i of (|X| v)[i] / d[i] / (1 - eta)
//! ```
//!
//! Two triangular inverses and the product `P A Q Y`, of which sums of rows are kept alone, are `5/6 n^3` products; everything else
//! is a product by a vector.
//! Source: Rump, "Verification methods: rigorous results using floating-point arithmetic", Acta Numerica 19 (2010), section 10;
//! Higham, Accuracy and Stability of Numerical Algorithms, sections 2.1, 3.5, 8.1, 9.3 and 14.2.
//!
//! Where that says nothing, Hadamard's inequality does: the determinant is at most the product of the rows' norms, and that
//! of a matrix whose rows differ by at most `e[i]` differs by at most the product of `norm + e` less the product of norms. It also
//! serves where a row without pivot ends the elimination: the matrix that differs by `|P A Q - L U|` in the rows up to that one, and
//! not at all in those behind, is singular, which is what was computed.

use manycore_device::{Device, OpenCl, Team};
use manycore_field::RealSlices;

use super::device_bound::DeviceSums;
use super::factors::Factors;
use super::scaled::Scaled;
use super::triangular::{DEPTH, LANES, add_parts, inverse_columns, inverse_sums, subtract, weighted};
use crate::error::LinalgError;

/// The unit of rounding.
const U: f64 = f64::EPSILON / 2.0;
/// The least double above 0: no less than what a product below the normal range is off by.
const ETA: f64 = f64::from_bits(1);
/// What bounds are made larger by, for the rounding of their own last operations.
const MARGIN: f64 = 1.0 + 1e-9;

/// What computes a bound.
#[derive(Clone, Copy)]
pub(super) struct Workers<'a> {
    /// The host's threads, which take products by vectors.
    pub(super) team: Team<'a>,
    /// Where products of matrices are taken, if not by the team.
    pub(super) device: Option<(&'a Device, &'a OpenCl)>,
}

impl Workers<'_> {
    /// What `of` makes of each row's number.
    fn rows(self, order: usize, of: impl Fn(usize) -> f64 + Sync) -> Vec<f64> {
        let mut all = vec![0.0; order];
        let band = |(number, band): (usize, &mut [f64])| {
            band.iter_mut().zip(number * LANES..).for_each(|(x, row)| *x = of(row));
        };
        self.team.only_if(order >= 4 * LANES).each(all.chunks_mut(LANES).enumerate(), band);
        all
    }
}

/// The most that the determinant of `words` differs from `value`, which is the rounded product of the pivots. The same bits for
/// all workers.
///
/// # Errors
/// Those of the device.
pub(super) fn error_bound(
    workers: Workers<'_>,
    words: &[f64],
    order: usize,
    factors: Option<&Factors>,
    value: Scaled,
) -> Result<Scaled, LinalgError> {
    // A single entry is its determinant.
    if order == 1 {
        return Ok(Scaled::ZERO);
    }
    let norms = row_norms(workers, words, order);
    let hadamard = norms.iter().fold(Scaled::ONE, |product, &norm| product.times(norm * MARGIN));
    let worst = value.abs().plus(hadamard).times(MARGIN);
    let Some(factors) = factors else { return Ok(worst) };
    let sizes = Sizes::of(workers, factors);
    let log = perturbation(&sizes, factors, &norms);
    // The error of the factors' product, and that of the rounded product of pivots.
    let backward = hadamard.times(log.exp_m1() * MARGIN).plus(value.abs().times(4.0 * order as f64 * U));
    let relative = if factors.rank == order { relative_bound(words, &sizes, factors)? } else { f64::INFINITY };
    let found = [value.abs().times(relative), backward].into_iter().filter(|bound| bound.mantissa.is_finite());
    Ok(found.fold(worst, smaller))
}

fn smaller(a: Scaled, b: Scaled) -> Scaled {
    let key = |x: Scaled| if x.mantissa == 0.0 { (i64::MIN, 0.0) } else { (x.exponent, x.mantissa) };
    if key(b) < key(a) { b } else { a }
}

/// The Euclidean norm of each row, rounded up.
fn row_norms(workers: Workers<'_>, words: &[f64], order: usize) -> Vec<f64> {
    workers.rows(order, |row| {
        let row = &words[row * order..][..order];
        let largest = row.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        if largest == 0.0 {
            return 0.0;
        }
        let squares: f64 = row.iter().map(|x| (x / largest) * (x / largest)).sum();
        // Quotients that underflow are below the margin beside the largest, which is 1; what scaling has cost an entry is, too,
        // beside the largest of a row, which is far above the end of the range.
        largest * squares.sqrt() * (1.0 + (order as f64 + 8.0) * U) * MARGIN
    })
}

/// What a bound takes of the factors.
struct Sizes<'a> {
    workers: Workers<'a>,
    order: usize,
    /// `gamma`.
    gamma: f64,
    /// The pivots' sizes.
    pivots: Vec<f64>,
    /// `w h`: the most that an entry of a product of the factors or of their inverses is off beside its rounding.
    underflow: f64,
}

impl<'a> Sizes<'a> {
    fn of(workers: Workers<'a>, factors: &Factors) -> Self {
        let order = factors.rows.len();
        let diagonal = factors.words.iter().step_by(order + 1);
        let pivots: Vec<f64> = diagonal.take(factors.rank).map(|pivot| pivot.abs()).collect();
        // One more for the rounding of this product, which may be below the normal range.
        let underflow = (order as f64 + 3.0 + maximum(pivots.iter().copied())) * MARGIN * ETA;
        Self { workers, order, gamma: gamma(order), pivots, underflow }
    }

    /// `|L| x` for the first rows, as many as `x` has, rounded up.
    fn lower(&self, factors: &Factors, x: &[f64]) -> Vec<f64> {
        let row = |i: usize| &factors.words[i * self.order..][..i];
        self.workers.rows(x.len(), |i| round_up(dot(row(i), x) + x[i], self.order))
    }

    /// The sums of the rows of `|U|`, rounded up.
    fn upper(&self, factors: &Factors) -> Vec<f64> {
        let row = |i: usize| &factors.words[i * self.order..][i..self.order];
        let ones = vec![1.0; self.order];
        self.workers.rows(factors.rank, |i| round_up(dot(row(i), &ones), self.order))
    }
}

/// The sum of the logarithms of `1 + e[i] / norm[i]`, where the factors' product differs from row `i` of the matrix by at most
/// `e[i]`: the row's sum of `gamma |L| |U| + w h`. Rows behind one without pivot do not differ. Infinite where nothing is known.
fn perturbation(sizes: &Sizes<'_>, factors: &Factors, norms: &[f64]) -> f64 {
    let order = sizes.order;
    let mut sums = sizes.upper(factors);
    // A row without pivot is a sum of those before it.
    sums.resize(order.min(factors.rank + 1), 0.0);
    let terms = factors.rows.iter().zip(sizes.lower(factors, &sums)).map(|(&row, error)| {
        let error = (sizes.gamma * error + order as f64 * sizes.underflow) * MARGIN;
        if norms[row] > 0.0 { (error / norms[row]).ln_1p() } else { f64::INFINITY }
    });
    terms.sum::<f64>() * MARGIN
}

/// The most that the determinant differs from the rounded product of the pivots, over the size of that product; infinite or no
/// number where nothing is known.
fn relative_bound(words: &[f64], sizes: &Sizes<'_>, factors: &Factors) -> Result<f64, LinalgError> {
    let (order, gamma, d) = (sizes.order, sizes.gamma, &sizes.pivots);
    // Far enough from the ends of the range that products below the normal range are lost beside what they are added to.
    if !d.iter().all(|pivot| (1e-250..1e250).contains(pivot)) {
        return Ok(f64::INFINITY);
    }
    let on_device = match sizes.workers.device {
        Some((device, cl)) => Some(DeviceSums::new(device, cl, order, &factors.words)?),
        None => None,
    };
    let up = |sums: Vec<f64>| sums.into_iter().map(|sum| round_up(sum, order)).collect::<Vec<f64>>();
    let total = |x: &[f64]| round_up(x.iter().sum(), order);
    let Residual { away, y, ay } = residual(words, sizes, factors, on_device.as_ref())?;
    let (away, ay) = (up(away), up(ay));
    // What products below the normal range cost, and entries of the matrix that scaling has brought there.
    let lost = sizes.underflow * total(d) + ETA * total(&y) + sizes.underflow;
    let ld = sizes.lower(factors, d);
    let rows = away.iter().zip(ay.iter().zip(&ld));
    let v: Vec<f64> = rows.map(|(own, (ay, ld))| (own + gamma * (ld + ay) + lost) * MARGIN).collect();
    let x = up(match &on_device {
        Some(sums) => sums.lower(&v)?,
        None => inverse_sums(sizes.workers.team, (order, &factors.words), &v),
    });
    let lost = sizes.underflow * total(&v) + sizes.underflow;
    let lx = sizes.lower(factors, &x);
    let eta = maximum((0..order).map(|i| (gamma * lx[i] + lost) / v[i])) * MARGIN;
    let g = maximum((0..order).map(|i| x[i] / d[i]));
    if !(0.0..0.5).contains(&eta) {
        return Ok(f64::INFINITY);
    }
    Ok((order as f64 * ((g / (1.0 - eta) * MARGIN).ln_1p() + 4.0 * U)).exp_m1() * MARGIN)
}

/// What is left of `L` less a product, in sums.
struct Residual {
    /// The computed `|R| d`.
    away: Vec<f64>,
    /// `|Y| d`, rounded up, from the last to the first.
    y: Vec<f64>,
    /// `|P A Q| y`.
    ay: Vec<f64>,
}

/// Computes `Y` and what it leaves.
fn residual(
    words: &[f64],
    sizes: &Sizes<'_>,
    factors: &Factors,
    on_device: Option<&DeviceSums<'_>>,
) -> Result<Residual, LinalgError> {
    let (order, team) = (sizes.order, sizes.workers.team);
    // Everything from the last row and column to the first, so that U is a lower triangle.
    let backwards = |x: &[f64]| x.iter().rev().copied().collect::<Vec<f64>>();
    let mut matrix = vec![0.0; order * order];
    team.each(matrix.chunks_mut(order).zip(factors.rows.iter().rev()), |(out, &row)| {
        let row = &words[row * order..][..order];
        out.iter_mut().zip(factors.columns.iter().rev()).for_each(|(x, &column)| *x = row[column]);
    });
    let weights = backwards(&sizes.pivots);
    let [y, away] = match on_device {
        Some(sums) => sums.upper(&matrix, &weights)?,
        None => upper_sums(team, &matrix, &backwards(&factors.words), &weights),
    };
    let y: Vec<f64> = y.into_iter().map(|sum| round_up(sum, order)).collect();
    let ay = sizes.workers.rows(order, |i| dot(&matrix[i * order..][..order], &y));
    Ok(Residual { away: backwards(&away), ay: backwards(&ay), y })
}

/// `|Y| weights` for the inverse `Y` of `U`, and `|L - matrix Y| weights`: all from the last row and column to the first, as
/// `upper`, the factors, is.
fn upper_sums(team: Team<'_>, matrix: &[f64], upper: &[f64], weights: &[f64]) -> [Vec<f64>; 2] {
    let (order, slices) = (weights.len(), RealSlices::new());
    let diagonal: Vec<f64> = upper.iter().step_by(order + 1).copied().collect();
    let parts = inverse_columns(team, (order, upper), Some(&diagonal), |first, columns| {
        let weights = &weights[first..];
        let mut away: Vec<[f64; LANES]> = (0..order).map(|i| lower_entries(upper, order, i, first)).collect();
        for (part, depth) in columns.chunks(DEPTH).zip((first..order).step_by(DEPTH)) {
            subtract(slices, &mut away, |i| &matrix[i * order..][depth..order], part);
        }
        (weighted(columns, weights), weighted(&away, weights))
    });
    let y = add_parts(order, parts.iter().enumerate().map(|(number, (part, _))| (number * LANES, part.as_slice())));
    let away = add_parts(order, parts.iter().map(|(_, part)| (0, part.as_slice())));
    [y, away]
}

/// Entries of row `i` of `L` from column `first` on, in the order from the last row and column to the first, in which it is an
/// upper triangle; 0 past the last column.
fn lower_entries(reversed: &[f64], order: usize, i: usize, first: usize) -> [f64; LANES] {
    std::array::from_fn(|c| {
        let j = first + c;
        if j >= order || j < i {
            0.0
        } else if j == i {
            1.0
        } else {
            reversed[i * order + j]
        }
    })
}

/// The largest of some numbers from 0 on; a number that is none is no bound, and kept.
fn maximum(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |largest: f64, x| if x.is_nan() || x > largest { x } else { largest })
}

/// The sum of `|x[i]| y[i]` over the shorter slice's length, in eight parts, for vectors.
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let len = x.len().min(y.len());
    let ((x, x_rest), (y, y_rest)) = (x[..len].as_chunks::<8>(), y[..len].as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (x, y) in x.iter().zip(y) {
        sums.iter_mut().zip(x.iter().zip(y)).for_each(|(sum, (x, y))| *sum += x.abs() * y);
    }
    let rest: f64 = x_rest.iter().zip(y_rest).map(|(x, y)| x.abs() * y).sum();
    sums.iter().sum::<f64>() + rest
}

/// `n u / (1 - n u)` for sums of `n` products.
fn gamma(order: usize) -> f64 {
    let nu = (order as f64 + 2.0) * U;
    nu / (1.0 - nu) * MARGIN
}

/// No less than a sum of `order` products of sizes which was computed as `sum`.
fn round_up(sum: f64, order: usize) -> f64 {
    (sum + (order as f64 + 8.0) * ETA) * (1.0 + 4.0 * (order as f64 + 8.0) * U) * MARGIN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn norms_are_rounded_up() {
        let workers = Workers { team: Team::ALONE, device: None };
        let norms = row_norms(workers, &[3e200, 4e200, 0.0, 0.0], 2);
        assert!((5e200..5.000_000_1e200).contains(&norms[0]) && norms[1] == 0.0);
    }
}
