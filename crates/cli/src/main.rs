//! The manycore program: spectra and more from the command line, on the host and on OpenCL devices.

use std::process::ExitCode;

use manycore_cli::allocator::Counted;

#[global_allocator]
static ALLOCATOR: Counted = Counted;

fn main() -> ExitCode {
    // The trace of calls that Rust prints where memory is missing asks for memory again.
    // SAFETY: no other thread runs yet.
    unsafe { std::env::remove_var("RUST_BACKTRACE") };
    manycore_cli::run(std::env::args_os())
}
