//! Every declared operation, in every way that its options give: checked by itself, and the same as on the host.

use manycore::device::DeviceSet;
use manycore::operation::{Arguments, Holds, Operation, OperationError, Value, json};
use manycore::verify::SplitMix;
use manycore::{Device, operations};
use serde::Serialize;

use crate::compare::Found;
use crate::failure::Failure;
use crate::random::Random;
use crate::site::Site;

/// Rows of a matrix, at most: those over the rationals are of integers of any size.
const MOST_ROWS: usize = 24;
/// Values of a list, at most.
const MOST_VALUES: usize = 300;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    operation: &'static str,
    /// The options.
    way: String,
    size: usize,
    seed: u64,
    #[serde(skip)]
    arguments: Arguments,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, _: &Site) -> Self {
        let all: Vec<&dyn Operation> = operations::all().collect();
        let declaration = random.pick(&all).declaration();
        let ways = declaration.ways();
        let arguments = ways.get(random.below(ways.len() as u64) as usize).cloned().unwrap_or_default();
        let is_of_matrices = declaration.inputs.iter().any(|input| matches!(input.holds, Holds::Matrix));
        let size = random.length(if is_of_matrices { MOST_ROWS } else { MOST_VALUES });
        Self { operation: declaration.name, way: arguments.to_string(), size, seed: random.word(), arguments }
    }

    fn check(&self, _: &mut Random, site: &Site) -> Result<Found, Failure> {
        let Some(operation) = operations::named(self.operation) else {
            return Err(Failure::other(format!("{}: no operation", self.operation)));
        };
        let is_compared = operation.declaration().is_same_everywhere(&self.arguments);
        let text = |value: Value| if is_compared { json::text(&value).into_bytes() } else { Vec::new() };
        match (self.value(operation, &site.device), self.value(operation, &site.host)) {
            (Ok(own), Ok(host)) => Ok(Found::equal("host", &site.result(text(own)), &text(host))),
            // What has no answer has none anywhere.
            (Err(own), Err(host)) if own.is_refusal() && host.is_refusal() => {
                let own = site.result(own.to_string().into_bytes());
                Ok(Found::equal("host's refusal", &own, host.to_string().as_bytes()))
            }
            // Algorithms are of the host or of devices, and some of lengths from a least one on.
            (Err(error), Ok(_)) | (Ok(_), Err(error)) if error.is_refusal() && self.arguments.is_given("algorithm") => {
                Ok(Found::equal("algorithm", &site.result(vec![1u8]), &[1]))
            }
            (Err(error), _) | (_, Err(error)) => Err(Failure::of_operation(&error)),
        }
    }
}

impl Case {
    /// The checked result on a device.
    fn value(&self, operation: &dyn Operation, device: &Device) -> Result<Value, OperationError> {
        let given = operation.declaration().input(&self.arguments, self.size, &mut SplitMix::new(self.seed));
        let set = DeviceSet::from(device.clone());
        Ok(given.call(operation, &self.arguments, &set, (self.seed, true))?.value)
    }
}
