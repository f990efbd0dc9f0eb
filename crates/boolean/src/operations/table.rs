//! Tables of an S-box, by rows: linear approximations, differences, boomerangs.

use std::marker::PhantomData;
use std::ops::Range;

use manycore_device::DeviceSet;
use manycore_operation::{
    Answer, Arguments, Declaration, Files, Job, Operation, OperationError, Splits, Value, range, unmade,
};
use manycore_verify::{Outcome, Passed, sbox as check};

use super::read::TextError;
use super::sbox::{BASE, OF_TABLES, with_bits};
use super::{sbox_facts, sbox_text};
use crate::context::Boolean;
use crate::error::{BooleanError, TableError};
use crate::sbox::SBox;

/// What all tables have.
const TABLE: Declaration = Declaration { options: OF_TABLES, splits: Some(Splits::Table), ..BASE };

/// A table of an S-box.
pub(super) trait Table: 'static {
    /// What it is.
    const DECLARATION: &'static Declaration;

    /// Refuses an S-box that has no such table.
    fn fits(_: &SBox) -> Result<(), TableError> {
        Ok(())
    }

    fn compute(boolean: &Boolean, sbox: &SBox, rows: Range<usize>) -> Result<Vec<i32>, BooleanError>;

    /// An estimate of the seconds that the check of `rows` rows takes.
    fn check_seconds(_: &SBox, _rows: usize) -> f64 {
        0.0
    }

    fn check(output_bits: u32, outputs: &[u16], rows: Range<usize>, table: &[i32]) -> Outcome;
}

/// Linear approximations.
pub(super) struct Linear;

impl Table for Linear {
    const DECLARATION: &'static Declaration = &Declaration {
        name: "sbox lat",
        title: "The linear approximation table: row a, column b has the sum of (-1)^(a . x + b . S(x)) over x, twice the bias",
        ..TABLE
    };

    fn compute(boolean: &Boolean, sbox: &SBox, rows: Range<usize>) -> Result<Vec<i32>, BooleanError> {
        Ok(boolean.linear_table(sbox, rows)?.download()?)
    }

    fn check(output_bits: u32, outputs: &[u16], rows: Range<usize>, table: &[i32]) -> Outcome {
        check::check_linear_table(output_bits, outputs, rows, table)
    }
}

/// Differences.
pub(super) struct Differences;

impl Table for Differences {
    const DECLARATION: &'static Declaration = &Declaration {
        name: "sbox ddt",
        title: "The difference distribution table: row a, column b has the number of x with S(x) + S(x + a) = b",
        ..TABLE
    };

    fn compute(boolean: &Boolean, sbox: &SBox, rows: Range<usize>) -> Result<Vec<i32>, BooleanError> {
        Ok(sbox_facts::entries(boolean.difference_table(sbox, rows)?.download()?))
    }

    fn check(output_bits: u32, outputs: &[u16], rows: Range<usize>, table: &[i32]) -> Outcome {
        check::check_difference_table(output_bits, outputs, rows, table)
    }
}

/// Boomerangs.
pub(super) struct Boomerangs;

impl Table for Boomerangs {
    const DECLARATION: &'static Declaration = &Declaration {
        name: "sbox boomerang",
        title: "The boomerang connectivity table of a permutation: row a, column b has the number of x with S^-1(S(x) + b) + S^-1(S(x + a) + b) = a",
        help: BOOMERANG_HELP,
        ..TABLE
    };

    fn fits(sbox: &SBox) -> Result<(), TableError> {
        sbox.inverse().map(drop)
    }

    fn compute(boolean: &Boolean, sbox: &SBox, rows: Range<usize>) -> Result<Vec<i32>, BooleanError> {
        Ok(sbox_facts::entries(boolean.boomerang_table(sbox, rows)?.download()?))
    }

    fn check_seconds(sbox: &SBox, rows: usize) -> f64 {
        check::boomerang_seconds(sbox.input_bits(), rows)
    }

    fn check(_: u32, outputs: &[u16], rows: Range<usize>, table: &[i32]) -> Outcome {
        check::check_boomerang_table(outputs, rows, table)
    }
}

const BOOMERANG_HELP: &str = "\
The table is written as one line of text a row. Row 0 and column 0 have 2^n everywhere; the largest other entry is the boomerang \
uniformity of sbox info. An S-box that is no permutation has no such table. Row a takes the sum of the squares of row a of ddt on the \
host, 2^(2n) look-ups on other devices.

--verify computes every row that is written once more on the host, by the definition, and compares every entry: 2^(2n) look-ups a row. \
No wrong result passes.

--shard splits the rows.

Examples:
  echo c 5 6 b 9 0 a d 3 e f 8 4 7 1 2 | manycore sbox boomerang - --hex --verify
  manycore sbox boomerang aes.txt --rows 1..2 --json";

/// A table of the S-box of a file.
pub(super) struct OfTable<T>(PhantomData<fn() -> T>);

impl<T> OfTable<T> {
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T: Table> Operation for OfTable<T> {
    fn declaration(&self) -> &'static Declaration {
        T::DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let sbox = sbox_text::read(arguments, files)?;
        T::fits(&sbox).map_err(|error| TextError::Table { place: files.name(0), error })?;
        let index = |row: u64| usize::try_from(row).unwrap_or(usize::MAX);
        let wanted = arguments.text("rows").map(range).transpose().map_err(OperationError::usage)?;
        let all = wanted.map_or(0..sbox.inputs(), |rows| index(rows.start)..index(rows.end));
        let part = files.part(all.len());
        let rows = if files.is_part() {
            all.start.saturating_add(part.start)..all.start.saturating_add(part.end)
        } else {
            all.clone()
        };
        Ok(Box::new(Task::<T> { sbox, all, rows, table: None, kind: PhantomData }))
    }
}

/// A call.
struct Task<T> {
    sbox: SBox,
    /// The requested rows, of which other processes may do some.
    all: Range<usize>,
    rows: Range<usize>,
    table: Option<Vec<i32>>,
    kind: PhantomData<fn() -> T>,
}

impl<T: Table> Job for Task<T> {
    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        self.table = Some(T::compute(&Boolean::new(&devices.devices()[0]), &self.sbox, self.rows.clone())?);
        Ok(())
    }

    fn check_seconds(&self, refused: Option<&OperationError>, _: bool) -> f64 {
        if refused.is_some() { 0.0 } else { T::check_seconds(&self.sbox, self.rows.len()) }
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let table = self.table.as_ref().ok_or_else(unmade)?;
        Ok(T::check(self.sbox.output_bits(), self.sbox.values(), self.rows.clone(), table)?)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { sbox, all, table, .. } = *self;
        let columns = sbox.outputs();
        let value = table.map_or(Value::None, |entries| Value::Table { columns, entries });
        with_bits(Answer::of(value), &sbox, &all)
    }
}
