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

use std::sync::{Mutex, PoisonError};

use manycore::files::memory::limit_memory;
use manycore_cli::allocator::Counted;

#[global_allocator]
static ALLOCATOR: Counted = Counted;

/// Bytes that a reader may have beside what the process has: files here are of a few thousand bytes, buffers of readers of a megabyte.
const READING_BYTES: u64 = 16 << 20;

/// Bytes that this process has in memory.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    1024 * line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap()
}

/// Reads with little memory; the limit is the whole process's, so that one reader reads at a time.
fn with_little_memory<R>(read: impl FnOnce() -> R) -> R {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    limit_memory(resident_bytes() + READING_BYTES);
    let outcome = read();
    limit_memory(u64::MAX);
    outcome
}

/// Whether a message is that of memory that a file with such a head would take.
fn is_of_memory(told: &str) -> bool {
    told.starts_with("out of memory: ") || told.contains(" bytes wanted")
}
