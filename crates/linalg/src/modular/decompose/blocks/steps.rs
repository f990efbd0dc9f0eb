//! Panels and tiles of a decomposition: a panel's factors go to all lanes, each takes tiles of the columns behind it, and the one with the
//! first tile decomposes the next panel.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use manycore_device::{Buffer, Device, DeviceError, DeviceSet, Lanes, Window, checkpoint};

use super::super::packed::write_multipliers;
use super::super::recursive::{Decomposition, PANEL};
use super::super::triangular::{Diagonal, Factor, Triangle};
use super::cut::Cut;
use crate::block::Block;
use crate::error::{LinalgError, Shape};
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::multiply::shape::Store;

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What was found in a panel, counted from its first row and column.
#[derive(Default)]
struct Found<E> {
    /// Rows of the panel before its own: those that the panel before it left to it.
    heads: Vec<E>,
    swaps: Vec<u32>,
    columns: Vec<usize>,
    values: Vec<E>,
    /// As many columns as pivots, for each row that had none before.
    lower: Vec<E>,
    /// As many rows as pivots, of the panel's columns.
    upper: Vec<E>,
    /// First pivot, order and inverse of each block of the lower factor's diagonal.
    diagonal: Vec<(usize, usize, Vec<E>)>,
}

/// The factors of a panel on a lane, and which panel's they are.
struct Kept<F: MatrixField> {
    panel: usize,
    lower: Buffer<F::Element>,
    diagonal: Vec<Diagonal<F>>,
}

/// A lane with the factors of the panel that it had last.
pub(super) struct Lane<F: MatrixField> {
    space: LinearAlgebra<F>,
    kept: Mutex<Option<Kept<F>>>,
}

pub(super) fn lanes<F: MatrixField>(set: &DeviceSet, field: &F, count: usize) -> Result<Lanes<Lane<F>>, LinalgError> {
    let lane = |device: &Device| Ok(Lane { space: LinearAlgebra::new(device, field.clone())?, kept: Mutex::default() });
    Lanes::new(set, count, lane)
}

/// Exchanges, columns and values of pivots.
pub(super) type Pivots<E> = (Vec<u32>, Vec<usize>, Vec<E>);

/// A decomposition of the host's matrix.
pub(super) struct Run<'a, F: MatrixField> {
    pub(super) lanes: &'a Lanes<Lane<F>>,
    pub(super) shape: Shape,
    pub(super) cut: Cut,
}

impl<F: MatrixField> Run<'_, F> {
    pub(super) fn decompose(&self, words: &mut [F::Element]) -> Result<Pivots<F::Element>, LinalgError> {
        let (rows, columns) = self.shape;
        let (mut swaps, mut pivots, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let mut found = self.first(words)?;
        for (panel, begin) in (0..columns).step_by(self.cut.width).enumerate() {
            checkpoint()?;
            let end = (begin + self.cut.width).min(columns);
            let row = pivots.len();
            self.exchange(words, row, &found.swaps);
            self.write_panel(words, (row, begin..end), &found);
            swaps.extend(found.swaps.iter().map(|swap| row as u32 + swap));
            pivots.extend(found.columns.iter().map(|column| begin + column));
            values.extend_from_slice(&found.values);
            if row == rows || end == columns {
                continue;
            }
            let next = self.step(words, (row, end), panel, &found)?;
            // The rows of this panel's pivots in the columns of the next one.
            let width = self.cut.width.min(columns - end);
            for (i, head) in next.heads.chunks(width).enumerate() {
                words[(row + i) * columns + end..][..width].copy_from_slice(head);
            }
            found = next;
        }
        Ok((swaps, pivots, values))
    }

    /// The first panel.
    fn first(&self, words: &mut [F::Element]) -> Result<Found<F::Element>, LinalgError> {
        let (rows, columns) = self.shape;
        let width = self.cut.width.min(columns);
        let (panel, _) = Window::new(words, columns)?.split_columns(width)?;
        let made = self.lanes.share(1, 1, |lane, _| {
            let mut buffer = lane.space.device().scratch(panel.len())?;
            panel.upload((&mut buffer).into())?;
            found_in(&lane.space, buffer, (rows, width))
        })?;
        made.into_iter().next().map(|(_, found)| found).ok_or_else(|| DeviceError::elsewhere().into())
    }

    /// Exchanges rows of the whole matrix.
    fn exchange(&self, words: &mut [F::Element], row: usize, swaps: &[u32]) {
        let columns = self.shape.1;
        for (k, &swap) in swaps.iter().enumerate().filter(|&(k, &swap)| k != swap as usize) {
            let (above, below) = words.split_at_mut((row + swap as usize) * columns);
            above[(row + k) * columns..][..columns].swap_with_slice(&mut below[..columns]);
        }
    }

    /// Writes the factors of a panel to its place.
    fn write_panel(&self, words: &mut [F::Element], (row, place): (usize, Range<usize>), found: &Found<F::Element>) {
        let (columns, width) = (self.shape.1, place.len());
        let below = &mut words[row * columns..];
        let mut upper = found.upper.chunks(width);
        for line in below.chunks_mut(columns) {
            let line = &mut line[place.clone()];
            match upper.next() {
                Some(row) => line.copy_from_slice(row),
                None => line.fill(self.lanes.contexts()[0].space.field().zero()),
            }
        }
        let pivots: Vec<usize> = found.columns.iter().map(|column| place.start + column).collect();
        write_multipliers(below, columns, &pivots, &found.lower, pivots.len());
    }

    /// Takes a panel, whose pivots stand in the rows from `row` on, from the columns from `end` on; what is found in the first of them,
    /// the next panel.
    fn step(
        &self,
        words: &mut [F::Element],
        (row, end): (usize, usize),
        panel: usize,
        found: &Found<F::Element>,
    ) -> Result<Found<F::Element>, LinalgError> {
        let columns = self.shape.1;
        let width = self.cut.width.min(columns - end);
        let (_, below) = Window::new(words, columns)?.split_rows(row)?;
        let (_, behind) = below.split_columns(end)?;
        let (first, others) = behind.split_columns(width)?;
        let tile = others.columns().div_ceil(self.cut.tiles).next_multiple_of(PANEL).min(self.cut.width);
        // The next panel, and tiles of the host's matrix, which take their results in place.
        let tiles = [None].into_iter().chain(others.into_columns(tile).into_iter().map(Some)).collect();
        let next = Mutex::new(None);
        self.lanes.each_in_place(tiles, |lane, _, tile, is_amid| {
            let Some(window) = tile else {
                let made = lane.next(&first, panel, found)?;
                *held(&next) = Some(made);
                return Ok::<(), LinalgError>(());
            };
            let made = lane.updated(window, panel, found)?;
            *is_amid = true;
            Ok(window.download((&made).into())?)
        })?;
        next.into_inner().unwrap_or_else(PoisonError::into_inner).ok_or_else(|| DeviceError::elsewhere().into())
    }
}

impl<F: MatrixField> Lane<F> {
    /// Columns behind a panel, less what its pivots take from them.
    fn updated(
        &self,
        window: &Window<'_, F::Element>,
        panel: usize,
        found: &Found<F::Element>,
    ) -> Result<Buffer<F::Element>, LinalgError> {
        let (device, space) = (self.space.device(), &self.space);
        let mut kept = held(&self.kept);
        let kept = match &mut *kept {
            Some(kept) if kept.panel == panel => kept,
            other => {
                // The factors of the panel before make room first.
                *other = None;
                other.insert(self.factors(panel, found)?)
            }
        };
        let (rows, width, rank) = (window.rows(), window.columns(), found.columns.len());
        let mut words = device.scratch(window.len())?;
        window.upload((&mut words).into())?;
        if rank == 0 {
            return Ok(words);
        }
        let (whole, lower) = (Block::whole(rows, width), Block::whole(rows, rank));
        let (pivots, below) = (whole.part(0..rank, 0..width), whole.part(rank..rows, 0..width));
        let mut heads = space.block_of(&words, pivots)?;
        let triangle = Triangle { factor: Factor::Lower, words: &kept.lower, block: lower, diagonal: &kept.diagonal };
        space.solve_triangle(&triangle, &mut heads, (0, width))?;
        let lines = Block::whole(rank, width);
        space.copy_block(&heads, lines, &mut words, pivots)?;
        if rank < rows {
            let factors = (&kept.lower, lower.part(rank..rows, 0..rank));
            space.product_into(factors, (&heads, lines), (&mut words, below), Store::Subtract)?;
        }
        Ok(words)
    }

    fn factors(&self, panel: usize, found: &Found<F::Element>) -> Result<Kept<F>, LinalgError> {
        let device = self.space.device();
        let diagonal = found.diagonal.iter().map(|(first, count, inverse)| {
            let (lower_inverse, upper_inverse) = (device.upload(inverse)?, device.scratch(0)?);
            Ok(Diagonal { first: *first, count: *count, lower_inverse, upper_inverse })
        });
        let diagonal = diagonal.collect::<Result<_, DeviceError>>()?;
        Ok(Kept { panel, lower: device.upload(&found.lower)?, diagonal })
    }

    /// The next panel.
    fn next(
        &self,
        window: &Window<'_, F::Element>,
        panel: usize,
        found: &Found<F::Element>,
    ) -> Result<Found<F::Element>, LinalgError> {
        let (rows, width, rank) = (window.rows(), window.columns(), found.columns.len());
        let words = self.updated(window, panel, found)?;
        let whole = Block::whole(rows, width);
        let heads = self.space.block_of(&words, whole.part(0..rank, 0..width))?.download()?;
        let rest = self.space.block_of(&words, whole.part(rank..rows, 0..width))?;
        drop(words);
        Ok(Found { heads, ..found_in(&self.space, rest, (rows - rank, width))? })
    }
}

/// The factors of a panel.
fn found_in<F: MatrixField>(
    space: &LinearAlgebra<F>,
    words: Buffer<F::Element>,
    (rows, width): Shape,
) -> Result<Found<F::Element>, LinalgError> {
    let made = Decomposition::of_words(space, words, (rows, width))?;
    let rank = made.rank();
    let upper = space.block_of(&made.a, Block::whole(rows, width).part(0..rank, 0..width))?.download()?;
    let lower = space.block_of(&made.lower, made.lower_block.part(0..rows, 0..rank))?.download()?;
    let diagonal = made.diagonal.iter().map(|block| Ok((block.first, block.count, block.lower_inverse.download()?)));
    let diagonal = diagonal.collect::<Result<_, DeviceError>>()?;
    Ok(Found {
        heads: Vec::new(),
        swaps: made.swaps,
        columns: made.columns,
        values: made.values,
        lower,
        upper,
        diagonal,
    })
}
