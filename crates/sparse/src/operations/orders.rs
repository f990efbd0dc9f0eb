//! Orders of rows and columns as files: what `sparse reorder` writes and `sparse multiply` reads.

use manycore_operation::OperationError;
use serde::{Deserialize, Serialize};

use crate::permutation::{ColumnPermutation, Reordering, RowPermutation};

/// Old indices from 0, in the new order.
#[derive(Debug, Serialize, Deserialize)]
struct Orders {
    rows: Vec<u32>,
    columns: Vec<u32>,
}

/// Orders alone, or the whole report of `sparse reorder --json`.
#[derive(Deserialize)]
#[serde(untagged)]
enum File {
    Orders(Orders),
    Report { result: Orders },
}

/// The content of a file of orders.
pub(super) fn written(reordering: &Reordering) -> Vec<u8> {
    let (rows, columns) = (reordering.rows.new_to_old().to_vec(), reordering.columns.new_to_old().to_vec());
    // Lists of numbers always have a text.
    let mut bytes = serde_json::to_vec(&Orders { rows, columns }).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// The orders in a text, for a matrix of `rows` rows and `columns` columns; `file` names the text in errors.
///
/// # Errors
/// What is wrong: a text of another form, orders of other sizes, or what is no permutation.
pub fn orders(text: &str, file: &str, (rows, columns): (usize, usize)) -> Result<Reordering, OperationError> {
    let (File::Orders(orders) | File::Report { result: orders }) = serde_json::from_str(text).map_err(|_| {
        OperationError::usage(format!(
            "{file}: no JSON object with the lists rows and columns, as sparse reorder --orders writes it"
        ))
    })?;
    for (what, given, wanted) in [("rows", orders.rows.len(), rows), ("columns", orders.columns.len(), columns)] {
        if given != wanted {
            let message = format!("{file}: an order of {given} {what}, where the matrix has {wanted}");
            return Err(OperationError::usage(message));
        }
    }
    let wrong = |error| OperationError::usage(format!("{file}: {error}"));
    Ok(Reordering {
        rows: RowPermutation::from_new_to_old(orders.rows).map_err(wrong)?,
        columns: ColumnPermutation::from_new_to_old(orders.columns).map_err(wrong)?,
    })
}
