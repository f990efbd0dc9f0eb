//! The commands, one file each, and the run of the one that was asked for.

pub mod auto;
pub mod calibrate;
pub mod choice;
pub mod code;
pub mod completions;
pub mod declared;
pub mod devices;
pub mod explain;
pub(crate) mod explained;
pub mod man;
pub mod merge;
pub mod several;
pub mod tune;

use clap::CommandFactory as _;

use crate::arguments::{Cli, Command};
use crate::error::Error;
use crate::global::Global;
use crate::message;
use crate::progress;
use crate::shard::Set;

/// Runs the command that was asked for.
///
/// # Errors
/// Whatever the command fails with.
pub fn run(cli: &Cli) -> Result<(), Error> {
    match &cli.command {
        Command::Devices => devices::run(&cli.global),
        Command::Calibrate(arguments) => calibrate::run(arguments, &cli.global),
        Command::Explain(arguments) => explain::run(arguments, &cli.global),
        Command::Tune(what) => tune::run(what, &cli.global),
        Command::Declared(called) => declared::run::run(called, &cli.global),
        Command::Code(operation) => code::run(operation, &cli.global),
        Command::Merge(arguments) => merge(arguments, &cli.global),
        Command::Completions(arguments) => completions::run(arguments, &mut Cli::command(), &cli.global),
        Command::Man(arguments) => man::run(arguments, Cli::definition_with(|option| option.hide(true)), &cli.global),
    }
}

/// Reads the shards, looks whether they are all there and belong together, and writes the result of their command.
///
/// # Errors
/// [`Error::Shard`] with the file and line of what does not fit; what the command fails with.
fn merge(arguments: &merge::Arguments, global: &Global) -> Result<(), Error> {
    progress::step("reading shards");
    let set = Set::read(&arguments.files)?;
    let Cli { command, .. } = Cli::read(set.words()).map_err(|error| {
        let reason = message::usage(&error.to_string());
        set.damaged(format!("its arguments are none of this program: {reason}"))
    })?;
    let mut cli = Cli { command, global: global.clone() };
    cli.check_form()?;
    let split = cli.command.split().filter(|split| split.refusal().is_none());
    let split = split.ok_or_else(|| set.damaged("its command does not split".to_owned()))?;
    let shards = set.complete(split.deal())?;
    progress::step("putting shards together");
    split.merge(&shards, &cli.global)
}
