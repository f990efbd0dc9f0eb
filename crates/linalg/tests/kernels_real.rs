//! The kernels of condensation in double precision, `real_candidates`, `real_choose`, `real_factors` and `real_step`, and of
//! elimination by blocks, `block_step`, `block_multipliers` and `block_update`, on every OpenCL device that has it, against the
//! host, to the last bit.

use manycore_device::Device;
use manycore_linalg::real::{Pivoting, RealOptions, determinant};
use manycore_testkit::{opencl_devices, simulated};

fn matrices(order: usize) -> Vec<Vec<f64>> {
    let entry = |e: usize| (e as f64 * 0.618_033_988_749_894_9 + 0.3).fract() - 0.4;
    let dense: Vec<f64> = (0..order * order).map(entry).collect();
    let scaled = dense.iter().enumerate().map(|(e, x)| x * 2f64.powi((e * 7 % 41) as i32 - 20)).collect();
    let sparse = dense.iter().enumerate().map(|(e, &x)| if e % 3 == 0 { x } else { 0.0 }).collect();
    let equal = vec![1.0; order * order];
    vec![dense, scaled, sparse, equal, vec![0.0; order * order]]
}

#[test]
fn determinants_equal_the_host_s_to_the_last_bit() {
    for device in opencl_devices() {
        if !device.info().fp64 {
            continue;
        }
        let orders: &[usize] = if simulated(&device) { &[1, 2, 5] } else { &[1, 2, 3, 15, 16, 17, 40, 70] };
        for &order in orders {
            for words in matrices(order) {
                for pivoting in Pivoting::ALL {
                    let of = |device: &Device| {
                        determinant(device, order, &words, RealOptions { pivoting, bound: true }).unwrap()
                    };
                    assert_eq!(of(&device), of(&Device::host()), "{order} {pivoting:?}");
                }
            }
        }
    }
}
