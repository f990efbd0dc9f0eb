//! The manycore program: spectra and more from the command line, on the host and on OpenCL devices.

use std::process::ExitCode;

use manycore_cli::allocator::Counted;

#[global_allocator]
static ALLOCATOR: Counted = Counted;

/// Looks at standard output before the runtime does, which opens /dev/null in the place of a closed one.
#[cfg(target_os = "linux")]
#[used]
// SAFETY: the linker's list of functions without arguments that run before `main`; this one needs nothing of the runtime.
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

#[cfg(target_os = "linux")]
extern "C" fn look() {
    // SAFETY: the call asks for the flags of a descriptor, and fails where that is closed.
    if unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) } == -1 {
        manycore_cli::output::note_closed();
    }
}

fn main() -> ExitCode {
    // The trace of calls that Rust prints where memory is missing asks for memory again.
    // SAFETY: no other thread runs yet.
    unsafe { std::env::remove_var("RUST_BACKTRACE") };
    manycore_cli::run(std::env::args_os())
}
