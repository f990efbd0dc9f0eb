//! The check of floating-point results within the rounding of the fast algorithms.
//!
//! With u the unit roundoff of the type, n = log2(len) and N = len: each of the n levels adds and subtracts pairs, so it
//! multiplies the 2-norm by sqrt(2) and adds an error of at most u times its result. Hence, up to terms of order u^2,
//! - a coefficient is off by at most n u times the sum of |x|;
//! - the 2-norm of y, which is sqrt(N) |x|, is off by at most n u of itself, and the sum of squares by 2 n u of itself;
//! - the sum of y, which is N x(0), is off by at most sqrt(N) times the 2-norm of the error, so by n u N |x|.
//!
//! The bounds used have n + 4 in place of n, which covers the check's own sums: they are compensated (A. Neumaier), in
//! double precision. Devices may take numbers below the smallest normal one for 0, which is allowed for as well.

use super::{Shape, SplitMix};
use crate::number::Real;

/// Whether `y * factor` can be the transforms of `x`, all finite; `factor`, a power of two, is 1, or the length for an
/// inverse.
pub fn check<T: Real>(x: &[T], y: &[T], factor: f64, shape: Shape, random: &mut SplitMix) -> bool {
    let blocks = x.chunks(shape.len).zip(y.chunks(shape.len));
    x.len() == y.len() && blocks.into_iter().all(|(x, y)| agree(x, y, factor, shape, random))
}

fn agree<T: Real>(x: &[T], y: &[T], factor: f64, shape: Shape, random: &mut SplitMix) -> bool {
    let largest = x.iter().map(|&value| value.into().abs()).fold(0.0, f64::max);
    // Squares of scaled values neither overflow nor vanish.
    let scale = power_of_two_near(largest);
    let (x_at, y_at) = (|i: usize| x[i].into() / scale, |i: usize| y[i].into() / scale * factor);
    let (len, n) = (shape.len as f64, f64::from(shape.log_len()));
    let relative = (n + 4.0) * T::ROUNDOFF;
    let absolute = (n + 1.0) * T::SMALLEST * factor / scale;

    let sizes = compensated((0..shape.len).map(|i| x_at(i).abs()));
    let energy = compensated((0..shape.len).map(|i| x_at(i) * x_at(i)));
    let row = random.index(shape.len);
    let coefficient = compensated((0..shape.len).map(|i| if shape.is_negative(row, i) { -x_at(i) } else { x_at(i) }));
    let sum = compensated((0..shape.len).map(y_at));
    let squares = compensated((0..shape.len).map(|i| y_at(i) * y_at(i)));

    // Written so that a difference that is no number fails.
    let within = |difference: f64, bound: f64| difference.abs() <= bound;
    within(y_at(row) - coefficient, relative * sizes + absolute)
        && within(sum - len * x_at(0), len * (relative * energy.sqrt() + absolute))
        && within(
            squares - len * energy,
            2.1 * relative * len * energy + len * absolute * (2.0 * energy.sqrt() + absolute),
        )
}

/// A power of two within a factor of two of `size`, but not so small that its reciprocal would overflow; 1 for 0.
pub(super) fn power_of_two_near(size: f64) -> f64 {
    if size == 0.0 { 1.0 } else { size.log2().floor().clamp(-1000.0, 1000.0).exp2() }
}

/// The sum with its rounding errors added up apart (Neumaier's form of Kahan's summation).
fn compensated(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut errors) = (0.0f64, 0.0f64);
    for value in values {
        let next = sum + value;
        errors += if sum.abs() >= value.abs() { (sum - next) + value } else { (value - next) + sum };
        sum = next;
    }
    sum + errors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::cases;

    /// A number between -1 and 1.
    fn unit(word: u64) -> f64 {
        (word as i64 >> 11) as f64 * 2.0f64.powi(-52)
    }

    #[test]
    fn true_results_pass_and_wrong_ones_do_not() {
        let mut random = SplitMix::new(5);
        for (shape, x, y) in cases(unit) {
            assert!(check(&x, &y, 1.0, shape, &mut random), "{shape:?}");
            for error in [1e-9, f64::NAN, f64::INFINITY] {
                let mut wrong = y.clone();
                wrong[y.len() / 2] += error;
                assert!(!check(&x, &wrong, 1.0, shape, &mut random), "{shape:?} {error}");
            }
        }
        for (shape, x, y) in cases(|word| unit(word) as f32) {
            assert!(check(&x, &y, 1.0, shape, &mut random), "{shape:?}");
            let mut wrong = y.clone();
            wrong[0] += 0.01;
            assert!(!check(&x, &wrong, 1.0, shape, &mut random), "{shape:?}");
        }
    }

    #[test]
    fn sizes_at_the_ends_of_the_range() {
        let mut random = SplitMix::new(5);
        for scale in [0.0, 1e-320, 1e-300, 1e300] {
            for (shape, x, y) in cases(|word| unit(word) * scale) {
                assert!(check(&x, &y, 1.0, shape, &mut random), "{shape:?} {scale}");
                let wrong: Vec<f64> = y.iter().map(|value| value + scale.max(1e-300)).collect();
                assert!(!check(&x, &wrong, 1.0, shape, &mut random), "{shape:?} {scale}");
            }
        }
    }

    #[test]
    fn inverses_are_taken_times_the_length() {
        let mut random = SplitMix::new(5);
        for (shape, x, y) in cases(unit) {
            let scaled: Vec<f64> = y.iter().map(|value| value / shape.len as f64).collect();
            assert!(check(&x, &scaled, shape.len as f64, shape, &mut random), "{shape:?}");
            assert!(shape.len == 1 || !check(&x, &scaled, 1.0, shape, &mut random), "{shape:?}");
        }
    }

    #[test]
    fn sums_are_compensated() {
        assert!((compensated([1.0, 1e100, 1.0, -1e100].into_iter()) - 2.0).abs() < f64::EPSILON);
    }
}
