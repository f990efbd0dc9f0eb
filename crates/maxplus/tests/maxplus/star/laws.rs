//! Laws of stars: of the definition on small graphs, and those that need none.

use manycore_device::Device;
use manycore_maxplus::{Graph, MaxPlus, MaxPlusError, StarAlgorithm, StarOptions, reference};
use manycore_testkit::devices;
use proptest::prelude::*;

use crate::common::{any, without_positive_circuits};

/// The heaviest weight of a path without repeated nodes, by all of them.
fn brute(graph: &Graph<i64>, node: u32, to: u32, seen: &mut Vec<bool>) -> Option<i64> {
    if node == to {
        return Some(0);
    }
    seen[node as usize] = true;
    let mut best = None;
    for (next, weight) in graph.successors(node) {
        if !seen[next as usize]
            && let Some(rest) = brute(graph, next, to, seen)
        {
            best = best.max(Some(rest + weight));
        }
    }
    seen[node as usize] = false;
    best
}

/// The product of two matrices over maximum and plus.
fn product(n: usize, a: &[Option<i64>], b: &[Option<i64>]) -> Vec<Option<i64>> {
    let term = |i: usize, l: usize, j: usize| a[i * n + l].zip(b[l * n + j]).map(|(a, b)| a + b);
    (0..n * n).map(|at| (0..n).filter_map(|l| term(at / n, l, at % n)).max()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn star_is_the_heaviest_of_all_paths(n in 0usize..8, percent in 0u64..101, seed: u64) {
        let arcs = without_positive_circuits(n, percent, seed);
        let graph = Graph::from_arcs(n, &arcs).unwrap();
        let before = graph.clone();
        let star = MaxPlus::new(&Device::host()).star(&graph).unwrap();
        prop_assert_eq!(&graph, &before);
        for from in 0..n {
            let paths = graph.longest_from(from as u32).unwrap();
            for to in 0..n {
                let expected = brute(&graph, from as u32, to as u32, &mut vec![false; n]);
                prop_assert_eq!(star.get(to, from), expected);
                prop_assert_eq!(paths.weight(to as u32), expected);
                // The path is one of the graph, and has this weight.
                let path = graph.longest_path(from as u32, to as u32).unwrap();
                prop_assert_eq!(path.is_some(), expected.is_some());
                if let Some(path) = path {
                    prop_assert_eq!((path[0], path[path.len() - 1]), (from as u32, to as u32));
                    let weight: i64 = path.windows(2).map(|arc| graph.weight(arc[0], arc[1]).unwrap()).sum();
                    prop_assert_eq!(Some(weight), expected);
                }
            }
        }
    }

    #[test]
    fn star_keeps_its_laws(n in 1usize..40, percent in 0u64..101, seed: u64) {
        let graph = Graph::from_arcs(n, &without_positive_circuits(n, percent, seed)).unwrap();
        let star = MaxPlus::new(&Device::host()).star(&graph).unwrap();
        let star: Vec<Option<i64>> = (0..n * n).map(|at| star.get(at / n, at % n)).collect();
        prop_assert_eq!(&product(n, &star, &star), &star);
        let arcs: Vec<Option<i64>> = (0..n * n).map(|at| graph.weight((at % n) as u32, (at / n) as u32)).collect();
        let one = |at: usize| (at / n == at % n).then_some(0);
        let next: Vec<Option<i64>> = product(n, &arcs, &star).into_iter().enumerate().map(|(at, path)| path.max(one(at))).collect();
        prop_assert_eq!(&next, &star);
        prop_assert_eq!(&reference::star(&graph).unwrap(), &star);
    }

    #[test]
    fn star_exists_unless_a_circuit_is_positive(n in 1usize..10, percent in 0u64..101, seed: u64) {
        let graph = Graph::from_arcs(n, &any(n, percent, seed, (-6, 2))).unwrap();
        let expected = reference::star(&graph);
        match MaxPlus::new(&Device::host()).star(&graph) {
            Ok(star) => {
                let star: Vec<Option<i64>> = (0..n * n).map(|at| star.get(at / n, at % n)).collect();
                prop_assert_eq!(expected.unwrap(), star);
            }
            Err(MaxPlusError::PositiveCircuit { nodes, .. }) => {
                prop_assert!(expected.is_err());
                let ends = nodes.iter().zip(nodes.iter().cycle().skip(1));
                let weight: i64 = ends.map(|(&from, &to)| graph.weight(from, to).unwrap()).sum();
                prop_assert!(weight > 0 && !nodes.is_empty());
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// A positive circuit far from the first block is found on every device.
#[test]
fn positive_circuits_are_found_on_every_device() {
    for device in devices() {
        for n in [2, 33, 100] {
            for (from, to) in [(0, n - 1), (n / 2, n - 1), (n - 2, n - 1)] {
                let mut arcs = without_positive_circuits(n, 30, n as u64);
                arcs.extend([(from as u32, to as u32, 500), (to as u32, from as u32, -499)]);
                let graph = Graph::from_arcs(n, &arcs).unwrap();
                for algorithm in [StarAlgorithm::Auto, StarAlgorithm::Closure] {
                    let star = MaxPlus::new(&device).star_with(&graph, &StarOptions::new().algorithm(algorithm));
                    let Err(MaxPlusError::PositiveCircuit { nodes, .. }) = star else {
                        panic!("{n} nodes on {device:?}")
                    };
                    let ends = nodes.iter().zip(nodes.iter().cycle().skip(1));
                    assert!(ends.map(|(&from, &to)| graph.weight(from, to).unwrap()).sum::<i64>() > 0);
                }
            }
        }
    }
}
