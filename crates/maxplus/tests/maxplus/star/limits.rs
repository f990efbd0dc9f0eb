//! Ends of types, and memory that is not there.

use manycore_device::{Device, DeviceSet};
use manycore_maxplus::{Graph, MaxPlus, MaxPlusError, PushShape, StarAlgorithm, StarOptions};
use manycore_testkit::devices;

/// Weights at the ends of their types: what fits is exact, what does not is an error with the path's ends.
#[test]
fn integers_do_not_overflow() {
    for device in devices() {
        let i32s = MaxPlus::<i32>::new(&device);
        let large = i32::MAX - 1;
        let graph = Graph::from_arcs(3, &[(0, 1, large), (1, 2, -large), (0, 2, -5)]).unwrap();
        let star = i32s.star(&graph).unwrap();
        assert_eq!((star.get(1, 0), star.get(2, 0), star.get(2, 1)), (Some(large), Some(0), Some(-large)));
        let graph = Graph::from_arcs(3, &[(0, 1, large), (1, 2, 1)]).unwrap();
        assert!(matches!(i32s.star(&graph), Err(MaxPlusError::Overflow { from: 0, to: 2, .. })));
        let graph = Graph::from_arcs(3, &[(0, 1, -large), (1, 2, -2)]).unwrap();
        assert!(matches!(i32s.star(&graph), Err(MaxPlusError::Overflow { from: 0, to: 2, .. })));
        assert!(matches!(graph.longest_from(0), Err(MaxPlusError::Overflow { from: 0, to: 2, .. })));
        let i64s = MaxPlus::<i64>::new(&device);
        let large = i64::MAX - 1;
        // With circuits, that of nodes 0 and 1 of weight -1.
        let graph = Graph::from_arcs(3, &[(0, 1, large), (1, 0, -large - 1), (1, 2, -large)]).unwrap();
        let star = i64s.star(&graph).unwrap();
        assert_eq!((star.get(2, 0), star.get(0, 1), star.get(2, 1)), (Some(0), Some(-large - 1), Some(-large)));
        let graph = Graph::from_arcs(3, &[(0, 1, large), (1, 0, -large + 1)]).unwrap();
        assert!(matches!(i64s.star(&graph), Err(MaxPlusError::PositiveCircuit { nodes, .. }) if nodes == [0, 1]));
        assert!(matches!(graph.longest_from(0), Err(MaxPlusError::PositiveCircuit { nodes, .. }) if nodes == [0, 1]));
    }
}

#[test]
fn floating_point_is_refused_where_sums_may_be_infinite() {
    let graph = Graph::from_arcs(3, &[(0, 1, 3e38f32), (1, 2, 1e38)]).unwrap();
    let refused = MaxPlus::new(&Device::host()).star(&graph).unwrap_err();
    assert!(matches!(refused, MaxPlusError::Large { count: 3, .. }), "{refused}");
}

/// Zero has one sign, whatever is given.
#[test]
fn zeros_have_one_sign() {
    for device in devices() {
        let graph = Graph::from_arcs(3, &[(0, 1, -0.0f32), (1, 2, 0.0)]).unwrap();
        for star in [
            MaxPlus::new(&device).star(&graph).unwrap(),
            MaxPlus::new(&device).shortest(&graph, &StarOptions::new()).unwrap(),
        ] {
            assert_eq!(star.get(2, 0).map(f32::to_bits), Some(0));
            assert_eq!(star.get(1, 1).map(f32::to_bits), Some(0));
        }
    }
}

#[test]
fn memory_that_is_not_there_is_told_with_the_columns_that_fit() {
    for device in devices() {
        let max_plus = MaxPlus::<i32>::new(&device);
        let graph = Graph::from_arcs(100, &[(0, 1, 1), (1, 2, 1)]).unwrap();
        let none = StarOptions::new().algorithm(StarAlgorithm::Push(PushShape::default())).memory_bytes(799);
        let refused = max_plus.star_with(&graph, &none).unwrap_err();
        assert!(matches!(refused, MaxPlusError::Memory { nodes: 100, limit: 799, columns: 0, .. }), "{refused}");
        let circuit = Graph::from_arcs(100, &[(0, 1, 1), (1, 0, -1)]).unwrap();
        let refused = max_plus.star_with(&circuit, &StarOptions::new().memory_bytes(40_000)).unwrap_err();
        let is_told = matches!(refused, MaxPlusError::Blocks { nodes: 100, wanted_bytes, limit_bytes: 40_000 } if wanted_bytes > 40_000);
        assert!(is_told, "{refused}");
        let wanted = StarOptions::new().algorithm(StarAlgorithm::Pull);
        assert!(
            matches!(max_plus.star_with(&circuit, &wanted), Err(MaxPlusError::Cycle { nodes }) if nodes.len() == 2)
        );
        assert!(matches!(
            max_plus.star_columns(&graph, 99..101, &wanted),
            Err(MaxPlusError::Index { what: "column", index: 101, count: 100 })
        ));
        // More nodes than any memory has rows for.
        let huge = Graph::<i64>::from_arcs(10_000_000, &[(0, 1, 1)]).unwrap();
        let refused = max_plus_of(&device).star(&huge).unwrap_err();
        assert!(matches!(refused, MaxPlusError::Memory { nodes: 10_000_000, columns: 1.., .. }), "{refused}");
    }
}

fn max_plus_of(device: &Device) -> MaxPlus<i64> {
    MaxPlus::new(device)
}

/// Sums of some thousand weights near `2^20` may pass 32 bits, and those of the longest paths do not: they are computed with 64 bits.
#[test]
fn integers_of_32_bits_whose_sums_might_pass_them_have_their_star() {
    let nodes = 300u32;
    let weight = |from: u32, to: u32| -((from * 7919 + to * to * 10_473) % 100_003).cast_signed() * 97;
    let pairs = || (0..nodes * nodes).map(|at| (at / nodes, at % nodes));
    for is_acyclic in [false, true] {
        let arcs: Vec<(u32, u32, i32)> = pairs()
            .filter(|&(from, to)| if is_acyclic { from < to } else { (from + to) % 3 > 0 })
            .map(|(from, to)| (from, to, weight(from, to)))
            .collect();
        let graph = Graph::from_arcs(nodes as usize, &arcs).unwrap();
        let wide = graph.map(|_, _, weight| i64::from(weight)).unwrap();
        let expected = MaxPlus::<i64>::new(&Device::host()).star(&wide).unwrap();
        for device in devices() {
            let star = MaxPlus::<i32>::new(&device).star(&graph).unwrap();
            let some = MaxPlus::<i32>::new(&device).star_columns(&graph, 7..40, &StarOptions::new()).unwrap();
            let set = DeviceSet::equal(vec![device.clone(), Device::host_with(1).unwrap()]).unwrap();
            let shared = MaxPlus::<i32>::star_on(&set, &graph, &StarOptions::new()).unwrap();
            for (from, to) in pairs().map(|(from, to)| (from as usize, to as usize)) {
                let wished = expected.get(to, from).map(|path| path as i32);
                assert_eq!((star.get(to, from), shared.get(to, from)), (wished, wished), "{from} {to}");
                assert_eq!(some.get(to, from), wished.filter(|_| (7..40).contains(&from)), "{from} {to}");
            }
        }
    }
}
