//! Reader of SMS, the sparse matrix storage of `LinBox`: `ROWS COLUMNS M`, then `ROW COLUMN VALUE` with integers, counted
//! from 1, and `0 0 0` at the end.

use manycore_files::memory::push;
use manycore_files::shown;

use super::entries::{MatrixEntries, MatrixValues, Symmetry};
use super::error::{LineFault, SparseFileError};
use super::lines::{Lines, exactly};

/// Reads a text in SMS; `#` begins a comment line.
pub(super) fn read(bytes: &[u8], file: &str) -> Result<MatrixEntries, SparseFileError> {
    let mut lines = Lines::new(bytes, file, '#')?;
    let header = |lines: &Lines<'_>, found: &str| lines.wrong(LineFault::Header { found: shown(found) });
    let Some(words) = lines.words() else { return Err(header(&lines, "")) };
    let [rows, columns, kind] = match exactly::<3>(words.clone()) {
        Ok(words) if words[2].eq_ignore_ascii_case("m") => words,
        _ => return Err(header(&lines, &words.collect::<Vec<_>>().join(" "))),
    };
    let (Ok(rows), Ok(columns)) = (rows.parse::<u64>(), columns.parse::<u64>()) else {
        return Err(header(&lines, &[rows, columns, kind].join(" ")));
    };
    if rows >= u64::from(u32::MAX) || columns >= u64::from(u32::MAX) {
        return Err(lines.wrong(LineFault::TooLarge { rows, columns }));
    }
    let (rows, columns) = (rows as usize, columns as usize);
    let (mut places, mut values) = (Vec::new(), Vec::new());
    loop {
        let Some(words) = lines.words() else { return Err(lines.missing(LineFault::Open)) };
        let expected = "row, column and value";
        let [row, column, value] = exactly(words).map_err(|given| lines.wrong(LineFault::Words { given, expected }))?;
        if [row, column, value] == ["0"; 3] {
            break;
        }
        let place = (lines.index(row, "row", rows)?, lines.index(column, "column", columns)?);
        let value = lines.integer(value)?;
        let what = || format!("the entries of {file}");
        push(&mut places, place, what)?;
        push(&mut values, value, what)?;
    }
    if lines.words().is_some() {
        return Err(lines.wrong(LineFault::Surplus { expected: places.len() as u64 }));
    }
    let values = MatrixValues::Integer(values);
    Ok(MatrixEntries { file: file.to_owned(), rows, columns, symmetry: Symmetry::General, places, values })
}
