//! A group cut into stages.

use super::parameters::{Limits, Plan};
use super::pieces::{convolution_length, pieces, primes_of, radices};
use super::slots::Stages;
use super::stages::{Method, MultiplyPass, Stage, Step, TilePass, Weights};
use crate::numbers::Chirp;

/// The most steps of a tile: the limit of the kernels.
const MOST_STEPS: usize = 12;

/// What stages are built from.
#[derive(Debug, Clone)]
pub(crate) struct Build<'a> {
    /// The group's factors.
    pub(crate) factors: &'a [u64],
    /// The number of functions.
    pub(crate) batch: usize,
    pub(crate) plan: Plan,
    pub(crate) limits: Limits,
}

/// Whether all prime factors are at most `largest`.
fn smooth(primes: &[u64], largest: u64) -> bool {
    primes.iter().all(|&prime| prime <= largest)
}

/// The stages of a forward or inverse transform, which differ in their roots only. `has_roots` is true for the orders of which the values
/// have roots.
pub(crate) fn build(what: &Build<'_>, has_roots: &dyn Fn(u64) -> bool) -> Stages {
    let factors: Vec<u64> = what.factors.iter().copied().filter(|&n| n > 1).collect();
    let order = factors.iter().product::<u64>() as usize;
    let values = order * what.batch;
    let mut stages = Vec::new();
    let mut outer = what.batch;
    let mut next = 0;
    let mut inner = order;
    while let Some(&n) = factors.get(next) {
        inner /= n as usize;
        let primes = primes_of(n);
        let limit = what.limit(values, inner);
        if smooth(&primes, what.limits.largest_radix) && n <= limit {
            // As many whole factors as a tile holds; `inner` shrinks with each.
            let mut whole = vec![n];
            let mut rows = n;
            let mut steps = radices(&primes, what.limits.radix_log).len();
            while let Some(&n) = factors.get(next + whole.len()) {
                let primes = primes_of(n);
                let more = radices(&primes, what.limits.radix_log).len();
                let rest = inner / n as usize;
                let fits = n.checked_mul(rows).is_some_and(|rows| rows <= what.limit(values, rest));
                if !smooth(&primes, what.limits.largest_radix) || !fits || steps + more > MOST_STEPS {
                    break;
                }
                rows *= n;
                steps += more;
                inner = rest;
                whole.push(n);
            }
            stages.push(Stage::Tile(what.tile(outer, &whole, 1, inner)));
            outer *= rows as usize;
            next += whole.len();
            continue;
        }
        what.cyclic(n, &primes, (outer, inner), has_roots, &mut stages);
        outer *= n as usize;
        next += 1;
    }
    Stages::place(stages, values)
}

impl Build<'_> {
    /// Rows of a tile at most, where values have `inner` neighbours and there are `values` in all.
    fn limit(&self, values: usize, inner: usize) -> u64 {
        let tile = self.plan.tile_values.max(1);
        let Limits { columns, narrow, .. } = self.limits;
        if narrow {
            // Where tiles have all neighbours they may be few, because rows follow each other without a gap.
            return (tile / inner.clamp(1, columns)) as u64;
        }
        ((tile / columns).min(values / columns)).max(8) as u64
    }

    /// A tile of these cyclic groups, the first one outermost.
    fn tile(&self, outer: usize, groups: &[u64], cofactor: usize, inner: usize) -> TilePass {
        let rows = groups.iter().product::<u64>() as usize;
        let mut steps = Vec::new();
        let mut behind = rows;
        for &n in groups {
            behind /= n as usize;
            let (mut stride, mut place) = (n as usize * behind, behind);
            for radix in radices(&primes_of(n), self.limits.radix_log) {
                stride /= radix;
                steps.push(Step { radix, stride, inner: behind, place });
                place *= radix;
            }
        }
        self.shaped(TilePass { outer, rows, cofactor, inner, method: Method::Steps(steps), units_each: 1, run_each: 1 })
    }

    fn dense(&self, outer: usize, rows: usize, cofactor: usize, inner: usize) -> TilePass {
        self.shaped(TilePass { outer, rows, cofactor, inner, method: Method::Dense, units_each: 1, run_each: 1 })
    }

    /// The pass with tiles of a good shape.
    fn shaped(&self, pass: TilePass) -> TilePass {
        let Limits { columns, most_columns, narrow, groups, alone_values, .. } = self.limits;
        let (units, inner) = if pass.cofactor == 1 { (pass.outer, pass.inner) } else { (pass.cofactor, pass.inner) };
        let mut most = (self.plan.tile_values / pass.rows).clamp(1, most_columns);
        let least = if narrow { 1 } else { columns };
        most = most.max(least);
        // Fewer columns where there would be too few tiles for all processors, but no short runs in memory.
        let all = pass.values() / pass.rows;
        // What one processor does needs no number of tiles.
        let is_alone = pass.values() <= alone_values;
        while !is_alone && most > columns && all / most < groups {
            most = (most / 2).max(least);
        }
        if most >= columns {
            most -= most % columns;
        }
        if inner >= most {
            // Runs of even lengths, which change no bits.
            let even = inner.div_ceil(inner.div_ceil(most)).next_multiple_of(columns);
            return TilePass { units_each: 1, run_each: if is_alone { even } else { most }, ..pass };
        }
        TilePass { units_each: (most / inner).clamp(1, units.max(1)), run_each: inner, ..pass }
    }

    /// The stages of one cyclic factor.
    fn cyclic(
        &self,
        n: u64,
        primes: &[u64],
        (outer, inner): (usize, usize),
        has_roots: &dyn Fn(u64) -> bool,
        stages: &mut Vec<Stage>,
    ) {
        if !smooth(primes, self.plan.largest_dense.max(self.limits.largest_radix)) {
            let suits = |length: u64| has_roots(length);
            let length = 2 * n - 1;
            if let Some(length) = convolution_length(length, self.plan.powers_of_two, suits) {
                self.chirps(n, length, (outer, inner), stages);
                return;
            }
        }
        // Large primes by the definition, the rest in tiles.
        let (small, large): (Vec<u64>, Vec<u64>) =
            primes.iter().partition(|&&prime| prime <= self.limits.largest_radix);
        let limit = (self.plan.tile_values / self.limits.columns) as u64;
        let values = outer * inner * n as usize;
        let limit =
            if self.limits.narrow { limit } else { limit.min(values as u64 / self.limits.columns as u64).max(8) };
        let small = if small.is_empty() { Vec::new() } else { pieces(&small, limit.max(16)) };
        let (mut left, mut inside) = (n as usize, inner);
        let parts = large.iter().map(|&prime| (prime, true)).chain(small.into_iter().map(|piece| (piece, false)));
        for (rows, is_dense) in parts {
            left /= rows as usize;
            let pass = if is_dense {
                self.dense(outer, rows as usize, left, inside)
            } else {
                self.tile(outer, &[rows], left, inside)
            };
            stages.push(Stage::Tile(pass));
            inside *= rows as usize;
        }
    }

    /// A cyclic factor as a convolution with a chirp (Bluestein).
    fn chirps(&self, n: u64, length: u64, (outer, inner): (usize, usize), stages: &mut Vec<Stage>) {
        let multiply = |from: u64, to: u64, weights, reversed| {
            Stage::Multiply(MultiplyPass { outer, from: from as usize, to: to as usize, inner, weights, reversed })
        };
        let primes = primes_of(length);
        let transform = |stages: &mut Vec<Stage>| {
            let values = outer * inner * length as usize;
            if length <= self.limit(values, inner) {
                stages.push(Stage::Tile(self.tile(outer, &[length], 1, inner)));
            } else {
                self.cyclic(length, &primes, (outer, inner), &|_| false, stages);
            }
        };
        stages.push(multiply(n, length, Weights::Chirp(Chirp::Input, n), false));
        transform(stages);
        stages.push(multiply(length, length, Weights::Filter(n, length), false));
        // Twice the forward transform is the function reversed, times the length.
        transform(stages);
        stages.push(multiply(length, n, Weights::Chirp(Chirp::Output, n), true));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use manycore_characters::Complexes;

    use super::*;

    type Numbers = Complexes<f32>;

    fn passes(processors: usize, n: u64, tile_values: usize) -> Vec<TilePass> {
        let plan = Plan { tile_values, largest_dense: 61, powers_of_two: false, passes: Arc::default() };
        let limits = Limits::new(&Numbers::new(), true, processors);
        let stages = build(&Build { factors: &[n], batch: 1, plan, limits }, &|_| true);
        let tile = |stage: Stage| if let Stage::Tile(pass) = stage { Some(pass) } else { None };
        stages.list.into_iter().filter_map(|placed| tile(placed.stage)).collect()
    }

    #[test]
    fn runs_are_as_long_as_a_vector_however_many_processors_there_are() {
        let columns = Limits::new(&Numbers::new(), true, 1).columns;
        for n in [5000, 10_007, 20_480, 65_536, 720_720, 1 << 20] {
            for (tile_values, processors) in [(8192, 2), (8192, 16), (2048, 2), (32_768, 64)] {
                for pass in passes(processors, n, tile_values) {
                    let neighbours = pass.inner * if pass.cofactor == 1 { pass.outer } else { pass.cofactor };
                    assert!(pass.columns() >= columns.min(neighbours), "{n}: {pass:?}");
                }
            }
        }
    }

    #[test]
    fn what_one_processor_does_has_tiles_for_one() {
        // 2^14 values are one processor's, of two as of one; of 2^20 each of many has its tiles.
        assert_eq!(passes(2, 1 << 14, 8192), passes(1, 1 << 14, 8192));
        assert_eq!(passes(2, 10_007, 32_768), passes(1, 10_007, 32_768));
        let tiles = |processors| passes(processors, 1 << 20, 32_768).iter().map(|pass| pass.geometry().tiles()).min();
        assert!(tiles(1) < tiles(64) && tiles(64) >= Some(64), "{:?} {:?}", tiles(1), tiles(64));
    }
}
