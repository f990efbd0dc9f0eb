//! The kernels of stars (`maxplus_begin`, `maxplus_scatter`, `maxplus_arrange`, `maxplus_push`, `maxplus_pull`, `maxplus_diagonals`,
//! `maxplus_rows`, `maxplus_columns`, `maxplus_update`) on every OpenCL device, also on ones with little local memory, against the
//! definition: around blocks and tiles.

use crate::common::{acyclic, without_positive_circuits};
use manycore_device::DeviceError;
use manycore_maxplus::{Graph, MaxPlus, MaxPlusError, PushShape, StarAlgorithm, StarOptions, Weight, reference};
use manycore_testkit::{limited_devices, opencl_devices, simulated};

fn check<T: Weight>(device: &manycore_device::Device, n: usize, arcs: &[(u32, u32, T)], algorithms: &[StarAlgorithm]) {
    let graph = Graph::from_arcs(n, arcs).unwrap();
    let expected = reference::star(&graph).unwrap();
    for &algorithm in algorithms {
        let star = MaxPlus::new(device).star_with(&graph, &StarOptions::new().algorithm(algorithm)).unwrap();
        let found: Vec<Option<T>> = (0..n * n).map(|at| star.get(at / n, at % n)).collect();
        assert!(found == expected, "{n} nodes of {:?} by {algorithm:?} on {device:?}", T::TYPE);
    }
}

#[test]
fn stars_equal_the_definition() {
    let algorithms = [
        StarAlgorithm::Push(PushShape { rows: 3, columns: 8 }),
        StarAlgorithm::Pull,
        StarAlgorithm::Substitution,
        StarAlgorithm::Closure,
    ];
    for device in opencl_devices().into_iter().flat_map(|device| [device.limited(9000, 256), device]) {
        let sizes: &[usize] = if simulated(&device) { &[19] } else { &[5, 17, 66, 129] };
        for &n in sizes {
            let arcs = acyclic(n, 40, true, 7, (-20, 20));
            let of = |arcs: &[(u32, u32, i64)]| arcs.iter().map(|&(j, i, w)| (j, i, w as i32)).collect::<Vec<_>>();
            check(&device, n, &of(&arcs), &algorithms);
            check(&device, n, &of(&without_positive_circuits(n, 30, 3)), &algorithms[3..]);
            if simulated(&device) {
                continue;
            }
            check(&device, n, &arcs, &algorithms);
            check(&device, n, &arcs.iter().map(|&(j, i, w)| (j, i, w as f32)).collect::<Vec<_>>(), &algorithms);
            if device.info().fp64 {
                check(&device, n, &arcs.iter().map(|&(j, i, w)| (j, i, w as f64)).collect::<Vec<_>>(), &algorithms);
            }
        }
    }
}

/// Local memory that holds no block: graphs without circuits take levels, others are refused.
#[test]
fn local_memory_that_holds_no_block_is_told() {
    for device in limited_devices() {
        check(&device, 40, &acyclic(40, 90, true, 7, (-20, 20)), &[StarAlgorithm::Auto]);
        let graph = Graph::from_arcs(2, &[(0, 1, 1), (1, 0, -1)]).unwrap();
        let refused = MaxPlus::new(&device).star(&graph).unwrap_err();
        assert!(matches!(refused, MaxPlusError::Device(DeviceError::Unsupported { .. })), "{refused}");
    }
}
