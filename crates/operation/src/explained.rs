//! What is told of a choice: its candidates, its shape, and the blocks of its work.

use std::collections::BTreeSet;
use std::fmt::Display;

use manycore_model::Estimate;
use manycore_model::machine::Seconds;
use manycore_tuning::{Choice, Origin, Proof, TuningCost};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A candidate. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The algorithm and its parameters.
    pub parameters: String,
    /// Launches of kernels, or passes on the host.
    pub launches: u64,
    /// Kernels of different names.
    #[serde(skip)]
    pub kernels: usize,
    /// What bounds its time.
    pub bound_by: String,
    /// By the model.
    pub estimate_seconds: f64,
    /// No implementation is quicker.
    pub floor_seconds: f64,
    /// Theorem 1 of the many-core model.
    pub theorem_seconds: f64,
    /// As a user waits for it; `None` where it is not known.
    pub measured_seconds: Option<f64>,
    /// Where the choice comes from; `None` for candidates that are not chosen.
    pub chosen_by: Option<String>,
}

/// A choice without the type of its parameters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explained {
    /// The shape, and what is known beside the candidates.
    pub parameters: Map<String, Value>,
    /// The candidates, the chosen one first.
    pub rows: Vec<Row>,
    /// All of it for a reader.
    pub text: String,
    /// What a measurement would take.
    pub tuning: TuningCost,
    /// Seconds in which the kernels of the choice are built, 0 where they are.
    pub building_seconds: f64,
    /// Seconds of what is taken where nothing is measured, over those of the choice.
    pub default_over_best: Option<f64>,
    /// Seconds of the whole operation, where the candidates are those of a part of it.
    pub whole_seconds: Option<f64>,
}

impl Explained {
    /// What is told of a choice.
    pub fn new<P: Display>(choice: &Choice<P>) -> Self {
        let rows = choice.candidates().iter().enumerate().map(|(i, candidate)| Row {
            parameters: candidate.parameters.to_string(),
            launches: candidate.estimate.launches,
            kernels: names(&candidate.estimate),
            bound_by: candidate.estimate.bound().to_string(),
            estimate_seconds: candidate.estimate.seconds,
            floor_seconds: candidate.estimate.floor_seconds,
            theorem_seconds: candidate.estimate.theorem_seconds,
            measured_seconds: candidate.measured_seconds,
            chosen_by: (i == 0).then(|| origin(choice.origin())),
        });
        let mut parameters = Map::new();
        if let Some(proof) = choice.proof() {
            let told = match proof {
                Proof::Holds => "right",
                Proof::Differs(_) => "wrong",
                Proof::TooLarge => "too large to be compared",
            };
            parameters.insert("proof".to_owned(), told.into());
        }
        if !choice.disproved.is_empty() {
            let wrong = choice
                .disproved
                .iter()
                .map(|(plan, difference)| json!({ "parameters": plan.to_string(), "difference": difference }));
            parameters.insert("wrong_plans".to_owned(), wrong.collect());
        }
        Self {
            parameters,
            rows: rows.collect(),
            text: choice.to_string(),
            tuning: choice.tuning_cost(),
            building_seconds: choice.building_seconds(),
            default_over_best: choice.default_over_best(),
            whole_seconds: None,
        }
    }

    /// What is told of an operation with one algorithm, of which there is no estimate.
    pub fn only(algorithm: impl Display) -> Self {
        Self {
            parameters: Map::new(),
            rows: Vec::new(),
            text: format!("{algorithm}: the only algorithm, without an estimate\n"),
            tuning: TuningCost { candidates: 0, seconds: 0.0 },
            building_seconds: 0.0,
            default_over_best: None,
            whole_seconds: None,
        }
    }

    /// What is told of work of which an estimate alone is known, with kernels of so many names.
    pub fn estimated(seconds: f64, kernels: usize) -> Self {
        let row = Row {
            parameters: String::new(),
            launches: 0,
            kernels,
            bound_by: String::new(),
            estimate_seconds: seconds,
            floor_seconds: 0.0,
            theorem_seconds: 0.0,
            measured_seconds: None,
            chosen_by: None,
        };
        Self { rows: vec![row], ..Self::only("estimated") }
    }

    /// The same with one more part of the shape; one that is known already stays as it is.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.parameters.entry(name).or_insert_with(|| value.into());
        self
    }

    /// Whether there is something left to measure: in the mode that measures, because every candidate failed.
    pub fn is_unmeasured(&self) -> bool {
        self.tuning.candidates > 1
    }

    /// Tells the algorithms of the whole operation, each with its seconds, the quickest first, beside the candidates of a part of it.
    #[must_use]
    pub fn within(mut self, operation: &str, algorithms: &[(impl Display, f64)]) -> Self {
        for (i, (algorithm, seconds)) in algorithms.iter().enumerate() {
            let mark = if i == 0 { "* " } else { "  " };
            let (algorithm, seconds) = (algorithm.to_string(), Seconds(*seconds).to_string());
            self.text.extend([mark, operation, ": ", &algorithm, ", ", &seconds, "\n"]);
        }
        let told = algorithms
            .iter()
            .map(|(algorithm, seconds)| json!({ "algorithm": algorithm.to_string(), "estimate_seconds": seconds }));
        self.parameters.insert("algorithms".to_owned(), told.collect());
        self.whole_seconds = algorithms.first().map(|&(_, seconds)| seconds);
        self
    }

    /// What is told of several devices that share the work: the candidates of each, and of the first one what reports have one of.
    pub fn of_each(each: Vec<(String, Self)>) -> Option<Self> {
        let told: Vec<Value> =
            each.iter().map(|(device, own)| json!({ "device": device, "candidates": own.rows })).collect();
        let text: String = each.iter().flat_map(|(device, own)| [device, ":\n", &own.text]).collect();
        let (_, mut first) = each.into_iter().next()?;
        first.parameters.insert("each".to_owned(), told.into());
        Some(Self { text, ..first })
    }

    /// Tells of the blocks in which the data goes through the device where it does not fit it, beside the candidates for a device that has
    /// room for all.
    #[must_use]
    pub fn in_blocks(self, blocks: Option<impl Display>) -> Self {
        self.cut("past the device's memory", blocks)
    }

    /// Tells of the blocks that several devices share.
    #[must_use]
    pub fn shared_in(self, blocks: Option<impl Display>) -> Self {
        self.cut("shared by the devices", blocks)
    }

    fn cut(mut self, why: &str, blocks: Option<impl Display>) -> Self {
        if let Some(blocks) = blocks {
            let told = blocks.to_string();
            self.text.extend([why, ": ", &told, "\n"]);
            self.parameters.insert("blocks".to_owned(), told.into());
        }
        self
    }
}

/// Kernels of different names.
fn names(estimate: &Estimate) -> usize {
    estimate.kernels.iter().map(|kernel| kernel.name.as_str()).collect::<BTreeSet<_>>().len()
}

/// Where a choice comes from, in a word or two.
fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Only => "only".to_owned(),
        Origin::Estimated => "estimated".to_owned(),
        Origin::Measured => "measured".to_owned(),
        Origin::Kept => "kept".to_owned(),
        Origin::Shipped { level, .. } => format!("shipped ({level})"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only() -> Explained {
        Explained::only("closure").with("n", 8).with("acyclic", None::<u64>)
    }

    #[test]
    fn one_algorithm_has_no_candidates() {
        let told = only();
        assert_eq!(told.text, "closure: the only algorithm, without an estimate\n");
        assert!(told.rows.is_empty() && !told.is_unmeasured());
        assert_eq!(Value::from(told.parameters), json!({ "n": 8, "acyclic": null }));
    }

    #[test]
    fn blocks_and_whole_operations_are_told_beside_the_candidates() {
        let told = only().in_blocks(Some("2 blocks")).within("3 points", &[("tree", 0.5), ("each", 1.0)]);
        let text = "past the device's memory: 2 blocks\n* 3 points: tree, 500 ms\n  3 points: each, 1.00 s\n";
        assert!(told.text.ends_with(text), "{}", told.text);
        assert_eq!((told.whole_seconds, &told.parameters["blocks"]), (Some(0.5), &json!("2 blocks")));
        assert_eq!(only().shared_in(None::<String>), only());
    }

    #[test]
    fn several_devices_have_their_candidates() {
        let told = Explained::of_each(vec![("host".to_owned(), only()), ("opencl:0".to_owned(), only())]).unwrap();
        assert!(told.text.starts_with("host:\nclosure") && told.text.contains("\nopencl:0:\nclosure"), "{}", told.text);
        assert_eq!(told.parameters["each"][1], json!({ "device": "opencl:0", "candidates": [] }));
        assert_eq!(Explained::of_each(Vec::new()), None);
    }
}
