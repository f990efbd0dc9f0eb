//! Between memory and the planes of a tile, where its steps do not read and write memory themselves.

use std::ops::Range;

use super::finish::Finish;
use super::tile::Tile;
use crate::numbers::{Engine, MOST_BLOCK, MOST_LANES, Numbers};

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
    /// All units joined into one, where they follow each other in memory and in the tile without a gap.
    pub(super) fn joined_if_near(self) -> Self {
        if self.units > 1 && (self.unit != self.run || self.each != self.run) {
            return self;
        }
        Self { units: 1, unit: 0, run: self.units * self.run, each: 0 }
    }

    /// Whether rows follow each other in memory while columns do not.
    pub(super) fn turns(&self, row: usize) -> bool {
        self.units > 1 && self.run == 1 && row == 1
    }
}

/// The first of each `lanes` of `count` neighbours, at least as many; the last vector overlaps the one before, where `count` is no
/// multiple: what is only copied may be copied twice.
#[inline(always)]
fn starts(count: usize, lanes: usize) -> impl Iterator<Item = usize> {
    (0..count).step_by(lanes).map(move |first| first.min(count - lanes))
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
        let shape = self.shape;
        let maybe = |x: E::Number| if conjugate { e.conjugated(x) } else { x };
        let whole = if lines.turns(row) && lines.units >= E::LANES { lines.units } else { 0 };
        for column in starts(whole, E::LANES) {
            let blocks = shape.rows - shape.rows % E::BLOCK;
            for first in (0..blocks).step_by(E::BLOCK) {
                // SAFETY: these columns and rows are part of the tile.
                unsafe {
                    let block = e.read_columns(from.add(column * lines.unit + first), lines.unit);
                    for (r, &x) in block[..E::BLOCK].iter().enumerate() {
                        e.store(data.add(shape.offset(first + r) + column), shape.plane, maybe(x));
                    }
                }
            }
            for (r, u) in (blocks..shape.rows).flat_map(|r| (column..column + E::LANES).map(move |u| (r, u))) {
                // SAFETY: as above.
                unsafe { self.put(data.add(shape.offset(r) + u), *from.add(u * lines.unit + r), conjugate) };
            }
        }
        let (mut r, mut position) = (0, 0);
        while r < shape.rows {
            let end = (r + shape.block).min(shape.rows);
            while r < end {
                for u in whole..lines.units {
                    // SAFETY: as above.
                    unsafe {
                        let source = from.add(u * lines.unit + r * row);
                        self.read_run(e, data.add(position + u * lines.each), source, lines.run, conjugate);
                    }
                }
                r += 1;
                position += shape.columns;
            }
            position += shape.skip;
        }
    }

    /// Neighbours of one row.
    ///
    /// # Safety
    /// As [`Tile::gather`].
    #[inline(always)]
    unsafe fn read_run<E: Engine<N>>(
        &self,
        e: E,
        target: *mut N::Word,
        source: *const N::Value,
        run: usize,
        conjugate: bool,
    ) {
        let maybe = |x: E::Number| if conjugate { e.conjugated(x) } else { x };
        let vectors = if run >= E::LANES { run } else { 0 };
        // SAFETY: as the caller says.
        unsafe {
            for t in starts(vectors, E::LANES) {
                e.store(target.add(t), self.shape.plane, maybe(e.read(source.add(t))));
            }
            for t in vectors..run {
                self.put(target.add(t), *source.add(t), conjugate);
            }
        }
    }

    /// Writes the columns of rows of the result, whose places in the tile `offsets` gives.
    ///
    /// # Safety
    /// As [`Tile::gather`], for writing.
    #[inline(always)]
    pub(super) unsafe fn scatter<E: Engine<N>>(
        &self,
        e: E,
        data: *const N::Word,
        (to, row): (*mut N::Value, usize),
        lines: Lines,
        (offsets, range): (&[u32], Range<usize>),
        finish: &Finish<'_, N>,
    ) {
        let plane = self.shape.plane;
        let offsets = offsets.as_ptr();
        let whole = if lines.turns(row) && lines.units >= E::LANES { lines.units } else { 0 };
        // SAFETY: these columns and rows are part of the tile.
        unsafe {
            for column in starts(whole, E::LANES) {
                let mut k = range.start;
                while k + E::BLOCK <= range.end {
                    let mut rows = [e.load(data, plane); MOST_BLOCK];
                    for (i, row) in rows[..E::BLOCK].iter_mut().enumerate() {
                        *row = e.load(data.add(*offsets.add(k + i) as usize + column), plane);
                        if !finish.plain {
                            *row = finish.one(e, self.numbers, *row, k + i, column);
                        }
                    }
                    e.write_columns(to.add(column * lines.unit + k), lines.unit, rows);
                    k += E::BLOCK;
                }
                for k in k..range.end {
                    let mut some = [bytemuck::Zeroable::zeroed(); MOST_LANES];
                    e.write(
                        some.as_mut_ptr(),
                        finish.one(
                            e,
                            self.numbers,
                            e.load(data.add(*offsets.add(k) as usize + column), plane),
                            k,
                            column,
                        ),
                    );
                    for (u, &value) in some[..E::LANES].iter().enumerate() {
                        *to.add((column + u) * lines.unit + k) = value;
                    }
                }
            }
            // Columns by vectors, of which one may begin in the middle of one unit and end in the next.
            let width = if lines.units == 1 { lines.run } else { lines.units * lines.each };
            let vectors = lines.units > 1 && lines.run == lines.each && lines.run.is_multiple_of(E::LANES);
            let near = if lines.units == 1 && width >= E::LANES { width } else { 0 };
            for k in range {
                let target = to.add(k * row);
                for column in starts(near, E::LANES) {
                    let x = e.load(data.add(*offsets.add(k) as usize + column), plane);
                    e.write(target.add(column), finish.one(e, self.numbers, x, k, column));
                }
                if near > 0 {
                    continue;
                }
                for column in (whole..width).step_by(E::LANES) {
                    let x = finish.one(
                        e,
                        self.numbers,
                        e.load(data.add(*offsets.add(k) as usize + column), plane),
                        k,
                        column,
                    );
                    if vectors {
                        e.write(target.add(column / lines.run * lines.unit + column % lines.run), x);
                        continue;
                    }
                    let mut some = [bytemuck::Zeroable::zeroed(); MOST_LANES];
                    e.write(some.as_mut_ptr(), x);
                    let count = E::LANES.min(width - column);
                    if lines.units == 1 {
                        std::ptr::copy_nonoverlapping(some.as_ptr(), target.add(column), count);
                        continue;
                    }
                    let (mut u, mut t) = (column / lines.each, column % lines.each);
                    for &value in &some[..count] {
                        if t < lines.run {
                            *target.add(u * lines.unit + t) = value;
                        }
                        t += 1;
                        if t == lines.each {
                            (u, t) = (u + 1, 0);
                        }
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
            unsafe { *at.add(p * self.shape.plane) = word };
        }
    }
}
