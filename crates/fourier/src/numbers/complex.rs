//! Complex numbers.

use manycore_characters::Complexes;
use manycore_characters::values::{LARGEST_EXPONENT, unit_root};
use manycore_field::OutOfRange;

use super::planes::Planes;
use super::{Chirp, Level, Numbers, Sealed, Task};
use crate::error::FourierError;
use crate::transform::{Direction, chirp_filter};

macro_rules! complex {
    ($part:ty, $x86:ident, $wide:ident) => {
        impl Sealed for Complexes<$part> {}

        impl Numbers for Complexes<$part> {
            const CONJUGATES: bool = true;

            fn zero(&self) -> [$part; 2] {
                [0.0; 2]
            }

            fn one(&self) -> [$part; 2] {
                [1.0, 0.0]
            }

            #[inline(always)]
            fn plus(&self, [a, b]: [$part; 2], [c, d]: [$part; 2]) -> [$part; 2] {
                [a + c, b + d]
            }

            #[inline(always)]
            fn minus(&self, [a, b]: [$part; 2], [c, d]: [$part; 2]) -> [$part; 2] {
                [a - c, b - d]
            }

            #[inline(always)]
            fn times(&self, [a, b]: [$part; 2], [c, d]: [$part; 2]) -> [$part; 2] {
                [a * c - b * d, a * d + b * c]
            }

            #[inline(always)]
            fn conjugated(&self, [a, b]: [$part; 2]) -> [$part; 2] {
                [a, -b]
            }

            fn natural(&self, n: u64) -> [$part; 2] {
                [n as $part, 0.0]
            }

            fn distance(&self, a: &[[$part; 2]], b: &[[$part; 2]]) -> f64 {
                let square = |x: [f64; 2]| x[0] * x[0] + x[1] * x[1];
                let wide = |x: &[$part; 2]| x.map(f64::from);
                let size = b.iter().map(|b| square(wide(b))).sum::<f64>();
                let apart = a.iter().zip(b).map(|(a, b)| {
                    let (a, b) = (wide(a), wide(b));
                    square([a[0] - b[0], a[1] - b[1]])
                });
                let apart = apart.sum::<f64>();
                if apart == 0.0 { 0.0 } else { (apart / size).sqrt() }
            }

            fn reciprocal(&self, n: u64) -> [$part; 2] {
                [(1.0 / n as f64) as $part, 0.0]
            }

            fn powers(
                &self,
                order: u64,
                _: Direction,
                exponents: &mut dyn Iterator<Item = u64>,
            ) -> Result<Vec<[$part; 2]>, FourierError> {
                if !self.has_roots(order) {
                    let values = manycore_characters::Values::name(self);
                    return Err(FourierError::Exponent { order, limit: LARGEST_EXPONENT, values });
                }
                let root = |t| {
                    let [re, im] = unit_root(t, order);
                    [re as $part, -im as $part]
                };
                Ok(exponents.map(root).collect())
            }

            fn halves(&self, [re, im]: [$part; 2]) -> [[$part; 2]; 2] {
                [[re, 0.0], [-im, 0.0]]
            }

            fn has_roots(&self, order: u64) -> bool {
                (1..=LARGEST_EXPONENT).contains(&order)
            }

            fn group_of_roots(&self) -> u64 {
                0
            }

            fn filter(&self, n: u64, length: u64, direction: Direction) -> Result<Vec<[$part; 2]>, FourierError> {
                // In double precision, rounded once.
                let found = chirp_filter(&Complexes::<f64>::new(), n, length, direction)?;
                Ok(found.into_iter().map(|value| value.map(|part| part as $part)).collect())
            }

            fn prepared(&self, constant: [$part; 2]) -> [$part; 2] {
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
                let mut levels = vec![Level::One];
                #[cfg(target_arch = "x86_64")]
                for (level, present) in [(Level::Avx2, super::x86::fused()), (Level::Avx512, super::x86::wide())] {
                    if present {
                        levels.push(level);
                    }
                }
                levels
            }

            #[allow(private_interfaces, private_bounds)]
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

            fn constant_words(&self, constant: [$part; 2], words: &mut Vec<$part>) {
                words.extend(constant);
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
