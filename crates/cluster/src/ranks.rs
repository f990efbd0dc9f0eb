//! Ranks: what an operation over several processes needs of them.

use std::ops::Range;

use crate::error::ClusterError;

/// The ranks of a run, as one of them sees them. All ranks call the same operations in the same order.
pub trait Ranks {
    /// This rank's number, from 0.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn size(&self) -> usize;

    /// The bytes of the largest message that [`Ranks::shift`] takes; longer ones are cut.
    fn most_bytes(&self) -> usize {
        1 << 30
    }

    /// Sends `out` to rank `to` and receives `into` from rank `from`, both at the same time; neither where the slice is empty. In the same
    /// call, rank `to` receives `out.len()` bytes from this rank, and rank `from` sends `into.len()` bytes.
    ///
    /// # Errors
    /// [`ClusterError::Lost`] where one of them is gone, or sends another number of bytes.
    fn shift(&self, out: &[u8], to: usize, into: &mut [u8], from: usize) -> Result<(), ClusterError>;
}

/// One rank alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Ranks for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn shift(&self, out: &[u8], _: usize, into: &mut [u8], _: usize) -> Result<(), ClusterError> {
        into.copy_from_slice(out);
        Ok(())
    }
}

/// The part of `0..len` that rank `rank` of `size` has: they follow each other, and their lengths differ by one at most.
///
/// ```
/// use manycore_cluster::part;
/// assert_eq!((part(10, 3, 0), part(10, 3, 1), part(10, 3, 2)), (0..3, 3..6, 6..10));
/// ```
pub fn part(len: usize, size: usize, rank: usize) -> Range<usize> {
    let cut = |rank: usize| (len as u128 * rank as u128 / size.max(1) as u128) as usize;
    cut(rank)..cut(rank + 1)
}
