//! What `explain` and `tune` tell of a choice: its candidates, its shape, blocks and devices.

use std::collections::BTreeSet;
use std::fmt::Display;

use manycore::model::Estimate;
use manycore::model::machine::Seconds;
use manycore::tuning::{Choice, Origin, Proof, TuningCost};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::arguments::Global;
use crate::commands::auto::{self, Prediction};
use crate::commands::several::Devices;
use crate::commands::{Labelled, label};
use crate::destination;
use crate::error::Error;
use crate::output::{self, Report};
use crate::pages::choice;

/// A candidate as the JSON form has it. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Row {
    /// The algorithm and its parameters.
    pub(crate) parameters: String,
    pub(crate) launches: u64,
    /// Kernels of different names.
    #[serde(skip)]
    pub(crate) kernels: usize,
    pub(crate) bound_by: String,
    pub(crate) estimate_seconds: f64,
    pub(crate) floor_seconds: f64,
    /// Theorem 1 of the many-core model.
    theorem_seconds: f64,
    /// As a user waits for it; `None` where it is not known.
    pub(crate) measured_seconds: Option<f64>,
    /// Where the choice comes from; `None` for candidates that are not chosen.
    pub(crate) chosen_by: Option<String>,
}

/// A choice without the type of its parameters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Explained {
    /// The operation and its shape.
    pub(crate) parameters: Map<String, Value>,
    /// The candidates, the chosen one first.
    pub(crate) rows: Vec<Row>,
    /// All of it for a reader.
    text: String,
    tuning: TuningCost,
    /// Seconds in which the kernels of the choice are built, 0 where they are.
    pub(crate) building_seconds: f64,
    /// Seconds of what is taken where nothing is measured, over those of the choice.
    pub(crate) default_over_best: Option<f64>,
    /// Seconds of the whole operation, where the candidates are those of a part of it.
    pub(crate) whole_seconds: Option<f64>,
}

impl Explained {
    /// What is told of a choice and of its shape, an object.
    pub(crate) fn new<P: Display>(choice: &Choice<P>, shape: &Value) -> Self {
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
        let mut parameters = shape.as_object().cloned().unwrap_or_default();
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
        let (tuning, default_over_best) = (choice.tuning_cost(), choice.default_over_best());
        let building_seconds = choice.building_seconds();
        Self {
            parameters,
            rows: rows.collect(),
            text: choice.to_string(),
            tuning,
            building_seconds,
            default_over_best,
            whole_seconds: None,
        }
    }

    /// Whether there is something left to measure: in the mode that measures, because every candidate failed.
    pub(crate) fn is_unmeasured(&self) -> bool {
        self.tuning.candidates > 1
    }

    /// What is told of an operation with one algorithm, of which there is no estimate.
    pub(crate) fn only(algorithm: impl Display, shape: &Value) -> Self {
        let parameters = shape.as_object().cloned().unwrap_or_default();
        let tuning = TuningCost { candidates: 0, seconds: 0.0 };
        let text = format!("{algorithm}: the only algorithm, without an estimate\n");
        let (rows, building_seconds) = (Vec::new(), 0.0);
        Self { parameters, rows, text, tuning, building_seconds, default_over_best: None, whole_seconds: None }
    }

    /// What is told of work of which an estimate alone is known.
    pub(crate) fn estimated(seconds: f64, kernels: usize) -> Self {
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
        Self { rows: vec![row], ..Self::only("estimated", &Value::Null) }
    }

    /// Tells the algorithms of the whole operation, each with its seconds, the quickest first, beside the candidates of a part of it.
    pub(super) fn within(mut self, operation: &str, algorithms: &[(impl Display, f64)]) -> Self {
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
    pub(crate) fn of_each(each: Vec<(String, Self)>) -> Option<Self> {
        let told: Vec<Value> =
            each.iter().map(|(device, own)| json!({ "device": device, "candidates": own.rows })).collect();
        let text: String = each.iter().flat_map(|(device, own)| [device, ":\n", &own.text]).collect();
        let (_, mut first) = each.into_iter().next()?;
        first.parameters.insert("each".to_owned(), told.into());
        Some(Self { text, ..first })
    }

    /// Tells of the blocks in which the data goes through the device where it does not fit it, beside the candidates for a device that has
    /// room for all.
    pub(crate) fn in_blocks(self, blocks: Option<impl Display>) -> Self {
        self.cut("past the device's memory", blocks)
    }

    /// Tells of the blocks that several devices share, or in which the data goes through one that it does not fit.
    pub(crate) fn on(self, devices: &Devices, blocks: Option<impl Display>) -> Self {
        let why = if devices.single().is_some() { "past the device's memory" } else { "shared by the devices" };
        self.cut(why, blocks)
    }

    fn cut(mut self, why: &str, blocks: Option<impl Display>) -> Self {
        if let Some(blocks) = blocks {
            let told = blocks.to_string();
            self.text.extend([why, ": ", &told, "\n"]);
            self.parameters.insert("blocks".to_owned(), told.into());
        }
        self
    }

    /// Tells what each device takes beside the candidates.
    pub(crate) fn compare(&mut self, devices: &[Prediction]) {
        self.text += &auto::table(devices);
        self.parameters.insert("devices".to_owned(), json!(devices));
    }

    /// Writes the candidates, the chosen one first.
    ///
    /// # Errors
    /// [`Error::Output`].
    pub(crate) fn write(self, command: &'static str, device: &impl Labelled, global: &Global) -> Result<(), Error> {
        if let Some(target) = &global.page {
            let told = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let shape =
                self.parameters.iter().filter(|(_, value)| !(value.is_null() || value.is_array() || value.is_object()));
            let shape: Vec<(String, String)> = shape.map(|(name, value)| (name.clone(), told(value))).collect();
            let page = choice::page(&label(device), &shape, &self.rows, &self.text);
            target.write(|out| out.write_all(page.as_bytes())).map_err(destination::output_error)?;
        }
        if !global.json {
            return output::write(global, |out| out.write_all(self.text.as_bytes()));
        }
        let TuningCost { candidates, seconds } = self.tuning;
        let mut parameters = self.parameters;
        parameters.insert("tuning".to_owned(), json!({ "candidates": candidates, "seconds": seconds }));
        let report = Report {
            device: Some(label(device)),
            predicted_seconds: self.whole_seconds.or_else(|| self.rows.first().map(|row| row.estimate_seconds)),
            ..Report::new(command, parameters.into(), self.rows)
        };
        output::write_report(global, &report)
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
