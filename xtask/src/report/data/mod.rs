//! The lines of a bench run: what the program `manycore-bench` prints, read and checked.
//!
//! | file | what |
//! |---|---|
//! | `lines` | each kind of line |
//! | `sample` | a small run, for tests |

mod lines;
#[cfg(test)]
mod sample;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::{Context, Result, anyhow};
use serde_json::Value;

pub(crate) use lines::{Environment, Launches, Measurement, Paper, Peer, Skipped, Sweep, SweepPoint, Wait};
#[cfg(test)]
pub(crate) use sample::sample;

/// All data of the lines.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Devices, in the order of their first line.
    pub(crate) environments: Vec<Environment>,
    /// Timed cases.
    pub(crate) measurements: Vec<Measurement>,
    /// Figures of other codes.
    pub(crate) peers: Vec<Peer>,
    /// Figures of the papers.
    pub(crate) papers: Vec<Paper>,
    /// Choices, with the times of their candidates.
    pub(crate) sweeps: Vec<Sweep>,
    /// The cost of launches.
    pub(crate) launches: Vec<Launches>,
    /// Whole processes.
    pub(crate) waits: Vec<Wait>,
    /// Cases that were not run.
    pub(crate) skipped: Vec<Skipped>,
    /// Kinds of lines that this report does not know.
    pub(crate) unknown: BTreeSet<String>,
}

impl Report {
    /// Reads the lines of one run; `source` names it in errors. An empty line is passed over.
    pub(crate) fn add_run(&mut self, source: &str, text: &str) -> Result<()> {
        // Device handles mean something within one run only.
        let mut devices = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            self.add_line(line, &mut devices).with_context(|| format!("{source}:{}", index + 1))?;
        }
        Ok(())
    }

    fn add_line(&mut self, line: &str, devices: &mut Vec<(String, usize)>) -> Result<()> {
        let value: Value = serde_json::from_str(line).context("not a JSON object")?;
        let kind = value.get("kind").and_then(Value::as_str).context("no field \"kind\"")?.to_owned();
        match kind.as_str() {
            "environment" => {
                let environment: Environment = serde_json::from_value(value)?;
                let index = self.environments.iter().position(|known| *known == environment);
                let index = index.unwrap_or_else(|| {
                    self.environments.push(environment.clone());
                    self.environments.len() - 1
                });
                devices.retain(|(device, _)| *device != environment.device);
                devices.push((environment.device, index));
            }
            "measurement" => {
                let mut measurement: Measurement = serde_json::from_value(value)?;
                measurement.environment = environment_of(&measurement.device, devices)?;
                positive("seconds", measurement.seconds)?;
                positive("floor_seconds", measurement.floor_seconds.unwrap_or(1.0))?;
                short(measurement.log_len)?;
                self.measurements.push(measurement);
            }
            "peer" => {
                let peer: Peer = serde_json::from_value(value)?;
                positive("seconds", peer.seconds)?;
                short(peer.log_len)?;
                if !self.peers.contains(&peer) {
                    self.peers.push(peer);
                }
            }
            "paper" => {
                let paper: Paper = serde_json::from_value(value)?;
                if !self.papers.contains(&paper) {
                    self.papers.push(paper);
                }
            }
            "sweep" => {
                let mut sweep: Sweep = serde_json::from_value(value)?;
                sweep.environment = environment_of(&sweep.device, devices)?;
                if sweep.chosen.max(sweep.best) >= sweep.points.len() {
                    return Err(anyhow!("a choice that is none of the {} points", sweep.points.len()));
                }
                for point in &sweep.points {
                    positive("measured_seconds", point.measured_seconds)?;
                    positive("estimate_seconds", point.estimate_seconds)?;
                }
                self.sweeps.push(sweep);
            }
            "launches" => {
                let mut launches: Launches = serde_json::from_value(value)?;
                launches.environment = environment_of(&launches.device, devices)?;
                positive("bare_seconds", launches.bare_seconds)?;
                positive("library_seconds", launches.library_seconds)?;
                self.launches.push(launches);
            }
            "wait" => {
                let wait: Wait = serde_json::from_value(value)?;
                positive("floor", wait.floor)?;
                for time in [wait.host, wait.first, wait.later, wait.auto_first, wait.auto_later] {
                    positive("a time of a process", time)?;
                }
                self.waits.push(wait);
            }
            "skipped" => self.skipped.push(serde_json::from_value(value)?),
            _ => {
                self.unknown.insert(kind);
            }
        }
        Ok(())
    }

    /// The operations with measurements, in the order of their first one.
    pub(crate) fn operations(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for measurement in &self.measurements {
            if !names.contains(&measurement.operation.as_str()) {
                names.push(&measurement.operation);
            }
        }
        names
    }

    /// A short name of an environment that no other environment of the report has.
    pub(crate) fn label(&self, environment: usize) -> String {
        let this = &self.environments[environment];
        let twins = self.environments.iter().filter(|other| other.name == this.name).count();
        if twins == 1 {
            return this.name.clone();
        }
        let days = self.environments.iter().filter(|other| other.name == this.name && other.date == this.date);
        let same_handle = days.clone().filter(|other| other.device == this.device).count() > 1;
        let mut label = format!("{} ({}", this.name, this.device);
        if days.count() < twins {
            let _ = write!(label, ", {}", this.date);
        }
        if same_handle {
            let _ = write!(label, ", {}", this.commit);
        }
        label.push(')');
        label
    }
}

/// The index of the environment that a run's line of a device belongs to.
fn environment_of(device: &str, devices: &[(String, usize)]) -> Result<usize> {
    let known = devices.iter().find(|(known, _)| known == device);
    known.map(|(_, index)| *index).ok_or_else(|| anyhow!("no environment line before it for device {device}"))
}

fn positive(name: &str, value: f64) -> Result<()> {
    if value.is_finite() && value > 0.0 { Ok(()) } else { Err(anyhow!("{name} is {value}, which is no time")) }
}

fn short(log_len: u32) -> Result<()> {
    if log_len < 64 { Ok(()) } else { Err(anyhow!("log_len is {log_len}, past every memory")) }
}

#[cfg(test)]
mod tests {
    use super::{Report, sample};

    #[test]
    fn every_kind_is_read_and_unknown_ones_are_noted() {
        let report = sample();
        assert_eq!(report.environments.len(), 2);
        assert_eq!(report.measurements.len(), 16);
        assert_eq!((report.peers.len(), report.papers.len()), (4, 1));
        assert_eq!((report.sweeps.len(), report.launches.len()), (3, 1));
        assert_eq!(report.unknown.iter().collect::<Vec<_>>(), ["weather"]);
        assert_eq!(report.operations(), ["walsh"]);
        assert_eq!(report.measurements[1].environment, 1);
    }

    #[test]
    fn malformed_lines_name_file_and_line() {
        let cases = [
            ("{", "not a JSON object"),
            (r#"{"device":"host"}"#, "kind"),
            (r#"{"kind":"environment","device":"host"}"#, "name"),
            (
                r#"{"kind":"measurement","operation":"walsh","device":"host","element":"f32","log_len":3,"seconds":1}"#,
                "no environment",
            ),
            (
                r#"{"kind":"peer","operation":"walsh","code":"c","machine":"m","element":"f32","log_len":3,"seconds":0}"#,
                "no time",
            ),
            (
                r#"{"kind":"peer","operation":"walsh","code":"c","machine":"m","element":"f32","log_len":64,"seconds":1}"#,
                "past every memory",
            ),
        ];
        for (line, expected) in cases {
            let error = Report::default().add_run("run.jsonl", &format!("\n{line}\n")).unwrap_err();
            let text = format!("{error:#}");
            assert!(text.starts_with("run.jsonl:2: ") && text.contains(expected), "{text}");
        }
    }

    #[test]
    fn a_handle_belongs_to_its_run() {
        let run = |name: &str, date: &str| {
            format!(
                "{{\"kind\":\"environment\",\"device\":\"opencl:0\",\"name\":\"{name}\",\"date\":\"{date}\"}}\n\
                 {{\"kind\":\"measurement\",\"operation\":\"walsh\",\"device\":\"opencl:0\",\"element\":\"f32\",\"log_len\":3,\"seconds\":1}}\n"
            )
        };
        let mut report = Report::default();
        for (name, date) in [("A", "day 1"), ("B", "day 1"), ("A", "day 2")] {
            report.add_run("x", &run(name, date)).unwrap();
        }
        let environments: Vec<usize> = report.measurements.iter().map(|m| m.environment).collect();
        assert_eq!(environments, [0, 1, 2]);
        assert_eq!(report.label(1), "B");
        assert_eq!(report.label(2), "A (opencl:0, day 2)");
    }
}
