//! The command line.

use std::path::PathBuf;

use clap::{Arg, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use manycore::device::MOST_THREADS;
use manycore::files::{AlgebraText, Target};

use crate::commands::declared::Called;
use crate::commands::{calibrate, code, completions, explain, man, merge, tune};
use crate::shard::{Shard, Sharding};

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

/// The options of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
#[allow(clippy::struct_excessive_bools)] // options without a value
pub struct Global {
    /// Where to compute: `auto` (the host or an OpenCL GPU, whichever is estimated to finish first), `host`, `host:THREADS`, `opencl:NUMBER`, or
    /// a part of a device's name; for commands that share their work, several with commas between them, or `gpus`
    #[arg(long, global = true, value_name = "DEVICE", default_value = "auto", env = "MANYCORE_DEVICE")]
    #[arg(hide_env_values = true, value_parser = device)]
    pub device: String,

    /// Write one JSON object: command, device, algorithm, parameters, times and result
    ///
    /// Integers past 2^53 are strings, and so are NaN, Infinity and -Infinity.
    #[arg(long, global = true)]
    pub json: bool,

    /// Check the result independently; one that fails is not written, and the exit status is 1
    ///
    /// Each command's help tells how it checks and what chance a wrong result has of passing. Of a command without a check the
    /// program says `not checked` and why, and JSON has it in place of `true`. A check that passed is told in a last line on standard
    /// error, unless --quiet; JSON has it as `verification`.
    #[arg(long, global = true)]
    pub verify: bool,

    /// The seed of every random choice, such as those of --verify; without it, a fresh one
    #[arg(long, global = true, value_name = "N")]
    pub seed: Option<u64>,

    /// Write the result here instead of standard output; a vector as an array where the name ends in .npy
    ///
    /// - is standard output. A file is replaced when the new one is whole: a failure leaves the old one as it was.
    #[arg(short, long, global = true, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Why nothing is checked although `verify` asks for it, where a command has no check.
    #[arg(skip)]
    pub not_checked: Option<&'static str>,

    /// The language that `poly` and `matrix` write their results in, where one was asked for.
    #[arg(skip)]
    pub language: Option<Language>,

    /// The file of `output`, looked at before the work begins.
    #[arg(skip)]
    pub target: Option<Target>,

    /// The file of a page beside the result, looked at before the work begins.
    #[arg(skip)]
    pub page: Option<Target>,

    /// Limit of the memory on each device, and of the host's memory for the computation: bytes, or 500MB, 8GiB
    ///
    /// Work that can go by blocks takes smaller ones; other work that needs more is refused.
    #[arg(long, global = true, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,

    /// Compute part I of N alone, as a line of JSON for `manycore merge`
    #[arg(long, global = true, value_name = "I/N")]
    pub shard: Option<Shard>,

    /// The work of `shard`.
    #[arg(skip)]
    pub sharding: Option<Sharding>,

    /// Show no progress
    #[arg(short, long, global = true)]
    pub quiet: bool,

    /// Tell on standard error which device `--device auto` takes and why, and what was waited for beside the work
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// The forms of results with `--format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// Polynomials as their coefficients, the constant term first, one a line
    Coefficients,
    /// Sage: x^2 + 3, matrix(GF(7), 1, 2, [1, 2])
    Sage,
    /// PARI/GP: Mod(1, 7)*x^2 + Mod(3, 7), [1, 2; 3, 4]
    Pari,
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

impl Language {
    /// What writes in it, where it is that of a computer algebra system.
    pub(crate) fn text(self) -> Option<AlgebraText> {
        match self {
            Self::Coefficients => None,
            Self::Sage => Some(AlgebraText::Sage),
            Self::Pari => Some(AlgebraText::Pari),
        }
    }
}

/// Reads a count of at least one: of nothing there is no result to print.
pub(crate) fn positive<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let number = text.parse::<u64>().ok().filter(|&number| number > 0);
    let number = number.ok_or_else(|| "expected a whole number of at least 1".to_owned())?;
    T::try_from(number).map_err(|_| "the number is too large".to_owned())
}

/// Reads the names of devices: threads of the host are as many as it can have.
fn device(text: &str) -> Result<String, String> {
    for threads in text.split(',').filter_map(|name| name.trim().strip_prefix("host:")) {
        let is_number = !threads.is_empty() && threads.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && !threads.parse().is_ok_and(|threads: usize| threads <= MOST_THREADS) {
            return Err(format!("the host has up to {MOST_THREADS} threads"));
        }
    }
    Ok(text.to_owned())
}

/// Reads a number of bytes of at least one, with a unit or without.
fn bytes(text: &str) -> Result<u64, String> {
    let size = text
        .parse::<bytesize::ByteSize>()
        .map_err(|_| "bytes are a number, or one with a unit such as 500MB or 8GiB")?;
    if size.as_u64() == 0 { Err("no work fits into 0 bytes".to_owned()) } else { Ok(size.as_u64()) }
}

/// Reads a modulus: a number below 2^64, of which it is told later whether it is a prime.
pub(crate) fn modulus(text: &str) -> Result<u64, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().map_err(|_| {
        if is_number {
            "a modulus is a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1".to_owned()
        } else {
            "a modulus is a prime, in decimal digits".to_owned()
        }
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Cli::definition().debug_assert();
    }

    #[test]
    fn counts_begin_at_1() {
        assert_eq!((positive::<u32>("7"), positive::<usize>("1")), (Ok(7), Ok(1)));
        for wrong in ["0", "-5", "", "x", "1.5"] {
            assert_eq!(positive::<u32>(wrong), Err("expected a whole number of at least 1".to_owned()), "{wrong}");
        }
        assert_eq!(positive::<u32>("4294967296"), Err("the number is too large".to_owned()));
        assert_eq!((bytes("0"), bytes("2kB")), (Err("no work fits into 0 bytes".to_owned()), Ok(2000)));
    }

    #[test]
    fn moduli_are_numbers_below_2_to_the_64() {
        assert_eq!(modulus("18446744069414584321"), Ok(18_446_744_069_414_584_321));
        assert!(modulus("18446744073709551616").unwrap_err().contains("below 2^63"));
        for wrong in ["", "-7", "7.0", "x", "2^31"] {
            assert_eq!(modulus(wrong), Err("a modulus is a prime, in decimal digits".to_owned()), "{wrong}");
        }
    }

    #[test]
    fn global_options_stand_before_or_after_the_command() {
        for arguments in [["manycore", "--seed", "7", "devices"], ["manycore", "devices", "--seed", "7"]] {
            assert_eq!(Cli::try_parse_from(arguments).unwrap().global.seed, Some(7));
        }
    }
}
