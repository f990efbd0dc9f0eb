//! Number-theoretic transforms on a device, by the device's clock, in every arithmetic: `device_ntt_speed [DEVICE [candidates]]`.
//!
//! `queued` is the time where the launches are already queued when the device comes to them.

use std::error::Error;

use manycore_device::Device;
use manycore_field::{Arithmetic, Goldilocks, ModularField as _, PrimeField, ResidueWord};
use manycore_transform::{Kind, Ntt, NttField};

/// Times the model's choice, after a round trip that must give back what went in.
fn times<F: NttField>(
    device: &Device,
    field: &F,
    arithmetic: Arithmetic,
    sizes: &[(u32, u32)],
    candidates: bool,
) -> Result<(), Box<dyn Error>> {
    for &(log_len, log_batch) in sizes {
        let ntt = Ntt::new(device, field, 1 << log_len, Kind::Cyclic)?.with_arithmetic(arithmetic)?;
        let len = 1usize << (log_len + log_batch);
        let p = field.order();
        let value = |i: u64| F::Element::from_u64(i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) % p);
        let data: Vec<F::Element> = (1..=len as u64).map(value).collect();
        let mut x = device.upload(&data)?;
        ntt.forward(&mut x)?;
        ntt.inverse(&mut x)?;
        let right = x.download()? == data;
        let choice = ntt.explain(len)?;
        let queued = ntt.time(len, None)?;
        println!(
            "{:34} 2^{log_len} x 2^{log_batch}: {:8.1} us, queued {:8.1}, predicted {:8.1}{} {}",
            arithmetic.to_string(),
            ntt.time_as_enqueued(len, None)? * 1e6,
            queued * 1e6,
            choice.best().prediction.seconds * 1e6,
            if right { "" } else { " WRONG" },
            choice.best().parameters
        );
        if candidates {
            for candidate in choice.candidates().iter().take(12) {
                let plan = &candidate.parameters;
                let (time, queued) = (ntt.time_as_enqueued(len, Some(plan))? * 1e6, ntt.time(len, Some(plan))? * 1e6);
                let predicted = candidate.prediction.seconds * 1e6;
                println!("    {time:8.1} us, queued {queued:8.1}, predicted {predicted:8.1} {plan}");
            }
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
    if std::env::args().nth(2).is_some_and(|word| word == "candidates") {
        let lengths = [(12, 0), (14, 0), (16, 0), (18, 0), (20, 0), (22, 0), (24, 0)];
        return times(&device, &PrimeField::<u32>::new(469_762_049)?, Arithmetic::Word32, &lengths, true);
    }
    let all: Vec<(u32, u32)> = [10, 12, 13, 14, 16, 18, 20, 22, 24, 26].map(|log| (log, 0)).to_vec();
    let long = [(12, 0), (16, 0), (20, 0), (22, 0), (24, 0)];
    times(
        &device,
        &PrimeField::<u32>::new(469_762_049)?,
        Arithmetic::Word32,
        &[&all[..], &[(12, 14)]].concat(),
        false,
    )?;
    times(&device, &PrimeField::<u32>::new(2_013_265_921)?, Arithmetic::Word32, &[(20, 0), (24, 0), (26, 0)], false)?;
    times(
        &device,
        &PrimeField::<u64>::new(4_611_686_009_971_671_041)?,
        Arithmetic::Word64 { lazy: true },
        &long,
        false,
    )?;
    times(
        &device,
        &PrimeField::<u64>::new(9_223_372_035_915_251_713)?,
        Arithmetic::Word64 { lazy: false },
        &long,
        false,
    )?;
    times(&device, &Goldilocks, Arithmetic::Goldilocks, &long, false)?;
    let floating = PrimeField::<u64>::new(1_125_897_625_141_249)?;
    if device.info().fp64 && floating.two_adicity() >= 24 {
        times(&device, &floating, Arithmetic::Floating, &long, false)?;
    }
    Ok(())
}
