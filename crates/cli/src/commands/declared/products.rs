//! `manycore semiring product` in shards: rows of the product.

use manycore::semiring::operations::value_of_lines;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::called::Called;
use super::own::Own;
use super::write::write;
use crate::error::Error;
use crate::global::Global;
use crate::output::Report;
use crate::shard::{Shards, Split};

/// The call of a product.
pub(super) struct Product<'a>(pub(super) &'a Called);

/// Rows of a product, as shards have them: as JSON and as text.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    rows: Vec<Json>,
    places: Option<Vec<Json>>,
    lines: Vec<String>,
}

impl Own for Product<'_> {}

impl Split for Product<'_> {
    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let mut merged = shards.decode::<Part>()?;
        let parts = std::mem::take(&mut merged.parts);
        let rows: usize = parts.iter().map(|part| part.rows.len()).sum();
        let lines: Vec<String> = parts.into_iter().flat_map(|part| part.lines).collect();
        if rows as u64 != shards.items() || lines.len() as u64 != shards.items() {
            return Err(shards.damaged("the parts have not as many rows as they tell".to_owned()).into());
        }
        let product = value_of_lines(&self.0.arguments, &lines);
        let product = product.ok_or_else(|| shards.damaged("the lines of the parts are no entries".to_owned()))?;
        let report = Report::new(self.0.declaration().name, merged.run.parameters.clone(), product);
        write(global, merged.report(report, global.verify)?, None)
    }
}
