//! Times resultants and decompositions of dense random systems.
//!
//! ```text
//! cargo run --release -p manycore-bivariate --example bivariate_speed -- host:1 469762049 60 256
//! ```
//! The arguments are a device, a modulus of at most 31 bits, and total degrees; `32x64` stands for polynomials with 32 coefficients in `y`
//! and 64 in `x`. Each line has medians of the resultant, of the decomposition and, with the roots, of the solution, in milliseconds.

use std::time::Instant;

use manycore_bivariate::{Bivariate, BivariateError, BivariateRing, Variable};
use manycore_device::Device;
use manycore_field::PrimeField;

type Failure = Box<dyn std::error::Error>;

/// Runs of each measurement, after one that is not timed.
const RUNS: usize = 5;

fn median(device: &Device, mut work: impl FnMut() -> Result<(), BivariateError>) -> Result<f64, Failure> {
    work()?;
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let start = Instant::now();
        work()?;
        device.finish()?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[RUNS / 2])
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [device, modulus, systems @ ..] = arguments.as_slice() else { return Err("device, modulus, degrees".into()) };
    let device = Device::select(device)?;
    let field = PrimeField::<u32>::new(modulus.parse()?)?;
    let ring = BivariateRing::new(&device, field)?;
    println!("{}, mod {modulus}: milliseconds", device.info());
    for system in systems {
        let make = |seed| -> Result<Bivariate<PrimeField<u32>>, Failure> {
            Ok(match system.split_once('x') {
                Some((y, x)) => {
                    Bivariate::random_rectangle(&field, x.parse::<usize>()? - 1, y.parse::<usize>()? - 1, seed)?
                }
                None => Bivariate::random(&field, system.parse()?, seed)?,
            })
        };
        let (f, g) = (make(1)?, make(2)?);
        let resultant = median(&device, || ring.resultant(&f, &g, Variable::Y).map(drop))?;
        let decomposition = median(&device, || ring.decompose(&f, &g).map(drop))?;
        let solution = median(&device, || ring.solve(&f, &g).map(drop))?;
        println!(
            "{system:>8}  resultant {resultant:>10.3}  decomposition {decomposition:>10.3}  solution {solution:>10.3}"
        );
        let (made, profile) = device.profile(|| ring.decompose(&f, &g).map(drop))?;
        made?;
        println!("{profile}");
    }
    Ok(())
}
