//! Pages to look at, one file a command: what the commands compute, as HTML that needs nothing else.
//!
//! | file | what |
//! |---|---|
//! | `sbox` | `sbox report` |
//! | `known` | S-boxes that others are compared with |
//! | `boolean` | `boolean report` |
//! | `sparse` | `sparse report` |
//! | `schedule` | `maxplus report` |
//! | `curves` | `bivariate report` |
//! | `choice` | `explain --html` |
//! | `plan` | `semiring plan --html` |

pub(crate) mod boolean;
pub(crate) mod choice;
pub(crate) mod curves;
pub(crate) mod known;
pub(crate) mod plan;
pub(crate) mod sbox;
pub(crate) mod schedule;
pub(crate) mod sparse;

use manycore_pages::{Axis, Body, Places, Plot, Series, Style, Table, count};

use crate::arguments::Global;
use crate::error::Error;
use crate::output;

/// Cells of a side of a heat map, at the most.
pub(crate) const MOST_CELLS: usize = 1024;

/// Writes a page where the command's result goes.
///
/// # Errors
/// [`Error::Output`].
pub(crate) fn write(global: &Global, page: &str) -> Result<(), Error> {
    output::write(global, |out| out.write_all(page.as_bytes()))
}

/// A table of names and values.
fn facts(lines: &[(&'static str, String)]) -> Table {
    let rows = lines.iter().map(|(name, value)| [(*name).to_owned(), value.clone()]);
    Table::new(["figure", "value"]).names(2).rows(rows)
}

/// How often each value stands, by a logarithmic count.
fn histogram(title: &str, value: &str, counts: impl Iterator<Item = (f64, u64)>) -> Plot {
    let points = counts.map(|(value, times)| (value, times as f64));
    Plot::new(title, Axis::linear(value), Axis::log10("times").format(count)).series(Series::new(
        "times",
        Style::Points,
        points,
    ))
}

/// A table of many values as one of at most 1024 by 1024 cells, each with the value of the greatest size in its rows and columns.
struct Cells {
    columns: usize,
    step: usize,
    values: Vec<f64>,
}

impl Cells {
    fn new(columns: usize, rows: usize, value: impl Fn(usize) -> f64) -> Self {
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

    fn places(&self, name: &str, count: usize) -> Places {
        Places::new(name).each(self.step as u64, count as i64 - 1)
    }

    /// A remark where cells stand for several values.
    fn note(&self, body: &mut Body) {
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
