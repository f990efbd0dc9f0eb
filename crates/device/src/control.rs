//! Control of long work: cancellation from another thread, progress, and a limit of memory.
//!
//! A control belongs to the work that [`Control::run`] does on the calling thread. Operations look at it where they ask for
//! memory, where they enqueue a kernel, and between the steps of long work on the host ([`checkpoint`]); so every operation can be
//! cancelled, and its own error says so. Threads that help the calling one work under the same control.

use std::cell::RefCell;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::DeviceError;

thread_local! {
    /// The control of the work that this thread does.
    static CURRENT: RefCell<Option<Control>> = const { RefCell::new(None) };
}

/// What an operation has done so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The step that begins: a kernel, or a step on the host.
    pub step: &'static str,
    /// Its number, from 1.
    pub steps: u64,
    /// The bytes that all steps up to this one read and write.
    pub bytes: u64,
    /// Their operations on words.
    pub operations: u64,
}

type Watcher = Box<dyn Fn(Progress) + Send + Sync>;

#[derive(Default)]
struct State {
    cancelled: AtomicBool,
    steps: AtomicU64,
    bytes: AtomicU64,
    operations: AtomicU64,
    watch: Option<Watcher>,
    limit_bytes: Option<u64>,
    /// Bytes of the buffers made under the limit that exist, by device.
    held_bytes: Mutex<Vec<(String, u64)>>,
}

/// Cancels and watches long work, and limits the memory that it takes.
///
/// A clone is the same control: one goes to the thread that may cancel.
///
/// ```
/// use manycore_device::{Control, Device, DeviceError};
/// let control = Control::new();
/// let stop = control.clone(); // for another thread
/// let zeros = control.run(|| Device::host().zeros::<u32>(1000));
/// assert!(zeros.is_ok());
/// stop.cancel();
/// let zeros = control.run(|| Device::host().zeros::<u32>(1000));
/// assert!(matches!(zeros, Err(DeviceError::Cancelled)));
/// ```
#[derive(Clone, Default)]
pub struct Control(Arc<State>);

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("cancelled", &self.is_cancelled())
            .field("steps", &self.0.steps.load(Ordering::Relaxed))
            .field("limit_bytes", &self.0.limit_bytes)
            .finish_non_exhaustive()
    }
}

impl Control {
    /// Cancels nothing, watches nothing, limits nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Calls `watch` before each kernel and each step on the host, on the thread that does the work; it should be quick.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use std::sync::Arc;
    /// use manycore_device::Control;
    /// let seen = Arc::new(AtomicU64::new(0));
    /// let count = Arc::clone(&seen);
    /// let control = Control::watching(move |progress| count.store(progress.steps, Ordering::Relaxed));
    /// # let _ = control;
    /// ```
    pub fn watching(watch: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self(Arc::new(State { watch: Some(Box::new(watch)), ..State::default() }))
    }

    /// A new control that limits the bytes of buffers made under it on each device, the host among them, and of each allocation of the
    /// host's memory outside of buffers. It counts from 0.
    ///
    /// Operations that go by blocks take blocks that fit ([`Device::room_bytes`](crate::Device::room_bytes)); others fail with
    /// [`DeviceError::OutOfMemory`] where they need more.
    #[must_use]
    pub fn with_limit_bytes(self, bytes: u64) -> Self {
        // Whoever has a clone keeps the control without a limit.
        let watch = Arc::into_inner(self.0).and_then(|state| state.watch);
        Self(Arc::new(State { watch, limit_bytes: Some(bytes), ..State::default() }))
    }

    /// Cancels the work that runs under this control, and all that is begun under it from now on.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// Does `work` under this control, in place of the one that the calling thread has.
    ///
    /// Work that is cancelled ends with its own error, which holds [`DeviceError::Cancelled`]; what it had begun to write is
    /// unspecified.
    pub fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        under(Some(self.clone()), work)
    }

    /// The limit of [`Control::with_limit_bytes`].
    pub fn limit_bytes(&self) -> Option<u64> {
        self.0.limit_bytes
    }

    /// The control of the work that this thread does, for the threads that help it ([`shared`]).
    pub fn current() -> Option<Self> {
        CURRENT.with_borrow(Clone::clone)
    }
}

/// Does `work` under no control: what is kept for later calls (opened devices, proofs, measured choices) must not be cut short by
/// the one that happens to need it first.
pub fn uncontrolled<R>(work: impl FnOnce() -> R) -> R {
    under(None, work)
}

/// Does the part of another thread's work under the control that it has there, or under none: for threads that one starts to help
/// it. Those of a [`Team`](crate::Team) and of a [`DeviceSet`](crate::DeviceSet) do so by themselves.
///
/// ```
/// use manycore_device::{Control, checkpoint, shared};
/// let control = Control::new();
/// control.cancel();
/// let here = control.run(Control::current);
/// let there = std::thread::spawn(|| shared(here, checkpoint)).join();
/// assert!(matches!(there, Ok(Err(_))));
/// ```
pub fn shared<R>(control: Option<Control>, work: impl FnOnce() -> R) -> R {
    under(control, work)
}

/// Does `work` under a control, or under none; the thread gets its former one back, also where the work panics.
fn under<R>(control: Option<Control>, work: impl FnOnce() -> R) -> R {
    struct Restore(Option<Control>);

    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.with_borrow_mut(|current| *current = self.0.take());
        }
    }

    let _restore = Restore(CURRENT.replace(control));
    work()
}

/// Fails where the work of this thread is cancelled. Operations call it between steps of long work, and threads of a
/// [`Team`](crate::Team) between their items: it is a look at a number that no other thread writes.
///
/// # Errors
/// [`DeviceError::Cancelled`].
pub fn checkpoint() -> Result<(), DeviceError> {
    let cancelled = CURRENT.with_borrow(|current| current.as_ref().is_some_and(Control::is_cancelled));
    if cancelled { Err(DeviceError::Cancelled) } else { Ok(()) }
}

/// Whether this thread's work is under a control.
pub(crate) fn is_controlled() -> bool {
    CURRENT.with_borrow(Option::is_some)
}

/// Fails where the work of this thread is cancelled, or its limit of memory refuses an allocation of `bytes` bytes.
pub(crate) fn allocation(bytes: u64) -> Result<(), DeviceError> {
    checkpoint()?;
    let limit = CURRENT.with_borrow(|current| current.as_ref().and_then(Control::limit_bytes));
    match limit {
        Some(limit) if bytes > limit => Err(past_limit("host".into(), bytes, limit)),
        _ => Ok(()),
    }
}

/// What limits the memory of work under a [`Control`] with [`Control::with_limit_bytes`].
pub(crate) const LIMIT: &str = "the limit of memory that was set";

fn past_limit(device: String, wanted_bytes: u64, free_or_limit_bytes: u64) -> DeviceError {
    DeviceError::OutOfMemory { device, wanted_bytes, free_or_limit_bytes, reason: LIMIT }
}

/// Bytes that a buffer holds of its control's limit, until it is dropped.
pub(crate) struct Held {
    control: Control,
    device: usize,
    bytes: u64,
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut held = self.control.held();
        held[self.device].1 -= self.bytes;
    }
}

impl Control {
    fn held(&self) -> std::sync::MutexGuard<'_, Vec<(String, u64)>> {
        self.0.held_bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the bytes of a buffer of a device from the limit of this thread's work, where it has one.
///
/// # Errors
/// [`DeviceError::OutOfMemory`] where that is too little; [`DeviceError::Cancelled`].
pub(crate) fn hold(device: &str, bytes: u64) -> Result<Option<Held>, DeviceError> {
    checkpoint()?;
    let Some(control) = Control::current().filter(|control| control.0.limit_bytes.is_some()) else { return Ok(None) };
    let limit = control.0.limit_bytes.unwrap_or(u64::MAX);
    let mut held = control.held();
    let at = held.iter().position(|(name, _)| name == device).unwrap_or_else(|| {
        held.push((device.to_owned(), 0));
        held.len() - 1
    });
    let free = limit - held[at].1;
    if bytes > free {
        return Err(past_limit(device.to_owned(), bytes, free));
    }
    held[at].1 += bytes;
    drop(held);
    Ok(Some(Held { control, device: at, bytes }))
}

/// Bytes that buffers of a device may still have by the limit of this thread's work.
pub(crate) fn room(device: &str) -> u64 {
    CURRENT.with_borrow(|current| {
        let Some((control, limit)) = current.as_ref().and_then(|control| Some((control, control.0.limit_bytes?)))
        else {
            return u64::MAX;
        };
        limit - control.held().iter().find(|(name, _)| name == device).map_or(0, |(_, bytes)| *bytes)
    })
}

/// Tells the watcher of this thread's work of a step.
pub(crate) fn note(step: &'static str, bytes: u64, operations: u64) {
    CURRENT.with_borrow(|current| {
        let Some(Control(state)) = current else { return };
        let add = |sum: &AtomicU64, one: u64| sum.fetch_add(one, Ordering::Relaxed).wrapping_add(one);
        let progress = Progress {
            step,
            steps: add(&state.steps, 1),
            bytes: add(&state.bytes, bytes),
            operations: add(&state.operations, operations),
        };
        if let Some(watch) = &state.watch {
            watch(progress);
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::Device;

    #[test]
    fn the_limit_is_of_all_buffers_of_a_device() {
        let control = Control::new().with_limit_bytes(4000);
        for device in Device::all() {
            assert!(control.run(|| device.zeros::<u32>(1000)).is_ok());
            let refused = control.run(|| device.zeros::<u32>(1001)).unwrap_err();
            assert!(matches!(refused, DeviceError::OutOfMemory { wanted_bytes: 4004, free_or_limit_bytes: 4000, .. }));
            let mut kept = control.run(|| device.zeros::<u32>(500)).unwrap();
            assert_eq!(control.run(|| device.room_bytes()), 2000);
            let refused = control.run(|| device.zeros::<u32>(501)).unwrap_err();
            assert!(matches!(refused, DeviceError::OutOfMemory { wanted_bytes: 2004, free_or_limit_bytes: 2000, .. }));
            let refused = control.run(|| device.has_room(2001)).unwrap_err();
            assert!(matches!(refused, DeviceError::OutOfMemory { wanted_bytes: 2001, free_or_limit_bytes: 2000, .. }));
            control.run(|| device.has_room(2000)).unwrap();
            // Memory seen as other words is held once.
            kept.seen_as::<u64, _>(|_| assert_eq!(control.run(|| device.room_bytes()), 2000)).unwrap();
            assert_eq!(control.run(|| device.room_bytes()), 2000);
            assert!(device.zeros::<u32>(1001).is_ok() && device.room_bytes() > 1 << 20);
            drop(kept);
            assert!(control.run(|| device.zeros::<u32>(1000)).is_ok());
        }
    }

    #[test]
    fn steps_are_counted_where_they_are_done() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let into = Arc::clone(&seen);
        let control = Control::watching(move |progress| into.lock().unwrap().push(progress));
        let device = Device::host();
        let crate::Executor::Host(pool) = device.executor() else { unreachable!() };
        control.run(|| {
            pool.step("one", 8, 2, || ());
            pool.step("two", 16, 3, || ());
        });
        pool.step("three", 1, 1, || ());
        let seen = seen.lock().unwrap();
        assert_eq!(
            *seen,
            [
                Progress { step: "one", steps: 1, bytes: 8, operations: 2 },
                Progress { step: "two", steps: 2, bytes: 24, operations: 5 },
            ]
        );
    }

    #[test]
    fn helpers_see_the_control_of_the_caller() {
        use std::sync::Barrier;
        use std::thread;

        let device = Device::host_with(3).unwrap();
        let crate::Executor::Host(pool) = device.executor() else { unreachable!() };
        let cancelled = || matches!(checkpoint(), Err(DeviceError::Cancelled));
        for cancels in [true, false, true] {
            let control = Control::new();
            if cancels {
                control.cancel();
            }
            let (seen, barrier) = (Mutex::new(Vec::new()), Barrier::new(3));
            control.run(|| {
                pool.team().each(0..3, |_| {
                    barrier.wait(); // each item is another thread's
                    seen.lock().unwrap().push((thread::current().id(), cancelled()));
                });
                assert_eq!(pool.install(cancelled), cancels);
            });
            let mut seen = seen.into_inner().unwrap();
            assert!(seen.iter().all(|&(_, told)| told == cancels), "{seen:?}");
            seen.dedup_by_key(|(thread, _)| *thread);
            assert_eq!(seen.len(), 3);
            // Helpers keep nothing of it.
            let barrier = Barrier::new(3);
            pool.team().each(0..3, |_| {
                barrier.wait();
                assert!(Control::current().is_none());
            });
        }
        let set = crate::DeviceSet::new(vec![Device::host(), Device::host()], &[1.0, 1.0]).unwrap();
        let control = Control::new();
        control.cancel();
        let outcome = control.run(|| set.run(&[0..1, 1..2], |_, _| checkpoint()));
        assert!(matches!(outcome, Err(DeviceError::Cancelled)));
    }

    #[test]
    fn room_outside_of_buffers_is_controlled() {
        let control = Control::new().with_limit_bytes(4000);
        assert!(control.run(|| crate::host_room(4000)).is_ok());
        assert!(matches!(control.run(|| crate::host_room(4001)), Err(DeviceError::OutOfMemory { .. })));
        assert!(matches!(control.run(|| crate::zeroed_words::<u64>(501)), Err(DeviceError::OutOfMemory { .. })));
        control.cancel();
        assert!(matches!(control.run(|| crate::host_room(1)), Err(DeviceError::Cancelled)));
        assert!(matches!(control.run(|| crate::zeroed_words::<u64>(1)), Err(DeviceError::Cancelled)));
    }

    #[test]
    fn controls_nest_and_end_with_their_work() {
        let (outer, inner) = (Control::new(), Control::new());
        inner.cancel();
        outer.run(|| {
            assert!(checkpoint().is_ok());
            inner.run(|| assert!(matches!(checkpoint(), Err(DeviceError::Cancelled))));
            assert!(checkpoint().is_ok());
            let panics = std::panic::AssertUnwindSafe(|| inner.run(|| panic!("a test")));
            assert!(std::panic::catch_unwind(panics).is_err());
            assert!(checkpoint().is_ok());
        });
        assert!(Control::current().is_none());
    }
}
