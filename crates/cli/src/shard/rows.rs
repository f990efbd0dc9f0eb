//! Parts that are rows of a matrix of residues, or of a table of small integers.

use manycore::operation::Value;
use serde::{Deserialize, Serialize};

use super::part;
use super::set::Shards;
use crate::error::Error;
use crate::global::Global;
use crate::output::Report;

/// Rows of a matrix, as shards have them.
#[derive(Debug, Serialize, Deserialize)]
struct Rows {
    columns: usize,
    words: Vec<u64>,
}

/// Writes rows of a result as a shard.
///
/// # Errors
/// [`Error::Output`].
pub(crate) fn write<R>(global: &Global, report: &Report<R>, columns: usize, words: Vec<u64>) -> Result<(), Error> {
    part::write(global, report, &Rows { columns, words })
}

/// Puts rows together.
///
/// # Errors
/// [`Error::Shard`] for parts that are none of it.
pub(crate) fn merge(command: &'static str, shards: &Shards, global: &Global) -> Result<Report<Value>, Error> {
    let merged = shards.decode::<Rows>()?;
    let entries: Vec<u64> = merged.parts.iter().flat_map(|part| part.words.iter().copied()).collect();
    let columns = merged.parts.first().map_or(0, |part| part.columns);
    let rows = usize::try_from(shards.items()).unwrap_or(usize::MAX);
    if entries.len() != rows.saturating_mul(columns) {
        return Err(shards.damaged("the parts have not as many rows as they tell".to_owned()).into());
    }
    let value = Value::Matrix { rows, columns, entries };
    Ok(merged.report(Report::new(command, merged.run.parameters.clone(), value), global.verify)?)
}

/// Rows of a table, as shards have them.
#[derive(Debug, Serialize, Deserialize)]
struct Table {
    columns: usize,
    table: Vec<i32>,
}

/// Writes rows of a table as a shard.
///
/// # Errors
/// [`Error::Output`].
pub(crate) fn write_table<R>(
    global: &Global,
    report: &Report<R>,
    columns: usize,
    table: Vec<i32>,
) -> Result<(), Error> {
    part::write(global, report, &Table { columns, table })
}

/// Puts rows of a table together.
///
/// # Errors
/// [`Error::Shard`] for parts that are none of it.
pub(crate) fn merge_table(command: &'static str, shards: &Shards, global: &Global) -> Result<Report<Value>, Error> {
    let merged = shards.decode::<Table>()?;
    let entries: Vec<i32> = merged.parts.iter().flat_map(|part| part.table.iter().copied()).collect();
    let columns = merged.parts.first().map_or(0, |part| part.columns);
    if columns == 0 || entries.len() as u64 != shards.items().saturating_mul(columns as u64) {
        return Err(shards.damaged("the parts have not as many rows as they tell".to_owned()).into());
    }
    let value = Value::Table { columns, entries };
    Ok(merged.report(Report::new(command, merged.run.parameters.clone(), value), global.verify)?)
}
