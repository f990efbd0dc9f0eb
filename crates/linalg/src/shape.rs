//! The number of entries of matrices.

use crate::error::LinalgError;

/// Kernels count rows and columns in 32 bits, with room for a tile more.
const MOST: usize = 1 << 31;

/// The number of entries of a matrix.
///
/// # Errors
/// [`LinalgError::TooLarge`] for more than can be addressed.
pub(crate) fn entries(rows: usize, columns: usize) -> Result<usize, LinalgError> {
    let fits = rows < MOST && columns < MOST;
    rows.checked_mul(columns).filter(|_| fits).ok_or(LinalgError::TooLarge { rows, columns })
}

/// Refuses another number of entries than a matrix of this shape has.
///
/// # Errors
/// [`LinalgError::TooLarge`]; [`LinalgError::Entries`] with both.
pub(crate) fn complete((rows, columns): (usize, usize), given: usize) -> Result<(), LinalgError> {
    if entries(rows, columns)? == given { Ok(()) } else { Err(LinalgError::Entries { given, rows, columns }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_entries_are_refused() {
        assert_eq!(entries(3, 0), Ok(0));
        assert_eq!(entries(MOST - 1, 2), Ok(2 * MOST - 2));
        assert_eq!(entries(MOST, 1), Err(LinalgError::TooLarge { rows: MOST, columns: 1 }));
        assert_eq!(entries(1, MOST), Err(LinalgError::TooLarge { rows: 1, columns: MOST }));
    }
}
