//! Addresses of arrays.

use super::Geometry;

/// Hands out line-aligned arrays one after another, for traces of algorithms on several arrays.
#[derive(Clone, Debug)]
pub struct Layout {
    line_words: u64,
    next: u64,
}

/// An array of words at consecutive addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array {
    base: u64,
    words: u64,
}

impl Layout {
    /// An empty memory with the lines of `geometry`; the first array starts at address 0.
    pub fn new(geometry: Geometry) -> Self {
        Self { line_words: geometry.line_words(), next: 0 }
    }

    /// The next array of `words` words, which shares no line with the others.
    ///
    /// Addresses wrap around at `2^64`, which no trace that can be run reaches.
    pub fn array(&mut self, words: u64) -> Array {
        let array = Array { base: self.next, words };
        self.next = self.next.wrapping_add(words.div_ceil(self.line_words).wrapping_mul(self.line_words));
        array
    }
}

impl Array {
    /// Address of element `index`, in words. An index past the end gives an address outside the array.
    #[inline]
    pub fn at(self, index: u64) -> u64 {
        self.base.wrapping_add(index)
    }

    /// Number of words.
    pub fn words(self) -> u64 {
        self.words
    }

    /// Addresses of all elements in ascending order.
    pub fn scan(self) -> impl DoubleEndedIterator<Item = u64> + Clone {
        (0..self.words).map(move |index| self.base.wrapping_add(index))
    }
}
