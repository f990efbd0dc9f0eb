//! Positions of ones of dense words and of integers of any size, in the form in which they are sorted.

use crate::{Lists, ListsError};

/// The ascending positions of the ones of words of one width, position 0 being the most significant bit.
///
/// ```
/// use manycore_sort::{Positions, SortOrder, sort_by_value};
/// // 101, 011, 110 in three bits: words of 64 bits, the lowest first.
/// let words = Positions::of_words(&[0b101, 0b011, 0b110], 3)?;
/// assert_eq!(words.lists()?.list(0), [0, 2]);
/// assert_eq!(sort_by_value(&words.lists()?, SortOrder::Ascending).order, [1, 0, 2]);
/// # Ok::<(), manycore_sort::ListsError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Positions {
    offsets: Vec<usize>,
    ones: Vec<u32>,
    width: u32,
}

impl Positions {
    /// Of dense words of `width` bits, each in `width.div_ceil(64)` words of 64 bits, the lowest first. O(bits / 64 + ones).
    ///
    /// # Errors
    /// [`ListsError::Words`] for a number of words that is no multiple of those of one; [`ListsError::Bit`] for a one past the width.
    pub fn of_words(words: &[u64], width: u32) -> Result<Self, ListsError> {
        let each = width.div_ceil(64) as usize;
        if each == 0 || !words.len().is_multiple_of(each) {
            if each == 0 && words.is_empty() {
                return Ok(Self { offsets: vec![0], ones: Vec::new(), width });
            }
            return Err(ListsError::Words { words: words.len(), each });
        }
        let mut made = Self { offsets: vec![0], ones: Vec::new(), width };
        for (list, words) in words.chunks(each).enumerate() {
            made.push(list, words.iter().copied())?;
        }
        Ok(made)
    }

    /// Of integers, as wide as the longest.
    ///
    /// # Errors
    /// [`ListsError::Width`] for an integer of `2^32` bits or more.
    #[cfg(feature = "bigint")]
    pub fn of_integers(integers: &[num_bigint::BigUint]) -> Result<Self, ListsError> {
        let bits = integers.iter().map(num_bigint::BigUint::bits).max().unwrap_or(0);
        let width = u32::try_from(bits).map_err(|_| ListsError::Width { bits })?;
        let mut made = Self { offsets: vec![0], ones: Vec::new(), width };
        for (list, integer) in integers.iter().enumerate() {
            made.push(list, integer.iter_u64_digits())?;
        }
        Ok(made)
    }

    /// Adds the ones of a word, the lowest 64 bits first.
    fn push(
        &mut self,
        list: usize,
        words: impl DoubleEndedIterator<Item = u64> + ExactSizeIterator,
    ) -> Result<(), ListsError> {
        for (at, mut word) in words.enumerate().rev() {
            while word != 0 {
                let top = word.ilog2();
                let bit = 64 * at as u64 + u64::from(top);
                let position = u64::from(self.width).checked_sub(bit + 1).ok_or(ListsError::Bit {
                    list,
                    bit,
                    width: self.width,
                })?;
                self.ones.push(position as u32);
                word ^= 1 << top;
            }
        }
        self.offsets.push(self.ones.len());
        Ok(())
    }

    /// The lists of positions.
    ///
    /// # Errors
    /// [`ListsError::Count`] for `2^32` words or more.
    pub fn lists(&self) -> Result<Lists<'_>, ListsError> {
        Lists::new(&self.offsets, &self.ones, self.width)
    }
}
