//! Products of matrices, orders, devices, arguments of the program, and machines.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use clap::Parser as _;
use manycore::codes::join;
use manycore::field::Integers;
use manycore::kronecker::{Complexes, Values, parse};
use manycore::model::Machine;
use manycore::{BitOrder, Device, Factor, HaarOrder, Normalization, Order, PrimeField};
use manycore_cli::arguments::Cli;
use manycore_cli::readers;

use super::file::{NAME, file, placed, text, told};
use crate::run::Line;

/// Products over integers, residues and complex numbers.
pub(super) fn kronecker(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    let field = PrimeField::<u32>::new(65_537).map(|field| product(&field, text));
    let taken = [product(&Integers::<i64>::new(), text), field == Ok(true), product(&Complexes::<f32>::new(), text)];
    taken.contains(&true)
}

fn product<V: Values>(values: &V, text: &str) -> bool {
    match parse(values, text) {
        Ok(product) => {
            let orders = product.factors().iter().map(Factor::order);
            assert_eq!(orders.product::<usize>(), product.order());
            let upper = parse(values, &text.to_uppercase());
            assert_eq!(upper.map(|upper| upper == product), Ok(true), "capitals make another product");
            true
        }
        Err(error) => told(error),
    }
}

/// The arguments of a command, as the program reads them.
fn arguments(before: &[&str], data: &[u8], after: &[&str]) -> bool {
    let Some(text) = text(data) else { return false };
    let all = [&["manycore"], before, &[text], after].concat();
    match Cli::try_parse_from(all) {
        Ok(cli) => {
            assert!(!format!("{cli:?}").is_empty());
            true
        }
        Err(error) => told(error),
    }
}

/// Whole command lines: every argument of the program.
pub(super) fn command_line(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    match Cli::try_parse_from(std::iter::once("manycore").chain(text.split_whitespace())) {
        Ok(cli) => {
            assert!(!format!("{cli:?}").is_empty());
            true
        }
        Err(error) => told(error),
    }
}

/// Orders of rows and columns.
pub(super) fn permutations(data: &[u8]) -> bool {
    match readers::orders(&file(data), (3, 2)) {
        Ok((rows, columns)) => {
            let printed = serde_json::json!({ "rows": rows, "columns": columns }).to_string();
            assert_eq!(readers::orders(&file(printed.as_bytes()), (3, 2)).ok(), Some((rows, columns)));
            true
        }
        Err(error) => placed(error, NAME),
    }
}

/// Lines of shards.
pub(super) fn shard_line(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    readers::shard_line(text.trim_end(), NAME).map_or_else(|error| placed(error, NAME), |()| true)
}

/// Parts of files: the input is the only part of its file.
pub(super) fn part(data: &[u8]) -> bool {
    match join(&Device::host(), &[(NAME.to_owned(), data.to_vec())]) {
        Ok(joined) => {
            assert!(joined.file.len() <= data.len(), "more bytes than the part has");
            true
        }
        Err(error) => told(error),
    }
}

/// Lists of factors.
pub(super) fn group(data: &[u8]) -> bool {
    arguments(&["characters"], data, &[])
}

/// Ranges of rows.
pub(super) fn range(data: &[u8]) -> bool {
    arguments(&["characters", "3,3", "--rows"], data, &[])
}

/// Polarities.
pub(super) fn polarity(data: &[u8]) -> bool {
    arguments(&["spectrum", "reed-muller", "-", "--polarity"], data, &[])
}

/// Counts.
pub(super) fn size(data: &[u8]) -> bool {
    arguments(&["explain", "walsh", "--n"], data, &[])
}

/// Names of orders and normalisations.
pub(super) fn orders(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    [named::<Order>(text), named::<BitOrder>(text), named::<HaarOrder>(text), named::<Normalization>(text)]
        .contains(&true)
}

fn named<T: FromStr<Err: Display> + Display + PartialEq + Debug>(text: &str) -> bool {
    match text.parse::<T>() {
        Ok(name) => {
            assert_eq!(name.to_string(), text);
            true
        }
        Err(error) => told(error),
    }
}

/// Devices; not more threads than a few.
pub(super) fn device(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    let threads = text.trim().to_lowercase().strip_prefix("host:").map(str::to_owned);
    if threads.is_some_and(|threads| threads.parse::<usize>().is_ok_and(|threads| threads == 0 || threads > 4)) {
        return false;
    }
    match Device::select(text) {
        Ok(device) => {
            assert!(!device.info().id.is_empty());
            true
        }
        Err(error) => told(error),
    }
}

/// Machines as calibrations keep them.
pub(super) fn machine(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    let machine = match serde_json::from_str::<Machine>(text) {
        Ok(machine) => machine,
        Err(error) => return told(error),
    };
    match machine.checked() {
        Ok(machine) => {
            let printed = serde_json::to_string(&machine).unwrap_or_else(|error| panic!("not written: {error}"));
            let again = serde_json::from_str::<Machine>(&printed).ok().and_then(|machine| machine.checked().ok());
            assert_eq!(again, Some(machine), "another machine comes back");
            true
        }
        Err(error) => told(error),
    }
}

/// Lines of a soak.
pub(super) fn soak_line(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    match serde_json::from_str::<Line>(text) {
        Ok(line) => {
            let printed = serde_json::to_string(&line).unwrap_or_else(|error| panic!("not written: {error}"));
            assert_eq!(serde_json::from_str::<Line>(&printed).ok(), Some(line));
            true
        }
        Err(error) => told(error),
    }
}
