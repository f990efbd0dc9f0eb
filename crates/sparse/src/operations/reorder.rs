//! A matrix with its rows and columns in an order that saves cache misses, as an operation.

use std::fmt;
use std::io::{self, Write};

use manycore_device::DeviceSet;
use manycore_operation::verify::{CheckError, Outcome, Passed};
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, DeviceUse, Files, Job, JsonForm, Operation, OperationError,
    OptionKind, Range, Row, Stream, Streamed, Value, When, json, unmade,
};
use num_complex::Complex64;
use sprs::CsMat;

use super::cache::{Cache, LINE, POLICY, WORDS};
use super::input::{ALONE, entries};
use super::orders;
use crate::market::{MarketNumber, MatrixValues, write_matrix_market};
use crate::misses::misses;
use crate::order::{GrayOptions, OrderMethod, reorder};
use crate::pattern::Pattern;
use crate::permutation::Reordering;

/// The method that options of the Gray code go with.
const GRAY: Option<When> = Some(When { option: "method", word: "brgc", reason: "no other order reads it" });

const DECLARATION: Declaration = Declaration {
    name: "sparse reorder",
    title: "Put rows and columns in an order that saves cache misses",
    about: "\
Put rows and columns in an order that saves cache misses

The matrix in its new order as Matrix Market; in the JSON object of --json the rows and columns, each as the old index of every \
new one from 0, and the misses of a product on its vector before and after. Repeated entries are added.

A vector x of the given matrix A is none of the new one: with P and Q the orders of rows and columns, that is P A Q, and its product \
with the vector Q' x is P A x. sparse multiply does so by the file of --orders.",
    help: "\
--verify looks every entry of the new matrix up in the given one, bit by bit, and checks that the orders are permutations. No \
wrong matrix passes.

Examples:
  manycore sparse reorder matrix.mtx -o ordered.mtx --orders orders.json
  manycore sparse reorder matrix.mtx --method rcm --json --words 1456",
    step: "ordering",
    inputs: ALONE,
    options: &[
        DeclaredOption {
            value: OptionKind::Word {
                value_name: "METHOD",
                words: &[
                    ("brgc", "Binary reflected Gray code: for matrices in which rcm finds no structure"),
                    (
                        "rcm",
                        "Reverse Cuthill-McKee: on the graph of a symmetric pattern, else on that of rows and columns",
                    ),
                    ("degree", "Rows and columns with most non-zeros first"),
                    ("random", "Random orders of rows and of columns, by --seed"),
                ],
                default: Some("brgc"),
            },
            ..DeclaredOption::flag("method", "The order")
        },
        DeclaredOption {
            value: OptionKind::Count { value_name: "B", range: Range::Positive, is_required: false, default: None },
            when: GRAY,
            ..DeclaredOption::flag(
                "merge",
                "Rows whose lists of columns brgc merges; without it, sqrt(columns * words of a line) over the non-zeros of a row",
            )
        },
        DeclaredOption {
            value: OptionKind::Text { value_name: "T", check: is_fraction, default: None, is_required: false },
            when: GRAY,
            ..DeclaredOption::flag(
                "classes",
                "Fraction of the columns that must be distinct before brgc ends, between 0 and 1; 0.9 without it",
            )
        },
        DeclaredOption {
            value: OptionKind::Written { value_name: "FILE", ends: &[] },
            ..DeclaredOption::flag(
                "orders",
                "Write the orders of rows and columns to this file, for sparse multiply --orders",
            )
        },
        WORDS,
        LINE,
        POLICY,
    ],
    no_array: Some("a sparse matrix"),
    is_seedless: true,
    device: DeviceUse::Unused,
    standard_output: Some("the matrix"),
    ..Declaration::BASE
};

/// A fraction above 0 and below 1.
fn fraction(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && *number < 1.0);
    number.ok_or_else(|| "expected a number above 0 and below 1".to_owned())
}

fn is_fraction(text: &str) -> Result<(), String> {
    fraction(text).map(drop)
}

/// The operation.
pub(super) struct Reorder;

impl Operation for Reorder {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let cache = Cache::of(arguments)?;
        let word = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let method = match arguments.word("method") {
            Some("rcm") => OrderMethod::ReverseCuthillMckee,
            Some("degree") => OrderMethod::Degree,
            // Its seed is known when it is made.
            Some("random") => OrderMethod::Random { seed: 0 },
            _ => OrderMethod::GrayCode(GrayOptions {
                line_words: word(cache.line),
                merged_rows: arguments.number("merge").map(word),
                enough_classes: arguments
                    .text("classes")
                    .and_then(|text| fraction(text).ok())
                    .unwrap_or(GrayOptions::DEFAULT.enough_classes),
            }),
        };
        let call = Call { cache, method, are_orders_written: arguments.is_given("orders") };
        let entries = entries(files)?;
        Ok(match entries.values() {
            MatrixValues::Pattern => call.job(entries.structure()?),
            MatrixValues::Integer(_) | MatrixValues::LongInteger(_) => call.job(entries.integers()?),
            MatrixValues::Real(_) => call.job(entries.reals()?),
            MatrixValues::Complex(_) => call.job(entries.complexes()?),
        })
    }
}

/// The options of the call.
#[derive(Debug, Clone, Copy)]
struct Call {
    cache: Cache,
    method: OrderMethod,
    are_orders_written: bool,
}

impl Call {
    fn job<V: Entry>(self, matrix: CsMat<V>) -> Box<dyn Job> {
        Box::new(Order { call: self, matrix, made: None })
    }
}

/// A value of a matrix.
trait Entry: MarketNumber + Copy + Send + Sync + 'static {
    fn same(self, other: Self) -> bool;
}

impl Entry for () {
    fn same(self, (): Self) -> bool {
        true
    }
}

impl Entry for i64 {
    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl Entry for f64 {
    fn same(self, other: Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

impl Entry for Complex64 {
    fn same(self, other: Self) -> bool {
        self.re.same(other.re) && self.im.same(other.im)
    }
}

/// A matrix that is put in order.
struct Order<V> {
    call: Call,
    matrix: CsMat<V>,
    made: Option<Ordered<V>>,
}

/// A matrix in its order.
struct Ordered<V> {
    cache: Cache,
    /// The places of the given entries.
    given: Pattern,
    reordering: Reordering,
    matrix: CsMat<V>,
}

impl<V: Entry> Job for Order<V> {
    fn compute(&mut self, _: &DeviceSet, seed: u64) -> Result<(), OperationError> {
        if let OrderMethod::Random { seed: own } = &mut self.call.method {
            *own = seed;
        }
        let given = Pattern::of(self.matrix.view())?;
        let reordering = reorder(&given, &self.call.method)?;
        let matrix = reordering.apply(self.matrix.view())?;
        self.made = Some(Ordered { cache: self.call.cache, given, reordering, matrix });
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let Ordered { reordering, matrix, .. } = self.made.as_ref().ok_or_else(unmade)?;
        Ok(check(&self.matrix, matrix, reordering)?)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { call: Call { cache, method, are_orders_written }, made, .. } = *self;
        let Some(made) = made else { return Answer::of(Value::None) };
        let files = if are_orders_written { vec![("orders", orders::written(&made.reordering))] } else { Vec::new() };
        let seed = if let OrderMethod::Random { seed } = method { Some(seed) } else { None };
        let answer = Answer::of(Value::Streamed(Streamed::new(made))).by(method.name());
        let answer = answer.with("cache", cache.told()).with("seed", seed.map(json::integer));
        Answer { is_random: seed.is_some(), files, ..answer }
    }
}

impl<V> fmt::Debug for Ordered<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reordering.fmt(f)
    }
}

impl<V: Entry> Stream for Ordered<V> {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        write_matrix_market(out, self.matrix.view())
    }

    /// The orders, and misses, which are counted for it alone.
    fn json(&self) -> JsonForm<'_> {
        let Self { cache, given, reordering, matrix } = self;
        let list = |order: &[u32]| Row::Integers(order.iter().map(|&old| old.into()).collect());
        let (rows, columns) = (list(reordering.rows.new_to_old()), list(reordering.columns.new_to_old()));
        let geometry = cache.geometry().ok();
        let count = |pattern: &Pattern| geometry.map(|geometry| misses(pattern, geometry, cache.policy).misses);
        // The new matrix has the size of the given one, of which there is a pattern.
        let after = Pattern::of(matrix.view()).ok();
        let counts = vec![
            ("misses_before", count(given).into()),
            ("misses_after", after.and_then(|after| count(&after)).into()),
        ];
        JsonForm::Lists(vec![("rows", rows), ("columns", columns)], counts)
    }
}

/// Looks every entry up in the given matrix.
fn check<V: Entry>(matrix: &CsMat<V>, ordered: &CsMat<V>, reordering: &Reordering) -> Outcome {
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

fn text<V: Entry>(value: &V) -> String {
    let mut text = Vec::new();
    // A list takes all that is written.
    let _ = value.write(&mut text);
    String::from_utf8_lossy(&text).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::SparseError;
    use crate::permutation::{ColumnPermutation, RowPermutation};

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

    #[test]
    fn fractions_are_between_0_and_1() {
        assert_eq!(fraction("0.25"), Ok(0.25));
        assert!(["0", "1", "7", "-0.1", "NaN", ""].iter().all(|text| is_fraction(text).is_err()));
    }
}
