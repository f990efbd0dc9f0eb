//! Threads that share the items of a step.
//!
//! The caller does not wait for a thread to wake: it begins, and its helpers join it when they are there. One that comes when
//! all is done leaves again, and nobody waits for it. A helper that has nothing left to do looks out for the next step for a
//! while before it sleeps: waking it takes 20 to 100 us, a look less than one. So the steps of an operation, and operations
//! that follow each other, find their helpers awake.
//!
//! Each thread has a share of its own, items that follow each other: the same in every step with as many items, so that it
//! finds what it worked on in its own cache. Who is done takes the last items of the others.

mod board;
mod shares;

use std::sync::{Mutex, PoisonError};

use manycore_files::memory::refusable;

pub(super) use board::Helpers;
use shares::{Shares, Taken};

use crate::control::{Control, checkpoint, shared};
use crate::error::DeviceError;

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
    /// microseconds of work each. None may wait for other threads ([`HostPool::install`](super::HostPool::install)) while it
    /// has a lock that items take: a helper that waits may take another item. A step within the step, or beside another
    /// caller's, is its caller's alone. Helpers work under the caller's [`Control`](crate::Control). A panic of `work` is passed
    /// on to the caller.
    pub fn each<I>(&self, items: I, work: impl Fn(I::Item) + Sync)
    where
        I: IntoIterator,
        I::Item: Send,
    {
        self.each_with(items, || (), |(), item| work(item));
    }

    /// [`Team::each`] of a long step, which stops between items where the work is cancelled.
    ///
    /// ```
    /// use manycore_device::{Control, DeviceError, Team};
    /// let control = Control::new();
    /// let stop = control.clone();
    /// let mut x = [0; 9];
    /// let outcome = control.run(|| {
    ///     Team::ALONE.each_checked(x.iter_mut().enumerate(), |(i, x)| {
    ///         *x = 1;
    ///         if i == 3 {
    ///             stop.cancel(); // as another thread would
    ///         }
    ///     })
    /// });
    /// assert_eq!((outcome, x), (Err(DeviceError::Cancelled), [1, 1, 1, 1, 0, 0, 0, 0, 0]));
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::Cancelled`](crate::DeviceError::Cancelled): some items may not have been taken.
    pub fn each_checked<I>(&self, items: I, work: impl Fn(I::Item) + Sync) -> Result<(), DeviceError>
    where
        I: IntoIterator,
        I::Item: Send,
    {
        self.each_with_checked(items, || (), |(), item| work(item))
    }

    /// [`Team::each_with`] of a long step, as [`Team::each_checked`].
    ///
    /// # Errors
    /// As [`Team::each_checked`].
    pub fn each_with_checked<I, S>(
        &self,
        items: I,
        new: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, I::Item) + Sync,
    ) -> Result<(), DeviceError>
    where
        I: IntoIterator,
        I::Item: Send,
    {
        checkpoint()?;
        self.each_with(items, new, |own, item| {
            if checkpoint().is_ok() {
                work(own, item);
            }
        });
        // What is cancelled stays so.
        checkpoint()
    }

    /// [`Team::each`] with something of its own for every thread that takes an item, such as scratch memory.
    pub fn each_with<I, S>(&self, items: I, new: impl Fn() -> S + Sync, work: impl Fn(&mut S, I::Item) + Sync)
    where
        I: IntoIterator,
        I::Item: Send,
    {
        let items = items.into_iter();
        // Whoever takes an item takes it away.
        let mut list: Vec<Mutex<Option<I::Item>>> = Vec::new();
        let helpers = self.helpers.filter(|_| items.size_hint().1.is_none_or(|most| most > 1));
        let helpers = helpers.filter(|_| refusable(|| list.try_reserve_exact(items.size_hint().0)).is_ok());
        let mut own = None;
        let Some(helpers) = helpers else {
            for item in items {
                work(own.get_or_insert_with(&new), item);
            }
            return;
        };
        for item in items {
            list.push(Mutex::new(Some(item)));
        }
        let take = |own: &mut Option<S>, at: usize| {
            if let Some(item) = list[at].lock().unwrap_or_else(PoisonError::into_inner).take() {
                work(own.get_or_insert_with(&new), item);
            }
        };
        // Shares count items in 32 bits.
        if u32::try_from(list.len()).is_err() {
            return (0..list.len()).for_each(|at| take(&mut own, at));
        }
        let shares = Shares::new(list.len(), self.threads().min(list.len()));
        helpers.share_items(&shares, list.len(), &|taken| {
            let mut own = None;
            for at in taken {
                take(&mut own, at);
            }
        });
    }
}

impl Helpers {
    pub(super) fn team(&self) -> Team<'_> {
        Team { helpers: Some(self) }
    }

    /// Lets the caller and helpers take items of the shares, under the caller's control.
    fn share_items(&self, shares: &Shares, len: usize, drain: &(dyn Fn(Taken<'_>) + Sync)) {
        let control = Control::current();
        let drain = |member: usize| {
            let items = || drain(shares.of(member));
            // The caller, member 0, has its control.
            if member == 0 { items() } else { shared(control.clone(), items) }
        };
        self.share(len.saturating_sub(1), &drain);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::board::LOOKOUT;
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
