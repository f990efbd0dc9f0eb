//! The program's allocator: the system's, with its blocks counted, and an end of the program in a line where memory is missing.
//!
//! A library that allocates and cannot be refused, as most do, ends a program by an abort, or is ended by the kernel later, when
//! it writes what the system only promised. So every block is asked for here, wherever it comes from. A refusal is a null pointer
//! where the caller says that it can take one ([`memory::refusable`]); else the program names what is missing, removes the files that it
//! has not finished, and ends with exit status 1.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::{Cursor, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use manycore::files::{discard_unfinished, memory};

use crate::message;

/// The system's allocator, with its blocks counted ([`memory::take`]).
#[derive(Debug, Clone, Copy, Default)]
pub struct Counted;

/// Blocks from this size on are counted one by one. Smaller ones are counted by each thread, and added to the common count once they are as
/// many bytes together: a counter that all threads share costs more than a small block.
const LARGE_BYTES: usize = 1 << 20;

thread_local! {
    /// Bytes of small blocks that this thread has allocated, less those that it has freed, since it last added them to the common count.
    static SMALL_BYTES: Cell<isize> = const { Cell::new(0) };
}

/// Counts a block that grows from `old` bytes, 0 for a new one, to `new` bytes, or shrinks. `Err` with the bytes that are free.
fn count(old: usize, new: usize) -> Result<(), u64> {
    let large = |bytes: usize| if bytes >= LARGE_BYTES { bytes as u64 } else { 0 };
    let small = |bytes: usize| if bytes >= LARGE_BYTES { 0 } else { bytes as isize };
    let (had, has) = (large(old), large(new));
    if has > had {
        memory::take(has - had)?;
    } else if had > has {
        memory::give(had - has);
    }
    // A thread that ends has no such number any more.
    let small = SMALL_BYTES.try_with(|bytes| {
        let sum = bytes.get() + small(new) - small(old);
        let told = sum.unsigned_abs() >= LARGE_BYTES;
        bytes.set(if told { 0 } else { sum });
        if told { sum } else { 0 }
    });
    match small.unwrap_or(0) {
        0 => Ok(()),
        freed if freed < 0 => {
            memory::give(freed.unsigned_abs() as u64);
            Ok(())
        }
        more => memory::take(more as u64),
    }
}

/// The block that `make` makes of the system, of `new` bytes where it had `old`.
fn counted(old: usize, new: usize, make: impl FnOnce() -> *mut u8) -> *mut u8 {
    if let Err(free_bytes) = count(old, new) {
        // Small blocks are asked for together.
        return refused(new.saturating_sub(old).max(LARGE_BYTES), free_bytes);
    }
    let block = make();
    if block.is_null() {
        let _ = count(new, old);
        return refused(new.saturating_sub(old), memory::free_bytes());
    }
    block
}

// SAFETY: every block is one of the system's allocator, with the layout that it was asked for.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout.
        counted(0, layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout.
        counted(0, layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: a block of this allocator, which is one of the system's, with its layout.
        unsafe { System.dealloc(block, layout) };
        let _ = count(layout.size(), 0);
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: a block of this allocator, which is one of the system's, with its layout.
        counted(layout.size(), new_size, || unsafe { System.realloc(block, layout, new_size) })
    }
}

/// A null pointer for who can take one; else the end of the program.
#[cold]
fn refused(bytes: usize, free_bytes: u64) -> *mut u8 {
    if memory::is_refusable() { std::ptr::null_mut() } else { end(bytes, free_bytes) }
}

/// Tells what is missing and ends the program. Nothing is allocated on the way: there is no memory.
fn end(bytes: usize, free_bytes: u64) -> ! {
    static ENDS: AtomicBool = AtomicBool::new(false);
    if ENDS.swap(true, Ordering::Relaxed) {
        // Another thread ends the program.
        loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
    }
    // Small blocks are asked for together, where the system refuses one by one, too.
    let bytes = bytes.max(LARGE_BYTES);
    let mut line = Cursor::new([0; 1200]);
    let told = message::with_command(|command| {
        let separator = if command.is_empty() { "" } else { ": " };
        writeln!(
            line,
            "manycore: {command}{separator}out of memory: {free_bytes} bytes are free, not the {bytes} bytes for the next step"
        )
    });
    let len = if told.is_ok() { line.position() as usize } else { 0 };
    tell(&line.into_inner()[..len]);
    discard_unfinished();
    exit()
}

#[cfg(unix)]
fn tell(line: &[u8]) {
    // SAFETY: the line's bytes, which are written and not kept. Standard error's own lock may be held by this thread.
    let _ = unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len()) };
}

#[cfg(unix)]
fn exit() -> ! {
    // SAFETY: the process ends without the handlers of an ordinary end, which may want memory.
    unsafe { libc::_exit(1) }
}

#[cfg(not(unix))]
fn tell(line: &[u8]) {
    let _ = std::io::stderr().write_all(line);
}

#[cfg(not(unix))]
fn exit() -> ! {
    std::process::exit(1)
}
