//! Registers keep within their ranges: values at the ends of a field's, with signs that make every sum as large as can be.

use manycore_device::{Device, DeviceKind, Executor};
use manycore_field::{Arithmetic, Goldilocks, KernelField, PrimeField, ResidueWord};
use manycore_ntt::cost::{Pass, Plan};
use manycore_ntt::{Kind, Ntt, NttField};
use manycore_testkit::{devices, simulated};

/// Arrays of 0 and p - 1 as the signs of a Walsh function are, of each that differs in the highest `masks` index bits.
fn arrays<F: NttField>(field: &F, log_len: u32, masks: u32) -> Vec<F::Element> {
    let ends = [0, field.order() - 1].map(F::Element::from_u64);
    let array = |mask: usize| {
        (0..1usize << log_len).map(move |i| ends[((i >> (log_len - masks)) & mask).count_ones() as usize & 1])
    };
    (0..1usize << masks).flat_map(array).collect()
}

fn one<F: NttField>(device: &Device, field: &F, arithmetic: Arithmetic, plan: &Plan, log_len: u32, masks: u32) {
    let Ok(ntt) = Ntt::with_machine(device, device.machine(), field, 1 << log_len, Kind::Cyclic) else { return };
    let ntt = ntt.with_arithmetic(arithmetic).unwrap();
    let host = Device::host();
    let by_host = Ntt::with_machine(&host, host.machine(), field, 1 << log_len, Kind::Cyclic).unwrap();
    let x = arrays(field, log_len, masks);
    let (mut expected, mut y) = (host.upload(&x).unwrap(), device.upload(&x).unwrap());
    by_host.forward(&mut expected).unwrap();
    ntt.forward_by(&mut y, plan).unwrap();
    let told = || format!("{device:?} {arithmetic} mod {} {plan}", field.order());
    assert!(y.download().unwrap() == expected.download().unwrap(), "{}", told());
    ntt.inverse_by(&mut y, plan).unwrap();
    assert!(y.download().unwrap() == x, "{}", told());
    // As spectra, in reversed order, they are the other way's worst.
    let (mut expected, mut y) = (host.upload(&x).unwrap(), device.upload(&x).unwrap());
    by_host.inverse(&mut expected).unwrap();
    ntt.inverse_by(&mut y, plan).unwrap();
    assert!(y.download().unwrap() == expected.download().unwrap(), "back {}", told());
}

fn every_shape<F: NttField + KernelField>(device: &Device, field: &F) {
    // Rounds of one to five levels; twisted values, which are any below p, in the last pass of two.
    let tiles = (1..=5).map(|log_regs| Plan { passes: vec![Pass::Tile { stages: 10, log_tile: 10, log_regs }] });
    let two = |log_regs| Plan {
        passes: vec![
            Pass::Columns { log_stride: 5, log_rows: 5, log_segment: 3, log_regs },
            Pass::Tile { stages: 5, log_tile: 5, log_regs },
        ],
    };
    let plans: Vec<Plan> = match device.info().kind {
        _ if simulated(device) => vec![two(4)],
        DeviceKind::Gpu => tiles.chain((1..=5).map(two)).collect(),
        _ => vec![two(4), two(5)],
    };
    for arithmetic in field.arithmetics() {
        if arithmetic == Arithmetic::Floating && !device.info().fp64 {
            continue;
        }
        for plan in &plans {
            one(device, field, arithmetic, plan, 10, if simulated(device) { 1 } else { 5 });
        }
    }
}

#[test]
fn ends_of_the_range_in_every_arithmetic() {
    for device in devices() {
        if matches!(device.executor(), Executor::Host(_)) {
            continue;
        }
        every_shape(&device, &Goldilocks);
        every_shape(&device, &PrimeField::<u32>::new(2_013_265_921).unwrap());
        // Just below 2^50, 2^62, 2^63.
        for p in [1_125_897_625_141_249, 4_611_686_009_971_671_041, 9_223_372_035_915_251_713] {
            every_shape(&device, &PrimeField::<u64>::new(p).unwrap());
        }
    }
}
