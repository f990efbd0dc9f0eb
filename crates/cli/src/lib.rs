//! The `manycore` program as a library: its arguments, its commands, and the forms of its input and output.
//!
//! [`arguments::Cli`] defines the command line; completions and manual pages are generated from it. [`run`] is the whole
//! program: it answers 0, 2 for bad usage or input, or 1 for a failure of the machine, and writes each error as one line
//! to standard error.

pub mod allocator;
pub mod arguments;
mod builders;
pub mod commands;
pub mod destination;
pub mod error;
mod failure;
pub mod global;
pub mod input;
mod jobs;
mod label;
mod message;
mod opening;
pub mod output;
mod pages;
pub mod progress;
pub mod readers;
pub mod shard;
mod signals;
pub mod verification;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;

use arguments::Cli;
use error::Error;
use manycore::device::{TUNING_VARIABLE, TuningMode};
use message::Quoted;

/// Runs the program with these arguments, the first of which is its name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    signals::limit_files_by_errors();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some(code) = builders::serve(&arguments) {
        return code;
    }
    let quoted = Quoted::new(&arguments);
    message::keep_command(&arguments);
    jobs::begin(&arguments);
    let mut cli = match Cli::read(&arguments) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error, &quoted),
    };
    builders::begin(&arguments);
    let outcome = failure::contained(|| work(&mut cli, &arguments));
    opening::end();
    match outcome {
        Some(Ok(())) => ExitCode::SUCCESS,
        None => ExitCode::FAILURE,
        Some(Err(error)) => {
            let told = quoted.cut(&error.to_string());
            if error.is_of_size() {
                message::with_command(|command| message::tell(&format!("{command}: {told}")));
            } else {
                message::tell(&told);
            }
            ExitCode::from(error.exit_code())
        }
    }
}

/// Looks at how operations choose and at where the result goes, and runs the command under a control, which interrupts cancel.
fn work(cli: &mut Cli, arguments: &[OsString]) -> Result<(), Error> {
    // The library takes what it does not know for the default.
    if let Some(mode) = std::env::var_os(TUNING_VARIABLE).filter(|mode| !mode.is_empty()) {
        mode.to_string_lossy().parse::<TuningMode>()?;
    }
    let memory = cli.global.memory;
    progress::under(cli.global.quiet, |control| {
        let control = match memory {
            Some(bytes) => control.with_limit_bytes(bytes),
            None => control,
        };
        // Signals are heard before the first file is made: looking at the target makes one, and commands make others.
        signals::hear(control.clone(), progress::computes);
        let outcome = control.run(|| {
            cli.prepare(arguments)?;
            if let Some(reason) = cli.global.not_checked {
                message::tell(&format!("not checked: {reason}"));
            }
            commands::run(cli)?;
            if cli.global.sharding.is_none() {
                jobs::end();
                builders::record(arguments);
            }
            if cli.global.verify && cli.global.sharding.is_none() {
                verification::tell(&cli.global);
            }
            Ok(())
        });
        if cli.global.verbose {
            message::tell_waits();
        }
        signals::end_if_cancelled(&control);
        outcome
    })
}

/// Answers what is no command to run: help, or arguments that are wrong.
fn refuse(error: &clap::Error, quoted: &Quoted) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            if let Err(error) = output::print_help(error) {
                message::tell(&Error::Output { file: None, error }.to_string());
                return ExitCode::FAILURE;
            }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // It goes to standard error, which may be closed.
            let _ = error.print();
        }
        _ => message::tell(&message::usage(&quoted.cut(&error.to_string()))),
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
