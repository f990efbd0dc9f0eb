//! Generalized products on the host: blocks of rows of the result are shared by threads, and a block takes the same columns of whole
//! rows of the second operand, one after the other, which stay in a core's first cache; of a second operand that is lists of columns
//! one entry of each after the other.

use std::sync::{Mutex, PoisonError};

use manycore_device::HostPool;
use manycore_expressions::{Column, ColumnMut, Input, Owned, WordsMut};

use super::bands;
use super::form::ProductShape;
use super::host_operands::{Factor, Lists, entries, filled};
use crate::algebra::Algebra;
use crate::error::SemiringError;
use crate::operand::{Form, Operand};

/// Columns of a block.
const BLOCK: usize = 2048;

/// A product that has entries.
pub(crate) fn product(
    pool: &HostPool,
    (algebra, shape): (&Algebra, ProductShape),
    (a, b): (&Operand<'_>, &Operand<'_>),
    out: &mut [WordsMut<'_>],
) -> Result<(), SemiringError> {
    let is_right_of_lists = matches!(a.form(), Form::Lists | Form::Made(_));
    let left = entries(a, (shape.rows, shape.inner), false)?;
    let right = entries(b, (shape.inner, shape.columns), is_right_of_lists)?;
    let (left, right) = (left.factor(), right.factor());
    if let (Factor::Dense(left), Factor::Dense(right)) = (&left, &right) {
        let blocks = blocks(out, shape.columns, bands::block(algebra))?;
        return bands::product(pool, (algebra, shape), (left, right), blocks);
    }
    // Lists of rows of the right operand take all columns at once.
    let block = if let Factor::Rows(_) = right { shape.columns } else { BLOCK };
    let blocks = blocks(out, shape.columns, block)?;
    let bytes = shape.bytes(algebra);
    let operations = shape.pairs().saturating_mul(algebra.step.operations() as u64);
    let failed = Mutex::new(None);
    let across = shape.columns.div_ceil(block);
    pool.step("semiring_product", bytes, operations, || {
        let team = pool.team().only_if(operations > 1 << 16);
        team.each_with(
            blocks.into_iter().enumerate(),
            || Sums::new(algebra, block.min(shape.columns)),
            |sums, (at, out)| {
                let task = Block { algebra, shape, row: at / across, start: at % across * block };
                if let Err(error) = sums.block(task, &left, &right, out) {
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                }
            },
        );
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// The results of each row.
pub(crate) fn lines<'a>(out: &'a mut [WordsMut<'_>], columns: usize) -> Result<Vec<Vec<ColumnMut<'a>>>, SemiringError> {
    blocks(out, columns, columns)
}

/// The results in blocks of `block` columns, row after row.
fn blocks<'a>(
    out: &'a mut [WordsMut<'_>],
    columns: usize,
    block: usize,
) -> Result<Vec<Vec<ColumnMut<'a>>>, SemiringError> {
    let mut blocks: Vec<Vec<ColumnMut<'a>>> = Vec::new();
    for words in out {
        let mut rest = words.reborrow().into_host()?;
        let (mut at, mut column) = (0, 0);
        while !rest.is_empty() {
            let len = block.min(columns - column).min(rest.len());
            let (first, others) = rest.split_at(len);
            if let Some(block) = blocks.get_mut(at) {
                block.push(first);
            } else {
                blocks.push(vec![first]);
            }
            rest = others;
            (at, column) = (at + 1, if column + len == columns { 0 } else { column + len });
        }
    }
    Ok(blocks)
}

/// A row of the product from a column on.
#[derive(Clone, Copy)]
struct Block<'a> {
    algebra: &'a Algebra,
    shape: ProductShape,
    row: usize,
    start: usize,
}

/// Sums of a block, and those with the next product.
struct Sums {
    now: Vec<Owned>,
    next: Vec<Owned>,
    /// The entries at the columns of a list, and the sums with the next product.
    gathered: [Vec<Owned>; 2],
}

impl Sums {
    fn new(algebra: &Algebra, len: usize) -> Self {
        let of = |len: usize| -> Vec<Owned> {
            algebra.sums().iter().zip(&algebra.zero).map(|(&kind, &bits)| filled(kind, bits, len)).collect()
        };
        Self { now: of(len), next: of(len), gathered: [of(0), of(0)] }
    }

    fn block(
        &mut self,
        task: Block<'_>,
        left: &Factor<'_>,
        right: &Factor<'_>,
        mut out: Vec<ColumnMut<'_>>,
    ) -> Result<(), SemiringError> {
        let Block { algebra, shape, row, start } = task;
        let len = out.first().map_or(0, ColumnMut::len);
        for (sums, (&kind, &bits)) in self.now.iter_mut().zip(algebra.sums().iter().zip(&algebra.zero)) {
            if sums.column().len() < len {
                *sums = filled(kind, bits, len);
            }
            sums.column_mut().fill(bits);
        }
        let places: Vec<u64> = match (left, right) {
            (Factor::AtResult(_), _) | (_, Factor::AtResult(_)) => (start as u64..).take(len).collect(),
            _ => Vec::new(),
        };
        if let Factor::Columns(lists) = right {
            self.by_columns(task, left, lists, len)?;
        } else {
            let steps =
                |sums: &mut Self, i: usize, factor: &[Input<'_>]| sums.add_row(task, (i, factor), right, &places, len);
            match left {
                Factor::Dense(left) => {
                    for i in 0..shape.inner {
                        steps(self, i, &same(left, row * shape.inner + i))?;
                    }
                }
                Factor::Rows(lists) | Factor::Columns(lists) => {
                    for at in lists.line(row) {
                        steps(self, lists.indices[at] as usize, &same(&lists.entries, at))?;
                    }
                }
                Factor::AtResult(function) => {
                    for i in 0..shape.inner {
                        let values = function.values(true, Input::Same(i as u64), (row, &places))?;
                        steps(self, i, &columns_of(&values))?;
                    }
                }
            }
        }
        for (out, sums) in out.iter_mut().zip(&self.now) {
            out.copy_from(sums.column().part(0, len));
        }
        Ok(())
    }

    /// Adds products of a factor with row `i` of the right operand.
    fn add_row(
        &mut self,
        Block { algebra, shape, row, start }: Block<'_>,
        (i, factor): (usize, &[Input<'_>]),
        right: &Factor<'_>,
        places: &[u64],
        len: usize,
    ) -> Result<(), SemiringError> {
        match right {
            Factor::Dense(right) => {
                let from = i * shape.columns + start;
                let row: Vec<Input<'_>> =
                    right.iter().map(|words| Input::Column(words.part(from, from + len))).collect();
                add(algebra, &self.now, (factor, &row), &mut self.next, len)?;
            }
            Factor::AtResult(function) => {
                let values = function.values(false, Input::Same(i as u64), (row, places))?;
                add(algebra, &self.now, (factor, &columns_of(&values)), &mut self.next, len)?;
            }
            Factor::Rows(lists) | Factor::Columns(lists) => {
                let range = lists.line(i);
                let places = &lists.indices[range.clone()];
                // Of a factor that depends on the column, its values at those of the list.
                let gathered: Vec<Option<Owned>> = factor.iter().map(|input| at_places(input, places)).collect();
                let factor: Vec<Input<'_>> = factor
                    .iter()
                    .zip(&gathered)
                    .map(|(input, at)| at.as_ref().map_or(*input, |at| Input::Column(at.column())))
                    .collect();
                let row: Vec<Input<'_>> =
                    lists.entries.iter().map(|words| Input::Column(words.part(range.start, range.end))).collect();
                return self.add_at(algebra, (&factor, &row), places);
            }
        }
        std::mem::swap(&mut self.now, &mut self.next);
        Ok(())
    }

    /// The entries of the lists of columns one after the other, with those of a left operand that has all.
    fn by_columns(
        &mut self,
        Block { algebra, shape, row, start }: Block<'_>,
        left: &Factor<'_>,
        lists: &Lists<'_>,
        len: usize,
    ) -> Result<(), SemiringError> {
        let longest = (start..start + len).map(|column| lists.line(column).len()).max().unwrap_or(0);
        let (mut columns, mut at, mut inner) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..longest {
            for all in [&mut columns, &mut at, &mut inner] {
                all.clear();
            }
            for column in start..start + len {
                let line = lists.line(column);
                if number < line.len() {
                    columns.push(column as u64);
                    at.push((line.start + number) as u64);
                    inner.push(lists.indices[line.start + number]);
                }
            }
            let factor: Vec<Owned> = match left {
                Factor::Dense(left) => {
                    let places: Vec<u64> = inner.iter().map(|i| (row * shape.inner) as u64 + i).collect();
                    left.iter().map(|words| gathered(*words, &places)).collect()
                }
                Factor::AtResult(function) => {
                    function.values(true, Input::Column((&inner[..]).into()), (row, &columns))?
                }
                // Lists of rows meet lists of rows.
                Factor::Rows(_) | Factor::Columns(_) => return Ok(()),
            };
            let entries: Vec<Owned> = lists.entries.iter().map(|words| gathered(*words, &at)).collect();
            for column in &mut columns {
                *column -= start as u64;
            }
            let (factor, entries) = (columns_of(&factor), columns_of(&entries));
            self.add_at(algebra, (&factor, &entries), &columns)?;
        }
        Ok(())
    }

    /// Adds products at some columns of the block.
    fn add_at(
        &mut self,
        algebra: &Algebra,
        (left, right): (&[Input<'_>], &[Input<'_>]),
        places: &[u64],
    ) -> Result<(), SemiringError> {
        let len = places.len();
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
        add(algebra, from, (left, right), to, len)?;
        for (sums, gathered) in self.now.iter_mut().zip(to.iter()) {
            gathered.scatter(places, sums);
        }
        Ok(())
    }
}

/// One element for all columns.
fn same<'a>(words: &[Column<'_>], at: usize) -> Vec<Input<'a>> {
    // Within the operand: its length was compared with its shape.
    words.iter().map(|words| Input::Same(words.bits(at).unwrap_or_default())).collect()
}

/// An element for each column.
fn columns_of(words: &[Owned]) -> Vec<Input<'_>> {
    words.iter().map(|words| Input::Column(words.column())).collect()
}

/// The words at these places.
fn gathered(words: Column<'_>, places: &[u64]) -> Owned {
    let mut to = Owned::from_bits(words.word(), std::iter::repeat_n(0, places.len()));
    words.gather(places, &mut to);
    to
}

/// The values of a column at these places; none where all are the same.
fn at_places(input: &Input<'_>, places: &[u64]) -> Option<Owned> {
    match input {
        Input::Column(words) => Some(gathered(*words, places)),
        Input::Same(_) => None,
    }
}

/// The first `len` sums with their next products.
fn add(
    algebra: &Algebra,
    sums: &[Owned],
    (left, right): (&[Input<'_>], &[Input<'_>]),
    next: &mut [Owned],
    len: usize,
) -> Result<(), SemiringError> {
    let sums = sums.iter().map(|sums| Input::Column(sums.column().part(0, len)));
    let inputs: Vec<Input<'_>> = sums.chain(left.iter().copied()).chain(right.iter().copied()).collect();
    let mut next: Vec<ColumnMut<'_>> = next.iter_mut().map(Owned::column_mut).collect();
    let mut next: Vec<ColumnMut<'_>> = next.iter_mut().map(|next| next.part_mut(0, len)).collect();
    algebra.step.evaluate(&inputs, &[], &mut next)?;
    Ok(())
}
