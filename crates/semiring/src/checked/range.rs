//! Ranges of the entries of a matrix, and those of a product by those of its operands (interval arithmetic; Moore, 1966).

use manycore_device::Executor;
use manycore_expressions::{Columns, Function, Memory, Value};

use super::bounds::EntryRange;
use super::rules::{CheckedSemiring, Rule};
use super::words::Checked;
use crate::error::SemiringError;
use crate::matrix::{Kept, Matrix};
use crate::multiply::products::Products;
use crate::reduce::Reduction;
use crate::resident::DeviceMatrix;
use crate::semiring::Semiring;

/// Entries of functions that are computed to know where they lie, at most.
const MOST_COMPUTED: u128 = 1 << 16;

impl<T: Checked> Matrix<T> {
    /// Where its entries lie, missing ones among them; `None` of a function of many entries, which are not computed. O(entries).
    #[inline(never)]
    pub fn range(&self) -> Option<EntryRange> {
        let of_entries = |entries: &[T]| of_columns::<T>(&Columns::from_elements(entries));
        Some(match self.kept() {
            Kept::Stored(entries) => of_columns::<T>(entries),
            Kept::Rows(lists) | Kept::Columns(lists) => of_entries(&lists.entries).and(of_entries(&[lists.absent])),
            Kept::Function(_) => {
                let shape = self.shape();
                if u128::from(shape.rows) * u128::from(shape.columns) > MOST_COMPUTED {
                    return None;
                }
                of_entries(&self.entries())
            }
        })
    }
}

fn of_columns<T: Checked>(columns: &Columns<T>) -> EntryRange {
    columns.columns().into_iter().map(EntryRange::of::<T>).fold(EntryRange::EMPTY, EntryRange::and)
}

type Found<T> = (T, T, u8);
type V<T> = Value<T>;
type Values<T> = (V<T>, V<T>, V<u8>);

impl Products {
    /// Where the entries of a matrix on a device lie, found once; `None` of a function.
    pub(super) fn range<T: Checked>(&self, matrix: &DeviceMatrix<T>) -> Result<Option<EntryRange>, SemiringError> {
        matrix.range_or(|| self.find_range(matrix))
    }

    fn find_range<T: Checked>(&self, matrix: &DeviceMatrix<T>) -> Result<Option<EntryRange>, SemiringError> {
        let Some(entries) = matrix.entries() else {
            let Some(absent) = matrix.absent() else { return Ok(None) };
            let stored = EntryRange::of::<T>(Columns::from_elements(&[absent]).columns()[0]);
            return Ok(matrix.download()?.range().map(|range| range.and(stored)));
        };
        if matches!(self.device().executor(), Executor::Host(_)) {
            let columns = entries.memory().iter().map(Memory::words).map(|words| words.host().map(EntryRange::of::<T>));
            return columns.reduce(|a, b| Ok(a?.and(b?))).transpose().map_err(SemiringError::from);
        }
        // The least and the greatest entry apart from the type's ends, whose presence is one bit each.
        let found = Function::<(T, ()), Found<T>>::new(|(a, ()): (V<T>, ())| {
            let (is_least, is_greatest) = (a.equals(T::LEAST), a.equals(T::GREATEST));
            let is_end = is_least | is_greatest;
            let bits = is_least.select(1u8, 0u8) | is_greatest.select(2u8, 0u8);
            (is_end.select(T::GREATEST, a), is_end.select(T::LEAST, a), bits)
        })?;
        let both =
            Function::<(Found<T>, Found<T>), Found<T>>::new(|((a, b, c), (d, e, f)): (Values<T>, Values<T>)| {
                (a.min(d), b.max(e), c | f)
            })?;
        let zero = (T::GREATEST, T::LEAST, 0);
        let of_rows = Semiring::new(found, both.clone(), zero)?;
        let nothing = self.upload(&Reduction::<T>::nothing(matrix.shape().columns, 1)?)?;
        let by_rows = self.multiply(&of_rows, matrix, &nothing)?;
        let all = self.reduce_columns(&Reduction::new(&both, zero)?, &by_rows)?.download()?.entries();
        let Some(&(least, greatest, bits)) = all.first() else { return Ok(Some(EntryRange::EMPTY)) };
        let (least, greatest) = (least.wide(), greatest.wide());
        let between = (least <= greatest).then_some((least, greatest));
        Ok(Some(EntryRange { between, has_least: bits & 1 != 0, has_greatest: bits & 2 != 0 }))
    }
}

impl<T: Checked> CheckedSemiring<T> {
    /// The range of the entries of a product of `terms` terms, and of all its intermediate values, for operands in the ranges `a` and `b`;
    /// `None` where one may overflow its type.
    pub fn product_range(&self, a: EntryRange, b: EntryRange, terms: u64) -> Option<EntryRange> {
        let (rule, ends_are_infinite) = (self.rule(), self.has_infinities());
        let within = |least, greatest| EntryRange::new::<T>(least, greatest, ends_are_infinite);
        let none = EntryRange { has_least: terms == 0, ..EntryRange::EMPTY };
        match rule {
            Rule::PlusTimes | Rule::MaxTimes => {
                let (Some(a), Some(b)) = (a.bounds::<T>(), b.bounds::<T>()) else { return within(0, 0) };
                let corners =
                    [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
                let least = corners.into_iter().fold(i128::MAX, i128::min);
                let greatest = corners.into_iter().fold(i128::MIN, i128::max);
                if rule == Rule::MaxTimes {
                    return within(least, greatest).map(|range| range.and(none));
                }
                let terms = i128::from(terms);
                within(least.checked_mul(terms)?.min(0), greatest.checked_mul(terms)?.max(0))
            }
            Rule::MaxPlus | Rule::MinPlus => {
                let both = EntryRange { between: None, ..a.and(b) };
                let (Some(a), Some(b)) = (self.finite(a), self.finite(b)) else { return Some(both.and(none)) };
                let (below, above) = self.infinities();
                let sums = EntryRange::new::<T>(a.0 + b.0, a.1 + b.1, false)?;
                if (below && sums.has_least) || (above && sums.has_greatest) {
                    return None;
                }
                Some(EntryRange {
                    has_least: both.has_least || terms == 0,
                    has_greatest: both.has_greatest || terms == 0,
                    ..sums
                })
            }
            Rule::MaxMin | Rule::MinMax => {
                let both = a.and(b);
                let is_empty = terms == 0;
                Some(EntryRange {
                    has_least: both.has_least || is_empty,
                    has_greatest: both.has_greatest || is_empty,
                    ..both
                })
            }
            Rule::OrAnd => {
                let Some((least, greatest)) = a.and(b).bounds::<T>() else { return within(0, 0) };
                if least < 0 {
                    return within(T::LEAST.wide(), T::GREATEST.wide());
                }
                within(0, (greatest as u128 + 1).next_power_of_two() as i128 - 1)
            }
        }
    }

    /// The finite entries: where an end is no infinity it is among them.
    fn finite(&self, range: EntryRange) -> Option<(i128, i128)> {
        let (below, above) = self.infinities();
        EntryRange { has_least: range.has_least && !below, has_greatest: range.has_greatest && !above, ..range }
            .bounds::<T>()
    }
}
