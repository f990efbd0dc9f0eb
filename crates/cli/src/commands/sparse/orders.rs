//! Orders of rows and columns as files: what `sparse reorder` writes and `sparse multiply` reads.

use std::path::Path;

use manycore::files::Target;
use manycore::sparse::{ColumnPermutation, Reordering, RowPermutation};
use serde::{Deserialize, Serialize};

use crate::destination;
use crate::error::Error;
use crate::input;

/// Old indices from 0, in the new order.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Orders {
    pub(super) rows: Vec<u32>,
    pub(super) columns: Vec<u32>,
}

/// Orders alone, or the whole report of `sparse reorder --json`.
#[derive(Deserialize)]
#[serde(untagged)]
enum File {
    Orders(Orders),
    Report { result: Orders },
}

impl Orders {
    pub(super) fn of(reordering: &Reordering) -> Self {
        Self { rows: reordering.rows.new_to_old().to_vec(), columns: reordering.columns.new_to_old().to_vec() }
    }

    pub(super) fn write(&self, target: &Target) -> Result<(), Error> {
        target
            .write(|out| {
                serde_json::to_writer(&mut *out, self)?;
                writeln!(out)
            })
            .map_err(destination::output_error)
    }

    /// The orders in a file, of a matrix with so many rows and columns.
    pub(crate) fn read(path: &Path, (rows, columns): (usize, usize)) -> Result<Reordering, Error> {
        let name = input::name(path);
        let (File::Orders(orders) | File::Report { result: orders }) =
            serde_json::from_str(&input::lines_of_text(path)?).map_err(|_| {
                Error::Usage(format!(
                    "{name}: no JSON object with the lists rows and columns, as sparse reorder --orders writes it"
                ))
            })?;
        for (what, given, wanted) in [("rows", orders.rows.len(), rows), ("columns", orders.columns.len(), columns)] {
            if given != wanted {
                return Err(Error::Usage(format!("{name}: an order of {given} {what}, where the matrix has {wanted}")));
            }
        }
        let wrong = |error| Error::Usage(format!("{name}: {error}"));
        Ok(Reordering {
            rows: RowPermutation::from_new_to_old(orders.rows).map_err(wrong)?,
            columns: ColumnPermutation::from_new_to_old(orders.columns).map_err(wrong)?,
        })
    }
}
