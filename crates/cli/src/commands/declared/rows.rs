//! Rows in shards: lists that an operation puts in order once all are together (`manycore sbox compare`), and rows of a product
//! (`manycore semiring product`).

use manycore::boolean::operations::{Figures, ranked};
use manycore::operation::Value;
use manycore::semiring::operations::value_of_lines;
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
struct Listed<R> {
    rows: R,
}

impl Own for Compared<'_> {
    fn part(&self, value: &Value) -> Json {
        json!({ "rows": value })
    }
}

impl Split for Compared<'_> {
    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let merged = shards.decode::<Listed<Vec<Figures>>>()?;
        let rows: Vec<Figures> = merged.parts.iter().flat_map(|part| part.rows.iter().copied()).collect();
        if rows.len() as u64 != shards.items() {
            return Err(shards.damaged("the parts are not of as many S-boxes as they tell".to_owned()).into());
        }
        let (name, best) = (self.0.declaration().name, self.0.arguments.number("best"));
        let report = Report::new(name, merged.run.parameters.clone(), ranked(rows, best));
        write(global, merged.report(report, global.verify)?, None)
    }
}

/// The call of a product.
pub(super) struct Product<'a>(pub(super) &'a Called);

/// Rows of a product, as shards have them: as JSON and as text.
#[derive(Debug, Serialize, Deserialize)]
struct Written {
    rows: Vec<Json>,
    places: Option<Vec<Json>>,
    lines: Vec<String>,
}

impl Own for Product<'_> {}

impl Split for Product<'_> {
    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let mut merged = shards.decode::<Written>()?;
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
