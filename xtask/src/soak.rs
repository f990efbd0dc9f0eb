//! `cargo xtask soak`: random operations on every device, each compared with a second route.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::metadata;
use crate::setup::Tools;
use crate::shell;

/// Does random operations on devices and compares each result with a second route: a line of JSON each.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// For how many minutes, shared by all devices [default: 10]
    #[arg(long)]
    minutes: Option<String>,
    /// The device: host, opencl:0, or a part of its name; without this, every device in turn
    #[arg(long)]
    device: Vec<String>,
    /// The first seed; without this, one that is not foreseen
    #[arg(long)]
    seed: Option<String>,
    /// Bytes of the largest operand; without this, a part of the memory
    #[arg(long, value_name = "BYTES")]
    max_bytes: Option<String>,
    /// Only operations whose name holds this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Runs the case of this seed alone
    #[arg(long, value_name = "SEED")]
    case: Option<String>,
}

/// `cargo xtask soak`: builds the program as released and runs it.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    Tools::set_up();
    let programs = metadata::build(&["build", "--release", "-p", "manycore-soak", "--bins"])?;
    let program = programs.into_iter().find(|program| program.target == "manycore-soak");
    let program = program.context("cargo did not build manycore-soak")?.path;
    let mut command = shell::command(program);
    command.env(metadata::CACHE_VARIABLE, metadata::cache_folder("soak-cache")?);
    for device in &arguments.device {
        command.args(["--device", device]);
    }
    let options = [
        ("--minutes", &arguments.minutes),
        ("--seed", &arguments.seed),
        ("--max-bytes", &arguments.max_bytes),
        ("--only", &arguments.only),
        ("--case", &arguments.case),
    ];
    for (name, value) in options {
        if let Some(value) = value {
            command.args([name, value]);
        }
    }
    shell::run(&mut command)
}

/// The soak of `cargo xtask ci`: this program on every device for `time` in all, its lines in a file of the target folder.
pub(crate) fn run_for(program: PathBuf, time: Duration) -> Result<()> {
    let tools = Tools::detect();
    let folder = metadata::workspace()?.target_directory;
    let lines = folder.join("soak.jsonl");
    let file = std::fs::File::create(&lines).with_context(|| format!("cannot make {}", lines.display()))?;
    let mut command = shell::command(program);
    command.env(metadata::CACHE_VARIABLE, metadata::cache_folder("soak-cache")?);
    command.arg("--minutes").arg(format!("{:.3}", time.as_secs_f64() / 60.0)).stdout(file);
    let result = shell::run(&mut command);
    let text = std::fs::read_to_string(&lines).with_context(|| format!("cannot read {}", lines.display()))?;
    let told: Vec<&str> = text
        .lines()
        .filter(|line| line.contains(r#""outcome":"wrong""#) || line.starts_with(r#"{"first_seed""#))
        .collect();
    // With the error, too: what the steps after this one print may cut what stands here.
    let told = told.join("\n");
    eprintln!("{told}");
    result.with_context(|| told)?;
    if tools.device_expected() && !text.contains(r#""device":"opencl:"#) {
        bail!("no case ran on an OpenCL device");
    }
    Ok(())
}
