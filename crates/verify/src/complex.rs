//! Complex numbers in double precision, and roots of unity.

use crate::outcome::CheckError;

pub(crate) fn plus([a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
    [a + c, b + d]
}

pub(crate) fn minus([a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
    [a - c, b - d]
}

pub(crate) fn times([a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
    [a * c - b * d, a * d + b * c]
}

/// A complex number beside the sum of the absolute values of its terms.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct BoundedComplex {
    pub(crate) value: [f64; 2],
    pub(crate) size: f64,
}

impl BoundedComplex {
    pub(crate) fn of(value: [f64; 2]) -> Self {
        Self { value, size: value[0].hypot(value[1]) }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self { value: plus(self.value, other.value), size: self.size + other.size }
    }

    pub(crate) fn times(self, factor: [f64; 2]) -> Self {
        Self { value: times(self.value, factor), size: self.size * factor[0].hypot(factor[1]) }
    }
}

/// The words of an input and of a result as complex numbers.
///
/// # Errors
/// [`CheckError::Length`] where the result has another length, [`CheckError::Shape`] for an odd number of words.
pub(crate) fn both<'a, T>(x: &'a [T], y: &'a [T]) -> Result<[&'a [[T; 2]]; 2], CheckError> {
    if x.len() != y.len() {
        return Err(CheckError::Length { found: y.len(), expected: x.len() });
    }
    Ok([pairs(x)?, pairs(y)?])
}

/// Words as complex numbers, the real part first.
///
/// # Errors
/// [`CheckError::Shape`] for an odd number of words.
pub(crate) fn pairs<T>(words: &[T]) -> Result<&[[T; 2]], CheckError> {
    match words.as_chunks() {
        (pairs, []) => Ok(pairs),
        _ => Err(CheckError::Shape { what: format!("{} words as complex numbers of two", words.len()) }),
    }
}

/// `pi / 4` less its nearest number in double precision.
const QUARTER_PI_REST: f64 = 3.061_616_997_868_383e-17;

/// `exp(2 pi i t / n)` for `0 < n < 2^53`, each part within one unit of its last place.
///
/// Integers bring the angle into the first octant, exactly. The rounding of the angle itself, of the quotient and of pi, comes
/// back as a correction of first order, so that a half is a half.
pub(crate) fn unit_root(t: u64, n: u64) -> [f64; 2] {
    let eighths = 8 * u128::from(t % n);
    let (octant, rest) = ((eighths / u128::from(n)) as u64, (eighths % u128::from(n)) as u64);
    let rest = if octant % 2 == 1 { n - rest } else { rest };
    let (n, rest) = (n as f64, rest as f64);
    let quotient = rest / n;
    let angle = std::f64::consts::FRAC_PI_4 * quotient;
    let lost = std::f64::consts::FRAC_PI_4.mul_add(quotient, -angle)
        + QUARTER_PI_REST * quotient
        + std::f64::consts::FRAC_PI_4 * ((-quotient).mul_add(n, rest) / n);
    let (sin, cos) = angle.sin_cos();
    let (sin, cos) = (sin + lost * cos, cos - lost * sin);
    match octant {
        0 => [cos, sin],
        1 => [sin, cos],
        2 => [-sin, cos],
        3 => [-cos, sin],
        4 => [-cos, -sin],
        5 => [-sin, -cos],
        6 => [sin, -cos],
        _ => [cos, -sin],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::float_cmp)] // special values are exact
    fn special_roots_are_exact() {
        assert_eq!(unit_root(0, 5), [1.0, 0.0]);
        assert_eq!([unit_root(1, 4), unit_root(2, 4), unit_root(3, 4)], [[0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]);
        assert_eq!(
            [unit_root(1, 3)[0], unit_root(2, 3)[0], unit_root(1, 12)[1], unit_root(1, 6)[0]],
            [-0.5, -0.5, 0.5, 0.5]
        );
        for root in [unit_root(1, 3)[1], -unit_root(2, 3)[1], unit_root(1, 12)[0]] {
            assert!((root - 0.75f64.sqrt()).abs() < f64::EPSILON);
        }
        assert!(unit_root(1, 8).iter().all(|part| (part - 0.5f64.sqrt()).abs() < f64::EPSILON));
    }

    #[test]
    fn powers_multiply_on_the_circle() {
        for n in [1u64, 2, 3, 5, 7, 8, 24, 97, 1000, 10007, (1 << 40) + 5] {
            for t in (0..n).step_by(n as usize / 50 + 1) {
                let [a, b] = unit_root(t, n);
                assert!((a * a + b * b - 1.0).abs() < 4.0 * f64::EPSILON);
                let angle = std::f64::consts::TAU * (t as f64 / n as f64);
                assert!((a - angle.cos()).abs() < 2e-15 && (b - angle.sin()).abs() < 2e-15, "{t} / {n}");
                let square = times([a, b], [a, b]);
                let right = unit_root(2 * t % n, n);
                assert!((0..2).all(|part| (square[part] - right[part]).abs() < 4.0 * f64::EPSILON));
            }
        }
    }

    #[test]
    fn sizes_are_sums_of_absolute_values() {
        let sum = BoundedComplex::of([3.0, 4.0]).plus(BoundedComplex::of([0.0, 2.0]).times([0.0, 1.0]));
        assert_eq!(sum, BoundedComplex { value: [1.0, 4.0], size: 7.0 });
        assert!(pairs(&[1.0, 2.0, 3.0]).is_err());
        assert_eq!(pairs(&[1, 2, 3, 4]).unwrap(), [[1, 2], [3, 4]]);
    }
}
