//! Lists in shards that an operation puts in order once all are together: `manycore sbox compare`.

use manycore::boolean::operations::{Figures, ranked};
use manycore::operation::Value;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::called::Called;
use super::own::Own;
use super::write::write;
use crate::error::Error;
use crate::global::Global;
use crate::output::Report;
use crate::shard::{Shards, Split};

/// The call of a comparison.
pub(super) struct Compared<'a>(pub(super) &'a Called);

/// Some of a list, as shards have them.
#[derive(Debug, Serialize, Deserialize)]
struct Part<R> {
    rows: R,
}

impl Own for Compared<'_> {
    fn part(&self, value: &Value) -> Json {
        json!({ "rows": value })
    }
}

impl Split for Compared<'_> {
    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let merged = shards.decode::<Part<Vec<Figures>>>()?;
        let rows: Vec<Figures> = merged.parts.iter().flat_map(|part| part.rows.iter().copied()).collect();
        if rows.len() as u64 != shards.items() {
            return Err(shards.damaged("the parts are not of as many S-boxes as they tell".to_owned()).into());
        }
        let (name, best) = (self.0.declaration().name, self.0.arguments.number("best"));
        let report = Report::new(name, merged.run.parameters.clone(), ranked(rows, best));
        write(global, merged.report(report, global.verify)?, None)
    }
}
