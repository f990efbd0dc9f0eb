//! The run of a part (device, times, checks, the parameters of its report), and that of all parts together.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::output::Report;
use crate::verification::Verification;

/// How a part was computed. No result depends on it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// What the report of the whole has beside the result; plans, for one, differ from device to device.
    pub(crate) parameters: Value,
    pub(crate) device: Option<String>,
    pub(crate) algorithm: Option<String>,
    pub(crate) seconds: Option<f64>,
    pub(crate) transfer_seconds: Option<f64>,
    pub(crate) predicted_seconds: Option<f64>,
    pub(crate) verification: Option<Checked>,
}

/// How a part was checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Checked {
    pub(crate) method: String,
    pub(crate) chance_log2: Option<f64>,
}

impl Run {
    /// How the result of a report was computed.
    pub(crate) fn of<R>(report: &Report<R>) -> Self {
        let checked = |of: &Verification| Checked { method: of.method.to_owned(), chance_log2: of.chance_log2 };
        Self {
            parameters: report.parameters.clone(),
            device: report.device.clone(),
            algorithm: report.algorithm.map(str::to_owned),
            seconds: report.seconds,
            transfer_seconds: report.transfer_seconds,
            predicted_seconds: report.predicted_seconds,
            verification: report.verification.as_ref().map(checked),
        }
    }

    /// The run of all parts together: each device once, the sums of times, the algorithm and the parameters of the first part. Checked
    /// where each part is; the chance that a wrong one passes is at most the sum.
    pub(crate) fn of_all<'a>(runs: impl Iterator<Item = &'a Self> + Clone) -> Self {
        let mut devices: Vec<&str> = Vec::new();
        for device in runs.clone().filter_map(|run| run.device.as_deref()) {
            if !devices.contains(&device) {
                devices.push(device);
            }
        }
        let mut parameters = runs.clone().next().map_or(Value::Null, |run| run.parameters.clone());
        if runs.clone().any(|run| run.parameters.get("seed") != parameters.get("seed")) {
            // Without --seed every part draws one for its check.
            parameters["seed"] = Value::Null;
        }
        let sum = |of: fn(&Self) -> Option<f64>| runs.clone().filter_map(of).reduce(|sum, more| sum + more);
        Self {
            parameters,
            device: (!devices.is_empty()).then(|| devices.join(", ")),
            algorithm: runs.clone().find_map(|run| run.algorithm.clone()),
            seconds: sum(|run| run.seconds),
            transfer_seconds: sum(|run| run.transfer_seconds),
            predicted_seconds: sum(|run| run.predicted_seconds),
            verification: Checked::of_all(runs.map(|run| run.verification.as_ref())),
        }
    }

    /// The report of a result that was made so.
    pub(crate) fn report<R>(self, report: Report<R>) -> Report<R> {
        let verification =
            self.verification.map(|checked| Verification::passed(kept(checked.method), checked.chance_log2));
        Report {
            device: self.device,
            algorithm: self.algorithm.map(kept),
            seconds: self.seconds,
            transfer_seconds: self.transfer_seconds,
            predicted_seconds: self.predicted_seconds,
            verified: verification.as_ref().map(|_| true),
            verification,
            ..report
        }
    }
}

impl Checked {
    fn of_all<'a>(checks: impl Iterator<Item = Option<&'a Self>>) -> Option<Self> {
        let all: Option<Vec<&Self>> = checks.collect();
        let all = all.filter(|all| !all.is_empty())?;
        let mut methods: Vec<&str> = Vec::new();
        for check in &all {
            if !methods.contains(&check.method.as_str()) {
                methods.push(&check.method);
            }
        }
        let chances = all.iter().filter_map(|check| check.chance_log2);
        let most = chances.clone().fold(f64::NEG_INFINITY, f64::max);
        // log2 of the sum of 2^c, from the largest c.
        let sum: f64 = chances.map(|chance| (chance - most).exp2()).sum();
        Some(Self { method: methods.join("; "), chance_log2: (sum > 0.0).then(|| most + sum.log2()) })
    }
}

/// A name that lives as long as the program, as those of reports do: a merge has one of an algorithm and one of a check.
fn kept(name: String) -> &'static str {
    Box::leak(name.into_boxed_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(device: &str, seconds: f64, chance_log2: Option<f64>) -> Run {
        let verification = Some(Checked { method: "twice".to_owned(), chance_log2 });
        Run { device: Some(device.to_owned()), seconds: Some(seconds), verification, ..Run::default() }
    }

    #[test]
    fn parts_add_up() {
        let runs = [run("host", 1.5, Some(-60.0)), run("gpu", 2.0, Some(-60.0)), run("host", 0.5, None)];
        let all = Run::of_all(runs.iter());
        assert_eq!((all.device.as_deref(), all.seconds, all.transfer_seconds), (Some("host, gpu"), Some(4.0), None));
        let Checked { method, chance_log2 } = all.verification.unwrap();
        assert_eq!((method.as_str(), chance_log2), ("twice", Some(-59.0)));
        // As the one part that there is.
        assert_eq!(Run::of_all(runs[..1].iter()), runs[0]);
        let unchecked = Run { verification: None, ..run("host", 1.0, None) };
        assert_eq!(Run::of_all([&runs[0], &unchecked].into_iter()).verification, None);
        assert_eq!(Run::of_all(runs[2..].iter()).verification.unwrap().chance_log2, None);
        assert_eq!(Run::of_all([].into_iter()), Run::default());
        let seeds =
            [5, 5, 6].map(|seed| Run { parameters: serde_json::json!({ "n": 1, "seed": seed }), ..Run::default() });
        assert_eq!(Run::of_all(seeds[..2].iter()).parameters, seeds[0].parameters);
        assert_eq!(Run::of_all(seeds.iter()).parameters, serde_json::json!({ "n": 1, "seed": null }));
    }
}
