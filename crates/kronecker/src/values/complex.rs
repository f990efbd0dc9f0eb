//! Complex numbers.

use std::marker::PhantomData;

use manycore_field::unit_root;
use num_complex::Complex;

use super::invert::Elimination;
use super::{Computation, Inverse, Values, sealed};
use crate::error::FactorError;

/// Complex numbers, real part first, of `f32` or `f64`. Roots of unity are exact where they are 1, -1, i or -i.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Complexes<T>(PhantomData<T>);

impl<T> Complexes<T> {
    /// Complex numbers of parts of type `T`.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// A prepared factor: what the loops over lanes branch on once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ComplexConstant<T> {
    factor: Complex<T>,
}

macro_rules! complex {
    ($part:ty, $suffix:literal) => {
        impl sealed::Sealed for Complexes<$part> {}

        impl Complexes<$part> {
            fn reciprocal(self, n: u64) -> Complex<$part> {
                Complex { re: 1.0 / n as $part, im: 0.0 }
            }
        }

        impl Values for Complexes<$part> {
            type Word = $part;
            type Value = Complex<$part>;
            type Constant = ComplexConstant<$part>;

            fn name(&self) -> String {
                concat!("complex ", stringify!($part)).to_owned()
            }

            #[inline(always)]
            fn zero(&self) -> Complex<$part> {
                Complex { re: 0.0, im: 0.0 }
            }

            fn integer(&self, n: i64) -> Complex<$part> {
                Complex { re: n as $part, im: 0.0 }
            }

            fn contains(&self, a: Complex<$part>) -> bool {
                a.is_finite()
            }

            #[inline(always)]
            fn add(&self, a: Complex<$part>, b: Complex<$part>) -> Complex<$part> {
                a + b
            }

            #[inline(always)]
            fn sub(&self, a: Complex<$part>, b: Complex<$part>) -> Complex<$part> {
                a - b
            }

            #[inline(always)]
            fn mul(&self, a: Complex<$part>, b: Complex<$part>) -> Complex<$part> {
                a * b
            }

            fn conjugate(&self, a: Complex<$part>) -> Complex<$part> {
                Complex { re: a.re, im: if a.im == 0.0 { 0.0 } else { -a.im } }
            }

            fn constant(&self, factor: Complex<$part>) -> Self::Constant {
                ComplexConstant { factor }
            }

            #[inline(always)]
            fn times(&self, a: Complex<$part>, c: &Self::Constant) -> Complex<$part> {
                self.mul(a, c.factor)
            }

            fn root(&self, order: u64, t: u64) -> Result<Complex<$part>, FactorError> {
                let [re, im] = unit_root(t, order.max(1)).map(|part| part as $part);
                Ok(Complex { re, im })
            }

            fn inverse(&self, q: usize, entries: &[Complex<$part>]) -> Result<Inverse<Self>, FactorError> {
                let wide = |x: &Complex<$part>| Complex { re: f64::from(x.re), im: f64::from(x.im) };
                let matrix: Vec<Complex<f64>> = entries.iter().map(wide).collect();
                let largest = matrix.iter().fold(0.0f64, |largest, x| largest.max(x.re.hypot(x.im)));
                let least = largest * f64::EPSILON * q as f64;
                let size = |x: &Complex<f64>| Some(x.re.hypot(x.im)).filter(|&size| size > least).unwrap_or(0.0);
                let less_product = |a: &Complex<f64>, b: &Complex<f64>, c: &Complex<f64>| a - b * c;
                let over = |a: &Complex<f64>, b: &Complex<f64>| {
                    let norm = b.norm_sqr();
                    a * Complex { re: b.re / norm, im: -b.im / norm }
                };
                let field = Elimination {
                    zero: Complex { re: 0.0, im: 0.0 },
                    one: Complex { re: 1.0, im: 0.0 },
                    size: &size,
                    less_product: &less_product,
                    over: &over,
                };
                let inverse = field.invert(q, &matrix).map_err(|column| FactorError::Singular { column })?;
                let narrow = |x: Complex<f64>| Complex { re: x.re as $part, im: x.im as $part };
                Ok((inverse.into_iter().map(narrow).collect(), 1))
            }

            fn divisor(&self, n: u64) -> Option<Self::Constant> {
                (n > 0).then(|| ComplexConstant { factor: self.reciprocal(n) })
            }

            #[inline(always)]
            fn divided(&self, a: Complex<$part>, by: &Self::Constant) -> Complex<$part> {
                a * by.factor.re
            }

            fn computation(&self) -> Computation {
                Computation::Complex
            }

            fn literal(&self, a: Complex<$part>) -> String {
                format!(concat!("E({:?}", $suffix, ")E({:?}", $suffix, ")"), a.re, a.im)
            }

            fn divisor_literal(&self, n: u64) -> String {
                self.literal(self.reciprocal(n))
            }
        }
    };
}

complex!(f32, "f");
complex!(f64, "");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_of_complex_matrices() {
        let ring = Complexes::<f64>::new();
        let number = |re, im| Complex { re, im };
        let (i, one, zero) = (number(0.0, 1.0), number(1.0, 0.0), number(0.0, 0.0));
        assert_eq!(ring.inverse(1, &[number(0.0, 2.0)]).unwrap().0, [number(0.0, -0.5)]);
        assert_eq!(ring.inverse(2, &[zero, i, one, zero]).unwrap().0, [zero, one, -i, zero]);
        assert!(matches!(ring.inverse(2, &[i, one, -one, i]), Err(FactorError::Singular { column: 1 })));
        assert_eq!(ring.conjugate(one).im.to_bits(), 0);
    }
}
