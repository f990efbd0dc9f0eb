//! `manycore-bench`: times every case on the host and every OpenCL device, checks every result, and prints a table or
//! one JSON object a line.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};
use manycore_benches::runner;
use manycore_benches::table::Table;
use manycore_benches::wait;
use manycore_benches::walsh::Profile;

/// Times Manycore's operations on every device and checks every result.
#[derive(Parser)]
#[command(name = "manycore-bench", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    other: Option<Other>,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
    /// How much to run
    #[arg(long, value_enum, default_value = "standard")]
    profile: Profile,
    /// Only on this device: host, host:THREADS, opencl:NUMBER, or a part of its name; may be given again
    #[arg(long = "device", value_name = "SPEC")]
    devices: Vec<String>,
    /// Only print what would run, one case and device a line
    #[arg(long)]
    list: bool,
    /// Only cases whose name holds this text, such as walsh/f32/2^20
    filter: Option<String>,
}

/// Other benches than of operations in a row.
#[derive(Subcommand)]
enum Other {
    /// Times whole processes of the program, by the host, by a GPU and by what `--device auto` takes
    Wait(wait::Arguments),
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("manycore-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    if let Some(Other::Wait(arguments)) = &arguments.other {
        return wait::run(arguments);
    }
    let plans = runner::plan(arguments.profile, &arguments.devices, arguments.filter.as_deref())?;
    if arguments.list {
        for plan in &plans {
            let threads = plan.threads.map_or(String::new(), |threads| format!(", threads: {threads}"));
            for case in plan.lines() {
                println!("{case} on {}{threads}", plan.device.info().id);
            }
        }
        return Ok(());
    }
    if plans.is_empty() {
        bail!("no case fits");
    }
    let started = Instant::now();
    let mut table = Table::new();
    let mut out = std::io::stdout().lock();
    let mut broken = false;
    let outcome = runner::run(&plans, arguments.profile, arguments.filter.as_deref(), |line| {
        let text = if arguments.json { serde_json::to_string(&line).ok() } else { table.text(&line) };
        // Whoever reads may have gone; the run then ends with an error, not with a panic.
        broken |= text.is_some_and(|text| writeln!(out, "{text}").and_then(|()| out.flush()).is_err());
    })?;
    eprintln!(
        "manycore-bench: {} measured, {} left out, {:.0} s",
        outcome.measured,
        outcome.skipped,
        started.elapsed().as_secs_f64()
    );
    if outcome.wrong + outcome.failed > 0 {
        bail!("{} results were wrong and {} cases failed", outcome.wrong, outcome.failed);
    }
    if broken {
        bail!("the output could not be written");
    }
    Ok(())
}
