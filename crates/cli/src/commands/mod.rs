//! The commands, one file each.

pub mod auto;
pub mod calibrate;
pub mod choice;
pub mod code;
pub mod completions;
pub mod declared;
pub mod devices;
pub mod explain;
pub mod man;
pub mod merge;
pub mod several;
pub mod tune;

use manycore::Device;
use manycore::files::shown;

use crate::arguments::{Cli, Command, Global};
use crate::error::Error;
use crate::shard::Split;

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
        Command::Declared(called) => declared::run(called, &cli.global),
        Command::Code(operation) => code::run(operation, &cli.global),
        Command::Merge(arguments) => merge::run(arguments, &cli.global),
        Command::Completions(arguments) => completions::run(arguments, &cli.global),
        Command::Man(arguments) => man::run(arguments, &cli.global),
    }
}

/// How the work of a command splits into shards; `None` of one whose work does not. Of every command, so that a new one must decide.
pub(crate) fn split(command: &Command) -> Option<&dyn Split> {
    match command {
        Command::Declared(called) => declared::shards::split(called),
        Command::Devices
        | Command::Calibrate(_)
        | Command::Explain(_)
        | Command::Tune(_)
        | Command::Code(_)
        | Command::Merge(_)
        | Command::Completions(_)
        | Command::Man(_) => None,
    }
}

/// What computes: a device, or several.
pub(crate) trait Labelled {
    /// What reports call it: `opencl:0 (NAME)`.
    fn label(&self) -> String;
}

impl Labelled for Device {
    fn label(&self) -> String {
        shown_label(self)
    }
}

fn shown_label(device: &Device) -> String {
    shown(&device.info().label())
}

/// What reports call a device, or several.
pub(crate) fn label(device: &impl Labelled) -> String {
    device.label()
}

/// Refuses options that a command which prints text for other programs cannot follow.
pub(crate) fn refuse_json(global: &Global, command: &str) -> Result<(), Error> {
    if global.json {
        return Err(Error::Usage(format!("`{command}` has no JSON form: --json does not go with it")));
    }
    Ok(())
}
