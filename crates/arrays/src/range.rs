//! Ranges as they are written, `2..5`, `..=4`, `3..` or `..`, by their first index and the one past their last.

use std::ops::{Bound, Range, RangeBounds};

mod sealed {
    pub trait Sealed {}
    impl Sealed for usize {}
    impl Sealed for u64 {}
}

/// An index, `usize` or `u64`. The trait is sealed.
pub trait Index: Copy + sealed::Sealed {
    /// The first index, 0.
    const FIRST: Self;

    /// The next index; the largest value of the type stays as it is.
    #[must_use]
    fn next(self) -> Self;
}

impl Index for usize {
    const FIRST: Self = 0;

    fn next(self) -> Self {
        self.saturating_add(1)
    }
}

impl Index for u64 {
    const FIRST: Self = 0;

    fn next(self) -> Self {
        self.saturating_add(1)
    }
}

/// The first index of a range and the one past its last, in a list of the given length. Does not check that the list is that long.
///
/// ```
/// use manycore_arrays::range;
/// assert_eq!(range(&(2..5), 8usize), 2..5);
/// assert_eq!((range(&(..=4), 8usize), range(&(3..), 8usize), range(&(..), 8u64)), (0..5, 3..8, 0..8));
/// ```
pub fn range<I: Index>(bounds: &impl RangeBounds<I>, len: I) -> Range<I> {
    let start = match bounds.start_bound() {
        Bound::Included(&first) => first,
        Bound::Excluded(&before) => before.next(),
        Bound::Unbounded => I::FIRST,
    };
    let end = match bounds.end_bound() {
        Bound::Included(&last) => last.next(),
        Bound::Excluded(&end) => end,
        Bound::Unbounded => len,
    };
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form() {
        assert_eq!(range(&(Bound::Excluded(2usize), Bound::Included(2)), 9), 3..3);
        assert_eq!(range(&(Bound::Excluded(u64::MAX), Bound::Included(u64::MAX)), 9), u64::MAX..u64::MAX);
        assert_eq!(range(&(4usize..=4), 9), 4..5);
        assert_eq!(range(&(7..12usize), 9), 7..12);
        assert_eq!(range(&(..12usize), 9), 0..12);
        let past = range(&(12usize..), 9);
        assert_eq!((past.start, past.end), (12, 9));
    }
}
