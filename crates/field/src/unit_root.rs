//! Complex roots of unity with exact special values.

use std::f64::consts::TAU;

/// `2 pi` less its nearest number in double precision.
const TAU_REST: f64 = 2.449_293_598_294_706_5e-16;

use num_integer::Integer as _;

/// `exp(2 pi i t / n)` as real and imaginary part, for `n > 0`.
///
/// The angle is brought into the first octant by exact integer arithmetic before a sine or cosine is taken, so 1, i, -1 and
/// -i are exact, zeros are positive, roots of `t` and `n - t` are conjugate to the last bit, and equal fractions give equal
/// bits. The rounding of the angle comes back as a correction of first order, so that halves are exact too, and each part is
/// within one unit of the last place, for `n` below 2^50.
pub fn unit_root(t: u64, n: u64) -> [f64; 2] {
    let common = t.gcd(&n).max(1);
    let (t, n) = (u128::from(t / common), u128::from((n / common).max(1)));
    let t = t % n;
    // Conjugate: the lower half of the circle by the upper one.
    let below = 2 * t > n;
    let t = if below { n - t } else { t };
    // Left half: by the right one.
    let left = 4 * t > n;
    let half_turn = if left { n - 2 * t } else { 2 * t }; // of 2 n: the angle is pi half_turn / n, at most pi / 2
    let steep = 4 * half_turn > n;
    let (re, im) = if half_turn == 0 {
        (1.0, 0.0)
    } else if steep {
        // The distance from i, as an angle of 2 pi rest / (4 n).
        let rest = n - 2 * half_turn;
        sin_cos(rest as f64, 4.0 * n as f64)
    } else {
        let (sin, cos) = sin_cos(half_turn as f64, 2.0 * n as f64);
        (cos, sin)
    };
    // Only numbers other than 0 change their sign.
    let signed = |x: f64, minus: bool| if minus && x != 0.0 { -x } else { x };
    [signed(re, left), signed(im, below)]
}

/// Sine and cosine of `2 pi part / whole`.
fn sin_cos(part: f64, whole: f64) -> (f64, f64) {
    let quotient = part / whole;
    let angle = TAU * quotient;
    // What the product, the constant and the quotient have lost.
    let lost = TAU.mul_add(quotient, -angle) + TAU_REST * quotient + TAU * ((-quotient).mul_add(whole, part) / whole);
    let (sin, cos) = angle.sin_cos();
    (sin + lost * cos, cos - lost * sin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::float_cmp)] // special values are exact
    fn special_values_and_symmetry() {
        assert_eq!([unit_root(0, 1), unit_root(0, 7), unit_root(5, 5)], [[1.0, 0.0]; 3]);
        assert_eq!(unit_root(1, 2), [-1.0, 0.0]);
        assert_eq!([unit_root(1, 4), unit_root(3, 4)], [[0.0, 1.0], [0.0, -1.0]]);
        assert_eq!(
            [unit_root(1, 3)[0], unit_root(2, 3)[0], unit_root(1, 6)[0], unit_root(1, 12)[1]],
            [-0.5, -0.5, 0.5, 0.5]
        );
        let eighth = unit_root(1, 8);
        assert!((eighth[0] - eighth[1]).abs() < 2e-16 && (eighth[0] - 0.5f64.sqrt()).abs() < 2e-16);
        for n in 1..200u64 {
            for t in 0..n {
                let [re, im] = unit_root(t, n);
                assert_eq!(unit_root((n - t) % n, n), [re, if im == 0.0 { im } else { -im }], "{t} of {n}");
                assert_eq!(unit_root(6 * t, 6 * n), [re, im]);
                assert!(re.to_bits() != (-0.0f64).to_bits() && im.to_bits() != (-0.0f64).to_bits());
                let angle = TAU * t as f64 / n as f64;
                assert!((re - angle.cos()).abs() < 4e-15 && (im - angle.sin()).abs() < 4e-15, "{t} of {n}");
            }
        }
    }

    #[test]
    fn large_orders_do_not_overflow() {
        let n = u64::MAX;
        assert!((unit_root(n / 2, n)[0] + 1.0).abs() < 1e-15);
        assert!((unit_root(1, n)[1] - TAU / n as f64).abs() < 1e-33);
    }
}
