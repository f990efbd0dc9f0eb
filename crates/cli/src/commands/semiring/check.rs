//! The second computation of a product over a semiring: plain loops of plain Rust, in the order of the inner index.

use manycore::semiring::{CheckedSemiring, DeviceMatrix, Products, SemiringError};
use manycore::verify::{CheckError, Outcome, Passed};

use super::entries::Entry;
use super::product::Kind;

/// Operations of a type, written once more.
pub(super) trait Plain: Entry {
    /// The product of two entries; integers wrap around where `wraps`, else end at their ends.
    fn product(kind: Kind, wraps: bool, a: Self, b: Self) -> Self;

    /// The sum of two entries.
    fn sum(kind: Kind, a: Self, b: Self) -> Self;

    /// The exact sum of the products of these pairs; `None` where the type does not hold it. Of integers alone.
    fn exact(kind: Kind, pairs: &mut dyn Iterator<Item = (Self, Self)>) -> Option<Self>;

    /// The product, or its first entry that the type does not hold; `None` of numbers that are no integers, and of other semirings
    /// than those of sums.
    fn checked(kind: Kind, products: &Products, a: &DeviceMatrix<Self>, b: &DeviceMatrix<Self>) -> Option<Made<Self>>;
}

/// A product on a device.
pub(super) type Made<T> = Result<DeviceMatrix<T>, SemiringError>;

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

            fn exact(kind: Kind, pairs: &mut dyn Iterator<Item = (Self, Self)>) -> Option<Self> {
                let (none, other) = if kind == Kind::MaxPlus { (Self::MIN, Self::MAX) } else { (Self::MAX, Self::MIN) };
                let sum = |(a, b): (Self, Self)| {
                    if a == other || b == other { i128::from(other) } else { i128::from(a) + i128::from(b) }
                };
                let held = |sum: Option<i128>| match sum {
                    None => Some(none),
                    Some(sum) => Self::try_from(sum).ok().filter(|&sum| sum != none && sum != other),
                };
                match kind {
                    Kind::MaxPlus => held(pairs.filter(|&(a, b)| a != none && b != none).map(sum).max()),
                    Kind::MinPlus => held(pairs.filter(|&(a, b)| a != none && b != none).map(sum).min()),
                    _ => {
                        // Upper and lower words apart, so that no sum of them overflows.
                        let (upper, lower) = Iterator::try_fold(&mut { pairs }, (0i128, 0i128), |(upper, lower), (a, b)| {
                            let product = i128::from(a) * i128::from(b);
                            Some((upper.checked_add(product >> 64)?, lower.checked_add(product & i128::from(u64::MAX))?))
                        })?;
                        let upper = upper.checked_add(lower >> 64)?.checked_mul(1 << 64)?;
                        Self::try_from(upper.checked_add(lower & i128::from(u64::MAX))?).ok()
                    }
                }
            }

            fn checked(kind: Kind, products: &Products, a: &DeviceMatrix<Self>, b: &DeviceMatrix<Self>) -> Option<Made<Self>> {
                let semiring = match kind {
                    Kind::PlusTimes => CheckedSemiring::plus_times(),
                    Kind::MaxPlus => CheckedSemiring::max_plus(),
                    Kind::MinPlus => CheckedSemiring::min_plus(),
                    _ => return None,
                };
                Some(semiring.and_then(|semiring| products.multiply_checked(&semiring, a, b)))
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

            fn exact(_: Kind, _: &mut dyn Iterator<Item = (Self, Self)>) -> Option<Self> {
                None
            }

            fn checked(_: Kind, _: &Products, _: &DeviceMatrix<Self>, _: &DeviceMatrix<Self>) -> Option<Made<Self>> {
                None
            }
        }
    )*};
}

reals! { f32 f64 }

/// Compares every entry of a product of `rows x inner` and `inner x columns` entries, and their places where there are any.
pub(super) fn product<T: Plain>(
    (kind, wraps, zero): (Kind, bool, T),
    (rows, inner, columns): (usize, usize, usize),
    (a, b): (&[T], &[T]),
    (found, places): (&[T], Option<&[u32]>),
) -> Outcome {
    if found.len() != rows * columns {
        return Err(CheckError::Length { found: found.len(), expected: rows * columns });
    }
    let mut sums = vec![(zero, u32::MAX); columns];
    for (run, row) in a.chunks_exact(inner).enumerate() {
        sums.fill((zero, u32::MAX));
        for ((&a, b), place) in row.iter().zip(b.chunks_exact(columns)).zip(0u32..) {
            for (sum, &b) in sums.iter_mut().zip(b) {
                let term = T::product(kind, wraps, a, b);
                let taken = T::sum(kind, sum.0, term);
                let is_taken = taken == term && (taken != sum.0 || place < sum.1);
                *sum = (taken, if is_taken { place } else { sum.1 });
            }
        }
        let entries = found.iter().skip(run * columns).zip(&sums);
        if let Some((index, (found, expected))) = entries.enumerate().find(|(_, (found, sum))| !found.is_same(sum.0)) {
            return Err(CheckError::Value { run, index, found: found.text(), expected: expected.0.text() });
        }
        let places = places.into_iter().flatten().skip(run * columns).zip(&sums);
        if let Some((index, (found, expected))) = places.enumerate().find(|(_, (found, sum))| **found != sum.1) {
            let (found, expected) = (format!("of term {found}"), format!("of term {}", expected.1));
            return Err(CheckError::Value { run, index, found, expected });
        }
    }
    Ok(Passed::by_second_computation("second computation by plain loops"))
}

/// Compares every entry of a product whose entries are exact, or the first one, from 1, that its type does not hold.
pub(super) fn exact<T: Plain>(
    kind: Kind,
    (rows, inner, columns): (usize, usize, usize),
    (a, b): (&[T], &[T]),
    found: Result<&[T], (u64, u64)>,
) -> Outcome {
    for (run, index) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let mut pairs = (0..inner).map(|i| (a[run * inner + i], b[i * columns + index]));
        let expected = T::exact(kind, &mut pairs);
        let found = match found {
            Ok(entries) => entries.get(run * columns + index).copied(),
            Err(place) if place == (run as u64 + 1, index as u64 + 1) => None,
            Err(_) if expected.is_some() => continue,
            Err((row, column)) => {
                let found = format!("first past its type in row {row}, column {column}");
                return Err(CheckError::Value { run, index, found, expected: "past its type".to_owned() });
            }
        };
        let text = |entry: Option<T>| entry.map_or_else(|| "past its type".to_owned(), T::text);
        match (found, expected) {
            (Some(found), Some(expected)) if found.is_same(expected) => {}
            (None, None) => break,
            _ => return Err(CheckError::Value { run, index, found: text(found), expected: text(expected) }),
        }
    }
    Ok(Passed::by_second_computation("second computation by plain loops of exact integers"))
}
