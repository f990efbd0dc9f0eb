//! Throughput and fairness of threads that share one ring or one transform: products of polynomials and number-theoretic transforms
//! on the host with one thread, on the host with all, and on a device.
//!
//! ```console
//! $ cargo run --release -p manycore --example shared_ring -- 2 opencl:0
//! ```
//!
//! The first argument is the seconds of each measurement, 1 without it; the second names a device beside the host. Columns: what is
//! done, where, the threads that do it, calls in a second of all of them together, the same over what one thread does alone, and the
//! calls of the slowest thread over those of the fastest, 1 where all come forward alike.

use std::error::Error;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use manycore::ntt::Kind;
use manycore::{Device, Ntt, PolyRing, PrimeField};

const THREADS: [usize; 5] = [1, 2, 4, 8, 16];
const PRIME: u32 = 469_762_049;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;
/// One call of what is measured: it waits for its result.
type Call<'a> = Box<dyn FnMut() -> Outcome<()> + Send + 'a>;

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().map_or(Ok(1.0), |text| text.parse())?;
    let mut devices = vec![("host:1", Device::host_with(1)?), ("host", Device::host())];
    let spec = arguments.next();
    if let Some(spec) = &spec {
        devices.push((spec, Device::select(spec)?));
    }
    println!(
        "{:<16} {:<10} {:>7} {:>12} {:>8} {:>9}",
        "operation", "device", "threads", "calls/s", "speedup", "fairness"
    );
    for (name, device) in &devices {
        for log_len in [12, 16] {
            let ring = PolyRing::new(device, PrimeField::<u32>::new(PRIME)?)?;
            let len = 1 << log_len;
            measure(&format!("product 2^{log_len}"), name, seconds, |thread| {
                let (f, g) = (ring.random(len, thread)?, ring.random(len, thread + 100)?);
                let ring = &ring;
                Ok(Box::new(move || {
                    let product = ring.mul(&f, &g)?;
                    // A word of the result is there when all of it is.
                    std::hint::black_box(ring.coefficient(&product, 0)?);
                    Ok(())
                }))
            })?;
        }
        let ntt = Ntt::new(device, &PrimeField::<u32>::new(PRIME)?, 1 << 16, Kind::Cyclic)?;
        measure("ntt 2^16", name, seconds, |thread| {
            let mut x = device.upload(&(0..1 << 16).map(|i| i * 7 + thread as u32).collect::<Vec<_>>())?;
            let (ntt, mut last) = (&ntt, vec![0; 1]);
            Ok(Box::new(move || {
                ntt.forward(&mut x)?;
                x.view(..1)?.read_into(&mut last)?;
                Ok(())
            }))
        })?;
    }
    Ok(())
}

/// Measures calls that `make` makes for each thread, with each number of threads, and prints a line for each.
fn measure<'a>(what: &str, name: &str, seconds: f64, make: impl Fn(u64) -> Outcome<Call<'a>>) -> Outcome<()> {
    let mut alone = None;
    for threads in THREADS {
        let calls = (0..threads as u64).map(&make).collect::<Outcome<Vec<_>>>()?;
        let rates = together(calls, Duration::from_secs_f64(seconds))?;
        let all: f64 = rates.iter().sum();
        let (slowest, fastest) = rates.iter().fold((f64::INFINITY, 0.0f64), |(s, f), &x| (s.min(x), f.max(x)));
        let speedup = all / *alone.get_or_insert(all);
        let fairness = slowest / fastest;
        println!("{what:<16} {name:<10} {threads:>7} {all:>12.1} {speedup:>8.2} {fairness:>9.2}");
    }
    Ok(())
}

/// Does each call over and over on a thread of its own, all at the same time; calls of each thread in a second.
fn together(calls: Vec<Call<'_>>, time: Duration) -> Outcome<Vec<f64>> {
    let (begins, ends) = (&Barrier::new(calls.len() + 1), &AtomicBool::new(false));
    std::thread::scope(|scope| {
        let run = |mut call: Call<'_>| -> Outcome<f64> {
            // The first one builds tables and kernels; everybody comes to the barrier, whatever came of it.
            let first = call();
            begins.wait();
            first?;
            let (begin, mut count) = (Instant::now(), 0.0);
            while !ends.load(Ordering::Relaxed) {
                call()?;
                count += 1.0;
            }
            Ok(count / begin.elapsed().as_secs_f64())
        };
        let threads: Vec<_> = calls.into_iter().map(|call| scope.spawn(move || run(call))).collect();
        begins.wait();
        std::thread::sleep(time);
        ends.store(true, Ordering::Relaxed);
        let join = |thread: std::thread::ScopedJoinHandle<'_, Outcome<f64>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect()
    })
}
