//! Times greatest common divisors in every way that a device has, beside their estimates, and batches of short ones.
//!
//! ```text
//! cargo run --release -p manycore-poly --example gcd_speed -- host,opencl:0 469762049 8 1000 4000 10000 65536 10000x65
//! ```
//! The arguments are devices, a modulus (`goldilocks` for 2^64 - 2^32 + 1), how many candidates of each algorithm to time,
//! and numbers of coefficients, `COUNTxN` for a batch. Times are medians in microseconds, as a user waits for them, results on
//! the device; those of a batch are for each pair.

use std::collections::HashMap;
use std::io::Write as _;
use std::time::Instant;

use manycore_device::Device;
use manycore_field::{Goldilocks, PrimeField};
use manycore_poly::{GcdShape, PolyField, PolyRing};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [devices, modulus, most, sizes @ ..] = arguments.as_slice() else {
        return Err("devices, modulus, candidates, sizes".into());
    };
    for device in devices.split(',') {
        let (device, most) = (Device::select(device)?, most.parse()?);
        match modulus.parse::<u64>() {
            Err(_) => table(&device, Goldilocks, most, sizes)?,
            Ok(p) => match u32::try_from(p).ok().map(PrimeField::<u32>::new) {
                Some(Ok(field)) => table(&device, field, most, sizes)?,
                _ => table(&device, PrimeField::<u64>::new(p)?, most, sizes)?,
            },
        }
    }
    Ok(())
}

fn table<F: PolyField>(device: &Device, field: F, most: usize, sizes: &[String]) -> Result<(), Failure> {
    let ring = PolyRing::new(device, field)?;
    println!("{} mod {}, {}", device.info(), ring.field().order(), ring.arithmetic());
    for size in sizes {
        let (count, n) = size.split_once('x').unwrap_or(("1", size));
        let (count, n) = (count.parse::<usize>()?, n.parse::<usize>()?);
        let shape = GcdShape { count, n, m: n };
        let choice = ring.explain_gcd_batch(&shape)?;
        let (a, b) = (ring.random(n, 1)?, ring.random(n, 2)?);
        let batches = (ring.random_batch(count, n, 3)?, ring.random_batch(count, n, 4)?);
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for candidate in choice.candidates() {
            let plan = &candidate.parameters;
            let name = plan.to_string();
            let kind = if name.contains("local") { "local" } else { plan.algorithm().name() };
            let times = seen.entry(kind).or_default();
            *times += 1;
            if *times > most || (count > 1 && plan.algorithm().name() != "euclid" && kind != "local") {
                continue;
            }
            print!("{size:>10}  estimated {:>10.2}", candidate.estimate.seconds * 1e6 / count as f64);
            // A candidate that fails has its name said.
            std::io::stdout().flush()?;
            let seconds = median(device, || match count {
                1 => ring.gcd_by(&a, &b, plan).map(|_| ()),
                _ => ring.gcd_batch_by(&batches.0, &batches.1, Some(plan)).map(|_| ()),
            });
            let seconds = seconds.inspect_err(|_| println!("  {plan}"))? / count as f64;
            println!("  measured {:>10.2}  {plan}", seconds * 1e6);
        }
    }
    Ok(())
}

/// The median of several runs, after one that builds kernels.
fn median<E: From<manycore_device::DeviceError>>(
    device: &Device,
    mut work: impl FnMut() -> Result<(), E>,
) -> Result<f64, E> {
    let mut run = || -> Result<f64, E> {
        let begin = Instant::now();
        work()?;
        device.finish()?;
        Ok(begin.elapsed().as_secs_f64())
    };
    let first = run()?;
    let runs = if first > 1.0 { 3 } else { 11 };
    let mut all = (0..runs).map(|_| run()).collect::<Result<Vec<_>, _>>()?;
    all.sort_by(f64::total_cmp);
    Ok(all[all.len() / 2])
}
