//! Linear maps over maximum and plus, their residuals (greatest solutions of `A x <= b`: Cuninghame-Green, "Minimax algebra", 1979), and
//! least solutions of `x = A x + b`.

use crate::circuit::{longest, turned};
use crate::error::MaxPlusError;
use crate::exact::positive;
use crate::graph::Graph;
use crate::potentials::longest_rounded;
use crate::weight::Weight;

/// A vector: `None` is epsilon.
pub type Vector<T> = Vec<Option<T>>;

/// An entry of a residual: of the greatest vector that a map keeps below another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound<T> {
    /// Epsilon alone.
    Epsilon,
    /// At most this.
    AtMost(T),
    /// Anything.
    Free,
}

/// A rectangular matrix over maximum and plus, row after row.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearMap<T> {
    columns: usize,
    offsets: Vec<usize>,
    indices: Vec<u32>,
    weights: Vec<T>,
}

impl<T: Weight> LinearMap<T> {
    /// A matrix of entries `(row, column, weight)`, of which the heaviest counts where a place is given several times.
    ///
    /// # Errors
    /// [`MaxPlusError::Index`] for a row or column past the last one; [`MaxPlusError::Weight`], whose ends are column and row.
    pub fn new(rows: usize, columns: usize, entries: &[(u32, u32, T)]) -> Result<Self, MaxPlusError> {
        let mut sorted = entries.to_vec();
        for &(row, column, weight) in entries {
            for (what, index, count) in [("row", row, rows), ("column", column, columns)] {
                if index as usize >= count {
                    return Err(MaxPlusError::Index { what, index: index as usize, count });
                }
            }
            if !weight.is_number() {
                return Err(MaxPlusError::Weight { from: column, to: row, weight: weight.to_string() });
            }
        }
        sorted.sort_by_key(|&(row, column, _)| (row, column));
        let mut map = Self { columns, offsets: vec![0; rows + 1], indices: Vec::new(), weights: Vec::new() };
        let mut last = None;
        for (row, column, weight) in sorted {
            match map.weights.last_mut() {
                Some(before) if last == Some((row, column)) => *before = before.longer(weight),
                _ => {
                    map.indices.push(column);
                    map.weights.push(weight);
                    map.offsets[row as usize + 1] += 1;
                }
            }
            last = Some((row, column));
        }
        (0..rows).for_each(|row| map.offsets[row + 1] += map.offsets[row]);
        Ok(map)
    }

    /// The square matrix of a graph.
    #[inline(never)]
    pub fn of_graph(graph: &Graph<T>) -> Self {
        let turned = graph.reversed();
        let (offsets, indices, weights) = turned.compressed();
        let (offsets, indices, weights) = (offsets.to_vec(), indices.to_vec(), weights.to_vec());
        Self { columns: graph.nodes(), offsets, indices, weights }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The entries of a row: column and weight.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (u32, T)> + '_ {
        let range = if row < self.rows() { self.offsets[row]..self.offsets[row + 1] } else { 0..0 };
        self.indices[range.clone()].iter().copied().zip(self.weights[range].iter().copied())
    }

    /// The product with a vector: entry `i` is the greatest of `a_ij + x_j`.
    ///
    /// # Errors
    /// [`MaxPlusError::Length`] for a vector of another length than columns; [`MaxPlusError::Overflow`].
    #[inline(never)]
    pub fn apply(&self, x: &[Option<T>]) -> Result<Vector<T>, MaxPlusError> {
        if x.len() != self.columns {
            return Err(MaxPlusError::Length { what: "entries of a vector", given: x.len(), expected: self.columns });
        }
        let entry = |row: usize| {
            let mut best: Option<T> = None;
            for (column, weight) in self.row(row) {
                let Some(x) = x[column as usize] else { continue };
                let overflow = MaxPlusError::overflow(column, row as u32);
                let sum = weight.checked_sum(x).ok_or(overflow)?;
                best = Some(best.map_or(sum, |best| best.longer(sum)));
            }
            Ok(best)
        };
        (0..self.rows()).map(entry).collect()
    }

    /// The residual: the greatest vector `x` with `A x <= b`, entry `j` the least of `b_i - a_ij`.
    ///
    /// # Errors
    /// [`MaxPlusError::Length`] for a vector of another length than rows; [`MaxPlusError::Overflow`].
    #[inline(never)]
    pub fn residual(&self, b: &[Bound<T>]) -> Result<Vec<Bound<T>>, MaxPlusError> {
        if b.len() != self.rows() {
            return Err(MaxPlusError::Length { what: "entries of a bound", given: b.len(), expected: self.rows() });
        }
        let mut x = vec![Bound::Free; self.columns];
        for (row, &bound) in b.iter().enumerate() {
            for (column, weight) in self.row(row) {
                let entry = &mut x[column as usize];
                let own = match bound {
                    Bound::Free => continue,
                    Bound::Epsilon => Bound::Epsilon,
                    Bound::AtMost(bound) => {
                        let overflow = MaxPlusError::overflow(column, row as u32);
                        Bound::AtMost(bound.checked_sum(weight.opposite()).ok_or(overflow)?)
                    }
                };
                *entry = entry.and(own);
            }
        }
        Ok(x)
    }
}

impl<T: Weight> Bound<T> {
    /// The lower of two.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Free, other) | (other, Self::Free) => other,
            (Self::Epsilon, _) | (_, Self::Epsilon) => Self::Epsilon,
            (Self::AtMost(a), Self::AtMost(b)) => Self::AtMost(if b < a { b } else { a }),
        }
    }
}

impl<T: Weight> Graph<T> {
    /// The least solution of `x = A x + b`, which is the star times `b`: the longest paths that begin with the entries of `b`. `O(m)`
    /// without circuits, else up to `O(n m)`.
    ///
    /// # Errors
    /// [`MaxPlusError::Length`] for a vector of another length than nodes; [`MaxPlusError::PositiveCircuit`] where one is reached;
    /// [`MaxPlusError::Overflow`], whose ends are both the entry.
    #[inline(never)]
    pub fn solve(&self, b: &[Option<T>]) -> Result<Vector<T>, MaxPlusError> {
        let nodes = self.nodes();
        if b.len() != nodes {
            return Err(MaxPlusError::Length { what: "entries of a vector", given: b.len(), expected: nodes });
        }
        if !T::IS_EXACT {
            return Ok(longest_rounded(self, b)?.weights);
        }
        let starts = b.iter().map(|entry| entry.map(T::sum)).collect();
        let paths =
            longest(self, starts, |_, _, weight| weight.sum()).map_err(|nodes| positive(self, turned(nodes)))?;
        let narrow = |(at, sum): (usize, Option<T::Sum>)| {
            let overflow = MaxPlusError::overflow(at as u32, at as u32);
            sum.map(|sum| T::from_sum(sum).ok_or(overflow)).transpose()
        };
        paths.weights.into_iter().enumerate().map(narrow).collect()
    }
}
