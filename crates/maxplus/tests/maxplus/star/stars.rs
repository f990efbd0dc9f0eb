//! Stars by every algorithm on every device against the sum of powers, and worked examples.

use manycore_device::{Device, DeviceSet};
use manycore_maxplus::{Graph, MaxPlus, MaxPlusError, PushShape, Star, StarAlgorithm, StarOptions, Weight, reference};
use manycore_testkit::devices;

use crate::common::{acyclic, any, without_positive_circuits};

const DAG: [StarAlgorithm; 6] = [
    StarAlgorithm::Auto,
    StarAlgorithm::Push(PushShape { rows: 1, columns: 16 }),
    StarAlgorithm::Push(PushShape { rows: 16, columns: 4 }),
    StarAlgorithm::Pull,
    StarAlgorithm::Substitution,
    StarAlgorithm::Closure,
];

fn graph<T: Weight>(nodes: usize, arcs: &[(u32, u32, i64)], of: impl Fn(i64) -> T) -> Graph<T> {
    let arcs: Vec<(u32, u32, T)> = arcs.iter().map(|&(from, to, weight)| (from, to, of(weight))).collect();
    Graph::from_arcs(nodes, &arcs).unwrap()
}

fn entries<T: Weight>(star: &Star<T>) -> Vec<Option<T>> {
    let n = star.nodes();
    (0..n * n).map(|at| star.get(at / n, at % n)).collect()
}

fn i32s(weight: i64) -> i32 {
    weight as i32
}

#[test]
fn worked_examples() {
    let star = |n: usize, arcs: &[(u32, u32, i32)]| {
        let graph = Graph::from_arcs(n, arcs).unwrap();
        MaxPlus::new(&Device::host()).star(&graph).map(manycore_maxplus::Star::into_entries)
    };
    let e = i32::MIN;
    let first = [0, e, e, e, 3, 0, e, e, 7, 4, 0, e, 12, 9, 5, 0];
    assert_eq!(star(4, &[(0, 1, 3), (0, 2, 1), (1, 2, 4), (1, 3, -2), (2, 3, 5)]).unwrap(), first);
    let renamed = Graph::from_arcs(4, &[(2, 0, 3), (2, 3, 1), (0, 3, 4), (0, 1, -2), (3, 1, 5)]).unwrap();
    let (offsets, rows, entries) = (&[0, 2, 2, 4, 5][..], &[1, 3, 0, 3, 1][..], &[-2, 4, 3, 1, 5][..]);
    assert_eq!(renamed.compressed(), (offsets, rows, entries));
    assert_eq!(renamed.topological_order().unwrap(), [2, 0, 3, 1]);
    let second = [0, e, 3, e, 9, 0, 12, 5, e, e, 0, e, 4, e, 7, 0];
    assert_eq!(MaxPlus::new(&Device::host()).star(&renamed).unwrap().into_entries(), second);
    assert_eq!(star(3, &[(0, 1, -1), (0, 2, -5), (1, 2, -1)]).unwrap(), [0, e, e, -1, 0, e, -2, -1, 0]);
    assert_eq!(star(2, &[(1, 0, -2), (0, 1, 2)]).unwrap(), [0, -2, 2, 0]);
    assert_eq!(star(2, &[(0, 0, -1), (1, 0, 2), (1, 1, -3)]).unwrap(), [0, 2, e, 0]);
    assert_eq!(star(1, &[(0, 0, -3)]).unwrap(), [0]);
    assert_eq!(star(1, &[(0, 0, 0)]).unwrap(), [0]);
    assert_eq!(star(3, &[(0, 1, 1), (1, 2, 1), (2, 0, -9)]).unwrap(), [0, -8, -9, 1, 0, -8, 2, 1, 0]);
    assert_eq!(star(0, &[]).unwrap(), [0; 0]);
    assert_eq!(star(1, &[]).unwrap(), [0]);
    assert_eq!(star(2, &[]).unwrap(), [0, e, e, 0]);
    // The matrix that no fixed order of elimination treats as one without circuits.
    assert_eq!(star(2, &[(1, 0, -5), (0, 1, 2)]).unwrap(), [0, -5, 2, 0]);
    let positive = |n: usize, arcs: &[(u32, u32, i32)]| match star(n, arcs) {
        Err(MaxPlusError::PositiveCircuit { nodes, .. }) => nodes,
        other => panic!("{other:?}"),
    };
    assert_eq!(positive(2, &[(1, 0, -1), (0, 1, 2)]), [0, 1]);
    assert_eq!(positive(1, &[(0, 0, 1)]), [0]);
    assert_eq!(positive(2, &[(0, 0, 1), (1, 0, 2), (0, 1, 3), (1, 1, 4)]).len(), 1);
}

/// Around the edges of blocks of 64 and of 32, and of the tiles of vectors.
const SIZES: [usize; 10] = [0, 1, 2, 7, 16, 31, 33, 63, 65, 130];

#[test]
fn stars_without_circuits_equal_the_sum_of_powers() {
    for device in devices() {
        for (case, &n) in SIZES.iter().enumerate() {
            let percent = [50, 3, 100][case % 3];
            let arcs = acyclic(n, percent, case % 2 == 0, case as u64, (-9, 9));
            let (narrow, wide) = (graph(n, &arcs, i32s), graph(n, &arcs, |weight| weight << 33));
            let single = graph(n, &arcs, |weight| weight as f32 / 4.0);
            let double = graph(n, &arcs, |weight| weight as f64 / 4.0);
            let expected = reference::star(&narrow).unwrap();
            for algorithm in DAG {
                let options = StarOptions::new().algorithm(algorithm);
                let told = format!("{n} nodes by {algorithm:?} on {device:?}");
                let found = MaxPlus::new(&device).star_with(&narrow, &options).unwrap();
                assert!(entries(&found) == expected, "i32, {told}");
                let found = entries(&MaxPlus::new(&device).star_with(&wide, &options).unwrap());
                assert!(
                    found
                        .iter()
                        .map(|path| path.map(|path| path >> 33))
                        .eq(expected.iter().map(|path| path.map(i64::from))),
                    "i64, {told}"
                );
                let found = entries(&MaxPlus::new(&device).star_with(&single, &options).unwrap());
                assert!(
                    found
                        .iter()
                        .map(|path| path.map(|path| path * 4.0))
                        .eq(expected.iter().map(|path| path.map(|path| path as f32))),
                    "f32, {told}"
                );
                if device.info().fp64 {
                    let found = entries(&MaxPlus::new(&device).star_with(&double, &options).unwrap());
                    assert!(
                        found
                            .iter()
                            .map(|path| path.map(|path| path * 4.0))
                            .eq(expected.iter().map(|path| path.map(f64::from))),
                        "f64, {told}"
                    );
                }
            }
        }
    }
}

#[test]
fn stars_of_any_graph_equal_the_sum_of_powers() {
    for device in devices() {
        for (case, &n) in SIZES.iter().enumerate() {
            let percent = [50, 4, 100][case % 3];
            let arcs = without_positive_circuits(n, percent, case as u64);
            let (narrow, wide) = (graph(n, &arcs, i32s), graph(n, &arcs, |weight| weight << 33));
            let double = graph(n, &arcs, |weight| weight as f64 / 4.0);
            let expected = reference::star(&narrow).unwrap();
            let found = MaxPlus::new(&device).star(&narrow).unwrap();
            assert!(entries(&found) == expected, "{n} nodes on {device:?}");
            let found = entries(&MaxPlus::new(&device).star(&wide).unwrap());
            assert!(
                found
                    .iter()
                    .map(|path| path.map(|path| path >> 33))
                    .eq(expected.iter().map(|path| path.map(i64::from))),
                "{n} nodes on {device:?}"
            );
            if device.info().fp64 {
                let found = entries(&MaxPlus::new(&device).star(&double).unwrap());
                assert!(
                    found
                        .iter()
                        .map(|path| path.map(|path| path * 4.0))
                        .eq(expected.iter().map(|path| path.map(f64::from))),
                    "{n} nodes on {device:?}"
                );
            }
            // Shortest paths are the longest ones of the opposite weights.
            let opposite: Vec<(u32, u32, i64)> = arcs.iter().map(|&(from, to, weight)| (from, to, -weight)).collect();
            let found = MaxPlus::new(&device).shortest(&graph(n, &opposite, i32s), &StarOptions::new()).unwrap();
            assert_eq!(found.epsilon(), i32::MAX);
            assert!(entries(&found).iter().map(|path| path.map(|path| -path)).eq(expected), "{n} nodes on {device:?}");
        }
    }
}

/// Pushing and pulling give the same bits everywhere, blocks the same on the host and on devices with the same blocks.
#[test]
fn floating_point_has_the_same_bits() {
    let host = Device::host();
    for n in [40, 131] {
        let arcs = acyclic(n, 60, true, 5, (-1000, 1000));
        let graph = graph(n, &arcs, |weight| weight as f32 / 977.0);
        let by = |device: &Device, algorithm| {
            MaxPlus::new(device).star_with(&graph, &StarOptions::new().algorithm(algorithm)).unwrap().into_entries()
        };
        let bits = |entries: Vec<f32>| entries.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        let pushed = bits(by(&host, StarAlgorithm::Push(PushShape::default())));
        let [blocks, closed] =
            [StarAlgorithm::Substitution, StarAlgorithm::Closure].map(|algorithm| by(&host, algorithm));
        // A path of n - 1 arcs of at most 1.024, in any order of its sums.
        let bound = (n * n) as f32 * 1.024 * f32::EPSILON;
        let expected: Vec<f32> = pushed.iter().map(|&bits| f32::from_bits(bits)).collect();
        for found in [&blocks, &closed] {
            let near = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits() || (a - b).abs() <= bound;
            assert!(found.iter().zip(&expected).all(near));
        }
        for device in devices() {
            assert!(bits(by(&device, StarAlgorithm::Push(PushShape::default()))) == pushed, "{device:?}");
            assert!(bits(by(&device, StarAlgorithm::Pull)) == pushed, "{device:?}");
            assert!(by(&device, StarAlgorithm::Substitution) == blocks, "{device:?}");
            assert!(by(&device, StarAlgorithm::Closure) == closed, "{device:?}");
        }
    }
}

#[test]
fn columns_are_shared_and_come_in_blocks() {
    let n = 70;
    let arcs = acyclic(n, 40, true, 9, (-5, 20));
    let graph = graph(n, &arcs, i32s);
    let expected = MaxPlus::new(&Device::host()).star(&graph).unwrap();
    let all = devices();
    for algorithm in DAG.into_iter().filter(|&algorithm| algorithm != StarAlgorithm::Closure) {
        let options = StarOptions::new().algorithm(algorithm);
        for set in [
            DeviceSet::equal(all.clone()).unwrap(),
            DeviceSet::new(vec![all[0].clone(), all[1].clone()], &[1.0, 9.0]).unwrap(),
        ] {
            assert_eq!(MaxPlus::star_on(&set, &graph, &options).unwrap(), expected);
        }
        for device in &all {
            let max_plus = MaxPlus::new(device);
            for columns in [0..0, 0..1, 13..44, 69..70] {
                let part = max_plus.star_columns(&graph, columns.clone(), &options).unwrap();
                assert_eq!(part.columns(), columns);
                for to in 0..n {
                    for from in columns.clone() {
                        assert_eq!(part.get(to, from), expected.get(to, from));
                    }
                }
            }
            // Memory for seven columns.
            let fixed = if algorithm == StarAlgorithm::Substitution { n * n } else { 0 };
            let limited = options.memory_bytes(4 * (fixed + 2 * n * 7 + 3) as u64);
            assert_eq!(max_plus.star_with(&graph, &limited).unwrap(), expected);
            let mut widths = Vec::new();
            max_plus
                .star_blocks(&graph, &limited, |block| {
                    widths.push(block.columns().len());
                    (0..n).for_each(|to| {
                        block.columns().for_each(|from| assert_eq!(block.get(to, from), expected.get(to, from)));
                    });
                    Ok::<(), MaxPlusError>(())
                })
                .unwrap();
            if algorithm != StarAlgorithm::Auto {
                assert_eq!(widths, [7; 10], "{algorithm:?}");
            }
        }
    }
}

/// What is chosen for floating-point numbers depends on the graph alone.
#[test]
fn floating_point_has_the_same_bits_in_any_columns() {
    let n = 90;
    for percent in [5, 48, 52, 100] {
        let graph = graph(n, &acyclic(n, percent, true, 11, (-999, 999)), |weight| weight as f32 * 0.001);
        let bits = |star: &Star<f32>| star.entries().iter().map(|path| path.to_bits()).collect::<Vec<u32>>();
        let expected = bits(&MaxPlus::new(&Device::host()).star(&graph).unwrap());
        let all = devices();
        let shared = MaxPlus::star_on(&DeviceSet::equal(all.clone()).unwrap(), &graph, &StarOptions::new()).unwrap();
        assert!(bits(&shared) == expected, "{percent} % shared");
        for device in all {
            let max_plus = MaxPlus::new(&device);
            assert!(bits(&max_plus.star(&graph).unwrap()) == expected, "{percent} % on {device:?}");
            for columns in [0..1, 17..60, 89..90] {
                let part = bits(&max_plus.star_columns(&graph, columns.clone(), &StarOptions::new()).unwrap());
                let of_all = expected.chunks_exact(n).flat_map(|row| &row[columns.clone()]);
                assert!(part.iter().eq(of_all), "{percent} %, columns {columns:?} on {device:?}");
            }
        }
    }
}

#[test]
fn reachability_is_the_star_of_zeros() {
    for device in devices() {
        for n in [0, 1, 2, 63, 64, 65, 100] {
            for percent in [1, 3, 60] {
                let arcs = any(n, percent, n as u64, (-5, 5));
                let graph = graph(n, &arcs, i32s);
                let zeros = graph.map(|_, _, _| 0i32).unwrap();
                let expected = reference::star(&zeros).unwrap();
                let found = MaxPlus::new(&device).closure(&graph).unwrap();
                for (at, path) in expected.iter().enumerate() {
                    assert_eq!(found.reaches(at % n, at / n), path.is_some(), "{n} nodes on {device:?}");
                }
                assert_eq!(found.pairs(), expected.iter().flatten().count() as u64);
            }
        }
    }
}
