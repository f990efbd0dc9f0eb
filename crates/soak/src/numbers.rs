//! Element types of spectral transforms: what is drawn, and how far results may be from exact ones.

use manycore::Scalar;
use serde::Serialize;

use crate::compare::Found;
use crate::random::Random;

/// A type of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // the names say it
pub enum Element {
    I32,
    I64,
    F32,
    F64,
}

impl Element {
    /// Every type.
    pub const ALL: [Self; 4] = [Self::I32, Self::I64, Self::F32, Self::F64];

    /// Bytes of a value.
    pub const fn bytes(self) -> usize {
        match self {
            Self::I32 | Self::F32 => 4,
            Self::I64 | Self::F64 => 8,
        }
    }

    /// Whether it rounds.
    pub const fn is_real(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}

/// Runs a generic function with the type of an [`Element`].
#[macro_export]
macro_rules! with_element {
    ($element:expr, $type:ident => $body:expr) => {
        match $element {
            $crate::numbers::Element::I32 => {
                type $type = i32;
                $body
            }
            $crate::numbers::Element::I64 => {
                type $type = i64;
                $body
            }
            $crate::numbers::Element::F32 => {
                type $type = f32;
                $body
            }
            $crate::numbers::Element::F64 => {
                type $type = f64;
                $body
            }
        }
    };
}

/// The range that values are drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Range {
    /// Integers of all bits, whose sums wrap; floating-point numbers in [-1, 1) times a power of two.
    Whole,
    /// Integers from -8 to 7, and floating-point numbers of that kind.
    Small,
    /// 0 and 1.
    Bits,
}

/// A number type.
pub trait Number: Scalar {
    /// The unit roundoff: 2^-24, 2^-53; 0 for integers.
    const ROUNDOFF: f64;

    /// A number of a range; floating-point numbers of the whole range are scaled by `2^scale`.
    fn draw(random: &mut Random, range: Range, scale: i32) -> Self;

    /// A small integer in this type.
    fn small(value: i8) -> Self;

    /// The value as a double, rounded for large integers.
    fn double(self) -> f64;
}

macro_rules! integer {
    ($type:ty) => {
        impl Number for $type {
            const ROUNDOFF: f64 = 0.0;

            fn draw(random: &mut Random, range: Range, _: i32) -> Self {
                match range {
                    Range::Whole => random.word() as Self,
                    Range::Small => random.below(16) as Self - 8,
                    Range::Bits => random.below(2) as Self,
                }
            }

            fn small(value: i8) -> Self {
                value.into()
            }

            fn double(self) -> f64 {
                self as f64
            }
        }
    };
}

macro_rules! real {
    ($type:ty) => {
        impl Number for $type {
            const ROUNDOFF: f64 = <$type>::EPSILON as f64 / 2.0;

            fn draw(random: &mut Random, range: Range, scale: i32) -> Self {
                match range {
                    Range::Whole => (random.unit() * 2_f64.powi(scale)) as Self,
                    Range::Small => random.below(16) as Self - 8.0,
                    Range::Bits => random.below(2) as Self,
                }
            }

            fn small(value: i8) -> Self {
                value.into()
            }

            fn double(self) -> f64 {
                self.into()
            }
        }
    };
}

integer!(i32);
integer!(i64);
real!(f32);
real!(f64);

/// `len` random numbers.
pub fn draw<T: Number>(random: &mut Random, len: usize, range: Range) -> Vec<T> {
    let scale = random.below(41) as i32 - 20;
    (0..len).map(|_| T::draw(random, range, scale)).collect()
}

/// The sum of the absolute values of a run.
pub fn absolute_sum<T: Number>(x: &[T]) -> f64 {
    x.iter().map(|x| x.double().abs()).sum()
}

/// Compares values: integers exactly; floating-point numbers within `bounds`, of which each run of `run` values has one.
pub fn compare<T: Number>(route: &'static str, found: &[T], expected: &[T], run: usize, bounds: &[f64]) -> Found {
    Found::near(route, found, expected, |a, b, i| {
        a == b || (T::TYPE.is_floating() && (a.double() - b.double()).abs() <= bounds[i / run.max(1)])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_compared_exactly_and_reals_within_bounds() {
        assert!(compare("x", &[1_i32, 2], &[1, 3], 2, &[9.0]).fault.is_some());
        assert!(compare("x", &[1.0_f32, 2.0], &[1.0, 2.5], 1, &[0.0, 0.5]).fault.is_none());
        assert!(compare("x", &[1.0_f32, 2.0], &[1.0, 2.5], 1, &[0.5, 0.25]).fault.is_some());
        assert!(compare("x", &[f64::NAN], &[1.0], 1, &[f64::INFINITY]).fault.is_some());
    }

    #[test]
    fn ranges_hold() {
        let mut random = Random::new(5);
        let small: Vec<i64> = draw(&mut random, 1000, Range::Small);
        assert!(small.iter().all(|x| (-8..8).contains(x)) && small.contains(&-8) && small.contains(&7));
        let bits: Vec<f32> = draw(&mut random, 100, Range::Bits);
        assert!(bits.iter().all(|x| [0.0, 1.0].contains(x)));
        assert!((absolute_sum(&[1.0_f32, -2.0]) - 3.0).abs() < 1e-12);
    }
}
