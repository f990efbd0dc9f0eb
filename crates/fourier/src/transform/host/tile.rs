//! Tiles of rows and columns in planes, transformed by one thread.

use std::ops::Range;

use super::codelets::{LARGEST, odd, transform};
use super::lines::Lines;
use super::{HostTables, Shared};
use crate::numbers::{Engine, Numbers, Task};
use crate::transform::plan::{Geometry, Method, Step, TilePass};
use crate::transform::tables::Part;

/// Tiles of a pass.
pub(super) struct Tiles<'a, N: Numbers> {
    pub(super) numbers: &'a N,
    pub(super) pass: &'a TilePass,
    pub(super) part: &'a Part<HostTables<N>, N::Value>,
    pub(super) from: Shared<N::Value>,
    pub(super) to: Shared<N::Value>,
    pub(super) range: Range<usize>,
    /// The tile's words, kept from one call to the next.
    pub(super) scratch: &'a mut Vec<N::Word>,
}

/// Where a tile lies.
struct Place {
    /// The tile's number among those of its outer place and neighbours.
    tile: usize,
    outer: usize,
    unit: usize,
    units: usize,
    first: usize,
    run: usize,
}

fn place(pass: &TilePass, geometry: &Geometry, tile: usize) -> Place {
    let (tile, runs) = (tile / geometry.run_tiles, tile % geometry.run_tiles);
    let (outer, units) = (tile / geometry.unit_tiles, tile % geometry.unit_tiles);
    let (unit, first) = (units * pass.units_each, runs * pass.run_each);
    Place {
        tile: units,
        outer,
        unit,
        units: pass.units_each.min(geometry.units - unit),
        first,
        run: pass.run_each.min(pass.inner - first),
    }
}

impl<N: Numbers> Task<N> for Tiles<'_, N> {
    #[inline(always)]
    unsafe fn run<E: Engine<N>>(self, e: E) {
        let Self { numbers, pass, part, from, to, range, scratch } = self;
        let geometry = pass.geometry();
        let columns = pass.columns().next_multiple_of(numbers.lanes());
        // Planes a little more than their size apart fall into other sets of a cache.
        let plane = pass.rows * columns + 64 / size_of::<N::Word>();
        let buffers = if pass.method == Method::Dense { 2 } else { 1 };
        scratch.resize(buffers * N::WORDS * plane, bytemuck::Zeroable::zeroed());
        let tile = Tile { numbers, rows: pass.rows, columns, plane };
        for index in range {
            let place = place(pass, &geometry, index);
            let mut data = scratch.as_mut_ptr();
            // SAFETY: the scratch has `buffers` times all planes; the tile lies within both arrays, no other thread writes to
            // its places of `to`, and where both are one array no other tile reads or writes them.
            unsafe {
                let source =
                    from.0.add(place.outer * geometry.from.outer + place.first + place.unit * geometry.from.unit);
                let all = Lines { units: place.units, unit: geometry.from.unit, run: place.run, each: pass.run_each };
                // Units that follow each other without a gap are one.
                let lines = if geometry.from.unit == place.run { all.joined() } else { all };
                tile.gather(e, data, source, geometry.from.row, lines, part.conjugate_first);
                match &pass.method {
                    Method::Steps(steps) => {
                        for (step, constants) in steps.iter().zip(&part.tables.steps) {
                            tile.step(e, data, step, &constants.radix, &constants.twiddles);
                        }
                    }
                    Method::Dense => {
                        let results = data.add(N::WORDS * plane);
                        tile.dense(e, data, results, &part.tables.roots);
                        data = results;
                    }
                }
                tile.twist(e, data, &part.tables, &place, pass.units_each > 1);
                if let Some(scale) = part.tables.scale {
                    tile.scale(e, data, scale);
                }
                let target = to.0.add(place.outer * geometry.to.outer + place.first + place.unit * geometry.to.unit);
                let lines = Lines { units: place.units, unit: geometry.to.unit, run: place.run, each: pass.run_each };
                tile.scatter(e, data, target, geometry.to.row, lines, (&part.tables.places, part.conjugate_last));
            }
        }
    }
}

/// The tile's shape.
pub(super) struct Tile<'a, N: Numbers> {
    pub(super) numbers: &'a N,
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) plane: usize,
}

impl<N: Numbers> Tile<'_, N> {
    /// # Safety
    /// `data` has the tile's planes, and the instruction set of the engine is there.
    #[inline(always)]
    unsafe fn step<E: Engine<N>>(&self, e: E, data: *mut N::Word, step: &Step, w: &[N::Value], twiddles: &[N::Value]) {
        // SAFETY: as the caller says.
        unsafe {
            match step.radix {
                2 => self.rounds::<E, 2>(e, data, step, w, twiddles),
                3 => self.rounds::<E, 3>(e, data, step, w, twiddles),
                4 => self.rounds::<E, 4>(e, data, step, w, twiddles),
                5 => self.rounds::<E, 5>(e, data, step, w, twiddles),
                7 => self.rounds::<E, 7>(e, data, step, w, twiddles),
                8 => self.rounds::<E, 8>(e, data, step, w, twiddles),
                11 => self.rounds::<E, 11>(e, data, step, w, twiddles),
                13 => self.rounds::<E, 13>(e, data, step, w, twiddles),
                16 => self.rounds::<E, 16>(e, data, step, w, twiddles),
                _ => self.prime_rounds(e, data, step, w, twiddles),
            }
        }
    }

    /// # Safety
    /// As [`Tile::step`].
    #[inline(always)]
    unsafe fn rounds<E: Engine<N>, const R: usize>(
        &self,
        e: E,
        data: *mut N::Word,
        step: &Step,
        w: &[N::Value],
        twiddles: &[N::Value],
    ) {
        let apart = step.stride * self.columns;
        for block in 0..self.rows / (R * step.stride) {
            // SAFETY: the blocks of rows lie in the tile; columns are a multiple of the lanes; there are twiddles for all
            // indices of the step, `R - 1` each.
            unsafe {
                let mut at = data.add(block * R * apart);
                for _ in (0..step.inner * self.columns).step_by(E::LANES) {
                    self.butterfly::<E, R>(e, at, apart, w, None);
                    at = at.add(E::LANES);
                }
                for by in twiddles.chunks_exact((R - 1).max(1)).skip(1) {
                    for _ in (0..step.inner * self.columns).step_by(E::LANES) {
                        self.butterfly::<E, R>(e, at, apart, w, Some(by.as_ptr()));
                        at = at.add(E::LANES);
                    }
                }
            }
        }
    }

    /// Numbers of `R` rows together.
    ///
    /// # Safety
    /// As [`Tile::step`]; `at` is a place of the tile with as many rows, `apart` words from one to the next.
    #[inline(always)]
    unsafe fn butterfly<E: Engine<N>, const R: usize>(
        &self,
        e: E,
        at: *mut N::Word,
        apart: usize,
        w: &[N::Value],
        twiddles: Option<*const N::Value>,
    ) {
        // SAFETY: as the caller says.
        unsafe {
            let mut v: [E::Number; R] = std::array::from_fn(|i| e.load(at.add(i * apart), self.plane));
            transform::<N, E, R>(e, &mut v, w);
            e.store(at, self.plane, v[0]);
            for (k, &x) in v.iter().enumerate().skip(1) {
                let x = match twiddles {
                    Some(by) => e.times(x, e.constant(by.add(k - 1))),
                    None => x,
                };
                e.store(at.add(k * apart), self.plane, x);
            }
        }
    }

    /// The same for any odd prime up to [`LARGEST`].
    ///
    /// # Safety
    /// As [`Tile::step`].
    #[inline(always)]
    unsafe fn prime_rounds<E: Engine<N>>(
        &self,
        e: E,
        data: *mut N::Word,
        step: &Step,
        w: &[N::Value],
        twiddles: &[N::Value],
    ) {
        let radix = step.radix.min(LARGEST);
        let (each, apart) = (step.inner * self.columns, step.stride * self.columns);
        for block in 0..self.rows / (radix * step.stride) {
            for place in (0..apart).step_by(E::LANES) {
                let j = place / each;
                // SAFETY: as in `rounds`.
                unsafe {
                    let at = data.add(block * radix * apart + place);
                    let mut v = [e.load(at, self.plane); LARGEST];
                    for (i, v) in v[..radix].iter_mut().enumerate() {
                        *v = e.load(at.add(i * apart), self.plane);
                    }
                    odd(e, &mut v[..radix], w);
                    for (k, &x) in v[..radix].iter().enumerate() {
                        let by = if j == 0 || k == 0 { None } else { twiddles.get(j * (radix - 1) + k - 1) };
                        let x = by.map_or(x, |by| e.times(x, e.constant(by)));
                        e.store(at.add(k * apart), self.plane, x);
                    }
                }
            }
        }
    }

    /// Every row from all rows.
    ///
    /// # Safety
    /// As [`Tile::step`], for both.
    #[inline(always)]
    unsafe fn dense<E: Engine<N>>(&self, e: E, data: *const N::Word, results: *mut N::Word, roots: &[N::Value]) {
        for k in 0..self.rows {
            let mut column = 0;
            while column < self.columns {
                // SAFETY: all rows and columns lie in the tile.
                unsafe {
                    let mut sum = e.load(data.add(column), self.plane);
                    let mut turn = 0;
                    for j in 1..self.rows {
                        turn += k;
                        turn -= if turn >= self.rows { self.rows } else { 0 };
                        let x = e.load(data.add(j * self.columns + column), self.plane);
                        sum = e.plus_times(sum, x, e.all(roots[turn]));
                    }
                    e.store(results.add(k * self.columns + column), self.plane, sum);
                }
                column += E::LANES;
            }
        }
    }

    /// Row `k` of the results at place `j` of the cofactor times `w^(j k)`.
    ///
    /// # Safety
    /// As [`Tile::step`].
    #[inline(always)]
    unsafe fn twist<E: Engine<N>>(&self, e: E, data: *mut N::Word, tables: &HostTables<N>, place: &Place, many: bool) {
        let Some(twist) = &tables.twist else { return };
        if place.unit == 0 && !many {
            return;
        }
        let known = tables.rows.get(place.tile * self.rows..(place.tile + 1) * self.rows);
        for (k, &row) in tables.places.iter().enumerate().skip(1) {
            // SAFETY: the row lies in the tile, and the twists of columns have its shape.
            unsafe {
                let constant = match known {
                    Some(known) => e.constant(known.as_ptr().add(k)),
                    None => e.all(twist.power(self.numbers, k * place.unit)),
                };
                let at = data.add(row as usize * self.columns);
                for column in (0..self.columns).step_by(E::LANES) {
                    let mut x = e.load(at.add(column), self.plane);
                    if many {
                        x = e.times(
                            x,
                            e.load(tables.columns.as_ptr().add(k * self.columns + column), tables.columns_plane),
                        );
                    }
                    if place.unit != 0 {
                        x = e.times(x, constant);
                    }
                    e.store(at.add(column), self.plane, x);
                }
            }
        }
    }

    /// # Safety
    /// As [`Tile::step`].
    #[inline(always)]
    unsafe fn scale<E: Engine<N>>(&self, e: E, data: *mut N::Word, scale: N::Value) {
        for at in (0..self.rows * self.columns).step_by(E::LANES) {
            // SAFETY: rows are as many words as the planes have, and columns a multiple of the lanes.
            unsafe {
                let at = data.add(at);
                e.store(at, self.plane, e.times(e.load(at, self.plane), e.all(scale)));
            }
        }
    }
}
