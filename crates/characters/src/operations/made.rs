//! A character table that is made, as a result: text, JSON, or an array of rows and columns.

use std::io::{self, Write};
use std::ops::Range;

use manycore_operation::{JsonForm, Stream};

use super::entries::Entries;
use crate::group::AbelianGroup;
use crate::stream::Block;
use crate::table::Construction;

/// Rows of a table.
#[derive(Debug)]
pub(super) struct Made<E: Entries> {
    pub(super) group: AbelianGroup,
    pub(super) values: E,
    pub(super) rows: Range<u64>,
    pub(super) columns: Range<u64>,
    pub(super) construction: Construction,
    pub(super) entries: Vec<E::Value>,
}

impl<E: Entries> Made<E> {
    /// All of them as a block.
    pub(super) fn block(&self) -> Block<'_, E> {
        let Self { group, values, rows, columns, construction, entries } = self;
        let (rows, columns, construction) = (rows.clone(), columns.clone(), *construction);
        Block { group, values, all: rows.clone(), rows, columns, construction, entries }
    }
}

impl<E: Entries> Stream for Made<E> {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        self.block().write_text(out)
    }

    fn write_array(&self, out: &mut dyn Write) -> io::Result<()> {
        self.block().write_npy(out)
    }

    fn json(&self) -> JsonForm<'_> {
        let width = (self.columns.end - self.columns.start) as usize;
        let rows = 0..(self.rows.end - self.rows.start) as usize;
        let row = move |row: usize| self.entries.get(row * width..(row + 1) * width).unwrap_or_default();
        JsonForm::Rows(Box::new(rows.map(move |at| E::row(row(at)))))
    }
}
