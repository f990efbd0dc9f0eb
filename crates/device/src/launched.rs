//! Launches of a thread's own work, with what the compiler made of each kernel: what is known of a plan only once it was built.

use std::cell::{Cell, RefCell};

use manycore_model::BuiltKernel;

/// What a thread launched on OpenCL devices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Launches {
    /// A kernel's launches with groups of one size together, in the order of the first launches.
    pub kernels: Vec<BuiltKernel>,
    /// Whether a kernel was not built, or the device refused to launch one.
    pub is_refused: bool,
}

thread_local! {
    /// Observations under way in this thread: a launch looks at this number alone.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Whether this thread's launches are aside from its own work.
    static IS_ASIDE: Cell<bool> = const { Cell::new(false) };
    /// What each of them has seen, the innermost last.
    static SEEN: RefCell<Vec<Launches>> = const { RefCell::new(Vec::new()) };
}

/// Runs `work` and returns this thread's launches on OpenCL devices meanwhile. Observations may be nested; the outer one has the launches
/// of the inner one, too. The call waits for no launch.
///
/// ```
/// use manycore_device::{Device, launched};
/// let device = Device::host();
/// let (x, launches) = launched::observe(|| device.zeros::<u32>(100));
/// assert_eq!((x?.len(), launches), (100, launched::Launches::default())); // the host launches no kernels
/// # Ok::<(), manycore_device::DeviceError>(())
/// ```
pub fn observe<R>(work: impl FnOnce() -> R) -> (R, Launches) {
    let turn = Turn::begin();
    let result = work();
    (result, turn.end())
}

/// Runs `work`, whose launches and copies are no part of what this thread does: observations and
/// [profiles](crate::Device::profile) around it leave them out. For tests of the device within an operation.
pub fn aside<R>(work: impl FnOnce() -> R) -> R {
    let _aside = Aside { outer: IS_ASIDE.replace(true) };
    work()
}

/// Whether this thread's launches are left out of profiles.
pub(crate) fn is_aside() -> bool {
    IS_ASIDE.get()
}

/// Work aside; it ends also where that panics.
struct Aside {
    outer: bool,
}

impl Drop for Aside {
    fn drop(&mut self) {
        IS_ASIDE.set(self.outer);
    }
}

/// An observation; it ends with its work, also where that panics.
struct Turn {
    depth: usize,
}

impl Turn {
    fn begin() -> Self {
        let depth = DEPTH.get();
        SEEN.with_borrow_mut(|seen| seen.push(Launches::default()));
        DEPTH.set(depth + 1);
        Self { depth }
    }

    fn end(self) -> Launches {
        SEEN.with_borrow_mut(|seen| {
            let own = seen.get_mut(self.depth).map(std::mem::take).unwrap_or_default();
            if let Some(outer) = self.depth.checked_sub(1).and_then(|outer| seen.get_mut(outer)) {
                outer.is_refused |= own.is_refused;
                own.kernels.iter().for_each(|kernel| outer.add(kernel.clone()));
            }
            own
        })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        DEPTH.set(self.depth);
        SEEN.with_borrow_mut(|seen| seen.truncate(self.depth));
    }
}

impl Launches {
    /// Adds launches to those that are alike in all but their number.
    fn add(&mut self, built: BuiltKernel) {
        let is_alike = |known: &&mut BuiltKernel| BuiltKernel { groups: known.groups, ..built.clone() } == **known;
        match self.kernels.iter_mut().find(is_alike) {
            Some(known) => known.groups = known.groups.saturating_add(built.groups),
            None => self.kernels.push(built),
        }
    }
}

/// Changes what the innermost observation of this thread has seen, if there is one.
fn see(change: impl FnOnce(&mut Launches)) {
    if DEPTH.get() > 0 && !IS_ASIDE.get() {
        SEEN.with_borrow_mut(|seen| seen.last_mut().map(change));
    }
}

/// Notes a launch of this thread.
pub(crate) fn note(launch: impl FnOnce() -> BuiltKernel) {
    see(|seen| seen.add(launch()));
}

/// Notes a kernel that was not built, or a launch that was refused.
pub(crate) fn refuse() {
    see(|seen| seen.is_refused = true);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(name: &'static str, groups: u64, group: u64) -> BuiltKernel {
        BuiltKernel { name, groups, group, private_bytes: 8, local_bytes: 0, group_limit: 256 }
    }

    fn launch(name: &'static str, groups: u64, group: u64) {
        see(|seen| seen.add(built(name, groups, group)));
    }

    #[test]
    fn launches_alike_are_one_line_and_inner_ones_count_outside() {
        launch("before", 1, 1);
        let (inner, outer) = observe(|| {
            launch("a", 3, 64);
            launch("b", 1, 64);
            let ((), inner) = observe(|| {
                launch("a", 4, 64);
                launch("a", 4, 32);
                refuse();
            });
            launch("b", 1, 64);
            inner
        });
        assert_eq!(inner.kernels, [built("a", 4, 64), built("a", 4, 32)]);
        assert_eq!(outer.kernels, [built("a", 7, 64), built("b", 2, 64), built("a", 4, 32)]);
        assert!(inner.is_refused && outer.is_refused);
        assert_eq!(observe(|| ()).1, Launches::default());
    }

    #[test]
    fn work_aside_is_not_seen() {
        let ((), seen) = observe(|| {
            launch("a", 1, 1);
            aside(|| {
                launch("b", 1, 1);
                aside(|| launch("b", 1, 1));
                refuse();
                launch("b", 1, 1);
            });
            launch("a", 1, 1);
        });
        assert_eq!((seen.kernels, seen.is_refused), (vec![built("a", 2, 1)], false));
        assert!(std::panic::catch_unwind(|| aside(|| std::panic::resume_unwind(Box::new(())))).is_err());
        assert!(!is_aside());
    }

    #[test]
    fn a_panic_ends_its_observation() {
        let ((), outer) = observe(|| {
            let caught = std::panic::catch_unwind(|| {
                observe(|| {
                    launch("a", 1, 1);
                    std::panic::resume_unwind(Box::new(()))
                })
            });
            assert!(caught.is_err());
            launch("b", 1, 1);
        });
        assert_eq!((outer.kernels, outer.is_refused), (vec![built("b", 1, 1)], false));
        assert_eq!(DEPTH.get(), 0);
    }
}
