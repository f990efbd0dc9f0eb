//! Matrices over elements of any type: stored, a function of column and row, or lists of entries (paper 003, section IV-B).

use std::ops::{Range, RangeBounds};

use manycore_arrays::range;
use manycore_expressions::{Columns, Elements, Function, Value};

use crate::error::SemiringError;
use crate::plan::{Representation, Shape};

/// A matrix over elements of any type, kept in one of four ways.
#[derive(Debug, Clone)]
pub struct Matrix<T> {
    shape: Shape,
    kept: Kept<T>,
}

#[derive(Debug, Clone)]
pub(crate) enum Kept<T> {
    Stored(Columns<T>),
    Function(Function<(u64, u64), T>),
    /// By rows.
    Rows(Lists<T>),
    /// By columns.
    Columns(Lists<T>),
}

/// The entries of each row, or of each column.
#[derive(Debug, Clone)]
pub(crate) struct Lists<T> {
    pub(crate) offsets: Vec<usize>,
    pub(crate) indices: Vec<u64>,
    pub(crate) entries: Vec<T>,
    pub(crate) absent: T,
}

impl<T: Copy> Lists<T> {
    /// Some of the lines.
    fn part(&self, lines: Range<u64>) -> Self {
        let offsets = &self.offsets[lines.start as usize..=lines.end as usize];
        let (first, last) = (offsets[0], offsets[offsets.len() - 1]);
        Self {
            offsets: offsets.iter().map(|offset| offset - first).collect(),
            indices: self.indices[first..last].to_vec(),
            entries: self.entries[first..last].to_vec(),
            absent: self.absent,
        }
    }

    /// Lists of rows as lists of `lines` columns, or lists of columns as lists of `lines` rows, by counting: O(entries + lines).
    pub(crate) fn turned(&self, lines: usize) -> Self {
        let mut offsets = vec![0usize; lines + 1];
        for &index in &self.indices {
            offsets[index as usize + 1] += 1;
        }
        for line in 0..lines {
            offsets[line + 1] += offsets[line];
        }
        let mut next = offsets.clone();
        let (mut indices, mut entries) = (vec![0; self.indices.len()], vec![self.absent; self.entries.len()]);
        for line in 0..self.offsets.len().saturating_sub(1) as u64 {
            for (index, entry) in self.line(line) {
                let place = &mut next[index as usize];
                (indices[*place], entries[*place]) = (line, entry);
                *place += 1;
            }
        }
        Self { offsets, indices, entries, absent: self.absent }
    }

    /// The entries of a line, with their indices.
    pub(crate) fn line(&self, at: u64) -> impl Iterator<Item = (u64, T)> + '_ {
        let range = self.offsets[at as usize]..self.offsets[at as usize + 1];
        self.indices[range.clone()].iter().copied().zip(self.entries[range].iter().copied())
    }
}

impl<T: Elements> Matrix<T> {
    /// Entries row after row (BUF).
    ///
    /// # Errors
    /// [`SemiringError::Entries`] for another number of entries.
    pub fn stored(rows: u64, columns: u64, entries: &[T]) -> Result<Self, SemiringError> {
        let shape = Shape { rows, columns };
        if u128::from(rows) * u128::from(columns) != entries.len() as u128 {
            return Err(SemiringError::Entries { shape, given: entries.len() });
        }
        Ok(Self { shape, kept: Kept::Stored(Columns::from_elements(entries)) })
    }

    pub(crate) fn of_columns(shape: Shape, entries: Columns<T>) -> Self {
        Self { shape, kept: Kept::Stored(entries) }
    }

    pub(crate) fn of_lists(shape: Shape, kept: Kept<T>) -> Self {
        Self { shape, kept }
    }

    /// A function of column and row, both from 0 (XY).
    pub fn function(rows: u64, columns: u64, entry: Function<(u64, u64), T>) -> Self {
        Self { shape: Shape { rows, columns }, kept: Kept::Function(entry) }
    }

    /// The entries of each row by ascending columns, and what the missing ones are (CSR); `offsets[i]..offsets[i + 1]` are those
    /// of row `i`.
    ///
    /// # Errors
    /// [`SemiringError::Sparse`] for offsets and indices that are out of order or range, with their row.
    pub fn rows(
        rows: u64,
        columns: u64,
        (offsets, indices, entries): (&[usize], &[u64], &[T]),
        absent: T,
    ) -> Result<Self, SemiringError> {
        let lists = lists("row", (rows, columns), (offsets, indices, entries), absent)?;
        Ok(Self { shape: Shape { rows, columns }, kept: Kept::Rows(lists) })
    }

    /// The entries of each column by ascending rows (CSC), as [`Matrix::rows`].
    ///
    /// # Errors
    /// As [`Matrix::rows`], with the column.
    pub fn columns(
        rows: u64,
        columns: u64,
        (offsets, indices, entries): (&[usize], &[u64], &[T]),
        absent: T,
    ) -> Result<Self, SemiringError> {
        let lists = lists("column", (columns, rows), (offsets, indices, entries), absent)?;
        Ok(Self { shape: Shape { rows, columns }, kept: Kept::Columns(lists) })
    }

    /// Some of its rows, in the same representation.
    ///
    /// # Errors
    /// [`SemiringError::Rows`] for rows that it has not; [`SemiringError::Expression`] where a function of them fails.
    pub fn part(&self, rows: impl RangeBounds<u64>) -> Result<Self, SemiringError> {
        self.rows_of(range(&rows, self.shape.rows))
    }

    fn rows_of(&self, rows: Range<u64>) -> Result<Self, SemiringError> {
        if rows.start > rows.end || rows.end > self.shape.rows {
            return Err(SemiringError::Rows { rows, shape: self.shape });
        }
        if rows.start == 0 && rows.end == self.shape.rows {
            return Ok(self.clone());
        }
        let shape = Shape { rows: rows.end - rows.start, columns: self.shape.columns };
        let kept = match &self.kept {
            Kept::Stored(entries) => {
                let place = |row: u64| (row * shape.columns) as usize;
                Kept::Stored(entries.part(place(rows.start)..place(rows.end)))
            }
            Kept::Function(entry) => {
                let first = rows.start;
                Kept::Function(Function::new(|(x, y): (Value<u64>, Value<u64>)| entry.of((x, y + first)))?)
            }
            Kept::Rows(lists) => Kept::Rows(lists.part(rows)),
            Kept::Columns(lists) => {
                let by_rows = lists.turned(self.shape.rows as usize).part(rows);
                Kept::Columns(by_rows.turned(shape.columns as usize))
            }
        };
        Ok(Self { shape, kept })
    }

    /// Some of its columns, which it has, in the same representation.
    pub(crate) fn columns_part(&self, columns: Range<u64>) -> Result<Self, SemiringError> {
        let Shape { rows, columns: all } = self.shape;
        let shape = Shape { rows, columns: columns.end - columns.start };
        let kept = match &self.kept {
            Kept::Stored(entries) => {
                let place = |row: u64, column: u64| (row * all + column) as usize;
                let of_row = |row: u64| entries.part(place(row, columns.start)..place(row, columns.end));
                Kept::Stored(Columns::joined(&(0..rows).map(of_row).collect::<Vec<_>>()))
            }
            Kept::Function(entry) => {
                let first = columns.start;
                Kept::Function(Function::new(|(x, y): (Value<u64>, Value<u64>)| entry.of((x + first, y)))?)
            }
            Kept::Columns(lists) => Kept::Columns(lists.part(columns)),
            Kept::Rows(lists) => Kept::Rows(lists.turned(all as usize).part(columns).turned(rows as usize)),
        };
        Ok(Self { shape, kept })
    }

    /// The matrix by rows, where it is stored as lists by columns.
    pub(crate) fn by_rows(&self) -> Option<Self> {
        let Kept::Columns(lists) = &self.kept else { return None };
        Some(Self { shape: self.shape, kept: Kept::Rows(lists.turned(self.shape.rows as usize)) })
    }

    /// The matrix by columns, where it is stored as lists by rows.
    pub(crate) fn by_columns(&self) -> Option<Self> {
        let Kept::Rows(lists) = &self.kept else { return None };
        Some(Self { shape: self.shape, kept: Kept::Columns(lists.turned(self.shape.columns as usize)) })
    }

    /// Rows and columns.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// What it is kept as.
    pub fn representation(&self) -> Representation {
        match self.kept {
            Kept::Stored(_) => Representation::Stored,
            Kept::Function(_) => Representation::Function,
            Kept::Rows(_) => Representation::Rows,
            Kept::Columns(_) => Representation::Columns,
        }
    }

    /// The number of entries that are stored; `None` of a function.
    pub fn stored_entries(&self) -> Option<u64> {
        match &self.kept {
            Kept::Stored(entries) => Some(entries.len() as u64),
            Kept::Function(_) => None,
            Kept::Rows(lists) | Kept::Columns(lists) => Some(lists.entries.len() as u64),
        }
    }

    pub(crate) fn kept(&self) -> &Kept<T> {
        &self.kept
    }

    /// An entry, at a row and a column from 0; `None` outside.
    pub fn get(&self, row: u64, column: u64) -> Option<T> {
        if row >= self.shape.rows || column >= self.shape.columns {
            return None;
        }
        let of = |lists: &Lists<T>, line: u64, index: u64| {
            lists.line(line).find(|&(at, _)| at == index).map_or(lists.absent, |(_, entry)| entry)
        };
        match &self.kept {
            Kept::Stored(entries) => entries.get((row * self.shape.columns + column) as usize),
            Kept::Function(entry) => Some(entry.call((column, row))),
            Kept::Rows(lists) => Some(of(lists, row, column)),
            Kept::Columns(lists) => Some(of(lists, column, row)),
        }
    }

    /// The entries of a matrix that is stored, row after row, in a column for each scalar.
    pub fn into_columns(self) -> Option<Columns<T>> {
        match self.kept {
            Kept::Stored(entries) => Some(entries),
            Kept::Function(_) | Kept::Rows(_) | Kept::Columns(_) => None,
        }
    }

    /// All entries, row after row.
    #[inline(never)]
    pub fn entries(&self) -> Vec<T> {
        let Shape { rows, columns } = self.shape;
        (0..rows).flat_map(|row| (0..columns).filter_map(move |column| self.get(row, column))).collect()
    }
}

fn lists<T: Elements>(
    line: &'static str,
    (lines, width): (u64, u64),
    (offsets, indices, entries): (&[usize], &[u64], &[T]),
    absent: T,
) -> Result<Lists<T>, SemiringError> {
    let wrong = |at: u64, what: String| Err(SemiringError::Sparse { line, at, what });
    if offsets.len() as u128 != u128::from(lines) + 1 || offsets.first() != Some(&0) {
        return wrong(1, format!("{} offsets, from {:?} on, for {lines} lines", offsets.len(), offsets.first()));
    }
    if indices.len() != entries.len() || offsets.last() != Some(&indices.len()) {
        let (indices, entries) = (indices.len(), entries.len());
        return wrong(
            lines,
            format!("{indices} indices, {entries} entries, and the last offset is {:?}", offsets.last()),
        );
    }
    for (at, bounds) in (1..).zip(offsets.windows(2)) {
        let [start, end] = [bounds[0], bounds[1]];
        if start > end || end > indices.len() {
            return wrong(at, format!("its entries are {start} to before {end}"));
        }
        let line_indices = &indices[start..end];
        let mut pairs = line_indices.iter().zip(line_indices.iter().skip(1));
        if let Some((before, index)) = pairs.find(|(before, index)| before >= index) {
            return wrong(at, format!("index {index} stands behind {before}: indices ascend"));
        }
        if let Some(&last) = line_indices.last().filter(|&&last| last >= width) {
            return wrong(at, format!("index {last} is past the last one, {}", width.saturating_sub(1)));
        }
    }
    Ok(Lists { offsets: offsets.to_vec(), indices: indices.to_vec(), entries: entries.to_vec(), absent })
}
