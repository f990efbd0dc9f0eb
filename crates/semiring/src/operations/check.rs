//! The second computation of a product over a semiring: plain loops of plain Rust, of integers with 128 bits, of numbers in the order of the
//! inner index.

use manycore_device::DeviceSet;
use manycore_operation::verify::{CheckError, Outcome, Passed};

use super::entries::Entry;
use super::exact::{ABOVE, BELOW, Domain, Exact};
use super::kind::{self, Kind};
use crate::checked::CheckedSemiring;
use crate::error::SemiringError;
use crate::matrix::Matrix;
use crate::multiply::products::Products;
use crate::resident::DeviceMatrix;
use crate::semiring::Semiring;

/// Entries of a product, and their places where they were asked for.
pub(super) type Made<T> = Result<(Vec<T>, Option<Vec<u32>>), SemiringError>;

/// Rows of the first matrix, its columns, and columns of the second one.
pub(super) type Sizes = (usize, usize, usize);

/// What a product is, or the place, from 1, of its first entry that its type does not hold.
pub(super) type Found<'a, T> = Result<(&'a [T], Option<&'a [u32]>), (u64, u64)>;

/// The plain operations of a type, for a second computation.
pub trait Plain: Entry {
    /// The integers of the type, whose ends stand for infinities or not; of numbers nothing is asked.
    fn domain(is_infinite: bool, wraps: bool) -> Domain;

    /// The product over a semiring: exact, or of integers modulo `2^bits` where `wraps`.
    ///
    /// # Errors
    /// [`SemiringError`], with the first entry that the type does not hold.
    fn multiply(
        kind: Kind,
        wraps: bool,
        devices: &DeviceSet,
        factors: (&Matrix<Self>, &Matrix<Self>),
        has_places: bool,
    ) -> Made<Self>;

    /// Compares every entry of a product, and their places where there are any.
    ///
    /// # Errors
    /// The first entry that differs.
    fn check(kind: Kind, domain: &Domain, sizes: Sizes, factors: (&[Self], &[Self]), found: Found<'_, Self>)
    -> Outcome;
}

/// The product over a semiring whose operations are those of its type.
fn multiply<T: Entry>(
    semiring: &Semiring<T, T, T>,
    devices: &DeviceSet,
    (a, b): (&Matrix<T>, &Matrix<T>),
    has_places: bool,
) -> Made<T> {
    let [device] = devices.devices() else {
        return Ok((semiring.multiply_on(devices, a, b)?.entries(), None));
    };
    if !has_places {
        return Ok((semiring.multiply(device, a, b)?.entries(), None));
    }
    let products = &Products::new(device);
    placed(&products.multiply_with_places(semiring, &products.upload(a)?, &products.upload(b)?)?)
}

fn placed<T: Entry>(made: &DeviceMatrix<(T, u32)>) -> Made<T> {
    let (entries, places) = made.download()?.entries().into_iter().unzip();
    Ok((entries, Some(places)))
}

macro_rules! integers {
    ($($word:ty)*) => {$(
        impl Plain for $word {
            fn domain(is_infinite: bool, wraps: bool) -> Domain {
                Domain { ends: (Self::MIN.into(), Self::MAX.into()), is_infinite, wraps }
            }

            fn multiply(
                kind: Kind,
                wraps: bool,
                devices: &DeviceSet,
                (a, b): (&Matrix<Self>, &Matrix<Self>),
                has_places: bool,
            ) -> Made<Self> {
                if wraps {
                    return multiply(&kind::wrapping(kind)?, devices, (a, b), has_places);
                }
                let semiring: CheckedSemiring<Self> = kind::checked(kind)?;
                let [device] = devices.devices() else {
                    return Ok((semiring.multiply_on(devices, a, b)?.entries(), None));
                };
                if !has_places {
                    return Ok((semiring.multiply(device, a, b)?.entries(), None));
                }
                let products = &Products::new(device);
                placed(&products.multiply_checked_with_places(&semiring, &products.upload(a)?, &products.upload(b)?)?)
            }

            fn check(
                kind: Kind,
                domain: &Domain,
                sizes: Sizes,
                (a, b): (&[Self], &[Self]),
                found: Found<'_, Self>,
            ) -> Outcome {
                let wide = |entries: &[Self]| -> Vec<i128> { entries.iter().map(|&entry| domain.of(entry.into())).collect() };
                let found = match found {
                    Ok((entries, places)) => Ok((&wide(entries)[..], places)),
                    Err(place) => Err(place),
                };
                integers(kind, domain, sizes, (&wide(a), &wide(b)), found)
            }
        }
    )*};
}

integers! { i32 i64 }

macro_rules! reals {
    ($($word:ty)*) => {$(
        impl Plain for $word {
            fn domain(_: bool, _: bool) -> Domain {
                Domain { ends: (0, 0), is_infinite: false, wraps: false }
            }

            fn multiply(
                kind: Kind,
                _: bool,
                devices: &DeviceSet,
                factors: (&Matrix<Self>, &Matrix<Self>),
                has_places: bool,
            ) -> Made<Self> {
                multiply(&kind::numbers(kind)?, devices, factors, has_places)
            }

            fn check(kind: Kind, _: &Domain, sizes: Sizes, factors: (&[Self], &[Self]), found: Found<'_, Self>) -> Outcome {
                let zero = kind::numbers::<Self>(kind).map_or(0.0, |semiring| semiring.zero());
                match found {
                    Ok(found) => reals((kind, zero), sizes, factors, found),
                    // Numbers pass no type.
                    Err(_) => Err(CheckError::Length { found: 0, expected: sizes.0 * sizes.2 }),
                }
            }
        }

        impl Real for $word {
            fn product(kind: Kind, a: Self, b: Self) -> Self {
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

/// Numbers that are rounded.
pub(crate) trait Real: Entry {
    /// The product of two entries.
    fn product(kind: Kind, a: Self, b: Self) -> Self;

    /// The sum of two entries.
    fn sum(kind: Kind, a: Self, b: Self) -> Self;
}

reals! { f32 f64 }

/// The greater one, the first of equals.
fn max<T: PartialOrd>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

/// The lesser one, the first of equals.
fn min<T: PartialOrd>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

fn passed() -> Passed {
    Passed::by_second_computation("second computation by plain loops")
}

/// Compares every entry of a product of numbers, whose bits are those of sums in the order of the inner index.
fn reals<T: Real>(
    (kind, zero): (Kind, T),
    (rows, inner, columns): Sizes,
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
                let term = T::product(kind, a, b);
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
        if let Some((index, (&found, expected))) = places.enumerate().find(|(_, (found, sum))| **found != sum.1) {
            return Err(wrong_place((run, index), found, expected.1));
        }
    }
    Ok(passed())
}

fn wrong_place((run, index): (usize, usize), found: u32, expected: u32) -> CheckError {
    CheckError::Value { run, index, found: format!("of term {found}"), expected: format!("of term {expected}") }
}

/// An exact integer as the program prints it.
pub(crate) fn told(entry: Exact) -> String {
    match entry {
        None => "past its type".to_owned(),
        Some(entry) if entry == BELOW => "-inf".to_owned(),
        Some(ABOVE) => "inf".to_owned(),
        Some(entry) => entry.to_string(),
    }
}

/// Compares every entry of a product of integers, or the first one that its type does not hold.
fn integers(
    kind: Kind,
    domain: &Domain,
    (rows, inner, columns): Sizes,
    (a, b): (&[i128], &[i128]),
    found: Found<'_, i128>,
) -> Outcome {
    if let Ok((entries, _)) = found
        && entries.len() != rows * columns
    {
        return Err(CheckError::Length { found: entries.len(), expected: rows * columns });
    }
    let (is_short, mut sums) = (Domain::is_short(a, b, inner), vec![None; columns]);
    for (run, row) in a.chunks_exact(inner).enumerate() {
        domain.row(kind, is_short, row, b, &mut sums);
        for (index, &expected) in sums.iter().enumerate() {
            let found = match found {
                Ok((entries, _)) => Some(entries[run * columns + index]),
                Err(place) if place == (run as u64 + 1, index as u64 + 1) => None,
                Err(_) if expected.is_some() => continue,
                Err((row, column)) => {
                    let found = format!("first past its type in row {row}, column {column}");
                    return Err(CheckError::Value { run, index, found, expected: told(None) });
                }
            };
            if found != expected {
                return Err(CheckError::Value { run, index, found: told(found), expected: told(expected) });
            }
            if found.is_none() {
                return Ok(passed());
            }
        }
        let Ok((_, Some(places))) = found else { continue };
        for (index, (&found, &sum)) in places[run * columns..].iter().zip(&sums).enumerate() {
            // The first term that the sum is.
            let is_sum = |&place: &u32| {
                let (a, b) = (row[place as usize], b[place as usize * columns + index]);
                domain.entry(kind, &mut [(Some(a), Some(b))].into_iter()) == sum
            };
            let expected = (0..inner as u32).find(is_sum).unwrap_or(u32::MAX);
            if found != expected {
                return Err(wrong_place((run, index), found, expected));
            }
        }
    }
    Ok(passed())
}
