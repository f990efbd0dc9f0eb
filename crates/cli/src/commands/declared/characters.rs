//! `manycore characters` in shards: rows of the table.

use manycore::characters::operations::{Shape, of_words, shape};
use manycore::operation::{OperationError, Value};
use serde::{Deserialize, Serialize};

use super::called::Called;
use super::own::Own;
use super::write::write;
use crate::error::Error;
use crate::global::Global;
use crate::output::Report;
use crate::shard::{self, Shards, Split};

/// The call.
pub(super) struct Table<'a>(pub(super) &'a Called);

/// Rows of a table, as shards have them.
#[derive(Debug, Serialize, Deserialize)]
struct Part<W> {
    columns: u64,
    /// The words of the entries as integers, those of floating-point numbers by their bits; of a complex number there are two.
    words: W,
}

impl Table<'_> {
    fn told(&self, error: OperationError) -> Error {
        Error::of_operation(error, &self.0.paths())
    }

    fn shape(&self) -> Result<Shape, Error> {
        shape(&self.0.arguments).map_err(|error| self.told(error))
    }
}

impl Own for Table<'_> {
    fn write(&self, global: &Global, report: &Report<Value>) -> Result<(), Error> {
        let columns = self.shape()?.columns;
        let words: &[u64] = if let Value::Matrix { entries, .. } = &report.result { entries } else { &[] };
        shard::write(global, report, &Part { columns: columns.end - columns.start, words })
    }
}

impl Split for Table<'_> {
    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let Shape { rows, columns, words: each } = self.shape()?;
        let damaged = |reason: &str| shards.damaged(reason.to_owned());
        let merged = shards.decode::<Part<Vec<u64>>>()?;
        let width = columns.end - columns.start;
        let words: Vec<u64> = merged.parts.iter().flat_map(|part| part.words.iter().copied()).collect();
        let all = (rows.end - rows.start).saturating_mul(width).saturating_mul(each as u64);
        if merged.parts.iter().any(|part| part.columns != width) || words.len() as u64 != all {
            return Err(damaged("the parts have not the rows that they tell").into());
        }
        let value = of_words(&self.0.arguments, &words).map_err(|error| self.told(error))?;
        let value = value.ok_or_else(|| damaged("an entry is too large for its type"))?;
        let report = Report::new(self.0.declaration().name, merged.run.parameters.clone(), value);
        write(global, merged.report(report, global.verify)?, None)
    }
}
