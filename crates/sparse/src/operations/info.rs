//! Size, rows and symmetry of a matrix, and whether an order of its rows and columns pays, as an operation.

use std::fmt::Write as _;

use manycore_device::DeviceSet;
use manycore_operation::files::counted;
use manycore_operation::verify::Passed;
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, DeviceUse, Files, Job, Operation, OperationError, OptionKind,
    Range, Value,
};
use serde_json::json;

use super::cache::{Cache, LINE, POLICY, WORDS};
use super::input::{ALONE, entries};
use crate::market::{MatrixEntries, Symmetry};
use crate::misses::{Advice, AdviceOptions, advise};
use crate::pattern::Pattern;

/// Products that an order must pay for itself within, where none are given.
const PRODUCTS: u64 = 1000;

/// Why nothing of it is checked.
const NOT_CHECKED: &str = "times of orders differ from run to run";

const DECLARATION: Declaration = Declaration {
    name: "sparse info",
    title: "Size, rows and symmetry of a matrix, and whether reordering pays",
    about: "\
Size, rows and symmetry of a matrix, and whether reordering pays

For each order: the misses of a product on its vector, the part of a product's bytes that is saved, and the products after which \
the order has paid for its time on this machine, by the bandwidth of the device. The advice is `keep` unless an order saves 5 % and \
pays within --products.",
    help: "\
Counts are exact for up to 2^24 non-zeros, else sampled by a hash of the vector's lines. The times of orders are measured, so that \
the products to pay differ from run to run. --verify says that nothing is checked.

Examples:
  manycore sparse info matrix.mtx
  manycore sparse info matrix.mtx --products 50 --words 32768 --json",
    step: "trying orders",
    inputs: ALONE,
    options: &[
        DeclaredOption {
            value: OptionKind::Count {
                value_name: "N",
                range: Range::Positive,
                is_required: false,
                default: Some(PRODUCTS),
            },
            ..DeclaredOption::flag(
                "products",
                "Products that will be computed: an order must pay for itself within them",
            )
        },
        WORDS,
        LINE,
        POLICY,
    ],
    no_array: Some("a list of facts"),
    not_checked: Some(NOT_CHECKED),
    is_seedless: true,
    device: DeviceUse::Described,
    ..Declaration::BASE
};

/// The operation.
pub(super) struct Info;

impl Operation for Info {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let cache = Cache::of(arguments)?;
        let products = arguments.number("products").unwrap_or(PRODUCTS);
        let entries = entries(files)?;
        Ok(Box::new(Examined { cache, products, pattern: entries.pattern()?, kind: Kind::of(&entries), advice: None }))
    }
}

/// The kind of a matrix's values, by its file.
struct Kind {
    values: &'static str,
    symmetry: &'static str,
}

impl Kind {
    fn of(entries: &MatrixEntries) -> Self {
        let symmetry = match entries.symmetry() {
            Symmetry::General => "general",
            Symmetry::Symmetric => "symmetric",
            Symmetry::SkewSymmetric => "skew-symmetric",
            Symmetry::Hermitian => "Hermitian",
        };
        Self { values: entries.values().kind(), symmetry }
    }
}

/// A matrix with the facts that the command reports.
struct Examined {
    cache: Cache,
    products: u64,
    pattern: Pattern,
    kind: Kind,
    advice: Option<Advice>,
}

impl Job for Examined {
    /// The bandwidth of the device that would multiply decides what an order saves.
    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let bandwidth = devices.devices()[0].machine().bandwidth;
        let cache = self.cache.geometry()?;
        let bytes = size_of::<f64>() as u64;
        let sizes = (cache.cache_words().saturating_mul(bytes), cache.line_words().saturating_mul(bytes), bytes);
        let options =
            AdviceOptions { cache, policy: self.cache.policy, ..AdviceOptions::new(sizes, self.products, bandwidth)? };
        self.advice = Some(advise(&self.pattern, &options)?);
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        Err(OperationError::usage(format!("{} is not checked: {NOT_CHECKED}", DECLARATION.name)))
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { cache, products, pattern, kind, advice } = *self;
        let Some(advice) = advice else { return Answer::of(Value::None) };
        let facts = Facts::of(&kind, &pattern, &advice);
        let answer = Answer::of(Value::Shown { text: facts.text(cache), json: facts.json() });
        answer.with("cache", cache.told()).with("products", products)
    }
}

/// What is known of a matrix.
struct Facts<'a> {
    kind: &'a Kind,
    pattern: &'a Pattern,
    is_symmetric: bool,
    empty_rows: usize,
    empty_columns: usize,
    longest_row: usize,
    longest_column: usize,
    bandwidth: usize,
    advice: &'a Advice,
    /// The order that is advised.
    advised: &'static str,
}

impl<'a> Facts<'a> {
    fn of(kind: &'a Kind, pattern: &'a Pattern, advice: &'a Advice) -> Self {
        let (empty_columns, longest_column) = empty_and_longest_column(pattern);
        let advised = advice.recommended.as_ref().and_then(|(place, _)| advice.considered.get(*place));
        Self {
            kind,
            pattern,
            is_symmetric: pattern.is_symmetric(),
            empty_rows: pattern.iter().filter(|row| row.is_empty()).count(),
            empty_columns,
            longest_row: pattern.iter().map(<[u32]>::len).max().unwrap_or(0),
            longest_column,
            bandwidth: bandwidth(pattern),
            advice,
            advised: advised.map_or("keep", |order| order.method.name()),
        }
    }

    fn text(&self, cache: Cache) -> String {
        let Self { kind: Kind { values, symmetry }, pattern, advice, .. } = self;
        let (misses, compulsory) = (advice.given.misses, advice.given.compulsory);
        let mut lines = vec![
            format!("rows: {}", pattern.rows()),
            format!("columns: {}", pattern.columns()),
            format!("non-zeros: {}", pattern.non_zeros()),
            format!("values: {values}, {symmetry}"),
            format!("symmetric pattern: {}", if self.is_symmetric { "yes" } else { "no" }),
            format!("empty rows, columns: {}, {}", self.empty_rows, self.empty_columns),
            format!("longest row, column: {}, {}", self.longest_row, self.longest_column),
            format!("bandwidth: {}", self.bandwidth),
            format!("misses: {misses}, {compulsory} of them compulsory"),
        ];
        if misses == compulsory {
            lines.push(format!(
                "no order saves misses: a cache of {} words holds what the product reads more than once; --words gives another",
                cache.words()
            ));
        }
        lines.extend(advice.considered.iter().map(|order| {
            let pays = order
                .products_to_pay
                .map_or("never pays".to_owned(), |n| format!("pays after {}", counted(n, "product")));
            let saved = 100.0 * order.prediction.saved_part();
            let misses = counted(order.prediction.after.misses, "miss");
            format!("{}: {misses}, {saved:.1} % of the bytes saved, {pays}", order.method.name())
        }));
        lines.push(format!("advice: {}", self.advised));
        lines.into_iter().fold(String::new(), |mut text, line| {
            // A text takes all that is written.
            let _ = writeln!(text, "{line}");
            text
        })
    }

    fn json(&self) -> serde_json::Value {
        let Self { kind: Kind { values, symmetry }, pattern, advice, .. } = self;
        let orders = advice.considered.iter().map(|order| {
            json!({
                "method": order.method.name(),
                "misses": order.prediction.after.misses,
                "saved_part": order.prediction.saved_part(),
                "products_to_pay": order.products_to_pay,
            })
        });
        json!({
            "rows": pattern.rows(),
            "columns": pattern.columns(),
            "non_zeros": pattern.non_zeros(),
            "values": values,
            "symmetry": symmetry,
            "symmetric_pattern": self.is_symmetric,
            "empty_rows": self.empty_rows,
            "empty_columns": self.empty_columns,
            "longest_row": self.longest_row,
            "longest_column": self.longest_column,
            "bandwidth": self.bandwidth,
            "misses": advice.given.misses,
            "compulsory_misses": advice.given.compulsory,
            "orders": orders.collect::<Vec<_>>(),
            "advice": self.advised,
        })
    }
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

/// The greatest distance of an entry from the diagonal.
pub(super) fn bandwidth(pattern: &Pattern) -> usize {
    let ends = |(row, columns): (usize, &[u32])| {
        let ends = [columns.first(), columns.last()].into_iter().flatten();
        ends.map(|&column| row.abs_diff(column as usize)).max().unwrap_or(0)
    };
    pattern.iter().enumerate().map(ends).max().unwrap_or(0)
}
