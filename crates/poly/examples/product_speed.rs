//! Times products by every algorithm and its parameters, beside their estimates: for the sizes at which one algorithm
//! overtakes another.
//!
//! ```text
//! cargo run --release -p manycore-poly --example product_speed -- host 469762049 10 6 8 10 12
//! ```
//! The arguments are a device, a modulus (`goldilocks` for 2^64 - 2^32 + 1), how many candidates of each algorithm to
//! time, and binary logarithms of the numbers of coefficients; `KxN` stands for a batch of 2^K products. Times are
//! medians, in microseconds.

use std::collections::HashMap;
use std::io::Write as _;

use manycore_device::Device;
use manycore_field::{Goldilocks, PrimeField};
use manycore_poly::{Algorithm, Operation, PolyField, PolyRing, Shape};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [device, modulus, most, sizes @ ..] = arguments.as_slice() else {
        return Err("device, modulus, candidates, sizes".into());
    };
    let (device, most) = (Device::select(device)?, most.parse()?);
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
        let (log_count, log_len) = size.split_once('x').unwrap_or(("0", size));
        let (count, n) = (1usize << log_count.parse::<u32>()?, 1usize << log_len.parse::<u32>()?);
        let operation = Operation::Products(Shape { count, ..Shape::full(n, n) });
        let choice = ring.explain(operation)?;
        let mut seen: HashMap<String, usize> = HashMap::new();
        for candidate in choice.candidates() {
            let kind = match candidate.parameters.algorithm() {
                Algorithm::TwoPhase { .. } => "two-phase".to_owned(),
                other => other.to_string(),
            };
            let times = seen.entry(kind).or_default();
            *times += 1;
            if *times > most {
                continue;
            }
            let estimated = candidate.estimate.seconds;
            print!("{count:>5} x {n:>7}  estimated {:>10.2}", estimated * 1e6);
            // A candidate that fails has its name said.
            std::io::stdout().flush()?;
            let seconds = ring.time(operation, &candidate.parameters);
            let seconds = seconds.inspect_err(|_| println!("  {}", candidate.parameters))?;
            let ratio = seconds / estimated;
            println!("  measured {:>10.2}  ratio {ratio:>6.2}  {}", seconds * 1e6, candidate.parameters);
        }
    }
    Ok(())
}
