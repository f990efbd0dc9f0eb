//! Cycle means against all circuits and between two algorithms; eigenvectors by their equation; periods by the powers.

use manycore_maxplus::spectral::{Ratio, RatioNumber};
use manycore_maxplus::{Graph, MaxPlusError};
use proptest::prelude::*;

use crate::common::any;

/// All elementary circuits with their weight, by depth-first search.
fn circuits(graph: &Graph<i64>) -> Vec<(Vec<u32>, i64)> {
    fn walk(graph: &Graph<i64>, path: &mut Vec<u32>, weight: i64, found: &mut Vec<(Vec<u32>, i64)>) {
        let (first, last) = (path[0], path[path.len() - 1]);
        for (to, arc) in graph.successors(last).collect::<Vec<_>>() {
            if to == first {
                found.push((path.clone(), weight + arc));
            } else if to > first && !path.contains(&to) {
                path.push(to);
                walk(graph, path, weight + arc, found);
                path.pop();
            }
        }
    }
    let mut found = Vec::new();
    (0..graph.nodes() as u32).for_each(|first| walk(graph, &mut vec![first], 0, &mut found));
    found
}

fn best(circuits: &[(Vec<u32>, i64)], time: impl Fn(&[u32]) -> u64) -> Option<Ratio<i128>> {
    let ratios = circuits.iter().filter_map(|(nodes, weight)| i128::reduced(i128::from(*weight), time(nodes)));
    ratios.max_by(|a, b| i128::compare(a, b).unwrap())
}

#[test]
fn eigenvalues_of_worked_examples() {
    let mean = |entries: &[i64]| {
        let graph = Graph::from_dense(2, entries, i64::MIN).unwrap();
        let (howard, karp) =
            (graph.maximum_cycle_mean().unwrap().unwrap(), graph.maximum_cycle_mean_by_karp().unwrap());
        assert_eq!(Some(howard.ratio), karp);
        howard.ratio.value()
    };
    assert_eq!((mean(&[3, 7, 2, 4]), mean(&[1, 2, 3, 4]), mean(&[2, 5, 3, 3])), (4.5, 4.0, 4.0));
    let none = Graph::from_arcs(3, &[(0, 1, 5), (1, 2, 5)]).unwrap();
    assert_eq!((none.maximum_cycle_mean().unwrap(), none.maximum_cycle_mean_by_karp().unwrap()), (None, None));
    assert!(none.critical_graph().unwrap().is_none() && none.eigenvectors().unwrap().is_empty());
    let timeless = Graph::from_arcs(3, &[(0, 1, 5), (1, 2, 5), (2, 0, 1)]).unwrap();
    let refused = timeless.maximum_cycle_ratio(|_, _| 0).unwrap_err();
    assert!(matches!(refused, MaxPlusError::NoTransit { nodes } if nodes == [0, 1, 2]));
    // Weights at the ends of the type are exact.
    let large = i64::MAX - 1;
    let graph = Graph::from_arcs(2, &[(0, 1, large), (1, 0, large - 1), (0, 0, large - 1)]).unwrap();
    let found = graph.maximum_cycle_mean().unwrap().unwrap();
    assert_eq!((found.ratio.weight, found.ratio.time), (2 * i128::from(large) - 1, 2));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn cycle_means_are_the_best_of_all_circuits(n in 1usize..7, percent in 0u64..101, seed: u64) {
        let graph = Graph::from_arcs(n, &any(n, percent, seed, (-9, 9))).unwrap();
        let all = circuits(&graph);
        let expected = best(&all, |nodes| nodes.len() as u64);
        let found = graph.maximum_cycle_mean().unwrap();
        prop_assert_eq!(found.as_ref().map(|found| found.ratio), expected);
        prop_assert_eq!(graph.maximum_cycle_mean_by_karp().unwrap(), expected);
        // Doubles come near it.
        let doubles = graph.map(|_, _, weight| weight as f64 / 8.0).unwrap().maximum_cycle_mean().unwrap();
        prop_assert_eq!(doubles.is_some(), expected.is_some());
        if let (Some(found), Some(expected), Some(doubles)) = (&found, expected, doubles) {
            prop_assert!((doubles.ratio.value() - expected.value() / 8.0).abs() <= doubles.error + 1e-12);
            // The circuit is one of this ratio.
            let ends = found.circuit.iter().zip(found.circuit.iter().cycle().skip(1));
            let weight: i64 = ends.map(|(&from, &to)| graph.weight(from, to).unwrap()).sum();
            prop_assert_eq!(i128::reduced(weight.into(), found.circuit.len() as u64), Some(expected));
            // The critical graph has all circuits of this ratio, and no others.
            let critical = graph.critical_graph().unwrap().unwrap();
            let mut listed = critical.circuits(usize::MAX).circuits;
            listed.sort();
            let of_ratio = |(nodes, weight): &&(Vec<u32>, i64)| i128::reduced(i128::from(*weight), nodes.len() as u64) == Some(expected);
            let mut same: Vec<Vec<u32>> = all.iter().filter(of_ratio).map(|(nodes, _)| nodes.clone()).collect();
            same.sort();
            prop_assert_eq!(&listed, &same);
            let limited = critical.circuits(same.len() - 1);
            prop_assert!(!limited.is_complete && limited.circuits.len() == same.len() - 1);
            prop_assert_eq!(critical.components.len(), critical.cyclicities.len());
            // A x = lambda x, all times the eigenvalue's denominator.
            let time = i128::from(expected.time);
            for vector in graph.eigenvectors().unwrap() {
                let x = &vector.numerators;
                prop_assert!(vector.denominator == expected.time && x.iter().any(Option::is_some));
                for to in 0..n {
                    let arcs = (0..n as u32).filter_map(|from| graph.weight(from, to as u32).zip(x[from as usize]));
                    let product = arcs.map(|(weight, x)| i128::from(weight) * time + x).max();
                    prop_assert_eq!(product, x[to].map(|x| x + expected.weight));
                }
            }
        }
    }

    #[test]
    fn cycle_ratios_are_the_best_of_all_circuits(n in 1usize..7, percent in 0u64..101, seed: u64) {
        let graph = Graph::from_arcs(n, &any(n, percent, seed, (-9, 9))).unwrap();
        let time = |from: u32, to: u32| 1 + (from * 7 + to * 3 + seed as u32 % 5) % 4;
        let expected = best(&circuits(&graph), |nodes| {
            nodes.iter().zip(nodes.iter().cycle().skip(1)).map(|(&from, &to)| u64::from(time(from, to))).sum()
        });
        let found = graph.maximum_cycle_ratio(time).unwrap();
        prop_assert_eq!(found.map(|found| found.ratio), expected);
    }

    #[test]
    fn howard_and_karp_agree_on_large_graphs(n in 20usize..60, percent in 2u64..40, seed: u64) {
        let graph = Graph::from_arcs(n, &any(n, percent, seed, (-1_000_000, 1_000_000))).unwrap();
        let found = graph.maximum_cycle_mean().unwrap().map(|found| found.ratio);
        prop_assert_eq!(found, graph.maximum_cycle_mean_by_karp().unwrap());
    }

    #[test]
    fn powers_are_periodic_from_the_transient_on(n in 1usize..6, percent in 40u64..101, seed: u64) {
        let graph = Graph::from_arcs(n, &any(n, percent, seed, (-9, 9))).unwrap();
        if graph.components().len() > 1 || graph.arc_count() == 0 {
            let refused = graph.period(10, |_| true).unwrap_err();
            let is_told = matches!(refused, MaxPlusError::Reducible { .. } | MaxPlusError::NoCircuit);
            prop_assert!(is_told, "{}", refused);
            return Ok(());
        }
        let period = graph.period(100_000, |_| true).unwrap();
        let ratio = graph.maximum_cycle_mean().unwrap().unwrap().ratio;
        let grown = i128::from(period.cyclicity as i64) * ratio.weight;
        prop_assert_eq!(grown % i128::from(ratio.time), 0);
        let holds = |k: usize| {
            let (now, later) = (graph.power(k as u64).unwrap(), graph.power((k + period.cyclicity) as u64).unwrap());
            let grown = (grown / i128::from(ratio.time)) as i64;
            now.map(|_, _, weight| weight + grown).unwrap() == later
        };
        prop_assert!(holds(period.transient) && holds(period.transient + 1));
        prop_assert!(period.transient == 1 || !holds(period.transient - 1));
    }
}

#[test]
fn searches_for_periods_end() {
    // Powers take some hundred steps to forget the heavier way.
    let graph = Graph::from_arcs(2, &[(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, -1)]).unwrap();
    let slow = Graph::from_arcs(2, &[(0, 0, 0), (0, 1, -500), (1, 0, -500), (1, 1, -1)]).unwrap();
    assert_eq!(graph.period(100, |_| true).unwrap().cyclicity, 1);
    assert_eq!(slow.period(10_000, |_| true).unwrap().transient, 1000);
    assert!(matches!(slow.period(100, |_| true), Err(MaxPlusError::Steps { steps: 100 })));
    assert!(matches!(slow.period(10_000, |step| step < 50), Err(MaxPlusError::Cancelled)));
}

/// Circuits of the maximum mean weigh 0 above it but for rounding, which makes none of them positive.
#[test]
fn eigenvectors_of_decimals_exist() {
    for seed in 0..300 {
        let nodes = 2 + seed as usize % 14;
        let graph = Graph::from_arcs(nodes, &any(nodes, 60, seed, (-99, 99))).unwrap();
        let tenths = graph.map(|_, _, weight| weight as f64 / 10.0).unwrap();
        let exact = graph.maximum_cycle_mean().unwrap().map(|mean| mean.ratio.value() / 10.0);
        let mean = tenths.maximum_cycle_mean().unwrap();
        assert_eq!(mean.is_some(), exact.is_some());
        if let Some((mean, exact)) = mean.zip(exact) {
            assert!((mean.ratio.value() - exact).abs() <= mean.error, "seed {seed}");
        }
        assert!(tenths.eigenvectors().is_ok(), "seed {seed}");
    }
}

#[test]
fn means_of_the_largest_doubles_are_finite() {
    let graph = Graph::from_arcs(2, &[(0, 1, f64::MAX), (1, 0, 1e308), (0, 0, -1.0)]).unwrap();
    let mean = graph.maximum_cycle_mean().unwrap().unwrap();
    let expected = f64::MAX / 2.0 + 1e308 / 2.0;
    assert!((mean.ratio.value() - expected).abs() <= mean.error && mean.error < 1e295, "{mean:?}");
    assert_eq!(mean.circuit, [0, 1]);
    let by_karp = graph.maximum_cycle_mean_by_karp().unwrap().unwrap();
    assert!((by_karp.value() - expected).abs() <= mean.error);
    assert_eq!(graph.critical_graph().unwrap().unwrap().arcs, [(0, 1), (1, 0)]);
    let vector = &graph.eigenvectors().unwrap()[0];
    assert!((vector.entry(1).unwrap().weight - (f64::MAX / 2.0 - 1e308 / 2.0)).abs() < 1e295);
    // An entry past the largest number.
    let long = Graph::from_arcs(4, &[(0, 0, -f64::MAX), (0, 1, 1e308), (1, 2, 1e308), (2, 3, 1e308)]).unwrap();
    assert!(matches!(long.eigenvectors(), Err(MaxPlusError::Large { count: 4, .. })));
}
