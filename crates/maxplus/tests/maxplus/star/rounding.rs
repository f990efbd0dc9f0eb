//! Floating-point weights: circuits are decided by exact sums, paths are within their bound, and wrong stars are found.

use manycore_device::{Device, DeviceSet};
use manycore_maxplus::{Graph, MaxPlus, MaxPlusError, StarAlgorithm, StarOptions, Weight};
use manycore_testkit::devices;

use crate::common::{Random, any, without_positive_circuits};

fn wrong<T: Weight>(graph: &Graph<T>, entries: &[T]) -> Option<usize> {
    let n = graph.nodes();
    graph.wrong_column(0..n, &|to, from| Some(entries[to * n + from]).filter(|&entry| entry != T::LOWEST))
}

fn star(graph: &Graph<f64>, device: &Device) -> Result<Vec<f64>, MaxPlusError> {
    MaxPlus::new(device).star(graph).map(manycore_maxplus::Star::into_entries)
}

fn doubles() -> Vec<Device> {
    devices().into_iter().filter(|device| device.info().fp64).collect()
}

#[test]
fn decimals_that_sum_to_zero_have_a_star() {
    let mut random = Random(1);
    for device in doubles() {
        for nodes in 2..40u32 {
            // Hundredths whose circuit through all nodes sums to 0.
            let mut hundredths: Vec<i64> = (1..nodes).map(|_| random.between(-999, 999)).collect();
            hundredths.push(-hundredths.iter().sum::<i64>());
            let arcs = |sign: f64| -> Vec<(u32, u32, f64)> {
                let arc = |(from, &weight): (u32, &i64)| (from, (from + 1) % nodes, sign * weight as f64 / 100.0);
                (0..).zip(&hundredths).map(arc).collect()
            };
            for sign in [1.0, -1.0] {
                let graph = Graph::from_arcs(nodes as usize, &arcs(sign)).unwrap();
                let entries = star(&graph, &device).unwrap();
                assert_eq!(wrong(&graph, &entries), None, "{nodes} nodes");
                let paths = graph.longest_from(0).unwrap();
                for (to, expected) in paths.weights().iter().enumerate() {
                    let off = (entries[to * nodes as usize] - expected.unwrap()).abs();
                    assert!(off <= graph.rounding(), "{nodes} nodes: off by {off:e}");
                }
                // Arcs are as long as they are.
                for (from, to, weight) in graph.arcs() {
                    assert_eq!(entries[(to * nodes + from) as usize].to_bits(), weight.to_bits());
                }
            }
        }
    }
}

/// Differences of heights in tenths: every circuit of a complete graph sums to about 0.
#[test]
fn graphs_all_of_whose_circuits_sum_to_zero_have_a_star() {
    let nodes = 90u32;
    let tenths = |node: u32| f64::from(node * node % 97);
    let pairs = (0..nodes * nodes).map(|at| (at / nodes, at % nodes)).filter(|(from, to)| from != to);
    let arcs: Vec<(u32, u32, f64)> = pairs.map(|(from, to)| (from, to, (tenths(to) - tenths(from)) / 10.0)).collect();
    let graph = Graph::from_arcs(nodes as usize, &arcs).unwrap();
    for device in doubles() {
        let entries = star(&graph, &device).unwrap();
        assert_eq!(wrong(&graph, &entries), None);
        let shared = DeviceSet::equal(vec![device, Device::host_with(1).unwrap()]).unwrap();
        let shared = MaxPlus::star_on(&shared, &graph, &StarOptions::new()).unwrap();
        assert_eq!(shared.entries(), entries);
        for (from, to, weight) in graph.arcs() {
            assert!((entries[(to * nodes + from) as usize] - weight).abs() < 1e-13, "{from} {to}");
        }
    }
}

#[test]
fn circuits_are_decided_by_their_own_weights() {
    let refused = |arcs: &[(u32, u32, f64)]| {
        let graph = Graph::from_arcs(3, arcs).unwrap();
        let mut told = Vec::new();
        for device in doubles() {
            match star(&graph, &device) {
                Err(MaxPlusError::PositiveCircuit { nodes, sum }) => told.push((nodes, sum)),
                other => panic!("{other:?}"),
            }
        }
        told
    };
    for (arcs, nodes, sum) in [
        // A circuit of 2 beside, and within, weights of 10^16.
        (&[(0, 1, 1.0), (1, 0, 1.0), (1, 2, 1e16)][..], vec![0, 1], "2"),
        (&[(0, 1, -1e16), (1, 0, 1.000_000_000_000_000_2e16)], vec![0, 1], "2"),
        (&[(0, 1, 1e16), (1, 2, 1.0), (2, 0, -9_999_999_999_999_999.0 + 1.0)], vec![0, 1, 2], "1"),
        // A loop of a half beside a circuit of 10^300 - 10^300, and within.
        (&[(0, 0, 0.5), (1, 2, 1e300), (2, 1, -1e300)], vec![0], "0.5"),
        (&[(0, 1, 0.5), (1, 2, 1e300), (2, 0, -1e300)], vec![0, 1, 2], "0.5"),
        (&[(0, 1, 0.5), (1, 0, -0.25), (1, 2, 0.1)], vec![0, 1], "0.25"),
    ] {
        for told in refused(arcs) {
            assert_eq!((told.0, told.1.as_str()), (nodes.clone(), sum));
        }
    }
    let graph = Graph::from_arcs(2, &[(0, 1, -1.0), (1, 0, -1.0)]).unwrap();
    let error = MaxPlus::new(&Device::host()).shortest(&graph, &StarOptions::new()).unwrap_err();
    assert_eq!(error.to_string(), "a circuit of negative length, -2, so that there is no shortest path: 0 -> 1 -> 0");
}

#[test]
fn signs_that_cannot_be_told_are_told() {
    let graph = Graph::from_arcs(3, &[(0, 1, 0.1), (1, 2, 0.7), (2, 0, -0.8)]).unwrap();
    let doubtful = graph.doubtful_circuit().unwrap();
    assert_eq!((doubtful.nodes, doubtful.sum), (vec![0, 1, 2], -8.326_672_684_688_674e-17));
    assert!(doubtful.doubt > 1e-16 && doubtful.doubt < 1.2e-16);
    let clear = Graph::from_arcs(3, &[(0, 1, 0.1), (1, 2, 0.7), (2, 0, -0.9)]).unwrap();
    assert_eq!(clear.doubtful_circuit(), None);
    let exact = Graph::from_arcs(2, &[(0, 1, 0.5), (1, 0, -0.5)]).unwrap();
    assert_eq!((exact.doubtful_circuit(), exact.rounding()), (None, 0.0));
}

#[test]
fn wrong_entries_are_found() {
    // Sums past 64 bits.
    let half = 1i64 << 62;
    let graph = Graph::from_arcs(3, &[(0, 1, half), (1, 0, -half), (1, 2, -half)]).unwrap();
    each_change(&graph, |entry| entry + 1, |entry| entry - 1);
    for (case, nodes) in [1usize, 2, 5, 33, 70].into_iter().enumerate() {
        for percent in [3, 60, 100] {
            let arcs = without_positive_circuits(nodes, percent, case as u64);
            let whole = Graph::from_arcs(nodes, &arcs).unwrap();
            let tenths = whole.map(|_, _, weight| weight as f64 / 10.0).unwrap();
            let large = whole.map(|_, _, weight| weight << 52).unwrap();
            each_change(&whole, |entry| entry + 1, |entry| entry - 1);
            each_change(&large, |entry| entry + 1, |entry| entry - 1);
            each_change(&whole.map(|_, _, weight| weight as i32).unwrap(), |entry| entry + 1, |entry| entry - 1);
            // Whole numbers are compared to the last bit.
            each_change(&whole.map(|_, _, weight| weight as f64).unwrap(), f64::next_up, f64::next_down);
            let bound = 2.1 * tenths.rounding();
            each_change(&tenths, |entry| entry + bound, |entry| entry - bound);
        }
    }
}

/// Changes some entries of a right star in turn.
fn each_change<T: Weight>(graph: &Graph<T>, up: impl Fn(T) -> T, down: impl Fn(T) -> T) {
    let nodes = graph.nodes();
    let mut entries = MaxPlus::new(&Device::host()).star(graph).unwrap().into_entries();
    assert_eq!(wrong(graph, &entries), None);
    for at in (0..entries.len()).step_by(entries.len() / 30 + 1) {
        let right = entries[at];
        let changed =
            if right == T::LOWEST { vec![T::ZERO] } else { vec![up(right), down(right), T::LOWEST, T::HIGHEST] };
        for changed in changed.into_iter().filter(|&changed| changed != right) {
            entries[at] = changed;
            assert_eq!(wrong(graph, &entries), Some(at % nodes), "{changed} for {right}, {nodes} nodes");
        }
        entries[at] = right;
    }
}

/// Entries that hold each other up around a circuit of weight 0, without a path from the node.
#[test]
fn circuits_of_zero_hold_nothing_up() {
    let graph = Graph::from_arcs(3, &[(0, 1, -5i64), (1, 2, 0), (2, 1, 0)]).unwrap();
    let e = i64::MIN;
    assert_eq!(wrong(&graph, &[0, e, e, -5, 0, 0, -5, 0, 0]), None);
    assert_eq!(wrong(&graph, &[0, e, e, 7, 0, 0, 7, 0, 0]), Some(0));
    // A star of a graph that has none.
    let positive = Graph::from_arcs(2, &[(0, 1, 1i64), (1, 0, 0)]).unwrap();
    assert_eq!(wrong(&positive, &[0, 0, 1, 0]), Some(0));
}

/// Random graphs have a star or a positive circuit, by the host's and the devices' exact sums alike.
#[test]
fn decimals_are_decided_as_whole_numbers_are() {
    for seed in 0..60 {
        let nodes = 3 + seed as usize % 9;
        let whole = Graph::from_arcs(nodes, &any(nodes, 40, seed, (-30, 9))).unwrap();
        let expected = MaxPlus::new(&Device::host()).star(&whole);
        let tenths = whole.map(|_, _, weight| weight as f64 / 10.0).unwrap();
        for algorithm in [StarAlgorithm::Auto, StarAlgorithm::Closure] {
            let found = MaxPlus::new(&Device::host()).star_with(&tenths, &StarOptions::new().algorithm(algorithm));
            match (&expected, found) {
                (Ok(expected), Ok(found)) => {
                    assert_eq!(wrong(&tenths, found.entries()), None);
                    for (&whole, &tenth) in expected.entries().iter().zip(found.entries()) {
                        let is_near = (whole as f64 / 10.0 - tenth).abs() < 1e-13;
                        assert!(is_near || (whole == i64::MIN && tenth == f64::NEG_INFINITY), "{whole} {tenth}");
                    }
                }
                (Err(MaxPlusError::PositiveCircuit { .. }), Err(MaxPlusError::PositiveCircuit { .. })) => {}
                (expected, found) => panic!("{expected:?}, {found:?}"),
            }
        }
    }
}
