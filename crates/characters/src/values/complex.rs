//! Complex numbers.

use std::io::{self, Write};
use std::marker::PhantomData;

use num_complex::Complex;

use super::{LARGEST_EXPONENT, Product, Values, sealed, unit_root};
use crate::error::CharacterError;

/// Complex numbers, real part first, of `f32` or `f64`. Roots are exact where they are 1, -1, i or -i, else within two units
/// of the last place; the direct construction keeps that, products of the Kronecker construction round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Complexes<T>(PhantomData<T>);

impl<T> Complexes<T> {
    /// Complex numbers of parts of type `T`.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

macro_rules! complex {
    ($part:ty, $npy:literal) => {
        impl sealed::Sealed for Complexes<$part> {}

        impl Values for Complexes<$part> {
            type Word = $part;
            type Value = Complex<$part>;
            type Base = u64;

            fn name(&self) -> String {
                concat!("complex ", stringify!($part)).to_owned()
            }

            fn npy_type(&self) -> &'static str {
                $npy
            }

            fn write_text(&self, out: &mut dyn Write, value: Complex<$part>) -> io::Result<()> {
                // The shortest digits that read back; `+` gives the imaginary part its sign.
                write!(out, "{:?}{:+?}i", value.re, value.im)
            }

            fn base(&self, order: u64) -> Result<u64, CharacterError> {
                let limit = LARGEST_EXPONENT;
                if order > limit {
                    return Err(CharacterError::Exponent { exponent: order, limit, values: self.name() });
                }
                Ok(order)
            }

            fn root(&self, order: u64, t: u64) -> Complex<$part> {
                let [re, im] = unit_root(t, order).map(|part| part as $part);
                Complex { re, im }
            }

            #[inline(always)]
            fn multiply(&self, _: u64, a: Complex<$part>, b: Complex<$part>) -> Complex<$part> {
                a * b
            }

            fn conjugate(&self, _: u64, a: Complex<$part>) -> Complex<$part> {
                a.conj()
            }

            fn equal(&self, a: Complex<$part>, b: Complex<$part>, roundings: u32) -> bool {
                // A product of numbers of absolute value 1 rounds by less than two units.
                let tolerance = 2.0 * <$part>::EPSILON as f64 * f64::from(roundings.max(1));
                [(a.re, b.re), (a.im, b.im)].iter().all(|&(a, b)| (f64::from(a) - f64::from(b)).abs() <= tolerance)
            }

            fn sum_is(&self, _: u64, roots: &[Complex<$part>], expected: u64, roundings: u32) -> bool {
                let sum =
                    |part: fn(&Complex<$part>) -> $part| roots.iter().map(|root| f64::from(part(root))).sum::<f64>();
                let tolerance = 2.0 * <$part>::EPSILON as f64 * f64::from(roundings.max(1)) * roots.len() as f64;
                (sum(|root| root.re) - expected as f64).abs() <= tolerance && sum(|root| root.im).abs() <= tolerance
            }

            fn product(&self) -> Product {
                Product::Complex
            }
        }
    };
}

complex!(f32, "c8");
complex!(f64, "c16");
