//! The page of a sparse matrix as an operation: as given and in each order.

use manycore_device::DeviceSet;
use manycore_operation::verify::{CheckError, Outcome, Passed};
use manycore_operation::{
    Answer, Arguments, Declaration, DeviceUse, Files, Job, Operation, OperationError, Value, unmade,
};

use super::cache::{self, Cache};
use super::input::{ALONE, entries};
use super::misses as count;
use super::page::{Ordered, Shown, page};
use crate::misses::misses;
use crate::order::{GrayOptions, OrderMethod, reorder};
use crate::pattern::Pattern;
use crate::permutation::Reordering;

const DECLARATION: Declaration = Declaration {
    name: "sparse report",
    title: "A page to look at: spy plots as given and in each order, cache misses, lengths of rows",
    about: "\
Write a page to look at: spy plots of the matrix as given and in each order, cache misses, lengths of rows

One HTML file that loads nothing. A spy plot has up to 1024 by 1024 cells, each with the number of its entries. Orders are those of \
sparse reorder, random ones from a seed that is always 1 where --seed gives no other. \
Without --words the cache holds about a quarter of the vector, up to 131072 words: in one that holds all of it no order saves misses.",
    help: "\
--verify counts the misses of each order once more, from the whole trace, and looks every entry of a new order up in the given \
matrix. No wrong count passes.

Examples:
  manycore sparse report matrix.mtx -o matrix.html
  manycore sparse report matrix.mtx --words 1456 --line 8 --verify -o matrix.html",
    step: "ordering",
    inputs: ALONE,
    options: cache::OPTIONS,
    is_page: true,
    is_seedless: true,
    // So that a page is always the same one.
    seed: Some(1),
    device: DeviceUse::Unused,
    ..Declaration::BASE
};

/// The operation.
pub(super) struct Report;

impl Operation for Report {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let asked = Cache::of(arguments)?;
        let given = entries(files)?.pattern()?;
        let cache = asked.for_picture(given.columns());
        let chosen = if asked.is_usual() { " (--words gives another)" } else { "" };
        let told = format!("a cache of {} words in lines of {}{chosen}", cache.words(), cache.line);
        cache.geometry()?;
        Ok(Box::new(Pictured { name: files.name(0), cache, told, given, made: None }))
    }
}

/// A matrix of which a page is made.
struct Pictured {
    name: String,
    cache: Cache,
    /// The page's text about the cache.
    told: String,
    given: Pattern,
    made: Option<Made>,
}

/// What the page shows.
struct Made {
    /// As given first.
    orders: Vec<Ordered>,
    /// The orders of rows and columns of all others.
    reorderings: Vec<Reordering>,
    compulsory: u64,
    accesses: u64,
}

impl Job for Pictured {
    fn compute(&mut self, _: &DeviceSet, seed: u64) -> Result<(), OperationError> {
        let Self { cache, given, .. } = self;
        let (geometry, policy) = (cache.geometry()?, cache.policy);
        let line_words = usize::try_from(cache.line).unwrap_or(usize::MAX);
        let methods = [
            OrderMethod::GrayCode(GrayOptions { line_words, ..GrayOptions::DEFAULT }),
            OrderMethod::ReverseCuthillMckee,
            OrderMethod::Degree,
            OrderMethod::Random { seed },
        ];
        let counts = misses(given, geometry, policy);
        let mut orders = vec![Ordered { name: "as given", pattern: given.clone(), misses: counts.misses }];
        let mut reorderings = Vec::new();
        for method in &methods {
            let reordering = reorder(given, method)?;
            let pattern = reordering.apply_to_pattern(given)?;
            let misses = misses(&pattern, geometry, policy).misses;
            orders.push(Ordered { name: method.name(), pattern, misses });
            reorderings.push(reordering);
        }
        let (compulsory, accesses) = (counts.compulsory, counts.accesses);
        self.made = Some(Made { orders, reorderings, compulsory, accesses });
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let Made { orders, reorderings, .. } = self.made.as_ref().ok_or_else(unmade)?;
        for (of, reordering) in orders.iter().skip(1).zip(reorderings) {
            check_order(&self.given, &of.pattern, (reordering.rows.new_to_old(), reordering.columns.new_to_old()))?;
        }
        for (run, of) in orders.iter().enumerate() {
            count::check(&of.pattern, self.cache, (run, of.misses))??;
        }
        // As the checks of entries and of misses call themselves.
        let method = "every entry looked up in the given matrix; ordered sets of the lines in the cache";
        Ok(Passed::by_second_computation(method))
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { name, told, made, .. } = *self;
        let Some(Made { orders, compulsory, accesses, .. }) = made else { return Answer::of(Value::None) };
        Answer::of(Value::Page(page(&Shown { name, orders, compulsory, accesses, cache: told })))
    }
}

/// Every entry of the new order stands in the given matrix, and there are as many.
fn check_order(given: &Pattern, ordered: &Pattern, (rows, columns): (&[u32], &[u32])) -> Outcome {
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
