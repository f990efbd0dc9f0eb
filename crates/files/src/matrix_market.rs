//! Matrices as arrays of the Matrix Market format (Boisvert, Pozo, Remington, "The Matrix Market exchange formats", NISTIR 5935, 1996).

use std::fmt::Display;
use std::io::{self, Write};

/// Writes a matrix of integers, row after row, as a Matrix Market array, which stands column after column.
///
/// # Errors
/// Those of the writer.
pub fn write_integers<T: Display>(
    out: &mut (impl Write + ?Sized),
    rows: usize,
    columns: usize,
    entries: &[T],
) -> io::Result<()> {
    writeln!(out, "%%MatrixMarket matrix array integer general\n{rows} {columns}")?;
    for column in 0..columns {
        for entry in entries.iter().skip(column).step_by(columns) {
            writeln!(out, "{entry}")?;
        }
    }
    Ok(())
}
