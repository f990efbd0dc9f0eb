//! Graphs in files: sparse matrices in the Matrix Market, SMS or Harwell-Boeing format, or dense ones as text
//! and `.npy` arrays.

use std::path::Path;

use manycore::files::{MatrixEntry, MatrixFormat, MatrixText, MatrixTextError, RepeatedEntries, Source};
use manycore::maxplus::{Extremum, Graph, MaxPlusError, Weight};
use manycore::semiring::Matrix;

use crate::commands::semiring::entries::{Entry, Infinities, of_array, parse};
use crate::error::Error;
use crate::input::{self, InputError};

/// A type of weights.
pub(crate) trait FileWeight: Weight + Entry {
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

/// The graph of a dense matrix.
fn dense<T: FileWeight>(matrix: &Matrix<T>, extremum: Extremum) -> Result<Graph<T>, MaxPlusError> {
    let absent = match extremum {
        Extremum::Maximum => T::LOWEST,
        Extremum::Minimum => T::HIGHEST,
    };
    Graph::from_matrix(matrix, absent)
}

/// Reads a graph: entry `(i, j)` is the weight of the arc from `j` to `i`. In text, `-inf` is no arc, or `inf` for the minimum,
/// and in arrays of integers the least one, or the greatest; of
/// entries of a sparse matrix that stand for one arc the greatest or least counts.
pub(super) fn read<T: FileWeight>(path: &Path, extremum: Extremum) -> Result<Graph<T>, Error> {
    let source = input::open_matrix(path).map_err(InputError::from)?;
    let file = source.file().to_owned();
    let usage = |what: String| Error::Usage(format!("{file}: {what}"));
    let text = match source {
        Source::Text(text) if MatrixFormat::of(text.as_str()).is_some() => Ok(text),
        Source::Text(text) => Err(parse::<T>(text.as_str(), &file, Infinities::Kept, T::NAME)?),
        Source::Array(array) => Err(of_array::<T>(array, T::NAME)?),
    };
    let text = match text {
        Ok(text) => text,
        Err(matrix) => return dense(&matrix, extremum).map_err(|error| usage(error.to_string())),
    };
    let text = text.as_str();
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
