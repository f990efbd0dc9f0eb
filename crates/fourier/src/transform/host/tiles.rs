//! Tiles transformed one after the other by one thread.

use std::ops::Range;

use super::finish::Finish;
use super::lines::Lines;
use super::scratch::Scratch;
use super::steps::{Round, Side, Sink};
use super::tables::HostTables;
use super::tasks::Shared;
use super::tile::{Place, Tile, place};
use crate::numbers::{Engine, Numbers, Task};
use crate::transform::plan::stages::{Geometry, Method, Step, TilePass};
use crate::transform::tables::Part;

/// Tiles of a pass.
pub(super) struct Tiles<'a, N: Numbers> {
    pub(super) numbers: &'a N,
    pub(super) pass: &'a TilePass,
    pub(super) part: &'a Part<HostTables<N>, N::Value>,
    pub(super) from: Shared<N::Value>,
    pub(super) to: Shared<N::Value>,
    pub(super) range: Range<usize>,
}

impl<N: Numbers> Task<N> for Tiles<'_, N> {
    #[inline(always)]
    unsafe fn run<E: Engine<N>>(self, e: E) {
        let shape = self.part.tables.shape;
        let buffers = if self.pass.method == Method::Dense { 2 } else { 1 };
        let mut scratch = Scratch::take::<N::Word>(buffers * N::WORDS * shape.plane);
        let geometry = self.pass.geometry();
        let tile = Tile { numbers: self.numbers, shape };
        for index in self.range.clone() {
            let place = place(self.pass, &geometry, index);
            // SAFETY: the scratch has `buffers` times all planes; the tile lies within both arrays, no other thread writes to
            // its places of `to`, and where both are one array no other tile reads or writes them.
            unsafe { self.one(e, &tile, &geometry, &place, scratch.words()) };
        }
    }
}

impl<N: Numbers> Tiles<'_, N> {
    /// One tile.
    ///
    /// # Safety
    /// `data` has its planes, it lies within the arrays, which nothing else accesses there, and the instruction set of the
    /// engine is there.
    #[inline(always)]
    unsafe fn one<E: Engine<N>>(
        &self,
        e: E,
        tile: &Tile<'_, N>,
        geometry: &Geometry,
        place: &Place,
        data: *mut N::Word,
    ) {
        let (pass, tables) = (self.pass, &self.part.tables);
        let lines =
            |unit: usize| Lines { units: place.units, unit, run: place.run, each: pass.run_each }.joined_if_near();
        let (from_lines, to_lines) = (lines(geometry.from.unit), lines(geometry.to.unit));
        let begin = place.first + place.unit * geometry.from.unit;
        // SAFETY: the tile lies within the arrays.
        let (from, to_place) = unsafe {
            (
                self.from.0.add(place.outer * geometry.from.outer + begin).cast_const(),
                self.to.0.add(place.outer * geometry.to.outer + place.first + place.unit * geometry.to.unit),
            )
        };
        let finish = Finish::new(self.part, place, pass.units_each > 1, &tile.shape);
        let first = self.part.conjugate_first;
        // SAFETY: as the caller says.
        unsafe {
            let steps: &[Step] = if let Method::Steps(steps) = &pass.method { steps } else { &[] };
            let near = |lines: &Lines, step: Option<&Step>| {
                let known = step.is_some_and(Step::in_registers);
                lines.units == 1 && lines.run.is_multiple_of(E::LANES) && known
            };
            let source = Side { at: from.cast_mut(), row: geometry.from.row, columns: from_lines.run };
            let source = near(&from_lines, steps.first()).then_some((source, first));
            if source.is_none() {
                tile.gather(e, data, from, geometry.from.row, from_lines, first);
            }
            let sink = Side { at: to_place, row: geometry.to.row, columns: to_lines.run };
            let sink =
                near(&to_lines, steps.last()).then_some(Sink { side: sink, finish: &finish, finals: &tables.finals });
            if steps.is_empty() {
                let results = data.add(N::WORDS * tile.shape.plane);
                tile.dense(e, data, results, &tables.roots);
                return tile.scatter(
                    e,
                    results,
                    (to_place, geometry.to.row),
                    to_lines,
                    (&tables.offsets, 0..pass.rows),
                    &finish,
                );
            }
            // Blocks of the first step one after the other, so that each stays in the nearest cache until it is done; of
            // results that turn, as many as make whole cache lines.
            let (blocks, stride) = steps.first().map_or((1, pass.rows), |step| (step.radix, step.stride));
            let row = geometry.to.row;
            let turns = to_lines.turns(row) && pass.first_place() == 1 && blocks.is_multiple_of(E::BLOCK);
            let together = match (&sink, turns) {
                (Some(_), _) => 1,
                (None, true) => E::BLOCK,
                (None, false) => blocks,
            };
            let (mut index, mut block) = (0, 0);
            while let (Some(step), Some(constants)) = (steps.get(index), tables.steps.get(index)) {
                let first = if index == 0 { 0 } else { block * stride };
                let (rows, skip) = if index == 0 { (pass.rows, tile.shape.skip) } else { (stride, 0) };
                let from = if index == 0 { source } else { None };
                let to = if index + 1 == steps.len() { sink.as_ref() } else { None };
                let at = data.add(tile.shape.offset(first));
                tile.step(e, at, &Round { step, constants, first, rows, skip, from, to });
                index += 1;
                if index < steps.len() {
                    continue;
                }
                // The whole tile is done by a single step.
                block = if steps.len() == 1 { blocks } else { block + 1 };
                if sink.is_none() && (block.is_multiple_of(together) || block == blocks) {
                    let (begin, width) = if turns { (block - together, together) } else { (0, pass.rows) };
                    let begin = if steps.len() == 1 { 0 } else { begin };
                    let width = if steps.len() == 1 { pass.rows } else { width };
                    for first in (begin..pass.rows).step_by(blocks.max(width)) {
                        tile.scatter(
                            e,
                            data,
                            (to_place, row),
                            to_lines,
                            (&tables.offsets, first..first + width),
                            &finish,
                        );
                    }
                }
                if block < blocks {
                    index = 1;
                }
            }
        }
    }
}
