//! The steps of a tile: numbers of a few rows together, in registers.

use super::codelets::{LARGEST, odd, transform};
use super::finish::Finish;
use super::tile::Tile;
use crate::numbers::{Engine, Numbers};
use crate::transform::plan::stages::Step;
use crate::transform::tables::Constants;

/// Rows in memory, whose columns of a tile are whole vectors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<V> {
    pub(super) at: *mut V,
    /// Values from a row to the next.
    pub(super) row: usize,
    pub(super) columns: usize,
}

/// Where results go.
pub(super) struct Sink<'a, N: Numbers> {
    pub(super) side: Side<N::Value>,
    /// What is done to them before.
    pub(super) finish: &'a Finish<'a, N>,
    /// For every row of the tile that of the result.
    pub(super) finals: &'a [u32],
}

/// A step on some rows of a tile.
pub(super) struct Round<'a, N: Numbers> {
    pub(super) step: &'a Step,
    pub(super) constants: &'a Constants<N::Value>,
    /// The first of the rows.
    pub(super) first: usize,
    pub(super) rows: usize,
    /// Words that rows transformed together are further apart than their columns take.
    pub(super) skip: usize,
    /// Where numbers come from if not from the tile, and whether they are conjugated.
    pub(super) from: Option<(Side<N::Value>, bool)>,
    /// Where they go if not to the tile.
    pub(super) to: Option<&'a Sink<'a, N>>,
}

impl Step {
    /// Whether rows are transformed in registers, so that they may come from memory and go there.
    pub(super) fn in_registers(&self) -> bool {
        matches!(self.radix, 2 | 3 | 4 | 5 | 7 | 8 | 11 | 13 | 16)
    }
}

impl<N: Numbers> Tile<'_, N> {
    /// # Safety
    /// `data` has the rows, and memory on both sides too; the instruction set of the engine is there.
    #[inline(always)]
    pub(super) unsafe fn step<E: Engine<N>>(&self, e: E, data: *mut N::Word, round: &Round<'_, N>) {
        // SAFETY: as the caller says.
        unsafe {
            match round.step.radix {
                2 => self.rounds::<E, 2>(e, data, round),
                3 => self.rounds::<E, 3>(e, data, round),
                4 => self.rounds::<E, 4>(e, data, round),
                5 => self.rounds::<E, 5>(e, data, round),
                7 => self.rounds::<E, 7>(e, data, round),
                8 => self.rounds::<E, 8>(e, data, round),
                11 => self.rounds::<E, 11>(e, data, round),
                13 => self.rounds::<E, 13>(e, data, round),
                16 => self.rounds::<E, 16>(e, data, round),
                _ => self.prime_rounds(e, data, round),
            }
        }
    }

    /// # Safety
    /// As [`Tile::step`].
    #[expect(clippy::needless_range_loop, reason = "with iterators the numbers do not stay in registers")]
    #[inline(always)]
    unsafe fn rounds<E: Engine<N>, const R: usize>(&self, e: E, data: *mut N::Word, round: &Round<'_, N>) {
        let &Round { step, constants, ref from, to, .. } = round;
        let (columns, plane) = (self.shape.columns, self.shape.plane);
        let used = from.as_ref().map_or(columns, |(side, _)| side.columns);
        let used = to.map_or(used, |to| to.side.columns);
        let apart = step.stride * columns + round.skip;
        let twiddles = constants.twiddles.as_ptr();
        for block in 0..round.rows / (R * step.stride) {
            for row in 0..step.stride {
                let index = row / step.inner;
                for column in (0..used).step_by(E::LANES) {
                    // SAFETY: the blocks of rows lie in the tile, or in memory; columns are a multiple of the lanes; there
                    // are twiddles for all indices of the step, `R - 1` each.
                    unsafe {
                        let at = data.add(block * R * apart + row * columns + column);
                        let mut v;
                        if let Some((side, conjugate)) = from {
                            let (at, apart) = (side.at.add(row * side.row + column), step.stride * side.row);
                            v = [e.read(at); R];
                            for i in 1..R {
                                v[i] = e.read(at.add(i * apart));
                            }
                            if *conjugate {
                                for x in &mut v {
                                    *x = e.conjugated(*x);
                                }
                            }
                        } else {
                            v = [e.load(at, plane); R];
                            for i in 1..R {
                                v[i] = e.load(at.add(i * apart), plane);
                            }
                        }
                        transform::<N, E, R>(e, &mut v, &constants.radix);
                        if index > 0 {
                            let by = twiddles.add(index * (R - 1));
                            for k in 1..R {
                                v[k] = e.times(v[k], e.constant(by.add(k - 1)));
                            }
                        }
                        let Some(Sink { side, finish, finals }) = to else {
                            for k in 0..R {
                                e.store(at.add(k * apart), plane, v[k]);
                            }
                            continue;
                        };
                        let first = *finals.get_unchecked(round.first + block * R) as usize;
                        let target = side.at.add(first * side.row + column);
                        if finish.plain {
                            for k in 0..R {
                                e.write(target.add(k * step.place * side.row), v[k]);
                            }
                            continue;
                        }
                        for k in 0..R {
                            e.store(at.add(k * apart), plane, v[k]);
                        }
                        // One by one, or the code would be long.
                        for k in 0..step.radix {
                            let x = e.load(at.add(k * apart), plane);
                            let x = finish.one(e, self.numbers, x, first + k * step.place, column);
                            e.write(target.add(k * step.place * side.row), x);
                        }
                    }
                }
            }
        }
    }

    /// The rounds of a step of any odd prime radix up to [`LARGEST`], within the tile.
    ///
    /// # Safety
    /// As [`Tile::step`].
    #[inline(always)]
    unsafe fn prime_rounds<E: Engine<N>>(&self, e: E, data: *mut N::Word, round: &Round<'_, N>) {
        let &Round { step, constants, .. } = round;
        let (columns, plane) = (self.shape.columns, self.shape.plane);
        let radix = step.radix.min(LARGEST);
        let apart = step.stride * columns + round.skip;
        for block in 0..round.rows / (radix * step.stride) {
            for row in 0..step.stride {
                let j = row / step.inner;
                for column in (0..columns).step_by(E::LANES) {
                    // SAFETY: as in `rounds`.
                    unsafe {
                        let at = data.add(block * radix * apart + row * columns + column);
                        let mut v = [e.load(at, plane); LARGEST];
                        for (i, v) in v[..radix].iter_mut().enumerate() {
                            *v = e.load(at.add(i * apart), plane);
                        }
                        let mut results = v;
                        odd(e, &mut v[..radix], &mut results, &constants.radix);
                        for (k, &x) in results[..radix].iter().enumerate() {
                            let at_twiddle = || j * (radix - 1) + k - 1;
                            let by = if j == 0 || k == 0 { None } else { constants.twiddles.get(at_twiddle()) };
                            let x = by.map_or(x, |by| e.times(x, e.constant(by)));
                            e.store(at.add(k * apart), plane, x);
                        }
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
    pub(super) unsafe fn dense<E: Engine<N>>(
        &self,
        e: E,
        data: *const N::Word,
        results: *mut N::Word,
        roots: &[N::Value],
    ) {
        let (rows, columns, plane) = (self.shape.rows, self.shape.columns, self.shape.plane);
        for k in 0..rows {
            for column in (0..columns).step_by(E::LANES) {
                // SAFETY: all rows and columns lie in the tile.
                unsafe {
                    let mut sum = e.load(data.add(column), plane);
                    let mut turn = 0;
                    for j in 1..rows {
                        turn += k;
                        turn -= if turn >= rows { rows } else { 0 };
                        let x = e.load(data.add(j * columns + column), plane);
                        sum = e.plus_times(sum, x, e.all(roots[turn]));
                    }
                    e.store(results.add(k * columns + column), plane, sum);
                }
            }
        }
    }
}
