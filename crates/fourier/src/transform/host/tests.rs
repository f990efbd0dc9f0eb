//! Tiles by single numbers, as on processors without vectors, against those by vectors.

use std::sync::Arc;

use manycore_characters::{Complexes, Residues};
use manycore_field::PrimeField;

use super::tables::{HostTables, prepare};
use super::tasks::Shared;
use super::tiles::Tiles;
use crate::numbers::{Level, Numbers};
use crate::transform::direction::Direction;
use crate::transform::plan::build::{Build, build};
use crate::transform::plan::parameters::{Limits, Plan};
use crate::transform::plan::slots::Placed;
use crate::transform::plan::stages::Stage;
use crate::transform::tables::{Part, parts};

/// All stages of a transform, which are tiles, on one thread.
fn transformed<N: Numbers>(numbers: &N, factors: &[u64], batch: usize, level: Level) -> Vec<N::Value> {
    let plan = Plan { tile_values: 256, largest_dense: 61, powers_of_two: true, passes: Arc::default() };
    let limits = Limits::new(numbers, true, 1);
    let stages = build(&Build { factors, batch, plan, limits }, &|_| false);
    let filter = |_, _| unreachable!("no chirps");
    let scale = Some(numbers.reciprocal(3));
    let ready = prepare(numbers, parts(numbers, stages.list, Direction::Inverse, scale, &filter).unwrap());
    let count = factors.iter().product::<u64>() as usize * batch;
    let mut from: Vec<N::Value> = (0..count as u64).map(|i| numbers.natural(i * i % 1009)).collect();
    for part in &ready {
        let Part { placed: Placed { stage: Stage::Tile(pass), .. }, .. } = part else { continue };
        let mut to = from.clone();
        let (source, target) = (Shared(from.as_mut_ptr()), Shared(to.as_mut_ptr()));
        let part: &Part<HostTables<N>, N::Value> = part;
        let range = 0..pass.geometry().tiles();
        let task = Tiles { numbers, pass, part, from: source, to: target, range };
        // SAFETY: both arrays have the values of the pass, and this thread does all of it.
        unsafe { numbers.run_at(level, task) };
        from = to;
    }
    from
}

fn check<N: Numbers>(numbers: &N, tolerance: f64) {
    let lists: [(&[u64], usize); 13] = [
        (&[256], 1),
        (&[256], 37),
        (&[4096], 3),
        (&[16, 16], 5),
        (&[729, 2], 1),
        (&[64], 1),
        (&[6, 35], 3),
        (&[360], 2),
        (&[11, 13], 9),
        (&[16, 9], 20),
        (&[1024], 1),
        (&[7, 17], 2),
        (&[5], 19),
    ];
    for (factors, batch) in lists {
        if factors.iter().all(|&n| numbers.has_roots(n)) {
            let one = transformed(numbers, factors, batch, Level::One);
            for level in numbers.levels().into_iter().skip(1) {
                let many = transformed(numbers, factors, batch, level);
                let error = numbers.distance(&many, &one);
                assert!(error <= tolerance, "{level:?} {factors:?} {batch}: {error:e}");
            }
        }
    }
}

#[test]
fn single_numbers_and_vectors_agree() {
    check(&Complexes::<f32>::new(), 1e-6);
    check(&Complexes::<f64>::new(), 1e-15);
    // 37 * 2^10 * 3^2 * 5 * 7 * 11 * 13 + 1, near 2^31, and a small prime.
    for p in [1_706_664_961, 2_147_483_647, 73] {
        check(&Residues::new(PrimeField::<u32>::new(p).unwrap()), 0.0);
    }
}
