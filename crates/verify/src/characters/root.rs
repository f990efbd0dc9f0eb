//! Complex roots of unity by Taylor's series within an eighth of the circle.

use std::f64::consts::TAU;

/// `exp(2 pi i t / n)` for `t < n <= 2^32`: real and imaginary part, each within three units of the last place. Exact where it
/// is 1, i, -1 or -i. The angle is brought to the nearest axis by integers, without rounding.
pub(super) fn unit_root(t: u64, n: u64) -> [f64; 2] {
    // In quarters of the circle: the nearest one, and the rest in parts of 4 n, at most an eighth of the circle to either side.
    let quarters = (8 * u128::from(t) + u128::from(n)) / (2 * u128::from(n));
    let rest = 4 * i128::from(t) - quarters as i128 * i128::from(n);
    let angle = TAU * (rest as f64 / (4.0 * n as f64));
    let (cos, sin) = near_axis(angle);
    match quarters % 4 {
        0 => [cos, sin],
        1 => [-sin, cos],
        2 => [-cos, -sin],
        _ => [sin, -cos],
    }
}

/// Cosine and sine of an angle of at most an eighth of the circle: terms up to the power 17, the next of which is below
/// `2^-60` of the value.
fn near_axis(angle: f64) -> (f64, f64) {
    let square = angle * angle;
    // 1 - x^2 / (i (i + 1)) (1 - x^2 / ((i + 2) (i + 3)) (...)), from the last term on.
    let series = |first: u32| {
        (0..9).rev().fold(1.0, |sum, term| {
            let i = f64::from(first + 2 * term);
            1.0 - square / (i * (i + 1.0)) * sum
        })
    };
    (series(1), angle * series(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_agree_with_sines_and_cosines() {
        for n in [1, 2, 3, 4, 5, 7, 8, 12, 17, 24, 360, 1009, 65_536] {
            for t in 0..n {
                let (sin, cos) = (TAU * t as f64 / n as f64).sin_cos();
                let [re, im] = unit_root(t, n);
                // The angle itself is rounded where it is near the whole circle.
                assert!((re - cos).abs() < 8.0 * f64::EPSILON && (im - sin).abs() < 8.0 * f64::EPSILON, "{t} of {n}");
                assert!((re * re + im * im - 1.0).abs() < 4.0 * f64::EPSILON);
            }
        }
        assert_eq!(
            [unit_root(0, 5), unit_root(1, 4), unit_root(1, 2), unit_root(3, 4)],
            [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
        );
        // The imaginary part of the first root of order 12 is one half.
        assert!((unit_root(1, 12)[1] - 0.5).abs() <= f64::EPSILON / 2.0);
        // Small angles keep their digits.
        let n = 1u64 << 32;
        assert!((unit_root(1, n)[1] / (TAU / n as f64) - 1.0).abs() < 2.0 * f64::EPSILON);
        assert!((unit_root(n - 1, n)[1] / (TAU / n as f64) + 1.0).abs() < 2.0 * f64::EPSILON);
        assert!((unit_root(n / 4 + 1, n)[0] / (TAU / n as f64) + 1.0).abs() < 2.0 * f64::EPSILON);
    }

    #[test]
    fn roots_agree_with_those_of_the_fields() {
        for n in [3u64, 5, 9, 30, 97, 4096, 99_991, (1 << 31) - 1, 1 << 32] {
            for t in (0..n).step_by(1 + n as usize / 5000) {
                let (own, other) = (unit_root(t, n), manycore_field::unit_root(t, n));
                for part in 0..2 {
                    let bound = 4.0 * f64::EPSILON * own[part].abs();
                    assert!((own[part] - other[part]).abs() <= bound, "{t} of {n}: {own:?} {other:?}");
                }
            }
        }
    }
}
