//! Rings of Kronecker products and numbers of Fourier transforms: what is drawn, and how far results may be from exact ones.

use manycore::characters::{Complexes as Characters, Residues};
use manycore::field::{Integers, KernelField, Reals};
use manycore::fourier::Numbers;
use manycore::kronecker::num_complex::Complex;
use manycore::kronecker::{Complexes, Values};
use manycore::{Goldilocks, PrimeField};

use crate::fields::residue;
use crate::random::Random;

/// Rings whose elements are drawn and compared.
pub trait Drawn: Values {
    /// The unit roundoff; 0 where nothing rounds.
    const ROUNDOFF: f64;

    /// An arbitrary element.
    fn some(&self, random: &mut Random) -> Self::Value;

    /// The absolute value; 0 where nothing rounds.
    fn size(&self, a: Self::Value) -> f64;

    /// Whether two elements are at most so far apart; equal, where nothing rounds.
    fn near(&self, a: Self::Value, b: Self::Value, bound: f64) -> bool;
}

macro_rules! exact {
    ($ring:ty, |$self:ident, $random:ident| $some:expr) => {
        impl Drawn for $ring {
            const ROUNDOFF: f64 = 0.0;

            fn some(&$self, $random: &mut Random) -> Self::Value {
                $some
            }

            fn size(&self, _: Self::Value) -> f64 {
                0.0
            }

            fn near(&self, a: Self::Value, b: Self::Value, _: f64) -> bool {
                a == b
            }
        }
    };
}

exact!(Integers<i32>, |self, random| random.word() as i32);
exact!(Integers<i64>, |self, random| random.word() as i64);
exact!(PrimeField<u32>, |self, random| residue(self, random));
exact!(PrimeField<u64>, |self, random| residue(self, random));
exact!(Goldilocks, |self, random| residue(self, random));

macro_rules! real {
    ($part:ty) => {
        impl Drawn for Reals<$part> {
            const ROUNDOFF: f64 = <$part>::EPSILON as f64 / 2.0;

            fn some(&self, random: &mut Random) -> $part {
                random.unit() as $part
            }

            fn size(&self, a: $part) -> f64 {
                f64::from(a).abs()
            }

            fn near(&self, a: $part, b: $part, bound: f64) -> bool {
                (f64::from(a) - f64::from(b)).abs() <= bound
            }
        }

        impl Drawn for Complexes<$part> {
            const ROUNDOFF: f64 = <$part>::EPSILON as f64 / 2.0;

            fn some(&self, random: &mut Random) -> Complex<$part> {
                Complex { re: random.unit() as $part, im: random.unit() as $part }
            }

            fn size(&self, a: Complex<$part>) -> f64 {
                f64::from(a.re).hypot(f64::from(a.im))
            }

            fn near(&self, a: Complex<$part>, b: Complex<$part>, bound: f64) -> bool {
                [(a.re, b.re), (a.im, b.im)].iter().all(|&(a, b)| (f64::from(a) - f64::from(b)).abs() <= bound)
            }
        }
    };
}

real!(f32);
real!(f64);

/// Numbers of Fourier transforms that are drawn and compared.
pub trait Transformed: Numbers {
    /// The unit roundoff; 0 for residues.
    const ROUNDOFF: f64;
    /// Numbers that definitions are computed in.
    type Wide: Numbers;

    /// Numbers of twice the precision, where these round and there are such.
    fn wide(&self) -> Self::Wide;

    /// In those numbers.
    fn widened(&self, a: Self::Value) -> <Self::Wide as manycore::characters::Values>::Value;

    /// Back.
    fn narrowed(&self, a: <Self::Wide as manycore::characters::Values>::Value) -> Self::Value;

    /// An arbitrary number.
    fn some(&self, random: &mut Random) -> Self::Value;

    /// The square of the absolute value; 0 for residues.
    fn square(&self, a: Self::Value) -> f64;

    /// Whether two numbers are at most so far apart; equal, for residues.
    fn near(&self, a: Self::Value, b: Self::Value, bound: f64) -> bool;
}

macro_rules! complex {
    ($part:ty) => {
        impl Transformed for Characters<$part> {
            const ROUNDOFF: f64 = <$part>::EPSILON as f64 / 2.0;
            type Wide = Characters<f64>;

            fn wide(&self) -> Characters<f64> {
                Characters::new()
            }

            fn widened(&self, a: Complex<$part>) -> Complex<f64> {
                Complex { re: f64::from(a.re), im: f64::from(a.im) }
            }

            fn narrowed(&self, a: Complex<f64>) -> Complex<$part> {
                Complex { re: a.re as $part, im: a.im as $part }
            }

            fn some(&self, random: &mut Random) -> Complex<$part> {
                Complex { re: random.unit() as $part, im: random.unit() as $part }
            }

            fn square(&self, Complex { re, im }: Complex<$part>) -> f64 {
                f64::from(re).powi(2) + f64::from(im).powi(2)
            }

            fn near(&self, a: Complex<$part>, b: Complex<$part>, bound: f64) -> bool {
                [(a.re, b.re), (a.im, b.im)].iter().all(|&(a, b)| (f64::from(a) - f64::from(b)).abs() <= bound)
            }
        }
    };
}

complex!(f32);
complex!(f64);

impl<F: KernelField> Transformed for Residues<F> {
    const ROUNDOFF: f64 = 0.0;
    type Wide = Self;

    fn wide(&self) -> Self {
        self.clone()
    }

    fn widened(&self, a: F::Element) -> F::Element {
        a
    }

    fn narrowed(&self, a: F::Element) -> F::Element {
        a
    }

    fn some(&self, random: &mut Random) -> F::Element {
        residue(self.field(), random)
    }

    fn square(&self, _: F::Element) -> f64 {
        0.0
    }

    fn near(&self, a: F::Element, b: F::Element, _: f64) -> bool {
        a == b
    }
}
