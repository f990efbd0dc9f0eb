//! Graphs in files: sparse matrices in the Matrix Market, SMS or Harwell-Boeing format, or dense ones as text.

use std::path::Path;

use manycore::files::{MatrixEntry, MatrixFormat, MatrixText, MatrixTextError, RepeatedEntries};
use manycore::maxplus::{Extremum, Graph, Weight};

use crate::commands::semiring::entries::{Entry, Infinities, parse};
use crate::error::Error;
use crate::input;

/// A type of weights.
pub(super) trait FileWeight: Weight + Entry {
    /// Its name.
    const NAME: &'static str;
    /// What files are read in.
    type Value: manycore::files::EntryValue + Copy;

    /// The weight of a value; `None` where the type does not hold it.
    fn of(value: Self::Value) -> Option<Self>;
}

macro_rules! weights {
    ($($word:ty: $name:literal, $value:ty, $of:expr;)*) => {$(
        impl FileWeight for $word {
            const NAME: &'static str = $name;
            type Value = $value;

            fn of(value: $value) -> Option<Self> {
                $of(value)
            }
        }
    )*};
}

weights! {
    i32: "i32", i64, |value: i64| value.try_into().ok();
    i64: "i64", i64, Some;
    f32: "f32", f64, |value: f64| Some(value as f32);
    f64: "f64", f64, Some;
}

/// Reads a graph: entry `(i, j)` is the weight of the arc from `j` to `i`. In text, `-inf` is no arc, or `inf` for the minimum; of
/// entries of a sparse matrix that stand for one arc the greatest or least counts.
pub(super) fn read<T: FileWeight>(path: &Path, extremum: Extremum) -> Result<Graph<T>, Error> {
    let text = input::plain_text(path)?;
    let file = input::name(path);
    let usage = |what: String| Error::Usage(format!("{file}: {what}"));
    if MatrixFormat::of(&text).is_none() {
        let matrix = parse::<T>(&text, &file, Infinities::Kept, T::NAME)?;
        let absent = match extremum {
            Extremum::Maximum => T::LOWEST,
            Extremum::Minimum => T::HIGHEST,
        };
        return Graph::from_matrix(&matrix, absent).map_err(|error| usage(error.to_string()));
    }
    // Errors of a matrix's text name the file and the line.
    let told = |error: MatrixTextError| Error::Usage(error.to_string());
    let matrix = MatrixText::new(text.as_bytes(), &file).map_err(told)?;
    let (rows, columns) = (matrix.head().rows, matrix.head().columns);
    if rows != columns {
        return Err(usage(format!("{rows} rows and {columns} columns, where a graph has as many of both")));
    }
    let mut arcs = Vec::new();
    let mut wrong = None;
    let take = |entry: MatrixEntry<T::Value>| {
        match T::of(entry.value) {
            Some(weight) => arcs.push((entry.column, entry.row, weight)),
            None => {
                wrong.get_or_insert((entry.line, format!("{:?}", entry.value)));
            }
        }
        Ok::<(), MatrixTextError>(())
    };
    matrix.entries(RepeatedEntries::Keep, take).map_err(told)?;
    if let Some((line, value)) = wrong {
        return Err(Error::Usage(format!("{file}:{line}: {value} is no weight of type {}", T::NAME)));
    }
    Graph::from_arcs_by(extremum, rows, &arcs).map_err(|error| usage(error.to_string()))
}
