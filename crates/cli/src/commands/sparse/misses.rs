//! `manycore sparse misses`.

use std::path::PathBuf;

use clap::Args;
use manycore::Device;
use manycore::sparse::{misses, reference};
use manycore::verify::{CheckError, Passed};
use serde_json::json;

use super::cache::Cache;
use super::reorder::pattern;
use crate::arguments::Global;
use crate::error::Error;
use crate::input;
use crate::output::{self, Report};
use crate::progress;
use crate::verification::verified;

/// The arguments of `sparse misses`.
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
Count the cache misses of a product with a vector on that vector

The product runs row by row and reads the vector at the columns of the non-zeros. The cache is fully associative and empty \
at first; the vector begins a line. What is read once from end to end, the matrix and the result, is not counted.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify counts once more by another way, from the whole trace. No wrong count passes.

Examples:
  manycore sparse misses matrix.mtx
  manycore sparse misses matrix.mtx --words 1456 --line 8 --policy optimal --json";

/// Counts misses.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_text(global, "a number of misses")?;
    let (geometry, policy) = (arguments.cache.geometry()?, arguments.cache.policy());
    progress::step(format!("reading {}", input::name(&arguments.matrix)));
    let pattern = pattern(&input::sparse_matrix(&arguments.matrix)?)?;
    progress::step("counting misses");
    let counts = misses(&pattern, geometry, policy);
    let verification = if global.verify {
        progress::step("verifying");
        let expected = reference::misses(&pattern, geometry, policy);
        let outcome = if counts.misses == expected {
            Ok(Passed::by_second_computation("ordered sets of the lines in the cache"))
        } else {
            let (found, expected) = (counts.misses.to_string(), expected.to_string());
            Err(CheckError::Value { run: 0, index: 0, found, expected })
        };
        Some(verified(outcome, &Device::host())?)
    } else {
        None
    };
    let parameters = json!({
        "cache": arguments.cache.parameters(),
        "accesses": counts.accesses,
        "compulsory": counts.compulsory,
    });
    let report = Report {
        verified: global.verify.then_some(true),
        verification,
        ..Report::new("sparse misses", parameters, counts.misses)
    };
    if global.json {
        return output::write_report(global, &report);
    }
    output::write(global, |out| writeln!(out, "{}", report.result))
}
