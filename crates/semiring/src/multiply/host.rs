//! Generalized products on the host: rows of the result are shared by threads, and a row takes whole rows of the second operand,
//! one after the other, in blocks of columns that stay in a core's first cache.

use std::sync::{Mutex, PoisonError};

use manycore_device::HostPool;
use manycore_expressions::{Column, ColumnMut, Input, Owned, Program, ScalarType, WordsMut};

use super::ProductShape;
use crate::algebra::Algebra;
use crate::error::SemiringError;
use crate::operand::Operand;

/// Columns of a block.
const BLOCK: usize = 2048;

/// A dense operand's words on the host.
enum Entries<'a> {
    Stored(Vec<Column<'a>>),
    Computed(Vec<Owned>),
}

impl Entries<'_> {
    fn columns(&self) -> Vec<Column<'_>> {
        match self {
            Self::Stored(columns) => columns.clone(),
            Self::Computed(columns) => columns.iter().map(Owned::column).collect(),
        }
    }
}

/// A dense product that has entries.
pub(crate) fn product(
    pool: &HostPool,
    (algebra, shape): (&Algebra, ProductShape),
    (a, b): (&Operand<'_>, &Operand<'_>),
    out: &mut [WordsMut<'_>],
) -> Result<(), SemiringError> {
    let (left, right) = (entries(a, shape.rows, shape.inner)?, entries(b, shape.inner, shape.columns)?);
    let (left, right) = (left.columns(), right.columns());
    let lines = lines(out, shape)?;
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
fn lines<'a>(out: &'a mut [WordsMut<'_>], shape: ProductShape) -> Result<Vec<Vec<ColumnMut<'a>>>, SemiringError> {
    let mut lines: Vec<Vec<ColumnMut<'a>>> = (0..shape.rows).map(|_| Vec::new()).collect();
    for words in out {
        let mut rest = words.reborrow().into_host()?;
        for line in &mut lines {
            let end = shape.columns.min(rest.len());
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
}

impl Sums {
    fn new(algebra: &Algebra, shape: ProductShape) -> Self {
        let len = BLOCK.min(shape.columns);
        let of = || algebra.sums().iter().zip(&algebra.zero).map(|(&kind, &bits)| filled(kind, bits, len)).collect();
        Self { now: of(), next: of() }
    }

    /// A row of the product.
    fn row(
        &mut self,
        algebra: &Algebra,
        shape: ProductShape,
        (left, row): (&[Column<'_>], usize),
        right: &[Column<'_>],
        mut line: Vec<ColumnMut<'_>>,
    ) -> Result<(), SemiringError> {
        for start in (0..shape.columns).step_by(BLOCK) {
            let len = BLOCK.min(shape.columns - start);
            for (sums, &bits) in self.now.iter_mut().zip(&algebra.zero) {
                sums.column_mut().fill(bits);
            }
            for i in 0..shape.inner {
                let of_sums = self.now.iter().map(|sums| Input::Column(sums.column().part(0, len)));
                // Within the operand: its length was compared with its shape.
                let factor =
                    left.iter().map(|words| Input::Same(words.bits(row * shape.inner + i).unwrap_or_default()));
                let from = i * shape.columns + start;
                let of_row = right.iter().map(|words| Input::Column(words.part(from, from + len)));
                let inputs: Vec<Input<'_>> = of_sums.chain(factor).chain(of_row).collect();
                let mut next: Vec<ColumnMut<'_>> = self.next.iter_mut().map(Owned::column_mut).collect();
                let mut next: Vec<ColumnMut<'_>> = next.iter_mut().map(|next| next.part_mut(0, len)).collect();
                algebra.step.evaluate(&inputs, &[], &mut next)?;
                std::mem::swap(&mut self.now, &mut self.next);
            }
            for (line, sums) in line.iter_mut().zip(&self.now) {
                line.part_mut(start, start + len).copy_from(sums.column().part(0, len));
            }
        }
        Ok(())
    }
}
