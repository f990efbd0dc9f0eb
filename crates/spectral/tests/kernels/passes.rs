//! Every Walsh kernel (`walsh_tile`, `walsh_fan`, `walsh_columns`, `walsh_geometry`) on every OpenCL device, against the definition.

use manycore_device::{Buffer, Device, DeviceError, DeviceKind};
use manycore_spectral::walsh::cost::Pass;
use manycore_spectral::walsh::reference;
use manycore_spectral::{Algorithm, Order, Scalar, Spectral, SpectralError, Walsh};
use manycore_testkit::{opencl_devices, simulated};

/// Values that differ, small enough that no sum of 2^20 of them rounds in `f32`.
fn values(len: usize) -> Vec<i32> {
    (0..len as u32).map(|i| ((i.wrapping_mul(2_654_435_761) >> 13) % 15) as i32 - 7).collect()
}

fn convert<T: Scalar + From<i8>>(x: &[i32]) -> Vec<T> {
    x.iter().map(|&v| T::from(v as i8)).collect()
}

/// The definition, or for long transforms its Kronecker form: one stage after the other.
fn expected<T: Scalar>(x: &[T], log_len: u32, order: Order) -> Vec<T> {
    x.chunks_exact(1 << log_len)
        .flat_map(|x| {
            if log_len <= 10 {
                return reference::walsh_hadamard(x, order).expect("a power of two");
            }
            let mut y = x.to_vec();
            for bit in 0..log_len {
                for a in (0..y.len()).filter(|a| a >> bit & 1 == 0) {
                    let b = a | 1 << bit;
                    (y[a], y[b]) = (y[a].plus(y[b]), y[a].minus(y[b]));
                }
            }
            (0..y.len()).map(|row| y[order.natural_index(row, log_len)]).collect()
        })
        .collect()
}

fn check<T: Scalar + From<i8>>(device: &Device, log_len: u32, batch: usize, how: &Walsh, order: Order) {
    let x = convert::<T>(&values(batch << log_len));
    // By the estimate alone: a measurement would build the kernels of other candidates too.
    let spectral = Spectral::with_machine(device, device.machine());
    let how = how.clone().order(order).batch(1 << log_len);
    let mut y = device.upload(&x).unwrap();
    let outcome = spectral.walsh(&mut y, &how);
    if T::NAME == "f64" && !device.info().fp64 {
        assert!(matches!(outcome, Err(SpectralError::Device(DeviceError::Unsupported { .. }))));
        return;
    }
    outcome.unwrap();
    let what = || format!("{} {} 2^{log_len} x {batch} {how:?}", device.info().name, T::NAME);
    assert!(y.download().unwrap() == expected(&x, log_len, order), "{}", what());
    spectral.walsh(&mut y, &how.clone().inverse()).unwrap();
    assert!(y.download().unwrap() == x, "{}: inverse", what());
}

fn check_all_types(device: &Device, log_len: u32, batch: usize, how: &Walsh, order: Order) {
    check::<i32>(device, log_len, batch, how, order);
    check::<f32>(device, log_len, batch, how, order);
    check::<i64>(device, log_len, batch, how, order);
    check::<f64>(device, log_len, batch, how, order);
}

/// Every length and type builds a program of its own; a CPU compiles for a second each, so it takes every length with one
/// type and every type with some lengths.
fn sparing(device: &Device) -> bool {
    device.info().kind != DeviceKind::Gpu
}

#[test]
fn every_length_and_order_equals_the_definition() {
    for device in opencl_devices() {
        let (most, step) = if simulated(&device) { (13, 4) } else { (17, 1) };
        for log_len in (0..=most).step_by(step) {
            for order in Order::ALL {
                if !sparing(&device) || [1, 6, 13].contains(&log_len) && !simulated(&device) {
                    check_all_types(&device, log_len, 1, &Walsh::new(), order);
                } else if order != Order::Dyadic {
                    check::<i32>(&device, log_len, 1, &Walsh::new(), order);
                }
            }
        }
    }
}

#[test]
fn batches_equal_the_definition() {
    for device in opencl_devices() {
        let lengths: &[u32] = match (simulated(&device), sparing(&device)) {
            (true, _) => &[1, 5],
            (false, true) => &[0, 2, 6, 13],
            (false, false) => &[0, 1, 2, 3, 5, 7, 8, 10, 12, 13, 15],
        };
        for &log_len in lengths {
            for batch in [0, 1, 3, 7] {
                for order in Order::ALL {
                    if sparing(&device) && !(batch == 3 && log_len == 6) {
                        check::<i32>(&device, log_len, batch, &Walsh::new(), order);
                    } else {
                        check_all_types(&device, log_len, batch, &Walsh::new(), order);
                    }
                }
            }
        }
    }
}

#[test]
fn both_algorithms_give_every_order() {
    for device in opencl_devices() {
        for log_len in if simulated(&device) {
            vec![6]
        } else if sparing(&device) {
            vec![6, 13]
        } else {
            vec![1, 6, 13, 16, 18]
        } {
            for algorithm in [Algorithm::CooleyTukey, Algorithm::ConstantGeometry] {
                for order in Order::ALL {
                    check::<i32>(&device, log_len, 2, &Walsh::new().algorithm(algorithm), order);
                }
            }
        }
    }
}

#[test]
fn the_constant_geometry_of_the_paper_takes_one_step_a_pass() {
    for device in opencl_devices() {
        for steps in if sparing(&device) { vec![1, 4] } else { vec![1, 2, 4] } {
            for order in Order::ALL {
                let how = Walsh::new().algorithm(Algorithm::ConstantGeometry).steps_per_pass(steps);
                check::<i32>(&device, 9, 3, &how, order);
                if !simulated(&device) {
                    check::<f32>(&device, 13, 1, &how, order);
                }
            }
        }
    }
}

/// Passes with values that return through the cache, on every shape that local memory of 32 KB allows.
#[test]
fn passes_given_by_hand_equal_the_definition() {
    for device in opencl_devices() {
        let most = if simulated(&device) { 1 } else { 2 };
        for log_spill in 0..=most {
            for (log_tile, log_rows, log_regs) in [(9, 3, 4), (11, 5, 4), (12, 6, 4), (12, 7, 5)] {
                if simulated(&device) && log_tile > 9 {
                    continue;
                }
                let stages = log_tile + log_spill;
                let passes = vec![
                    Pass::Columns { log_stride: stages, log_rows, log_segment: 5, log_regs, log_spill },
                    Pass::Tile { stages, log_tile, log_regs, log_spill },
                ];
                let how = Walsh::new().passes(passes);
                check::<i32>(&device, stages + log_rows + log_spill, 1, &how, Order::Hadamard);
            }
        }
    }
}

#[test]
fn a_fan_of_groups_equals_the_definition() {
    for device in opencl_devices() {
        for (log_tile, log_regs, log_fan) in [(7, 2, 1), (10, 4, 2), (11, 4, 3), (12, 5, 2), (12, 4, 4)] {
            if !simulated(&device) || log_tile < 10 {
                let how = Walsh::new().passes(vec![Pass::Fan { log_tile, log_regs, log_fan }]);
                check::<i32>(&device, log_tile + log_fan, 1, &how, Order::Hadamard);
                if !sparing(&device) {
                    check::<f64>(&device, log_tile + log_fan, 1, &how, Order::Hadamard);
                }
            }
        }
    }
}

#[test]
fn columns_of_any_stride_and_segment_equal_the_definition() {
    for device in opencl_devices() {
        for (log_segment, log_stride) in [(4, 4), (5, 5), (5, 7), (6, 6)] {
            for log_rows in [1, 2, 5, 6] {
                if sparing(&device) && log_segment == 5 && log_rows != 5 || simulated(&device) && log_stride > 5 {
                    continue;
                }
                let log_regs = 4.min(log_rows + log_segment - 1);
                let passes = vec![
                    Pass::Columns { log_stride, log_rows, log_segment, log_regs, log_spill: 0 },
                    Pass::Tile { stages: log_stride, log_tile: 10, log_regs: 4, log_spill: 0 },
                ];
                let how = Walsh::new().passes(passes);
                if sparing(&device) && log_rows != 2 {
                    check::<i32>(&device, log_stride + log_rows, 3, &how, Order::Hadamard);
                } else {
                    check_all_types(&device, log_stride + log_rows, 3, &how, Order::Hadamard);
                }
            }
        }
    }
}

#[test]
fn passes_that_make_no_transform_are_refused() {
    let tile = |stages, log_tile, log_spill| Pass::Tile { stages, log_tile, log_regs: 4, log_spill };
    let columns = |log_stride, log_rows, log_segment| Pass::Columns {
        log_stride,
        log_rows,
        log_segment,
        log_regs: 4,
        log_spill: 0,
    };
    for device in opencl_devices() {
        for passes in [
            vec![],
            vec![tile(9, 10, 0)],
            vec![tile(12, 10, 0)],
            vec![tile(12, 40, 0)],
            vec![tile(12, 11, u32::MAX)],
            vec![tile(10, 10, 0), tile(10, 10, 0)],
            vec![columns(10, 3, 5), tile(10, 10, 0)],
            vec![columns(u32::MAX, 3, 5), tile(12, 12, 0)],
            vec![columns(9, 3, u32::MAX), tile(9, 10, 0)],
            vec![columns(4, 8, 5), tile(4, 10, 0)],
            // Nothing, beside all; a fan of less than the array.
            vec![tile(0, 10, 0), tile(12, 12, 0)],
            vec![columns(8, 4, 5), Pass::Fan { log_tile: 6, log_regs: 4, log_fan: 2 }],
        ] {
            let how = Walsh::new().passes(passes.clone());
            let outcome = Spectral::new(&device).walsh_of(&vec![1i32; 1 << 12], &how);
            assert!(matches!(outcome, Err(SpectralError::Passes { log_len: 12, .. })), "{passes:?}");
        }
        let fan = Walsh::new().passes(vec![Pass::Fan { log_tile: 10, log_regs: 4, log_fan: 2 }]).batch(1 << 12);
        let outcome = Spectral::new(&device).walsh_of(&vec![1i32; 1 << 13], &fan);
        assert!(matches!(outcome, Err(SpectralError::Passes { .. })));
    }
}

#[test]
fn integers_wrap() {
    for device in opencl_devices() {
        let log_len = if simulated(&device) { 9 } else { 13 };
        let x = vec![i32::MAX; 1 << log_len];
        let y = Spectral::new(&device).walsh_of(&x, &Walsh::new().wrapping()).unwrap();
        assert_eq!(y[0], (i64::from(i32::MAX) << log_len) as i32);
        assert!(y[1..].iter().all(|&v| v == 0));
    }
}

#[test]
fn a_buffer_of_another_device_is_refused() {
    for device in opencl_devices() {
        let mut x: Buffer<i32> = Device::host().zeros(8).unwrap();
        assert!(Spectral::new(&device).walsh(&mut x, &Walsh::new()).is_err());
    }
}
