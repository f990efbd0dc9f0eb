//! Speed and memory of the cache simulators.
//!
//! `cargo run --release -p manycore-model --example cache_speed -- [accesses in millions] [simulator] [cache lines]`
//!
//! Simulators: `optimal` (default), `least-recently-used`, `set-associative`, `reuse-distances`. Peak memory is the
//! process's so far, as Linux counts it; 0 elsewhere.

use std::time::Instant;

use manycore_model::cache::{Geometry, LeastRecentlyUsed, Optimal, Report, ReuseDistances, SetAssociative, Simulator};

type Trace = Box<dyn Fn(u64) -> u64>;

/// Address of access `i` of C = C + A B on matrices of order `n`, four accesses a step.
fn matrix_product(n: u64) -> Trace {
    Box::new(move |i| {
        let (step, operand) = (i / 4, i % 4);
        let (row, column, inner) = (step / (n * n) % n, step / n % n, step % n);
        match operand {
            0 => row * n + inner,
            1 => n * n + inner * n + column,
            _ => 2 * n * n + row * n + column,
        }
    })
}

/// A hash of `i` by two multiplications: random enough for a trace, and nearly free.
fn mixed(i: u64) -> u64 {
    let x = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}

fn simulate(name: &str, geometry: Geometry, addresses: impl Iterator<Item = u64>) -> Option<Report> {
    Some(match name {
        "optimal" => Optimal::new(geometry).run(addresses),
        "least-recently-used" => LeastRecentlyUsed::new(geometry).run(addresses),
        "set-associative" => SetAssociative::new(geometry, 8).ok()?.run(addresses),
        "reuse-distances" => {
            let mut distances = ReuseDistances::new(geometry.line_words()).ok()?;
            distances.run(addresses);
            distances.report(geometry.lines())
        }
        _ => return None,
    })
}

fn peak_mebibytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kibibytes.unwrap_or(0.0) / 1024.0
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let accesses = arguments.next().map_or(Ok(100), |text| text.parse::<u64>())?.saturating_mul(1_000_000);
    let name = arguments.next().unwrap_or_else(|| "optimal".into());
    // By default 32 768 lines of 8 words: 2 MiB of doubles.
    let lines = arguments.next().map_or(Ok(1 << 15), |text| text.parse::<u64>())?;
    let geometry = Geometry::with_lines(lines, 8)?;
    let traces: [(&str, Trace); 4] = [
        ("matrix product, order 512", matrix_product(512)),
        ("stream over 2^23 words", Box::new(|i| i & ((1 << 23) - 1))),
        ("random words on 10^6 lines", Box::new(|i| mixed(i) % 8_000_000)),
        (
            "random, 90 % on 2^14 lines",
            Box::new(|i| {
                let word = mixed(i);
                if word % 10 < 9 { (word >> 8) % (1 << 17) } else { (word >> 8) % 8_000_000 }
            }),
        ),
    ];
    println!("{name}: {} lines of {} words, {accesses} accesses a trace", geometry.lines(), geometry.line_words());
    println!(
        "{:<28} {:>9} {:>11} {:>12} {:>10} {:>10}",
        "trace", "seconds", "ns/access", "misses", "distinct", "peak MiB"
    );
    for (title, trace) in traces {
        let start = Instant::now();
        let report = simulate(&name, geometry, (0..accesses).map(&trace)).ok_or("no such simulator")?;
        let seconds = start.elapsed().as_secs_f64();
        let nanoseconds = seconds * 1e9 / accesses.max(1) as f64;
        println!(
            "{title:<28} {seconds:>9.2} {nanoseconds:>11.1} {:>12} {:>10} {:>10.1}",
            report.misses,
            report.compulsory,
            peak_mebibytes()
        );
    }
    Ok(())
}
