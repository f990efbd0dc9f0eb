//! Times the number-theoretic transform on the host, forward and back, for each kind of prime.
//!
//! ```text
//! cargo run --release -p manycore-transform --example host_ntt_speed -- 10 16 20 22 24
//! ```
//! The arguments are binary logarithms of lengths. Times are medians, in microseconds.

use std::time::Instant;

use manycore_device::Device;
use manycore_field::{Goldilocks, PrimeField, primes};
use manycore_transform::{Kind, Ntt, NttField};

type Failure = Box<dyn std::error::Error>;

/// The median time of `work`, in microseconds, over at least 9 measurements and 0.2 seconds.
fn median_microseconds(mut work: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    work()?;
    let begin = Instant::now();
    work()?;
    // As many calls in a row as make a time that the clock can tell.
    let turns = (5e-5 / begin.elapsed().as_secs_f64().max(1e-8)).ceil().max(1.0);
    let (mut times, start) = (Vec::new(), Instant::now());
    while times.len() < 9 || start.elapsed().as_secs_f64() < 0.2 {
        let begin = Instant::now();
        for _ in 0..turns as u32 {
            work()?;
        }
        times.push(begin.elapsed().as_secs_f64() * 1e6 / turns);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

/// The times of a transform of `2^log_len` values and of its inverse.
fn transform<F: NttField>(device: &Device, field: &F, log_len: u32) -> Result<String, Failure> {
    let ntt = Ntt::new(device, field, 1 << log_len, Kind::Cyclic)?;
    let x: Vec<F::Element> =
        (0..1u64 << log_len).map(|i| field.natural(i.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let mut x = device.upload(&x)?;
    let forward = median_microseconds(|| Ok(ntt.forward(&mut x)?))?;
    let inverse = median_microseconds(|| Ok(ntt.inverse(&mut x)?))?;
    Ok(format!("{forward:11.2} {inverse:11.2}"))
}

fn main() -> Result<(), Failure> {
    let mut log_lens = Vec::new();
    for argument in std::env::args().skip(1) {
        let log_len = argument.parse::<u32>()?;
        if log_len > 26 {
            return Err(format!("2^{log_len} values are too many for these primes").into());
        }
        log_lens.push(log_len);
    }
    if log_lens.is_empty() {
        log_lens = (10..=24).collect();
    }
    let prime = |bits| primes::ntt_primes(bits, 26).next().ok_or("no prime");
    let narrow = PrimeField::<u32>::new(469_762_049)?;
    let (floating, wide) = (PrimeField::<u64>::new(prime(50)?)?, PrimeField::<u64>::new(prime(62)?)?);
    let cores = std::thread::available_parallelism()?.get();
    let mut counts = vec![1, 2, cores];
    counts.retain(|&threads| threads <= cores);
    counts.dedup();
    println!(
        "threads log_len        469762049, back                 50 bits, back                 62 bits, back     2^64 - 2^32 + 1, back"
    );
    for threads in counts {
        let device = Device::host_with(threads)?;
        for &log_len in &log_lens {
            println!(
                "{threads:7} {log_len:7} {} {} {} {}",
                transform(&device, &narrow, log_len)?,
                transform(&device, &floating, log_len)?,
                transform(&device, &wide, log_len)?,
                transform(&device, &Goldilocks, log_len)?,
            );
        }
    }
    Ok(())
}
