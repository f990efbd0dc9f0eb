//! Maxima and minima of single precision by a device's own instruction, with the bits of the definition.
//!
//! The definition of a maximum is `b > a ? b : a`, two instructions of a GPU; `fmax` is one, and another function: it takes the
//! other operand where one is no number, and may take either zero. Both are the same where no operand is a NaN or -0.0. That
//! holds for all operands of a tile if it holds for its factors: sums of two numbers are -0.0 only where both are, and a NaN only
//! for infinities of two signs, of which one is excluded. Items look at what they read; once one has found such a factor, its
//! group goes on by the definition.

use manycore_device::WordType;

use crate::algebra::Algebra;
use crate::ready::{Known, known};

/// Known operations of single precision that have such a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Extrema(Known);

impl Extrema {
    /// Those of a semiring.
    pub(crate) fn of(algebra: &Algebra) -> Option<Self> {
        match known(algebra)? {
            (kind @ (Known::MaxPlus | Known::MinPlus | Known::MaxMin | Known::MinMax), WordType::F32) => {
                Some(Self(kind))
            }
            _ => None,
        }
    }

    /// A sum `s` with the product of `a` and `b`, as OpenCL C.
    pub(crate) fn step(self, s: &str, a: &str, b: &str) -> String {
        match self.0 {
            Known::MinPlus => format!("fmin({s}, {a} + {b})"),
            Known::MaxMin => format!("fmax({s}, fmin({a}, {b}))"),
            Known::MinMax => format!("fmin({s}, fmax({a}, {b}))"),
            _ => format!("fmax({s}, {a} + {b})"),
        }
    }

    /// Whether the factor of these bits is one that the instruction treats otherwise, as OpenCL C. The bits of an infinity, of
    /// NaNs and of -0.0 follow each other: 0x7f800000, up to 0x7fffffff, 0x80000000; 0xff800000 is the other infinity.
    pub(crate) fn is_odd(self, bits: &str) -> String {
        let (first, last) = match self.0 {
            // The infinity of the sum of nothing is a factor as any other.
            Known::MaxPlus => ("0x7f800000u", "0xff800000u"),
            Known::MinPlus => ("0x7f800001u", "0xff7fffffu"),
            _ => ("0x7f800001u", "0xff800000u"),
        };
        format!("({bits} - {first} <= 0x80000000u - {first}) | ({bits} > {last})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semiring::Semiring;

    /// The test of bits, evaluated.
    fn is_odd(kind: Known, x: f32) -> bool {
        let bits = x.to_bits();
        let (first, last) = match kind {
            Known::MaxPlus => (0x7f80_0000u32, 0xff80_0000u32),
            Known::MinPlus => (0x7f80_0001, 0xff7f_ffff),
            _ => (0x7f80_0001, 0xff80_0000),
        };
        assert!(Extrema(kind).is_odd("x").contains(&format!("{first:#x}")));
        bits.wrapping_sub(first) <= 0x8000_0000 - first || bits > last
    }

    #[test]
    fn odd_factors_are_those_that_the_instruction_treats_otherwise() {
        for kind in [Known::MaxPlus, Known::MinPlus, Known::MaxMin, Known::MinMax] {
            for x in [0.0, 1.0, -1.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, -1e-45] {
                assert!(!is_odd(kind, x), "{kind:?} {x}");
            }
            for x in [f32::NAN, -f32::NAN, -0.0] {
                assert!(is_odd(kind, x), "{kind:?} {x}");
            }
            assert_eq!(is_odd(kind, f32::INFINITY), kind == Known::MaxPlus);
            assert_eq!(is_odd(kind, f32::NEG_INFINITY), kind == Known::MinPlus);
        }
    }

    #[test]
    fn known_operations_of_single_precision_have_the_form() {
        let of = |semiring: Semiring<f32, f32, f32>| Extrema::of(semiring.algebra());
        assert_eq!(of(Semiring::max_plus().unwrap()), Some(Extrema(Known::MaxPlus)));
        assert_eq!(of(Semiring::min_max().unwrap()), Some(Extrema(Known::MinMax)));
        assert_eq!(of(Semiring::plus_times().unwrap()), None);
        assert_eq!(Extrema::of(Semiring::<f64, f64, f64>::max_plus().unwrap().algebra()), None);
    }
}
