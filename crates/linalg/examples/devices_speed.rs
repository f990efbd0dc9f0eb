//! Times of determinants of integers on one device and on several, which share the primes.
//!
//! `cargo run --release -p manycore-linalg --example devices_speed -- DEVICE[,DEVICE...] [ORDER...]`: matrices of random integers of
//! 63 bits; the best of three, in seconds, on each device alone and on all together.

use std::time::Instant;

use manycore_device::{Device, DeviceSet};
use manycore_linalg::exact::{Certainty, ExactDeterminant, determinant, determinant_on};
use manycore_verify::SplitMix;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// The least seconds of some runs, and the result.
fn best<T>(mut run: impl FnMut() -> Fallible<T>) -> Fallible<(f64, T)> {
    let mut timed = || {
        let start = Instant::now();
        let result = run()?;
        Ok::<_, Box<dyn std::error::Error>>((start.elapsed().as_secs_f64(), result))
    };
    let mut least = timed()?;
    for _ in 0..2 {
        let next = timed()?;
        least = if next.0 < least.0 { next } else { least };
    }
    Ok(least)
}

fn main() -> Fallible<()> {
    let mut arguments = std::env::args().skip(1);
    let names = arguments.next().unwrap_or_else(|| "host:1,host:1".into());
    let devices: Vec<Device> = names.split(',').map(Device::select).collect::<Result<_, _>>()?;
    let orders: Vec<usize> = arguments.map(|order| order.parse()).collect::<Result<_, _>>()?;
    for order in if orders.is_empty() { vec![50, 100] } else { orders } {
        let mut random = SplitMix::new(7);
        let words: Vec<i64> = (0..order * order).map(|_| random.next_word() as i64 >> 1).collect();
        let mut found: Option<ExactDeterminant> = None;
        for device in &devices {
            let (seconds, one) = best(|| Ok(determinant(device, order, &words, Certainty::Proved)?))?;
            println!("{order}: {} primes, {seconds:.3} s on {}", one.primes, device.info());
            if found.as_ref().is_some_and(|other| *other != one) {
                return Err("the devices differ".into());
            }
            found = Some(one);
        }
        let set = DeviceSet::equal(devices.clone())?;
        let (seconds, all) = best(|| Ok(determinant_on(&set, order, &words, Certainty::Proved)?))?;
        println!("{order}: {seconds:.3} s on all together");
        if found.is_some_and(|one| one != all) {
            return Err("all together differ".into());
        }
    }
    Ok(())
}
