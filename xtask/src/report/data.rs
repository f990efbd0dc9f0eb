//! The lines of a bench run: what the program `manycore-bench` prints, read and checked.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::{Context, Result, anyhow};
use serde::Deserialize;
use serde_json::Value;

/// The machine and device that measurements were made on.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Environment {
    /// The device's handle there: `host`, `opencl:0`.
    pub(crate) device: String,
    /// `host`, `cpu` (through OpenCL) or `gpu`: which other codes it stands beside.
    #[serde(default)]
    pub(crate) class: String,
    /// The device's own name.
    pub(crate) name: String,
    /// Its driver and version; empty for the host.
    #[serde(default)]
    pub(crate) driver: String,
    /// Compute units, or cores.
    pub(crate) processors: Option<u64>,
    /// Its memory.
    pub(crate) memory_bytes: Option<u64>,
    /// Host threads used.
    pub(crate) threads: Option<u64>,
    /// The commit of the code.
    #[serde(default)]
    pub(crate) commit: String,
    /// The day of the run.
    #[serde(default)]
    pub(crate) date: String,
    /// Bytes that a copy in its memory reads and writes a second.
    pub(crate) copy_bytes_per_second: Option<f64>,
}

/// One timed case.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Measurement {
    /// The operation's name.
    pub(crate) operation: String,
    /// The device's handle, of an environment that came before.
    pub(crate) device: String,
    /// Which environment of the report that is.
    #[serde(skip)]
    pub(crate) environment: usize,
    /// The element type.
    pub(crate) element: String,
    /// The order of the spectrum, where there are several.
    #[serde(default)]
    pub(crate) order: String,
    /// The algorithm, where there are several.
    #[serde(default)]
    pub(crate) algorithm: String,
    /// Values of one transform, as a power of two.
    pub(crate) log_len: u32,
    /// Transforms done at once.
    #[serde(default = "one")]
    pub(crate) batch: u64,
    /// Host threads.
    pub(crate) threads: Option<u64>,
    /// The median time.
    pub(crate) seconds: f64,
    /// The shortest time.
    pub(crate) minimum: Option<f64>,
    /// The longest time.
    pub(crate) maximum: Option<f64>,
    /// Times measured.
    pub(crate) repeats: Option<u64>,
    /// Time to bring the values to the device, not part of `seconds`.
    pub(crate) upload_seconds: Option<f64>,
    /// Time to bring them back.
    pub(crate) download_seconds: Option<f64>,
    /// The time that the device's memory and arithmetic make necessary.
    pub(crate) floor_seconds: Option<f64>,
    /// Passes over all values.
    pub(crate) passes: Option<f64>,
    /// The floor of so many passes.
    pub(crate) pass_floor_seconds: Option<f64>,
    /// Bytes that memory must move.
    pub(crate) bytes: Option<f64>,
    /// Arithmetic operations.
    pub(crate) operations: Option<f64>,
    /// Kernel launches.
    pub(crate) launches: Option<u64>,
    /// Whether the result was compared with another way to compute it.
    pub(crate) verified: Option<bool>,
    /// Whether it is a plain form to compare with, and not the library.
    #[serde(default)]
    pub(crate) baseline: bool,
    /// Anything else worth saying.
    #[serde(default)]
    pub(crate) note: String,
}

/// A case that was not run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Skipped {
    /// The operation's name.
    pub(crate) operation: String,
    /// The case's name.
    pub(crate) case: String,
    /// The device's handle.
    pub(crate) device: String,
    /// Why.
    pub(crate) reason: String,
}

impl Measurement {
    /// Values transformed.
    pub(crate) fn values(&self) -> f64 {
        self.batch as f64 * f64::from(self.log_len).exp2()
    }
}

/// Another code's figure for the same work.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Peer {
    /// The operation's name.
    pub(crate) operation: String,
    /// The code.
    pub(crate) code: String,
    /// The machine it ran on.
    pub(crate) machine: String,
    /// Which class of devices it stands beside, `host` or `gpu`; empty: only the machine it ran on.
    #[serde(default)]
    pub(crate) class: String,
    /// The element type.
    pub(crate) element: String,
    /// Values of one transform, as a power of two.
    pub(crate) log_len: u32,
    /// Transforms done at once.
    #[serde(default = "one")]
    pub(crate) batch: u64,
    /// Host threads it used, where that matters: it is then set beside our times with as many.
    pub(crate) threads: Option<u64>,
    /// Its time.
    pub(crate) seconds: f64,
    /// Who measured it, or where it is published.
    #[serde(default)]
    pub(crate) source: String,
}

/// A figure that a paper states.
#[allow(clippy::struct_field_names)] // the fields are those of the lines
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Paper {
    /// The operation's name.
    pub(crate) operation: String,
    /// The paper by its number, and the place in it.
    pub(crate) paper: String,
    /// What it says.
    #[serde(default)]
    pub(crate) statement: String,
    /// Values of one transform, as a power of two, where it says so.
    pub(crate) log_len: Option<u32>,
    /// The figure; `None` where the text states none.
    pub(crate) value: Option<f64>,
    /// Its unit, such as `speedup`.
    pub(crate) unit: String,
}

/// The predictions of a choice beside measurements.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Sweep {
    /// The sweep's name.
    pub(crate) case: String,
    /// The device's handle.
    device: String,
    /// The index of its environment, found while reading.
    #[serde(skip)]
    pub(crate) environment: usize,
    /// Host threads; absent on OpenCL devices.
    pub(crate) threads: Option<u64>,
    /// The point predicted to be the fastest.
    pub(crate) chosen: usize,
    /// The point measured to be the fastest.
    pub(crate) best: usize,
    /// Measured time of the chosen point over that of the best.
    pub(crate) chosen_over_best: f64,
    /// Predicted over measured time of the chosen point, or its inverse where that is larger.
    pub(crate) chosen_factor: f64,
    /// The largest such factor of all points.
    pub(crate) worst_factor: f64,
    /// The candidates.
    pub(crate) points: Vec<SweepPoint>,
}

/// One candidate of a sweep.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct SweepPoint {
    /// The algorithm and its parameters.
    pub(crate) parameters: String,
    /// What the model predicts.
    pub(crate) predicted_seconds: f64,
    /// What it says cannot be undercut.
    pub(crate) floor_seconds: f64,
    /// What the clock says.
    pub(crate) measured_seconds: f64,
}

fn one() -> u64 {
    1
}

/// Everything that the lines said.
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
    /// Predictions beside measurements.
    pub(crate) sweeps: Vec<Sweep>,
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
                let device = devices.iter().find(|(device, _)| *device == measurement.device);
                measurement.environment =
                    device.ok_or_else(|| anyhow!("no environment line before it for device {}", measurement.device))?.1;
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
                let device = devices.iter().find(|(device, _)| *device == sweep.device);
                sweep.environment =
                    device.ok_or_else(|| anyhow!("no environment line before it for device {}", sweep.device))?.1;
                if sweep.chosen.max(sweep.best) >= sweep.points.len() {
                    return Err(anyhow!("a choice that is none of the {} points", sweep.points.len()));
                }
                for point in &sweep.points {
                    positive("measured_seconds", point.measured_seconds)?;
                    positive("predicted_seconds", point.predicted_seconds)?;
                }
                self.sweeps.push(sweep);
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

fn positive(name: &str, value: f64) -> Result<()> {
    if value.is_finite() && value > 0.0 { Ok(()) } else { Err(anyhow!("{name} is {value}, which is no time")) }
}

fn short(log_len: u32) -> Result<()> {
    if log_len < 64 { Ok(()) } else { Err(anyhow!("log_len is {log_len}, past every memory")) }
}

/// A small run with every kind of line, for the tests of this module.
#[cfg(test)]
pub(crate) fn sample() -> Report {
    let mut lines = vec![
        r#"{"kind":"environment","device":"host","name":"EPYC <2 cores>","driver":"","processors":2,"memory_bytes":8589934592,"threads":2,"commit":"abc1234","date":"2026-11-21"}"#.to_owned(),
        r#"{"kind":"environment","device":"opencl:0","name":"NVIDIA H200","driver":"580.1","processors":132,"memory_bytes":150000000000,"threads":1,"commit":"abc1234","date":"2026-11-21","later_field":1}"#.to_owned(),
    ];
    let case = |device: &str, log_len: u32, batch: u64, seconds: f64, floor: f64| {
        format!(
            r#"{{"kind":"measurement","operation":"walsh","device":"{device}","element":"f32","order":"hadamard","algorithm":"cooley-tukey","log_len":{log_len},"batch":{batch},"threads":1,"seconds":{seconds:e},"minimum":{:e},"maximum":{:e},"repeats":9,"upload_seconds":null,"download_seconds":0.002,"floor_seconds":{floor:e},"bytes":1e9,"operations":2e8,"launches":2,"verified":true,"note":""}}"#,
            seconds * 0.9,
            seconds * 1.2
        )
    };
    for log_len in [10_u32, 14, 18, 20, 22, 24, 26] {
        let n = f64::from(log_len).exp2();
        lines.push(case("host", log_len, 1, 1e-6 + n * 7e-10, n * 3e-10));
        lines.push(case("opencl:0", log_len, 1, 7e-6 + n * 4.5e-12, n * 2e-12));
    }
    lines.push(case("opencl:0", 10, 1 << 17, 2.9e-4, 2.5e-4));
    lines.push(case("opencl:0", 12, 1 << 15, 2.95e-4, 2.5e-4));
    for (log_len, seconds) in [(20, 21.7e-6), (22, 61.9e-6), (24, 315e-6), (26, 1334e-6)] {
        lines.push(format!(
            r#"{{"kind":"peer","operation":"walsh","code":"CUDA samples fastWalshTransform","machine":"NVIDIA H200","element":"f32","log_len":{log_len},"batch":1,"seconds":{seconds:e},"source":"measured"}}"#
        ));
    }
    lines.push(r#"{"kind":"paper","operation":"walsh","paper":"001 Figure 4","statement":"A | B","log_len":20,"value":12.5,"unit":"speedup"}"#.to_owned());
    let sweep = |best: usize, over: f64| {
        let point = |name: &str, predicted: f64, measured: f64| {
            format!(
                r#"{{"parameters":"{name}","predicted_seconds":{predicted:e},"floor_seconds":5e-5,"bound_seconds":1e-3,"measured_seconds":{measured:e}}}"#
            )
        };
        let points = [point("tiles", 1.2e-4, 1e-4), point("columns", 1.3e-4, 1e-4 / over)].join(",");
        format!(
            r#"{{"kind":"sweep","operation":"walsh","case":"model/walsh/f32/2^20/cooley-tukey","device":"opencl:0","threads":null,"calibrated":true,"chosen":0,"best":{best},"chosen_over_best":{over},"chosen_factor":1.2,"worst_factor":1.3,"points":[{points}]}}"#
        )
    };
    lines.extend([sweep(0, 1.0), sweep(1, 1.5)]);
    lines.push(r#"{"kind":"weather","sky":"clear"}"#.to_owned());
    let mut report = Report::default();
    report.add_run("sample", &lines.join("\n")).expect("the sample is well formed");
    report
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
