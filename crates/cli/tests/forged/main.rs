//! Files that are damaged or forged, drawn by `proptest`: whatever a reader is given, it neither panics nor takes memory that the file
//! does not account for, and refuses by an error that names the file and the place.
//!
//! | file | what |
//! |---|---|
//! | `damage` | what is done to a file |
//! | `texts` | matrices, polynomials and vectors: every reader |
//! | `parts` | parts of erasure codes, forms 1 and 2 |
//!
//! The program's allocator stands below all readers. Memory is limited to little more than the process has: a reader that asks first is
//! refused, which is an answer; one that does not, and takes a large block, ends the process.
#![cfg(target_os = "linux")]

mod damage;
mod parts;
mod texts;

use std::sync::{Mutex, Once, PoisonError};

use manycore::files::memory::{free_bytes, limit_memory};
use manycore_cli::allocator::Counted;

#[global_allocator]
static ALLOCATOR: Counted = Counted;

/// Bytes that are free for a reader, about: files here are of a few thousand bytes, buffers of readers of a megabyte.
const READING_BYTES: u64 = 16 << 20;

/// Bytes that this process has in memory.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    1024 * line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap()
}

/// Runs a test while no other runs: the limit is the whole process's, and what others draw would count.
fn alone(test: fn()) {
    static ONE: Mutex<()> = Mutex::new(());
    static TELLS: Once = Once::new();
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    // What a failure tells takes memory.
    TELLS.call_once(|| {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            limit_memory(u64::MAX);
            tell(panic);
        }));
    });
    test();
}

/// Reads with little memory: blocks that were granted and not written yet, counted roughly, come on top of what the process has.
fn with_little_memory<R>(read: impl FnOnce() -> R) -> R {
    let limit = resident_bytes() + READING_BYTES;
    limit_memory(limit);
    limit_memory(limit + READING_BYTES.saturating_sub(free_bytes()));
    let outcome = read();
    limit_memory(u64::MAX);
    outcome
}

/// Whether a message is that of memory that a file with such a head would take.
fn is_of_memory(told: &str) -> bool {
    told.contains("out of memory: ") || told.contains(" bytes wanted")
}
