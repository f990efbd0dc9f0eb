//! Matrices as text, a row a line, as JSON, arrays and coordinates.

use std::fmt::Debug;
use std::io::{self, Write};

use manycore_operation::files::{NpyNumber, NumberText as _, write_lines, write_npy_matrix};
use manycore_operation::json::Json;
use manycore_operation::{JsonForm, Row, Stream, Streamed, Value};

/// A matrix, row after row, and how its entries are written.
#[derive(Debug)]
pub struct Rows<T> {
    /// Its columns.
    pub columns: usize,
    /// Its entries.
    pub entries: Vec<T>,
    /// What the Matrix Market format calls its entries.
    pub field: &'static str,
    /// The entry that coordinates leave out.
    pub absent: T,
    /// Whether two entries are the same.
    pub is_same: fn(&T, &T) -> bool,
    /// Appends an entry as text.
    pub push: fn(&T, &mut String),
    /// An entry as JSON.
    pub json: fn(&T) -> Json,
}

impl<T: NpyNumber + Debug + PartialEq + Send + Sync + 'static> Rows<T> {
    /// It as a result.
    pub fn value(self) -> Value {
        Value::Streamed(Streamed::new(self))
    }
}

impl<T> Rows<T> {
    fn rows(&self) -> impl Iterator<Item = &[T]> {
        self.entries.chunks(self.columns.max(1))
    }

    /// The entries of each row as JSON.
    pub fn json_rows(&self) -> impl Iterator<Item = Vec<Json>> {
        self.rows().map(|row| row.iter().map(self.json).collect())
    }

    /// The rows as lines.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.rows().map(|row| {
            let mut text = String::new();
            self.push_row(row, &mut text);
            text
        })
    }

    fn push_row(&self, row: &[T], text: &mut String) {
        for (column, entry) in row.iter().enumerate() {
            if column > 0 {
                text.push(' ');
            }
            (self.push)(entry, text);
        }
    }
}

impl<T: NpyNumber + Debug + PartialEq + Send + Sync> Stream for Rows<T> {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.columns.max(1);
        let line = |number: usize, text: &mut String| {
            self.push_row(self.entries.get(number * columns..(number + 1) * columns).unwrap_or_default(), text);
        };
        write_lines(out, self.entries.len() / columns, line)
    }

    fn write_array(&self, out: &mut dyn Write) -> io::Result<()> {
        write_npy_matrix(out, self.entries.len() / self.columns.max(1), self.columns, &self.entries)
    }

    fn write_coordinates(&self, out: &mut dyn Write) -> io::Result<()> {
        let (columns, entries) = (self.columns.max(1), &self.entries);
        let present: Vec<usize> =
            (0..entries.len()).filter(|&place| !(self.is_same)(&entries[place], &self.absent)).collect();
        let line = |number: usize, text: &mut String| {
            let place = present[number];
            for index in [place / columns + 1, place % columns + 1] {
                (index as u64).push_typed(text);
                text.push(' ');
            }
            (self.push)(&entries[place], text);
        };
        let (field, rows) = (self.field, entries.len() / columns);
        writeln!(out, "%%MatrixMarket matrix coordinate {field} general\n{rows} {} {}", self.columns, present.len())?;
        write_lines(out, present.len(), line)
    }

    fn json(&self) -> JsonForm<'_> {
        JsonForm::Rows(Box::new(self.json_rows().map(Row::Values)))
    }
}
