//! Generalized products on the host: rows of the result are shared by threads, and a row takes whole rows of the second operand,
//! one after the other, in blocks of columns that stay in a core's first cache.

use std::sync::{Mutex, PoisonError};

use manycore_device::{DeviceError, HostPool};
use manycore_expressions::{Column, ColumnMut, Input, Owned, Program, ScalarType, Words, WordsMut};

use super::ProductShape;
use crate::algebra::Algebra;
use crate::error::SemiringError;
use crate::operand::Operand;

/// Columns of a block.
const BLOCK: usize = 2048;

/// An operand's words on the host.
enum Entries<'a> {
    Stored(Vec<Column<'a>>),
    Computed(Vec<Owned>),
    Lists(Lists<'a>),
}

/// The entries of each row.
struct Lists<'a> {
    offsets: &'a [u64],
    indices: &'a [u64],
    entries: Vec<Column<'a>>,
}

impl Lists<'_> {
    /// The places of a row's entries.
    fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.offsets[row] as usize..self.offsets[row + 1] as usize
    }
}

/// The rows of an operand: all entries of them, or some by ascending columns.
enum Rows<'a> {
    Dense(Vec<Column<'a>>),
    Lists(&'a Lists<'a>),
}

impl Entries<'_> {
    fn rows(&self) -> Rows<'_> {
        match self {
            Self::Stored(columns) => Rows::Dense(columns.clone()),
            Self::Computed(columns) => Rows::Dense(columns.iter().map(Owned::column).collect()),
            Self::Lists(lists) => Rows::Lists(lists),
        }
    }
}

/// A product that has entries.
pub(crate) fn product(
    pool: &HostPool,
    (algebra, shape): (&Algebra, ProductShape),
    (a, b): (&Operand<'_>, &Operand<'_>),
    out: &mut [WordsMut<'_>],
) -> Result<(), SemiringError> {
    let (left, right) = (entries(a, shape.rows, shape.inner)?, entries(b, shape.inner, shape.columns)?);
    let (left, right) = (left.rows(), right.rows());
    let lines = lines(out, shape.rows, shape.columns)?;
    let bytes = shape.bytes(algebra);
    let operations = shape.pairs().saturating_mul(algebra.step.operations() as u64);
    let failed = Mutex::new(None);
    pool.step("semiring_product", bytes, operations, || {
        let team = pool.team().only_if(operations > 1 << 16);
        team.each_with(
            lines.into_iter().enumerate(),
            || Sums::new(algebra, shape),
            |sums, (row, line)| {
                if let Err(error) = sums.row(algebra, shape, (&left, row), &right, line) {
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                }
            },
        );
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// The words of an operand of so many rows and columns, computed where they are not stored.
fn entries<'a>(operand: &Operand<'a>, rows: usize, columns: usize) -> Result<Entries<'a>, SemiringError> {
    match operand {
        Operand::Stored(words) => {
            Ok(Entries::Stored(words.iter().map(|words| words.host()).collect::<Result<_, _>>()?))
        }
        Operand::Computed(program, tables) => {
            let tables: Vec<Column<'_>> = tables.iter().map(|table| table.host()).collect::<Result<_, _>>()?;
            Ok(Entries::Computed(computed(program, &tables, rows, columns)?))
        }
        Operand::Lists { rows, .. } => {
            let words = |words: &Words<'a>| match words.host()? {
                Column::U64(words) => Ok(words),
                _ => Err(DeviceError::elsewhere()),
            };
            Ok(Entries::Lists(Lists {
                offsets: words(&rows.offsets)?,
                indices: words(&rows.indices)?,
                entries: rows.entries.iter().map(|words| words.host()).collect::<Result<_, _>>()?,
            }))
        }
    }
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

/// The results of each row.
pub(crate) fn lines<'a>(
    out: &'a mut [WordsMut<'_>],
    rows: usize,
    columns: usize,
) -> Result<Vec<Vec<ColumnMut<'a>>>, SemiringError> {
    let mut lines: Vec<Vec<ColumnMut<'a>>> = (0..rows).map(|_| Vec::new()).collect();
    for words in out {
        let mut rest = words.reborrow().into_host()?;
        for line in &mut lines {
            let end = columns.min(rest.len());
            let (first, others) = rest.split_at(end);
            line.push(first);
            rest = others;
        }
    }
    Ok(lines)
}

/// Sums of a block of a row, and those with the next product.
struct Sums {
    now: Vec<Owned>,
    next: Vec<Owned>,
    /// Those at the columns of a list, and with the next product.
    gathered: [Vec<Owned>; 2],
}

impl Sums {
    fn new(algebra: &Algebra, shape: ProductShape) -> Self {
        let of = |len: usize| -> Vec<Owned> {
            algebra.sums().iter().zip(&algebra.zero).map(|(&kind, &bits)| filled(kind, bits, len)).collect()
        };
        let len = BLOCK.min(shape.columns);
        Self { now: of(len), next: of(len), gathered: [of(0), of(0)] }
    }

    /// A row of the product.
    fn row(
        &mut self,
        algebra: &Algebra,
        shape: ProductShape,
        (left, row): (&Rows<'_>, usize),
        right: &Rows<'_>,
        mut line: Vec<ColumnMut<'_>>,
    ) -> Result<(), SemiringError> {
        // Lists of the right operand take all columns at once.
        let block = if let Rows::Lists(_) = right { shape.columns } else { BLOCK };
        for start in (0..shape.columns).step_by(block) {
            let len = block.min(shape.columns - start);
            for (sums, (&kind, &bits)) in self.now.iter_mut().zip(algebra.sums().iter().zip(&algebra.zero)) {
                if sums.column().len() < len {
                    *sums = filled(kind, bits, len);
                }
                sums.column_mut().fill(bits);
            }
            let mut step = |i: usize, factor: &[Column<'_>], at: usize| {
                // Within the operand: its length was compared with its shape.
                let factor: Vec<Input<'_>> =
                    factor.iter().map(|words| Input::Same(words.bits(at).unwrap_or_default())).collect();
                match right {
                    Rows::Dense(right) => {
                        let from = i * shape.columns + start;
                        let row: Vec<Column<'_>> = right.iter().map(|words| words.part(from, from + len)).collect();
                        add(algebra, &self.now, &factor, &row, &mut self.next, len)?;
                        std::mem::swap(&mut self.now, &mut self.next);
                        Ok(())
                    }
                    Rows::Lists(lists) => self.add_list(algebra, &factor, lists, i),
                }
            };
            match left {
                Rows::Dense(left) => (0..shape.inner).try_for_each(|i| step(i, left, row * shape.inner + i))?,
                Rows::Lists(lists) => {
                    lists.row(row).try_for_each(|at| step(lists.indices[at] as usize, &lists.entries, at))?;
                }
            }
            for (line, sums) in line.iter_mut().zip(&self.now) {
                line.part_mut(start, start + len).copy_from(sums.column().part(0, len));
            }
        }
        Ok(())
    }

    /// Adds products with a row that is a list.
    fn add_list(
        &mut self,
        algebra: &Algebra,
        factor: &[Input<'_>],
        lists: &Lists<'_>,
        row: usize,
    ) -> Result<(), SemiringError> {
        let range = lists.row(row);
        let (len, places) = (range.len(), &lists.indices[range.clone()]);
        let [from, to] = &mut self.gathered;
        for gathered in [&mut *from, &mut *to] {
            for (column, &kind) in gathered.iter_mut().zip(algebra.sums()) {
                if column.column().len() < len {
                    *column = filled(kind, 0, len);
                }
            }
        }
        for (sums, gathered) in self.now.iter().zip(from.iter_mut()) {
            sums.gather(places, gathered);
        }
        let entries: Vec<Column<'_>> = lists.entries.iter().map(|words| words.part(range.start, range.end)).collect();
        add(algebra, from, factor, &entries, to, len)?;
        for (sums, gathered) in self.now.iter_mut().zip(to.iter()) {
            gathered.scatter(places, sums);
        }
        Ok(())
    }
}

/// The first `len` sums with their next products.
fn add(
    algebra: &Algebra,
    sums: &[Owned],
    factor: &[Input<'_>],
    row: &[Column<'_>],
    next: &mut [Owned],
    len: usize,
) -> Result<(), SemiringError> {
    let sums = sums.iter().map(|sums| Input::Column(sums.column().part(0, len)));
    let row = row.iter().map(|&words| Input::Column(words));
    let inputs: Vec<Input<'_>> = sums.chain(factor.iter().copied()).chain(row).collect();
    let mut next: Vec<ColumnMut<'_>> = next.iter_mut().map(Owned::column_mut).collect();
    let mut next: Vec<ColumnMut<'_>> = next.iter_mut().map(|next| next.part_mut(0, len)).collect();
    algebra.step.evaluate(&inputs, &[], &mut next)?;
    Ok(())
}
