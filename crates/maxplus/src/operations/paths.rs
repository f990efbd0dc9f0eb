//! Paths that are wanted, and how they are written.

use manycore_files::NumberText as _;
use manycore_operation::Arguments;
use manycore_semiring::operations::{Infinities, Rows};

use super::graph::FileWeight;
use crate::graph::Extremum;

/// The paths that are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Algebra {
    Longest,
    Shortest,
    /// Whether there is one.
    Boolean,
}

impl Algebra {
    pub(super) fn of(arguments: &Arguments) -> Self {
        match arguments.word("algebra") {
            Some("min-plus") => Self::Shortest,
            Some("boolean") => Self::Boolean,
            _ => Self::Longest,
        }
    }

    pub(super) fn extremum(self) -> Extremum {
        if self == Self::Shortest { Extremum::Minimum } else { Extremum::Maximum }
    }
}

/// The weights of paths as they are written.
pub(super) fn weights<T: FileWeight>(columns: usize, entries: Vec<T>, extremum: Extremum) -> Rows<T> {
    Rows {
        columns,
        entries,
        field: if T::IS_INTEGER { "integer" } else { "real" },
        absent: T::absent(extremum),
        is_same: |a, b| a == b,
        push: |&entry, text| Infinities::Kept.push(entry, text),
        json: |&entry| Infinities::Kept.json(entry),
    }
}

/// Whether there are paths, as it is written.
pub(super) fn reached(columns: usize, entries: Vec<u8>) -> Rows<u8> {
    let push = |word: &u8, text: &mut String| word.push_typed(text);
    Rows { columns, entries, field: "integer", absent: 0, is_same: |a, b| a == b, push, json: |&word| word.into() }
}
