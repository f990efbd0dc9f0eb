//! Spy plots: the entries of a sparse matrix, counted in the cells of a grid, as a heat map.

use super::{Colours, HeatMap, Places};

/// Cells of a side at the most.
const MOST_CELLS: usize = 1024;

/// Counts of the entries of a matrix, in cells of as many rows and columns as make at most 1024 by 1024 of them.
#[derive(Debug, Clone)]
pub struct Counts {
    rows: usize,
    columns: usize,
    steps: (usize, usize),
    across: usize,
    cells: Vec<u32>,
}

impl Counts {
    /// A matrix of `rows` rows and `columns` columns without entries.
    pub fn new(rows: usize, columns: usize) -> Self {
        let step = rows.max(columns).div_ceil(MOST_CELLS).max(1);
        let (down, across) = (rows.div_ceil(step).max(1), columns.div_ceil(step).max(1));
        Self { rows, columns, steps: (step, step), across, cells: vec![0; down * across] }
    }

    /// Counts the entry at this row and column; one outside of the matrix is left out.
    pub fn add(&mut self, row: usize, column: usize) {
        if row < self.rows && column < self.columns {
            let at = row / self.steps.0 * self.across + column / self.steps.1;
            self.cells[at] = self.cells[at].saturating_add(1);
        }
    }

    /// The spy plot.
    pub fn heat_map(&self, title: impl Into<String>) -> HeatMap {
        let of = |name: &str, step: usize, count: usize| {
            Places::new(name).each(step as u64, i64::try_from(count).unwrap_or(i64::MAX) - 1)
        };
        HeatMap::new(title, self.across, self.cells.iter().map(|&count| f64::from(count)))
            .colours(Colours::Logarithmic(None))
            .names(of("row", self.steps.0, self.rows), of("column", self.steps.1, self.columns), "entries")
    }
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn large_matrices_have_cells_of_several_rows() {
        let mut counts = Counts::new(4000, 100);
        assert_eq!((counts.steps, counts.across, counts.cells.len()), ((4, 4), 25, 25_000));
        for (row, column) in [(0, 0), (3, 3), (4, 0), (3999, 99), (4000, 0), (0, 100)] {
            counts.add(row, column);
        }
        assert_eq!((counts.cells[0], counts.cells[25], counts.cells[24_999]), (2, 1, 1));
        assert_eq!(counts.cells.iter().sum::<u32>(), 4);
        assert_eq!(Counts::new(0, 0).cells, [0]);
    }
}
