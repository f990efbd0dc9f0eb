//! Operations of two values, over a block.

use manycore_device::WordType;

use super::columns::InColumn;
use super::{Operands, Register};
use crate::graph::{Binary, Id};
use crate::scalar::ScalarType;

/// Computes a block; the type is that of the operands.
pub(super) fn compute(binary: Binary, kind: ScalarType, operands: &Operands<'_>, (a, b): (Id, Id), to: &mut Register) {
    let word = match kind {
        // Truth values are 0 and 1: bitwise operations and comparisons of them are those of bytes.
        ScalarType::Bool => WordType::U8,
        ScalarType::Word(word) => word,
    };
    match word {
        WordType::U8 => u8::compute(binary, (operands.of(a), operands.of(b)), to),
        WordType::I8 => i8::compute(binary, (operands.of(a), operands.of(b)), to),
        WordType::U16 => u16::compute(binary, (operands.of(a), operands.of(b)), to),
        WordType::I16 => i16::compute(binary, (operands.of(a), operands.of(b)), to),
        WordType::U32 => u32::compute(binary, (operands.of(a), operands.of(b)), to),
        WordType::I32 => i32::compute(binary, (operands.of(a), operands.of(b)), to),
        WordType::U64 => u64::compute(binary, (operands.of(a), operands.of(b)), to),
        WordType::I64 => i64::compute(binary, (operands.of(a), operands.of(b)), to),
        WordType::F32 => f32::compute(binary, (operands.of(a), operands.of(b)), to),
        WordType::F64 => f64::compute(binary, (operands.of(a), operands.of(b)), to),
    }
}

/// Products plus terms, rounded once.
pub(super) fn fused(kind: ScalarType, operands: &Operands<'_>, (a, b, c): (Id, Id, Id), to: &mut Register) {
    macro_rules! fused {
        ($word:ty) => {{
            let terms = operands.of::<$word>(a).iter().zip(operands.of::<$word>(b)).zip(operands.of::<$word>(c));
            for (to, ((&a, &b), &c)) in to.of_mut::<$word>(operands.len).iter_mut().zip(terms) {
                *to = a.mul_add(b, c);
            }
        }};
    }
    if kind.bits() == 32 { fused!(f32) } else { fused!(f64) }
}

/// Applies a function to each pair.
fn each<T: InColumn, R: InColumn>((a, b): (&[T], &[T]), to: &mut Register, f: impl Fn(T, T) -> R) {
    for (to, (&a, &b)) in to.of_mut::<R>(a.len()).iter_mut().zip(a.iter().zip(b)) {
        *to = f(a, b);
    }
}

trait Compute: InColumn {
    fn compute(binary: Binary, of: (&[Self], &[Self]), to: &mut Register);
}

macro_rules! integers {
    ($($word:ty, $double:ty;)*) => {$(
        impl Compute for $word {
            fn compute(binary: Binary, of: (&[Self], &[Self]), to: &mut Register) {
                match binary {
                    Binary::Add => each(of, to, Self::wrapping_add),
                    Binary::Subtract => each(of, to, Self::wrapping_sub),
                    Binary::Multiply => each(of, to, Self::wrapping_mul),
                    Binary::Divide => each(of, to, |a: Self, b| if b == 0 { 0 } else { a.wrapping_div(b) }),
                    Binary::Remainder => each(of, to, |a: Self, b| if b == 0 { a } else { a.wrapping_rem(b) }),
                    Binary::Minimum => each(of, to, |a: Self, b| if b < a { b } else { a }),
                    Binary::Maximum => each(of, to, |a: Self, b| if b > a { b } else { a }),
                    Binary::AddSaturating => each(of, to, Self::saturating_add),
                    Binary::SubtractSaturating => each(of, to, Self::saturating_sub),
                    Binary::MultiplyHigh => {
                        each(of, to, |a, b| ((<$double>::from(a) * <$double>::from(b)) >> Self::BITS) as Self);
                    }
                    Binary::And => each(of, to, |a: Self, b| a & b),
                    Binary::Or => each(of, to, |a: Self, b| a | b),
                    Binary::Xor => each(of, to, |a: Self, b| a ^ b),
                    Binary::ShiftLeft => each(of, to, |a: Self, b| a.wrapping_shl(b as u32)),
                    Binary::ShiftRight => each(of, to, |a: Self, b| a.wrapping_shr(b as u32)),
                    Binary::Equal => each(of, to, |a: Self, b| u8::from(a == b)),
                    Binary::Less => each(of, to, |a: Self, b| u8::from(a < b)),
                    Binary::LessOrEqual => each(of, to, |a: Self, b| u8::from(a <= b)),
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
            fn compute(binary: Binary, of: (&[Self], &[Self]), to: &mut Register) {
                match binary {
                    Binary::Add => each(of, to, |a: Self, b| a + b),
                    Binary::Subtract => each(of, to, |a: Self, b| a - b),
                    Binary::Multiply => each(of, to, |a: Self, b| a * b),
                    Binary::Divide => each(of, to, |a: Self, b| a / b),
                    Binary::Remainder => each(of, to, |a: Self, b| a % b),
                    Binary::Minimum => each(of, to, |a: Self, b| if b < a { b } else { a }),
                    Binary::Maximum => each(of, to, |a: Self, b| if b > a { b } else { a }),
                    Binary::Equal => each(of, to, |a: Self, b| u8::from(a == b)),
                    Binary::Less => each(of, to, |a: Self, b| u8::from(a < b)),
                    Binary::LessOrEqual => each(of, to, |a: Self, b| u8::from(a <= b)),
                    // Of integers alone.
                    Binary::AddSaturating | Binary::SubtractSaturating | Binary::MultiplyHigh | Binary::And
                    | Binary::Or | Binary::Xor | Binary::ShiftLeft | Binary::ShiftRight => each(of, to, |a: Self, _| a),
                }
            }
        }
    )*};
}

reals! { f32 f64 }
