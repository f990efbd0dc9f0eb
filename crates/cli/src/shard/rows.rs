//! Parts that are rows of a matrix of residues.

use manycore::operation::Value;
use serde::{Deserialize, Serialize};

use super::Shards;
use crate::arguments::Global;
use crate::error::Error;
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
    super::write(global, report, &Rows { columns, words })
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
