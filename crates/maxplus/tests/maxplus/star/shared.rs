//! Stars by several devices and past their memory, in blocks, beside those of one device: the same bits.

use manycore_device::{Control, Device, DeviceError, DeviceSet};
use manycore_maxplus::{Graph, MaxPlus, MaxPlusError, Star, StarAlgorithm, StarOptions, Weight};
use manycore_testkit::{opencl_devices, simulated};

use crate::common::{acyclic, without_positive_circuits};

fn host() -> Device {
    Device::host_with(1).unwrap()
}

/// One device, two and three: of the host, of OpenCL, and of both.
fn sets() -> Vec<DeviceSet> {
    let others: Vec<Device> = opencl_devices().into_iter().filter(|device| !simulated(device)).collect();
    let mut sets = vec![vec![host()], vec![host(), host()], vec![Device::host(), host(), host()]];
    for device in &others {
        sets.extend([vec![device.clone()], device.lanes(2).unwrap(), vec![device.clone(), host(), host()]]);
    }
    sets.into_iter().map(|devices| DeviceSet::equal(devices).unwrap()).collect()
}

fn graph<T: Weight>(nodes: usize, percent: u64, of: impl Fn(i64) -> T) -> Graph<T> {
    let arcs = without_positive_circuits(nodes, percent, nodes as u64);
    let arcs: Vec<(u32, u32, T)> = arcs.iter().map(|&(from, to, weight)| (from, to, of(weight))).collect();
    Graph::from_arcs(nodes, &arcs).unwrap()
}

/// Entries, of which none is NaN, and zeros have one sign.
fn bits<T: Weight>(star: &Star<T>) -> Vec<T> {
    star.entries().to_vec()
}

/// In all memory, in a limit that stands for larger graphs, and in the same for one device.
fn check<T: Weight>(graph: &Graph<T>) {
    let nodes = graph.nodes();
    let options = StarOptions::new().algorithm(StarAlgorithm::Closure);
    let expected = bits(&MaxPlus::new(&Device::host()).star_with(graph, &options).unwrap());
    // Of three lanes, each with a block.
    let limited = options.memory_bytes(600_000);
    for set in sets() {
        let what = || format!("{nodes} nodes, {} arcs of {} on {set:?}", graph.arc_count(), T::TYPE.name());
        assert!(bits(&MaxPlus::star_on(&set, graph, &options).unwrap()) == expected, "{}", what());
        assert!(bits(&MaxPlus::star_on(&set, graph, &limited).unwrap()) == expected, "limited: {}", what());
        let max_plus = MaxPlus::new(&set.devices()[0]);
        assert!(bits(&max_plus.star_with(graph, &limited).unwrap()) == expected, "one device: {}", what());
        if nodes > 3 {
            let part = max_plus.star_columns(graph, 1..3, &limited).unwrap();
            let whole = max_plus.star_columns(graph, 1..3, &options).unwrap();
            assert!(bits(&part) == bits(&whole), "columns: {}", what());
        }
        assert_eq!(set.failures(), [], "{}", what());
    }
}

#[test]
fn blocks_give_the_star_of_one_device() {
    for (nodes, percent) in [(0, 0), (1, 100), (2, 100), (64, 40), (65, 3), (193, 20), (391, 2)] {
        check(&graph(nodes, percent, |weight| weight as i32));
        check(&graph(nodes, percent, |weight| weight << 33));
        check(&graph(nodes, percent, |weight| weight as f32 * 0.37 - 0.01));
        check(&graph(nodes, percent, |weight| weight as f64 * 0.1 - 0.01));
    }
}

#[test]
fn columns_without_circuits_are_shared() {
    for (nodes, percent) in [(70, 40), (300, 6)] {
        let arcs: Vec<(u32, u32, i32)> = acyclic(nodes, percent, true, 5, (-9, 30))
            .into_iter()
            .map(|(from, to, weight)| (from, to, weight as i32))
            .collect();
        let graph = Graph::from_arcs(nodes, &arcs).unwrap();
        let expected = MaxPlus::new(&Device::host()).star(&graph).unwrap();
        for set in sets() {
            assert_eq!(MaxPlus::star_on(&set, &graph, &StarOptions::new()).unwrap(), expected, "{set:?}");
            assert_eq!(set.failures(), []);
        }
    }
}

/// A limit of the control is kept as well: of the host's memory it leaves the result.
#[test]
fn limits_of_controls_are_kept() {
    let graph = graph(330, 5, |weight| weight as i32);
    let options = StarOptions::new().algorithm(StarAlgorithm::Closure);
    let expected = MaxPlus::new(&Device::host()).star_with(&graph, &options).unwrap();
    for set in sets() {
        let star = Control::new().with_limit_bytes(600_000).run(|| MaxPlus::star_on(&set, &graph, &options));
        assert_eq!(star.unwrap(), expected, "{set:?}");
    }
    for device in opencl_devices().into_iter().filter(|device| !simulated(device)) {
        let star = Control::new().with_limit_bytes(600_000).run(|| MaxPlus::new(&device).star_with(&graph, &options));
        assert_eq!(star.unwrap(), expected, "{device:?}");
    }
}

/// Within a diagonal block, between blocks of one device, and between those of several.
#[test]
fn positive_circuits_are_found_in_blocks() {
    for circuit in [[3u32, 17], [10, 150], [70, 391]] {
        let mut arcs: Vec<(u32, u32, i32)> = Vec::new();
        for node in 0..400u32 {
            arcs.push((node, (node + 1) % 400, -1000));
        }
        arcs.extend([(circuit[0], circuit[1], 5), (circuit[1], circuit[0], -4)]);
        let graph = Graph::from_arcs(400, &arcs).unwrap();
        for set in sets() {
            let told = MaxPlus::star_on(&set, &graph, &StarOptions::new());
            let is_told = |nodes: &[u32]| nodes.len() == 2 && nodes.iter().all(|node| circuit.contains(node));
            assert!(
                matches!(&told, Err(MaxPlusError::PositiveCircuit { nodes, .. }) if is_told(nodes)),
                "{told:?} on {set:?}"
            );
        }
    }
}

#[test]
fn what_fails_is_told() {
    let graph = graph(300, 5, |weight| weight as i32);
    let options = StarOptions::new().algorithm(StarAlgorithm::Closure);
    let expected = MaxPlus::new(&Device::host()).star_with(&graph, &options).unwrap();
    for device in opencl_devices() {
        let broken = device.with_broken("32-bit mul_hi");
        let set = DeviceSet::equal(vec![broken.clone(), host()]).unwrap();
        assert_eq!(MaxPlus::star_on(&set, &graph, &options).unwrap(), expected);
        let failures = set.failures();
        assert!(!failures.is_empty() && failures.iter().all(|failure| failure.device == broken.info().label()));
    }
    for set in sets() {
        let told = MaxPlus::star_on(&set, &graph, &options.memory_bytes(1000)).unwrap_err();
        assert!(matches!(told, MaxPlusError::Blocks { nodes: 300, limit_bytes: 1..=1000, .. }), "{told} on {set:?}");
        let control = Control::new();
        control.cancel();
        let told = control.run(|| MaxPlus::star_on(&set, &graph, &options)).unwrap_err();
        assert!(matches!(told, MaxPlusError::Device(DeviceError::Cancelled)), "{told} on {set:?}");
    }
}
