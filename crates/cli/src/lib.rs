//! The `manycore` program as a library: its arguments, its commands, and the forms of its input and output.
//!
//! [`arguments::Cli`] defines the command line; completions and manual pages are generated from it. [`run`] is the whole
//! program: it answers 0, 2 for bad usage or input, or 1 for a failure of the machine, and writes each error as one line
//! to standard error.

pub mod arguments;
pub mod commands;
pub mod destination;
pub mod error;
pub mod input;
pub mod output;
pub mod progress;
mod signals;
pub mod vector;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use arguments::Cli;
use error::{Error, one_line};

/// Runs the program with these arguments, the first of which is its name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    signals::limit_files_by_errors();
    let mut cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    match work(&mut cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("manycore: {}", one_line(&error.to_string()));
            ExitCode::from(error.exit_code())
        }
    }
}

/// Looks at where the result goes, and runs the command.
fn work(cli: &mut Cli) -> Result<(), Error> {
    cli.global.target = destination::open(cli)?;
    if destination::file(&cli.global).is_some() {
        signals::discard_unfinished_files();
    }
    commands::run(cli)
}

/// Answers what is no command to run: help, or arguments that are wrong.
fn refuse(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // The reader of the help may be gone.
            let _ = error.print();
        }
        _ => eprintln!("manycore: {}", usage_line(&error.to_string())),
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// The message of a usage error in one line: what is wrong, without the summary of the usage that follows it.
fn usage_line(message: &str) -> String {
    let lines = message.lines().map(str::trim);
    let wrong = lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"));
    let text = wrong.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    format!("{} (--help tells the usage)", text.strip_prefix("error: ").unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_errors_fit_one_line() {
        let message = |arguments: &[&str]| usage_line(&Cli::try_parse_from(arguments).unwrap_err().to_string());
        assert_eq!(
            message(&["manycore", "spectrum", "walsh", "x", "--order", "natural"]),
            "invalid value 'natural' for '--order <ORDER>' [possible values: hadamard, sequency, dyadic] \
             (--help tells the usage)"
        );
        assert_eq!(
            message(&["manycore", "spectrum", "walsh"]),
            "the following required arguments were not provided: <FILE> (--help tells the usage)"
        );
    }
}
