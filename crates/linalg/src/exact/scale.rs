//! Matrices of fractions as matrices of integers.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::One as _;

/// The least common multiple of the denominators of fractions.
///
/// ```
/// use manycore_linalg::exact::common_denominator;
/// use num_rational::BigRational;
/// let fraction = |top: i64, bottom: i64| BigRational::new(top.into(), bottom.into());
/// assert_eq!(common_denominator(&[fraction(1, 4), fraction(5, 6)]), 12.into());
/// ```
pub fn common_denominator(fractions: &[BigRational]) -> BigInt {
    fractions.iter().fold(BigInt::one(), |common, x| if x.is_integer() { common } else { common.lcm(x.denom()) })
}

/// Fractions times an integer, which is a multiple of their denominators.
///
/// ```
/// use manycore_linalg::exact::scaled;
/// use num_rational::BigRational;
/// let fraction = |top: i64, bottom: i64| BigRational::new(top.into(), bottom.into());
/// assert_eq!(scaled(&[fraction(1, 4), fraction(5, 6)], &12.into()), [3.into(), 10.into()]);
/// ```
pub fn scaled(fractions: &[BigRational], factor: &BigInt) -> Vec<BigInt> {
    fractions
        .iter()
        .map(|x| if x.is_integer() { x.numer() * factor } else { x.numer() * (factor / x.denom()) })
        .collect()
}
