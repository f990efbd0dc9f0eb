//! `manycore sort`: stable sorts, one file an operation.

mod by_file;
mod numbers;
pub(crate) mod sparse;
mod text;

use clap::Subcommand;
use manycore::sort::SortOrder;
use manycore::verify::{CheckError, Outcome, Passed};
use serde::Serialize;
use serde_json::Value;

use super::several::Spent;
use super::{Labelled, label};
use crate::arguments::Global;
use crate::error::Error;
use crate::output::Report;
use crate::verification::Verification;

/// What is sorted.
#[derive(Debug, Subcommand)]
pub enum Operation {
    /// Numbers, or their places, by radix
    #[command(visible_alias = "integers", long_about = numbers::LONG_ABOUT, after_long_help = numbers::AFTER_HELP)]
    Numbers(numbers::Arguments),
    /// Sparse binary words by value or by rank in the Gray code
    #[command(long_about = sparse::LONG_ABOUT, after_long_help = sparse::AFTER_HELP)]
    Sparse(sparse::Arguments),
    /// Lines of a text by their bytes
    #[command(long_about = text::LONG_ABOUT, after_long_help = text::AFTER_HELP)]
    Text(text::Arguments),
}

/// Does what was asked for.
///
/// # Errors
/// Whatever the operation fails with.
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    match operation {
        Operation::Numbers(arguments) => numbers::run(arguments, global),
        Operation::Sparse(arguments) => sparse::run(arguments, global),
        Operation::Text(arguments) => text::run(arguments, global),
    }
}

/// What an operation writes if no array holds it.
pub(crate) fn text_alone(operation: &Operation) -> Option<&'static str> {
    match operation {
        Operation::Text(arguments) if !arguments.places => Some("a sorted text"),
        Operation::Numbers(_) | Operation::Sparse(_) | Operation::Text(_) => None,
    }
}

fn order(descending: bool) -> SortOrder {
    if descending { SortOrder::Descending } else { SortOrder::Ascending }
}

/// The report of a result that a device made in these times.
fn report<R: Serialize>(
    command: &'static str,
    parameters: Value,
    result: R,
    device: &impl Labelled,
    spent: Spent,
    verification: Option<Verification>,
) -> Report<R> {
    Report {
        device: Some(label(device)),
        seconds: Some(spent.seconds),
        transfer_seconds: spent.transfer_seconds,
        verified: verification.is_some().then_some(true),
        verification,
        ..Report::new(command, parameters, result)
    }
}

/// Compares places with those of the standard library's stable sort.
fn check_places<T>(items: &[T], places: &[u32], compare: impl Fn(&T, &T) -> std::cmp::Ordering) -> Outcome {
    let mut expected: Vec<u32> = (0..).take(items.len()).collect();
    expected.sort_by(|&a, &b| compare(&items[a as usize], &items[b as usize]));
    if places.len() != expected.len() {
        return Err(CheckError::Length { found: places.len(), expected: expected.len() });
    }
    if let Some(index) = places.iter().zip(&expected).position(|(place, expected)| place != expected) {
        let (found, expected) = (places[index].to_string(), expected[index].to_string());
        return Err(CheckError::Value { run: 0, index, found, expected });
    }
    Ok(Passed::by_second_computation("the standard library's stable sort"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_places_do_not_pass() {
        let items = [3, 1, 1];
        let check = |places: &[u32]| check_places(&items, places, i32::cmp);
        assert!(check(&[1, 2, 0]).is_ok());
        let wrong = CheckError::Value { run: 0, index: 0, found: "2".into(), expected: "1".into() };
        assert_eq!(check(&[2, 1, 0]), Err(wrong));
        assert_eq!(check(&[1, 2]), Err(CheckError::Length { found: 2, expected: 3 }));
    }
}
