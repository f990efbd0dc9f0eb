//! Times greatest common divisors, extended ones and resultants of coprime random polynomials by half-gcd, on one thread of the
//! host.
//!
//! ```text
//! cargo run --release -p manycore-poly --example half_gcd_speed -- 469762049 4000 10000 65536
//! ```
//! The arguments are a modulus of at most 31 bits and numbers of coefficients; each pair has `n` and `n - 1` of them. Times are
//! medians, in milliseconds.

use std::time::Instant;

use manycore_device::Device;
use manycore_field::PrimeField;
use manycore_poly::{PolyError, PolyRing};

type Failure = Box<dyn std::error::Error>;

/// Runs of each measurement.
const RUNS: usize = 9;

fn median(mut work: impl FnMut() -> Result<(), PolyError>) -> Result<f64, PolyError> {
    work()?;
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let start = Instant::now();
        work()?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[RUNS / 2])
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [modulus, sizes @ ..] = arguments.as_slice() else { return Err("modulus, sizes".into()) };
    let device = Device::host_with(1)?;
    let ring = PolyRing::new(&device, PrimeField::<u32>::new(modulus.parse()?)?)?;
    println!("{}, one thread, mod {modulus}: milliseconds", device.info());
    for n in sizes {
        let n: usize = n.parse()?;
        let (a, b) = (ring.random(n, 1)?, ring.random(n - 1, 2)?);
        let resultant = median(|| ring.resultant(&a, &b).map(drop))?;
        let extended = median(|| ring.xgcd(&a, &b).map(drop))?;
        println!("{n:>8} coefficients  resultant {resultant:>9.3}  extended gcd {extended:>9.3}");
    }
    Ok(())
}
