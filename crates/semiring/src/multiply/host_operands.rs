//! Operands of products on the host: dense rows, lists of entries by rows or by columns, and functions of the product's places.

use std::sync::Arc;

use manycore_device::DeviceError;
use manycore_expressions::{Column, ColumnMut, Input, Owned, Program, ScalarType, Words};

use crate::error::SemiringError;
use crate::operand::{ListWords, MadeLists, Operand};

/// An operand's words on the host, and what was computed of it.
pub(super) enum Entries<'a> {
    Stored(Vec<Column<'a>>),
    Computed(Vec<Owned>),
    Lists(Lists<'a>),
    Made(OwnedLists, Lines),
    AtResult(AtResult<'a>),
}

/// What lists are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    Rows,
    Columns,
}

/// The entries of each line.
#[derive(Clone)]
pub(super) struct Lists<'a> {
    pub(super) offsets: &'a [u64],
    pub(super) indices: &'a [u64],
    pub(super) entries: Vec<Column<'a>>,
}

impl Lists<'_> {
    /// The places of a line's entries.
    pub(super) fn line(&self, line: usize) -> std::ops::Range<usize> {
        self.offsets[line] as usize..self.offsets[line + 1] as usize
    }
}

/// The entries of each line, with their memory.
pub(super) struct OwnedLists {
    offsets: Vec<u64>,
    indices: Vec<u64>,
    entries: Vec<Owned>,
}

/// A function of its column and row and of the product's row and column.
pub(super) struct AtResult<'a> {
    program: Arc<Program>,
    tables: Vec<Column<'a>>,
    first: u64,
}

/// An operand as rows of products read it.
pub(super) enum Factor<'a> {
    /// Entries row after row.
    Dense(Vec<Column<'a>>),
    Rows(Lists<'a>),
    Columns(Lists<'a>),
    AtResult(&'a AtResult<'a>),
}

impl Entries<'_> {
    pub(super) fn factor(&self) -> Factor<'_> {
        match self {
            Self::Stored(columns) => Factor::Dense(columns.clone()),
            Self::Computed(columns) => Factor::Dense(columns.iter().map(Owned::column).collect()),
            Self::Lists(lists) => Factor::Rows(lists.clone()),
            Self::Made(lists, lines) => {
                let entries = lists.entries.iter().map(Owned::column).collect();
                let lists = Lists { offsets: &lists.offsets, indices: &lists.indices, entries };
                if *lines == Lines::Rows { Factor::Rows(lists) } else { Factor::Columns(lists) }
            }
            Self::AtResult(function) => Factor::AtResult(function),
        }
    }
}

impl AtResult<'_> {
    /// Its values for the product's row `row` from 0 and these columns, at inner places that are the same for all or one for each.
    pub(super) fn values(
        &self,
        is_left: bool,
        inner: Input<'_>,
        (row, columns): (usize, &[u64]),
    ) -> Result<Vec<Owned>, SemiringError> {
        let (u, v) = (Input::Same(self.first + row as u64), Input::Column(columns.into()));
        let (x, y) = if is_left { (inner, u) } else { (v, inner) };
        evaluated(&self.program, &[x, y, u, v], &self.tables, columns.len())
    }
}

/// The operand, of `rows` rows and `columns` columns. Lists that functions make of a right operand are those of its columns, or those of
/// its rows where the left operand is lists, too.
pub(super) fn entries<'a>(
    operand: &Operand<'a>,
    (rows, columns): (usize, usize),
    is_right_of_lists: bool,
) -> Result<Entries<'a>, SemiringError> {
    let tables: Vec<Column<'a>> = operand.tables().iter().map(|words| words.host()).collect::<Result<_, _>>()?;
    match operand {
        Operand::Stored(words) => {
            Ok(Entries::Stored(words.iter().map(|words| words.host()).collect::<Result<_, _>>()?))
        }
        Operand::Computed(program, _) => Ok(Entries::Computed(computed(program, &tables, rows, columns)?)),
        Operand::Lists { rows, .. } => Ok(Entries::Lists(lists(rows)?)),
        Operand::AtResult(program, _, first) => {
            let tables = bound(program, &tables);
            Ok(Entries::AtResult(AtResult { program: Arc::clone(program), tables, first: *first }))
        }
        Operand::Made(functions, _, first) => {
            let (lines, inner) = if functions.is_by_rows { (rows, columns) } else { (columns, rows) };
            let made = made(functions, &tables, (*first, lines), inner)?;
            if functions.is_by_rows || !is_right_of_lists {
                let lines = if functions.is_by_rows { Lines::Rows } else { Lines::Columns };
                return Ok(Entries::Made(made, lines));
            }
            Ok(Entries::Made(turned(&made, inner), Lines::Rows))
        }
    }
}

fn lists<'a>(lists: &ListWords<'a>) -> Result<Lists<'a>, SemiringError> {
    let words = |words: &Words<'a>| match words.host()? {
        Column::U64(words) => Ok(words),
        _ => Err(DeviceError::elsewhere()),
    };
    Ok(Lists {
        offsets: words(&lists.offsets)?,
        indices: words(&lists.indices)?,
        entries: lists.entries.iter().map(|words| words.host()).collect::<Result<_, _>>()?,
    })
}

/// The tables of a program; those that it does not read are empty ones of the type that it has for them.
fn bound<'a>(program: &Program, tables: &[Column<'a>]) -> Vec<Column<'a>> {
    let of = |(number, kind): (usize, &ScalarType)| match tables.get(number) {
        Some(table) if table.word() == kind.memory() => *table,
        _ => Column::empty(*kind),
    };
    program.tables().iter().enumerate().map(of).collect()
}

/// The values of a program at `len` arguments.
fn evaluated(
    program: &Program,
    inputs: &[Input<'_>],
    tables: &[Column<'_>],
    len: usize,
) -> Result<Vec<Owned>, SemiringError> {
    let mut values: Vec<Owned> = program.outputs().map(|kind| filled(kind, 0, len)).collect();
    if values.is_empty() {
        return Ok(values);
    }
    let mut to: Vec<ColumnMut<'_>> = values.iter_mut().map(Owned::column_mut).collect();
    program.evaluate(inputs, tables, &mut to)?;
    Ok(values)
}

/// The lists of `lines` lines from line `first` on, whose indices are below `inner`.
fn made(
    functions: &MadeLists,
    tables: &[Column<'_>],
    (first, lines): (u64, usize),
    inner: usize,
) -> Result<OwnedLists, SemiringError> {
    let words = |mut values: Vec<Owned>| match values.drain(..1).next() {
        Some(Owned::U64(words)) => words,
        // The functions' types are those of `ListMatrix`.
        _ => Vec::new(),
    };
    let numbers: Vec<u64> = (first..).take(lines).collect();
    let size = &functions.size;
    let sizes = words(evaluated(size, &[Input::Column((&numbers[..]).into())], &bound(size, tables), lines)?);
    let mut offsets = vec![0];
    let (mut of_line, mut of_number) = (Vec::new(), Vec::new());
    for (&line, size) in numbers.iter().zip(sizes) {
        let size = size.min(inner as u64);
        of_line.resize(of_line.len() + size as usize, line);
        of_number.extend(0..size);
        offsets.push(of_line.len() as u64);
    }
    let entry = &functions.entry;
    let inputs = [Input::Column((&of_line[..]).into()), Input::Column((&of_number[..]).into())];
    let mut entries = evaluated(entry, &inputs, &bound(entry, tables), of_line.len())?;
    let scalars = entries.split_off(1);
    let last = (inner as u64).saturating_sub(1);
    let indices = words(entries).into_iter().map(|index| index.min(last)).collect();
    Ok(OwnedLists { offsets, indices, entries: scalars })
}

/// Lists of columns as lists of `lines` rows, by counting: O(entries + lines).
fn turned(lists: &OwnedLists, lines: usize) -> OwnedLists {
    let mut offsets = vec![0u64; lines + 1];
    for &index in &lists.indices {
        offsets[index as usize + 1] += 1;
    }
    for line in 0..lines {
        offsets[line + 1] += offsets[line];
    }
    let mut next = offsets.clone();
    let (mut indices, mut places) = (vec![0; lists.indices.len()], vec![0; lists.indices.len()]);
    for (line, bounds) in (0..).zip(lists.offsets.windows(2)) {
        for at in bounds[0]..bounds[1] {
            let place = &mut next[lists.indices[at as usize] as usize];
            (indices[*place as usize], places[*place as usize]) = (line, at);
            *place += 1;
        }
    }
    let entries = lists.entries.iter().map(|from| {
        let mut to = from.clone();
        from.gather(&places, &mut to);
        to
    });
    OwnedLists { offsets, indices, entries: entries.collect() }
}

/// All entries of a function of column and row, row after row.
pub(crate) fn computed(
    program: &Program,
    tables: &[Column<'_>],
    rows: usize,
    columns: usize,
) -> Result<Vec<Owned>, SemiringError> {
    let places: Vec<u64> = (0..columns as u64).collect();
    let len = rows * columns;
    let mut all: Vec<Owned> = program.outputs().map(|kind| filled(kind, 0, len)).collect();
    if all.is_empty() {
        return Ok(all);
    }
    for row in 0..rows {
        let inputs = [Input::Column((&places[..]).into()), Input::Same(row as u64)];
        let mut to: Vec<ColumnMut<'_>> = all.iter_mut().map(Owned::column_mut).collect();
        let mut line: Vec<ColumnMut<'_>> =
            to.iter_mut().map(|column| column.part_mut(row * columns, (row + 1) * columns)).collect();
        program.evaluate(&inputs, tables, &mut line)?;
    }
    Ok(all)
}

/// A column of one value.
pub(crate) fn filled(kind: ScalarType, bits: u64, len: usize) -> Owned {
    Owned::from_bits(kind.memory(), std::iter::repeat_n(bits, len))
}
