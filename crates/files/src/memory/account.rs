//! Memory in use, counted.
//!
//! The system's number of free bytes excludes written blocks, not granted ones. So blocks are counted when they are granted, those written
//! so far are taken off by the process's resident memory, and the rest is still to come.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::free;

/// The most bytes that the process may have in memory, beside what the system says.
static LIMIT_BYTES: AtomicU64 = AtomicU64::new(u64::MAX);

/// Bytes of all blocks that were taken and not given back.
static TAKEN_BYTES: AtomicU64 = AtomicU64::new(0);

/// Bytes that may be granted before the system is asked again: asking takes longer than a small block.
static ALLOWANCE_BYTES: AtomicU64 = AtomicU64::new(0);

/// When the system was asked last, in milliseconds of [`milliseconds`].
static ASKED: AtomicU64 = AtomicU64::new(0);

/// The lifetime of an allowance in milliseconds: other processes take memory, too.
const ALLOWANCE_MILLISECONDS: u64 = 100;

/// The part of the free memory that is granted without asking again.
const ALLOWANCE_PART: u64 = 8;

/// Fewer bytes than this are asked of the system alone.
const SMALL_BYTES: u64 = 1 << 20;

thread_local! {
    /// Calls of [`refusable`] that this thread is in.
    static REFUSABLE: Cell<u32> = const { Cell::new(0) };
    /// Whether this thread asks the system: what that allocates is not asked for again.
    static ASKING: Cell<bool> = const { Cell::new(false) };
}

/// Sets how many bytes of memory the process may have, where that is less than the system gives: a list or a block that would
/// pass them, together with what the process has in memory already, is refused.
pub fn limit_memory(bytes: u64) {
    LIMIT_BYTES.store(bytes, Ordering::Relaxed);
    ALLOWANCE_BYTES.store(0, Ordering::Relaxed);
}

/// Takes bytes for a block that an allocator is about to make; [`give`] gives them back.
///
/// # Errors
/// The bytes that are free, where they are fewer.
pub fn take(bytes: u64) -> Result<(), u64> {
    // Counted before the system is asked, so that threads which ask at the same time see each other's.
    TAKEN_BYTES.fetch_add(bytes, Ordering::Relaxed);
    if is_allowed(bytes) {
        return Ok(());
    }
    granted(bytes, 0).inspect_err(|_| give(bytes))
}

/// Gives back the bytes of a block.
pub fn give(bytes: u64) {
    // A block may be given back that was made before blocks were counted.
    let _ = TAKEN_BYTES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| Some(taken.saturating_sub(bytes)));
}

/// Whether there is room for a list of `bytes` bytes: nothing is reserved, since the list's allocator does that where blocks are counted.
pub fn fits(bytes: u64) -> bool {
    is_allowed(bytes) || granted(bytes, bytes).is_ok()
}

/// Runs `work`, which can be refused memory: it uses `try_reserve` and its like. The allocator of the program answers it with a
/// null pointer, where it ends the program otherwise.
pub fn refusable<R>(work: impl FnOnce() -> R) -> R {
    let _inside = Inside::enter();
    work()
}

/// A call of [`refusable`] that has not ended.
struct Inside;

impl Inside {
    fn enter() -> Self {
        REFUSABLE.with(|depth| depth.set(depth.get() + 1));
        Self
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        REFUSABLE.with(|depth| depth.set(depth.get() - 1));
    }
}

/// Whether this thread is within [`refusable`].
pub fn is_refusable() -> bool {
    // A thread that ends has no such words any more.
    REFUSABLE.try_with(Cell::get).unwrap_or(0) > 0
}

/// Takes `bytes` bytes out of the allowance; `false` where it holds fewer.
fn is_allowed(bytes: u64) -> bool {
    bytes < SMALL_BYTES
        || milliseconds().saturating_sub(ASKED.load(Ordering::Relaxed)) < ALLOWANCE_MILLISECONDS
            && ALLOWANCE_BYTES
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |allowance| allowance.checked_sub(bytes))
                .is_ok()
}

/// Asks the system whether there is room for `bytes`, of which all but `beside` are counted already.
fn granted(bytes: u64, beside: u64) -> Result<(), u64> {
    if ASKING.try_with(|asking| asking.replace(true)).unwrap_or(true) {
        return Ok(());
    }
    let taken = TAKEN_BYTES.load(Ordering::Relaxed).saturating_add(beside);
    let room = free::room(taken.saturating_sub(bytes), LIMIT_BYTES.load(Ordering::Relaxed));
    let _ = ASKING.try_with(|asking| asking.set(false));
    if room < bytes {
        return Err(room);
    }
    ALLOWANCE_BYTES.store((room - bytes) / ALLOWANCE_PART, Ordering::Relaxed);
    ASKED.store(milliseconds(), Ordering::Relaxed);
    Ok(())
}

/// Bytes that the process can still have, beside what it was granted and has not written yet: the least of the available memory by the
/// system (`MemAvailable` and `SwapFree`), what each control group around the process has left, pages of files that can be dropped counted
/// as free, and what `ulimit -v` and `-d` leave. Where the system gives no number, half of the address space.
///
/// 0 for a thread that asks already, whose allocator has nothing for what asking takes: what is found once is being found, and would be
/// waited for without end.
pub fn free_bytes() -> u64 {
    if ASKING.try_with(|asking| asking.replace(true)).unwrap_or(true) {
        return 0;
    }
    let room = free::room(TAKEN_BYTES.load(Ordering::Relaxed), LIMIT_BYTES.load(Ordering::Relaxed));
    let _ = ASKING.try_with(|asking| asking.set(false));
    room
}

/// Milliseconds since the first call.
fn milliseconds() -> u64 {
    static BEGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    // One more, so that nothing counts as asked before it was.
    BEGIN.get_or_init(Instant::now).elapsed().as_millis() as u64 + ALLOWANCE_MILLISECONDS
}

/// Held by tests that take, for a moment, more than there is, and by those that ask what is free.
#[cfg(test)]
pub(super) static COUNTING: std::sync::Mutex<()> = std::sync::Mutex::new(());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_refusable_only_within() {
        assert!(!is_refusable());
        refusable(|| {
            assert!(is_refusable());
            refusable(|| assert!(is_refusable()));
            assert!(is_refusable());
        });
        assert!(!is_refusable());
        let _ = std::panic::catch_unwind(|| refusable(|| std::panic::resume_unwind(Box::new(()))));
        assert!(!is_refusable());
    }

    #[test]
    fn asking_does_not_ask_again() {
        ASKING.set(true);
        assert_eq!((free_bytes(), ASKING.get()), (0, true));
        ASKING.set(false);
        free_bytes();
        assert!(!ASKING.get());
    }

    #[test]
    fn what_is_taken_is_not_free() {
        let _counting = COUNTING.lock();
        // No test of this program takes a petabyte beside.
        let free = take(1 << 50).unwrap_err();
        assert!(free < 1 << 50);
        take(1 << 20).unwrap();
        give(1 << 20);
        give(u64::MAX);
        assert!(!fits(1 << 50) && fits(1 << 20));
    }
}
