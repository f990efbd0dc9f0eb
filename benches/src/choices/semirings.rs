//! Products of matrices over semirings, and stars of graphs without circuits: tiles of several sizes; levels or blocks.

use anyhow::Result;
use manycore_maxplus::{Graph, MaxPlus, StarAlgorithm, StarOptions};
use manycore_semiring::plan::Shape;
use manycore_semiring::{Matrix, ProductPlan, Products, Semiring};

use super::bench::Bench;
use crate::data;
use crate::lines::Line;
use crate::walsh::Profile;

/// Arcs into each node of a graph.
const ARCS: usize = 4;

pub(super) fn sweep(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    let orders: &[u32] = match (bench.gpu(), bench.profile) {
        (true, Profile::Quick) => &[8, 10],
        (true, _) => &[6, 7, 8, 9, 10, 11, 12],
        (false, Profile::Quick) => &[6],
        (false, _) => &[6, 7, 8, 9],
    };
    for &log in orders {
        let (name, n) = (format!("choice/semiring-product/max-plus f32/2^{log}"), 1_usize << log);
        if bench.wants(&name) {
            let products = Products::new(bench.device);
            let semiring = Semiring::<f32, f32, f32>::max_plus()?;
            let shape = Shape { rows: n as u64, columns: n as u64 };
            let matrix = |seed| -> Result<_> {
                let entries: Vec<f32> = data::residues(n * n, 61, seed).into_iter().map(|word| word as f32).collect();
                Ok(products.upload(&Matrix::stored(shape.rows, shape.columns, &entries)?)?)
            };
            let (a, b) = (matrix(1)?, matrix(2)?);
            let choice = products.explain_shapes(&semiring, shape, shape)?;
            let seconds =
                |plan: &ProductPlan| bench.seconds(|| Ok(products.multiply_by(*plan, &semiring, &a, &b).map(drop)?));
            bench.candidates("semiring-product", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
        }
    }
    for &log in orders {
        let (name, n) = (format!("choice/maxplus-star/i32/2^{log}"), 1_usize << log);
        if bench.wants(&name) {
            let sources = data::residues(n * ARCS, 1 << 40, 3);
            let arcs = (1..n).flat_map(|to| {
                let mut from: Vec<u32> =
                    sources[to * ARCS..][..ARCS].iter().map(|source| (source % to as u64) as u32).collect();
                from.sort_unstable();
                from.dedup();
                from.into_iter().map(move |from| (from, to as u32, 1))
            });
            let graph = Graph::<i32>::from_arcs(n, &arcs.collect::<Vec<_>>())?;
            let max_plus = MaxPlus::<i32>::new(bench.device);
            let choice = max_plus.explain(&graph, .., &StarOptions::new())?;
            let seconds = |&algorithm: &StarAlgorithm| {
                let options = StarOptions::new().algorithm(algorithm);
                bench.seconds(|| Ok(max_plus.star_with(&graph, &options).map(drop)?))
            };
            bench.candidates("maxplus-star", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
        }
    }
    Ok(())
}
