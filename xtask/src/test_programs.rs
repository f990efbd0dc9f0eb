//! The programs of the workspace's tests, and the variables that they are started with.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::ci::items::Item;
use crate::ci::run::Run;
use crate::metadata::{self, CACHE_VARIABLE, Program, TEST_CACHE};
use crate::setup::Tools;
use crate::shell;

/// Builds all tests and the programs that they start.
///
/// `--tests` links no examples but those that have tests: clippy compiles them, and their links take minutes.
pub(crate) fn built(run: &Run) -> Result<Vec<Program>> {
    let mut cargo = shell::cargo();
    cargo.args(["test", "--workspace", "--no-run", "--tests"]);
    run.of_compilers(&mut cargo);
    metadata::build_with(cargo)
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
pub(crate) fn prepared<'a>(command: &'a mut Command, tools: &Tools) -> Result<&'a mut Command> {
    let ci = std::env::var("CI").is_ok_and(|value| value == "true");
    command.env(CACHE_VARIABLE, metadata::cache_folder(TEST_CACHE)?);
    if std::env::var_os("MANYCORE_REQUIRE_OPENCL").is_none() && (ci || tools.device_expected()) {
        command.env("MANYCORE_REQUIRE_OPENCL", "1");
    }
    Ok(command)
}
