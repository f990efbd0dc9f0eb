//! Between memory and the planes of a tile.

use super::tile::Tile;
use crate::numbers::{Engine, MOST_BLOCK, Numbers};

/// The columns of a tile in memory: units of neighbours.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines {
    /// The units.
    pub(super) units: usize,
    /// Values between them in memory.
    pub(super) unit: usize,
    /// Neighbours in each.
    pub(super) run: usize,
    /// Columns between units in the tile.
    pub(super) each: usize,
}

impl Lines {
    /// The same as one unit, where units follow each other in memory and in the tile.
    pub(super) fn joined(self) -> Self {
        Self { units: 1, unit: 0, run: self.units * self.run, each: 0 }
    }
}

impl<N: Numbers> Tile<'_, N> {
    /// Reads the columns of every row, rows being `row` values apart in memory.
    ///
    /// # Safety
    /// All values are readable, `data` has the tile's planes, and the instruction set of the engine is there.
    #[inline(always)]
    pub(super) unsafe fn gather<E: Engine<N>>(
        &self,
        e: E,
        data: *mut N::Word,
        from: *const N::Value,
        row: usize,
        lines: Lines,
        conjugate: bool,
    ) {
        let maybe = |x: E::Number| if conjugate { e.conjugated(x) } else { x };
        // Rows that follow each other in memory while columns do not.
        let turned = lines.run == 1 && row == 1;
        let whole = if turned { lines.units - lines.units % E::LANES } else { 0 };
        for column in (0..whole).step_by(E::LANES) {
            let blocks = self.rows - self.rows % E::BLOCK;
            for first in (0..blocks).step_by(E::BLOCK) {
                // SAFETY: these columns and rows are part of the tile.
                unsafe {
                    let block = e.read_columns(from.add(column * lines.unit + first), lines.unit);
                    for (r, &x) in block[..E::BLOCK].iter().enumerate() {
                        e.store(data.add((first + r) * self.columns + column), self.plane, maybe(x));
                    }
                }
            }
            for (r, u) in (blocks..self.rows).flat_map(|r| (column..column + E::LANES).map(move |u| (r, u))) {
                // SAFETY: as above.
                unsafe { self.put(data.add(r * self.columns + u), *from.add(u * lines.unit + r), conjugate) };
            }
        }
        for u in whole..lines.units {
            let vectors = lines.run - lines.run % E::LANES;
            for r in 0..self.rows {
                // SAFETY: as above.
                unsafe {
                    let (source, target) =
                        (from.add(u * lines.unit + r * row), data.add(r * self.columns + u * lines.each));
                    for t in (0..vectors).step_by(E::LANES) {
                        e.store(target.add(t), self.plane, maybe(e.read(source.add(t))));
                    }
                    for t in vectors..lines.run {
                        self.put(target.add(t), *source.add(t), conjugate);
                    }
                }
            }
        }
    }

    /// Writes the columns of every row in their final order, which `places` tells.
    ///
    /// # Safety
    /// As [`Tile::gather`], for writing.
    #[inline(always)]
    pub(super) unsafe fn scatter<E: Engine<N>>(
        &self,
        e: E,
        data: *const N::Word,
        to: *mut N::Value,
        row: usize,
        lines: Lines,
        (places, conjugate): (&[u32], bool),
    ) {
        let maybe = |x: E::Number| if conjugate { e.conjugated(x) } else { x };
        let turned = lines.run == 1 && row == 1;
        let whole = if turned { lines.units - lines.units % E::LANES } else { 0 };
        for column in (0..whole).step_by(E::LANES) {
            let blocks = places.chunks_exact(E::BLOCK);
            let first_left = places.len() - blocks.remainder().len();
            for (first, block) in blocks.enumerate() {
                // SAFETY: these columns and rows are part of the tile.
                unsafe {
                    let load = |place: u32| maybe(e.load(data.add(place as usize * self.columns + column), self.plane));
                    let mut rows = [load(block[0]); MOST_BLOCK];
                    for (row, &place) in rows.iter_mut().zip(block).skip(1) {
                        *row = load(place);
                    }
                    e.write_columns(to.add(column * lines.unit + first * E::BLOCK), lines.unit, rows);
                }
            }
            for (k, u) in (first_left..places.len()).flat_map(|k| (column..column + E::LANES).map(move |u| (k, u))) {
                // SAFETY: as above.
                unsafe {
                    let value = self.get(data.add(places[k] as usize * self.columns + u), conjugate);
                    *to.add(u * lines.unit + k) = value;
                }
            }
        }
        for u in whole..lines.units {
            let vectors = lines.run - lines.run % E::LANES;
            for (k, &place) in places.iter().enumerate() {
                // SAFETY: as above.
                unsafe {
                    let source = data.add(place as usize * self.columns + u * lines.each);
                    let target = to.add(u * lines.unit + k * row);
                    for t in (0..vectors).step_by(E::LANES) {
                        e.write(target.add(t), maybe(e.load(source.add(t), self.plane)));
                    }
                    for t in vectors..lines.run {
                        *target.add(t) = self.get(source.add(t), conjugate);
                    }
                }
            }
        }
    }

    /// One value to the planes.
    ///
    /// # Safety
    /// `at` is a place of the tile.
    #[inline(always)]
    unsafe fn put(&self, at: *mut N::Word, value: N::Value, conjugate: bool) {
        let value = if conjugate { self.numbers.conjugated(value) } else { value };
        let words: &[N::Word] = bytemuck::cast_slice(std::slice::from_ref(&value));
        for (p, &word) in words.iter().enumerate() {
            // SAFETY: as the caller says.
            unsafe { *at.add(p * self.plane) = word };
        }
    }

    /// One value from the planes.
    ///
    /// # Safety
    /// `at` is a place of the tile.
    #[inline(always)]
    unsafe fn get(&self, at: *const N::Word, conjugate: bool) -> N::Value {
        let mut value: N::Value = bytemuck::Zeroable::zeroed();
        let words: &mut [N::Word] = bytemuck::cast_slice_mut(std::slice::from_mut(&mut value));
        for (p, word) in words.iter_mut().enumerate() {
            // SAFETY: as the caller says.
            *word = unsafe { *at.add(p * self.plane) };
        }
        if conjugate { self.numbers.conjugated(value) } else { value }
    }
}
