//! The primitive on the host's threads: one pass over memory.
//!
//! Tiles of consecutive addresses are transformed in place; of others, some columns are copied to a tile that fits a cache
//! and back.

mod matrix;
mod round;

use std::marker::PhantomData;

use manycore_device::{HostPool, Lines};

use super::plan::Pass;
use crate::values::Values;
pub(super) use matrix::Matrix;
use round::{Scratch, Turn};

/// The most bytes of work that the calling thread does alone.
pub(super) const SERIAL_BYTES: usize = 64 << 10;

/// What a pass needs to know.
pub(super) struct Work<'a, V: Values> {
    pub(super) values: &'a V,
    /// By factor; those that the pass does not do may be empty.
    pub(super) matrices: &'a [Matrix<V>],
    pub(super) pass: &'a Pass,
    /// What results are divided by, if that is not 1.
    pub(super) divisor: Option<V::Constant>,
}

impl<V: Values> Work<'_, V> {
    fn scratch(&self) -> Scratch<V> {
        let registers = self.pass.rounds.iter().map(|round| round.registers).max().unwrap_or(0);
        let order = self.pass.factors.iter().map(|&i| self.matrices[i].order).max().unwrap_or(0);
        Scratch::new(registers, order)
    }
}

/// All columns of `[outer][rows][inner]` values, for tasks that each take columns of their own.
struct Columns<'a, T> {
    first: *mut T,
    len: usize,
    data: PhantomData<&'a mut [T]>,
}

// SAFETY: the pointer is used by `read` and `write` alone, whose callers take disjoint places; values are plain words.
unsafe impl<T: Send> Sync for Columns<'_, T> {}

impl<'a, T: Copy> Columns<'a, T> {
    fn new(data: &'a mut [T]) -> Self {
        Self { first: data.as_mut_ptr(), len: data.len(), data: PhantomData }
    }

    /// Copies values from `start` on.
    ///
    /// # Safety
    /// No other thread writes to them meanwhile.
    unsafe fn read(&self, start: usize, to: &mut [T]) {
        assert!(start + to.len() <= self.len);
        // SAFETY: within the slice; `to` is another one.
        unsafe { std::ptr::copy_nonoverlapping(self.first.add(start), to.as_mut_ptr(), to.len()) }
    }

    /// Copies values to `start` and on.
    ///
    /// # Safety
    /// No other thread reads or writes them meanwhile.
    unsafe fn write(&self, start: usize, from: &[T]) {
        assert!(start + from.len() <= self.len);
        // SAFETY: within the slice; `from` is another one.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), self.first.add(start), from.len()) }
    }
}

/// Does a pass on whole vectors.
pub(super) fn pass<V: Values>(pool: &HostPool, work: &Work<'_, V>, data: &mut [V::Value]) {
    let pass = work.pass;
    let tiles = pass.tiles(data.len());
    let team = pool.team().only_if(size_of_val(data) > SERIAL_BYTES);
    let bytes = 2 * size_of_val(data) as u64;
    let operations = data.len() as u64 * pass.factors.iter().map(|&i| work.matrices[i].order as u64).sum::<u64>();
    let name = "kronecker";
    if pass.contiguous() {
        let each = |scratch: &mut Scratch<V>, tile: &mut [V::Value]| rounds(work, scratch, tile);
        return pool.step(name, bytes, operations, || {
            team.each_with(data.chunks_mut(pass.tile()), || work.scratch(), each);
        });
    }
    let columns = Columns::new(data);
    let tile = || (work.scratch(), Lines::zeroed(pass.tile()));
    let each = |(scratch, tile): &mut (Scratch<V>, Lines<V::Value>), t: usize| {
        some_columns(work, &columns, t, scratch, tile);
    };
    pool.step(name, bytes, operations, || team.each_with(0..tiles, tile, each));
}

/// One tile of columns.
fn some_columns<V: Values>(
    work: &Work<'_, V>,
    data: &Columns<'_, V::Value>,
    t: usize,
    scratch: &mut Scratch<V>,
    tile: &mut [V::Value],
) {
    let Pass { rows, inner, columns, .. } = *work.pass;
    let segments = inner.div_ceil(columns);
    let (outer, first) = (t / segments, t % segments * columns);
    let width = columns.min(inner - first);
    let start = |row: usize| (outer * rows + row) * inner + first;
    for (row, to) in tile.chunks_exact_mut(columns).enumerate() {
        // SAFETY: tile `t` alone has these columns of these rows.
        unsafe { data.read(start(row), &mut to[..width]) };
    }
    rounds(work, scratch, tile);
    for (row, from) in tile.chunks_exact(columns).enumerate() {
        // SAFETY: as above.
        unsafe { data.write(start(row), &from[..width]) };
    }
}

/// All rounds of a tile, or of the whole pieces that are left of the last one.
fn rounds<V: Values>(work: &Work<'_, V>, scratch: &mut Scratch<V>, tile: &mut [V::Value]) {
    let Work { values, matrices, .. } = *work;
    for (i, round) in work.pass.rounds.iter().enumerate() {
        let divisor = work.divisor.filter(|_| i + 1 == work.pass.rounds.len());
        Turn { values, matrices, round, divisor }.run(scratch, tile);
    }
}
