//! Threads of a pool, each started where the address space has room for it.

use std::io;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// The stack of a thread: as large as those that systems give the main thread, so that a step has as much room on a helper as on its
/// caller. Vectors that are held in registers lie on the stack where the compiler does not optimise. Only pages that are touched
/// take memory.
const STACK_BYTES: usize = 8 << 20;

/// Address space that is left when a thread is started: its stack, and what threads that are just starting allocate.
/// Where that fails, the standard library ends the process.
const ROOM_BYTES: u64 = 64 << 20;

/// A pool of `count > 0` threads.
///
/// # Errors
/// Where the system gives a thread no more, or `ulimit -v` leaves no room for it.
pub(super) fn pool(count: usize, name: fn(usize) -> String) -> Result<ThreadPool, ThreadPoolBuildError> {
    let limit = address_space_limit();
    ThreadPoolBuilder::new()
        .num_threads(count)
        .thread_name(name)
        .spawn_handler(|thread| {
            if !has_room(limit, || std::fs::read_to_string("/proc/self/status").ok()) {
                return Err(io::Error::other("the limit of the address space leaves no room for a thread"));
            }
            let builder = std::thread::Builder::new()
                .name(thread.name().unwrap_or_default().to_owned())
                .stack_size(thread.stack_size().unwrap_or(STACK_BYTES));
            builder.spawn(|| thread.run()).map(drop)
        })
        .build()
}

/// The limit that `ulimit -v` sets.
fn address_space_limit() -> Option<u64> {
    #[cfg(unix)]
    {
        rustix::process::getrlimit(rustix::process::Resource::As).current
    }
    #[cfg(not(unix))]
    None
}

/// Whether a limit leaves room for a thread, by the text of `/proc/self/status`; yes where nothing is known.
fn has_room(limit: Option<u64>, status: impl FnOnce() -> Option<String>) -> bool {
    let used = |text: &str| {
        let kibibytes = text.lines().find_map(|line| line.strip_prefix("VmSize:"))?.split_whitespace().next()?;
        kibibytes.parse::<u64>().ok()?.checked_mul(1024)
    };
    let Some(limit) = limit else { return true };
    status().as_deref().and_then(used).is_none_or(|used| limit.saturating_sub(used) >= ROOM_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_leaves_room_or_does_not() {
        let told = |text: &str| Some(text.to_owned());
        let status = "Name:\tx\nVmPeak:\t 999999 kB\nVmSize:\t   65536 kB\nVmRSS:\t 1 kB\n";
        assert!(has_room(None, || panic!("asked without need")));
        assert!(has_room(Some(128 << 20), || told(status)));
        assert!(!has_room(Some((128 << 20) - 1), || told(status)));
        assert!(!has_room(Some(1), || told(status)), "more is used than the limit that was set later");
        for unknown in [None, told(""), told("VmSize:"), told("VmSize: x kB")] {
            assert!(has_room(Some(1), || unknown.clone()), "{unknown:?}");
        }
    }

    #[test]
    fn threads_have_their_names() {
        let pool = pool(2, |i| format!("a-{i}")).unwrap();
        assert_eq!(pool.current_num_threads(), 2);
        let names = pool.broadcast(|_| std::thread::current().name().map(str::to_owned));
        assert_eq!(names, [Some("a-0".to_owned()), Some("a-1".to_owned())]);
    }

    #[test]
    fn threads_have_the_stack_of_a_main_thread() {
        // In a frame of its own, which the thread that asks must not have.
        #[inline(never)]
        fn touch() -> usize {
            #[allow(clippy::large_stack_arrays)] // the stack is what is tried
            let mut room = [0u8; 6 << 20];
            room.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
            std::hint::black_box(&room).iter().map(|&byte| usize::from(byte)).sum()
        }
        let pool = pool(1, |_| "a".to_owned()).unwrap();
        assert_eq!(pool.install(touch), 6 << 8);
    }
}
