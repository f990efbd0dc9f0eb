//! Operations of two values, over a block.

use manycore_device::WordType;

use super::columns::InColumn;
use super::loops::{self, Level, Values};
use super::operands::{Operands, words_mut};
use crate::graph::{Binary, Id};
use crate::scalar::ScalarType;

/// Computes a block; the type is that of the operands.
pub(super) fn compute(binary: Binary, kind: ScalarType, operands: &Operands<'_>, (a, b): (Id, Id), to: &mut [u8]) {
    let word = match kind {
        // Truth values are 0 and 1: bitwise operations and comparisons of them are those of bytes.
        ScalarType::Bool => WordType::U8,
        ScalarType::Word(word) => word,
    };
    match word {
        WordType::U8 => u8::compute(binary, operands.level, (operands.of(a), operands.of(b)), to),
        WordType::I8 => i8::compute(binary, operands.level, (operands.of(a), operands.of(b)), to),
        WordType::U16 => u16::compute(binary, operands.level, (operands.of(a), operands.of(b)), to),
        WordType::I16 => i16::compute(binary, operands.level, (operands.of(a), operands.of(b)), to),
        WordType::U32 => u32::compute(binary, operands.level, (operands.of(a), operands.of(b)), to),
        WordType::I32 => i32::compute(binary, operands.level, (operands.of(a), operands.of(b)), to),
        WordType::U64 => u64::compute(binary, operands.level, (operands.of(a), operands.of(b)), to),
        WordType::I64 => i64::compute(binary, operands.level, (operands.of(a), operands.of(b)), to),
        WordType::F32 => f32::compute(binary, operands.level, (operands.of(a), operands.of(b)), to),
        WordType::F64 => f64::compute(binary, operands.level, (operands.of(a), operands.of(b)), to),
    }
}

/// Products plus terms, rounded once.
pub(super) fn fused(kind: ScalarType, operands: &Operands<'_>, (a, b, c): (Id, Id, Id), to: &mut [u8]) {
    let level = operands.level;
    if kind.bits() == 32 {
        loops::threes(level, (operands.of(a), operands.of(b), operands.of(c)), words_mut(to), f32::mul_add);
    } else {
        loops::threes(level, (operands.of(a), operands.of(b), operands.of(c)), words_mut(to), f64::mul_add);
    }
}

/// Operands of one type.
type Two<'a, T> = (Values<'a, T>, Values<'a, T>);

trait Compute: InColumn {
    fn compute(binary: Binary, level: Level, of: Two<'_, Self>, to: &mut [u8]);
}

macro_rules! integers {
    ($($word:ty, $double:ty;)*) => {$(
        impl Compute for $word {
            fn compute(binary: Binary, level: Level, of: Two<'_, Self>, to: &mut [u8]) {
                match binary {
                    Binary::Add => loops::twos(level, of, words_mut(to), Self::wrapping_add),
                    Binary::Subtract => loops::twos(level, of, words_mut(to), Self::wrapping_sub),
                    Binary::Multiply => loops::twos(level, of, words_mut(to), Self::wrapping_mul),
                    Binary::Divide => loops::twos(level, of, words_mut(to), |a: Self, b| if b == 0 { 0 } else { a.wrapping_div(b) }),
                    Binary::Remainder => loops::twos(level, of, words_mut(to), |a: Self, b| if b == 0 { a } else { a.wrapping_rem(b) }),
                    Binary::Minimum => loops::twos(level, of, words_mut(to), |a: Self, b| if b < a { b } else { a }),
                    Binary::Maximum => loops::twos(level, of, words_mut(to), |a: Self, b| if b > a { b } else { a }),
                    Binary::AddSaturating => loops::twos(level, of, words_mut(to), Self::saturating_add),
                    Binary::SubtractSaturating => loops::twos(level, of, words_mut(to), Self::saturating_sub),
                    Binary::MultiplyHigh => {
                        loops::twos(level, of, words_mut(to), |a, b| ((<$double>::from(a) * <$double>::from(b)) >> Self::BITS) as Self);
                    }
                    Binary::And => loops::twos(level, of, words_mut(to), |a: Self, b| a & b),
                    Binary::Or => loops::twos(level, of, words_mut(to), |a: Self, b| a | b),
                    Binary::Xor => loops::twos(level, of, words_mut(to), |a: Self, b| a ^ b),
                    Binary::ShiftLeft => loops::twos(level, of, words_mut(to), |a: Self, b| a.wrapping_shl(b as u32)),
                    Binary::ShiftRight => loops::twos(level, of, words_mut(to), |a: Self, b| a.wrapping_shr(b as u32)),
                    Binary::Equal => loops::twos(level, of, words_mut(to), |a: Self, b| u8::from(a == b)),
                    Binary::Less => loops::twos(level, of, words_mut(to), |a: Self, b| u8::from(a < b)),
                    Binary::LessOrEqual => loops::twos(level, of, words_mut(to), |a: Self, b| u8::from(a <= b)),
                }
            }
        }
    )*};
}

integers! { u8, u16; u16, u32; u32, u64; u64, u128; i8, i16; i16, i32; i32, i64; i64, i128; }

macro_rules! reals {
    ($($word:ty)*) => {$(
        #[allow(clippy::float_cmp)] // the operation compares
        impl Compute for $word {
            fn compute(binary: Binary, level: Level, of: Two<'_, Self>, to: &mut [u8]) {
                match binary {
                    Binary::Add => loops::twos(level, of, words_mut(to), |a: Self, b| a + b),
                    Binary::Subtract => loops::twos(level, of, words_mut(to), |a: Self, b| a - b),
                    Binary::Multiply => loops::twos(level, of, words_mut(to), |a: Self, b| a * b),
                    Binary::Divide => loops::twos(level, of, words_mut(to), |a: Self, b| a / b),
                    Binary::Remainder => loops::twos(level, of, words_mut(to), |a: Self, b| a % b),
                    Binary::Minimum => loops::twos(level, of, words_mut(to), |a: Self, b| if b < a { b } else { a }),
                    Binary::Maximum => loops::twos(level, of, words_mut(to), |a: Self, b| if b > a { b } else { a }),
                    Binary::Equal => loops::twos(level, of, words_mut(to), |a: Self, b| u8::from(a == b)),
                    Binary::Less => loops::twos(level, of, words_mut(to), |a: Self, b| u8::from(a < b)),
                    Binary::LessOrEqual => loops::twos(level, of, words_mut(to), |a: Self, b| u8::from(a <= b)),
                    // Of integers alone.
                    Binary::AddSaturating | Binary::SubtractSaturating | Binary::MultiplyHigh | Binary::And
                    | Binary::Or | Binary::Xor | Binary::ShiftLeft | Binary::ShiftRight => loops::twos(level, of, words_mut(to), |a: Self, _| a),
                }
            }
        }
    )*};
}

reals! { f32 f64 }
