//! `manycore calibrate`: measures the machine model's parameters of a device and keeps them.

use std::fmt::Write as _;

use clap::Args;
use manycore::Device;
use manycore::files::escaped;
use manycore::model::machine::{Operation, Seconds};
use manycore::model::{Machine, Source};
use serde::Serialize;
use serde_json::json;

use super::label;
use crate::arguments::Global;
use crate::error::Error;
use crate::output::{self, Report};
use crate::progress::Progress;

/// The arguments of `calibrate`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Measure nothing: show the machine that choices are made for now, calibrated before or typical of the device
    #[arg(long)]
    pub show: bool,

    /// Measure, but keep nothing
    #[arg(long, conflicts_with = "show")]
    pub dry_run: bool,
}

/// What `--help` says first.
pub(crate) const LONG_ABOUT: &str = "\
Measure a device's machine model and keep it

Takes a few seconds: rates of arithmetic, bandwidths of whole and short runs of memory, of caches and of local memory, \
latencies and launches. The result is kept in the user's cache folder (or the folder that MANYCORE_CACHE names) for this \
device with this driver, and every later choice of algorithm and parameters is made for it. A device that is too busy or \
whose clock is unsteady is refused, with the spread of its measurements; what was kept before stays.";

/// A machine as the JSON form has it: its fields, and what follows from them.
#[derive(Debug, Serialize)]
struct Calibrated<'a> {
    #[serde(flatten)]
    machine: &'a Machine,
    /// Words of 4 bytes of a block's local memory, `Z`.
    local_words: u64,
    /// Cycles of the clock in which a thread of a full block moves one word of 4 bytes, `U`.
    transfer_cycles: f64,
    /// The file that it is kept in.
    file: Option<String>,
}

/// Measures or shows the machine of the selected device.
///
/// # Errors
/// [`Error::Device`] when the device is not there, [`Error::Calibrate`] when it cannot be measured or kept,
/// [`Error::Output`].
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    let device = Device::select(&global.device)?;
    let progress = Progress::new(global.quiet);
    let (machine, file) = if arguments.show {
        (device.machine(), None)
    } else {
        progress.step(format!("measuring {}", label(&device)));
        if arguments.dry_run {
            (device.measure_machine()?, None)
        } else {
            device.calibrate().map(|(machine, file)| (machine, Some(file.display().to_string())))?
        }
    };
    drop(progress);
    if global.json {
        let block_bytes = 4.0 * f64::from(machine.block_threads);
        let calibrated = Calibrated {
            machine: &machine,
            local_words: machine.local_bytes / 4,
            transfer_cycles: block_bytes * f64::from(machine.processors) / machine.bandwidth * machine.clock_hz,
            file,
        };
        let report = Report { device: Some(label(&device)), ..Report::new("calibrate", json!({}), calibrated) };
        return output::write_report(global, &report);
    }
    let mut text = table(&machine);
    if let Some(file) = file {
        let _ = writeln!(text, "kept in {}", escaped(&file));
    }
    output::write(global, |out| out.write_all(text.as_bytes()))
}

/// The machine, one parameter a line.
fn table(machine: &Machine) -> String {
    let rate = |rate: f64, unit: &str| format!("{:.3} G{unit}/s", rate / 1e9);
    let time = |seconds: f64| Seconds(seconds).to_string();
    let size = |bytes: u64| format!("{:.0} KiB", bytes as f64 / 1024.0);
    let mut rows = vec![
        ("processors", machine.processors.to_string()),
        ("threads of a block", machine.block_threads.to_string()),
        ("threads of a processor", machine.processor_threads.to_string()),
        ("local memory of a block", size(machine.local_bytes)),
        ("local memory bandwidth", rate(machine.local_bandwidth, "B")),
        ("int32 multiply-adds", rate(machine.rates.int32, "op")),
        ("int64 multiply-adds", rate(machine.rates.int64, "op")),
        ("f32 multiply-adds", rate(machine.rates.f32, "op")),
        ("f64 multiply-adds", if machine.rates.f64 > 0.0 { rate(machine.rates.f64, "op") } else { "none".into() }),
        ("scalar operations", rate(machine.rate(Operation::Scalar), "op")),
        ("a processor alone", format!("{:.2} times its part", machine.lone_speedup)),
        ("latency of an operation", time(machine.operation_latency_seconds)),
        ("memory bandwidth (copy)", rate(machine.bandwidth, "B")),
        ("... of one processor", rate(machine.processor_bandwidth, "B")),
        ("latency of memory", time(machine.memory_latency_seconds)),
        ("overlap, one block", format!("{:.0} %", 100.0 * machine.overlap_alone)),
        ("overlap, several blocks", format!("{:.0} %", 100.0 * machine.overlap_shared)),
        ("launch in a queue", time(machine.launch_seconds)),
        ("launch and wait", time(machine.round_trip_seconds)),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect::<Vec<_>>();
    rows.extend(machine.waking_seconds.map(|seconds| ("until all processors begin".to_owned(), time(seconds))));
    let wide = machine.local_bandwidth_8_bytes;
    rows.extend(wide.map(|bytes| ("local memory, words of 8 bytes".to_owned(), rate(bytes, "B"))));
    rows.extend(machine.segments.iter().map(|s| (format!("runs of {} bytes", s.bytes), rate(s.rate, "B"))));
    rows.extend(machine.caches.iter().map(|c| (format!("cache of {}", size(c.bytes)), rate(c.rate, "B"))));
    rows.extend(machine.handover_bandwidth.map(|bytes| ("from another core's cache".to_owned(), rate(bytes, "B"))));
    rows.extend(machine.takeover_bandwidth.map(|bytes| ("what another core has read".to_owned(), rate(bytes, "B"))));
    rows.extend(machine.handover_seconds.map(|seconds| ("a word from another core".to_owned(), time(seconds))));
    rows.push((
        "source".to_owned(),
        match &machine.source {
            Source::Measured { spread, seconds } => {
                format!("measured in {}, spread {:.1} %", Seconds(*seconds), 100.0 * spread)
            }
            _ => "typical of this kind of device; `manycore calibrate` measures it".to_owned(),
        },
    ));
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    rows.iter().fold(format!("{}\n", machine.name), |mut text, (name, value)| {
        let _ = writeln!(text, "  {name:<width$}  {value}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_has_its_line() {
        let machine = Device::host().typical_machine();
        let text = table(&machine);
        let waking = usize::from(machine.waking_seconds.is_some());
        let wide = usize::from(machine.local_bandwidth_8_bytes.is_some());
        let handed =
            usize::from(machine.handover_bandwidth.is_some()) + usize::from(machine.handover_seconds.is_some());
        let lists = machine.segments.len() + machine.caches.len();
        assert_eq!(text.lines().count(), 1 + 19 + waking + wide + handed + lists + 1, "{text}");
        assert!(text.contains("typical of this kind"), "{text}");
    }
}
