//! Applications of products, against plain loops.

use manycore_semiring::{Matrix, Products, SemiringError};
use manycore_testkit::devices;
use proptest::prelude::*;

const INFINITY: i64 = i64::MAX;

/// Arcs without a pattern: a third of them are there.
fn arcs(n: u64, seed: u64, least: i64) -> Vec<i64> {
    (0..n * n)
        .map(|i| {
            let x = (seed ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_mul(0xd134_2543_de82_ef95);
            if x.is_multiple_of(3) { (x >> 40) as i64 % 9 + least } else { INFINITY }
        })
        .collect()
}

/// Floyd's algorithm.
fn floyd(n: usize, arcs: &[i64]) -> Vec<i64> {
    let mut all = arcs.to_vec();
    for vertex in 0..n {
        all[vertex * n + vertex] = all[vertex * n + vertex].min(0);
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                let (a, b) = (all[i * n + k], all[k * n + j]);
                if a != INFINITY && b != INFINITY {
                    all[i * n + j] = all[i * n + j].min(a.saturating_add(b));
                }
            }
        }
    }
    all
}

fn check(products: &Products, n: u64, arcs: &[i64]) {
    let matrix = Matrix::stored(n, n, arcs).unwrap();
    let expected = floyd(n as usize, arcs);
    let at = |u: u64, v: u64| (u * n + v) as usize;
    if let Some(vertex) = (0..n).find(|&vertex| expected[at(vertex, vertex)] < 0) {
        let error = products.shortest_paths(&matrix).unwrap_err();
        assert!(matches!(error, SemiringError::Cycle { .. }), "{error}, {vertex}");
        return;
    }
    let found = products.shortest_paths(&matrix).unwrap();
    for u in 0..n {
        for v in 0..n {
            let length = expected[at(u, v)];
            assert_eq!(found.length(u, v), Some(length), "{u} to {v}");
            let path = found.path(u, v).unwrap();
            if length == INFINITY {
                assert!(path.is_empty());
                continue;
            }
            assert_eq!((path.first(), path.last()), (Some(&u), Some(&v)));
            assert_eq!(path.windows(2).map(|arc| arcs[at(arc[0], arc[1])]).sum::<i64>(), length, "{path:?}");
        }
    }
    assert_eq!(found.length(n, 0), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn shortest_paths_are_those_of_floyd(n in 0u64..12, seed: u64, least in -1i64..3) {
        for device in devices() {
            check(&Products::new(&device), n, &arcs(n, seed, least));
        }
    }

    #[test]
    fn closures_are_what_is_reached(n in 0u64..12, seed: u64) {
        let arcs = arcs(n, seed, 1);
        let expected: Vec<bool> = floyd(n as usize, &arcs).iter().map(|&length| length != INFINITY).collect();
        let there: Vec<bool> = arcs.iter().map(|&length| length != INFINITY).collect();
        for device in devices() {
            let found = Products::new(&device).closure(&Matrix::stored(n, n, &there).unwrap()).unwrap();
            prop_assert_eq!(found.entries(), expected.clone());
        }
    }

    #[test]
    fn nearest_points_are_those_of_loops(count in 0u64..6, others in 0u64..6, dimensions in 1u64..4, seed: u64) {
        let coordinate = |i: u64| ((seed ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 59) as f64;
        let points: Vec<f64> = (0..count * dimensions).map(coordinate).collect();
        let theirs: Vec<f64> = (100..100 + others * dimensions).map(coordinate).collect();
        let nearest = |point: &[f64]| {
            let distance = |other: &[f64]| point.iter().zip(other).fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b));
            let all = theirs.chunks(dimensions as usize).map(distance).zip(0u64..);
            all.fold(None, |best: Option<(u64, f64)>, (d, i)| match best {
                Some((_, least)) if d >= least => best,
                _ => Some((i, d)),
            })
        };
        let expected: Vec<_> = points.chunks(dimensions as usize).map(nearest).collect();
        for device in devices().into_iter().filter(|device| device.info().fp64) {
            let points = Matrix::stored(count, dimensions, &points).unwrap();
            let theirs = Matrix::stored(others, dimensions, &theirs).unwrap();
            let found = Products::new(&device).nearest(&points, &theirs).unwrap();
            prop_assert_eq!(&found, &expected);
        }
    }

    #[test]
    fn neighbours_are_the_first_of_all_in_order(
        count in 0u64..5, others in 0u64..24, dimensions in 1u64..3, wanted in 0usize..14, seed: u64,
    ) {
        let coordinate = |i: u64| match (seed ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60 {
            15 => f64::NAN,
            14 => f64::INFINITY,
            few => few as f64,
        };
        let points: Vec<f64> = (0..count * dimensions).map(coordinate).collect();
        let theirs: Vec<f64> = (100..100 + others * dimensions).map(coordinate).collect();
        let expected: Vec<Vec<(u64, f64)>> = points
            .chunks(dimensions as usize)
            .map(|point| {
                let distance = |other: &[f64]| {
                    let sum = point.iter().zip(other).fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b));
                    if sum.is_nan() { f64::INFINITY } else { sum }
                };
                let mut all: Vec<(u64, f64)> = (0..).zip(theirs.chunks(dimensions as usize).map(distance)).collect();
                all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
                all.truncate(wanted);
                all
            })
            .collect();
        for device in devices().into_iter().filter(|device| device.info().fp64) {
            let points = Matrix::stored(count, dimensions, &points).unwrap();
            let theirs = Matrix::stored(others, dimensions, &theirs).unwrap();
            let found = Products::new(&device).neighbours(&points, &theirs, wanted).unwrap();
            prop_assert_eq!(&found, &expected);
        }
    }

    #[test]
    fn likeliest_states_are_those_of_all_sequences(states in 1usize..4, steps in 0usize..4, seed: u64) {
        // Small integers: sums are exact.
        let chance = |i: usize| -(((seed ^ i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as f64);
        let start: Vec<f64> = (0..states).map(chance).collect();
        let step = |step: usize, from: usize, to: usize| chance(1000 * (step + 1) + states * from + to);
        let mut best = f64::NEG_INFINITY;
        for code in 0..states.pow(steps as u32 + 1) {
            let state = |at: usize| code / states.pow(at as u32) % states;
            let sum = (0..steps).fold(start[state(0)], |sum, at| sum + step(at, state(at), state(at + 1)));
            best = best.max(sum);
        }
        for device in devices().into_iter().filter(|device| device.info().fp64) {
            let matrix = |at: usize| {
                let entries: Vec<f64> = (0..states * states).map(|i| step(at, i / states, i % states)).collect();
                Matrix::stored(states as u64, states as u64, &entries).unwrap()
            };
            let steps: Vec<_> = (0..steps).map(matrix).collect();
            let start = Matrix::stored(1, states as u64, &start).unwrap();
            let (found, chance) = Products::new(&device).likeliest_states(&start, &steps).unwrap().unwrap();
            prop_assert_eq!(chance.to_bits(), best.to_bits());
            let state = |at: usize| found[at];
            let sum = (0..steps.len()).fold(start.get(0, state(0)).unwrap(), |sum, at| {
                sum + steps[at].get(state(at), state(at + 1)).unwrap()
            });
            prop_assert_eq!(sum.to_bits(), best.to_bits());
        }
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let products = Products::new(&manycore_device::Device::host());
    let wide = Matrix::stored(1, 2, &[1i64, 2]).unwrap();
    assert!(matches!(products.shortest_paths(&wide), Err(SemiringError::Shapes { .. })));
    let cycle = Matrix::stored(2, 2, &[INFINITY, 3, -4, INFINITY]).unwrap();
    let error = products.shortest_paths(&cycle).unwrap_err();
    assert_eq!(error.to_string(), "a cycle through vertex 0 is shorter than nothing: there is no shortest path");
}
