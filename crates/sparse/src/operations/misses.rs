//! The number of cache misses of a product on its vector, as an operation.

use manycore_device::DeviceSet;
use manycore_model::cache::Report;
use manycore_operation::verify::{CheckError, Outcome, Passed};
use manycore_operation::{
    Answer, Arguments, Declaration, DeviceUse, Files, Job, Operation, OperationError, Value, json, unmade,
};

use super::cache::{self, Cache};
use super::input::{ALONE, entries};
use crate::misses::misses;
use crate::pattern::Pattern;
use crate::reference;

const DECLARATION: Declaration = Declaration {
    name: "sparse misses",
    title: "Count the cache misses of a product on its vector",
    about: "\
Count the cache misses of a product with a vector on that vector

The product runs row by row and reads the vector at the columns of the non-zeros. The cache is fully associative and empty \
at first; the vector begins a line. What is read once from end to end, the matrix and the result, is not counted.",
    help: "\
--verify counts once more by another way, from the whole trace. No wrong count passes.

Examples:
  manycore sparse misses matrix.mtx
  manycore sparse misses matrix.mtx --words 1456 --line 8 --policy optimal --json",
    step: "counting misses",
    inputs: ALONE,
    options: cache::OPTIONS,
    no_array: Some("a number of misses"),
    is_seedless: true,
    device: DeviceUse::Unused,
    ..Declaration::BASE
};

/// How misses are checked.
pub(super) const METHOD: &str = "ordered sets of the lines in the cache";

/// The operation.
pub(super) struct Misses;

impl Operation for Misses {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let cache = Cache::of(arguments)?;
        Ok(Box::new(Count { cache, pattern: entries(files)?.pattern()?, made: None }))
    }
}

/// A count.
struct Count {
    cache: Cache,
    pattern: Pattern,
    made: Option<Report>,
}

impl Job for Count {
    fn compute(&mut self, _: &DeviceSet, _: u64) -> Result<(), OperationError> {
        self.made = Some(misses(&self.pattern, self.cache.geometry()?, self.cache.policy));
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let counts = self.made.as_ref().ok_or_else(unmade)?;
        Ok(check(&self.pattern, self.cache, (0, counts.misses))??)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { cache, made, .. } = *self;
        let Some(counts) = made else { return Answer::of(Value::None) };
        let answer = Answer::of(Value::Number(counts.misses)).with("cache", cache.told());
        let answer = answer.with("accesses", json::integer(counts.accesses));
        answer.with("compulsory", json::integer(counts.compulsory))
    }
}

/// Counts the misses of one of several patterns again, from its whole trace.
pub(super) fn check(pattern: &Pattern, cache: Cache, (run, found): (usize, u64)) -> Result<Outcome, OperationError> {
    let expected = reference::misses(pattern, cache.geometry()?, cache.policy);
    Ok(if found == expected {
        Ok(Passed::by_second_computation(METHOD))
    } else {
        Err(CheckError::Value { run, index: 0, found: found.to_string(), expected: expected.to_string() })
    })
}
