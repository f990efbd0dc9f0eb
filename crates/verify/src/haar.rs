//! The check of Haar transforms: computed again, level after level on one thread, which is linear in the length.
//!
//! Integers must be equal. A floating-point coefficient is a sum of halves of halves of at most n levels, times a factor that
//! is rounded once, so it is off by at most n + 3 roundoffs times the sum of the sizes of its values times the factor; and
//! likewise a value of an inverse. The second computation is in double precision.

use manycore_spectral::{HaarOrder, Normalization};

use super::reals::power_of_two_near;
use crate::number::{Integer, Real};

/// What Haar transforms a result holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The base-2 logarithm of the length of one transform.
    pub log_len: u32,
    /// The order of the coefficients.
    pub order: HaarOrder,
    /// What they are multiplied by.
    pub normalization: Normalization,
}

impl Shape {
    /// The length of one transform.
    fn len(self) -> usize {
        1 << self.log_len
    }

    /// What the coefficient at `index` of the standard order is multiplied by.
    fn factor(self, index: usize) -> f64 {
        let log = f64::from(index.max(1).ilog2());
        match self.normalization {
            Normalization::None => 1.0,
            Normalization::Orthonormal => ((log - f64::from(self.log_len)) / 2.0).exp2(),
            Normalization::EqualEnergy => (log / 2.0).exp2(),
        }
    }
}

/// Whether `y` are the transforms of the integers `x`, modulo a power of two.
pub fn integers<T: Integer>(x: &[T], y: &[T], inverse: bool, shape: Shape) -> bool {
    let again = |x: &[T]| {
        if inverse {
            let half = |sum: T| sum.divide_by_power(1);
            values(x, shape, |coefficient, _| coefficient, |s, d| [half(s.plus(d)), half(s.minus(d))])
        } else {
            coefficients(x, shape, |u, v| [u.plus(v), u.minus(v)])
        }
    };
    x.len() == y.len() && x.chunks(shape.len()).zip(y.chunks(shape.len())).all(|(x, y)| again(x) == y)
}

/// Whether `y` are the transforms of the numbers `x`, all finite, within rounding.
pub fn reals<T: Real>(x: &[T], y: &[T], inverse: bool, shape: Shape) -> bool {
    x.len() == y.len() && x.chunks(shape.len()).zip(y.chunks(shape.len())).all(|(x, y)| agree(x, y, inverse, shape))
}

fn agree<T: Real>(x: &[T], y: &[T], inverse: bool, shape: Shape) -> bool {
    // Sums of scaled values do not overflow.
    let scale = power_of_two_near(x.iter().map(|&value| value.into().abs()).fold(0.0, f64::max));
    let x: Vec<f64> = x.iter().map(|&value| value.into() / scale).collect();
    let sizes: Vec<f64> = x.iter().map(|value| value.abs()).collect();
    let (right, sizes) = if inverse {
        let unscaled = |coefficient: f64, index| coefficient / shape.factor(index);
        let right = values(&x, shape, unscaled, |s, d| [f64::midpoint(s, d), f64::midpoint(s, -d)]);
        (right, values(&sizes, shape, unscaled, |s, d| [f64::midpoint(s, d); 2]))
    } else {
        let scaled = |mut y: Vec<f64>| {
            for index in 0..y.len() {
                y[shape.order.place(index, shape.log_len)] *= shape.factor(index);
            }
            y
        };
        let right = coefficients(&x, shape, |u, v| [u + v, u - v]);
        (scaled(right), scaled(coefficients(&sizes, shape, |u, v| [u + v; 2])))
    };
    let relative = (f64::from(shape.log_len) + 4.0) * (T::ROUNDOFF + f64::EPSILON);
    // Devices may take numbers below the smallest normal one for 0.
    let absolute = (shape.len() as f64).powi(2) * T::SMALLEST / scale;
    let within =
        |((&y, right), size): ((&T, &f64), &f64)| (y.into() / scale - right).abs() <= relative * size + absolute;
    y.iter().zip(&right).zip(&sizes).all(within)
}

/// The coefficients of one run, in the order of `shape`, not normalised; `level` gives the sum and the difference of two.
fn coefficients<N: Copy>(x: &[N], shape: Shape, level: impl Fn(N, N) -> [N; 2]) -> Vec<N> {
    let (mut y, mut sums) = (x.to_vec(), x.to_vec());
    while sums.len() > 1 {
        let half = sums.len() / 2;
        for t in 0..half {
            let [sum, difference] = level(sums[2 * t], sums[2 * t + 1]);
            sums[t] = sum;
            y[shape.order.place(half + t, shape.log_len)] = difference;
        }
        sums.truncate(half);
    }
    y[0] = sums[0];
    y
}

/// The values of one run of coefficients, each of which `unscaled` takes with its index in the standard order; `level` gives
/// the sums of both halves of a block of a sum and a difference.
fn values<N: Copy>(y: &[N], shape: Shape, unscaled: impl Fn(N, usize) -> N, level: impl Fn(N, N) -> [N; 2]) -> Vec<N> {
    let mut sums = vec![unscaled(y[0], 0)];
    while sums.len() < y.len() {
        let count = sums.len();
        let difference = |t: usize| unscaled(y[shape.order.place(count + t, shape.log_len)], count + t);
        sums = sums.iter().enumerate().flat_map(|(t, &sum)| level(sum, difference(t))).collect();
    }
    sums
}

/// Why integers are no spectrum that comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoInverse {
    /// A value of the inverse is this number over the length.
    Fraction {
        /// The value's index in its run.
        index: usize,
        /// It times the length.
        numerator: i128,
    },
    /// Twice the sum of a block, which the inverse halves, is past the type.
    Sum(i128),
}

/// Whether the inverse of one run is exact in its type.
///
/// # Errors
/// [`NoInverse`] with the first value that is no integer, or else the largest sum past the type.
pub fn comes_back<T: Integer>(y: &[T], shape: Shape) -> Result<(), NoInverse> {
    // Sums of blocks times the number of blocks: those of both halves of a block twice as often are s + N d and s - N d.
    let y: Vec<i128> = y.iter().map(|&value| value.into().into()).collect();
    let (mut sums, mut largest) = (vec![y[0]], 0);
    while sums.len() < y.len() {
        let count = sums.len();
        let d = |t: usize| y[shape.order.place(count + t, shape.log_len)] * count as i128;
        sums = sums.iter().enumerate().flat_map(|(t, &s)| [s + d(t), s - d(t)]).collect();
        largest = sums.iter().fold(largest, |largest, sum| largest.max((sum / count as i128).abs()));
    }
    if let Some(index) = sums.iter().position(|sum| sum % y.len() as i128 != 0) {
        return Err(NoInverse::Fraction { index, numerator: sums[index] });
    }
    if largest > T::LARGEST.into() { Err(NoInverse::Sum(largest)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use manycore_spectral::haar::reference::haar;

    use super::*;
    use crate::SplitMix;

    fn shapes(normalizations: &[Normalization]) -> Vec<Shape> {
        let each = |order| {
            normalizations
                .iter()
                .flat_map(move |&normalization| [0, 1, 2, 5].map(|log_len| Shape { log_len, order, normalization }))
        };
        HaarOrder::ALL.into_iter().flat_map(each).collect()
    }

    fn spectra<T: manycore_spectral::Scalar>(x: &[T], shape: Shape) -> Vec<T> {
        x.chunks(shape.len()).flat_map(|run| haar(run, shape.order, shape.normalization).unwrap()).collect()
    }

    #[test]
    fn true_integers_pass_and_wrong_ones_do_not() {
        let mut random = SplitMix::new(1);
        for shape in shapes(&[Normalization::None]) {
            let x: Vec<i32> = (0..3 * shape.len()).map(|_| random.next_word() as i32 >> 8).collect();
            let y = spectra(&x, shape);
            assert!(integers(&x, &y, false, shape) && integers(&y, &x, true, shape), "{shape:?}");
            assert!(y.chunks(shape.len()).all(|run| comes_back(run, shape).is_ok()), "{shape:?}");
            let mut wrong = y.clone();
            wrong[y.len() / 2] += 1;
            assert!(!integers(&x, &wrong, false, shape), "{shape:?}");
            wrong[y.len() / 2] += 1;
            assert!(!integers(&wrong, &x, true, shape), "{shape:?}");
        }
    }

    #[test]
    fn reals_pass_within_rounding_only() {
        let mut random = SplitMix::new(1);
        for shape in shapes(&Normalization::ALL) {
            for scale in [1.0, 1e290, 1e-280] {
                let unit = |word: u64| (word as i64 >> 11) as f64 * 2.0f64.powi(-52) * scale;
                let x: Vec<f64> = (0..3 * shape.len()).map(|_| unit(random.next_word())).collect();
                let y = spectra(&x, shape);
                assert!(reals(&x, &y, false, shape), "{shape:?} {scale}");
                assert!(reals(&y, &x, true, shape), "{shape:?} {scale}");
                for error in [1e-9, f64::NAN] {
                    let mut wrong = y.clone();
                    wrong[y.len() / 2] += error * scale;
                    assert!(!reals(&x, &wrong, false, shape), "{shape:?} {scale} {error}");
                }
            }
        }
    }

    #[test]
    fn what_does_not_come_back_is_told() {
        let shape = Shape { log_len: 2, order: HaarOrder::Standard, normalization: Normalization::None };
        assert_eq!(comes_back(&[9, -1, 2, 3], shape), Ok(()));
        assert_eq!(comes_back(&[9, -1, 2, 4], shape), Err(NoInverse::Fraction { index: 2, numerator: 18 }));
        let largest = 2 * (i128::from(i32::MAX) - 1);
        assert_eq!(comes_back(&[i32::MAX - 1, i32::MAX - 1, 0, 0], shape), Err(NoInverse::Sum(largest)));
        let shape = Shape { log_len: 1, ..shape };
        assert_eq!(comes_back(&[i32::MAX, i32::MAX], shape), Err(NoInverse::Sum(2 * i128::from(i32::MAX))));
        assert_eq!(comes_back(&[i32::MAX, 1], shape), Err(NoInverse::Sum(i128::from(i32::MAX) + 1)));
        assert_eq!(comes_back(&[i32::MAX - 1, 0], shape), Ok(()));
    }
}
