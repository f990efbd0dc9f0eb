//! Parts that pages of results share: tables of names and values, histograms.

use crate::format::count;
use crate::plot::{Axis, Plot, Series, Style};
use crate::table::Table;

/// A table of names and values.
///
/// ```
/// let table = manycore_pages::facts(&[("weight", "4".to_owned())]);
/// # let _ = table;
/// ```
pub fn facts(lines: &[(&'static str, String)]) -> Table {
    let rows = lines.iter().map(|(name, value)| [(*name).to_owned(), value.clone()]);
    Table::new(["figure", "value"]).names(2).rows(rows)
}

/// The multiplicity of each value, on a logarithmic scale.
pub fn histogram(title: &str, value: &str, counts: impl Iterator<Item = (f64, u64)>) -> Plot {
    let points = counts.map(|(value, times)| (value, times as f64));
    Plot::new(title, Axis::linear(value), Axis::log10("times").format(count)).series(Series::new(
        "times",
        Style::Points,
        points,
    ))
}
