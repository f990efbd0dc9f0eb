//! The second computation of a product over a semiring: plain loops of plain Rust, in the order of the inner index.

use manycore::verify::{CheckError, Outcome, Passed};

use super::entries::Entry;
use super::product::Kind;

/// Operations of a type, written once more.
pub(super) trait Plain: Entry {
    /// The product of two entries; integers wrap around where `wraps`, else end at their ends.
    fn product(kind: Kind, wraps: bool, a: Self, b: Self) -> Self;

    /// The sum of two entries.
    fn sum(kind: Kind, a: Self, b: Self) -> Self;
}

/// The greater one, the first of equals.
fn max<T: PartialOrd>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

/// The lesser one, the first of equals.
fn min<T: PartialOrd>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

macro_rules! integers {
    ($($word:ty)*) => {$(
        impl Plain for $word {
            fn product(kind: Kind, wraps: bool, a: Self, b: Self) -> Self {
                match kind {
                    Kind::PlusTimes | Kind::MaxTimes => a.wrapping_mul(b),
                    Kind::MaxPlus if !wraps && (a == Self::MIN || b == Self::MIN) => Self::MIN,
                    Kind::MinPlus if !wraps && (a == Self::MAX || b == Self::MAX) => Self::MAX,
                    Kind::MaxPlus | Kind::MinPlus if wraps => a.wrapping_add(b),
                    Kind::MaxPlus | Kind::MinPlus => a.saturating_add(b),
                    Kind::MaxMin => min(a, b),
                    Kind::MinMax => max(a, b),
                    Kind::OrAnd => a & b,
                }
            }

            fn sum(kind: Kind, a: Self, b: Self) -> Self {
                match kind {
                    Kind::PlusTimes => a.wrapping_add(b),
                    Kind::MaxPlus | Kind::MaxMin | Kind::MaxTimes => max(a, b),
                    Kind::MinPlus | Kind::MinMax => min(a, b),
                    Kind::OrAnd => a | b,
                }
            }
        }
    )*};
}

integers! { i32 i64 }

macro_rules! reals {
    ($($word:ty)*) => {$(
        impl Plain for $word {
            fn product(kind: Kind, _: bool, a: Self, b: Self) -> Self {
                match kind {
                    Kind::PlusTimes | Kind::MaxTimes => a * b,
                    Kind::MaxPlus | Kind::MinPlus => a + b,
                    Kind::MaxMin => min(a, b),
                    // There is no such product of numbers that are no bits: the program refuses it.
                    Kind::MinMax | Kind::OrAnd => max(a, b),
                }
            }

            fn sum(kind: Kind, a: Self, b: Self) -> Self {
                match kind {
                    Kind::PlusTimes => a + b,
                    Kind::MaxPlus | Kind::MaxMin | Kind::MaxTimes => max(a, b),
                    Kind::MinPlus | Kind::MinMax | Kind::OrAnd => min(a, b),
                }
            }
        }
    )*};
}

reals! { f32 f64 }

/// Compares every entry of a product of `rows x inner` and `inner x columns` entries.
pub(super) fn product<T: Plain>(
    (kind, wraps, zero): (Kind, bool, T),
    (rows, inner, columns): (usize, usize, usize),
    (a, b): (&[T], &[T]),
    found: &[T],
) -> Outcome {
    if found.len() != rows * columns {
        return Err(CheckError::Length { found: found.len(), expected: rows * columns });
    }
    let mut sums = vec![zero; columns];
    for (run, (row, found)) in a.chunks_exact(inner).zip(found.chunks_exact(columns)).enumerate() {
        sums.fill(zero);
        for (&a, b) in row.iter().zip(b.chunks_exact(columns)) {
            for (sum, &b) in sums.iter_mut().zip(b) {
                *sum = T::sum(kind, *sum, T::product(kind, wraps, a, b));
            }
        }
        if let Some(index) = (0..columns).find(|&index| !found[index].is_same(sums[index])) {
            let (found, expected) = (found[index].text(), sums[index].text());
            return Err(CheckError::Value { run, index, found, expected });
        }
    }
    Ok(Passed::by_second_computation("second computation by plain loops"))
}
