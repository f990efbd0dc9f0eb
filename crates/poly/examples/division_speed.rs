//! Times divisions by every algorithm and its parameters, beside their estimates: for the sizes at which one algorithm
//! overtakes another.
//!
//! ```text
//! cargo run --release -p manycore-poly --example division_speed -- host:1 469762049 5 4000x2000 10000x5000 65536x32768
//! ```
//! The arguments are a device, a modulus (`goldilocks` for 2^64 - 2^32 + 1), how many candidates to time of those with the best
//! estimates, and the coefficients of dividends and divisors. Times are medians, in microseconds: of the candidates with the
//! copy of the dividend, then of [`PolyRing::div_rem`], of the quotient alone, of the remainder by a divisor whose inverse is
//! kept, and of one product of quotient and divisor.

use std::io::Write as _;
use std::time::Instant;

use manycore_device::Device;
use manycore_field::{Goldilocks, PrimeField};
use manycore_poly::{PolyError, PolyField, PolyRing};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [device, modulus, most, sizes @ ..] = arguments.as_slice() else {
        return Err("device, modulus, candidates, sizes".into());
    };
    let device = match device.strip_prefix("host:") {
        Some(threads) => Device::host_with(threads.parse()?)?,
        None => Device::select(device)?,
    };
    let most = most.parse()?;
    match modulus.parse::<u64>() {
        Err(_) => table(&device, Goldilocks, most, sizes),
        Ok(p) => match u32::try_from(p).ok().map(PrimeField::<u32>::new) {
            Some(Ok(field)) => table(&device, field, most, sizes),
            _ => table(&device, PrimeField::<u64>::new(p)?, most, sizes),
        },
    }
}

fn table<F: PolyField>(device: &Device, field: F, most: usize, sizes: &[String]) -> Result<(), Failure> {
    let ring = PolyRing::new(device, field)?;
    println!("{} mod {}, {}", device.info(), ring.field().order(), ring.arithmetic());
    for size in sizes {
        let (n, m) = size.split_once('x').ok_or("a size is two lengths, as 4000x2000")?;
        let (n, m) = (n.parse::<usize>()?, m.parse::<usize>()?);
        let choice = ring.explain_division(n, m)?;
        for candidate in choice.candidates().iter().take(most) {
            let estimated = candidate.estimate.seconds;
            print!("{n:>8} by {m:>8}  estimated {:>10.2}", estimated * 1e6);
            // A candidate that fails has its name said.
            std::io::stdout().flush()?;
            let seconds = ring.time_division(n, m, &candidate.parameters);
            let seconds = seconds.inspect_err(|_| println!("  {}", candidate.parameters))?;
            let ratio = seconds / estimated;
            println!("  measured {:>10.2}  ratio {ratio:>6.2}  {}", seconds * 1e6, candidate.parameters);
        }
        let (a, b) = (ring.random(n, 1)?, ring.random(m, 2)?);
        let (q, _) = ring.div_rem(&a, &b)?;
        let divisor = ring.divisor(ring.copy(&b)?)?;
        let times = [
            ("div_rem", median(&ring, || ring.div_rem(&a, &b).map(drop))?),
            ("div", median(&ring, || ring.div(&a, &b).map(drop))?),
            ("rem_with", median(&ring, || ring.rem_with(&a, &divisor).map(drop))?),
            ("mul", median(&ring, || ring.mul(&q, &b).map(drop))?),
        ];
        for (name, seconds) in times {
            println!("{n:>8} by {m:>8}  {name:<8} {:>10.2}", seconds * 1e6);
        }
    }
    Ok(())
}

/// The median seconds of a run as a user waits for it.
fn median<F: PolyField>(ring: &PolyRing<F>, run: impl Fn() -> Result<(), PolyError>) -> Result<f64, Failure> {
    run()?;
    let mut times = Vec::new();
    let begun = Instant::now();
    while times.len() < 9 || (begun.elapsed().as_secs_f64() < 0.3 && times.len() < 2000) {
        let start = Instant::now();
        run()?;
        // A word of the device is read, so that it has done what it was given.
        ring.coefficient(&ring.one()?, 0)?;
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}
