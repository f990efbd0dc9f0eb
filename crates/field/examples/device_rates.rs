//! Rates of the multiplications on an OpenCL device, in G/s by the device's clock: `device_rates [DEVICE]`.

use std::error::Error;

use manycore_device::{Device, DeviceKind, Executor};
use manycore_field::kernels::{Step, repeat};
use manycore_field::{Arithmetic, Goldilocks, KernelField, PrimeField, ResidueWord};

/// Independent residues of a work-item.
const CHAINS: u32 = 8;

fn rates<F: KernelField>(device: &Device, field: &F) -> Result<(), Box<dyn Error>> {
    let gpu = device.info().kind == DeviceKind::Gpu;
    let len = if gpu { device.info().compute_units as usize * 2048 * CHAINS as usize } else { 1 << 14 };
    let times = if gpu { 2048 } else { 256 };
    let p = field.order();
    for arithmetic in field.arithmetics() {
        if arithmetic == Arithmetic::Floating && !device.info().fp64 {
            continue;
        }
        for step in [Step::Product, Step::Factor, Step::Montgomery, Step::Butterfly] {
            let x: Vec<F::Element> = (1..=len as u64).map(|i| F::Element::from_u64(i * 0x9e37_79b9 % p)).collect();
            let mut x = device.upload(&x)?;
            let b = F::Element::from_u64(p / 3);
            if repeat(field, arithmetic, step, &mut x, b, (1, CHAINS)).is_err() {
                continue; // no such product in this arithmetic
            }
            let mut seconds = Vec::new();
            for _ in 0..7 {
                let (done, time) = device.elapsed(|| repeat(field, arithmetic, step, &mut x, b, (times, CHAINS)))?;
                done?;
                seconds.push(time);
            }
            seconds.sort_by(f64::total_cmp);
            let count = if step == Step::Butterfly { len / 2 } else { len };
            let rate = count as f64 * f64::from(times) / seconds[seconds.len() / 2] / 1e9;
            println!("{:34} {:10} {rate:8.1} G/s", arithmetic.to_string(), format!("{step:?}").to_lowercase());
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let device = match std::env::args().nth(1) {
        Some(spec) => Device::select(&spec)?,
        None => Device::best(),
    };
    println!("{}", device.info().label());
    if matches!(device.executor(), Executor::Host(_)) {
        println!("the host's rates are those of the example host_rates");
        return Ok(());
    }
    rates(&device, &PrimeField::<u32>::new(2_013_265_921)?)?;
    rates(&device, &PrimeField::<u64>::new(1_125_897_625_141_249)?)?;
    rates(&device, &PrimeField::<u64>::new(9_223_372_035_915_251_713)?)?;
    rates(&device, &Goldilocks)
}
