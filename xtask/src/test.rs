//! `cargo xtask test`: the set-up, then every test of the workspace.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::ci::run::{Run, TESTS};
use crate::failures;
use crate::faults;
use crate::metadata::{self, CACHE_VARIABLE, TEST_CACHE};
use crate::setup::Tools;
use crate::shell;
use crate::test_programs::{built, item, prepared};

/// Sets up, then runs every test of the workspace, documentation examples included.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Arguments for `cargo test`, which then runs the tests
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// `cargo xtask test`. A failure among the first does not keep the others from running.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let run = Run::everything();
    if !arguments.arguments.is_empty() {
        let mut cargo = shell::cargo();
        cargo.args(["test", "--workspace"]).args(&arguments.arguments);
        return failures::run(prepared(&mut cargo, &Tools::set_up())?);
    }
    let outcomes = [programs(&run), faults::step(&run), documentation(&run)];
    let errors: Vec<String> = outcomes.into_iter().filter_map(Result::err).map(|error| format!("{error:#}")).collect();
    if !errors.is_empty() {
        bail!("{}", errors.join("\n"));
    }
    Ok(())
}

/// Seconds in which programs of tests begin, in a run that is not of everything.
const SECONDS: u64 = 360;

/// Every test program of the workspace but the one of injected faults, two or more side by side.
pub(crate) fn programs(run: &Run) -> Result<()> {
    let tools = Tools::set_up();
    if std::env::var_os(CACHE_VARIABLE).is_none_or(|folder| folder.is_empty()) {
        forget(&metadata::cache_folder(TEST_CACHE)?)?;
    }
    let mut items = Vec::new();
    for program in built(run)?.iter().filter(|program| program.test && !faults::is_of(program)) {
        let name = format!("{} {} {}", program.package, program.kind, program.target);
        let mut item = item(&tools, program, name, &[])?;
        item.command = run.of_test(item.command, &program.package);
        items.push(item);
    }
    run.items(TESTS, items, SECONDS)
}

/// The documentation examples of the workspace.
pub(crate) fn documentation(run: &Run) -> Result<()> {
    let mut cargo = shell::cargo();
    cargo.args(["test", "--workspace", "--doc", "--no-fail-fast"]);
    run.of_compilers(&mut cargo);
    failures::run(prepared(&mut cargo, &Tools::detect())?)
}

/// Removes what earlier tests kept: no test finds the choices of another run.
fn forget(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}
