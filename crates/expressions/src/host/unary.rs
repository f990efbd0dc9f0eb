//! Operations of one value, over a block.

use manycore_device::WordType;

use super::columns::{InColumn, with_word};
use super::loops::{self, Level, Values};
use super::operands::{Operands, words_mut};
use crate::graph::{Id, Unary};
use crate::scalar::ScalarType;

/// Computes a block; the types are those of the operand and of the result.
pub(super) fn compute(
    unary: Unary,
    (from, result): (ScalarType, ScalarType),
    operands: &Operands<'_>,
    a: Id,
    to: &mut [u8],
) {
    match unary {
        Unary::Convert => return convert((from, result), operands, a, to),
        // The bytes as another type of equal size.
        Unary::Reinterpret => {
            return match result.bits() {
                32 => loops::ones(operands.level, (bits32(operands, from, a),), words_mut::<u32>(to), |x| x),
                _ => loops::ones(operands.level, (bits64(operands, from, a),), words_mut::<u64>(to), |x| x),
            };
        }
        _ => {}
    }
    let word = match from {
        ScalarType::Bool => {
            return loops::ones(operands.level, (operands.of::<u8>(a),), words_mut::<u8>(to), |x| x ^ 1);
        }
        ScalarType::Word(word) => word,
    };
    match word {
        WordType::U8 => u8::compute(unary, operands.level, operands.of(a), to),
        WordType::I8 => i8::compute(unary, operands.level, operands.of(a), to),
        WordType::U16 => u16::compute(unary, operands.level, operands.of(a), to),
        WordType::I16 => i16::compute(unary, operands.level, operands.of(a), to),
        WordType::U32 => u32::compute(unary, operands.level, operands.of(a), to),
        WordType::I32 => i32::compute(unary, operands.level, operands.of(a), to),
        WordType::U64 => u64::compute(unary, operands.level, operands.of(a), to),
        WordType::I64 => i64::compute(unary, operands.level, operands.of(a), to),
        WordType::F32 => f32::compute(unary, operands.level, operands.of(a), to),
        WordType::F64 => f64::compute(unary, operands.level, operands.of(a), to),
    }
}

fn bits32<'a>(operands: &Operands<'a>, from: ScalarType, a: Id) -> Values<'a, u32> {
    if from.is_floating() { operands.of::<f32>(a).cast() } else { operands.of(a) }
}

fn bits64<'a>(operands: &Operands<'a>, from: ScalarType, a: Id) -> Values<'a, u64> {
    if from.is_floating() { operands.of::<f64>(a).cast() } else { operands.of(a) }
}

/// Conversions as by `as`; truth values give 0 and 1.
fn convert((from, result): (ScalarType, ScalarType), operands: &Operands<'_>, a: Id, to: &mut [u8]) {
    let level = operands.level;
    with_word!(from.memory(), T => {
        let from = operands.of::<T>(a);
        with_word!(result.memory(), R => loops::ones(level, (from,), words_mut::<R>(to), |x| x as R));
    });
}

trait Compute: InColumn {
    fn compute(unary: Unary, level: Level, from: Values<'_, Self>, to: &mut [u8]);
}

macro_rules! integers {
    ($($word:ty, $absolute:expr;)*) => {$(
        impl Compute for $word {
            fn compute(unary: Unary, level: Level, from: Values<'_, Self>, to: &mut [u8]) {
                match unary {
                    Unary::Negate => loops::ones(level, (from,), words_mut(to), Self::wrapping_neg),
                    Unary::Not => loops::ones(level, (from,), words_mut(to), |x: Self| !x),
                    Unary::Absolute => loops::ones(level, (from,), words_mut(to), $absolute),
                    Unary::Ones => loops::ones(level, (from,), words_mut(to), |x: Self| x.count_ones() as Self),
                    Unary::LeadingZeros => loops::ones(level, (from,), words_mut(to), |x: Self| x.leading_zeros() as Self),
                    Unary::TrailingZeros => loops::ones(level, (from,), words_mut(to), |x: Self| x.trailing_zeros() as Self),
                    // Of numbers alone, or done before.
                    Unary::Floor | Unary::Ceiling | Unary::Truncate | Unary::Round | Unary::SquareRoot
                    | Unary::Convert | Unary::Reinterpret => loops::ones(level, (from,), words_mut(to), |x: Self| x),
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
            fn compute(unary: Unary, level: Level, from: Values<'_, Self>, to: &mut [u8]) {
                match unary {
                    Unary::Negate => loops::ones(level, (from,), words_mut(to), |x: Self| -x),
                    Unary::Absolute => loops::ones(level, (from,), words_mut(to), Self::abs),
                    Unary::Floor => loops::ones(level, (from,), words_mut(to), Self::floor),
                    Unary::Ceiling => loops::ones(level, (from,), words_mut(to), Self::ceil),
                    Unary::Truncate => loops::ones(level, (from,), words_mut(to), Self::trunc),
                    Unary::Round => loops::ones(level, (from,), words_mut(to), Self::round_ties_even),
                    Unary::SquareRoot => loops::ones(level, (from,), words_mut(to), Self::sqrt),
                    // Of integers alone, or done before.
                    Unary::Not | Unary::Ones | Unary::LeadingZeros | Unary::TrailingZeros | Unary::Convert
                    | Unary::Reinterpret => loops::ones(level, (from,), words_mut(to), |x: Self| x),
                }
            }
        }
    )*};
}

reals! { f32 f64 }
