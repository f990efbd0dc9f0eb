//! Complex numbers.

use std::marker::PhantomData;

use manycore_field::unit_root;

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
    parts: [T; 2],
}

macro_rules! complex {
    ($part:ty, $suffix:literal) => {
        impl sealed::Sealed for Complexes<$part> {}

        impl Values for Complexes<$part> {
            type Word = $part;
            type Value = [$part; 2];
            type Constant = ComplexConstant<$part>;

            fn name(&self) -> String {
                concat!("complex ", stringify!($part)).to_owned()
            }

            #[inline(always)]
            fn zero(&self) -> [$part; 2] {
                [0.0; 2]
            }

            fn integer(&self, n: i64) -> [$part; 2] {
                [n as $part, 0.0]
            }

            fn contains(&self, a: [$part; 2]) -> bool {
                a.iter().all(|part| part.is_finite())
            }

            #[inline(always)]
            fn add(&self, [a, b]: [$part; 2], [c, d]: [$part; 2]) -> [$part; 2] {
                [a + c, b + d]
            }

            #[inline(always)]
            fn sub(&self, [a, b]: [$part; 2], [c, d]: [$part; 2]) -> [$part; 2] {
                [a - c, b - d]
            }

            #[inline(always)]
            fn mul(&self, [a, b]: [$part; 2], [c, d]: [$part; 2]) -> [$part; 2] {
                [a * c - b * d, a * d + b * c]
            }

            fn conjugate(&self, [a, b]: [$part; 2]) -> [$part; 2] {
                [a, if b == 0.0 { 0.0 } else { -b }]
            }

            fn constant(&self, parts: [$part; 2]) -> Self::Constant {
                ComplexConstant { parts }
            }

            #[inline(always)]
            fn times(&self, a: [$part; 2], c: &Self::Constant) -> [$part; 2] {
                self.mul(a, c.parts)
            }

            fn root(&self, order: u64, t: u64) -> Result<[$part; 2], FactorError> {
                Ok(unit_root(t, order.max(1)).map(|part| part as $part))
            }

            fn inverse(&self, q: usize, entries: &[[$part; 2]]) -> Result<Inverse<Self>, FactorError> {
                let product = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a * c - b * d, a * d + b * c];
                let matrix: Vec<[f64; 2]> = entries.iter().map(|x| x.map(f64::from)).collect();
                let largest = matrix.iter().fold(0.0f64, |largest, x| largest.max(x[0].hypot(x[1])));
                let least = largest * f64::EPSILON * q as f64;
                let size = |x: &[f64; 2]| Some(x[0].hypot(x[1])).filter(|&size| size > least).unwrap_or(0.0);
                let less_product = |a: &[f64; 2], b: &[f64; 2], c: &[f64; 2]| {
                    let bc = product(*b, *c);
                    [a[0] - bc[0], a[1] - bc[1]]
                };
                let over = |a: &[f64; 2], b: &[f64; 2]| {
                    let norm = b[0] * b[0] + b[1] * b[1];
                    product(*a, [b[0] / norm, -b[1] / norm])
                };
                let field = Elimination {
                    zero: [0.0; 2],
                    one: [1.0, 0.0],
                    size: &size,
                    less_product: &less_product,
                    over: &over,
                };
                let inverse = field.invert(q, &matrix).map_err(|column| FactorError::Singular { column })?;
                Ok((inverse.into_iter().map(|x| x.map(|part| part as $part)).collect(), 1))
            }

            fn divisor(&self, n: u64) -> Option<Self::Constant> {
                (n > 0).then(|| ComplexConstant { parts: [1.0 / n as $part, 0.0] })
            }

            #[inline(always)]
            fn divided(&self, [a, b]: [$part; 2], by: &Self::Constant) -> [$part; 2] {
                [a * by.parts[0], b * by.parts[0]]
            }

            fn computation(&self) -> Computation {
                Computation::Complex
            }

            fn literal(&self, [a, b]: [$part; 2]) -> String {
                format!(concat!("E({:?}", $suffix, ")E({:?}", $suffix, ")"), a, b)
            }

            fn divisor_literal(&self, n: u64) -> String {
                self.literal([1.0 / n as $part, 0.0])
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
        let (i, one, zero) = ([0.0, 1.0], [1.0, 0.0], [0.0, 0.0]);
        assert_eq!(ring.inverse(1, &[[0.0, 2.0]]).unwrap().0, [[0.0, -0.5]]);
        assert_eq!(ring.inverse(2, &[zero, i, one, zero]).unwrap().0, [zero, one, [0.0, -1.0], zero]);
        assert!(matches!(ring.inverse(2, &[i, one, [-1.0, 0.0], i]), Err(FactorError::Singular { column: 1 })));
        assert_eq!(ring.conjugate(one)[1].to_bits(), 0);
    }
}
