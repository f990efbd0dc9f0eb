//! The command line.

use std::ffi::OsString;

use clap::{Arg, Args as _, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::commands::declared::called::Called;
use crate::commands::declared::shards;
use crate::commands::{calibrate, code, completions, explain, man, merge, tune};
use crate::destination;
use crate::error::Error;
use crate::global::Global;
use crate::output;
use crate::shard::{self, Split};

/// Exact algebra and spectral methods on the host and on OpenCL devices.
///
/// Exit status: 0 when done, 2 for bad usage or input, 1 for a failure of the machine or a wrong result. An error is one line on standard
/// error that names the file, line and value.
#[derive(Debug, Parser)]
#[command(name = "manycore", version, arg_required_else_help = true)]
pub struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// The command line: every option with a value takes one that begins with a minus and a digit, so that it is refused by what reads
    /// the value. Help of a command begins with forms and examples, and leaves options of all commands to that of the program.
    pub fn definition() -> clap::Command {
        Self::definition_with(|option| option.hide_short_help(true).hide_long_help(true))
    }

    /// The same, where something else is done with options of all commands in the commands.
    pub(crate) fn definition_with(own: impl Fn(Arg) -> Arg) -> clap::Command {
        fn negative(command: clap::Command) -> clap::Command {
            let with_value = |argument: clap::Arg| {
                let takes = !argument.is_positional() && argument.get_action().takes_values();
                if takes { argument.allow_negative_numbers(true) } else { argument }
            };
            command.mut_args(with_value).mut_subcommands(negative)
        }
        let options: Vec<Arg> =
            Global::augment_args(clap::Command::new("all")).get_arguments().cloned().map(own).collect();
        let command = Self::command().mut_subcommands(|command| with_own_options_first(command, &options));
        negative(command)
    }

    /// The arguments of the program, the first of which is its name.
    ///
    /// # Errors
    /// What is wrong, or what `--help` and `--version` print.
    pub fn read<T: Into<std::ffi::OsString> + Clone>(
        arguments: impl IntoIterator<Item = T>,
    ) -> Result<Self, clap::Error> {
        let mut definition = Self::definition();
        let matches = definition.try_get_matches_from_mut(arguments)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut definition))
    }

    /// Looks at where the result goes and in which form, and at the part of the work that `arguments` ask for, before the work begins.
    ///
    /// # Errors
    /// [`Error::Shard`] and [`Error::Input`] of a part; [`Error::Usage`] for a form that the result does not have; [`Error::Output`] for a
    /// file that cannot be written.
    pub(crate) fn prepare(&mut self, arguments: &[OsString]) -> Result<(), Error> {
        self.global.sharding = shard::begin(&self.global, self.command.split(), Self::command, arguments)?;
        self.check_form()?;
        // A page goes into each file of a folder.
        self.global.target = destination::open(&self.global, matches!(self.command, Command::Man(_)))?;
        self.global.not_checked = self.not_checked().filter(|_| self.global.verify);
        Ok(())
    }

    /// Looks whether the form that was asked for is one that the result of the command has.
    ///
    /// # Errors
    /// [`Error::Usage`].
    pub(crate) fn check_form(&mut self) -> Result<(), Error> {
        let language = if let Command::Declared(called) = &self.command { called.format } else { None };
        self.global.language = destination::language(language, &self.global)?;
        self.command.text_alone().map_or(Ok(()), |what| output::check_text(&self.global, what))
    }

    /// Why `--verify` checks nothing of what a command tells; `None` of commands that are checked. Of every command, so that a new one
    /// must decide.
    fn not_checked(&self) -> Option<&'static str> {
        if self.global.sharding.is_some() {
            return self.command.split().and_then(Split::not_checked);
        }
        match &self.command {
            Command::Devices => Some("a list of devices has no second computation"),
            Command::Calibrate(_) => Some("measured times differ from run to run"),
            Command::Explain(_) => Some("an explanation has no result"),
            Command::Tune(_) => {
                Some("choices are measured times; each candidate is compared with the host as it is tried")
            }
            Command::Completions(_) | Command::Man(_) => Some("a text about the program has no result"),
            Command::Declared(called) => called.declaration().not_checked,
            Command::Code(_) | Command::Merge(_) => None,
        }
    }
}

/// Help of a command.
const TEMPLATE: &str = "\
{before-help}{about-with-newline}
{usage-heading} {usage}{after-help}

{all-args}

Options of every command, such as --device, --json, --verify and -o FILE: manycore --help";

/// A command with these options of all commands, and its help.
fn with_own_options_first(command: clap::Command, options: &[Arg]) -> clap::Command {
    command.help_template(TEMPLATE).args(options).mut_subcommands(|command| with_own_options_first(command, options))
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the devices; a star marks the one that would be used
    Devices,
    /// Measure the numbers of a device's machine model and store them for later runs
    #[command(long_about = calibrate::LONG_ABOUT)]
    Calibrate(calibrate::Arguments),
    /// Show the plan that an operation chooses, the estimated cost of every candidate, and the blocks of its work
    Explain(explain::Arguments),
    /// Measure the algorithms of operations on a device, and store the fastest as cached choices
    #[command(subcommand, long_about = tune::LONG_ABOUT, after_long_help = tune::AFTER_HELP)]
    Tune(tune::Tune),
    /// An operation that is declared.
    #[command(flatten)]
    Declared(Called),
    /// Split a file into K data and M parity parts; any K parts restore the file
    #[command(subcommand)]
    Code(code::Operation),
    /// Merge the shards of a command into its result
    #[command(long_about = merge::LONG_ABOUT, after_long_help = merge::AFTER_HELP)]
    Merge(merge::Arguments),
    /// Print the completions of a shell
    Completions(completions::Arguments),
    /// Print the manual page of a command, or write all of them
    Man(man::Arguments),
}

impl Command {
    /// How the work of a command splits into shards; `None` of one whose work does not. Of every command, so that a new one must decide.
    pub(crate) fn split(&self) -> Option<&dyn Split> {
        match self {
            Self::Declared(called) => shards::split(called),
            Self::Devices
            | Self::Calibrate(_)
            | Self::Explain(_)
            | Self::Tune(_)
            | Self::Code(_)
            | Self::Merge(_)
            | Self::Completions(_)
            | Self::Man(_) => None,
        }
    }

    /// What a command writes if no array holds it. Of every command, so that a new one must decide.
    fn text_alone(&self) -> Option<&'static str> {
        match self {
            Self::Devices => Some("a list of devices"),
            Self::Calibrate(_) => Some("a machine model"),
            Self::Explain(_) => Some("an explanation"),
            Self::Tune(_) => Some("a list of choices"),
            Self::Completions(_) => Some("a list of completions"),
            Self::Man(_) => Some("a manual page"),
            Self::Code(code::Operation::Split(_)) => Some("a list of files"),
            Self::Code(code::Operation::Join(_))
            // Its form is checked once the command of the shards is known.
            | Self::Merge(_) => None,
            Self::Declared(called) => called.text_alone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Cli::definition().debug_assert();
    }

    #[test]
    fn global_options_stand_before_or_after_the_command() {
        for arguments in [["manycore", "--seed", "7", "devices"], ["manycore", "devices", "--seed", "7"]] {
            assert_eq!(Cli::try_parse_from(arguments).unwrap().global.seed, Some(7));
        }
    }
}
