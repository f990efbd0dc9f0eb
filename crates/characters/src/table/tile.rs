//! The part of a table that is wanted.

use std::ops::{Bound, Range, RangeBounds};

use manycore_arrays::range;

use super::construction::Construction;
use crate::error::CharacterError;
use crate::group::AbelianGroup;
use crate::values::Values;

/// The part of a table that is wanted, and how it is to be made: all of it by the construction that the planner chooses, unless
/// more is said.
///
/// ```
/// use manycore_characters::{Construction, Tile};
/// let tile = Tile::whole().rows(..9).columns(27..).by(Construction::Kronecker);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tile {
    rows: Indices,
    columns: Indices,
    pub(super) construction: Option<Construction>,
    pub(super) group_bytes: Option<usize>,
}

/// A range of indices, to the last one where it has no end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Indices {
    start: u64,
    end: Option<u64>,
}

impl Indices {
    fn of(bounds: &impl RangeBounds<u64>) -> Self {
        let Range { start, end } = range(bounds, 0);
        Self { start, end: (bounds.end_bound() != Bound::Unbounded).then_some(end) }
    }
}

impl Tile {
    /// The whole table.
    pub fn whole() -> Self {
        Self::default()
    }

    /// Only these rows.
    #[must_use]
    pub fn rows(self, rows: impl RangeBounds<u64>) -> Self {
        Self { rows: Indices::of(&rows), ..self }
    }

    /// Only these columns.
    #[must_use]
    pub fn columns(self, columns: impl RangeBounds<u64>) -> Self {
        Self { columns: Indices::of(&columns), ..self }
    }

    /// By this construction.
    #[must_use]
    pub fn by(self, construction: Construction) -> Self {
        Self { construction: Some(construction), ..self }
    }

    /// The construction that was asked for.
    pub fn construction(&self) -> Option<Construction> {
        self.construction
    }

    /// Sets the bytes that each work-group of an OpenCL device writes, about, in place of the default: for experiments.
    #[must_use]
    pub fn group_bytes(self, bytes: usize) -> Self {
        Self { group_bytes: Some(bytes), ..self }
    }

    /// The rows and columns of this tile of a group's table.
    ///
    /// # Errors
    /// [`CharacterError::Range`] for ranges that are not within the table.
    pub fn ranges(&self, group: &AbelianGroup) -> Result<(Range<u64>, Range<u64>), CharacterError> {
        let order = group.order();
        let checked = |what, Indices { start, end }: Indices| {
            let end = end.unwrap_or(order);
            if start <= end && end <= order {
                Ok(start..end)
            } else {
                Err(CharacterError::Range { what, start, end, order })
            }
        };
        Ok((checked("rows", self.rows)?, checked("columns", self.columns)?))
    }
}

/// The words of a tile.
pub(crate) fn words<V: Values>(rows: &Range<u64>, columns: &Range<u64>) -> Result<usize, CharacterError> {
    let (rows, columns) = (rows.end - rows.start, columns.end - columns.start);
    let bytes = (u128::from(rows) * u128::from(columns)).saturating_mul(size_of::<V::Value>() as u128);
    if bytes > isize::MAX as u128 {
        return Err(CharacterError::TooManyEntries { rows, columns });
    }
    Ok((rows * columns) as usize * V::WORDS)
}
