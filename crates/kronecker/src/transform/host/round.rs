//! A round: values of neighbouring digits are multiplied while they stand in a small table that the first cache holds, a row
//! for each value and a lane for each place. Every loop over lanes is one operation on vectors.

use std::ops::{Deref, DerefMut};

use bytemuck::Zeroable as _;

use super::matrix::{Kind, Matrix, Terms};
use crate::transform::plan::Round;
use crate::values::Values;

/// Places that a round computes at once: enough for the compiler to keep loops over them, as vector loops.
const LANES: usize = 64;

/// A value of each lane, from a line of the cache on: a vector that lies in two lines takes twice as long to load.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Row<T>([T; LANES]);

impl<T> Deref for Row<T> {
    type Target = [T; LANES];

    #[inline(always)]
    fn deref(&self) -> &[T; LANES] {
        &self.0
    }
}

impl<T> DerefMut for Row<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T; LANES] {
        &mut self.0
    }
}

/// What a task's rounds work in.
pub(super) struct Scratch<V: Values> {
    lanes: Vec<Row<V::Value>>,
    /// A factor's values, and their negatives.
    terms: Vec<Row<V::Value>>,
}

impl<V: Values> Scratch<V> {
    /// For rounds of at most `registers` values and matrices of order at most `order`.
    pub(super) fn new(registers: usize, order: usize) -> Self {
        let rows = |count| vec![Row([V::Value::zeroed(); LANES]); count];
        Self { lanes: rows(registers), terms: rows(2 * order) }
    }
}

/// A round of a tile, and what its results are divided by.
pub(super) struct Turn<'a, V: Values> {
    pub(super) values: &'a V,
    /// By factor.
    pub(super) matrices: &'a [Matrix<V>],
    pub(super) round: &'a Round,
    pub(super) divisor: Option<V::Constant>,
}

impl<V: Values> Turn<'_, V> {
    /// Does the round on a tile, or on the whole pieces that are left of the last one.
    pub(super) fn run(&self, scratch: &mut Scratch<V>, tile: &mut [V::Value]) {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { self.on_tile_avx2(scratch, tile) };
        }
        self.on_tile(scratch, tile);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn on_tile_avx2(&self, scratch: &mut Scratch<V>, tile: &mut [V::Value]) {
        self.on_tile(scratch, tile);
    }

    #[inline(always)]
    fn on_tile(&self, scratch: &mut Scratch<V>, tile: &mut [V::Value]) {
        let Round { registers, stride, .. } = *self.round;
        if stride >= LANES {
            // No closures here: they would be compiled without the processor's extensions.
            for block in tile.chunks_exact_mut(registers * stride) {
                self.on_rows(scratch, block);
            }
        } else if stride == 1 {
            for block in tile.chunks_mut(registers * LANES) {
                self.on_runs(scratch, block);
            }
        } else {
            let blocks = LANES / stride;
            for some in tile.chunks_mut(registers * stride * blocks) {
                self.on_blocks(scratch, some);
            }
        }
    }

    /// Rows of neighbouring places.
    #[inline(always)]
    fn on_rows(&self, scratch: &mut Scratch<V>, block: &mut [V::Value]) {
        let stride = self.round.stride;
        let whole = stride / LANES * LANES;
        for first in (0..whole).step_by(LANES) {
            for (lane, row) in scratch.lanes.iter_mut().zip(block.chunks_exact(stride)) {
                if let Some(row) = row[first..].first_chunk::<LANES>() {
                    lane.0 = *row;
                }
            }
            self.in_lanes(scratch);
            for (lane, row) in scratch.lanes.iter().zip(block.chunks_exact_mut(stride)) {
                if let Some(row) = row[first..].first_chunk_mut::<LANES>() {
                    *row = lane.0;
                }
            }
        }
        if whole < stride {
            for (lane, row) in scratch.lanes.iter_mut().zip(block.chunks_exact(stride)) {
                lane[..stride - whole].copy_from_slice(&row[whole..]);
            }
            self.in_lanes(scratch);
            for (lane, row) in scratch.lanes.iter().zip(block.chunks_exact_mut(stride)) {
                row[whole..].copy_from_slice(&lane[..stride - whole]);
            }
        }
    }

    /// Up to as many runs of consecutive values as there are lanes.
    #[inline(always)]
    fn on_runs(&self, scratch: &mut Scratch<V>, block: &mut [V::Value]) {
        let registers = self.round.registers;
        for (l, run) in block.chunks_exact(registers).enumerate().take(LANES) {
            for (lane, &x) in scratch.lanes.iter_mut().zip(run) {
                lane[l] = x;
            }
        }
        self.in_lanes(scratch);
        for (l, run) in block.chunks_exact_mut(registers).enumerate().take(LANES) {
            for (lane, x) in scratch.lanes.iter().zip(run) {
                *x = lane[l];
            }
        }
    }

    /// Blocks of `stride` neighbouring places, as many as there are lanes for.
    #[inline(always)]
    fn on_blocks(&self, scratch: &mut Scratch<V>, some: &mut [V::Value]) {
        let Round { registers, stride, .. } = *self.round;
        for (b, block) in some.chunks_exact(registers * stride).enumerate() {
            for (lane, row) in scratch.lanes.iter_mut().zip(block.chunks_exact(stride)) {
                for (x, &y) in lane[b * stride..].iter_mut().zip(row) {
                    *x = y;
                }
            }
        }
        self.in_lanes(scratch);
        for (b, block) in some.chunks_exact_mut(registers * stride).enumerate() {
            for (lane, row) in scratch.lanes.iter().zip(block.chunks_exact_mut(stride)) {
                for (&x, y) in lane[b * stride..].iter().zip(row) {
                    *y = x;
                }
            }
        }
    }

    /// All factors of the round.
    #[inline(always)]
    fn in_lanes(&self, scratch: &mut Scratch<V>) {
        let values = self.values;
        let Scratch { lanes, terms } = scratch;
        let lanes = &mut lanes[..self.round.registers];
        for &(factor, stride) in &self.round.factors {
            let matrix = &self.matrices[factor];
            match matrix.kind {
                Kind::Butterfly => pairs::<V, true>(lanes, stride, |u, v| values.add(u, v), |u, v| values.sub(u, v)),
                Kind::AddFirst => pairs::<V, false>(lanes, stride, |u, _| u, |u, v| values.add(v, u)),
                Kind::SubtractFirst => pairs::<V, false>(lanes, stride, |u, _| u, |u, v| values.sub(v, u)),
                Kind::Terms => by_terms(values, matrix, stride, lanes, terms),
            }
        }
        if let Some(by) = &self.divisor {
            for lane in lanes {
                for x in &mut lane.0 {
                    *x = values.divided(*x, by);
                }
            }
        }
    }
}

/// A matrix of order 2, lane by lane; the first value stays where it is not `BOTH`.
#[inline(always)]
fn pairs<V: Values, const BOTH: bool>(
    lanes: &mut [Row<V::Value>],
    stride: usize,
    first: impl Fn(V::Value, V::Value) -> V::Value,
    second: impl Fn(V::Value, V::Value) -> V::Value,
) {
    for block in lanes.chunks_exact_mut(2 * stride) {
        let (low, high) = block.split_at_mut(stride);
        for (u, v) in low.iter_mut().zip(high) {
            // Copies, which the compiler knows to lie apart.
            let (a, b) = (*u, *v);
            if BOTH {
                for l in 0..LANES {
                    u[l] = first(a[l], b[l]);
                }
            }
            for l in 0..LANES {
                v[l] = second(a[l], b[l]);
            }
        }
    }
}

/// A matrix by its rows' terms.
#[inline(always)]
fn by_terms<V: Values>(
    values: &V,
    matrix: &Matrix<V>,
    stride: usize,
    lanes: &mut [Row<V::Value>],
    terms: &mut [Row<V::Value>],
) {
    let q = matrix.order;
    for block in lanes.chunks_exact_mut(q * stride) {
        for first in 0..stride {
            for (term, lane) in terms[..q].iter_mut().zip(block[first..].iter().step_by(stride)) {
                *term = *lane;
            }
            if matrix.negatives {
                let (y, negatives) = terms.split_at_mut(q);
                for (y, negative) in y.iter().zip(negatives) {
                    for (&y, negative) in y.iter().zip(&mut negative.0) {
                        *negative = values.sub(values.zero(), y);
                    }
                }
            }
            for (row, lane) in matrix.rows.iter().zip(block[first..].iter_mut().step_by(stride)) {
                combine(values, row, terms, lane);
            }
        }
    }
}

/// The sum of a row's terms, from left to right, signs before products.
#[inline(always)]
fn combine<V: Values>(values: &V, row: &Terms<V::Constant>, terms: &[Row<V::Value>], out: &mut Row<V::Value>) {
    let term = |j: u8| &terms[j as usize];
    let (first, rest) = match row.signs.split_first() {
        Some((&j, rest)) => (*term(j), rest),
        None => (Row([values.zero(); LANES]), &row.signs[..]),
    };
    *out = first;
    let mut quads = rest.chunks_exact(4);
    for quad in &mut quads {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| term(quad[k]));
        for l in 0..LANES {
            out[l] = values.add(values.add(values.add(values.add(out[l], a[l]), b[l]), c[l]), d[l]);
        }
    }
    for &j in quads.remainder() {
        let a = term(j);
        for l in 0..LANES {
            out[l] = values.add(out[l], a[l]);
        }
    }
    let mut twice = row.products.chunks_exact(2);
    for two in &mut twice {
        let ((a, x), (b, y)) = ((term(two[0].0), &two[0].1), (term(two[1].0), &two[1].1));
        for l in 0..LANES {
            out[l] = values.add(values.add(out[l], values.times(a[l], x)), values.times(b[l], y));
        }
    }
    for (j, x) in twice.remainder() {
        let a = term(*j);
        for l in 0..LANES {
            out[l] = values.add(out[l], values.times(a[l], x));
        }
    }
}
