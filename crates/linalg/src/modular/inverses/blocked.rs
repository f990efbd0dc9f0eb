//! The inverse of a large matrix in place, by Gauss-Jordan elimination of a panel of columns at a time (Quintana, Quintana, Sun
//! and van de Geijn, "A note on parallel matrix inversion", SIAM Journal on Scientific Computing 22, 2001).
//!
//! With `H` the head, the entries of the panel's columns in its rows, a step changes
//!
//! ```text
//! H  R         H^-1         H^-1 R
//! F  A   to   -F H^-1   A - F H^-1 R
//! ```
//!
//! for the columns and the rows before the panel as for those behind it. With 1 in the place of `H` and 0 in that of `F`, the panel's
//! rows become `W = H^-1 [1 R]` and the others `[0 A] - F W`: `n^3` products and sums for all panels of a matrix of order `n`. Since
//! `[1 R] - (H - 1) W` is `W` too, one product changes all rows; where launches cost less than the products of the panel's own rows,
//! `W` is copied to them, and two products change the others.
//!
//! Where a head has no inverse, rows below it are exchanged with its rows: then the inverse is that of the matrix with its rows
//! exchanged, and gets its columns back in order at the end. Large heads are inverted by blocks themselves, without a wait of
//! the host before their last panel: where heads within have no inverse, the large one is inverted again, panel by panel.

use std::ops::Range;

use manycore_device::Buffer;
use manycore_field::ResidueWord as _;

use super::squares::{Inverted, Squares};
use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::eliminate::plan::{Elimination, Reach};
use crate::modular::eliminate::steps::Extent;
use crate::modular::multiply::shape::Store;

impl<F: MatrixField> LinearAlgebra<F> {
    /// Inverts a square matrix, by panels of at most `panel` columns: its determinant, `None` for a singular one, of which the
    /// words are then of no use.
    pub(crate) fn invert_in_place(
        &self,
        a: &mut Buffer<F::Element>,
        order: usize,
        panel: usize,
    ) -> Result<Option<F::Element>, LinalgError> {
        let (field, whole) = (self.field(), Block::whole(order, order));
        let small = panel.clamp(1, self.most_inverted());
        // Panels of few columns up to this one, for a large head had no inverse.
        let mut narrow = 0;
        let mut determinant = field.one();
        let mut rows: Vec<u32> = (0..order as u32).collect();
        let mut is_moved = false;
        let is_whole = self.is_one_product(order, panel);
        let mut first = 0;
        while first < order {
            let count = if first < narrow { small } else { panel.max(1) };
            let end = order.min(first + count);
            let head = whole.part(first..end, first..end);
            let mut inverted = self.invert_block(a, head)?;
            if inverted.is_none() {
                if end - first > small {
                    // Where two large heads have no inverse others may have none either.
                    narrow = if narrow == 0 { end } else { order };
                    continue;
                }
                let Some(swaps) = self.exchange_rows(a, whole, first..end)? else { return Ok(None) };
                for (k, swap) in swaps.into_iter().map(|swap| swap as usize).enumerate().filter(|&(k, swap)| k != swap)
                {
                    rows.swap(first + k, first + swap);
                    determinant = field.neg(determinant);
                    is_moved = true;
                }
                inverted = self.invert_block(a, head)?;
            }
            let Some(inverted) = inverted else {
                // Pivots were found in these rows and columns.
                return Err(LinalgError::Pivot {
                    device: self.device().info().name.clone(),
                    row: first,
                    column: first,
                });
            };
            determinant = field.mul(determinant, inverted.determinant);
            self.invert_panel(a, whole, first..end, &inverted.inverse, is_whole)?;
            first = end;
        }
        if is_moved {
            // Column k belongs to the row that was at rows[k].
            let mut columns = vec![0; order];
            (0..).zip(&rows).for_each(|(k, &row)| columns[row as usize] = k);
            *a = self.pick(a, whole, &columns)?;
        }
        Ok(Some(determinant))
    }

    /// The inverse of a block that is not taken at once.
    pub(super) fn invert_large_block(
        &self,
        a: &Buffer<F::Element>,
        block: Block,
    ) -> Result<Option<Inverted<F>>, LinalgError> {
        let (order, small) = (block.rows, self.most_inverted());
        let mut inverse = self.block_of(a, block)?;
        // A random head has no inverse with a chance of about 1 / p.
        if self.field().order() > 2 * order.div_ceil(small) as u64 {
            if let Some(determinant) = self.invert_unsearched(&mut inverse, order, small)? {
                return Ok(Some(Inverted { inverse, determinant }));
            }
            self.copy_block(a, block, &mut inverse, Block::whole(order, order))?;
        }
        let determinant = self.invert_in_place(&mut inverse, order, small)?;
        Ok(determinant.map(|determinant| Inverted { inverse, determinant }))
    }

    /// Inverts a square matrix each of whose heads has an inverse, by panels of `small` columns, and waits for the device once: its
    /// determinant, or `None` where a head has none and the words are of no use.
    fn invert_unsearched(
        &self,
        a: &mut Buffer<F::Element>,
        order: usize,
        small: usize,
    ) -> Result<Option<F::Element>, LinalgError> {
        let whole = Block::whole(order, order);
        let mut found = self.device().scratch(2 * order.div_ceil(small))?;
        let is_whole = self.is_one_product(order, small);
        for (k, first) in (0..order).step_by(small).enumerate() {
            let end = order.min(first + small);
            let count = end - first;
            let mut inverse = self.device().scratch(count * count)?;
            let head = Squares::one(whole.part(first..end, first..end));
            if !self.invert_squares((&*a, head), &mut inverse, (&mut found, 2 * k))? {
                return Ok(None);
            }
            self.invert_panel(a, whole, first..end, &inverse, is_whole)?;
        }
        let found = found.download()?;
        let mut determinants = Vec::with_capacity(found.len() / 2);
        for (found, first) in found.chunks(2).zip((0..order).step_by(small)) {
            if found[1] != F::Element::from_u64(small.min(order - first) as u64) {
                return Ok(None);
            }
            determinants.push(found[0]);
        }
        Ok(Some(self.field().product(&determinants)))
    }

    /// The step of a panel, of whose head the inverse is given, by one product for all rows or by two and a copy.
    fn invert_panel(
        &self,
        a: &mut Buffer<F::Element>,
        whole: Block,
        panel: Range<usize>,
        inverse: &Buffer<F::Element>,
        is_whole: bool,
    ) -> Result<(), LinalgError> {
        let (order, count) = (whole.rows, panel.len());
        let pivots = whole.part(panel.clone(), 0..order);
        let factors = self.take_block(a, whole.part(0..order, panel.clone()), panel.start)?;
        let lines = Block::whole(count, order);
        let mut heads = self.device().scratch(count * order)?;
        self.product_into((inverse, Block::whole(count, count)), (&*a, pivots), (&mut heads, lines), Store::Set)?;
        let changed = if is_whole { [0..order, order..order] } else { [0..panel.start, panel.end..order] };
        for rows in changed {
            let part = Block::whole(order, count).part(rows.clone(), 0..count);
            let target = whole.part(rows, 0..order);
            self.product_into((&factors, part), (&heads, lines), (&mut *a, target), Store::Subtract)?;
        }
        if is_whole { Ok(()) } else { self.copy_block(&heads, lines, a, pivots) }
    }

    /// Exchanges rows of a panel's head with rows below them so that it has an inverse, and returns for each the row that it was exchanged
    /// with, counted from the head; `None` where the panel has fewer pivots than columns.
    fn exchange_rows(
        &self,
        a: &mut Buffer<F::Element>,
        whole: Block,
        columns: Range<usize>,
    ) -> Result<Option<Vec<u32>>, LinalgError> {
        let (first, count) = (columns.start, columns.len());
        let rows = first..whole.rows;
        let part = Extent { rows: rows.len(), width: count, search: count };
        let mut below = self.block_of(a, whole.part(rows, columns))?;
        let found = self.eliminate(&mut below, part, Reach::Below, Elimination::NearMemory)?;
        if found.rank() < count {
            return Ok(None);
        }
        self.permute_rows(a, whole.columns, first, &found.swaps)?;
        Ok(Some(found.swaps))
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_field::PrimeField;

    use super::*;

    #[test]
    fn one_product_for_all_rows_gives_the_words_of_two() {
        let device = Device::host_with(1).unwrap();
        for p in [2, 251, 2_147_483_647] {
            let space = LinearAlgebra::new(&device, PrimeField::<u32>::new(p).unwrap()).unwrap();
            for (order, panel) in [(1, 1), (20, 6), (20, 20), (33, 16)] {
                // A triangle of ones, all of whose heads have inverses.
                let words: Vec<u32> = (0..order * order).map(|e| u32::from(e % order >= e / order)).collect();
                let a = space.matrix(order, order, &words).unwrap();
                let whole = Block::whole(order, order);
                let [one, two] = [true, false].map(|is_whole| {
                    let mut words = space.block_of(&a.buffer, whole).unwrap();
                    for first in (0..order).step_by(panel) {
                        let columns = first..order.min(first + panel);
                        let head = whole.part(columns.clone(), columns.clone());
                        let inverse = space.invert_block(&words, head).unwrap().unwrap().inverse;
                        space.invert_panel(&mut words, whole, columns, &inverse, is_whole).unwrap();
                    }
                    space.of(words, order, order)
                });
                assert!(space.equal(&one, &two).unwrap(), "{order} {panel} mod {p}");
                let product = space.mul(&a, &one).unwrap();
                assert!(space.equal(&product, &space.identity(order).unwrap()).unwrap(), "{order} {panel} mod {p}");
            }
        }
    }
}
