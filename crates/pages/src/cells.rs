//! Tables of many values as heat maps of few cells: each cell has the value of the greatest size in its rows and columns.

use crate::body::Body;
use crate::heat::Places;

/// Cells of a side of a heat map, at the most.
pub const MOST_CELLS: usize = 1024;

/// A table of many values as one of at most [`MOST_CELLS`] by [`MOST_CELLS`] cells, each with the value of the greatest size in its
/// rows and columns.
///
/// ```
/// use manycore_pages::Cells;
/// let cells = Cells::new(1025, 1, |at| if at == 3 { -7.0 } else { 1.0 });
/// assert_eq!((cells.columns(), &cells.values()[..3]), (513, &[1.0, -7.0, 1.0][..]));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Cells {
    columns: usize,
    step: usize,
    values: Vec<f64>,
}

impl Cells {
    /// The cells of a table of `columns` columns and `rows` rows; `value` gives the value of a place, row after row.
    pub fn new(columns: usize, rows: usize, value: impl Fn(usize) -> f64) -> Self {
        let step = rows.max(columns).div_ceil(MOST_CELLS).max(1);
        let (down, across) = (rows.div_ceil(step), columns.div_ceil(step));
        let mut values = vec![0.0_f64; down * across];
        for row in 0..rows {
            for column in 0..columns {
                let (cell, value) = (&mut values[row / step * across + column / step], value(row * columns + column));
                if value.abs() > cell.abs() {
                    *cell = value;
                }
            }
        }
        Self { columns: across, step, values }
    }

    /// The cells of a row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The values of the cells, row after row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Names of `count` rows or columns of the table.
    #[must_use]
    pub fn places(&self, name: &str, count: usize) -> Places {
        Places::new(name).each(self.step as u64, count as i64 - 1)
    }

    /// A remark where cells stand for several values.
    pub fn note(&self, body: &mut Body) {
        if self.step > 1 {
            let step = self.step;
            body.note(&format!("A cell stands for {step} by {step} values, and has the one of the greatest size."));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cells;

    #[test]
    fn cells_have_the_value_of_the_greatest_size() {
        let cells = Cells::new(3, 2, |at| at as f64);
        assert_eq!((cells.step, cells.values.as_slice()), (1, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0][..]));
        let cells = Cells::new(1025, 1, |at| if at == 3 { -7.0 } else { 1.0 });
        assert_eq!((cells.step, cells.columns, &cells.values[..3]), (2, 513, &[1.0, -7.0, 1.0][..]));
    }
}
