//! Moves of values between columns, tables and registers.

use super::columns::{Column, ColumnMut, InColumn as _, with_word};
use super::loops;
use super::operands::{Operands, words_mut};
use crate::graph::Id;
use crate::scalar::{Scalar, ScalarType};

/// Fills words with one value.
pub(super) fn fill(kind: ScalarType, bits: u64, to: &mut [u8]) {
    with_word!(kind.memory(), T => words_mut::<T>(to).fill(<T as Scalar>::from_bits(bits)));
}

/// Truth values from memory: 0 or 1.
pub(super) fn truth(operands: &Operands<'_>, number: u16, to: &mut [u8]) {
    loops::ones(operands.level, (operands.input::<u8>(number),), to, |from| u8::from(from != 0));
}

/// Of each element the second where the first is true, else the third.
pub(super) fn select(kind: ScalarType, operands: &Operands<'_>, (condition, a, b): (Id, Id, Id), to: &mut [u8]) {
    let condition = operands.of::<u8>(condition);
    with_word!(kind.memory(), T => {
        let of = (condition, operands.of::<T>(a), operands.of::<T>(b));
        loops::threes(operands.level, of, words_mut(to), |condition, a, b| if condition != 0 { a } else { b });
    });
}

/// The words of a table at these indices, the last one for those past its end.
pub(super) fn read(table: Column<'_>, operands: &Operands<'_>, index: Id, to: &mut [u8]) {
    let indices = operands.of::<u64>(index);
    with_word!(table.word(), T => {
        let words = T::of(&table);
        let to = words_mut::<T>(to);
        match words.len().checked_sub(1) {
            None => to.fill(Default::default()),
            Some(last) => loops::ones(operands.level, (indices,), to, |index: u64| {
                words[usize::try_from(index).unwrap_or(last).min(last)]
            }),
        }
    });
}

/// Copies the values of an operand to the block of a column from `start` on.
pub(super) fn write(column: &mut ColumnMut<'_>, operands: &Operands<'_>, id: Id, start: usize, len: usize) {
    with_word!(column.word(), T => {
        let to = words_mut::<T>(column.bytes_mut(start, len));
        loops::ones(operands.level, (operands.of::<T>(id),), to, |x| x);
    });
}
