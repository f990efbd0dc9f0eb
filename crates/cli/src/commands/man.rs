//! `manycore man`: the manual pages, generated from the command line's definition.

use std::path::Path;

use clap::{Args, Command};
use clap_mangen::Man;
use manycore::files;

use crate::destination::{self, output_error};
use crate::error::Error;
use crate::global::Global;
use crate::output;

/// The arguments of `man`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The command whose page it is, such as `spectrum walsh`; without it, the program's
    ///
    /// With `-o FOLDER` every page is written into that folder, which must exist.
    #[arg(value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// Writes one page of the program that is defined so, in roff; or all of them into the folder that `-o` names.
///
/// # Errors
/// [`Error::Usage`] with `--json` or for a command that is not there; [`Error::Output`] when a page cannot be written.
pub fn run(arguments: &Arguments, mut command: Command, global: &Global) -> Result<(), Error> {
    output::refuse_json(global, "man")?;
    if let Some(folder) = destination::file(global).filter(|path| path.is_dir()) {
        let mut command = command.disable_help_subcommand(true);
        command.build();
        return write_pages(&command, folder);
    }
    command.build();
    let mut chosen = &command;
    for name in &arguments.command {
        chosen = chosen.find_subcommand(name).ok_or_else(|| {
            Error::Usage(format!("`{}` is no command, so it has no manual page", arguments.command.join(" ")))
        })?;
    }
    let page = Man::new(chosen.clone());
    output::write(global, |out| page.render(out))
}

/// Writes the page of a command and those of its subcommands.
fn write_pages(command: &Command, folder: &Path) -> Result<(), Error> {
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        write_pages(subcommand, folder)?;
    }
    let page = Man::new(command.clone());
    files::create(folder.join(page.get_filename()), |out| page.render(out)).map_err(output_error)
}
