//! Sparse 0/1 words: ascending positions of ones, one list behind the other.

/// Why arrays are no lists of ascending positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ListsError {
    /// The offsets do not begin at 0, descend, or do not end at the number of positions.
    #[error("offset {index} is {offset}: offsets ascend from 0 to the number of positions, {positions}")]
    Offset {
        /// The place of the offset; the number of offsets where one is missing.
        index: usize,
        /// Its value.
        offset: usize,
        /// The number of positions.
        positions: usize,
    },
    /// A position that is not below the width.
    #[error("list {} has position {position}, and its words have {width} bits", list + 1)]
    Position {
        /// The list.
        list: usize,
        /// The position.
        position: u32,
        /// Bits of a word.
        width: u32,
    },
    /// A position that does not follow a smaller one.
    #[error("list {}: position {position} does not ascend", list + 1)]
    Order {
        /// The list.
        list: usize,
        /// The position.
        position: u32,
    },
    /// Dense words of another number than those of whole ones.
    #[error("{words} words of 64 bits: each dense word has {each}")]
    Words {
        /// The number of words of 64 bits.
        words: usize,
        /// Those of a dense word.
        each: usize,
    },
    /// A one past the width of a dense word.
    #[error("word {} has a one at bit {bit}, and its words have {width} bits", list + 1)]
    Bit {
        /// The word.
        list: usize,
        /// The bit, 0 the lowest.
        bit: u64,
        /// Bits of a word.
        width: u32,
    },
    /// An integer with more bits than 32-bit numbers count.
    #[error("an integer of {bits} bits: at most 2^32 - 1 are sorted")]
    Width {
        /// Its bits.
        bits: u64,
    },
    /// More lists than 32-bit numbers count.
    #[error("{lists} lists: at most 2^32 - 1 are sorted")]
    Count {
        /// The number of lists.
        lists: usize,
    },
}

/// Sparse words of `width` bits: list `i` holds the ascending positions of the ones of word `i`, and position 0 is the
/// most significant bit. The lists are the columns of a 0/1 matrix in compressed form.
#[derive(Debug, Clone, Copy)]
pub struct Lists<'a> {
    offsets: &'a [usize],
    positions: &'a [u32],
    width: u32,
}

impl<'a> Lists<'a> {
    /// The lists `positions[offsets[i] .. offsets[i + 1]]`. Checks all of them: `O(lists + positions)`.
    ///
    /// # Errors
    /// [`ListsError`] with the place of the first fault.
    pub fn new(offsets: &'a [usize], positions: &'a [u32], width: u32) -> Result<Self, ListsError> {
        let wrong = |index: usize| ListsError::Offset {
            index,
            offset: offsets.get(index).copied().unwrap_or(0),
            positions: positions.len(),
        };
        match (offsets.first(), offsets.last()) {
            (Some(0), Some(&last)) if last == positions.len() => {}
            (Some(0), Some(_)) => return Err(wrong(offsets.len() - 1)),
            _ => return Err(wrong(0)),
        }
        if let Some(index) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(wrong(index + 1));
        }
        let lists = Self { offsets, positions, width };
        if u32::try_from(lists.len()).is_err() {
            return Err(ListsError::Count { lists: lists.len() });
        }
        for list in 0..lists.len() {
            let positions = lists.list(list);
            if let Some(pair) = positions.windows(2).find(|pair| pair[0] >= pair[1]) {
                return Err(ListsError::Order { list, position: pair[1] });
            }
            if let Some(&position) = positions.last().filter(|&&position| position >= width) {
                return Err(ListsError::Position { list, position, width });
            }
        }
        Ok(lists)
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bits of a word.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The ascending positions of the ones of word `list`.
    ///
    /// # Panics
    /// For a list that is not there, as a slice does.
    pub fn list(&self, list: usize) -> &'a [u32] {
        &self.positions[self.offsets[list]..self.offsets[list + 1]]
    }

    /// Where each list begins, and where the last ends.
    pub(crate) fn offsets(&self) -> &'a [usize] {
        self.offsets
    }

    /// The positions of all lists.
    pub(crate) fn positions(&self) -> &'a [u32] {
        self.positions
    }

    /// The position of one `k`, from 0, of word `list`; the width where it has no more ones.
    #[inline]
    pub(crate) fn key(&self, list: u32, k: usize) -> u32 {
        let (begin, end) = (self.offsets[list as usize], self.offsets[list as usize + 1]);
        if k < end - begin { self.positions[begin + k] } else { self.width }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_with_their_place() {
        let error = |offsets: &[usize], positions: &[u32]| Lists::new(offsets, positions, 4).unwrap_err();
        assert_eq!(error(&[], &[]), ListsError::Offset { index: 0, offset: 0, positions: 0 });
        assert_eq!(error(&[1], &[]), ListsError::Offset { index: 0, offset: 1, positions: 0 });
        assert_eq!(error(&[0, 1], &[]), ListsError::Offset { index: 1, offset: 1, positions: 0 });
        assert_eq!(error(&[0, 2, 1, 2], &[0, 1]), ListsError::Offset { index: 2, offset: 1, positions: 2 });
        assert_eq!(error(&[0, 0, 2], &[3, 4]), ListsError::Position { list: 1, position: 4, width: 4 });
        assert_eq!(error(&[0, 1, 3], &[3, 2, 2]), ListsError::Order { list: 1, position: 2 });
    }

    #[test]
    fn keys_end_at_the_width() {
        let lists = Lists::new(&[0, 2, 2], &[1, 3], 4).unwrap();
        assert_eq!((lists.len(), lists.is_empty(), lists.list(0)), (2, false, &[1, 3][..]));
        assert_eq!([lists.key(0, 0), lists.key(0, 1), lists.key(0, 2), lists.key(1, 0)], [1, 3, 4, 4]);
        assert!(Lists::new(&[0], &[], 0).unwrap().is_empty());
    }
}
