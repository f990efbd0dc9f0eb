//! Elimination of some columns at once: the rest of the matrix is changed by products.
//!
//! Of the columns of a panel, and the rows that have no pivot yet, pivots are found. With `A11` the entries of their rows and
//! columns, the pivots' rows become `W = A11^-1 A[pivots, ..]`, and the others lose `A[others, pivot columns] W`: the Schur
//! complement. The reduced form is unique, so that it has the bits of elimination column by column. Source: paper 002,
//! chapter 7, in the corrected blocked form 7.7, with rows and columns exchanged.
//!
//! In a field any regular block serves: where the first rows without a pivot have one in each column of the panel, which is so
//! but for special matrices, nothing else is searched, and nothing is exchanged. Else elimination goes through all of the panel.
//! A large head is inverted by blocks itself, so that the products that change the rest are few and long.

use manycore_device::{Buffer, Executor};

use super::device;
use super::plan::{Elimination, Reach};
use super::steps::{Eliminated, Extent};
use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::inverses::squares::Inverted;
use crate::modular::multiply::shape::Store;

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
    let small = panel.min(space.most_inverted());
    let mut order = panel;
    let mut first = 0;
    while first < search && all.rank() < rows {
        let row = all.rank();
        let end = search.min(first + order);
        let last = row + end - first;
        let pivots = whole.part(row..last.min(rows), first..end);
        let head = if last <= rows { space.invert_block(a, pivots)? } else { None };
        if let Some(head) = head {
            regular(space, a, (whole, pivots), (row, first), &head, reach)?;
            all.columns.extend(first as u32..end as u32);
            all.swaps.extend(row as u32..last as u32);
            all.values.push(head.determinant);
            all.values.extend((1..last - row).map(|_| space.field().one()));
            first = end;
        } else if order > small {
            // Where one large head has no inverse others may have none either.
            order = small;
        } else {
            searched(space, a, extent, (first..end, reach), &mut all)?;
            first = end;
        }
    }
    Ok(all)
}

/// A panel whose head, the block at a row and a column, has an inverse.
fn regular<F: MatrixField>(
    space: &LinearAlgebra<F>,
    a: &mut Buffer<F::Element>,
    (whole, head): (Block, Block),
    (row, first): (usize, usize),
    inverted: &Inverted<F>,
    reach: Reach,
) -> Result<(), LinalgError> {
    let count = head.rows;
    let (last, end) = (row + count, first + count);
    let Block { rows, columns: width, .. } = whole;
    let right = Block::whole(count, width - end);
    let mut heads = space.device().scratch(count * (width - end))?;
    let pivots = whole.part(row..last, end..width);
    let inverse = (&inverted.inverse, Block::whole(count, count));
    space.product_into(inverse, (&*a, pivots), (&mut heads, right), Store::Set)?;
    let top = if reach == Reach::All { 0 } else { last };
    let factors = space.block_of(a, whole.part(top..rows, first..end))?;
    for others in [top..row.max(top), last..rows] {
        let part = Block::whole(rows - top, count).part(others.start - top..others.end - top, 0..count);
        let target = whole.part(others, end..width);
        space.product_into((&factors, part), (&heads, right), (&mut *a, target), Store::Subtract)?;
    }
    if reach == Reach::All {
        space.copy_block(&heads, right, a, pivots)?;
        space.unit_block(a, whole.part(0..rows, first..end), row)?;
    }
    Ok(())
}

/// A panel whose pivots are searched in all rows that have none yet.
fn searched<F: MatrixField>(
    space: &LinearAlgebra<F>,
    a: &mut Buffer<F::Element>,
    extent: Extent,
    (columns, reach): (std::ops::Range<usize>, Reach),
    all: &mut Eliminated<F::Element>,
) -> Result<(), LinalgError> {
    let Extent { rows, width, .. } = extent;
    let whole = Block::whole(rows, width);
    let (row, first) = (all.rank(), columns.start);
    let mut heads = space.block_of(a, whole.part(row..rows, columns.clone()))?;
    let part = Extent { rows: rows - row, width: columns.len(), search: columns.len() };
    let found = space.eliminate(&mut heads, part, Reach::Below, Elimination::NearMemory)?;
    let count = found.rank();
    if count == 0 {
        return Ok(());
    }
    space.permute_rows(a, extent.width, row, &found.swaps)?;
    // The pivots' columns, of all rows.
    let picked = space.pick(a, whole.part(0..rows, columns), &found.columns)?;
    let picked_whole = Block::whole(rows, count);
    let last = row + count;
    let head = picked_whole.part(row..last, 0..count);
    let Some(inverted) = space.invert_block(&picked, head)? else {
        // Pivots were found in these rows and columns.
        return Err(LinalgError::Pivot { device: space.device().info().name.clone(), row, column: first });
    };
    let mut heads = space.device().scratch(count * (width - first))?;
    let heads_whole = Block::whole(count, width - first);
    let pivots = whole.part(row..last, first..width);
    let inverse = (&inverted.inverse, Block::whole(count, count));
    space.product_into(inverse, (&*a, pivots), (&mut heads, heads_whole), Store::Set)?;
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
    Ok(())
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// Exchanges the rows `first + k` and `first + swaps[k]` of `width` words, one after the other.
    pub(crate) fn permute_rows(
        &self,
        a: &mut Buffer<F::Element>,
        width: usize,
        first: usize,
        swaps: &[u32],
    ) -> Result<(), LinalgError> {
        match self.device().executor() {
            Executor::Host(_) => {
                let words = a.host_mut()?;
                for (k, &swap) in swaps.iter().enumerate().filter(|&(k, &swap)| swap as usize != k) {
                    let (upper, lower) = words.split_at_mut((first + swap as usize) * width);
                    upper[(first + k) * width..][..width].swap_with_slice(&mut lower[..width]);
                }
                Ok(())
            }
            Executor::OpenCl(cl) => device::permute(self, cl, a, width, first, swaps),
        }
    }
}
