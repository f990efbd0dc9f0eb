//! `cargo xtask test`: the set-up, then every test of the workspace.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::failures;
use crate::metadata::{self, CACHE_VARIABLE, TEST_CACHE};
use crate::setup::Tools;
use crate::shell;

/// Sets up, then runs every test of the workspace, documentation examples included.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run the tests by cargo-nextest, each in a process of its own
    #[arg(long)]
    nextest: bool,
    /// Arguments for `cargo test`, which then runs the tests
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

impl Arguments {
    /// The run without arguments: everything.
    pub(crate) fn all() -> Self {
        Self { nextest: false, arguments: Vec::new() }
    }
}

/// Runs the tests. Where a device must be there (CI, or PoCL is installed) its absence fails them.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let tools = Tools::set_up();
    let ci = std::env::var("CI").is_ok_and(|value| value == "true");
    let required = ci || tools.device_expected();
    let cache = metadata::cache_folder(TEST_CACHE)?;
    if std::env::var_os(CACHE_VARIABLE).is_none_or(|folder| folder.is_empty()) {
        forget(&cache)?;
    }
    // A failure among the first does not keep the others from running.
    let outcomes: Vec<Result<()>> = commands(arguments.nextest, &arguments.arguments)
        .into_iter()
        .map(|words| {
            let mut cargo = shell::cargo();
            cargo.args(words).env(CACHE_VARIABLE, &cache);
            if std::env::var_os("MANYCORE_REQUIRE_OPENCL").is_none() && required {
                cargo.env("MANYCORE_REQUIRE_OPENCL", "1");
            }
            failures::run(&mut cargo)
        })
        .collect();
    let errors: Vec<String> = outcomes.into_iter().filter_map(Result::err).map(|error| format!("{error:#}")).collect();
    if !errors.is_empty() {
        bail!("{}", errors.join("\n"));
    }
    Ok(())
}

/// The arguments of each call of cargo.
fn commands(by_nextest: bool, arguments: &[String]) -> Vec<Vec<&str>> {
    let given = arguments.iter().map(String::as_str);
    // Neither runs documentation examples.
    let documentation = ["test", "--workspace", "--doc", "--no-fail-fast"];
    match (arguments.is_empty(), by_nextest) {
        (false, _) => vec![["test", "--workspace"].into_iter().chain(given).collect()],
        // `--tests` links no examples but those that have tests: clippy compiles them, and their links take minutes.
        (true, false) => {
            vec![vec!["test", "--workspace", "--tests", "--no-fail-fast"], documentation.to_vec()]
        }
        (true, true) => vec![vec!["nextest", "run", "--workspace", "--no-fail-fast"], documentation.to_vec()],
    }
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

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn documentation_examples_run_either_way() {
        for (by_nextest, first) in [(false, "test"), (true, "nextest")] {
            let both = commands(by_nextest, &[]);
            assert!(both[0][0] == first && both[1].contains(&"--doc"), "{both:?}");
        }
        let given = ["-p".to_owned(), "manycore-cli".to_owned()];
        for by_nextest in [false, true] {
            assert_eq!(commands(by_nextest, &given), [["test", "--workspace", "-p", "manycore-cli"]]);
        }
    }
}
