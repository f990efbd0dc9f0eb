//! Times spectra of functions and whole tables of 16-bit S-boxes on a device: medians of several runs by the device's clock,
//! with what was found checked.
//!
//! ```text
//! cargo run --release -p manycore-boolean --example device_boolean_speed -- opencl:0
//! ```
//! The first argument is the device. Without more, the cases are the spectra of functions of 20, 24 and 28 variables and the
//! tables of two S-boxes of 16 bits, a random permutation and the cube in GF(2^16), whose values are known. Else each
//! argument is a case: `n=24` for a function of 24 variables, `m=12` for S-boxes of 12 bits. `blocks` also times every candidate cut
//! of the tables.

use std::time::Instant;

use manycore_boolean::{Boolean, SBox, TruthTable};
use manycore_device::{Device, DeviceError};

type Failure = Box<dyn std::error::Error>;

/// Measurements, of which the median is printed.
const RUNS: usize = 7;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((device, cases)) = arguments.split_first() else {
        return Err("which device? then cases, such as n=24 or m=12".into());
    };
    let device = Device::select(device)?;
    println!("{}", device.info());
    let boolean = Boolean::new(&device);
    let usual = ["n=20", "n=24", "n=28", "m=16"].map(String::from);
    let only_blocks = cases.iter().all(|case| case == "blocks");
    println!("{:<34}{:>12}{:>12}{:>14}   found", "case", "us", "best us", "estimate us");
    for case in if only_blocks { &usual } else { cases } {
        match case.split_once('=') {
            Some(("n", variables)) => function(&boolean, variables.parse()?)?,
            Some(("m", bits)) => sboxes(&boolean, bits.parse()?, cases.iter().any(|case| case == "blocks"))?,
            _ if case == "blocks" => {}
            _ => return Err(format!("{case}: cases are n=24 or m=12").into()),
        }
    }
    Ok(())
}

/// The median and the least seconds of `work` by the device's clock, and what it gave, after a run that builds kernels.
fn seconds<R, E: From<DeviceError>>(
    device: &Device,
    mut work: impl FnMut() -> Result<R, E>,
) -> Result<(f64, f64, R), E> {
    let mut result = work()?;
    let mut all = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let (outcome, seconds) = device.elapsed(&mut work)?;
        result = outcome?;
        all.push(seconds);
    }
    all.sort_by(f64::total_cmp);
    Ok((all[RUNS / 2], all[0], result))
}

fn line(case: &str, (median, best): (f64, f64), estimate: Option<f64>, found: &str) {
    let estimate = estimate.map_or_else(|| "-".into(), |seconds| format!("{:.1}", seconds * 1e6));
    println!("{case:<34}{:>12.1}{:>12.1}{estimate:>14}   {found}", median * 1e6, best * 1e6);
}

/// Each step of what a function's properties take.
fn function(boolean: &Boolean, n: u32) -> Result<(), Failure> {
    let device = boolean.device();
    // x1 x2 + x3 x4 + ..., which is bent for even n, and a random-looking function.
    let bent = TruthTable::from_fn(n, |x| (x & x >> 1 & 0x5555_5555_5555_5555).count_ones() % 2 == 1)?;
    let mixed =
        TruthTable::from_fn(n, |x| x.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).count_ones() % 2 == 1)?;
    let (bent, mixed) = (boolean.upload(&bent)?, boolean.upload(&mixed)?);
    let (median, best, spectrum) = seconds(device, || boolean.walsh(&mixed))?;
    line(&format!("n={n} Walsh spectrum"), (median, best), None, "");
    let (median, best, summary) = seconds(device, || boolean.walsh_summary(&spectrum))?;
    check(summary.sum_of_squares() == 1 << (2 * n), "Parseval's sum")?;
    line(&format!("n={n} its sums"), (median, best), None, &format!("nonlinearity {}", summary.nonlinearity()));
    let (median, best, histogram) = seconds(device, || boolean.histogram(&spectrum))?;
    check(histogram.total() == 1 << n, "the number of coefficients")?;
    line(&format!("n={n} its histogram"), (median, best), None, &format!("{} values", histogram.counts.len()));
    let (median, best, r) = seconds(device, || boolean.autocorrelation(&spectrum))?;
    let summary = boolean.autocorrelation_summary(&r)?;
    check(summary.most_by_weight()[0] == 1 << n, "r(0)")?;
    line(
        &format!("n={n} autocorrelation"),
        (median, best),
        None,
        &format!("indicator {}", summary.absolute_indicator()),
    );
    drop((spectrum, r));
    let (median, best, anf) = seconds(device, || boolean.reed_muller(&mixed))?;
    let (terms, degree) = boolean.weigh(&anf)?;
    line(&format!("n={n} normal form"), (median, best), None, &format!("{terms} terms, degree {degree}"));
    let (median, best, spectrum) = seconds(device, || boolean.walsh(&bent))?;
    let summary = boolean.walsh_summary(&spectrum)?;
    check(n % 2 == 1 || summary.is_bent(), "a bent function's spectrum")?;
    line(
        &format!("n={n} Walsh spectrum, bent"),
        (median, best),
        None,
        &format!("nonlinearity {}", summary.nonlinearity()),
    );
    Ok(())
}

/// `x^3` in the field of `2^bits` elements, by the first irreducible polynomial of the degree that is found.
fn cube(bits: u32) -> Result<SBox, Failure> {
    let product = |mut a: u32, mut b: u32, modulus: u32| {
        let mut sum = 0;
        while b != 0 {
            sum ^= if b & 1 == 1 { a } else { 0 };
            a <<= 1;
            a ^= if a >> bits & 1 == 1 { modulus } else { 0 };
            b >>= 1;
        }
        sum
    };
    let remainder = |mut a: u32, b: u32| {
        while a != 0 && a.ilog2() >= b.ilog2() {
            a ^= b << (a.ilog2() - b.ilog2());
        }
        a
    };
    let irreducible = |p: &u32| (2..1u32 << (bits / 2 + 1)).all(|divisor| remainder(*p, divisor) != 0);
    let modulus = (1 << bits..2u32 << bits).find(irreducible).ok_or("no polynomial")?;
    Ok(SBox::new(bits, (0..1 << bits).map(|x| product(x, product(x, x, modulus), modulus) as u16).collect())?)
}

fn permutation(bits: u32) -> Result<SBox, Failure> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut values: Vec<u16> = (0..=u16::MAX).take(1 << bits).collect();
    for i in (1..values.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        values.swap(i, (state >> 32) as usize % (i + 1));
    }
    Ok(SBox::new(bits, values)?)
}

/// The whole tables, counted.
fn sboxes(boolean: &Boolean, bits: u32, blocks: bool) -> Result<(), Failure> {
    let device = boolean.device();
    for (name, sbox) in [("permutation", permutation(bits)?), ("cube", cube(bits)?)] {
        let entries = 1u64 << (2 * bits);
        let wall = Instant::now();
        let (median, best, linear) = seconds(device, || boolean.linear_summary(&sbox))?;
        let each = wall.elapsed().as_secs_f64() / (RUNS + 1) as f64;
        let squares: i64 = linear.histogram.counts.iter().map(|(w, count)| w * w * *count as i64).sum();
        check(linear.histogram.total() == entries && squares == 1 << (3 * bits), "the linear table's counts")?;
        let choice = boolean.explain_linear(&sbox)?;
        let found = format!("linearity {} at {:?}; {:.1} ms of wall time", linear.linearity, linear.place, each * 1e3);
        line(&format!("m={bits} {name}, linear table"), (median, best), Some(choice.best().estimate.seconds), &found);
        let wall = Instant::now();
        let (median, best, differences) = seconds(device, || boolean.difference_summary(&sbox))?;
        let each = wall.elapsed().as_secs_f64() / (RUNS + 1) as f64;
        let sum: i64 = differences.histogram.counts.iter().map(|(v, count)| v * *count as i64).sum();
        check(differences.histogram.total() == entries && sum == 1 << (2 * bits), "the difference table's counts")?;
        let counters = boolean.explain_differences(&sbox)?;
        let found = format!(
            "uniformity {} at {:?}; {:.1} ms of wall time; {}",
            differences.uniformity,
            differences.place,
            each * 1e3,
            counters.best().parameters
        );
        line(
            &format!("m={bits} {name}, difference table"),
            (median, best),
            Some(counters.best().estimate.seconds),
            &found,
        );
        if name == "cube" {
            // Almost perfect nonlinear; in odd dimensions almost bent.
            let linearity = 1u64 << (bits / 2 + 1);
            check(differences.uniformity == 2 && linear.linearity == linearity, "the cube's tables")?;
        }
        if blocks {
            println!("{choice}\n{counters}");
            for candidate in choice.candidates() {
                let log = candidate.parameters.log;
                let (median, best, again) = seconds(device, || boolean.linear_summary_in(&sbox, 1 << log))?;
                check(again == linear, "the same summary")?;
                line(&format!("  blocks of 2^{log} rows"), (median, best), Some(candidate.estimate.seconds), "");
            }
            for candidate in counters.candidates() {
                let log = candidate.parameters.log;
                let (median, best, again) = seconds(device, || boolean.difference_summary_with(&sbox, log))?;
                check(again == differences, "the same summary")?;
                line(&format!("  2^{log} counters"), (median, best), Some(candidate.estimate.seconds), "");
            }
        }
    }
    Ok(())
}

fn check(right: bool, what: &str) -> Result<(), Failure> {
    if right { Ok(()) } else { Err(format!("{what}: wrong").into()) }
}
