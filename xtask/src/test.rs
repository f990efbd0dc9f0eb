//! `cargo xtask test`: the set-up, then every test of the workspace.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::ci::Run;
use crate::ci::items::Item;
use crate::failures;
use crate::faults;
use crate::metadata::{self, CACHE_VARIABLE, Program, TEST_CACHE};
use crate::setup::Tools;
use crate::shell;

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

/// The step whose programs' times are those of their packages.
pub(crate) const STEP: &str = "test";

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
    run.items(STEP, items, SECONDS)
}

/// The documentation examples of the workspace.
pub(crate) fn documentation(run: &Run) -> Result<()> {
    let mut cargo = shell::cargo();
    cargo.args(["test", "--workspace", "--doc", "--no-fail-fast"]);
    run.of_compilers(&mut cargo);
    failures::run(prepared(&mut cargo, &Tools::detect())?)
}

/// Builds all tests and the programs that they start.
///
/// `--tests` links no examples but those that have tests: clippy compiles them, and their links take minutes.
pub(crate) fn built(run: &Run) -> Result<Vec<Program>> {
    let mut cargo = shell::cargo();
    cargo.args(["test", "--workspace", "--no-run", "--tests"]);
    run.of_compilers(&mut cargo);
    metadata::build_by(cargo)
}

/// A test program, or the tests in it that arguments choose, as cargo starts it.
pub(crate) fn item(tools: &Tools, program: &Program, name: String, arguments: &[&str]) -> Result<Item> {
    let mut command = program.command();
    command.args(arguments);
    prepared(&mut command, tools)?;
    // Tests of procedural macros are linked with the compiler's own libraries.
    let deps = program.path.parent().map(Path::to_path_buf);
    let folders = deps.into_iter().chain([compilers_libraries()?]);
    let variable = if cfg!(target_os = "macos") { "DYLD_FALLBACK_LIBRARY_PATH" } else { "LD_LIBRARY_PATH" };
    let before = std::env::var_os(variable).unwrap_or_default();
    command.env(variable, std::env::join_paths(folders.chain(std::env::split_paths(&before)))?);
    Ok(Item { package: program.package.clone(), name, command, judge: |_| Ok(()) })
}

fn compilers_libraries() -> Result<PathBuf> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    Ok(shell::output(Command::new(rustc).args(["--print", "target-libdir"]))?.trim().into())
}

/// The command with the variables of tests. Where a device must be there (CI, or PoCL is installed) its absence fails them.
fn prepared<'a>(command: &'a mut Command, tools: &Tools) -> Result<&'a mut Command> {
    let ci = std::env::var("CI").is_ok_and(|value| value == "true");
    command.env(CACHE_VARIABLE, metadata::cache_folder(TEST_CACHE)?);
    if std::env::var_os("MANYCORE_REQUIRE_OPENCL").is_none() && (ci || tools.device_expected()) {
        command.env("MANYCORE_REQUIRE_OPENCL", "1");
    }
    Ok(command)
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
