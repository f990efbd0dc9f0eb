//! Integers and real numbers.

use manycore_field::{Integers, Reals};
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, Zero as _};

use super::invert::Elimination;
use super::{Computation, Inverse, Values, sealed};
use crate::error::FactorError;

/// Roots of unity that are real: of the orders 1 and 2.
fn real_root(order: u64, t: u64, ring: String) -> Result<i64, FactorError> {
    match order {
        1 => Ok(1),
        2 => Ok(1 - 2 * (t % 2) as i64),
        _ => Err(FactorError::NoRealRoot { order, ring }),
    }
}

/// The least integer matrix and divisor whose quotient is the inverse.
fn inverse_of_integers(q: usize, matrix: &[BigRational]) -> Result<(Vec<BigInt>, BigInt), usize> {
    let field = Elimination {
        zero: BigRational::zero(),
        one: BigRational::one(),
        size: &|x| f64::from(u8::from(!x.is_zero())),
        less_product: &|a, b, c| a - b * c,
        over: &|a, b| a / b,
    };
    let inverse = field.invert(q, matrix)?;
    let divisor = inverse.iter().fold(BigInt::one(), |common, x| common.lcm(x.denom()));
    Ok((inverse.iter().map(|x| x.numer() * (&divisor / x.denom())).collect(), divisor.abs()))
}

macro_rules! integers {
    ($word:ty, $unsigned:ty) => {
        impl sealed::Sealed for Integers<$word> {}

        /// Arithmetic is that modulo `2^32` or `2^64`; products of matrices are bounded, so that results are exact.
        impl Values for Integers<$word> {
            type Word = $word;
            type Value = $word;
            type Constant = $word;
            const INTEGERS: bool = true;

            fn name(&self) -> String {
                stringify!($word).to_owned()
            }

            #[inline(always)]
            fn zero(&self) -> $word {
                0
            }

            fn integer(&self, n: i64) -> $word {
                n as $word
            }

            fn has(&self, n: i64) -> bool {
                <$word>::try_from(n).is_ok()
            }

            fn multiple(&self, a: $word, n: u64) -> Option<$word> {
                a.checked_mul(<$word>::try_from(n).ok()?)
            }

            fn contains(&self, _: $word) -> bool {
                true
            }

            #[inline(always)]
            fn add(&self, a: $word, b: $word) -> $word {
                a.wrapping_add(b)
            }

            #[inline(always)]
            fn sub(&self, a: $word, b: $word) -> $word {
                a.wrapping_sub(b)
            }

            #[inline(always)]
            fn mul(&self, a: $word, b: $word) -> $word {
                a.wrapping_mul(b)
            }

            fn constant(&self, a: $word) -> $word {
                a
            }

            #[inline(always)]
            fn times(&self, a: $word, c: &$word) -> $word {
                a.wrapping_mul(*c)
            }

            fn root(&self, order: u64, t: u64) -> Result<$word, FactorError> {
                Ok(real_root(order, t, self.name())? as $word)
            }

            fn inverse(&self, q: usize, entries: &[$word]) -> Result<Inverse<Self>, FactorError> {
                let matrix: Vec<_> = entries.iter().map(|&x| BigRational::from_integer(x.into())).collect();
                let (inverse, divisor) =
                    inverse_of_integers(q, &matrix).map_err(|column| FactorError::Singular { column })?;
                let large = |x: &BigInt| FactorError::InverseTooLarge { value: x.to_string(), ring: self.name() };
                let fits = |x: &BigInt| <$word>::try_from(x).map_err(|_| large(x));
                let word = fits(&divisor)?;
                Ok((inverse.iter().map(fits).collect::<Result<_, _>>()?, word as u64))
            }

            fn divisor(&self, n: u64) -> Option<$word> {
                <$word>::try_from(n).ok().filter(|&n| n > 0)
            }

            #[inline(always)]
            fn divided(&self, a: $word, by: &$word) -> $word {
                a.wrapping_div(*by)
            }

            fn computation(&self) -> Computation {
                Computation::Number
            }

            fn literal(&self, a: $word) -> String {
                // Unsigned words of the same bits: products wrap the same way.
                format!("E({}{})", a as $unsigned, if size_of::<$word>() == 8 { "ul" } else { "u" })
            }

            fn divisor_literal(&self, n: u64) -> String {
                format!("E({n}{})", if size_of::<$word>() == 8 { "l" } else { "" })
            }
        }
    };
}

integers!(i32, u32);
integers!(i64, u64);

macro_rules! reals {
    ($word:ty, $suffix:literal) => {
        impl sealed::Sealed for Reals<$word> {}

        impl Values for Reals<$word> {
            type Word = $word;
            type Value = $word;
            type Constant = $word;

            fn name(&self) -> String {
                stringify!($word).to_owned()
            }

            #[inline(always)]
            fn zero(&self) -> $word {
                0.0
            }

            fn integer(&self, n: i64) -> $word {
                n as $word
            }

            fn contains(&self, a: $word) -> bool {
                a.is_finite()
            }

            #[inline(always)]
            fn add(&self, a: $word, b: $word) -> $word {
                a + b
            }

            #[inline(always)]
            fn sub(&self, a: $word, b: $word) -> $word {
                a - b
            }

            #[inline(always)]
            fn mul(&self, a: $word, b: $word) -> $word {
                a * b
            }

            fn constant(&self, a: $word) -> $word {
                a
            }

            #[inline(always)]
            fn times(&self, a: $word, c: &$word) -> $word {
                a * c
            }

            fn root(&self, order: u64, t: u64) -> Result<$word, FactorError> {
                Ok(real_root(order, t, self.name())? as $word)
            }

            fn inverse(&self, q: usize, entries: &[$word]) -> Result<Inverse<Self>, FactorError> {
                // In double precision; what is left of a column by rounding alone is no pivot.
                let matrix: Vec<f64> = entries.iter().map(|&x| f64::from(x)).collect();
                let largest = matrix.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
                let least = largest * f64::EPSILON * q as f64;
                let field = Elimination {
                    zero: 0.0,
                    one: 1.0,
                    size: &|x: &f64| if x.abs() > least { x.abs() } else { 0.0 },
                    less_product: &|a, b, c| a - b * c,
                    over: &|a, b| a / b,
                };
                let inverse = field.invert(q, &matrix).map_err(|column| FactorError::Singular { column })?;
                Ok((inverse.into_iter().map(|x| x as $word).collect(), 1))
            }

            fn divisor(&self, n: u64) -> Option<$word> {
                (n > 0).then(|| 1.0 / n as $word)
            }

            #[inline(always)]
            fn divided(&self, a: $word, by: &$word) -> $word {
                a * by
            }

            fn computation(&self) -> Computation {
                Computation::Number
            }

            fn literal(&self, a: $word) -> String {
                format!(concat!("E({:?}", $suffix, ")"), a)
            }

            fn divisor_literal(&self, n: u64) -> String {
                self.literal(1.0 / n as $word)
            }
        }
    };
}

reals!(f32, "f");
reals!(f64, "");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_of_integers_are_least() {
        let ring = Integers::<i32>::new();
        assert_eq!(ring.inverse(2, &[1, 1, 1, -1]).unwrap(), (vec![1, 1, 1, -1], 2));
        assert_eq!(ring.inverse(2, &[2, 1, 1, 1]).unwrap(), (vec![1, -1, -1, 2], 1));
        assert_eq!(ring.inverse(2, &[0, 2, 4, 0]).unwrap(), (vec![0, 1, 2, 0], 4));
        assert_eq!(ring.inverse(2, &[1, 2, 2, 4]), Err(FactorError::Singular { column: 1 }));
        assert_eq!(ring.inverse(1, &[0]), Err(FactorError::Singular { column: 0 }));
        assert_eq!(ring.inverse(0, &[]).unwrap(), (vec![], 1));
        let error = ring.inverse(2, &[i32::MAX, 1, 1, i32::MAX]).unwrap_err();
        assert!(matches!(error, FactorError::InverseTooLarge { .. }), "{error}");
    }

    #[test]
    fn real_matrices_of_less_than_full_rank_are_refused() {
        let ring = Reals::<f64>::new();
        let matrix: Vec<f64> = (0..9).map(|i| f64::from(i) * 0.1).collect();
        assert!(matches!(ring.inverse(3, &matrix), Err(FactorError::Singular { .. })));
        assert_eq!(ring.inverse(2, &[0.0, 2.0, 4.0, 0.0]).unwrap().0, [0.0, 0.25, 0.5, 0.0]);
    }

    #[test]
    fn literals_read_back() {
        assert_eq!(Integers::<i32>::new().literal(-1), "E(4294967295u)");
        assert_eq!(Reals::<f32>::new().literal(-0.5), "E(-0.5f)");
        assert_eq!(Reals::<f64>::new().literal(1e300), "E(1e300)");
        assert_eq!(Integers::<i64>::new().divisor_literal(12), "E(12l)");
    }
}
