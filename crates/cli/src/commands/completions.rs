//! `manycore completions`: what a shell needs to complete the program's arguments.

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::error::Error;
use crate::global::Global;
use crate::output;

/// The arguments of `completions`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

/// Writes the completions of the program that is defined so.
///
/// # Errors
/// [`Error::Usage`] with `--json`; [`Error::Output`] when they cannot be written.
pub fn run(arguments: &Arguments, definition: &mut Command, global: &Global) -> Result<(), Error> {
    output::refuse_json(global, "completions")?;
    let mut text = Vec::new();
    generate(arguments.shell, definition, "manycore", &mut text);
    output::write(global, |out| out.write_all(&text))
}
