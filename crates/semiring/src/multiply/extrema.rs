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
    /// The extrema of a semiring, where its sums are such.
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

    /// Whether a first (`is_left`) or a second factor is one that the instruction treats otherwise, as OpenCL C.
    pub(crate) fn is_odd(self, x: &str, is_left: bool) -> String {
        let is_zero = format!("(as_uint({x}) == 0x80000000u)");
        let is_other = match self.0 {
            // The infinity of the sum of nothing is a factor as any other; no number is less or greater than one that is none.
            Known::MaxPlus => format!("!({x} < INFINITY)"),
            Known::MinPlus => format!("!({x} > -INFINITY)"),
            _ => return format!("({x} != {x}) | {is_zero}"),
        };
        // Sums of two are -0.0 where both are, so the first factor decides.
        if is_left { format!("{is_other} | {is_zero}") } else { is_other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semiring::Semiring;

    #[test]
    fn odd_factors_are_those_that_the_instruction_treats_otherwise() {
        let text = |kind, is_left| Extrema(kind).is_odd("x", is_left);
        assert_eq!(text(Known::MaxPlus, false), "!(x < INFINITY)");
        assert_eq!(text(Known::MinPlus, true), "!(x > -INFINITY) | (as_uint(x) == 0x80000000u)");
        for is_left in [true, false] {
            assert_eq!(text(Known::MaxMin, is_left), "(x != x) | (as_uint(x) == 0x80000000u)");
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
