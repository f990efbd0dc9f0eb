//! Times the Walsh-Hadamard transform on the host, for every type, beside the time of one pass over the memory of the
//! 4-byte types.
//!
//! ```text
//! cargo run --release -p manycore-spectral --example host_walsh_speed -- 10 16 20 22 24 26
//! ```
//! The arguments are binary logarithms of lengths. Times are medians, in milliseconds.

use std::time::Instant;

use manycore_device::Device;
use manycore_spectral::{Order, Scalar, Spectral, Walsh};

type Failure = Box<dyn std::error::Error>;

/// The median time of `work`, in milliseconds, over at least 5 calls and a quarter of a second.
fn median_milliseconds(mut work: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    work()?;
    let (mut times, start) = (Vec::new(), Instant::now());
    while times.len() < 5 || start.elapsed().as_secs_f64() < 0.25 {
        let begin = Instant::now();
        work()?;
        times.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

/// The time of a transform of `2^log_len` zeros: the time does not depend on the values.
fn transform<T: Scalar>(spectral: &Spectral, log_len: u32, how: &Walsh) -> Result<f64, Failure> {
    let mut x = spectral.device().upload(&vec![T::default(); 1 << log_len])?;
    median_milliseconds(|| Ok(spectral.walsh(&mut x, how)?))
}

/// The time to read and write `2^log_len` numbers of 4 bytes once, on one thread.
fn pass(log_len: u32) -> Result<f64, Failure> {
    let mut x = vec![0_i32; 1 << log_len];
    median_milliseconds(|| {
        for value in std::hint::black_box(&mut x) {
            *value = value.wrapping_add(1);
        }
        Ok(())
    })
}

fn main() -> Result<(), Failure> {
    let mut log_lens = Vec::new();
    for argument in std::env::args().skip(1) {
        let log_len = argument.parse::<u32>()?;
        if log_len > 32 {
            return Err(format!("2^{log_len} values are too many for this example").into());
        }
        log_lens.push(log_len);
    }
    if log_lens.is_empty() {
        log_lens = vec![10, 16, 20, 22, 24];
    }
    let cores = std::thread::available_parallelism()?.get();
    let mut counts = vec![1, 2, cores];
    counts.retain(|&threads| threads <= cores);
    counts.dedup();
    println!("threads log_len        f32        i32        f64        i64  f32 dyadic  f32 sequency  one pass");
    for threads in counts {
        let spectral = Spectral::new(&Device::host_with(threads)?);
        let natural = Walsh::new();
        for &log_len in &log_lens {
            println!(
                "{threads:7} {log_len:7} {:10.4} {:10.4} {:10.4} {:10.4}  {:10.4}  {:12.4}  {:8.4}",
                transform::<f32>(&spectral, log_len, &natural)?,
                transform::<i32>(&spectral, log_len, &natural)?,
                transform::<f64>(&spectral, log_len, &natural)?,
                transform::<i64>(&spectral, log_len, &natural)?,
                transform::<f32>(&spectral, log_len, &natural.clone().order(Order::Dyadic))?,
                transform::<f32>(&spectral, log_len, &natural.clone().order(Order::Sequency))?,
                pass(log_len)?,
            );
        }
    }
    Ok(())
}
