//! `manycore code`: files in parts, any of which give them back, one file an operation.

mod join;
mod split;

use std::fs::File;
use std::path::Path;

use clap::Subcommand;
use manycore::FileError;
use manycore::files::read_all;

use crate::arguments::Global;
use crate::error::Error;
use crate::input;

/// The operations.
#[derive(Debug, Subcommand)]
pub enum Operation {
    /// Split a file into parts, any so many of which give it back
    #[command(long_about = split::LONG_ABOUT, after_long_help = split::AFTER_HELP)]
    Split(split::Arguments),
    /// Put a file together from parts
    #[command(long_about = join::LONG_ABOUT, after_long_help = join::AFTER_HELP)]
    Join(join::Arguments),
}

/// Does what was asked for.
///
/// # Errors
/// Whatever the operation fails with.
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    match operation {
        Operation::Split(arguments) => split::run(arguments, global),
        Operation::Join(arguments) => join::run(arguments, global),
    }
}

/// All bytes of a file, or of standard input for `-`.
fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let name = input::name(path);
    let bytes = if path == Path::new("-") {
        read_all(std::io::stdin().lock(), &name)
    } else {
        match File::open(path) {
            Ok(file) => read_all(file, &name),
            Err(error) => Err(FileError::Read { file: name, error }),
        }
    };
    bytes.map_err(|error| Error::Input(error.into()))
}

/// Bytes that were worked on in a second, rounded; 0 where no time passed.
fn bytes_per_second(bytes: usize, seconds: f64) -> u64 {
    if seconds > 0.0 { (bytes as f64 / seconds) as u64 } else { 0 }
}
