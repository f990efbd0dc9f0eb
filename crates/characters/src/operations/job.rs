//! Jobs that make a character table: all of it, or while it is written, block by block.

use std::io;
use std::ops::{ControlFlow, Range};

use manycore_device::DeviceSet;
use manycore_files::Format;
use manycore_operation::json::{Json, integer};
use manycore_operation::verify::Passed;
use manycore_operation::{Answer, Arguments, Files, Flow, Job, OperationError, Streamed, Value, Writing, unmade};

use super::entries::{Entries, check};
use super::made::Made;
use super::tile::{OfEntries, with_entries};
use super::words::words;
use crate::context::Characters;
use crate::error::CharacterError;
use crate::group::AbelianGroup;
use crate::several::{table_over, write_checked_over};
use crate::stream::{Block, Form, StreamError};
use crate::table::{Construction, Tile};

/// Bytes of a block of a table that is written in blocks.
const BLOCK_BYTES: u64 = 64 << 20;

/// Reads a call.
///
/// # Errors
/// What is wrong with an argument.
pub(super) fn read(arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
    struct Read<'a>(&'a mut dyn Files);

    impl OfEntries for Read<'_> {
        type Output = Box<dyn Job>;

        fn of<E: Entries>(self, values: E, group: AbelianGroup, tile: Tile) -> Result<Box<dyn Job>, OperationError> {
            let (rows, columns) = tile.ranges(&group)?;
            values.base(group.exponent())?;
            let part = self.0.part(usize::try_from(rows.end - rows.start).unwrap_or(usize::MAX));
            let own = rows.start + part.start as u64..rows.start + part.end as u64;
            let is_part = self.0.is_part();
            Ok(Box::new(Table { group, values, tile, rows, columns, own, is_part, chosen: None, made: None }))
        }
    }

    with_entries(arguments, Read(files))
}

/// A call.
struct Table<E: Entries> {
    group: AbelianGroup,
    values: E,
    tile: Tile,
    /// All requested rows.
    rows: Range<u64>,
    columns: Range<u64>,
    /// The rows that are made here.
    own: Range<u64>,
    is_part: bool,
    chosen: Option<Chosen>,
    made: Option<Vec<E::Value>>,
}

/// The construction of a table that is made whole.
struct Chosen {
    construction: Construction,
    /// It as reports have it.
    plan: String,
    /// Its seconds by the machine model, where one device makes the table.
    seconds: Option<f64>,
}

impl Chosen {
    /// What the tile asks for, or else what a device chooses for it.
    fn new<E: Entries>(on: &Characters, group: &AbelianGroup, values: &E, tile: &Tile) -> Result<Self, CharacterError> {
        let (rows, columns) = tile.ranges(group)?;
        if rows.is_empty() || columns.is_empty() {
            let construction = tile.construction().unwrap_or(Construction::Direct);
            return Ok(Self { construction, plan: construction.to_string(), seconds: None });
        }
        let explained = on.explain_table(group, values, tile)?;
        let construction = tile.construction().unwrap_or(explained.best().parameters.construction);
        let found = explained.candidates().iter().find(|found| found.parameters.construction == construction);
        let plan = found.map_or_else(|| construction.to_string(), |found| found.parameters.to_string());
        Ok(Self { construction, plan, seconds: found.map(|found| found.estimate.seconds) })
    }
}

impl<E: Entries> Job for Table<E> {
    fn is_shared(&self) -> bool {
        true
    }

    fn flow(&mut self) -> Option<&mut dyn Flow> {
        Some(self)
    }

    fn prepare(&mut self, devices: &DeviceSet) -> Result<(), OperationError> {
        let row_bytes = (self.columns.end - self.columns.start).saturating_mul(size_of::<E::Value>() as u64);
        let each = (BLOCK_BYTES / row_bytes.max(1)).max(1);
        let first = self.rows.start..self.rows.end.min(self.rows.start.saturating_add(each));
        // A part's entries are rounded as those of a table that is written in blocks, by the plan of the first block.
        let sample = if self.is_part { self.tile.clone().rows(first) } else { self.tile.clone() };
        let on = Characters::new(&devices.devices()[0]);
        let chosen = Chosen::new(&on, &self.group, &self.values, &sample)?;
        let is_estimated = devices.devices().len() == 1 && !self.is_part;
        self.chosen = Some(Chosen { seconds: chosen.seconds.filter(|_| is_estimated), ..chosen });
        Ok(())
    }

    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        if self.chosen.is_none() {
            self.prepare(devices)?;
        }
        let construction = self.chosen.as_ref().ok_or_else(unmade)?.construction;
        let tile = self.tile.clone().by(construction).rows(self.own.clone());
        self.made = Some(table_over(devices, &self.group, &self.values, &tile)?);
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let (chosen, entries) = self.chosen.as_ref().zip(self.made.as_ref()).ok_or_else(unmade)?;
        Ok(check(&Block {
            group: &self.group,
            values: &self.values,
            rows: self.own.clone(),
            columns: self.columns.clone(),
            all: self.own.clone(),
            construction: chosen.construction,
            entries,
        })?)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { group, values, rows, columns, own, is_part, chosen, made, .. } = *self;
        let (Some(chosen), Some(entries)) = (chosen, made) else { return Answer::of(Value::None) };
        let integers = |numbers: &[u64]| Json::from(numbers.iter().map(|&n| integer(n)).collect::<Vec<_>>());
        let parameters = vec![
            ("group", integers(group.factors())),
            ("order", integer(group.order())),
            ("exponent", integer(group.exponent())),
            ("values", values.name().into()),
            ("rows", integers(&[rows.start, rows.end])),
            ("columns", integers(&[columns.start, columns.end])),
            ("way", chosen.plan.into()),
        ];
        let made = Made { group, values, rows: own, columns, construction: chosen.construction, entries };
        let value = if is_part { words_of(&made) } else { Value::Streamed(Streamed::new(made)) };
        let answer = Answer::of(value).by(chosen.construction.name());
        Answer { predicted_seconds: chosen.seconds, parameters, ..answer }
    }
}

/// The words of rows, which are put together with those of others.
fn words_of<E: Entries>(made: &Made<E>) -> Value {
    let (rows, columns) = (made.rows.end - made.rows.start, made.columns.end - made.columns.start);
    Value::Matrix { rows: rows as usize, columns: columns as usize * E::WORDS, entries: words(&made.block()) }
}

impl<E: Entries> Flow for Table<E> {
    fn write(&mut self, devices: &DeviceSet, writing: Writing<'_>) -> io::Result<Result<(), OperationError>> {
        let Writing { out, format, mut passed, progress } = writing;
        let form = if format == Format::Npy { Form::Npy } else { Form::Text };
        let (group, values, tile) = (&self.group, &self.values, &self.tile);
        let mut wrong = None;
        let look = |block: &Block<'_, E>| {
            let (done, all) = block.progress();
            progress(done, all);
            let Some(passed) = &mut passed else { return ControlFlow::Continue(()) };
            match check(block) {
                Ok(check) => {
                    passed(check);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    wrong = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let outcome = match devices.devices() {
            [device] => Characters::new(device).write_checked(group, values, tile, form, out, look),
            _ => write_checked_over(devices, group, values, tile, form, out, look),
        };
        match (wrong, outcome) {
            (Some(wrong), _) => Ok(Err(wrong.into())),
            (None, Ok(())) => Ok(Ok(())),
            (None, Err(StreamError::Write(error))) => Err(error),
            (None, Err(StreamError::Characters(error))) => Ok(Err(error.into())),
            (None, Err(stopped @ StreamError::Stopped { .. })) => Err(io::Error::other(stopped)),
        }
    }
}
