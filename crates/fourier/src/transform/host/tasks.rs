//! The tasks of a stage for threads, and the arrays that they write.

/// The most bytes moved by a stage that the calling thread does alone; twice as many with two threads, which gain least. What one core
/// wrote comes to another by cache lines, one by one where they lie apart.
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
