//! Graphs as they are read: sparse matrices in the Matrix Market, SMS or Harwell-Boeing format, or dense ones as text and `.npy` arrays.

use manycore_files::{MatrixFormat, MatrixText, RepeatedEntries, Source};
use manycore_operation::OperationError;
use manycore_semiring::Matrix;
use manycore_semiring::operations::{Entry, Infinities, coordinates, of_array, rows};

use crate::error::MaxPlusError;
use crate::graph::{Extremum, Graph};
use crate::weight::Weight;

/// A type of weights: `i32`, `i64`, `f32`, `f64`.
pub trait FileWeight: Weight + Entry {
    /// What stands where no arc is.
    fn absent(extremum: Extremum) -> Self {
        match extremum {
            Extremum::Maximum => Self::LOWEST,
            Extremum::Minimum => Self::HIGHEST,
        }
    }
}

impl<T: Weight + Entry> FileWeight for T {}

/// What a 0 of a dense matrix is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zero {
    /// An arc of weight 0.
    Arc,
    /// No arc, as in a matrix of 0 and 1.
    NoArc,
}

/// The graph of a dense matrix.
fn dense<T: FileWeight>(matrix: &Matrix<T>, extremum: Extremum, zero: Zero) -> Result<Graph<T>, MaxPlusError> {
    let absent = T::absent(extremum);
    let shape = matrix.shape();
    if zero == Zero::Arc || shape.rows != shape.columns {
        return Graph::from_matrix(matrix, absent);
    }
    let entries: Vec<T> =
        matrix.entries().iter().map(|&entry| if entry.real() == 0.0 { absent } else { entry }).collect();
    Graph::from_dense(shape.rows as usize, &entries, absent)
}

/// The graph of a source: entry `(i, j)` is the weight of the arc from `j` to `i`. `-inf` is no arc, or `inf` for the minimum, and in
/// arrays of integers the least one, or the greatest; of entries of a sparse matrix that stand for one arc the greatest or least counts.
///
/// # Errors
/// What is wrong in the file, and where.
pub fn of_source<T: FileWeight>(
    source: Source<'_>,
    extremum: Extremum,
    zero: Zero,
) -> Result<Graph<T>, OperationError> {
    let infinities = if extremum == Extremum::Maximum { Infinities::Least } else { Infinities::Greatest };
    let file = source.file().to_owned();
    let usage = |error: MaxPlusError| OperationError::usage(format!("{file}: {error}"));
    let text = match source {
        Source::Text(text) if MatrixFormat::of(text.as_str()).is_some() => text,
        Source::Text(text) => return dense(&rows(&text, infinities)?, extremum, zero).map_err(usage),
        Source::Array(array) => return dense(&of_array(array, infinities)?, extremum, zero).map_err(usage),
    };
    let matrix = MatrixText::new(text.as_str().as_bytes(), &file)?;
    let (rows, columns) = (matrix.head().rows, matrix.head().columns);
    if rows != columns {
        let what = format!("{file}: {rows} rows and {columns} columns, where a graph has as many of both");
        return Err(OperationError::usage(what));
    }
    let mut arcs = Vec::new();
    coordinates(matrix, &file, infinities, RepeatedEntries::Keep, |to, from, weight: T| {
        if weight != T::absent(extremum) {
            arcs.push((from, to, weight));
        }
    })?;
    Graph::from_arcs_with(extremum, rows, &arcs).map_err(usage)
}
