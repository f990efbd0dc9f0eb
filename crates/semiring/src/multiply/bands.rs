//! Generalized products of dense operands on the host by any operations: threads share bands of rows, and a band takes blocks of
//! columns of the second operand, row after row, which stay in a core's first cache with the band's sums (Goto and van de Geijn,
//! "Anatomy of high-performance matrix multiplication", 2008). Operations run over blocks; sums run in the order of the inner index.

use std::sync::{Mutex, PoisonError};

use manycore_device::HostPool;
use manycore_expressions::{Column, ColumnMut, Evaluator, Input, Owned};

use super::form::ProductShape;
use super::host_operands::filled;
use crate::algebra::Algebra;
use crate::error::SemiringError;

/// Rows that a thread takes at a time, so that a block of the second operand is read once for them.
const ROWS: usize = 2;
/// Bytes of a block of sums, with those of the next step: those of a band, and a few registers, stay in the first cache.
const BLOCK_BYTES: usize = 4096;
/// Arguments of a step that need no memory of their own: those of a sum of two scalars with factors of two.
const FEW: usize = 6;

/// Columns of a block.
pub(super) fn block(algebra: &Algebra) -> usize {
    let largest = [algebra.sums(), algebra.left(), algebra.right()].map(|kinds| Algebra::bytes(kinds).0);
    BLOCK_BYTES / largest.into_iter().max().unwrap_or(8).max(1)
}

/// The product of these factors; of results the blocks of every row, row after row.
pub(super) fn product(
    pool: &HostPool,
    (algebra, shape): (&Algebra, ProductShape),
    (left, right): (&[Column<'_>], &[Column<'_>]),
    blocks: Vec<Vec<ColumnMut<'_>>>,
) -> Result<(), SemiringError> {
    let across = shape.columns.div_ceil(block(algebra)).max(1);
    let mut tasks: Vec<Vec<Vec<ColumnMut<'_>>>> = Vec::new();
    tasks.resize_with(shape.rows.div_ceil(ROWS) * across, || Vec::with_capacity(ROWS));
    for (at, out) in blocks.into_iter().enumerate() {
        tasks[at / across / ROWS * across + at % across].push(out);
    }
    let operations = shape.pairs().saturating_mul(algebra.step.operations() as u64);
    let failed = Mutex::new(None);
    pool.step("semiring_product", shape.bytes(algebra), operations, || {
        let team = pool.team().only_if(operations > 1 << 16);
        let new = || (algebra.step.evaluator(), [Sums::new(algebra), Sums::new(algebra)]);
        team.each_with(tasks.into_iter().enumerate(), new, |(evaluator, sums), (at, out)| {
            let place = (at / across * ROWS, at % across * block(algebra));
            if let Err(error) = band((algebra, shape), evaluator, sums, place, (left, right), out) {
                failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        });
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// Sums of the blocks of a band.
struct Sums(Vec<Vec<Owned>>);

impl Sums {
    fn new(algebra: &Algebra) -> Self {
        let kinds = algebra.sums().iter().zip(&algebra.zero);
        let row: Vec<Owned> = kinds.map(|(&kind, &bits)| filled(kind, bits, block(algebra))).collect();
        Self(vec![row; ROWS])
    }
}

/// The blocks of a band of rows from this row and column on.
fn band(
    (algebra, shape): (&Algebra, ProductShape),
    evaluator: &mut Evaluator<'_>,
    sums: &mut [Sums; 2],
    (row, start): (usize, usize),
    (left, right): (&[Column<'_>], &[Column<'_>]),
    out: Vec<Vec<ColumnMut<'_>>>,
) -> Result<(), SemiringError> {
    let len = out.first().and_then(|out| out.first()).map_or(0, ColumnMut::len);
    let [now, next] = sums;
    for sums in &mut now.0 {
        for (sums, &bits) in sums.iter_mut().zip(&algebra.zero) {
            sums.column_mut().fill(bits);
        }
    }
    let count = algebra.sums().len() + left.len() + right.len();
    for inner in 0..shape.inner {
        let from = inner * shape.columns + start;
        for (row, (now, next)) in (row..).zip(now.0.iter_mut().zip(&mut next.0).take(out.len())) {
            // Within the operand: its length was compared with its shape.
            let at = row * shape.inner + inner;
            let sums = now.iter().map(|sums| Input::Column(sums.column().part(0, len)));
            let factors = left.iter().map(|words| Input::Same(words.bits(at).unwrap_or_default()));
            let others = right.iter().map(|words| Input::Column(words.part(from, from + len)));
            let (mut few, many);
            let inputs = if count <= FEW {
                few = [Input::Same(0); FEW];
                few.iter_mut().zip(sums.chain(factors).chain(others)).for_each(|(to, input)| *to = input);
                &few[..count]
            } else {
                many = sums.chain(factors).chain(others).collect::<Vec<_>>();
                &many[..]
            };
            if let [next] = &mut next[..] {
                evaluator.evaluate(inputs, &[], &mut [next.column_mut().part_mut(0, len)])?;
            } else {
                let mut columns: Vec<ColumnMut<'_>> = next.iter_mut().map(Owned::column_mut).collect();
                let mut columns: Vec<ColumnMut<'_>> = columns.iter_mut().map(|next| next.part_mut(0, len)).collect();
                evaluator.evaluate(inputs, &[], &mut columns)?;
            }
        }
        std::mem::swap(now, next);
    }
    for (out, sums) in out.into_iter().zip(&now.0) {
        for (mut out, sums) in out.into_iter().zip(sums) {
            out.copy_from(sums.column().part(0, len));
        }
    }
    Ok(())
}
