//! Tables of numbers for reading: aligned columns in brackets, as Sage prints matrices, with the middle of large ones left out.

use std::fmt::Write as _;

/// Rows, and columns, that are shown in full, at most.
const SHOWN: usize = 12;

/// Rows or columns shown at both ends of more.
const AT_ENDS: usize = 5;

/// The rows or columns that are shown, of the given number, ascending: all of up to 12, else the first five and the last five.
///
/// ```
/// use manycore_files::grid;
/// assert_eq!(grid::places(3), [0, 1, 2]);
/// assert_eq!(grid::places(100), [0, 1, 2, 3, 4, 95, 96, 97, 98, 99]);
/// ```
pub fn places(len: usize) -> Vec<usize> {
    if len <= SHOWN { (0..len).collect() } else { (0..AT_ENDS).chain(len - AT_ENDS..len).collect() }
}

/// The text of the rows and columns that [`places`] picks of a table, whose entries `shown` has row after row: each row in
/// brackets on a line, right-aligned, with `...` where rows or columns are left out. `O(1)` lines of any table.
///
/// ```
/// use manycore_files::grid;
/// let entries = ["1", "20", "3", "4"].map(String::from);
/// assert_eq!(grid::text(2, 2, &entries), "[1 20]\n[3  4]");
/// ```
pub fn text(rows: usize, columns: usize, shown: &[String]) -> String {
    let (row_places, column_places) = (places(rows), places(columns));
    let width = column_places.len();
    let mut out = String::new();
    if width == 0 {
        return format!("[] of {rows} rows and {columns} columns");
    }
    let widths: Vec<usize> = (0..width)
        .map(|j| shown.iter().skip(j).step_by(width).map(|entry| entry.chars().count()).max().unwrap_or(0))
        .collect();
    for (i, row) in shown.chunks(width).take(row_places.len()).enumerate() {
        if rows > SHOWN && i == AT_ENDS {
            out.push_str("...\n");
        }
        out.push('[');
        for (j, (entry, &width)) in row.iter().zip(&widths).enumerate() {
            if columns > SHOWN && j == AT_ENDS {
                out.push_str(" ...");
            }
            // Writing to a string does not fail.
            let _ = write!(out, "{}{entry:>width$}", if j == 0 { "" } else { " " });
        }
        out.push_str("]\n");
    }
    if row_places.is_empty() {
        return format!("[] of {rows} rows and {columns} columns");
    }
    out.pop();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: usize, columns: usize) -> String {
        let (i, j) = (places(rows), places(columns));
        let shown: Vec<String> = i.iter().flat_map(|i| j.iter().map(move |j| (i * columns + j).to_string())).collect();
        text(rows, columns, &shown)
    }

    #[test]
    fn small_tables_are_whole() {
        assert_eq!(of(1, 1), "[0]");
        assert_eq!(of(2, 6), "[0 1 2 3  4  5]\n[6 7 8 9 10 11]");
        assert_eq!(of(12, 12).lines().count(), 12);
        assert_eq!((of(0, 3), of(3, 0)), ("[] of 0 rows and 3 columns".into(), "[] of 3 rows and 0 columns".into()));
    }

    #[test]
    fn the_middle_of_large_ones_is_left_out() {
        let text = of(13, 1);
        assert_eq!(text.lines().nth(5), Some("..."));
        assert_eq!((text.lines().count(), text.lines().last()), (11, Some("[12]")));
        assert_eq!(of(1, 20), "[0 1 2 3 4 ... 15 16 17 18 19]");
    }
}
