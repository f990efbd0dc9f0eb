//! Candidates that stand for each other give the same bits of floating-point numbers: the order of their additions
//! tells which.

use manycore_device::{Device, DeviceKind};
use manycore_spectral::{Spectral, Walsh, WalshPlan};
use manycore_testkit::{opencl_devices, simulated};

/// Values whose sums round.
fn values(len: usize) -> Vec<f32> {
    (0..len as u32).map(|i| (i.wrapping_mul(2_654_435_761) as f32).sqrt() - 30_000.3).collect()
}

/// Butterflies of `x`'s index bits in the order given.
fn in_order(x: &[f32], order: &[u32]) -> Vec<u32> {
    let mut y = x.to_vec();
    for bit in order {
        for a in (0..y.len()).filter(|a| a >> bit & 1 == 0) {
            let b = a | 1 << bit;
            (y[a], y[b]) = (y[a] + y[b], y[a] - y[b]);
        }
    }
    bits(&y)
}

fn bits(y: &[f32]) -> Vec<u32> {
    y.iter().map(|v| v.to_bits()).collect()
}

fn estimated(device: &Device) -> Spectral {
    Spectral::with_machine(device, device.machine())
}

/// Of floating-point transforms those candidates are measured that give the bits of the best estimate. The order of the
/// stages tells which they are, so it has to be that of the kernels.
#[test]
fn the_order_of_the_stages_tells_every_bit() {
    for device in opencl_devices() {
        // A simulator takes the short one: a tile of 2^12 values, all rounds of it. A CPU compiles a second for each
        // kernel.
        let lens: &[u32] = match device.info().kind {
            _ if simulated(&device) => &[7],
            DeviceKind::Gpu => &[1, 5, 12, 13, 15, 16, 18, 20],
            _ => &[3, 14],
        };
        for &log_len in lens {
            let spectral = estimated(&device);
            let x = values(1 << log_len);
            let choice = spectral.explain_walsh::<f32>(x.len(), &Walsh::new()).unwrap();
            // One of each order, and on a CPU two of them at most.
            let mut orders: Vec<Vec<u32>> = Vec::new();
            for candidate in choice.candidates() {
                let WalshPlan::Device(plan) = &candidate.parameters else { panic!("{choice}") };
                let order = plan.stage_order(manycore_device::WordType::F32);
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..log_len), "{plan}: {order:?}");
                let seen = orders.contains(&order) || device.info().kind != DeviceKind::Gpu && orders.len() == 2;
                if seen {
                    continue;
                }
                let expected = in_order(&x, &order);
                let y = spectral.walsh_of(&x, &Walsh::new().by(&candidate.parameters)).unwrap();
                assert!(bits(&y) == expected, "{device:?} {plan}: {order:?}");
                orders.push(order);
            }
            if log_len >= 14 {
                assert!(orders.len() > 1, "{choice}");
                assert_ne!(in_order(&x, &orders[0]), in_order(&x, &orders[1]), "the order matters");
            }
        }
    }
}

/// Blocks of every size add in the same order on the host.
#[test]
fn blocks_of_the_host_give_the_same_bits() {
    let ascending: Vec<u32> = (0..20).collect();
    let x = values(1 << 20);
    for device in [Device::host(), Device::host_with(1).unwrap()] {
        let spectral = estimated(&device);
        for log_len in [18, 20] {
            let x = &x[..1 << log_len];
            let choice = spectral.explain_walsh::<f32>(x.len(), &Walsh::new()).unwrap();
            assert!(choice.candidates().len() > 2, "{choice}");
            let expected = in_order(x, &ascending[..log_len]);
            for candidate in choice.candidates() {
                let y = spectral.walsh_of(x, &Walsh::new().by(&candidate.parameters)).unwrap();
                assert!(bits(&y) == expected, "{device:?} {}", candidate.parameters);
            }
        }
    }
}
