//! `manycore spectrum polarities` in shards: the terms of blocks of polarities, which are checked together.

use manycore::Device;
use manycore::operation::Value;
use manycore::spectral::operations::polarities::{BLOCKS, check, value};
use manycore::verify::SplitMix;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::called::Called;
use super::files::Opened;
use super::own::Own;
use super::write::write;
use crate::error::Error;
use crate::global::Global;
use crate::output::{JsonInteger, Report};
use crate::shard::{Shards, Split};
use crate::verification::{Verification, failed};

/// The call.
pub(super) struct Polarities<'a>(pub(super) &'a Called);

/// The terms of some polarities, as shards have them.
#[derive(Debug, Serialize, Deserialize)]
struct Terms {
    terms: Vec<u32>,
}

impl Own for Polarities<'_> {
    fn part(&self, value: &Value) -> Json {
        match value {
            Value::Shown { json, .. } => json!({ "terms": json["all"] }),
            _ => Json::Null,
        }
    }
}

impl Split for Polarities<'_> {
    fn not_checked(&self) -> Option<&'static str> {
        Some("the terms of polarities are checked together, by `manycore merge --verify`")
    }

    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let (declaration, arguments) = (self.0.declaration(), &self.0.arguments);
        let merged = shards.decode::<Terms>()?;
        let terms: Vec<u32> = merged.parts.iter().flat_map(|part| part.terms.iter().copied()).collect();
        let mut parameters = merged.run.parameters.clone();
        if !terms.len().is_power_of_two() || terms.len().min(BLOCKS) as u64 != shards.items() {
            return Err(shards.damaged("the parts have not as many polarities as they tell".to_owned()).into());
        }
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        parameters["seed"] = json!(global.verify.then_some(JsonInteger(seed.into())));
        let mut report = merged.report(Report::new(declaration.name, parameters, ()), false)?;
        if global.verify {
            shards.check_inputs()?;
            report.verification = Some(self.check(&terms, global)?);
            report.verified = Some(true);
        }
        write(global, report.with(value(&terms, arguments.is_given("all"))), None)
    }
}

impl Polarities<'_> {
    /// Checks the terms of all polarities against the function that the shards are of.
    fn check(&self, terms: &[u32], global: &Global) -> Result<Verification, Error> {
        let outcome = check(&self.0.arguments, &mut Opened::new(self.0, global), terms);
        outcome.map(Verification::from).map_err(|error| match error.difference() {
            Some(difference) => failed(difference.clone(), &Device::host()),
            None => Error::of_operation(error, &self.0.paths()),
        })
    }
}
