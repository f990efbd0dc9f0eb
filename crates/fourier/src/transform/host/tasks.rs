//! How threads share a stage: tasks, and arrays that they write.

/// Stages that move at most so many bytes are done by the calling thread, of several threads or of two: what one core wrote
/// comes to another in lines, one by one where they lie apart, and two threads gain least.
pub(crate) const fn serial_bytes(threads: usize) -> usize {
    if threads > 2 { 512 << 10 } else { 1 << 20 }
}

/// Tasks that every thread gets of a pass, about.
const TASKS: usize = 8;

/// Tiles or places of a pass that are one task of several threads.
pub(crate) fn parts_each(parts: usize, threads: usize) -> usize {
    parts.div_ceil(TASKS * threads)
}

/// An array that threads write disjoint parts of.
#[derive(Debug)]
pub(super) struct Shared<T>(pub(super) *mut T);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Shared<T> {}

// SAFETY: users see to it that no two threads touch the same values.
unsafe impl<T: Send> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Shared<T> {}
