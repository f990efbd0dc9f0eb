//! Entries handed out, with those that a symmetry implies; entries that are given twice.

use super::head::{MatrixHead, Symmetry};
use super::lines::Lines;
use super::value::EntryValue;
use crate::error::FileError;
use crate::fault::LineFault;
use crate::memory::push;

/// What becomes of a place that a file gives several times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RepeatedEntries {
    /// Each is handed out, in the order of the file: who reads adds them, as assembled finite elements mean it.
    Keep,
    /// The file is refused, with the first line that gives a place again. 16 bytes an entry while the file is read.
    Refuse,
}

/// An entry of a matrix file.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixEntry<T> {
    /// The line of its value, from 1.
    pub line: usize,
    /// Its row, from 0.
    pub row: u32,
    /// Its column, from 0.
    pub column: u32,
    /// Its value.
    pub value: T,
}

/// Hands entries to `take`.
pub(super) struct Emitter<F> {
    symmetry: Symmetry,
    /// Column, row and line of each entry of the file, where places are taken once.
    places: Option<Vec<(u32, u32, usize)>>,
    take: F,
}

impl<F> Emitter<F> {
    pub(super) fn new(head: &MatrixHead, repeated: RepeatedEntries, take: F) -> Self {
        let places = (repeated == RepeatedEntries::Refuse).then(Vec::new);
        Self { symmetry: head.symmetry, places, take }
    }

    /// Notes the place of an entry, which stands on the line read last, and checks that the symmetry stores it.
    pub(super) fn place(&mut self, lines: &Lines<'_>, row: u32, column: u32) -> Result<(), FileError> {
        if let Some(places) = &mut self.places {
            push(places, (column, row, lines.line()), || format!("the places of {}", lines.file()))?;
        }
        let (stored, fits) = match self.symmetry {
            Symmetry::General => return Ok(()),
            Symmetry::SkewSymmetric => ("below the diagonal", column < row),
            Symmetry::Symmetric | Symmetry::Hermitian => ("on and below the diagonal", column <= row),
        };
        if fits {
            return Ok(());
        }
        let (row, column, symmetry) = (u64::from(row) + 1, u64::from(column) + 1, self.symmetry.name());
        Err(lines.wrong(LineFault::Triangle { row, column, symmetry, stored }))
    }

    /// Hands out the entry of these words, whose place was noted, and the one that it implies.
    pub(super) fn entry<T: EntryValue, E: From<FileError>>(
        &mut self,
        lines: &Lines<'_>,
        (row, column): (u32, u32),
        words: &[&str],
    ) -> Result<(), E>
    where
        F: FnMut(MatrixEntry<T>) -> Result<(), E>,
    {
        let wrong = |fault| E::from(lines.wrong(fault));
        let value = T::of_words(words).map_err(wrong)?;
        let is_diagonal = row == column;
        let mirrored = match self.symmetry {
            Symmetry::General => None,
            Symmetry::Symmetric => Some(value.clone()),
            Symmetry::SkewSymmetric => Some(value.negative().map_err(wrong)?),
            Symmetry::Hermitian if is_diagonal && !value.is_real() => {
                return Err(wrong(LineFault::Diagonal { row: u64::from(row) + 1 }));
            }
            Symmetry::Hermitian => Some(value.conjugate()),
        };
        let line = lines.line();
        (self.take)(MatrixEntry { line, row, column, value })?;
        match mirrored {
            Some(value) if !is_diagonal => (self.take)(MatrixEntry { line, row: column, column: row, value }),
            _ => Ok(()),
        }
    }

    /// Refuses places that came twice, by the first line that gives one again.
    pub(super) fn finish(self, file: &str) -> Result<(), FileError> {
        let Some(mut places) = self.places else { return Ok(()) };
        places.sort_unstable();
        let again = places.windows(2).filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1));
        match again.map(|pair| pair[1]).min_by_key(|&(_, _, line)| line) {
            None => Ok(()),
            Some((column, row, line)) => {
                let (row, column) = (u64::from(row) + 1, u64::from(column) + 1);
                Err(FileError::at(file, line, LineFault::Twice { row, column }))
            }
        }
    }
}
