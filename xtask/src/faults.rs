//! `cargo xtask faults`: each command of the program under many injected faults of a device.

use anyhow::{Context, Result};

use crate::ci::run::Run;
use crate::metadata::{self, CACHE_VARIABLE, Program, TEST_CACHE};
use crate::setup::Tools;
use crate::{shell, test_programs};

/// The variable by which the test learns how many faults a case has.
const FAULTS_VARIABLE: &str = "MANYCORE_FAULTS";

/// Runs each command of the program with injected faults of a device: none may give a wrong result with --verify, end by a
/// signal or go on without end.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Faults of each case; 40 are over four thousand in all
    #[arg(long, default_value_t = 40)]
    each: u32,
    /// Only commands whose test has this text in its name
    filter: Option<String>,
}

/// `cargo xtask faults`: the test `faults` of the program with more faults than CI has time for.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    Tools::set_up();
    let mut cargo = shell::cargo();
    cargo.args(["test", "--workspace", "--test", "faults", "--no-fail-fast", "--"]).args(&arguments.filter);
    cargo.env(CACHE_VARIABLE, metadata::cache_folder(TEST_CACHE)?);
    cargo.env(FAULTS_VARIABLE, arguments.each.to_string()).env("MANYCORE_REQUIRE_OPENCL", "1");
    shell::run(&mut cargo)
}

/// Whether a program is the one of injected faults.
pub(crate) fn is_of(program: &Program) -> bool {
    program.package == "manycore-cli" && program.target == "faults"
}

/// Seconds in which its tests begin, in a run that is not of everything.
const SECONDS: u64 = 90;

/// Its tests one by one, as many as there is time for.
pub(crate) fn step(run: &Run) -> Result<()> {
    let programs = test_programs::built(run)?;
    let program = programs.iter().find(|program| is_of(program)).context("manycore-cli has no test called faults")?;
    let tools = Tools::detect();
    let names = program.tests()?;
    let item = |name: &String| test_programs::item(&tools, program, format!("faults {name}"), &["--exact", name]);
    run.items("faults", names.iter().map(item).collect::<Result<_>>()?, SECONDS)
}
