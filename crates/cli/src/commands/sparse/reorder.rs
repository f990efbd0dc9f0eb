//! `manycore sparse reorder`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use manycore::Device;
use manycore::files::{Target, shown_path};
use manycore::sparse::sprs::CsMat;
use manycore::sparse::{
    GrayOptions, MarketNumber, MatrixValues, OrderMethod, Pattern, Reordering, misses, reorder, write_matrix_market,
};
use manycore::verify::{CheckError, Outcome, Passed, SplitMix};
use serde::Serialize;
use serde_json::json;

use super::cache::Cache;
use super::orders::Orders;
use crate::arguments::{Global, fraction, positive};
use crate::destination;
use crate::error::Error;
use crate::input::{self, InputError};
use crate::output::{self, JsonInteger, Report};
use crate::progress;
use crate::verification::verified;

/// The arguments of `sparse reorder`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The matrix: Matrix Market, SMS or Harwell-Boeing; - is standard input
    pub matrix: PathBuf,

    /// The order
    #[arg(long, value_enum, default_value = "brgc")]
    pub method: Method,

    /// Rows whose lists of columns brgc merges; without it, sqrt(columns * words of a line) over the non-zeros of a row
    #[arg(long, value_name = "B", value_parser = positive::<usize>)]
    pub merge: Option<usize>,

    /// Fraction of the columns that must be distinct before brgc ends, between 0 and 1; 0.9 without it
    #[arg(long, value_name = "T", value_parser = fraction)]
    pub classes: Option<f64>,

    /// Write the orders of rows and columns to this file, for sparse multiply --orders
    #[arg(long, value_name = "FILE")]
    pub orders: Option<PathBuf>,

    /// The cache of the misses that are told.
    #[command(flatten)]
    pub cache: Cache,
}

/// The orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Binary reflected Gray code: for matrices in which rcm finds no structure
    Brgc,
    /// Reverse Cuthill-McKee: on the graph of a symmetric pattern, else on that of rows and columns
    Rcm,
    /// Rows and columns with most non-zeros first
    Degree,
    /// Random orders of rows and of columns, by --seed
    Random,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
Put rows and columns in an order that saves cache misses

The matrix in its new order as Matrix Market; in the JSON object of --json the rows and columns, each as the old index of every \
new one from 0, and the misses of a product on its vector before and after. Repeated entries are added.

A vector x of the given matrix A is none of the new one: with P and Q the orders of rows and columns, that is P A Q, and its product \
with the vector Q' x is P A x. sparse multiply does so by the file of --orders.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify looks every entry of the new matrix up in the given one, bit by bit, and checks that the orders are permutations. No \
wrong matrix passes.

Examples:
  manycore sparse reorder matrix.mtx -o ordered.mtx --orders orders.json
  manycore sparse reorder matrix.mtx --method rcm --json --words 1456";

/// What JSON has.
#[derive(Debug, Serialize)]
struct Ordered {
    #[serde(flatten)]
    orders: Orders,
    misses_before: u64,
    misses_after: u64,
}

/// A value of a matrix.
trait Value: MarketNumber + Copy {
    fn same(self, other: Self) -> bool;
}

impl Value for () {
    fn same(self, (): Self) -> bool {
        true
    }
}

impl Value for i64 {
    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl Value for f64 {
    fn same(self, other: Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

impl Value for manycore::sparse::Complex64 {
    fn same(self, other: Self) -> bool {
        self.re.same(other.re) && self.im.same(other.im)
    }
}

/// Puts the matrix in order and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_text(global, "a sparse matrix")?;
    arguments.cache.geometry()?;
    let of_brgc = [("--merge", arguments.merge.is_some()), ("--classes", arguments.classes.is_some())];
    if let Some((option, _)) = of_brgc.iter().find(|(_, is_given)| *is_given)
        && arguments.method != Method::Brgc
    {
        return Err(Error::Usage(format!("{option} goes with --method brgc: no other order reads it")));
    }
    if arguments.orders.as_deref() == Some(Path::new("-")) {
        return Err(Error::Usage("--orders -: standard output is for the matrix: name a file".to_owned()));
    }
    // Looked at before the work begins.
    let target = arguments.orders.as_deref().map(destination::target).transpose()?;
    if let (Some(orders), Some(file)) = (&arguments.orders, destination::file(global))
        && orders == file
    {
        return Err(Error::Usage(format!("{}: --orders and -o name one file", shown_path(orders))));
    }
    progress::step(format!("reading {}", input::name(&arguments.matrix)));
    let entries = input::sparse_matrix(&arguments.matrix)?;
    let job = Job { arguments, global, target: target.as_ref() };
    let matrix_error = |error| Error::Input(InputError::Sparse(error));
    match entries.values() {
        MatrixValues::Pattern => job.order(&entries.structure().map_err(matrix_error)?),
        MatrixValues::Integer(_) | MatrixValues::LongInteger(_) => {
            job.order(&entries.integers().map_err(matrix_error)?)
        }
        MatrixValues::Real(_) => job.order(&entries.reals().map_err(matrix_error)?),
        MatrixValues::Complex(_) => job.order(&entries.complexes().map_err(matrix_error)?),
    }
}

struct Job<'a> {
    arguments: &'a Arguments,
    global: &'a Global,
    target: Option<&'a Target>,
}

impl Job<'_> {
    fn order<V: Value>(&self, matrix: &CsMat<V>) -> Result<(), Error> {
        let Job { arguments, global, target } = self;
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        let (geometry, policy) = (arguments.cache.geometry()?, arguments.cache.policy());
        let method = match arguments.method {
            Method::Brgc => OrderMethod::GrayCode(GrayOptions {
                line_words: usize::try_from(arguments.cache.line).unwrap_or(usize::MAX),
                merged_rows: arguments.merge,
                enough_classes: arguments.classes.unwrap_or(GrayOptions::DEFAULT.enough_classes),
            }),
            Method::Rcm => OrderMethod::ReverseCuthillMckee,
            Method::Degree => OrderMethod::Degree,
            Method::Random => OrderMethod::Random { seed },
        };
        progress::step("ordering");
        let pattern = Pattern::of(matrix.view())?;
        let reordering = reorder(&pattern, &method)?;
        let ordered = reordering.apply(matrix.view())?;
        let verification = if global.verify {
            progress::step("verifying");
            Some(verified(check(matrix, &ordered, &reordering), &Device::host())?)
        } else {
            None
        };
        let orders = Orders::of(&reordering);
        if let Some(target) = target {
            orders.write(target)?;
        }
        if !global.json {
            return output::write(global, |out| write_matrix_market(out, ordered.view()));
        }
        let count = |pattern: &Pattern| misses(pattern, geometry, policy).misses;
        let (misses_before, misses_after) = (count(&pattern), count(&Pattern::of(ordered.view())?));
        let result = Ordered { orders, misses_before, misses_after };
        let parameters = json!({
            "cache": arguments.cache.parameters(),
            "seed": (arguments.method == Method::Random).then_some(JsonInteger(seed.into())),
        });
        let report = Report {
            algorithm: Some(method.name()),
            verified: global.verify.then_some(true),
            verification,
            ..Report::new("sparse reorder", parameters, result)
        };
        output::write_report(global, &report)
    }
}

/// Looks every entry up in the given matrix.
fn check<V: Value>(matrix: &CsMat<V>, ordered: &CsMat<V>, reordering: &Reordering) -> Outcome {
    let (rows, columns) = (reordering.rows.new_to_old(), reordering.columns.new_to_old());
    let is_permutation = |order: &[u32], len: usize| {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        sorted.len() == len && sorted.iter().enumerate().all(|(index, &old)| index == old as usize)
    };
    if ordered.nnz() != matrix.nnz() {
        return Err(CheckError::Length { found: ordered.nnz(), expected: matrix.nnz() });
    }
    for (which, order, len) in [(0, rows, matrix.rows()), (1, columns, matrix.cols())] {
        if !is_permutation(order, len) {
            let (found, expected) = ("no permutation".to_owned(), "one".to_owned());
            return Err(CheckError::Value { run: which, index: 0, found, expected });
        }
    }
    for (&value, (row, column)) in ordered {
        let given = matrix.get(rows[row] as usize, columns[column] as usize);
        if !given.is_some_and(|&given| given.same(value)) {
            let (found, expected) = (text(&value), given.map_or_else(|| "no entry".to_owned(), text));
            return Err(CheckError::Value { run: row, index: column, found, expected });
        }
    }
    Ok(Passed::by_second_computation("every entry looked up in the given matrix"))
}

fn text<V: Value>(value: &V) -> String {
    let mut text = Vec::new();
    // A list takes all that is written.
    let _ = value.write(&mut text);
    String::from_utf8_lossy(&text).trim().to_owned()
}

/// The places of the entries of a matrix.
pub(super) fn pattern(entries: &manycore::MatrixEntries) -> Result<Pattern, Error> {
    entries.pattern().map_err(|error| Error::Input(InputError::Sparse(error)))
}

#[cfg(test)]
mod tests {
    use manycore::SparseError;
    use manycore::sparse::{ColumnPermutation, RowPermutation};

    use super::*;

    #[test]
    fn wrong_orders_do_not_pass() -> Result<(), SparseError> {
        let matrix = CsMat::new((2, 2), vec![0, 1, 2], vec![0, 1], vec![1.0, f64::NAN]);
        let swapped = Reordering {
            rows: RowPermutation::from_new_to_old(vec![1, 0])?,
            columns: ColumnPermutation::from_new_to_old(vec![1, 0])?,
        };
        let right = swapped.apply(matrix.view())?;
        assert!(check(&matrix, &right, &swapped).is_ok());
        assert!(matches!(check(&matrix, &matrix, &swapped), Err(CheckError::Value { run: 0, index: 0, .. })));
        let moved = CsMat::new((2, 2), vec![0, 1, 2], vec![1, 0], vec![f64::NAN, 1.0]);
        assert!(check(&matrix, &moved, &swapped).is_err());
        let fewer = CsMat::new((2, 2), vec![0, 1, 1], vec![0], vec![f64::NAN]);
        assert_eq!(check(&matrix, &fewer, &swapped), Err(CheckError::Length { found: 1, expected: 2 }));
        Ok(())
    }
}
