//! Speed and memory of the cache simulators.
//!
//! `cargo run --release -p manycore-model --example cache_speed -- [accesses] [simulator] [cache lines] [ways] [repeats]`
//!
//! Defaults: 100000000 accesses, `all` simulators, 32768 lines of 8 words (2 MiB of doubles), 8 ways, once. As many
//! ways as lines make a fully associative cache. Seconds are the median of the repeats and include the making of the
//! trace: the processor's time as Linux counts it, which other programs disturb less than the clock's, which is taken
//! elsewhere. Peak memory is that of one trace as Linux counts it, with the 2 MiB or so of the program itself, and 0
//! elsewhere.

use std::time::Instant;

use manycore_model::cache::{
    Classifier, Geometry, LeastRecentlyUsed, Optimal, Report, ReuseDistances, SetAssociative, Simulator,
};

type Trace = Box<dyn Fn(u64) -> u64>;

const SIMULATORS: [&str; 5] = ["optimal", "least-recently-used", "set-associative", "classifier", "reuse-distances"];

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

fn traces() -> [(&'static str, Trace); 6] {
    [
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
        // The worst for the table of lines: none has neighbours.
        ("random on 10^6 lines afar", Box::new(|i| mixed(mixed(i) % 1_000_000) >> 1)),
        ("random words on 2^26 lines", Box::new(|i| mixed(i) % (1 << 29))),
    ]
}

fn simulate(
    name: &str,
    geometry: Geometry,
    ways: u64,
    addresses: impl Iterator<Item = u64>,
) -> Result<Report, Box<dyn std::error::Error>> {
    Ok(match name {
        "optimal" => Optimal::new(geometry).run(addresses),
        "least-recently-used" => LeastRecentlyUsed::new(geometry).run(addresses),
        "set-associative" => SetAssociative::new(geometry, ways)?.run(addresses),
        "classifier" => Classifier::new(geometry, ways)?.run(addresses),
        "reuse-distances" => {
            let mut distances = ReuseDistances::new(geometry.line_words())?;
            distances.run(addresses);
            distances.report(geometry.lines())
        }
        _ => return Err(format!("{name}: the simulators are {} and all", SIMULATORS.join(", ")).into()),
    })
}

/// Processor time of the process on Linux, elsewhere the time since `start`.
fn seconds_since(start: Instant) -> f64 {
    let statistics = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = statistics.split_whitespace().next().and_then(|count| count.parse::<f64>().ok());
    nanoseconds.filter(|&count| count > 0.0).map_or(start.elapsed().as_secs_f64(), |count| count / 1e9)
}

/// Peak memory of the process since the last call of [`forget_peak`].
fn peak_mebibytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kibibytes.unwrap_or(0.0) / 1024.0
}

/// Lets Linux count the peak anew from the memory in use. Where that is refused, the peak is that of all traces so far.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, default: u64| arguments.get(index).map_or(Ok(default), |text| text.parse::<u64>());
    let (accesses, lines) = (number(0, 100_000_000)?, number(2, 1 << 15)?);
    let (ways, repeats) = (number(3, 8)?, number(4, 1)?.max(1));
    let name = arguments.get(1).map_or("all", String::as_str);
    let names = if name == "all" { &SIMULATORS[..] } else { &[name] };
    let geometry = Geometry::with_lines(lines, 8)?;
    let start = Instant::now();
    for name in names {
        println!("{name}: {lines} lines of 8 words, {ways} ways where it has sets, {accesses} accesses a trace");
        println!(
            "{:<28} {:>9} {:>11} {:>12} {:>10} {:>10}",
            "trace", "seconds", "ns/access", "misses", "distinct", "peak MiB"
        );
        for (title, trace) in traces() {
            forget_peak();
            let (mut seconds, mut report) = (Vec::new(), Report::default());
            for _ in 0..repeats {
                let before = seconds_since(start);
                report = simulate(name, geometry, ways, (0..accesses).map(&trace))?;
                seconds.push(seconds_since(start) - before);
            }
            seconds.sort_by(f64::total_cmp);
            let median = seconds[seconds.len() / 2];
            println!(
                "{title:<28} {median:>9.2} {:>11.1} {:>12} {:>10} {:>10.1}",
                median * 1e9 / accesses.max(1) as f64,
                report.misses,
                report.compulsory,
                peak_mebibytes()
            );
        }
    }
    Ok(())
}
