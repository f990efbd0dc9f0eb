//! `manycore sparse info`.

use std::path::PathBuf;

use clap::Args;
use manycore::files::counted;
use manycore::sparse::{AdviceOptions, OrderMethod, Pattern, Symmetry, advise};
use serde::Serialize;
use serde_json::json;

use super::cache::Cache;
use super::reorder::pattern;
use crate::arguments::{Global, positive};
use crate::commands::several::one;
use crate::error::Error;
use crate::input;
use crate::output::{self, Report};
use crate::progress;

/// The arguments of `sparse info`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The matrix: Matrix Market, SMS or Harwell-Boeing; - is standard input
    pub matrix: PathBuf,

    /// Products that will be computed: an order must pay for itself within them
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = positive::<u64>)]
    pub products: u64,

    /// The cache of the device that multiplies.
    #[command(flatten)]
    pub cache: Cache,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
Size, rows and symmetry of a matrix, and whether reordering pays

For each order: the misses of a product on its vector, the part of a product's bytes that is saved, and the products after which \
the order has paid for its time on this machine, by the bandwidth of the device. The advice is `keep` unless an order saves 5 % and \
pays within --products.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
Counts are exact for up to 2^24 non-zeros, else sampled by a hash of the vector's lines. The times of orders are measured, so that \
the products to pay differ from run to run. --verify says that nothing is checked.

Examples:
  manycore sparse info matrix.mtx
  manycore sparse info matrix.mtx --products 50 --words 32768 --json";

/// What is known of a matrix.
#[derive(Debug, Serialize)]
struct Facts {
    rows: usize,
    columns: usize,
    non_zeros: usize,
    values: &'static str,
    symmetry: &'static str,
    symmetric_pattern: bool,
    empty_rows: usize,
    empty_columns: usize,
    longest_row: usize,
    longest_column: usize,
    bandwidth: usize,
    misses: u64,
    compulsory_misses: u64,
    orders: Vec<Order>,
    advice: &'static str,
}

/// What an order does.
#[derive(Debug, Serialize)]
struct Order {
    method: &'static str,
    misses: u64,
    saved_part: f64,
    products_to_pay: Option<u64>,
}

/// Tells what is known of the matrix.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_text(global, "a list of facts")?;
    let cache = arguments.cache.geometry()?;
    let device = one(global)?;
    progress::step(format!("reading {}", input::name(&arguments.matrix)));
    let entries = input::sparse_matrix(&arguments.matrix)?;
    let pattern = pattern(&entries)?;
    progress::step("trying orders");
    let bytes = size_of::<f64>() as u64;
    let (cache_bytes, line_bytes) =
        (cache.cache_words().saturating_mul(bytes), cache.line_words().saturating_mul(bytes));
    let options = AdviceOptions {
        cache,
        policy: arguments.cache.policy(),
        ..AdviceOptions::new((cache_bytes, line_bytes, bytes), arguments.products, device.machine().bandwidth)?
    };
    let advice = advise(&pattern, &options)?;
    let facts = facts(&entries, &pattern, &advice);
    if global.json {
        let parameters = json!({ "cache": arguments.cache.parameters(), "products": arguments.products });
        return output::write_report(global, &Report::new("sparse info", parameters, facts));
    }
    output::write(global, |out| {
        writeln!(out, "rows: {}", facts.rows)?;
        writeln!(out, "columns: {}", facts.columns)?;
        writeln!(out, "non-zeros: {}", facts.non_zeros)?;
        writeln!(out, "values: {}, {}", facts.values, facts.symmetry)?;
        writeln!(out, "symmetric pattern: {}", if facts.symmetric_pattern { "yes" } else { "no" })?;
        writeln!(out, "empty rows, columns: {}, {}", facts.empty_rows, facts.empty_columns)?;
        writeln!(out, "longest row, column: {}, {}", facts.longest_row, facts.longest_column)?;
        writeln!(out, "bandwidth: {}", facts.bandwidth)?;
        writeln!(out, "misses: {}, {} of them compulsory", facts.misses, facts.compulsory_misses)?;
        if facts.misses == facts.compulsory_misses {
            writeln!(
                out,
                "no order saves misses: a cache of {} words holds what the product reads more than once; --words gives another",
                arguments.cache.words()
            )?;
        }
        for order in &facts.orders {
            let pays = order
                .products_to_pay
                .map_or("never pays".to_owned(), |n| format!("pays after {}", counted(n, "product")));
            let saved = 100.0 * order.saved_part;
            let misses = counted(order.misses, "miss");
            writeln!(out, "{}: {misses}, {saved:.1} % of the bytes saved, {pays}", order.method)?;
        }
        writeln!(out, "advice: {}", facts.advice)
    })
}

/// The number of columns without an entry, and the most entries of a column. Memory grows with the entries, not with the columns.
fn empty_and_longest_column(pattern: &Pattern) -> (usize, usize) {
    if pattern.columns() <= pattern.non_zeros() {
        let mut lengths = vec![0usize; pattern.columns()];
        pattern.indices().iter().for_each(|&column| lengths[column as usize] += 1);
        let empty = lengths.iter().filter(|&&length| length == 0).count();
        return (empty, lengths.into_iter().max().unwrap_or(0));
    }
    let mut columns = pattern.indices().to_vec();
    columns.sort_unstable();
    let (filled, longest) = columns
        .chunk_by(|one, other| one == other)
        .fold((0, 0), |(filled, longest), column| (filled + 1, longest.max(column.len())));
    (pattern.columns() - filled, longest)
}

fn facts(entries: &manycore::MatrixEntries, pattern: &Pattern, advice: &manycore::sparse::Advice) -> Facts {
    let (empty_columns, longest_column) = empty_and_longest_column(pattern);
    let distance = |(row, columns): (usize, &[u32])| {
        let ends = [columns.first(), columns.last()].into_iter().flatten();
        ends.map(|&column| row.abs_diff(column as usize)).max().unwrap_or(0)
    };
    Facts {
        rows: pattern.rows(),
        columns: pattern.columns(),
        non_zeros: pattern.non_zeros(),
        values: entries.values().kind(),
        symmetry: match entries.symmetry() {
            Symmetry::General => "general",
            Symmetry::Symmetric => "symmetric",
            Symmetry::SkewSymmetric => "skew-symmetric",
            Symmetry::Hermitian => "Hermitian",
        },
        symmetric_pattern: pattern.is_symmetric(),
        empty_rows: pattern.iter().filter(|row| row.is_empty()).count(),
        empty_columns,
        longest_row: pattern.iter().map(<[u32]>::len).max().unwrap_or(0),
        longest_column,
        bandwidth: pattern.iter().enumerate().map(distance).max().unwrap_or(0),
        misses: advice.given.misses,
        compulsory_misses: advice.given.compulsory,
        orders: advice
            .considered
            .iter()
            .map(|order| Order {
                method: order.method.name(),
                misses: order.prediction.after.misses,
                saved_part: order.prediction.saved_part(),
                products_to_pay: order.products_to_pay,
            })
            .collect(),
        advice: advice
            .recommended
            .as_ref()
            .and_then(|(place, _)| advice.considered.get(*place))
            .map_or("keep", |order| OrderMethod::name(&order.method)),
    }
}
