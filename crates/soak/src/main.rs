//! `manycore-soak`: random operations on every device, each compared with a second route; and fuzz targets of the parsers.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use manycore::{Device, DeviceError};
use manycore_soak::fuzz::{TARGETS, drive};
use manycore_soak::run::{hexadecimal, keep_panics_quiet};
use manycore_soak::{Outcome, Settings, Soak};

/// Does random operations on devices and compares each result with a second route. One line of JSON for each case, and one with
/// the counts at the end. Answers 1 where anything is wrong.
#[derive(Parser)]
#[command(name = "manycore-soak", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// For how many minutes, shared by all devices
    #[arg(long, default_value_t = 10.0, value_parser = minutes)]
    minutes: f64,
    /// The device, as `manycore --device` names it; without this, every device in turn
    #[arg(long)]
    device: Vec<String>,
    /// The first seed; each case has the next one. Without this, a seed that is not foreseen
    #[arg(long, value_parser = seed)]
    seed: Option<u64>,
    /// Bytes of the largest operand; without this, a part of the memory
    #[arg(long)]
    max_bytes: Option<u64>,
    /// Only operations whose name holds this text
    #[arg(long, default_value = "")]
    only: String,
    /// Runs the case of this seed alone
    #[arg(long, value_parser = seed, conflicts_with_all = ["minutes", "seed", "only"])]
    case: Option<u64>,
}

#[derive(Subcommand)]
enum Command {
    /// Gives mutations of a corpus to every parser: a line of JSON for each. Answers 1 where one panics
    Fuzz(Fuzz),
}

#[derive(Args)]
struct Fuzz {
    /// Only targets whose name holds this text
    #[arg(long, default_value = "")]
    target: String,
    /// Inputs for each target
    #[arg(long, default_value_t = 100_000)]
    inputs: u64,
    /// The seed of the mutations; without this, one that is not foreseen
    #[arg(long, value_parser = seed)]
    seed: Option<u64>,
    /// The folder with a folder for each target
    #[arg(long, default_value = "fuzz/corpus", value_name = "FOLDER")]
    corpus: PathBuf,
}

fn seed(text: &str) -> Result<u64, String> {
    let parsed = text.strip_prefix("0x").map_or_else(|| text.parse(), |digits| u64::from_str_radix(digits, 16));
    parsed.map_err(|_| "a number below 2^64, decimal or hexadecimal after 0x".to_owned())
}

fn minutes(text: &str) -> Result<f64, String> {
    let parsed = text.parse().ok().filter(|minutes| (0.0..=1e6).contains(minutes));
    parsed.ok_or_else(|| "a number of minutes from 0 to 1000000".to_owned())
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("manycore-soak: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether nothing is wrong.
fn run(arguments: &Arguments) -> Result<bool, Box<dyn std::error::Error>> {
    keep_panics_quiet();
    if let Some(Command::Fuzz(arguments)) = &arguments.command {
        return fuzz(arguments);
    }
    let devices = devices(&arguments.device)?;
    let mut soak = Soak::new(arguments.max_bytes);
    let mut out = io::stdout().lock();
    if let Some(seed) = arguments.case {
        let mut right = true;
        for device in &devices {
            let line = soak.case(device, seed);
            serde_json::to_writer(&mut out, &line)?;
            writeln!(out)?;
            right &= line.outcome != Outcome::Wrong;
        }
        return Ok(right);
    }
    let seed = arguments.seed.unwrap_or_else(manycore::verify::SplitMix::fresh_seed);
    let names: Vec<String> = devices.iter().map(|device| device.info().label()).collect();
    eprintln!("manycore-soak: {} minutes from seed {} on {}", arguments.minutes, hexadecimal(seed), names.join(", "));
    let settings = Settings {
        devices,
        time: Duration::from_secs_f64(60.0 * arguments.minutes),
        seed,
        most_bytes: arguments.max_bytes,
        only: arguments.only.clone(),
    };
    Ok(soak.run(&settings, &mut out)?.is_right())
}

/// Whether no target panics.
fn fuzz(arguments: &Fuzz) -> Result<bool, Box<dyn std::error::Error>> {
    let seed = arguments.seed.unwrap_or_else(manycore::verify::SplitMix::fresh_seed);
    eprintln!("manycore-soak: {} inputs for each target from seed {}", arguments.inputs, hexadecimal(seed));
    let mut right = true;
    for target in TARGETS.iter().filter(|target| target.name.contains(&arguments.target)) {
        let folder = arguments.corpus.join(target.name);
        let corpus = drive::corpus(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let report = drive::drive(target, &corpus, arguments.inputs, seed);
        right &= report.panics == 0;
        println!("{}", serde_json::to_string(&report)?);
    }
    Ok(right)
}

fn devices(names: &[String]) -> Result<Vec<Device>, DeviceError> {
    if names.is_empty() { Ok(Device::all()) } else { names.iter().map(|name| Device::select(name)).collect() }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn arguments_are_sound() {
        Arguments::command().debug_assert();
        assert_eq!((seed("0x10"), seed("10")), (Ok(16), Ok(10)));
        assert!(seed("x").is_err() && seed("0x").is_err() && seed("-1").is_err());
        assert!(minutes("nan").is_err() && minutes("-1").is_err() && minutes("0.5") == Ok(0.5));
    }
}
