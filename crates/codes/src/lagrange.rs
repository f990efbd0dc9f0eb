//! Factors of Lagrange's formula over the field of 2^16 elements, in logarithms; those of products of differences from all points
//! at once by a dyadic convolution, in Walsh transforms (Lin, Chung and Han, 2014, have the same trick for their decoder).

use manycore_device::Device;
use manycore_field::BinaryField16;
use manycore_spectral::{SpectralError, Walsh, walsh_hadamard};

use crate::error::CodeError;

/// Elements of the field other than zero: logarithms count modulo this number.
const ORDER: u32 = 65_535;

/// Products of differences that are computed one by one at most.
const SHORT: usize = 1 << 24;

/// Factors that give the values at some points of the polynomials with given values at others.
#[derive(Debug, Clone)]
pub(crate) struct Lagrange {
    /// Points with given values, and logarithms of the inverse products of their differences from the others.
    from: Vec<(u16, u32)>,
    /// Points with wanted values, and logarithms of the products of their differences from all of `from`; `None` for points of
    /// `from`.
    to: Vec<(u16, Option<u32>)>,
}

impl Lagrange {
    /// Points are numbers of rows below 65536, all of `from` different. `O(f (f + t))` differences for `f` and `t` points, at most
    /// `2^24`: else three Walsh transforms of 65536 values.
    ///
    /// # Errors
    /// [`CodeError::Device`] where the host cannot do the transforms.
    pub(crate) fn new(from: &[usize], to: &[usize]) -> Result<Self, CodeError> {
        let logarithms = BinaryField16.logarithms();
        let is_short = from.len().checked_mul(from.len() + to.len()).is_some_and(|products| products <= SHORT);
        let all = if is_short { None } else { Some(log_products(from)?) };
        let log_product = |point: usize| match &all {
            Some(all) => all[point],
            // The logarithm in the place of zero is 0: the point itself does not count.
            None => {
                (from.iter().map(|&other| u64::from(logarithms[point ^ other])).sum::<u64>() % u64::from(ORDER)) as u32
            }
        };
        let mut is_given = vec![false; logarithms.len()];
        for &point in from {
            is_given[point] = true;
        }
        Ok(Self {
            from: from.iter().map(|&point| (point as u16, ORDER - log_product(point))).collect(),
            to: to.iter().map(|&point| (point as u16, (!is_given[point]).then(|| log_product(point)))).collect(),
        })
    }

    /// The number of wanted values.
    pub(crate) fn outputs(&self) -> usize {
        self.to.len()
    }

    /// The number of given values.
    pub(crate) fn inputs(&self) -> usize {
        self.from.len()
    }

    /// The inverse product of the differences of a point with a given value from the others.
    pub(crate) fn scale(&self, input: usize) -> u16 {
        BinaryField16.powers()[self.from[input].1 as usize]
    }

    /// The factor of given value `input` in wanted value `output`.
    pub(crate) fn factor(&self, output: usize, input: usize) -> u16 {
        self.log_factor(output, input).map_or(0, |logarithm| BinaryField16.powers()[logarithm as usize])
    }

    /// The logarithm of a factor, below 65535; `None` for zero.
    pub(crate) fn log_factor(&self, output: usize, input: usize) -> Option<u32> {
        let ((point, scale), (wanted, product)) = (self.from[input], self.to[output]);
        let Some(product) = product else { return (point == wanted).then_some(0) };
        let difference = BinaryField16.logarithms()[usize::from(point ^ wanted)];
        Some((product + scale + ORDER - u32::from(difference)) % ORDER)
    }
}

/// For every point, the logarithm of the product of its differences from those of a list, a difference of zero left out: the sum
/// of the logarithms of `x + b` is a convolution over the group of exclusive ors, which Walsh transforms make a product. All
/// modulo 65535, where `2^16`, the factor of the transform there and back, is one.
fn log_products(points: &[usize]) -> Result<Vec<u32>, CodeError> {
    let host = Device::host();
    let transform = |x: &[i64]| match walsh_hadamard(&host, x, &Walsh::new()) {
        Ok(spectrum) => Ok(spectrum.into_iter().map(|value| value.rem_euclid(i64::from(ORDER))).collect::<Vec<i64>>()),
        Err(SpectralError::Device(error)) => Err(CodeError::Device(error)),
        // The transform has a power of two of small values.
        Err(_) => Err(CodeError::Counts { data: points.len(), parity: 0 }),
    };
    let logarithms: Vec<i64> = BinaryField16.logarithms().iter().map(|&logarithm| logarithm.into()).collect();
    let mut counts = vec![0; logarithms.len()];
    for &point in points {
        counts[point] += 1;
    }
    let (counts, logarithms) = (transform(&counts)?, transform(&logarithms)?);
    let products: Vec<i64> = counts.iter().zip(&logarithms).map(|(x, y)| x * y % i64::from(ORDER)).collect();
    Ok(transform(&products)?.into_iter().map(|sum| sum as u32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_give_the_sums_of_logarithms() {
        let points: Vec<usize> = (0..300).map(|i| i * i * 37 % 65_521).collect();
        let all = log_products(&points).unwrap();
        let logarithms = BinaryField16.logarithms();
        for x in (0..65_536).step_by(997).chain(points.iter().copied()) {
            let expected: u64 = points.iter().map(|&point| u64::from(logarithms[x ^ point])).sum();
            assert_eq!(u64::from(all[x]), expected % 65_535, "{x}");
        }
    }

    #[test]
    fn given_points_have_unit_factors() {
        let lagrange = Lagrange::new(&[6, 0, 3], &[3, 1]).unwrap();
        assert_eq!([0, 1, 2].map(|input| lagrange.factor(0, input)), [0, 0, 1]);
        // The factors of every value add up to one: those of the polynomial 1.
        assert_eq!((0..3).fold(0, |sum, input| sum ^ lagrange.factor(1, input)), 1);
    }
}
