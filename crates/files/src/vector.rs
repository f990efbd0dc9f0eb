//! Vectors of the Matrix Market format: matrices of one row or one column, as arrays or coordinates.

use crate::error::FileError;
use crate::fault::LineFault;
use crate::matrix::{EntryValue, MatrixFormat, MatrixKind, MatrixText, RepeatedEntries};
use crate::memory::reserve;

/// Where the words of an entry stand in the text: their first bytes and their lengths. None stand for 1.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    begins: [usize; 2],
    lengths: [usize; 2],
    words: usize,
    line: usize,
}

impl EntryValue for Span {
    const IS_COMPLEX: bool = true;

    fn of_words(words: &[&str]) -> Result<Self, LineFault> {
        let mut span = Self { words: words.len(), ..Self::default() };
        for (index, word) in words.iter().take(2).enumerate() {
            span.begins[index] = word.as_ptr() as usize;
            span.lengths[index] = word.len();
        }
        Ok(span)
    }

    /// A skew-symmetric vector is 1 by 1 and has no entry.
    fn negative(&self) -> Result<Self, LineFault> {
        Ok(*self)
    }
}

/// Whether a text is one of the Matrix Market format with complex values.
pub(crate) fn is_complex(text: &str, file: &str) -> bool {
    MatrixFormat::of(text) == Some(MatrixFormat::MatrixMarket)
        && MatrixText::new(text.as_bytes(), file).is_ok_and(|matrix| matrix.head().kind == MatrixKind::Complex)
}

/// Calls `take` with each value's words in turn and with their line; entries that a file of coordinates leaves out are `0`.
pub(crate) fn words<'a, E: From<FileError>>(
    text: &'a str,
    file: &str,
    mut take: impl FnMut(usize, &'a str) -> Result<(), E>,
) -> Result<(), E> {
    let (spans, of_each, line) = spans(text, file)?;
    let begin = text.as_ptr() as usize;
    for span in spans {
        match span {
            None => (0..of_each).try_for_each(|_| take(line, "0"))?,
            Some(Span { words: 0, line, .. }) => take(line, "1")?,
            Some(Span { begins, lengths, words, line }) => {
                for index in 0..words {
                    // The words are parts of the text.
                    let at = begins[index].wrapping_sub(begin);
                    take(line, text.get(at..at.wrapping_add(lengths[index])).unwrap_or_default())?;
                }
            }
        }
    }
    Ok(())
}

/// The entries of a vector, the number of words of each, and the line of the sizes.
fn spans(text: &str, file: &str) -> Result<(Vec<Option<Span>>, usize, usize), FileError> {
    let matrix = MatrixText::new(text.as_bytes(), file)?;
    let (rows, columns, line) = (matrix.head().rows, matrix.head().columns, matrix.line());
    let of_each = if matrix.head().kind == MatrixKind::Complex { 2 } else { 1 };
    if rows != 1 && columns != 1 && rows != 0 {
        let reason = LineFault::NotVector { rows, columns };
        return Err(FileError::at(file, line, reason));
    }
    let mut spans: Vec<Option<Span>> = Vec::new();
    reserve(&mut spans, rows * columns, || format!("the values of {file}"))?;
    spans.resize(rows * columns, None);
    matrix.entries::<Span, FileError>(RepeatedEntries::Refuse, |entry| {
        // One of both is 0, as the vector has one row or one column.
        spans[(entry.row + entry.column) as usize] = Some(Span { line: entry.line, ..entry.value });
        Ok(())
    })?;
    Ok((spans, of_each, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(usize, String)>, String> {
        let mut all = Vec::new();
        let read = words(text, "x", |line, word| {
            all.push((line, word.to_owned()));
            Ok::<(), FileError>(())
        });
        read.map(|()| all).map_err(|error| error.to_string())
    }

    fn values(text: &str) -> Vec<String> {
        read(&format!("%%MatrixMarket matrix {text}")).unwrap().into_iter().map(|(_, word)| word).collect()
    }

    #[test]
    fn arrays_and_coordinates_of_one_row_or_column() {
        let array = "%%MatrixMarket matrix array real general\n% a comment\n3 1\n1.5\n2\n\n3\n";
        assert_eq!(
            read(array),
            Ok([(4, "1.5"), (5, "2"), (7, "3")].map(|(line, word)| (line, word.to_owned())).into())
        );
        assert_eq!(values("array integer general\n1 3\n1\n-2\n3"), ["1", "-2", "3"]);
        assert_eq!(values("coordinate integer general\n4 1 2\n3 1 7\n1 1 5"), ["5", "0", "7", "0"]);
        assert_eq!(values("coordinate pattern general\n1 3 1\n1 2"), ["0", "1", "0"]);
        assert_eq!(values("coordinate complex general\n2 1 1\n2 1 3 4"), ["0", "0", "3", "4"]);
        assert_eq!(values("array real symmetric\n1 1\n5"), ["5"]);
        assert_eq!(values("array real skew-symmetric\n1 1\n"), ["0"]);
        assert!(values("array real general\n0 1\n").is_empty() && values("array real general\n1 0\n").is_empty());
        assert!(values("coordinate real general\n0 5 0\n").is_empty());
        assert!(is_complex("%%MatrixMarket matrix array complex general\n1 1\n1 2", "x"));
        assert!(!is_complex(array, "x") && !is_complex("1 2", "x"));
    }

    #[test]
    fn other_shapes_and_broken_files_are_refused_with_their_line() {
        let message = |text: &str| read(&format!("%%MatrixMarket matrix {text}")).unwrap_err();
        assert_eq!(
            message("array real general\n% c\n2 2\n1\n2\n3\n4"),
            "x:3: a matrix of 2 rows and 2 columns, where a vector has one row or one column"
        );
        assert_eq!(message("array real general\n2 1\n1"), "x:4: the file ends after 1 of 2 entries");
        assert_eq!(message("coordinate real general\n2 1 2\n1 1 1\n1 1 2"), "x:4: entry (1, 1) is given twice");
    }
}
