//! Complex numbers.

use manycore_characters::Complexes;
use manycore_characters::values::{LARGEST_EXPONENT, unit_root};
use manycore_field::OutOfRange;
use num_complex::Complex;

use super::engine::{Level, Task};
use super::planes::Planes;
use super::{Chirp, Numbers, Sealed};
use crate::error::FourierError;
use crate::transform::direction::Direction;

macro_rules! complex {
    ($part:ty, $x86:ident, $wide:ident) => {
        impl Sealed for Complexes<$part> {}

        impl Numbers for Complexes<$part> {
            const CONJUGATES: bool = true;

            type Precise = Complexes<f64>;

            fn precise(&self) -> Complexes<f64> {
                Complexes::new()
            }

            fn rounded(precise: Complex<f64>) -> Complex<$part> {
                Complex { re: precise.re as $part, im: precise.im as $part }
            }

            fn zero(&self) -> Complex<$part> {
                Complex { re: 0.0, im: 0.0 }
            }

            fn one(&self) -> Complex<$part> {
                Complex { re: 1.0, im: 0.0 }
            }

            #[inline(always)]
            fn plus(&self, a: Complex<$part>, b: Complex<$part>) -> Complex<$part> {
                a + b
            }

            #[inline(always)]
            fn minus(&self, a: Complex<$part>, b: Complex<$part>) -> Complex<$part> {
                a - b
            }

            #[inline(always)]
            fn times(&self, a: Complex<$part>, b: Complex<$part>) -> Complex<$part> {
                a * b
            }

            #[inline(always)]
            fn conjugated(&self, a: Complex<$part>) -> Complex<$part> {
                a.conj()
            }

            fn natural(&self, n: u64) -> Complex<$part> {
                Complex { re: n as $part, im: 0.0 }
            }

            fn distance(&self, a: &[Complex<$part>], b: &[Complex<$part>]) -> f64 {
                let wide = |x: &Complex<$part>| Complex { re: f64::from(x.re), im: f64::from(x.im) };
                let size = b.iter().map(|b| wide(b).norm_sqr()).sum::<f64>();
                let apart = a.iter().zip(b).map(|(a, b)| (wide(a) - wide(b)).norm_sqr()).sum::<f64>();
                if apart == 0.0 { 0.0 } else { (apart / size).sqrt() }
            }

            fn reciprocal(&self, n: u64) -> Complex<$part> {
                Complex { re: (1.0 / n as f64) as $part, im: 0.0 }
            }

            fn powers(
                &self,
                order: u64,
                _: Direction,
                exponents: &mut dyn Iterator<Item = u64>,
            ) -> Result<Vec<Complex<$part>>, FourierError> {
                if !self.has_roots(order) {
                    let values = manycore_characters::Values::name(self);
                    return Err(FourierError::Exponent { order, limit: LARGEST_EXPONENT, values });
                }
                let root = |t| {
                    let [re, im] = unit_root(t, order);
                    Complex { re: re as $part, im: -im as $part }
                };
                Ok(exponents.map(root).collect())
            }

            fn halves(&self, root: Complex<$part>) -> [Complex<$part>; 2] {
                [root.re, -root.im].map(|re| Complex { re, im: 0.0 })
            }

            fn has_roots(&self, order: u64) -> bool {
                (1..=LARGEST_EXPONENT).contains(&order)
            }

            fn group_of_roots(&self) -> u64 {
                0
            }

            fn prepared(&self, constant: Complex<$part>) -> Complex<$part> {
                constant
            }

            fn lanes(&self) -> usize {
                #[cfg(target_arch = "x86_64")]
                if super::x86::wide() {
                    return 64 / size_of::<$part>();
                } else if super::x86::fused() {
                    return 32 / size_of::<$part>();
                }
                1
            }

            #[allow(private_interfaces)]
            fn levels(&self) -> Vec<Level> {
                #[cfg(target_arch = "x86_64")]
                let wider = [(Level::Avx2, super::x86::fused()), (Level::Avx512, super::x86::wide())];
                #[cfg(not(target_arch = "x86_64"))]
                let wider = [];
                let wider = wider.into_iter().filter(|&(_, present)| present).map(|(level, _)| level);
                [Level::One].into_iter().chain(wider).collect()
            }

            #[allow(private_interfaces, private_bounds)]
            #[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables, reason = "there is one level"))]
            unsafe fn run_at<T: Task<Self>>(&self, level: Level, task: T) {
                #[cfg(target_arch = "x86_64")]
                {
                    if level >= Level::Avx512 && super::x86::wide() {
                        // SAFETY: the processor has the instruction sets; the caller vouches for the memory.
                        return unsafe { super::x86::$wide(task) };
                    }
                    if level >= Level::Avx2 && super::x86::fused() {
                        // SAFETY: the processor has the instruction sets; the caller vouches for the memory.
                        return unsafe { super::x86::$x86(task) };
                    }
                }
                // SAFETY: scalar numbers need no instruction set; the caller vouches for the memory.
                unsafe { task.run(Planes::<$part>::new()) }
            }

            fn constant_words(&self, constant: Complex<$part>, words: &mut Vec<$part>) {
                words.extend([constant.re, constant.im]);
            }

            fn check(&self, _: &[$part]) -> Result<(), OutOfRange> {
                Ok(())
            }
        }
    };
}

complex!(f32, with_f32, with_wide_f32);
complex!(f64, with_f64, with_wide_f64);

impl Chirp {
    /// The exponents at `0..count` of a chirp of length `n`.
    pub(crate) fn exponents(self, n: u64, count: u64) -> impl Iterator<Item = u64> {
        (0..count as i64).map(move |i| self.exponent(i, n))
    }
}
