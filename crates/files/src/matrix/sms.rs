//! SMS, the sparse matrix storage of `LinBox`: `ROWS COLUMNS M`, then `ROW COLUMN VALUE` with integers, counted from 1, and
//! `0 0 0` at the end; `#` begins a comment.

use super::emit::{Emitter, MatrixEntry};
use super::head::{MatrixFormat, MatrixHead, MatrixKind, Symmetry};
use super::lines::{Lines, exactly};
use super::value::EntryValue;
use crate::error::FileError;
use crate::fault::LineFault;
use crate::shown::shown;

/// Reads the first line.
pub(super) fn head(lines: &mut Lines<'_>) -> Result<MatrixHead, FileError> {
    let header = |lines: &Lines<'_>, found: &str| lines.wrong(LineFault::Header { found: shown(found) });
    let Some(words) = lines.words() else { return Err(header(lines, "")) };
    let [rows, columns, kind] = match exactly::<3>(words.clone()) {
        Ok(words) if words[2].eq_ignore_ascii_case("m") => words,
        _ => return Err(header(lines, &words.collect::<Vec<_>>().join(" "))),
    };
    let (Ok(rows), Ok(columns)) = (rows.parse::<u64>(), columns.parse::<u64>()) else {
        return Err(header(lines, &[rows, columns, kind].join(" ")));
    };
    let (rows, columns) = lines.sizes(rows, columns)?;
    let (kind, symmetry, line) = (MatrixKind::Integer, Symmetry::General, lines.line());
    Ok(MatrixHead { format: MatrixFormat::Sms, rows, columns, stored: None, kind, symmetry, line })
}

/// Reads the entries.
pub(super) fn entries<T: EntryValue, E: From<FileError>, F>(
    head: &MatrixHead,
    lines: &mut Lines<'_>,
    emitter: &mut Emitter<F>,
) -> Result<(), E>
where
    F: FnMut(MatrixEntry<T>) -> Result<(), E>,
{
    let mut given = 0;
    loop {
        let Some(words) = lines.words() else { return Err(lines.missing(LineFault::Open).into()) };
        let expected = "row, column and value";
        let [row, column, value] = exactly(words).map_err(|given| lines.wrong(LineFault::Words { given, expected }))?;
        if [row, column, value] == ["0"; 3] {
            break;
        }
        let place = (lines.index(row, "row", head.rows)?, lines.index(column, "column", head.columns)?);
        emitter.place(lines, place.0, place.1)?;
        emitter.entry(lines, place, &[value])?;
        given += 1;
    }
    match lines.words() {
        None => Ok(()),
        Some(_) => Err(lines.wrong(LineFault::Surplus { expected: given }).into()),
    }
}
