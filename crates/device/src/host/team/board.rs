//! The helpers of callers, and where they find what to do.
//!
//! A line of the cache takes 0.1 us or more from one core to another, and threads that write in the same one do it
//! after each other. So what a helper must read before it begins lies in one line, that of the board's [`Step`], and
//! each helper says in a line of its own that it is at a step.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;

use crate::host::threads;

/// The time for which a helper polls for work: some times its wake-up time.
pub(super) const LOOKOUT: Duration = Duration::from_micros(100);
/// Helpers that the caller, and then each helper, wakes: few, because waking one takes who does it some microseconds.
const CALLS: usize = 2;
/// Looks between two times of letting other threads run. A processor pauses up to 50 ns between looks; to let others
/// run takes some hundred, in which nobody looks.
const LOOKS: u32 = 64;
/// The number of yields of the caller while it waits for the last helpers, before it sleeps.
const YIELDS: u32 = 20;

/// The threads that help callers.
#[derive(Debug)]
pub(crate) struct Helpers {
    pub(super) pool: rayon::ThreadPool,
    pub(super) board: Arc<Board>,
}

impl Helpers {
    /// `count > 0` threads, which sleep.
    pub(crate) fn new(count: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool = threads::pool(count, |i| format!("manycore-helper-{i}"))?;
        Ok(Self { pool, board: Arc::new(Board::new(count)) })
    }

    pub(crate) fn count(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Runs `work` on the helpers while the caller waits.
    pub(crate) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// Runs `drain` on the calling thread and on up to `most` helpers, if they come before the caller is done, each
    /// with its number in the team. The caller is alone where the helpers are another's.
    pub(super) fn share(&self, most: usize, drain: &(dyn Fn(usize) + Sync)) {
        let wanted = most.min(self.count());
        if !self.board.take() {
            return drain(0);
        }
        let open = Open;
        self.board.post(wanted, &raw const drain);
        Board::call(&self.board, wanted, |help| self.pool.spawn(help));
        let own = catch_unwind(AssertUnwindSafe(|| drain(0)));
        let theirs = self.board.close();
        std::mem::forget(open);
        match (own, theirs) {
            (Ok(()), None) => {}
            (Ok(()), Some(panic)) => resume_unwind(panic),
            (Err(panic), theirs) => {
                // To drop it may panic.
                std::mem::forget(theirs);
                resume_unwind(panic)
            }
        }
    }
}

/// While a step is open its caller does not unwind, whose frames helpers read.
struct Open;

impl Drop for Open {
    fn drop(&mut self) {
        std::process::abort();
    }
}

/// What a caller shares: its items, until none is left, for the member of the team with this number.
type Drain<'a> = &'a (dyn Fn(usize) + Sync);

/// Where helpers find the step of a caller.
#[derive(Debug)]
pub(super) struct Board {
    step: CachePadded<Step>,
    /// Of each helper, how often it is within a step: more than once where it waits for the pool within.
    within: Vec<CachePadded<AtomicUsize>>,
    /// Helpers that were called and are not asleep again.
    pub(super) awake: CachePadded<AtomicUsize>,
    /// The caller, once it sleeps.
    owner: Mutex<Option<Thread>>,
    /// A helper's.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// The last step.
#[derive(Debug, Default)]
struct Step {
    /// Its number, and in the lowest bit, [`OPEN`], whether helpers may begin it.
    word: AtomicU64,
    /// Valid for helpers within, who saw it open after they said that they are.
    drain: AtomicPtr<Drain<'static>>,
    /// Helpers that can be of use.
    wanted: AtomicUsize,
    /// Whether a caller has the board.
    taken: AtomicBool,
    /// Whether the caller sleeps until the last helper is done.
    waiting: AtomicBool,
}

const OPEN: u64 = 1;

impl Board {
    fn new(helpers: usize) -> Self {
        Self {
            step: CachePadded::default(),
            within: (0..helpers).map(|_| CachePadded::default()).collect(),
            awake: CachePadded::default(),
            owner: Mutex::default(),
            panic: Mutex::default(),
        }
    }

    /// Makes the board the caller's, if it is nobody's.
    fn take(&self) -> bool {
        !self.step.taken.load(Ordering::Relaxed) && !self.step.taken.swap(true, Ordering::Acquire)
    }

    /// Lets helpers in, about `wanted`. The caller has the board, and closes it before what `drain` points to ends.
    fn post(&self, wanted: usize, drain: *const Drain<'_>) {
        let step = &*self.step;
        step.drain.store(drain.cast::<Drain<'static>>().cast_mut(), Ordering::Relaxed);
        step.wanted.store(wanted, Ordering::Relaxed);
        // In one order for all threads with the changes of `awake`: either who posts sees that a helper leaves, or the
        // helper sees the step.
        step.word.store(self.last().wrapping_add(1) << 1 | OPEN, Ordering::SeqCst);
    }

    /// Lets no helper in any more, waits for those within, and gives the board back. What a helper panicked with.
    fn close(&self) -> Option<Box<dyn Any + Send>> {
        let step = &*self.step;
        // In one order for all threads with the counts of `within`: either a helper sees that the step is closed, or
        // the caller sees that it is within.
        step.word.store(self.last() << 1, Ordering::SeqCst);
        let mut looks = 0;
        while self.is_within() && looks < LOOKS * YIELDS {
            looks += 1;
            pause(looks);
        }
        if self.is_within() {
            *lock(&self.owner) = Some(thread::current());
            step.waiting.store(true, Ordering::SeqCst);
            while self.is_within() {
                thread::park();
            }
            step.waiting.store(false, Ordering::Relaxed);
            // Who else woke the caller meanwhile is heard by its own next wait.
            thread::current().unpark();
        }
        let panic = lock(&self.panic).take();
        step.taken.store(false, Ordering::Release);
        panic
    }

    /// Whether a helper is within.
    fn is_within(&self) -> bool {
        self.within.iter().any(|within| within.load(Ordering::SeqCst) > 0)
    }

    /// The number of the last step.
    fn last(&self) -> u64 {
        self.step.word.load(Ordering::SeqCst) >> 1
    }

    /// Does a helper's part of the step with this number, if it is still open, under its number in the team, after
    /// `call`. Whether the step has use for it.
    fn enter(&self, number: u64, member: usize, call: impl FnOnce(usize)) -> bool {
        let open = number << 1 | OPEN;
        let Some(within) = self.within.get(member - 1) else { return false };
        // A step is not opened for those it has no use for.
        let wanted = self.step.wanted.load(Ordering::Relaxed);
        if member > wanted && self.awake.load(Ordering::Relaxed) > wanted {
            return false;
        }
        within.fetch_add(1, Ordering::SeqCst);
        if self.step.word.load(Ordering::SeqCst) == open {
            call(wanted);
            let drain = self.step.drain.load(Ordering::Relaxed);
            // SAFETY: the step was open when the helper was within, so that the caller does not go on before it has
            // left. It stored a pointer to a reference of its own before it opened the step.
            let drain = unsafe { *drain };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drain(member))) {
                let mut first = lock(&self.panic);
                // To drop another one may panic.
                if first.is_none() { *first = Some(panic) } else { std::mem::forget(panic) }
            }
        }
        // From then on the step may have ended, and another caller may wait, whom to wake does no harm.
        within.fetch_sub(1, Ordering::SeqCst);
        if self.step.waiting.load(Ordering::SeqCst) {
            lock(&self.owner).iter().for_each(Thread::unpark);
        }
        true
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
        // The step that it was called for counts as new.
        let mut seen = board.last().wrapping_sub(1);
        let mut idle: Option<Instant> = None;
        let mut looks = 0_u32;
        // The caller is member 0.
        let member = 1 + rayon::current_thread_index().unwrap_or(0);
        loop {
            let word = board.step.word.load(Ordering::SeqCst);
            let last = word >> 1;
            if last != seen {
                seen = last;
                // Who is of no use sleeps in time, so that others are waked.
                if word & OPEN > 0 && board.enter(last, member, |wanted| Self::call(board, wanted, rayon::spawn)) {
                    idle = None;
                }
            }
            looks = looks.wrapping_add(1);
            if !looks.is_multiple_of(LOOKS) || idle.get_or_insert_with(Instant::now).elapsed() < LOOKOUT {
                pause(looks);
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

/// Lets some time pass before a thread looks again, for the `looks`-th time.
fn pause(looks: u32) {
    if looks.is_multiple_of(LOOKS) { thread::yield_now() } else { std::hint::spin_loop() }
}

/// No one panics who has a lock.
fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
