//! The kernels of condensation in double precision, `real_range`, `real_candidates`, `real_choose`, `real_factors` and `real_step`, and of
//! elimination by blocks, `block_step`, `block_multipliers` and `block_update`, or `real_eliminate`, and those of the bound,
//! `bound_begin`, `bound_solve`, `bound_update`, `bound_product` and `bound_sums`, on every OpenCL device that has double precision,
//! against the host, to the last bit.

use manycore_device::Device;
use manycore_linalg::LinalgError;
use manycore_linalg::real::{Pivoting, RealOptions, RealPlan, determinant, determinant_with};
use manycore_testkit::{opencl_devices, simulated};

fn matrices(order: usize) -> Vec<Vec<f64>> {
    let entry = |e: usize| (e as f64 * 0.618_033_988_749_894_9 + 0.3).fract() - 0.4;
    let dense: Vec<f64> = (0..order * order).map(entry).collect();
    let scaled = dense.iter().enumerate().map(|(e, x)| x * 2f64.powi((e * 7 % 41) as i32 - 20)).collect();
    let sparse = dense.iter().enumerate().map(|(e, &x)| if e % 3 == 0 { x } else { 0.0 }).collect();
    let equal = vec![1.0; order * order];
    // Ends with a row without pivot, behind which others would have one.
    let twice = |e: usize| if order > 1 && e / order == order / 2 { 2.0 * dense[e - order] } else { dense[e] };
    let dependent = (0..order * order).map(twice).collect();
    vec![dense, scaled, sparse, equal, vec![0.0; order * order], dependent]
}

/// All of them, or under an interpreter those with a pivot to search for: the dense one and the last one.
fn some(device: &Device, order: usize) -> Vec<Vec<f64>> {
    let mut all = matrices(order);
    if simulated(device) {
        all.drain(1..5);
    }
    all
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

#[test]
fn plans_give_the_same_bits() {
    let plans = [8, 16, 32].map(|block| RealPlan::Whole { block }).into_iter().chain([RealPlan::Rows]);
    let mut ran = 0;
    for device in opencl_devices() {
        if !device.info().fp64 {
            continue;
        }
        // The larger ones take several groups of a panel where groups run at the same time, and are refused elsewhere.
        let orders: &[usize] =
            if simulated(&device) { &[1, 10] } else { &[1, 2, 7, 8, 9, 16, 17, 33, 60, 64, 65, 130, 513, 700] };
        for &order in orders {
            for words in some(&device, order) {
                for pivoting in [Pivoting::First, Pivoting::Partial] {
                    let options = RealOptions { pivoting, bound: order < 100 };
                    let expected = determinant(&Device::host(), order, &words, options);
                    let a = device.upload(&words).unwrap();
                    for plan in plans.clone() {
                        if order > 100 && plan == RealPlan::Rows {
                            continue;
                        }
                        match determinant_with(&device, order, &a, options, plan) {
                            // Blocks of 32 rows take more local memory than some devices have.
                            Err(LinalgError::RealPlan { order: refused, .. }) => {
                                assert!(refused > 64 || plan == RealPlan::Whole { block: 32 }, "{refused} {plan}");
                            }
                            found => {
                                assert_eq!(found, expected, "{order} {pivoting:?} {plan}");
                                ran += 1;
                            }
                        }
                    }
                    assert_eq!(a.download().unwrap(), words);
                }
            }
        }
        let a = device.upload(&[1.0]).unwrap();
        for block in [0, 1, 12, 64] {
            let refused = determinant_with(&device, 1, &a, RealOptions::default(), RealPlan::Whole { block });
            assert!(matches!(refused, Err(LinalgError::RealPlan { order: 1, .. })), "{refused:?}");
        }
    }
    assert!(ran > 0 || opencl_devices().iter().all(|device| !device.info().fp64));
}

#[test]
fn entries_that_are_no_numbers_are_found() {
    for device in opencl_devices().into_iter().chain([Device::host()]) {
        if !device.info().fp64 && !matches!(device.executor(), manycore_device::Executor::Host(_)) {
            continue;
        }
        let order = if simulated(&device) { 4 } else { 9 };
        let mut places = [0, order + 1, order * order - 2, order * order - 1];
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            places.rotate_left(1);
            for &place in &places[..if simulated(&device) { 2 } else { 4 }] {
                for mut words in some(&device, order) {
                    words[place] = value;
                    for pivoting in Pivoting::ALL {
                        let found = determinant(&device, order, &words, RealOptions { pivoting, bound: false });
                        let expected = (place / order, place % order);
                        assert!(
                            matches!(found, Err(LinalgError::NotFinite { row, column, .. }) if (row, column) == expected),
                            "{value} {place} {pivoting:?} {found:?}"
                        );
                    }
                }
            }
        }
    }
}
