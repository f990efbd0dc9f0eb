//! Operations of one value, over a block.

use manycore_device::WordType;

use super::columns::{InColumn, with_word};
use super::{Operands, Register, word_of};
use crate::graph::{Id, Unary};
use crate::scalar::ScalarType;

/// Computes a block; the types are those of the operand and of the result.
pub(super) fn compute(
    unary: Unary,
    (from, result): (ScalarType, ScalarType),
    operands: &Operands<'_>,
    a: Id,
    to: &mut Register,
) {
    match unary {
        Unary::Convert => return convert((from, result), operands, a, to),
        // The same bytes under another type.
        Unary::Reinterpret => {
            return match result.bits() {
                32 => each::<u32, u32>(bits32(operands, from, a), to, |x| x),
                _ => each::<u64, u64>(bits64(operands, from, a), to, |x| x),
            };
        }
        _ => {}
    }
    let word = match from {
        ScalarType::Bool => return each::<u8, u8>(operands.of(a), to, |x| x ^ 1),
        ScalarType::Word(word) => word,
    };
    match word {
        WordType::U8 => u8::compute(unary, operands.of(a), to),
        WordType::I8 => i8::compute(unary, operands.of(a), to),
        WordType::U16 => u16::compute(unary, operands.of(a), to),
        WordType::I16 => i16::compute(unary, operands.of(a), to),
        WordType::U32 => u32::compute(unary, operands.of(a), to),
        WordType::I32 => i32::compute(unary, operands.of(a), to),
        WordType::U64 => u64::compute(unary, operands.of(a), to),
        WordType::I64 => i64::compute(unary, operands.of(a), to),
        WordType::F32 => f32::compute(unary, operands.of(a), to),
        WordType::F64 => f64::compute(unary, operands.of(a), to),
    }
}

/// Applies a function to each value.
fn each<T: InColumn, R: InColumn>(from: &[T], to: &mut Register, f: impl Fn(T) -> R) {
    for (to, &x) in to.of_mut::<R>(from.len()).iter_mut().zip(from) {
        *to = f(x);
    }
}

fn bits32<'a>(operands: &Operands<'a>, from: ScalarType, a: Id) -> &'a [u32] {
    if from.is_floating() { bytemuck::cast_slice(operands.of::<f32>(a)) } else { operands.of(a) }
}

fn bits64<'a>(operands: &Operands<'a>, from: ScalarType, a: Id) -> &'a [u64] {
    if from.is_floating() { bytemuck::cast_slice(operands.of::<f64>(a)) } else { operands.of(a) }
}

/// Conversions as by `as`; truth values give 0 and 1.
fn convert((from, result): (ScalarType, ScalarType), operands: &Operands<'_>, a: Id, to: &mut Register) {
    with_word!(word_of(from), T => {
        let from = operands.of::<T>(a);
        with_word!(word_of(result), R => each::<T, R>(from, to, |x| x as R));
    });
}

trait Compute: InColumn {
    fn compute(unary: Unary, from: &[Self], to: &mut Register);
}

macro_rules! integers {
    ($($word:ty, $absolute:expr;)*) => {$(
        impl Compute for $word {
            fn compute(unary: Unary, from: &[Self], to: &mut Register) {
                match unary {
                    Unary::Negate => each(from, to, Self::wrapping_neg),
                    Unary::Not => each(from, to, |x: Self| !x),
                    Unary::Absolute => each(from, to, $absolute),
                    Unary::Ones => each(from, to, |x: Self| x.count_ones() as Self),
                    Unary::LeadingZeros => each(from, to, |x: Self| x.leading_zeros() as Self),
                    Unary::TrailingZeros => each(from, to, |x: Self| x.trailing_zeros() as Self),
                    // Of numbers alone, or done before.
                    Unary::Floor | Unary::Ceiling | Unary::Truncate | Unary::Round | Unary::SquareRoot
                    | Unary::Convert | Unary::Reinterpret => each(from, to, |x: Self| x),
                }
            }
        }
    )*};
}

integers! {
    u8, |x: u8| x; u16, |x: u16| x; u32, |x: u32| x; u64, |x: u64| x;
    i8, i8::wrapping_abs; i16, i16::wrapping_abs; i32, i32::wrapping_abs; i64, i64::wrapping_abs;
}

macro_rules! reals {
    ($($word:ty)*) => {$(
        impl Compute for $word {
            fn compute(unary: Unary, from: &[Self], to: &mut Register) {
                match unary {
                    Unary::Negate => each(from, to, |x: Self| -x),
                    Unary::Absolute => each(from, to, Self::abs),
                    Unary::Floor => each(from, to, Self::floor),
                    Unary::Ceiling => each(from, to, Self::ceil),
                    Unary::Truncate => each(from, to, Self::trunc),
                    Unary::Round => each(from, to, Self::round_ties_even),
                    Unary::SquareRoot => each(from, to, Self::sqrt),
                    // Of integers alone, or done before.
                    Unary::Not | Unary::Ones | Unary::LeadingZeros | Unary::TrailingZeros | Unary::Convert
                    | Unary::Reinterpret => each(from, to, |x: Self| x),
                }
            }
        }
    )*};
}

reals! { f32 f64 }
