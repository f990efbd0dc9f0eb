//! `manycore maxplus star` and `manycore maxplus variants` in shards: columns of a star, and some of the variants.

use manycore::maxplus::operations::{rounding_note, star_of_lines, variants};
use manycore::maxplus::project::VariantsReport;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::called::Called;
use super::own::Own;
use super::write::write;
use crate::error::Error;
use crate::global::Global;
use crate::message;
use crate::output::{JsonInteger, Report};
use crate::shard::{Shards, Split};

/// The call of a star.
pub(super) struct Star<'a>(pub(super) &'a Called);

/// Columns of a star, as shards have them: each row's entries in them, as JSON and as text.
#[derive(Debug, Serialize, Deserialize)]
struct Columns {
    rows: Vec<Vec<Json>>,
    lines: Vec<String>,
}

impl Own for Star<'_> {}

impl Split for Star<'_> {
    fn refusal(&self) -> Option<&'static str> {
        let arguments = &self.0.arguments;
        match (arguments.word("algebra"), arguments.word("algorithm")) {
            (Some("boolean"), _) => Some("--algebra boolean takes 64 nodes at a time through all rows"),
            (_, Some("closure")) => {
                Some("--algorithm closure eliminates node after node, which every column waits for")
            }
            _ => None,
        }
    }

    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let mut merged = shards.decode::<Columns>()?;
        let nodes = usize::try_from(shards.items()).unwrap_or(usize::MAX);
        let parts = std::mem::take(&mut merged.parts);
        if parts.iter().any(|part| part.rows.len() != nodes || part.lines.len() != nodes) {
            return Err(shards.damaged("the parts have not as many rows as the star".to_owned()).into());
        }
        let columns = |row: usize| parts.iter().map(|part| part.rows[row].len()).sum::<usize>();
        if (0..nodes).any(|row| columns(row) != nodes) {
            return Err(shards.damaged("the parts have not as many columns as they tell".to_owned()).into());
        }
        let line = |row: usize| {
            let lines: Vec<&str> = parts.iter().map(|part| &*part.lines[row]).filter(|line| !line.is_empty()).collect();
            lines.join(" ")
        };
        let star = star_of_lines(&self.0.arguments, &(0..nodes).map(line).collect::<Vec<String>>());
        let star = star.ok_or_else(|| shards.damaged("the lines of the parts are no weights of paths".to_owned()))?;
        let report = Report::new(self.0.declaration().name, merged.run.parameters.clone(), star);
        let report = merged.report(report, global.verify)?;
        if !global.quiet && !global.json {
            let bound = report.parameters["error_bound"].as_f64().unwrap_or(0.0);
            if let Some(note) = rounding_note(bound) {
                message::tell(&note);
            }
        }
        write(global, report, None)
    }
}

/// The call of variants.
pub(super) struct Variants<'a>(pub(super) &'a Called);

/// A part of the variants, as shards have it.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    names: Vec<String>,
    lengths: Vec<i64>,
    critical: Vec<u64>,
}

impl Variants<'_> {
    fn drawn_seed(&self, given: Option<u64>) -> Option<u64> {
        given.or(self.0.declaration().seed)
    }
}

impl Own for Variants<'_> {}

impl Split for Variants<'_> {
    fn seed(&self, global: &Global) -> Option<u64> {
        self.drawn_seed(global.seed)
    }

    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let merged = shards.decode::<Part>()?;
        let names = merged.parts.first().map(|part| part.names.clone()).unwrap_or_default();
        let part = |part: &Part| VariantsReport::new(part.lengths.clone(), part.critical.clone());
        let all = VariantsReport::of_parts(&merged.parts.iter().map(part).collect::<Vec<_>>())
            .map_err(|error| Error::of_operation(error.into(), &[]))?;
        if all.lengths().len() as u64 != shards.items() || all.critical().len() != names.len() {
            return Err(shards
                .damaged("the parts are not of as many variants and tasks as they tell".to_owned())
                .into());
        }
        let number = |name: &str| self.0.arguments.number(name);
        let seed = self.drawn_seed(shards.seed()).map(|seed| JsonInteger(seed.into()));
        let parameters = json!({ "count": number("count"), "spread": number("spread"), "seed": seed });
        let report = Report::new(self.0.declaration().name, parameters, variants(&names, &all));
        write(global, merged.report(report, global.verify)?, None)
    }
}
