//! Steps of products in the words of a device: two sums of 16 bits in a word of 32, and choices of 64 bits that leave the units of
//! comparisons, by NVIDIA's assembly (PTX ISA, `add.s16x2`, `max.s16x2`; predicated `mad.lo`). All have the bits of the definition.
//!
//! An NVIDIA GPU of compute capability 9.0 compares and chooses 32 bits at half the rate of all its instructions: a maximum of 64
//! bits takes two comparisons and two choices there, and its units of multiplication wait. As a product with a 1 that the compiler
//! does not know, each under the comparison's predicate, a choice is theirs.

use std::fmt::Write as _;

use manycore_device::{OpenCl, WordType};
use manycore_expressions::ScalarType;

use crate::algebra::Algebra;
use crate::ready::{Known, known};

/// NVIDIA's first compute capability, in tenths, whose assembly has the instructions.
const CAPABILITY: u32 = 90;

/// Whether a device takes them.
pub(crate) fn is_for(cl: &OpenCl) -> bool {
    cl.info().compute_capability().is_some_and(|capability| capability >= CAPABILITY)
}

/// Known operations on both halves of a word of 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Halves(Known);

impl Halves {
    /// Those of a semiring of 16 bits.
    pub(crate) fn of(algebra: &Algebra) -> Option<Self> {
        match known(algebra)? {
            (kind @ (Known::MaxPlus | Known::MinPlus | Known::MaxMin | Known::MinMax), WordType::I16) => {
                Some(Self(kind))
            }
            _ => None,
        }
    }

    /// The function `halves` of sums, first and second factors, as OpenCL C.
    pub(crate) fn function(self, assembly: bool) -> String {
        let (multiply, add) = match self.0 {
            Known::MinPlus => ("add", "min"),
            Known::MaxMin => ("min", "max"),
            Known::MinMax => ("max", "min"),
            _ => ("add", "max"),
        };
        let mut text = "inline uint halves(const uint s, const uint a, const uint b)\n{\n".to_owned();
        if assembly {
            let _ = writeln!(
                text,
                "    uint t, r;\n    \
                 __asm__(\"{multiply}.s16x2 %0, %1, %2;\" : \"=r\"(t) : \"r\"(a), \"r\"(b));\n    \
                 __asm__(\"{add}.s16x2 %0, %1, %2;\" : \"=r\"(r) : \"r\"(t), \"r\"(s));\n    return r;"
            );
        } else {
            let product = if multiply == "add" {
                "as_short2(as_ushort2(a) + as_ushort2(b))".to_owned()
            } else {
                format!("{multiply}(as_short2(a), as_short2(b))")
            };
            let _ = writeln!(text, "    return as_uint({add}({product}, as_short2(s)));");
        }
        text + "}\n"
    }
}

/// Known extrema of sums of 32 bits, two steps at once: every second sum of an item takes them one by one, each an instruction of
/// the units of comparisons; the others take both as products with a 1 that the compiler does not know, which are the units' of
/// multiplication, and an extremum of three. So both kinds of units work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Balanced(Known);

impl Balanced {
    /// Those of a semiring.
    pub(crate) fn of(algebra: &Algebra) -> Option<Self> {
        match known(algebra)? {
            (kind @ (Known::MaxPlus | Known::MinPlus), WordType::I32) => Some(Self(kind)),
            _ => None,
        }
    }

    /// The function `balanced` of a sum, two pairs of factors, and the 1, as NVIDIA's assembly.
    pub(crate) fn function(self) -> String {
        let order = if self.0 == Known::MinPlus { "<" } else { ">" };
        format!(
            "inline int balanced(const int s, const int a0, const int b0, const int a1, const int b1, const uint one)\n{{\n    \
             int t0, t1;\n    \
             __asm__(\"mad.lo.s32 %0, %1, %2, %3;\" : \"=r\"(t0) : \"r\"(a0), \"r\"(one), \"r\"(b0));\n    \
             __asm__(\"mad.lo.s32 %0, %1, %2, %3;\" : \"=r\"(t1) : \"r\"(a1), \"r\"(one), \"r\"(b1));\n    \
             const int t = t0 {order} t1 ? t0 : t1;\n    return t {order} s ? t : s;\n}}\n"
        )
    }
}

/// Sums that are a maximum or a minimum of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chosen {
    is_maximum: bool,
    kind: ScalarType,
}

impl Chosen {
    /// Those of a semiring, whatever its products are.
    pub(crate) fn of(algebra: &Algebra) -> Option<Self> {
        let (is_maximum, kind) = algebra.sum.extremum()?;
        (kind.memory().bytes() == 8).then_some(Self { is_maximum, kind })
    }

    /// The function `choose` of a sum, the next product, and a 1 that the compiler does not know, as NVIDIA's assembly.
    pub(crate) fn function(self) -> String {
        let name = self.kind.memory().opencl_name();
        let (kind, word) = match self.kind {
            ScalarType::Word(WordType::F64) => ("f64", "d"),
            ScalarType::Word(WordType::U64) => ("u64", "l"),
            _ => ("s64", "l"),
        };
        let order = if self.is_maximum { "gt" } else { "lt" };
        format!(
            "inline void choose({name} *s, const {name} t, const uint one)\n{{\n    {name} r = *s;\n    \
             __asm__(\"{{.reg .pred p; .reg .b32 cl, ch, tl, th; setp.{order}.{kind} p, %1, %0; mov.b64 {{tl, th}}, %1; \"\n        \
             \"mov.b64 {{cl, ch}}, %0; @p mad.lo.s32 cl, tl, %2, 0; @p mad.lo.s32 ch, th, %2, 0; mov.b64 %0, {{cl, ch}};}}\"\n        \
             : \"+{word}\"(r) : \"{word}\"(t), \"r\"(one));\n    *s = r;\n}}\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semiring::Semiring;

    #[test]
    fn forms_are_of_the_types_that_have_them() {
        assert_eq!(Halves::of(Semiring::<i16, i16, i16>::min_max().unwrap().algebra()), Some(Halves(Known::MinMax)));
        assert_eq!(Halves::of(Semiring::<i16, i16, i16>::wrapping_plus_times().unwrap().algebra()), None);
        assert_eq!(Halves::of(Semiring::<i32, i32, i32>::wrapping_max_plus().unwrap().algebra()), None);
        let of = |semiring: Semiring<i64, i64, i64>| Chosen::of(semiring.algebra()).map(|chosen| chosen.is_maximum);
        assert_eq!(of(Semiring::wrapping_max_plus().unwrap()), Some(true));
        assert_eq!(of(Semiring::min_plus_saturating().unwrap()), Some(false));
        assert_eq!(of(Semiring::wrapping_plus_times().unwrap()), None);
        assert_eq!(Chosen::of(Semiring::<f32, f32, f32>::max_plus().unwrap().algebra()), None);
    }
}
