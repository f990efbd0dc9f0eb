//! The trait of operations whose shards have a form of their own.

use manycore::operation::Value;
use serde_json::Value as Json;

use crate::error::Error;
use crate::global::Global;
use crate::output::Report;
use crate::shard::{self, Split};

/// The shards of an operation in a form of its own.
pub(super) trait Own: Split {
    /// Computes a part in the place of the frame, and writes it; `None` where the frame does it.
    fn write_part(&self, _global: &Global, _turn: (usize, usize)) -> Option<Result<(), Error>> {
        None
    }

    /// Writes the part of the value that the frame has computed.
    fn write(&self, global: &Global, report: &Report<Value>) -> Result<(), Error> {
        shard::write(global, report, &self.part(&report.result))
    }

    /// The part as shards have it, of the value that the frame has computed.
    fn part(&self, value: &Value) -> Json {
        serde_json::to_value(value).unwrap_or_default()
    }
}
