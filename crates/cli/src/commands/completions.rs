//! `manycore completions`: what a shell needs to complete the program's arguments.

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use crate::arguments::{Cli, Global};
use crate::commands::refuse_json;
use crate::error::Error;
use crate::output;

/// The arguments of `completions`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

/// Writes the completions.
///
/// # Errors
/// [`Error::Usage`] with `--json`; [`Error::Output`] when they cannot be written.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    refuse_json(global, "completions")?;
    let mut text = Vec::new();
    generate(arguments.shell, &mut Cli::command(), "manycore", &mut text);
    output::write(global, |out| out.write_all(&text))
}
