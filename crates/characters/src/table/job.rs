//! A tile with everything that making it needs to know.

use std::ops::Range;

use crate::context::Characters;
use crate::values::Values;

/// A tile with everything that making it needs to know.
pub(crate) struct Job<'a, V: Values> {
    pub(crate) context: &'a Characters,
    /// The factors; those that are 1 too.
    pub(crate) factors: &'a [u64],
    /// The exponent of their product.
    pub(crate) exponent: u64,
    /// An exponent times this is the power of the root: more than 1 where the factors are a part of a larger group.
    pub(crate) step: u64,
    pub(crate) values: &'a V,
    pub(crate) base: V::Base,
    pub(crate) rows: Range<u64>,
    pub(crate) columns: Range<u64>,
    /// Bytes that a work-group writes, where that is given.
    pub(crate) group_bytes: Option<usize>,
}

impl<V: Values> Job<'_, V> {
    pub(crate) fn height(&self) -> usize {
        (self.rows.end - self.rows.start) as usize
    }

    pub(crate) fn width(&self) -> usize {
        (self.columns.end - self.columns.start) as usize
    }

    /// Bytes of the entries.
    pub(crate) fn bytes(&self) -> u64 {
        (self.height() * self.width() * size_of::<V::Value>()) as u64
    }
}
