//! `manycore calibrate`: measures the machine model's parameters of a device and keeps them.

use std::fmt::Write as _;

use clap::Args;
use manycore::files::{escaped, shown};
use manycore::model::machine::{Operation, Seconds};
use manycore::model::{Machine, Source};
use serde::Serialize;
use serde_json::json;

use crate::commands::several::best_one;
use crate::error::Error;
use crate::global::Global;
use crate::label::label;
use crate::output::{self, Report};
use crate::progress;

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
Measure the numbers of a device's machine model and store them for later runs

Takes about two seconds: rates of arithmetic, bandwidths of whole and short runs of memory, of caches and of local memory, and \
what launches cost. The result is kept in the user's cache folder (or the folder that MANYCORE_CACHE names) for this device with \
this driver, and later estimates are made with it. On a busy device the measurements spread: the spread is told, and where an \
earlier calibration spread less, that one stays.";

/// The JSON form of a machine: its fields, and figures that follow from them.
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
    /// Whether it is an earlier calibration, whose measurements spread less; `None` where nothing was to be kept.
    kept_old: Option<bool>,
}

/// Measures or shows the machine of the selected device.
///
/// # Errors
/// [`Error::Device`] when the device is not there, [`Error::Calibrate`] when it cannot be measured or kept,
/// [`Error::Output`].
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    let device = best_one(global)?;
    let (machine, kept) = if arguments.show {
        (device.machine(), None)
    } else {
        progress::step(format!("measuring {}", label(&device)));
        if arguments.dry_run {
            (device.measure_machine()?, None)
        } else {
            let found = device.calibrate()?;
            (found.machine, Some((found.path.display().to_string(), found.kept_old)))
        }
    };
    if global.json {
        let block_bytes = 4.0 * f64::from(machine.block_threads);
        let calibrated = Calibrated {
            machine: &machine,
            local_words: machine.local_bytes / 4,
            transfer_cycles: block_bytes * f64::from(machine.processors) / machine.bandwidth * machine.clock_hz,
            kept_old: kept.as_ref().map(|(_, old)| *old),
            file: kept.map(|(file, _)| file),
        };
        let report = Report { device: Some(label(&device)), ..Report::new("calibrate", json!({}), calibrated) };
        return output::write_report(global, &report);
    }
    let mut text = table(&machine);
    if let Some((file, kept_old)) = kept {
        let which = if kept_old { "an earlier calibration, which spread less, stays" } else { "kept" };
        let _ = writeln!(text, "{which} in {}", escaped(&file));
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
        ("local memory of a block", size(machine.local_bytes)),
        ("local memory bandwidth", rate(machine.local_bandwidth, "B")),
        ("int32 multiply-adds", rate(machine.rates.int32, "op")),
        ("int64 multiply-adds", rate(machine.rates.int64, "op")),
        ("f32 multiply-adds", rate(machine.rates.f32, "op")),
        ("f64 multiply-adds", if machine.rates.f64 > 0.0 { rate(machine.rates.f64, "op") } else { "none".into() }),
        ("scalar operations", rate(machine.rate(Operation::Scalar), "op")),
        ("latency of an operation", time(machine.operation_latency_seconds)),
        ("memory bandwidth (copy)", rate(machine.bandwidth, "B")),
        ("... of one processor", rate(machine.processor_bandwidth, "B")),
        ("launch in a queue", time(machine.launch_seconds)),
        ("launch and wait", time(machine.round_trip_seconds)),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect::<Vec<_>>();
    let wide = machine.local_bandwidth_8_bytes;
    rows.extend(wide.map(|bytes| ("local memory, words of 8 bytes".to_owned(), rate(bytes, "B"))));
    rows.extend(machine.segments.iter().map(|s| (format!("runs of {} bytes", s.bytes), rate(s.rate, "B"))));
    rows.extend(machine.caches.iter().map(|c| (format!("cache of {}", size(c.bytes)), rate(c.rate, "B"))));
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
    rows.iter().fold(format!("{}\n", shown(&machine.name)), |mut text, (name, value)| {
        let _ = writeln!(text, "  {name:<width$}  {value}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_has_its_line() {
        let machine = manycore::Device::host().typical_machine();
        let text = table(&machine);
        let wide = usize::from(machine.local_bandwidth_8_bytes.is_some());
        let lists = machine.segments.len() + machine.caches.len();
        assert_eq!(text.lines().count(), 1 + 14 + wide + lists + 1, "{text}");
        assert!(text.contains("typical of this kind"), "{text}");
    }
}
