//! Elimination of some columns at once: the rest of the matrix is changed by two products.
//!
//! Of the columns of a panel, and the rows that have no pivot yet, elimination finds the pivots. With `A11` the entries of
//! their rows (which exchanges bring together) and columns, the pivots' rows become `W = A11^-1 A[pivots, ..]`, and the others
//! lose `A[others, pivot columns] W`: the Schur complement. The reduced form is unique, so that it has the bits of elimination
//! column by column. Source: paper 002, chapter 7, in the corrected blocked form 7.7, with rows and columns exchanged.

use manycore_device::{Buffer, Executor};

use super::{Eliminated, Elimination, Extent, Reach, device};
use crate::algebra::LinearAlgebra;
use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::multiply::Store;

pub(super) fn eliminate<F: MatrixField>(
    space: &LinearAlgebra<F>,
    a: &mut Buffer<F::Element>,
    extent: Extent,
    reach: Reach,
    panel: usize,
) -> Result<Eliminated<F::Element>, LinalgError> {
    let Extent { rows, width, search } = extent;
    let whole = Block::whole(rows, width);
    let mut all = Eliminated::none();
    for first in (0..search).step_by(panel) {
        let row = all.rank();
        if row == rows {
            break;
        }
        let end = search.min(first + panel);
        let mut heads = space.block_of(a, whole.part(row..rows, first..end))?;
        let columns = end - first;
        let found = space.eliminate(
            &mut heads,
            Extent { rows: rows - row, width: columns, search: columns },
            Reach::Below,
            Elimination::Local,
        )?;
        let count = found.rank();
        if count == 0 {
            continue;
        }
        permute(space, a, extent, row, &found.swaps)?;
        // The pivots' columns, of all rows.
        let picked = space.pick(a, whole.part(0..rows, first..end), &found.columns)?;
        let picked_whole = Block::whole(rows, count);
        let last = row + count;
        let inverse = inverse(space, &picked, picked_whole.part(row..last, 0..count))?;
        let mut heads = space.device().scratch(count * (width - first))?;
        let heads_whole = Block::whole(count, width - first);
        let pivots = whole.part(row..last, first..width);
        space.product_into(
            (&inverse, Block::whole(count, count)),
            (a, pivots),
            (&mut heads, heads_whole),
            Store::Set,
        )?;
        space.copy_block(&heads, heads_whole, a, pivots)?;
        let above = if reach == Reach::All { 0..row } else { 0..0 };
        for others in [above, last..rows] {
            let factors = (&picked, picked_whole.part(others.clone(), 0..count));
            let target = whole.part(others, first..width);
            space.product_into(factors, (&heads, heads_whole), (&mut *a, target), Store::Subtract)?;
        }
        all.columns.extend(found.columns.iter().map(|column| first as u32 + column));
        all.swaps.extend(found.swaps.iter().map(|swap| row as u32 + swap));
        all.values.extend(found.values);
    }
    Ok(all)
}

/// The inverse of a block that has one.
fn inverse<F: MatrixField>(
    space: &LinearAlgebra<F>,
    from: &Buffer<F::Element>,
    block: Block,
) -> Result<Buffer<F::Element>, LinalgError> {
    let order = block.rows;
    let beside = Block::whole(order, 2 * order);
    let mut both = space.device().zeros(2 * order * order)?;
    space.copy_block(from, block, &mut both, beside.part(0..order, 0..order))?;
    let identity = space.identity(order)?;
    let (square, right) = (Block::whole(order, order), beside.part(0..order, order..2 * order));
    space.copy_block(&identity.buffer, square, &mut both, right)?;
    space.eliminate(
        &mut both,
        Extent { rows: order, width: 2 * order, search: order },
        Reach::All,
        Elimination::Local,
    )?;
    space.block_of(&both, right)
}

/// Exchanges the rows `first + k` and `first + swaps[k]`, one after the other.
fn permute<F: MatrixField>(
    space: &LinearAlgebra<F>,
    a: &mut Buffer<F::Element>,
    extent: Extent,
    first: usize,
    swaps: &[u32],
) -> Result<(), LinalgError> {
    match space.device().executor() {
        Executor::Host(_) => {
            let words = a.host_mut()?;
            for (k, &swap) in swaps.iter().enumerate().filter(|&(k, &swap)| swap as usize != k) {
                let (upper, lower) = words.split_at_mut((first + swap as usize) * extent.width);
                upper[(first + k) * extent.width..][..extent.width].swap_with_slice(&mut lower[..extent.width]);
            }
            Ok(())
        }
        Executor::OpenCl(cl) => device::permute(space, cl, a, extent.width, first, swaps),
    }
}
