//! The manycore program: spectra and more from the command line, on the host and on OpenCL devices.

use std::process::ExitCode;

fn main() -> ExitCode {
    manycore_cli::run(std::env::args_os())
}
