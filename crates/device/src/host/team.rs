//! Threads that share the items of a step.
//!
//! The caller does not wait for a thread to wake: it begins, and its helpers join it when they are there. One that comes when
//! all is done leaves again, and nobody waits for it. A helper that has nothing left to do looks out for the next step for a
//! while before it sleeps: waking it takes 20 to 100 us, a look less than one. So the steps of an operation, and operations
//! that follow each other, find their helpers awake.
//!
//! Each thread has a share of its own, items that follow each other: the same in every step with as many items, so that it
//! finds what it worked on in its own cache. Who is done takes the last items of the others.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How long a helper looks out for work: some times what waking it takes.
const LOOKOUT: Duration = Duration::from_micros(100);
/// Helpers that the caller, and then each helper, wakes: few, because waking one takes who does it some microseconds.
const CALLS: usize = 2;
/// Looks between two times of letting other threads run.
const SPINS: u32 = 20;
/// How often the caller lets others run while it waits for the last helpers, before it sleeps.
const YIELDS: u32 = 20;
/// Set in [`Job::state`] when the caller has found no item left.
const CLOSED: usize = 1 << (usize::BITS - 1);

/// Threads that share a step: the caller's, and those of a pool.
#[derive(Debug, Clone, Copy)]
pub struct Team<'a> {
    /// `None` for the caller alone.
    helpers: Option<&'a Helpers>,
}

impl Team<'_> {
    /// The calling thread alone.
    pub const ALONE: Team<'static> = Team { helpers: None };

    /// The number of threads that work at the same time, at least one.
    pub fn threads(&self) -> usize {
        self.helpers.map_or(1, |helpers| helpers.count() + 1)
    }

    /// Whether there is but the caller.
    pub fn is_alone(&self) -> bool {
        self.helpers.is_none()
    }

    /// The team for a step that is long or short: of all, or of the caller alone.
    #[must_use]
    pub fn only_if(self, long: bool) -> Self {
        if long { self } else { Team::ALONE }
    }

    /// Does `work` with every item, on whichever thread takes it; returns when all is done. Items should be some
    /// microseconds of work each. A panic of `work` is passed on to the caller.
    pub fn each<I>(&self, items: I, work: impl Fn(I::Item) + Sync)
    where
        I: IntoIterator,
        I::Item: Send,
    {
        self.each_with(items, || (), |(), item| work(item));
    }

    /// [`Team::each`] with something of its own for every thread that takes an item, such as scratch memory.
    pub fn each_with<I, S>(&self, items: I, new: impl Fn() -> S + Sync, work: impl Fn(&mut S, I::Item) + Sync)
    where
        I: IntoIterator,
        I::Item: Send,
    {
        let items = items.into_iter();
        let helpers = self.helpers.filter(|_| items.size_hint().1.is_none_or(|most| most > 1));
        let Some(helpers) = helpers else { return in_turn(items, new, work) };
        // Whoever takes an item takes it away.
        let items: Vec<Mutex<Option<I::Item>>> = items.map(|item| Mutex::new(Some(item))).collect();
        let shares = Shares::new(items.len(), self.threads());
        let take = |at: usize| items[at].lock().unwrap_or_else(PoisonError::into_inner).take();
        let drain = |member: usize| in_turn(shares.of(member).filter_map(take), &new, &work);
        helpers.share(items.len().saturating_sub(1), &drain);
    }
}

fn in_turn<T, S>(mut items: impl Iterator<Item = T>, new: impl Fn() -> S, work: impl Fn(&mut S, T)) {
    let Some(first) = items.next() else { return };
    let mut own = new();
    work(&mut own, first);
    items.for_each(|item| work(&mut own, item));
}

/// The items of a step, in a share for each member of the team.
struct Shares {
    /// Of each share the items from the lower half's number to the upper half's are left: its owner takes the first, others
    /// the last.
    left: Vec<AtomicU64>,
}

impl Shares {
    /// `items` are fewer than `2^32`.
    fn new(items: usize, members: usize) -> Self {
        let start = |member: usize| (items * member / members) as u64;
        Self { left: (0..members).map(|member| AtomicU64::new(start(member) | start(member + 1) << 32)).collect() }
    }

    /// The numbers of the items that a member takes: its own, then what others leave.
    fn of(&self, member: usize) -> impl Iterator<Item = usize> {
        let (own, others) = (member % self.left.len(), 1..self.left.len());
        let mine = std::iter::from_fn(move || self.take(own, |from, to| (from, (from + 1, to))));
        let victims = others.map(move |i| (own + i) % self.left.len());
        mine.chain(
            victims.flat_map(move |share| {
                std::iter::from_fn(move || self.take(share, |from, to| (to - 1, (from, to - 1))))
            }),
        )
    }

    /// An item of a share that is not empty, and what it is left with.
    fn take(&self, share: usize, choose: impl Fn(u64, u64) -> (u64, (u64, u64))) -> Option<usize> {
        let mut taken = None;
        let next = |left: u64| {
            let (from, to) = (left & u64::from(u32::MAX), left >> 32);
            taken = (from < to).then(|| choose(from, to));
            taken.map(|(_, (from, to))| from | to << 32)
        };
        let _ = self.left[share].fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        taken.map(|(item, _)| item as usize)
    }
}

/// The threads that help callers.
#[derive(Debug)]
pub(super) struct Helpers {
    pool: rayon::ThreadPool,
    board: Arc<Board>,
}

impl Helpers {
    /// `count > 0` threads, which sleep.
    pub(super) fn new(count: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .thread_name(|i| format!("manycore-helper-{i}"))
            .build()?;
        Ok(Self { pool, board: Arc::default() })
    }

    pub(super) fn team(&self) -> Team<'_> {
        Team { helpers: Some(self) }
    }

    fn count(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Runs `drain` on the calling thread and on up to `most` helpers, if they come before the caller is done, each with its
    /// number in the team.
    fn share(&self, most: usize, drain: &(dyn Fn(usize) + Sync)) {
        // SAFETY: only the lifetime changes. A helper calls `drain` after it entered, which it cannot once the job is closed,
        // and `Closing` closes it and waits for those within before this function returns or unwinds.
        let drain = unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync), &'static (dyn Fn(usize) + Sync)>(drain) };
        let job = Arc::new(Job {
            state: AtomicUsize::new(0),
            wanted: most.min(self.count()),
            drain,
            owner: thread::current(),
            panic: Mutex::new(None),
        });
        let closing = Closing(&job);
        self.board.post(&job);
        Board::call(&self.board, job.wanted, |help| self.pool.spawn(help));
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
struct Board {
    job: Mutex<Option<Arc<Job>>>,
    /// How many jobs were posted.
    posted: AtomicUsize,
    /// Helpers that were called and are not asleep again.
    awake: AtomicUsize,
}

impl Board {
    fn post(&self, job: &Arc<Job>) {
        *self.job.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(job));
        // In one order for all threads with the changes of `awake`: either who posts sees that a helper leaves, or the helper
        // sees the job.
        self.posted.fetch_add(1, Ordering::SeqCst);
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
        let mut seen = board.posted.load(Ordering::SeqCst).wrapping_sub(1);
        let mut idle: Option<Instant> = None;
        // The caller is member 0.
        let member = 1 + rayon::current_thread_index().unwrap_or(0);
        loop {
            let posted = board.posted.load(Ordering::SeqCst);
            if posted != seen {
                (seen, idle) = (posted, None);
                let job = board.job.lock().unwrap_or_else(PoisonError::into_inner).clone();
                if let Some(job) = job {
                    job.help(member, || Self::call(board, job.wanted, rayon::spawn));
                }
            } else if idle.get_or_insert_with(Instant::now).elapsed() < LOOKOUT {
                (0..SPINS).for_each(|_| std::hint::spin_loop());
                thread::yield_now();
            } else {
                board.awake.fetch_sub(1, Ordering::SeqCst);
                if board.posted.load(Ordering::SeqCst) == seen {
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
        let enter = |state: usize| (state & CLOSED == 0 && state < self.wanted).then_some(state + 1);
        if self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, enter).is_err() {
            return;
        }
        call();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (self.drain)(member))) {
            *self.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic);
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Barrier;
    use std::time::Duration;

    use super::*;

    fn helpers(count: usize) -> Helpers {
        Helpers::new(count).unwrap()
    }

    #[test]
    fn each_item_is_taken_once() {
        let pools = [helpers(1), helpers(2), helpers(7)];
        for team in [Team::ALONE].into_iter().chain(pools.iter().map(Helpers::team)) {
            let threads = team.threads();
            assert_eq!(team.is_alone(), threads == 1);
            for len in [0, 1, 2, threads, threads + 1, 1000] {
                let mut x = vec![0usize; len];
                team.each(x.iter_mut().enumerate(), |(i, x)| *x += i + 1);
                assert!(x.iter().enumerate().all(|(i, &x)| x == i + 1), "{threads} threads, {len} items");
            }
            // Steps that follow each other at once, many over before a thread wakes.
            let sum = AtomicUsize::new(0);
            for _ in 0..2000 {
                team.each(0..5usize, |i| {
                    sum.fetch_add(i, Ordering::Relaxed);
                });
            }
            assert_eq!(sum.into_inner(), 20_000);
        }
    }

    #[test]
    fn all_threads_work_at_the_same_time() {
        let helpers = helpers(4);
        let barrier = Barrier::new(5);
        let ids = Mutex::new(HashSet::new());
        // Each item waits for four others.
        helpers.team().each(0..5, |_| {
            barrier.wait();
            ids.lock().unwrap().insert(thread::current().id());
        });
        let ids = ids.into_inner().unwrap();
        assert!(ids.len() == 5 && ids.contains(&thread::current().id()));
    }

    #[test]
    fn scratch_is_made_by_those_who_take_an_item() {
        let helpers = helpers(3);
        let made = AtomicUsize::new(0);
        let new = || made.fetch_add(1, Ordering::Relaxed);
        let team = helpers.team();
        team.each_with(0..0, new, |_, _: usize| {});
        assert_eq!(made.load(Ordering::Relaxed), 0);
        team.each_with(0..1, new, |_, _| {});
        assert_eq!(made.load(Ordering::Relaxed), 1);
        team.each_with(0..100, new, |_, _| thread::sleep(Duration::from_micros(50)));
        assert!((2..=5).contains(&made.load(Ordering::Relaxed)));
    }

    #[test]
    fn steps_within_steps_and_on_the_pools_own_threads_end() {
        let helpers = helpers(2);
        let team = helpers.team();
        let sum = AtomicUsize::new(0);
        let inner = |i: usize| {
            team.each(0..10usize, |j| {
                sum.fetch_add(i * j, Ordering::Relaxed);
            });
        };
        team.each(0..10, inner);
        helpers.pool.install(|| team.each(0..10, inner));
        assert_eq!(sum.into_inner(), 2 * 45 * 45);
    }

    #[test]
    fn several_callers_have_the_same_helpers() {
        let helpers = helpers(3);
        thread::scope(|scope| {
            for caller in 0..4usize {
                let team = helpers.team();
                scope.spawn(move || {
                    for step in 0..500 {
                        let mut x = vec![0; 9 + caller];
                        team.each(&mut x, |x| *x = step);
                        assert!(x.iter().all(|&x| x == step));
                        if step % 100 == 0 {
                            thread::sleep(2 * LOOKOUT);
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn helpers_sleep_again() {
        let helpers = helpers(2);
        helpers.team().each(0..100, |_| thread::sleep(Duration::from_micros(20)));
        let start = Instant::now();
        while helpers.board.awake.load(Ordering::SeqCst) > 0 {
            assert!(start.elapsed() < Duration::from_secs(10));
            thread::yield_now();
        }
    }

    #[test]
    fn a_panic_on_any_thread_is_the_callers() {
        let helpers = helpers(2);
        let team = helpers.team();
        let caller = thread::current().id();
        for by_caller in [true, false] {
            let barrier = Barrier::new(3);
            let work = |_: i32| {
                barrier.wait();
                assert!((thread::current().id() == caller) != by_caller, "a panic");
            };
            assert!(catch_unwind(AssertUnwindSafe(|| team.each(0..3, work))).is_err());
        }
        // The pool works on.
        let sum = AtomicUsize::new(0);
        team.each(0..100, |i| {
            sum.fetch_add(i, Ordering::Relaxed);
        });
        assert_eq!(sum.into_inner(), 4950);
    }
}
