//! `manycore sparse report`.

use std::path::PathBuf;

use clap::Args;
use manycore::Device;
use manycore::sparse::{GrayOptions, OrderMethod, Pattern, misses, reference, reorder};
use manycore::verify::{CheckError, Outcome, Passed};

use super::cache::Cache;
use super::reorder::pattern;
use crate::arguments::Global;
use crate::commands::refuse_json;
use crate::error::Error;
use crate::input;
use crate::output;
use crate::pages::{self, sparse as page};
use crate::progress;
use crate::verification::verified;

/// The arguments of `sparse report`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The matrix: Matrix Market, SMS or Harwell-Boeing; - is standard input
    pub matrix: PathBuf,

    /// The cache.
    #[command(flatten)]
    pub cache: Cache,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
Write a page to look at: spy plots of the matrix as given and in each order, cache misses, lengths of rows

One HTML file that loads nothing. A spy plot has up to 1024 by 1024 cells, each with the number of its entries. Orders are those of \
sparse reorder, random ones from a seed that is always 1 where --seed gives no other. \
Without --words the cache holds about a quarter of the vector, up to 131072 words: in one that holds all of it no order saves misses.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify counts the misses of each order once more, from the whole trace, and looks every entry of a new order up in the given \
matrix. No wrong count passes.

Examples:
  manycore sparse report matrix.mtx -o matrix.html
  manycore sparse report matrix.mtx --words 1456 --line 8 --verify -o matrix.html";

/// The seed of random orders, so that a page is always the same one.
const SEED: u64 = 1;

/// Orders the matrix in every way and writes the page.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    refuse_json(global, "sparse report")?;
    output::check_text(global, "a page")?;
    arguments.cache.geometry()?;
    progress::step(format!("reading {}", input::name(&arguments.matrix)));
    let given = pattern(&input::sparse_matrix(&arguments.matrix)?)?;
    let cache = arguments.cache.for_picture(given.columns());
    let (geometry, policy) = (cache.geometry()?, cache.policy());
    progress::step("ordering");
    let line_words = usize::try_from(cache.line).unwrap_or(usize::MAX);
    let methods = [
        OrderMethod::GrayCode(GrayOptions { line_words, ..GrayOptions::DEFAULT }),
        OrderMethod::ReverseCuthillMckee,
        OrderMethod::Degree,
        OrderMethod::Random { seed: global.seed.unwrap_or(SEED) },
    ];
    let counts = misses(&given, geometry, policy);
    let mut orders = vec![page::Ordered { name: "as given", pattern: given.clone(), misses: counts.misses }];
    for method in &methods {
        let reordering = reorder(&given, method)?;
        let pattern = reordering.apply_to_pattern(&given)?;
        if global.verify {
            let old = (reordering.rows.new_to_old(), reordering.columns.new_to_old());
            verified(check(&given, &pattern, old), &Device::host())?;
        }
        let misses = misses(&pattern, geometry, policy).misses;
        orders.push(page::Ordered { name: method.name(), pattern, misses });
    }
    if global.verify {
        progress::step("verifying");
        for (run, of) in orders.iter().enumerate() {
            let expected = reference::misses(&of.pattern, geometry, policy);
            let outcome = if of.misses == expected {
                Ok(Passed::by_second_computation("ordered sets of the lines in the cache"))
            } else {
                let (found, expected) = (of.misses.to_string(), expected.to_string());
                Err(CheckError::Value { run, index: 0, found, expected })
            };
            verified(outcome, &Device::host())?;
        }
    }
    let Cache { line, .. } = cache;
    let chosen = if arguments.cache.words.is_some() { "" } else { " (--words gives another)" };
    let shown = page::Shown {
        name: input::name(&arguments.matrix),
        orders,
        compulsory: counts.compulsory,
        accesses: counts.accesses,
        cache: format!("a cache of {} words in lines of {line}{chosen}", cache.words()),
    };
    pages::write(global, &page::page(&shown))
}

/// Every entry of the new order stands in the given matrix, and there are as many.
fn check(given: &Pattern, ordered: &Pattern, (rows, columns): (&[u32], &[u32])) -> Outcome {
    if ordered.non_zeros() != given.non_zeros() {
        return Err(CheckError::Length { found: ordered.non_zeros(), expected: given.non_zeros() });
    }
    for (row, entries) in ordered.iter().enumerate() {
        let old = given.row(rows[row] as usize);
        if let Some(&column) = entries.iter().find(|&&column| !old.contains(&columns[column as usize])) {
            let (found, expected) = ("an entry".to_owned(), "none".to_owned());
            return Err(CheckError::Value { run: row, index: column as usize, found, expected });
        }
    }
    Ok(Passed::by_second_computation("every entry looked up in the given matrix"))
}
