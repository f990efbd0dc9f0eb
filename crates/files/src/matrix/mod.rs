//! Sparse and dense matrices as text: Matrix Market (Boisvert, Pozo and Remington, *The Matrix Market exchange formats: initial
//! design*, NISTIR 5935, 1996), SMS of `LinBox`, and assembled Harwell-Boeing files (Duff, Grimes and Lewis, *Users' guide for the
//! Harwell-Boeing sparse matrix collection*, 1992).
//!
//! | file | what |
//! |---|---|
//! | `head` | heads of files: format, sizes, kind of the values, symmetry |
//! | `lines` | lines, their numbers and words |
//! | `market`, `sms`, `harwell_boeing` | the formats |
//! | `fortran` | numbers in columns of characters, by formats such as `(4D20.12)` |
//! | `value` | types of values |
//! | `emit` | entries handed out, with those that a symmetry implies; entries that are given twice |

mod emit;
mod fortran;
mod harwell_boeing;
mod head;
mod lines;
mod market;
mod sms;
mod value;

use emit::Emitter;
pub use emit::{MatrixEntry, RepeatedEntries};
pub use head::{MatrixFormat, MatrixHead, MatrixKind, Symmetry};
use lines::Lines;
pub use value::EntryValue;

use crate::error::FileError;
use crate::fault::LineFault;

/// What stands behind a head.
#[derive(Debug)]
enum Body {
    /// Row, column and value on a line.
    Coordinates,
    /// All values, column after column, one a line.
    Array,
    /// Row, column and value on a line, closed by `0 0 0`.
    Sms,
    /// Pointers of columns, indices of rows, values.
    HarwellBoeing(harwell_boeing::Cards),
}

/// A matrix as text whose head is read.
///
/// ```
/// use manycore_files::{FileError, MatrixText, RepeatedEntries};
/// let text = "%%MatrixMarket matrix coordinate integer symmetric\n% a comment\n2 2 2\n1 1 4\n2 1 -1\n";
/// let matrix = MatrixText::new(text.as_bytes(), "a.mtx")?;
/// assert_eq!((matrix.head().rows, matrix.head().columns), (2, 2));
/// let mut entries = Vec::new();
/// matrix.entries(RepeatedEntries::Refuse, |entry| {
///     entries.push((entry.row, entry.column, entry.value));
///     Ok::<(), FileError>(())
/// })?;
/// assert_eq!(entries, [(0, 0, 4i64), (1, 0, -1), (0, 1, -1)]);
/// # Ok::<(), FileError>(())
/// ```
#[derive(Debug)]
pub struct MatrixText<'a> {
    head: MatrixHead,
    lines: Lines<'a>,
    body: Body,
}

impl<'a> MatrixText<'a> {
    /// Reads the head of a text in UTF-8, which errors call `file`; [`decode`](crate::decode) makes such of files. The format is that
    /// of [`MatrixFormat::of`].
    ///
    /// # Errors
    /// [`FileError::Line`] with the first line that is wrong; [`FileError::NotText`] for bytes that are no text.
    pub fn new(bytes: &'a [u8], file: &'a str) -> Result<Self, FileError> {
        let text = lines::text(bytes, file)?;
        let (head, lines, body) = match MatrixFormat::of(text) {
            Some(MatrixFormat::MatrixMarket) => {
                let mut lines = Lines::new(text, file, '%');
                let (head, is_array) = market::head(&mut lines)?;
                (head, lines, if is_array { Body::Array } else { Body::Coordinates })
            }
            Some(MatrixFormat::HarwellBoeing) => {
                let mut lines = Lines::new(text, file, '\n');
                let (head, cards) = harwell_boeing::head(&mut lines)?;
                (head, lines, Body::HarwellBoeing(cards))
            }
            Some(MatrixFormat::Sms) | None => {
                let mut lines = Lines::new(text, file, '#');
                (sms::head(&mut lines)?, lines, Body::Sms)
            }
        };
        Ok(Self { head, lines, body })
    }

    /// The line that the head ends with, from 1.
    pub(crate) fn line(&self) -> usize {
        self.lines.line()
    }

    /// The head of the text.
    pub fn head(&self) -> &MatrixHead {
        &self.head
    }

    /// Hands every entry to `take`, in the order of the file; an entry that a symmetry implies follows the one that it mirrors.
    /// Entries of a pattern are 1. Time linear in the text; [`RepeatedEntries::Refuse`] sorts the places of entries that come in
    /// no order.
    ///
    /// # Errors
    /// [`FileError::Line`] with the first line that is wrong, for values that `T` does not hold too, and for complex values
    /// where `T` is real; [`FileError::Memory`]; those of `take`, which end the reading.
    pub fn entries<T: EntryValue, E: From<FileError>>(
        self,
        repeated: RepeatedEntries,
        take: impl FnMut(MatrixEntry<T>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Self { head, mut lines, body } = self;
        if head.kind == MatrixKind::Complex && !T::IS_COMPLEX {
            let expected = "real, integer or pattern where values are real";
            let reason = LineFault::Unknown { found: "complex".to_owned(), expected };
            return Err(FileError::at(lines.file(), head.line, reason).into());
        }
        let mut emitter = Emitter::new(&head, repeated, take);
        match body {
            Body::Coordinates => market::coordinates(&head, &mut lines, &mut emitter)?,
            Body::Array => market::array(&head, &mut lines, &mut emitter)?,
            Body::Sms => sms::entries(&head, &mut lines, &mut emitter)?,
            Body::HarwellBoeing(cards) => harwell_boeing::entries(&head, &cards, &mut lines, &mut emitter)?,
        }
        Ok(emitter.finish(lines.file())?)
    }
}
