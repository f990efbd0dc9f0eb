//! Stages on the host's threads.
//!
//! | file | what |
//! |---|---|
//! | `mod` | the stages of a transform one after the other, cut into tasks |
//! | `tile` | tiles: how they lie, and what is done with one after the other |
//! | `steps`, `codelets` | the steps of a tile, and a few numbers in registers |
//! | `twist` | what is done to results |
//! | `lines` | tiles read into planes, and written in order, apart from steps |
//! | `weigh` | products along an axis |
//! | `scratch` | memory of threads |

pub(crate) mod codelets;
mod lines;
mod scratch;
mod steps;
#[cfg(test)]
mod tests;
mod tile;
mod twist;
mod weigh;

use std::ops::Range;

use manycore_device::{HostPool, Lines};

use super::plan::{Method, Slot, Stage, Step, TilePass};
use super::tables::{Constants, Part, PlainPart, Tables, Twist};
use crate::numbers::Numbers;
use tile::{Shape, Tiles};
use weigh::Weigh;

/// Stages that move at most so many bytes are done by the calling thread, of several threads or of two: what one core wrote
/// comes to another in lines, one by one where they lie apart, and two threads gain least.
pub(super) const fn serial_bytes(threads: usize) -> usize {
    if threads > 2 { 512 << 10 } else { 1 << 20 }
}

/// Tasks that every thread gets of a pass, about.
const TASKS: usize = 8;

/// Tiles or places of a pass that are one task of several threads.
pub(super) fn parts_each(parts: usize, threads: usize) -> usize {
    parts.div_ceil(TASKS * threads)
}

/// Values of products that a thread takes at a time.
const PART: usize = 1 << 12;

/// An array that threads write disjoint parts of.
#[derive(Debug)]
pub(super) struct Shared<T>(pub(super) *mut T);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Shared<T> {}

// SAFETY: users see to it that no two threads touch the same values.
unsafe impl<T: Send> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Shared<T> {}

/// Constants as tiles read them, [prepared](Numbers::prepared).
#[derive(Debug, Clone)]
pub(crate) struct HostTables<N: Numbers> {
    steps: Vec<Constants<N::Value>>,
    roots: Vec<N::Value>,
    /// The low powers are prepared, the high ones are not, so that their products are.
    twist: Option<Twist<N::Value>>,
    /// The twists of a tile with several units, as the tile lies in memory, beside those of its first unit.
    columns: Lines<N::Word>,
    columns_plane: usize,
    /// For each tile along the cofactor the twists of its first unit, prepared; empty where they would be too many.
    rows: Vec<N::Value>,
    /// For each row of the result the words before the row of the tile that it stands in after the steps.
    offsets: Vec<u32>,
    /// The reverse: for each row of the tile that of the result.
    finals: Vec<u32>,
    shape: Shape,
    scale: Option<N::Value>,
    weights: Vec<N::Value>,
    /// The same as they are.
    plain_weights: Vec<N::Value>,
}

impl<N: Numbers> HostTables<N> {
    fn new(numbers: &N, part: &PlainPart<N::Value>) -> Self {
        let prepare = |values: &[N::Value]| values.iter().map(|&value| numbers.prepared(value)).collect::<Vec<_>>();
        let empty = Self {
            steps: Vec::new(),
            roots: Vec::new(),
            twist: None,
            columns: Lines::zeroed(0),
            columns_plane: 0,
            rows: Vec::new(),
            offsets: Vec::new(),
            finals: Vec::new(),
            shape: Shape { rows: 0, columns: 0, block: 1, skip: 0, plane: 0 },
            scale: part.scale.map(|scale| numbers.prepared(scale)),
            weights: Vec::new(),
            plain_weights: Vec::new(),
        };
        match (&part.tables, &part.placed.stage) {
            (Tables::Tile { steps, roots, twist }, Stage::Tile(pass)) => {
                let twist = twist.as_ref().map(|twist| Twist { low: prepare(&twist.low), ..twist.clone() });
                let (columns, columns_plane) = match &twist {
                    Some(twist) if pass.units_each > 1 => columns(numbers, pass, twist),
                    _ => (Lines::zeroed(0), 0),
                };
                let rows = twist.as_ref().map_or_else(Vec::new, |twist| rows(numbers, pass, twist));
                let list: &[Step] = if let Method::Steps(list) = &pass.method { list } else { &[] };
                let constants = |(step, table): (&Step, &Constants<N::Value>)| Constants {
                    radix: prepare(&table.radix),
                    twiddles: by_index(&prepare(&table.twiddles), step.twiddles()),
                };
                let (places, shape) = (pass.places(), Shape::new(numbers, pass));
                let mut finals = vec![0; places.len()];
                for (k, &place) in (0..).zip(&places) {
                    finals[place as usize] = k;
                }
                let steps = list.iter().zip(steps).map(constants).collect();
                Self {
                    steps,
                    roots: prepare(roots),
                    twist,
                    columns,
                    columns_plane,
                    rows,
                    offsets: places.iter().map(|&place| shape.offset(place as usize) as u32).collect(),
                    finals,
                    shape,
                    ..empty
                }
            }
            (Tables::Weigh { weights }, _) => {
                Self { weights: prepare(weights), plain_weights: weights.clone(), ..empty }
            }
            (Tables::Tile { .. }, Stage::Weigh(_)) => empty,
        }
    }
}

/// Twists of tiles' first units are tabulated up to so many.
const MOST_ROWS: usize = 1 << 22;

/// The number of twists of tiles' first units in a table: 0 where they would be too many.
pub(super) fn row_twists(pass: &TilePass) -> usize {
    let count = pass.geometry().unit_tiles.saturating_mul(pass.rows);
    if count > MOST_ROWS { 0 } else { count }
}

/// The prepared `w^(j k)` for every tile along the cofactor, `j` its first unit, and every row `k`.
fn rows<N: Numbers>(numbers: &N, pass: &TilePass, twist: &Twist<N::Value>) -> Vec<N::Value> {
    if row_twists(pass) == 0 {
        return Vec::new();
    }
    let tiles = pass.geometry().unit_tiles;
    let unit = |tile: usize| tile * pass.units_each;
    (0..tiles).flat_map(|tile| (0..pass.rows).map(move |k| twist.power(numbers, k * unit(tile)))).collect()
}

/// Twiddles with those of one index next to each other.
fn by_index<V: Copy>(twiddles: &[V], count: usize) -> Vec<V> {
    let rows = twiddles.len() / count.max(1);
    (0..count).flat_map(|j| (0..rows).map(move |k| twiddles[k * count + j])).collect()
}

/// The prepared `w^(u k)` for every row `k` and unit `u` of a tile, in the tile's columns, and the distance of its planes.
fn columns<N: Numbers>(numbers: &N, pass: &TilePass, twist: &Twist<N::Value>) -> (Lines<N::Word>, usize) {
    let width = pass.columns().next_multiple_of(numbers.lanes());
    let plane = pass.rows * width;
    let mut words = Lines::zeroed(N::WORDS * plane);
    for k in 0..pass.rows {
        for u in 0..pass.units_each {
            let value = [twist.power(numbers, k * u)];
            for (p, &word) in bytemuck::cast_slice::<N::Value, N::Word>(&value).iter().enumerate() {
                let at = p * plane + k * width + u * pass.run_each;
                words[at..at + pass.run_each].fill(word);
            }
        }
    }
    (words, plane)
}

/// The stages of a transform, ready to run.
pub(crate) type HostPart<N> = Part<HostTables<N>, <N as manycore_characters::Values>::Value>;

/// Makes stages ready.
pub(super) fn prepare<N: Numbers>(numbers: &N, parts: Vec<PlainPart<N::Value>>) -> Vec<HostPart<N>> {
    let ready = |part: PlainPart<N::Value>| Part {
        tables: HostTables::new(numbers, &part),
        placed: part.placed,
        conjugate_first: part.conjugate_first,
        conjugate_last: part.conjugate_last,
        scale: part.scale,
    };
    parts.into_iter().map(ready).collect()
}

/// Runs all stages on `data`, with the scratch that they need.
pub(super) fn run<N: Numbers>(
    pool: &HostPool,
    numbers: &N,
    parts: &[HostPart<N>],
    data: &mut [N::Value],
    first: &mut [N::Value],
    second: &mut [N::Value],
) {
    let arrays = [data, first, second].map(|array| (array.as_mut_ptr(), array.len()));
    let array = |slot: Slot| match slot {
        Slot::Data => arrays[0],
        Slot::First => arrays[1],
        Slot::Second => arrays[2],
    };
    for part in parts {
        let ((from, from_len), (to, to_len)) = (array(part.placed.from), array(part.placed.to));
        let [before, after] = part.placed.stage.values();
        assert!(
            before <= from_len && after <= to_len,
            "a stage of {before} values to {after} in {from_len} and {to_len}"
        );
        let bytes = (before + after) * size_of::<N::Value>();
        let (from, to) = (Shared(from), Shared(to));
        let (name, tasks) = match &part.placed.stage {
            Stage::Tile(pass) => ("fourier_tile", pass.geometry().tiles()),
            Stage::Weigh(pass) => ("fourier_weigh", pass.outer * pass.to),
        };
        // SAFETY: all arrays are borrowed, and as long as the stage; the tasks of a stage have ranges of their own, and the
        // places of different tiles, or of the axis, are different ones.
        let task = |range: Range<usize>| unsafe {
            match &part.placed.stage {
                Stage::Tile(pass) => numbers.run(Tiles { numbers, pass, part, from, to, range }),
                Stage::Weigh(pass) => numbers.run(Weigh { numbers, pass, part, from, to, places: range }),
            }
        };
        let team = pool.team().only_if(bytes > serial_bytes(pool.team().threads()));
        let each = if team.is_alone() { tasks } else { parts_each(tasks, team.threads()) }.max(1);
        pool.step(name, bytes as u64, 0, || {
            team.each((0..tasks).step_by(each), |first| task(first..(first + each).min(tasks)));
        });
    }
}

/// `x[i] y[i]` in place of `x[i]`, with the conjugate of `x[i]` if asked; `y`, of which `x` has a multiple, again and again.
pub(crate) fn multiply<N: Numbers>(pool: &HostPool, numbers: &N, x: &mut [N::Value], y: &[N::Value], conjugate: bool) {
    let bytes = 3 * size_of_val(x);
    let one = |(x, &y): (&mut N::Value, &N::Value)| {
        let value = if conjugate { numbers.conjugated(*x) } else { *x };
        *x = numbers.times(value, y);
    };
    let team = pool.team().only_if(bytes > serial_bytes(pool.team().threads()));
    let parts = x.chunks_mut(y.len()).flat_map(|x| x.chunks_mut(PART).zip(y.chunks(PART)));
    pool.step("fourier_multiply", bytes as u64, 0, || {
        team.each(parts, |(x, y)| x.iter_mut().zip(y).for_each(one));
    });
}
