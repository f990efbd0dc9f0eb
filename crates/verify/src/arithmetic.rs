//! The checks of arithmetic transforms.
//!
//! Integers that did not wrap: with the weight `prod t_j^(w_j)` for coefficient w, the sum of the coefficients is the value at
//! the point t of the function's multilinear extension, the sum of the values x(v) times `prod (t_j if v_j else 1 - t_j)`
//! (the j-th factor turned round where variable j is complemented). Both sides take a number of operations proportional
//! to the length; modulo a prime p near 2^61 and at a random point they differ, for a wrong result, but with a chance of
//! `log2(len) / p` (J. T. Schwartz, R. Zippel), as [`super::exact`] has it.
//!
//! Integers that wrap, and floating-point numbers, are computed again by the plain loop, in double precision for the latter.
//! A coefficient is a tree of additions of depth n, so it is off by at most n u times the sum of the sizes of what is added,
//! which the same loop gives with sums in place of differences.

use super::modular::{primes, weigh};
use super::reals::power_of_two_near;
use super::{BitShape, SplitMix};
use crate::number::{Integer, Real};

/// Whether `coefficients` can be those of `values` over the integers. Wrong ones pass with a chance below
/// `(variables + number of transforms) / 2^60` over the choices of `random`.
pub fn exact<T: Integer>(values: &[T], coefficients: &[T], shape: BitShape, random: &mut SplitMix) -> bool {
    let agree = |prime: super::modular::Prime| {
        let point: Vec<u64> = (0..shape.variables).map(|_| prime.reduce(random.next_double_word())).collect();
        let step = prime.reduce(random.next_double_word());
        let one_less = |t| prime.sum(1, prime.value() - t);
        let left = weigh(prime, coefficients, &shape.rows(&point, 1), step, |index| index);
        left == weigh(prime, values, &shape.columns(&point, one_less), step, |index| index)
    };
    values.len() == coefficients.len() && primes::<T>().iter().copied().all(agree)
}

/// Whether `y` are the transforms of `x`, modulo a power of two; by the plain loop.
pub fn wrapping<T: Integer>(x: &[T], y: &[T], inverse: bool, shape: BitShape) -> bool {
    let step = |u: T, v: T| if inverse { v.plus(u) } else { v.minus(u) };
    let runs = x.chunks(shape.len()).zip(y.chunks(shape.len()));
    x.len() == y.len() && runs.into_iter().all(|(x, y)| plain(x, inverse, shape, step) == y)
}

/// Whether `y` are the transforms of `x`, all finite, within rounding; by the plain loop.
pub fn reals<T: Real>(x: &[T], y: &[T], inverse: bool, shape: BitShape) -> bool {
    let agree = |x: &[T], y: &[T]| {
        // Sums of scaled values do not overflow.
        let scale = power_of_two_near(x.iter().map(|&value| value.into().abs()).fold(0.0, f64::max));
        let x: Vec<f64> = x.iter().map(|&value| value.into() / scale).collect();
        let right = plain(&x, inverse, shape, |u, v| if inverse { v + u } else { v - u });
        let sizes: Vec<f64> = x.iter().map(|value| value.abs()).collect();
        let sizes = plain(&sizes, inverse, shape, |u, v| u + v);
        let relative = (f64::from(shape.variables) + 4.0) * (T::ROUNDOFF + f64::EPSILON);
        // Devices may take numbers below the smallest normal one for 0.
        let absolute = 2.0 * shape.len() as f64 * T::SMALLEST / scale;
        let within =
            |((&y, right), size): ((&T, &f64), &f64)| (y.into() / scale - right).abs() <= relative * size + absolute;
        y.iter().zip(&right).zip(&sizes).all(within)
    };
    x.len() == y.len() && x.chunks(shape.len()).zip(y.chunks(shape.len())).all(|(x, y)| agree(x, y))
}

/// The transform of one run, one step after the other: `(u, v)` become `(u, step(u, v))`.
fn plain<N: Copy>(x: &[N], inverse: bool, shape: BitShape, step: impl Fn(N, N) -> N) -> Vec<N> {
    let natural = |row| shape.order.natural_index(row, shape.variables);
    let mut z = x.to_vec();
    for (index, &value) in x.iter().enumerate() {
        z[if inverse { natural(index) } else { index ^ shape.polarity as usize }] = value;
    }
    for bit in 0..shape.variables {
        for run in z.chunks_exact_mut(2 << bit) {
            let (low, high) = run.split_at_mut(1 << bit);
            low.iter().zip(high).for_each(|(&u, v)| *v = step(u, *v));
        }
    }
    (0..x.len()).map(|index| z[if inverse { index ^ shape.polarity as usize } else { natural(index) }]).collect()
}

#[cfg(test)]
mod tests {
    use manycore_spectral::arithmetic::reference::{arithmetic, inverse_arithmetic};
    use manycore_spectral::{BitOrder, Scalar};

    use super::*;

    /// Values and their true coefficients for both orders and several shapes.
    fn cases<T: Scalar>(value: impl Fn(u64) -> T) -> Vec<(BitShape, Vec<T>, Vec<T>)> {
        let mut random = SplitMix::new(7);
        let mut cases = Vec::new();
        for order in BitOrder::ALL {
            for (variables, polarity, count) in
                [(0, 0, 1), (0, 0, 3), (1, 1, 1), (3, 0, 5), (5, 0b10110, 2), (6, 33, 1)]
            {
                let shape = BitShape { variables, order, polarity };
                let x: Vec<T> = (0..count << variables).map(|_| value(random.next_word())).collect();
                let runs = x.chunks(shape.len());
                let y = runs.flat_map(|run| arithmetic(run, order, polarity as usize).unwrap()).collect();
                cases.push((shape, x, y));
            }
        }
        cases
    }

    #[test]
    fn true_integers_pass_and_wrong_ones_do_not() {
        for seed in 0..3 {
            let mut random = SplitMix::new(seed);
            for (shape, x, y) in cases(|word| word as i64 >> 20) {
                assert!(exact(&x, &y, shape, &mut random), "{shape:?}");
                for place in [0, y.len() / 2, y.len() - 1] {
                    let mut wrong = y.clone();
                    wrong[place] += 1;
                    assert!(!exact(&x, &wrong, shape, &mut random), "{shape:?}");
                    wrong[place] -= 1 + super::super::modular::PRIMES[0].value() as i64;
                    assert!(!exact(&x, &wrong, shape, &mut random), "{shape:?}");
                }
                let mut turned = y.clone();
                turned.reverse();
                assert!(turned == y || !exact(&x, &turned, shape, &mut random), "{shape:?}");
            }
        }
    }

    #[test]
    fn wrapped_integers_are_compared_in_both_directions() {
        for (shape, x, y) in cases(|word| word as i32) {
            assert!(wrapping(&x, &y, false, shape) && wrapping(&y, &x, true, shape), "{shape:?}");
            let mut wrong = y.clone();
            wrong[y.len() / 2] ^= i32::MIN;
            assert!(!wrapping(&x, &wrong, false, shape) && !wrapping(&wrong, &x, true, shape), "{shape:?}");
        }
    }

    #[test]
    fn reals_pass_within_rounding_only() {
        let unit = |word: u64| (word as i64 >> 11) as f64 * 2.0f64.powi(-52);
        for scale in [1.0, 1e300, 1e-290] {
            for (shape, x, y) in cases(|word| unit(word) * scale) {
                let back: Vec<f64> = y
                    .chunks(shape.len())
                    .flat_map(|run| inverse_arithmetic(run, shape.order, shape.polarity as usize).unwrap())
                    .collect();
                assert!(reals(&x, &y, false, shape) && reals(&y, &back, true, shape), "{shape:?} {scale}");
                for error in [1e-9, f64::NAN] {
                    let mut wrong = y.clone();
                    wrong[y.len() / 2] += error * scale;
                    assert!(!reals(&x, &wrong, false, shape), "{shape:?} {scale} {error}");
                }
            }
        }
        for (shape, x, y) in cases(|word| unit(word) as f32) {
            assert!(reals(&x, &y, false, shape), "{shape:?}");
            let mut wrong = y.clone();
            wrong[0] += 0.01;
            assert!(!reals(&x, &wrong, false, shape), "{shape:?}");
        }
    }
}
