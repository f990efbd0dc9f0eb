//! Stable sorts of sparse words and byte strings on any device, by class refinement. Paper 002, sections 5.1 and 6.1: Algorithms 4 and 5 as corrected.
//!
//! | file | what |
//! |---|---|
//! | `../sorted`, `../refinement` | the host: class after class |
//! | `device` | an OpenCL device: all classes of a round at once, by sorts and prefix sums |
//! | `strings` | byte strings on an OpenCL device |

mod device;
mod strings;

use manycore_device::{Device, Executor};
use manycore_expressions::{Function, Value};
use manycore_tuning::Planner;

use crate::error::SortError;
use crate::strings::count;
use crate::{Fold, Lists, Primitives, SortOrder, Sorted, Sorter, argsort_bytes, sort_by_gray_rank, sort_by_value};

/// Stable sorts of sparse words on a device, with the same results as [`sort_by_value`](crate::sort_by_value) and
/// [`sort_by_gray_rank`](crate::sort_by_gray_rank).
///
/// A round of an OpenCL device sorts the words whose class can be split by class and position, and leaves out those of finished
/// classes: O(words of such classes) operations in about twenty launches, and as many rounds as on the host. Words that agree in many
/// ones take many rounds.
///
/// Memory of an OpenCL device: the lists with offsets of 8 bytes, and at most 72 bytes a word.
///
/// ```
/// use manycore_device::Device;
/// use manycore_sort::{Lists, SortOrder, SparseSorter};
/// // The words 101, 011, 110, 101: position 0 is the most significant bit.
/// let (offsets, positions) = ([0, 2, 4, 6, 8], [0, 2, 1, 2, 0, 1, 0, 2]);
/// let words = Lists::new(&offsets, &positions, 3)?;
/// let sorter = SparseSorter::new(&Device::from_env()?)?;
/// assert_eq!(sorter.sort_by_value(&words, SortOrder::Ascending)?.order, [1, 0, 3, 2]);
/// assert_eq!(sorter.sort_by_gray_rank(&words, SortOrder::Descending)?.order, [0, 3, 2, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SparseSorter {
    planner: Planner,
    sorter: Sorter,
    primitives: Primitives,
    /// Sums of two counts of 32 bits in a word.
    marks: Fold<u64>,
}

impl SparseSorter {
    /// Sorts on this device.
    ///
    /// # Errors
    /// [`SortError::Expression`] where the sum of numbers cannot be written.
    pub fn new(device: &Device) -> Result<Self, SortError> {
        let sum =
            Function::<(u64, u64), u64>::new(|(a, b): (Value<u64>, Value<u64>)| a + b).map_err(SortError::from)?;
        Ok(Self {
            planner: Planner::new(device),
            sorter: Sorter::new(device),
            primitives: Primitives::new(device)?,
            marks: Fold::wrapping(device, &sum, 0)?,
        })
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    /// Sorts sparse words by value, stably.
    ///
    /// # Errors
    /// [`SortError::Device`] where memory is short or the device failed.
    pub fn sort_by_value(&self, lists: &Lists<'_>, direction: SortOrder) -> Result<Sorted, SortError> {
        match self.device().executor() {
            Executor::Host(_) => Ok(sort_by_value(lists, direction)),
            Executor::OpenCl(cl) => self.refined(cl, lists, |_| direction.reversed()),
        }
    }

    /// Sorts sparse words by rank in the binary reflected Gray code, stably.
    ///
    /// # Errors
    /// As [`SparseSorter::sort_by_value`].
    pub fn sort_by_gray_rank(&self, lists: &Lists<'_>, direction: SortOrder) -> Result<Sorted, SortError> {
        let of_round = |k: usize| if k.is_multiple_of(2) { direction.reversed() } else { direction };
        match self.device().executor() {
            Executor::Host(_) => Ok(sort_by_gray_rank(lists, direction)),
            Executor::OpenCl(cl) => self.refined(cl, lists, of_round),
        }
    }

    /// The places of byte strings in their order, with the same result as [`argsort_bytes`](crate::argsort_bytes).
    ///
    /// A round of an OpenCL device looks at three bytes of each string whose class can be split; after sixteen rounds the host compares
    /// what is left of strings that agree in 48 bytes. Memory of an OpenCL device: the bytes, and at most 80 bytes a string.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_sort::{SortOrder, SparseSorter};
    /// let sorter = SparseSorter::new(&Device::from_env()?)?;
    /// let names = ["pear", "fig", "peach", "fig", "pea"];
    /// assert_eq!(sorter.argsort_bytes(&names, SortOrder::Ascending)?, [1, 3, 4, 2, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SortError::Places`] for `2^32` strings or more; [`SortError::Device`] where memory is short or the device failed.
    pub fn argsort_bytes<S: AsRef<[u8]>>(&self, strings: &[S], order: SortOrder) -> Result<Vec<u32>, SortError> {
        count(strings)?;
        match self.device().executor() {
            Executor::Host(_) => argsort_bytes(strings, order),
            Executor::OpenCl(cl) => self.strings(cl, strings, order),
        }
    }
}
