//! Ranges of the entries of a matrix of integers: bounds, and the ends of their type.

use manycore_expressions::Column;

use super::words::Checked;

/// The range of the entries of a matrix of integers. The ends of their type, which may stand for infinities, count separately.
///
/// ```
/// use manycore_semiring::Matrix;
/// let range = Matrix::stored(1, 4, &[3i32, i32::MAX, -1, 4])?.range().unwrap();
/// assert_eq!((range.between, range.has_least, range.has_greatest), (Some((-1, 4)), false, true));
/// # Ok::<(), manycore_semiring::SemiringError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryRange {
    /// A lower and an upper bound of the entries but the ends of their type; `None` where there are no such entries.
    pub between: Option<(i128, i128)>,
    /// Whether an entry may be the least integer of the type.
    pub has_least: bool,
    /// Whether an entry may be the greatest one.
    pub has_greatest: bool,
}

impl EntryRange {
    /// No entries.
    pub const EMPTY: Self = Self { between: None, has_least: false, has_greatest: false };

    /// The range of the entries of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let between = match (self.between, other.between) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (a, b) => a.or(b),
        };
        Self {
            between,
            has_least: self.has_least || other.has_least,
            has_greatest: self.has_greatest || other.has_greatest,
        }
    }

    /// The integers from the first to the second one; `None` where the type does not hold them, or where its ends are none of its
    /// integers and one may be among them.
    pub fn new<T: Checked>(least: i128, greatest: i128, ends_are_infinite: bool) -> Option<Self> {
        let ends = (T::LEAST.wide(), T::GREATEST.wide());
        let is_within = ends.0 <= least && greatest <= ends.1;
        let (has_least, has_greatest) = (least == ends.0, greatest == ends.1);
        let is_past = !is_within || (ends_are_infinite && (has_least || has_greatest));
        (!is_past).then_some(Self { between: Some((least, greatest)), has_least, has_greatest })
    }

    pub(super) fn of<T: Checked>(words: Column<'_>) -> Self {
        let (between, has_least, has_greatest) = T::range(words);
        Self { between, has_least, has_greatest }
    }

    /// Bounds of all entries, of which the ends of the type are the integers that they are; `None` without entries.
    pub fn bounds<T: Checked>(self) -> Option<(i128, i128)> {
        let least = if self.has_least { Some(T::LEAST.wide()) } else { self.between.map(|between| between.0) };
        let greatest = if self.has_greatest { Some(T::GREATEST.wide()) } else { self.between.map(|between| between.1) };
        least.or(greatest).zip(greatest.or(least))
    }
}
