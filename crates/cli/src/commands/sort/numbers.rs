//! `manycore sort numbers`.

use std::cmp::Ordering;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use manycore::Device;
use manycore::files::{NotFinite, NpyNumber, Numeral};
use manycore::sort::{Key, SortError, SortOrder, Sorter};
use manycore::verify::{CheckError, Outcome, Passed};
use serde_json::json;

use super::{by_file, check_places, order, report};
use crate::arguments::{Global, positive};
use crate::commands::auto::ByChoice;
use crate::commands::choice::Operation;
use crate::commands::label;
use crate::commands::several::Asked;
use crate::error::Error;
use crate::input::{self, mapped};
use crate::output::{self, Residues};
use crate::progress;
use crate::vector::{NumberType, Vector};
use crate::verification::verified;

/// The arguments of `sort numbers`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The numbers: text (separated by white space or commas, # begins a comment) or .npy; - is standard input
    pub file: PathBuf,

    /// Read them as this type; without it, i64 for integers, u64 for those that i64 does not hold and for arrays of such, f64 for text
    /// with fractions, an array's own floating-point type
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    pub number_type: Option<KeyType>,

    /// The largest first
    #[arg(long)]
    pub descending: bool,

    /// Write the indices, from 0, instead of the numbers
    #[arg(long)]
    pub places: bool,

    /// Write only the first COUNT of the order
    #[arg(long, value_name = "COUNT", value_parser = positive::<usize>)]
    pub first: Option<usize>,
}

/// A type of numbers that are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)] // the names say it
pub enum KeyType {
    I32,
    I64,
    U64,
    F32,
    F64,
}

impl KeyType {
    /// As a type of vectors; unsigned integers are none.
    fn vector(self) -> Option<NumberType> {
        match self {
            Self::I32 => Some(NumberType::I32),
            Self::I64 => Some(NumberType::I64),
            Self::U64 => None,
            Self::F32 => Some(NumberType::F32),
            Self::F64 => Some(NumberType::F64),
        }
    }
}

/// A number type that is sorted.
pub(super) trait SortKey: Key + Numeral + NpyNumber {
    /// The order: of floating point the total one of IEEE 754.
    fn order(&self, other: &Self) -> Ordering;

    /// Another word for each key.
    fn bits(self) -> u64;

    /// What is written.
    fn sorted(keys: Vec<Self>) -> Sorted;
}

/// Sorted numbers, or places.
pub(super) enum Sorted {
    Vector(Vector),
    Unsigned(Vec<u64>),
}

macro_rules! sort_keys {
    ($($key:ty: $order:expr, $bits:expr, $sorted:expr;)*) => {$(
        impl SortKey for $key {
            fn order(&self, other: &Self) -> Ordering {
                $order(self, other)
            }

            fn bits(self) -> u64 {
                let bits: fn(Self) -> u64 = $bits;
                bits(self)
            }

            fn sorted(keys: Vec<Self>) -> Sorted {
                $sorted(keys)
            }
        }
    )*};
}

sort_keys! {
    i32: i32::cmp, |key| key.cast_unsigned().into(), |keys| Sorted::Vector(Vector::I32(keys));
    i64: i64::cmp, i64::cast_unsigned, |keys| Sorted::Vector(Vector::I64(keys));
    u64: u64::cmp, |key| key, Sorted::Unsigned;
    f32: f32::total_cmp, |key| key.to_bits().into(), |keys| Sorted::Vector(Vector::F32(keys));
    f64: f64::total_cmp, f64::to_bits, |keys| Sorted::Vector(Vector::F64(keys));
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
Numbers, or their places, by radix

The numbers in their order, or with --places the place of each, from 0, in the given ones: equal numbers keep their order. \
Floating-point numbers stand in the total order of IEEE 754: -NaN, -infinity, ..., -0, 0, ..., infinity, NaN; a text has them as -nan, \
-inf, inf and nan. The result is one \
number a line; a .npy file with -o NAME.npy; one JSON object with --json.

A .npy array larger than memory, or --memory, is left in its file where the sorted numbers go to one, beside which the disk must have \
room for it twice more.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify sorts again by the standard library and compares every number, or place. No wrong result passes. Of an array that is left in \
its file it compares neighbours, and all numbers by products at random points of a field: wrong ones pass with a chance below n / 2^63.

Examples:
  echo 3 1 2 | manycore sort numbers -
  manycore sort numbers x.npy --descending --first 10
  manycore sort numbers x.npy --places --verify -o places.npy";

/// Reads the numbers, sorts them, checks the result where asked to, and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let asked = Asked::new(global)?;
    let file = &arguments.file;
    if !arguments.places {
        if let None | Some(KeyType::U64) = arguments.number_type
            && let Some(numbers) = mapped::unsigned(file, global)?
        {
            let devices = asked.devices(None::<&Operation>);
            return by_file::sort(&numbers, &numbers.map_words()?, arguments, global, &devices);
        }
        let wanted = arguments.number_type.map(KeyType::vector);
        if let None | Some(Some(_)) = wanted
            && let Some(numbers) = mapped::numbers(file, wanted.flatten(), global)?
        {
            return by_file::run(&numbers, arguments, global, &asked.devices(None::<&Operation>));
        }
    }
    match arguments.number_type {
        Some(KeyType::I32) => of_type::<i32>(arguments, global, asked),
        Some(KeyType::I64) => of_type::<i64>(arguments, global, asked),
        Some(KeyType::U64) => of_type::<u64>(arguments, global, asked),
        Some(KeyType::F32) => of_type::<f32>(arguments, global, asked),
        Some(KeyType::F64) => of_type::<f64>(arguments, global, asked),
        None => match input::own_numbers(file, NotFinite::Taken)? {
            input::Numbers::Unsigned(x) => sort(x, arguments, global, asked),
            input::Numbers::Vector(Vector::I32(x)) => sort(x, arguments, global, asked),
            input::Numbers::Vector(Vector::I64(x)) => sort(x, arguments, global, asked),
            input::Numbers::Vector(Vector::F32(x)) => sort(x, arguments, global, asked),
            input::Numbers::Vector(Vector::F64(x)) => sort(x, arguments, global, asked),
        },
    }
}

fn of_type<K: SortKey>(arguments: &Arguments, global: &Global, asked: Asked<'_>) -> Result<(), Error> {
    sort(input::numbers::<K>(&arguments.file, NotFinite::Taken)?, arguments, global, asked)
}

fn sort<K: SortKey>(mut x: Vec<K>, arguments: &Arguments, global: &Global, asked: Asked<'_>) -> Result<(), Error> {
    let len = x.len();
    let bytes = 2 * size_of_val(&x[..]) as u64;
    let choice = |device: &Device| Sorter::new(device).explain::<K, u32>(len, arguments.places);
    let devices = &asked.devices((len > 0).then_some(&ByChoice { bytes, choice }));
    progress::compute(format!("sorting {len} numbers on {}", label(devices)));
    // A verification looks at the numbers that were read once more.
    let own = |x: &mut Vec<K>| if global.verify { x.clone() } else { std::mem::take(x) };
    let direction = order(arguments.descending);
    let directed = |a: &K, b: &K| match direction {
        SortOrder::Ascending => a.order(b),
        SortOrder::Descending => b.order(a),
    };
    let count = arguments.first.unwrap_or(len).min(len);
    let (made, spent) = devices.measured(|| -> Result<_, SortError> {
        let Some(device) = devices.single() else {
            let sorter = Sorter::over(devices.set())?;
            if arguments.places {
                return Ok((Vec::new(), sorter.argsort(&x, direction)?));
            }
            let mut keys = own(&mut x);
            sorter.sort(&mut keys, direction)?;
            keys.truncate(count);
            return Ok((keys, Vec::new()));
        };
        let sorter = Sorter::new(device);
        Ok(if arguments.places {
            (Vec::new(), sorter.argsort(&x, direction)?)
        } else if count < len {
            (sorter.first(&x, count, direction)?, Vec::new())
        } else {
            let mut keys = own(&mut x);
            sorter.sort(&mut keys, direction)?;
            (keys, Vec::new())
        })
    })?;
    let (keys, places) = made?;
    let mut verification = None;
    if global.verify {
        progress::step("verifying");
        let outcome =
            if arguments.places { check_places(&x, &places, directed) } else { check_keys(&x, &keys, count, directed) };
        verification = Some(verified(outcome, devices)?);
    }
    let result = if arguments.places {
        Sorted::Vector(Vector::I64(places.into_iter().take(count).map(i64::from).collect()))
    } else {
        K::sorted(keys)
    };
    let parameters = json!({
        "length": len,
        "type": K::NAME,
        "order": if arguments.descending { "descending" } else { "ascending" },
        "places": arguments.places,
        "first": arguments.first,
    });
    let report = report("sort numbers", parameters, (), devices, spent, verification);
    match result {
        Sorted::Vector(vector) => output::write_vector(global, &report.with(vector)),
        Sorted::Unsigned(keys) => output::write_residues(global, &report.with(Residues(keys))),
    }
}

/// Compares keys with the first ones of the standard library's order, bit by bit.
fn check_keys<K: Key>(x: &[K], keys: &[K], count: usize, compare: impl Fn(&K, &K) -> Ordering) -> Outcome {
    let mut expected = x.to_vec();
    expected.sort_by(&compare);
    if keys.len() != count {
        return Err(CheckError::Length { found: keys.len(), expected: count });
    }
    if let Some(index) = keys.iter().zip(&expected).position(|(key, expected)| compare(key, expected).is_ne()) {
        let (found, expected) = (format!("{:?}", keys[index]), format!("{:?}", expected[index]));
        return Err(CheckError::Value { run: 0, index, found, expected });
    }
    Ok(Passed::by_second_computation("the standard library's stable sort"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_keys_do_not_pass() {
        let check = |keys: &[f64], count: usize| check_keys(&[2.0, 0.0, -0.0], keys, count, f64::total_cmp);
        assert!(check(&[-0.0, 0.0, 2.0], 3).is_ok() && check(&[-0.0], 1).is_ok());
        assert!(matches!(check(&[0.0, -0.0, 2.0], 3), Err(CheckError::Value { index: 0, .. })));
        assert_eq!(check(&[-0.0], 2), Err(CheckError::Length { found: 1, expected: 2 }));
    }
}
