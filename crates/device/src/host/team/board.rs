//! The helpers of callers, and where they find what to do.
//!
//! Where many helpers look for a step at once, what they write must not lie in one place: each takes one of the step's places
//! by one write, and only who has one goes on.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;

use super::Team;

/// How long a helper looks out for work: some times what waking it takes.
pub(super) const LOOKOUT: Duration = Duration::from_micros(100);
/// Helpers that the caller, and then each helper, wakes: few, because waking one takes who does it some microseconds.
const CALLS: usize = 2;
/// Looks between two times of letting other threads run.
const SPINS: u32 = 20;
/// How often the caller lets others run while it waits for the last helpers, before it sleeps.
const YIELDS: u32 = 20;
/// Set in [`Job::state`] when the caller has found no item left.
const CLOSED: usize = 1 << (usize::BITS - 1);

/// The threads that help callers.
#[derive(Debug)]
pub(in crate::host) struct Helpers {
    pub(super) pool: rayon::ThreadPool,
    pub(super) board: Arc<Board>,
}

impl Helpers {
    /// `count > 0` threads, which sleep.
    pub(in crate::host) fn new(count: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .thread_name(|i| format!("manycore-helper-{i}"))
            .build()?;
        Ok(Self { pool, board: Arc::default() })
    }

    pub(in crate::host) fn team(&self) -> Team<'_> {
        Team { helpers: Some(self) }
    }

    pub(super) fn count(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Runs `drain` on the calling thread and on up to `most` helpers, if they come before the caller is done, each with its
    /// number in the team.
    pub(super) fn share(&self, most: usize, drain: &(dyn Fn(usize) + Sync)) {
        // SAFETY: only the lifetime changes. A helper calls `drain` after it entered, which it cannot once the job is closed,
        // and `Closing` closes it and waits for those within before this function returns or unwinds.
        let drain = unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync), &'static (dyn Fn(usize) + Sync)>(drain) };
        let wanted = most.min(self.count());
        let job = Arc::new(Job {
            state: AtomicUsize::new(0),
            wanted,
            drain,
            owner: thread::current(),
            panic: Mutex::new(None),
        });
        let closing = Closing(&job);
        self.board.post(&job, wanted);
        Board::call(&self.board, wanted, |help| self.pool.spawn(help));
        drain(0);
        drop(closing);
        let panic = job.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }
}

/// Where helpers find the job that was posted last.
#[derive(Debug, Default)]
pub(super) struct Board {
    job: Mutex<Option<Arc<Job>>>,
    /// How many jobs were posted, and in the lowest bits, [`PLACES`], how many more helpers the last one can use.
    posted: CachePadded<AtomicU64>,
    /// Helpers that were called and are not asleep again.
    pub(super) awake: CachePadded<AtomicUsize>,
}

/// Bits of [`Board::posted`] that count places.
const PLACES: u32 = 16;

impl Board {
    fn post(&self, job: &Arc<Job>, places: usize) {
        // What was there before is dropped when others can have it again.
        let before = self.job().replace(Arc::clone(job));
        drop(before);
        let places = (places as u64).min((1 << PLACES) - 1);
        // In one order for all threads with the changes of `awake`: either who posts sees that a helper leaves, or the helper
        // sees the job.
        let next = |posted: u64| Some(((posted >> PLACES).wrapping_add(1) << PLACES) | places);
        let _ = self.posted.fetch_update(Ordering::SeqCst, Ordering::SeqCst, next);
    }

    /// The number of the last job.
    fn last(&self) -> u64 {
        self.posted.load(Ordering::SeqCst) >> PLACES
    }

    /// One of the places of the last job, where its number is this.
    fn place(&self, number: u64) -> bool {
        let next = |posted: u64| (posted >> PLACES == number && posted & ((1 << PLACES) - 1) > 0).then(|| posted - 1);
        self.posted.fetch_update(Ordering::SeqCst, Ordering::SeqCst, next).is_ok()
    }

    /// Held for a few instructions: who waits does not sleep, which takes a thousand times as long.
    fn job(&self) -> MutexGuard<'_, Option<Arc<Job>>> {
        let mut waits = 0_u32;
        loop {
            match self.job.try_lock() {
                Ok(job) => return job,
                Err(TryLockError::Poisoned(error)) => return error.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    waits = waits.wrapping_add(1);
                    if waits.is_multiple_of(SPINS) { thread::yield_now() } else { std::hint::spin_loop() }
                }
            }
        }
    }

    /// Wakes the next helpers where fewer than `wanted` are awake.
    fn call(board: &Arc<Self>, wanted: usize, spawn: impl Fn(Box<dyn FnOnce() + Send>)) {
        for _ in 0..CALLS {
            let one_more = |awake: usize| (awake < wanted).then_some(awake + 1);
            if board.awake.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_more).is_err() {
                return;
            }
            let board = Arc::clone(board);
            spawn(Box::new(move || Self::help(&board)));
        }
    }

    /// What a helper does until it sleeps again.
    fn help(board: &Arc<Self>) {
        // The job that it was called for counts as new.
        let mut seen = board.last().wrapping_sub(1);
        let mut idle: Option<Instant> = None;
        // The caller is member 0.
        let member = 1 + rayon::current_thread_index().unwrap_or(0);
        loop {
            let last = board.last();
            if last != seen {
                seen = last;
                if board.place(last) {
                    idle = None;
                    let job = board.job().clone();
                    if let Some(job) = job {
                        job.help(member, || Self::call(board, job.wanted, rayon::spawn));
                    }
                }
            } else if idle.get_or_insert_with(Instant::now).elapsed() < LOOKOUT {
                (0..SPINS).for_each(|_| std::hint::spin_loop());
                thread::yield_now();
            } else {
                board.awake.fetch_sub(1, Ordering::SeqCst);
                if board.last() == seen {
                    return;
                }
                board.awake.fetch_add(1, Ordering::SeqCst);
            }
        }
    }
}

/// What a caller shares with its helpers.
struct Job {
    /// The number of helpers within, and [`CLOSED`].
    state: AtomicUsize,
    /// Helpers that can be of use.
    wanted: usize,
    /// The caller's; valid while `state` counts a helper who entered before it was closed.
    drain: &'static (dyn Fn(usize) + Sync),
    owner: Thread,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").field("state", &self.state).field("wanted", &self.wanted).finish_non_exhaustive()
    }
}

impl Job {
    /// A helper's part, under its number in the team; `call` wakes others first.
    fn help(&self, member: usize, call: impl FnOnce()) {
        if self.state.fetch_add(1, Ordering::Acquire) & CLOSED == 0 {
            call();
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (self.drain)(member))) {
                *self.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic);
            }
        }
        if self.state.fetch_sub(1, Ordering::Release) == CLOSED + 1 {
            self.owner.unpark();
        }
    }
}

/// Lets no helper in any more, and waits for those within.
struct Closing<'a>(&'a Job);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        let mut within = self.0.state.fetch_or(CLOSED, Ordering::Acquire) & !CLOSED;
        let mut yields = 0;
        while within > 0 {
            (0..SPINS).for_each(|_| std::hint::spin_loop());
            within = self.0.state.load(Ordering::Acquire) & !CLOSED;
            if within > 0 && yields < YIELDS {
                thread::yield_now();
                yields += 1;
            } else if within > 0 {
                thread::park();
            }
        }
    }
}
