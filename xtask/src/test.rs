//! `cargo xtask test`: the set-up, then every test of the workspace.

use anyhow::Result;

use crate::setup::Tools;
use crate::shell;

/// Sets up, then runs `cargo test --workspace`, documentation examples included.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Arguments for `cargo test`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

impl Arguments {
    /// The run without arguments: everything.
    pub(crate) fn all() -> Self {
        Self { arguments: Vec::new() }
    }
}

/// Runs the tests. Where a device must be there (CI, or PoCL is installed) its absence fails them.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let tools = Tools::set_up();
    let mut cargo = shell::cargo();
    cargo.args(["test", "--workspace"]);
    if arguments.arguments.is_empty() {
        cargo.arg("--no-fail-fast");
    }
    cargo.args(&arguments.arguments);
    let ci = std::env::var("CI").is_ok_and(|value| value == "true");
    if std::env::var_os("MANYCORE_REQUIRE_OPENCL").is_none() && (ci || tools.device_expected()) {
        cargo.env("MANYCORE_REQUIRE_OPENCL", "1");
    }
    shell::run(&mut cargo)
}
