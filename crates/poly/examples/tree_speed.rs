//! Times subproduct trees, evaluation at their points and interpolation, as a user waits, with a check of 64 values.
//!
//! ```text
//! cargo run --release -p manycore-poly --example tree_speed -- host:1 469762049 14 16 18
//! ```
//! The arguments are a device, a modulus (`goldilocks` for 2^64 - 2^32 + 1) and binary logarithms of the numbers of points,
//! each with as many coefficients. Times are medians, in milliseconds: the tree; values with a kept tree and with a new one; interpolation
//! with both. With PROFILE set, the steps of each follow by the device's own clock, with the bytes that they move over their time; RUNS
//! sets the number of evaluations of other polynomials at other points, with 64 values of each checked.

use std::collections::BTreeMap;

use manycore_device::{Device, timing};
use manycore_field::{Goldilocks, PrimeField};
use manycore_poly::{PolyField, PolyRing};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [device, modulus, sizes @ ..] = arguments.as_slice() else {
        return Err("device, modulus, sizes".into());
    };
    let device = Device::select(device)?;
    match modulus.parse::<u64>() {
        Err(_) => table(&device, Goldilocks, sizes),
        Ok(p) => match u32::try_from(p).ok().map(PrimeField::<u32>::new) {
            Some(Ok(field)) => table(&device, field, sizes),
            _ => table(&device, PrimeField::<u64>::new(p)?, sizes),
        },
    }
}

fn table<F: PolyField>(device: &Device, field: F, sizes: &[String]) -> Result<(), Failure> {
    let ring = PolyRing::new(device, field)?;
    println!("{} mod {}, {}", device.info(), ring.field().order(), ring.arithmetic());
    println!("points      tree  evaluate   with tree  interpolate   with tree");
    for size in sizes {
        let n = 1usize << size.parse::<u32>()?;
        let f = ring.random(n, 1)?;
        // Different points: the powers of a random residue would need its order; multiples of an odd number do not.
        let points: Vec<F::Element> =
            (0..n as u64).map(|i| ring.field().natural(i.wrapping_mul(2_654_435_761))).collect();
        let points = device.upload(&points)?;
        let copy = || -> Result<_, Failure> {
            let mut copy = device.scratch(n)?;
            copy.copy_from(&points)?;
            Ok(copy)
        };
        let tree = ring.tree_of(copy()?)?;
        let values = ring.evaluate_at(&f, &tree)?;
        let mut wrong = 0;
        let (at, found) = (points.download()?, values.download()?);
        for i in (0..64).map(|i| (i * 7919 + 13) % n) {
            wrong += usize::from(ring.evaluate(&f, at[i])? != found[i]);
        }
        let back = ring.interpolate(&tree, &values);
        let back = match &back {
            Ok(back) if ring.equal(back, &f)? => "",
            Ok(_) => "  WRONG INTERPOLATION",
            Err(error) => &format!("  {error}"),
        };
        let build = timing::seconds(device, || ring.tree_of(copy()?).map(drop).map_err(Failure::from))?;
        let evaluate = timing::seconds(device, || ring.evaluate_at(&f, &tree).map(drop))?;
        let both = timing::seconds(device, || -> Result<(), Failure> {
            ring.evaluate_at(&f, &ring.tree_of(copy()?)?)?;
            Ok(())
        })?;
        let kept = timing::seconds(device, || ring.interpolate(&tree, &values).map(drop));
        let whole = timing::seconds(device, || -> Result<(), Failure> {
            ring.interpolate(&ring.tree_of(copy()?)?, &values)?;
            Ok(())
        });
        let ms = |seconds: f64| seconds * 1e3;
        let (kept, whole) = (kept.map_or(f64::NAN, ms), whole.map_or(f64::NAN, ms));
        println!(
            "2^{size:<4} {:>9.3} {:>9.3}   {:>9.3}    {kept:>9.3}   {whole:>9.3}  {wrong} of 64 values wrong{back}",
            ms(build),
            ms(evaluate),
            ms(both),
        );
        if std::env::var_os("PROFILE").is_some() {
            profile(device, "tree", || ring.tree_of(copy()?).map(drop).map_err(Failure::from))?;
            profile(device, "evaluation", || Ok(ring.evaluate_at(&f, &ring.tree_of(copy()?)?).map(drop)?))?;
            profile(device, "interpolation", || Ok(ring.interpolate(&ring.tree_of(copy()?)?, &values).map(drop)?))?;
        }
        if let Ok(runs) = std::env::var("RUNS") {
            let wrong = wrong_values(&ring, n, runs.parse()?)?;
            println!("    {runs} runs at 2^{size} points: {wrong} of 64 values each wrong");
        }
    }
    Ok(())
}

/// The steps of a computation by the device's clock, the longest first, and what all move in a second.
fn profile(device: &Device, name: &str, run: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    let (result, profile) = device.profile(run)?;
    result?;
    let mut steps: BTreeMap<&str, (u32, f64)> = BTreeMap::new();
    let (mut bytes, mut seconds) = (0, 0.0);
    for event in &profile.entries {
        let entry = steps.entry(event.name).or_default();
        *entry = (entry.0 + 1, entry.1 + event.seconds);
        bytes += event.bytes;
        seconds += event.seconds;
    }
    println!("    {name}: {:.3} ms, {:.0} GB/s", seconds * 1e3, bytes as f64 / seconds / 1e9);
    let mut steps: Vec<_> = steps.into_iter().collect();
    steps.sort_by(|a, b| b.1.1.total_cmp(&a.1.1));
    for (name, (times, seconds)) in steps {
        println!("    {:>9.3} ms  {times:>5} times  {name}", seconds * 1e3);
    }
    Ok(())
}

/// Wrong values among 64 of each run.
fn wrong_values<F: PolyField>(ring: &PolyRing<F>, n: usize, runs: u64) -> Result<usize, Failure> {
    let (device, p) = (ring.device(), ring.field().order());
    let mut wrong = 0;
    for run in 1..=runs {
        let f = ring.random(n, run)?;
        // Multiples of the golden ratio's 64 bits, which look random.
        let word = |i: u64| run.wrapping_add(i).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_right(29) % p;
        let points: Vec<F::Element> = (0..n as u64).map(|i| ring.field().natural(word(i))).collect();
        let values = ring.evaluate_at(&f, &ring.tree_of(device.upload(&points)?)?)?.download()?;
        for check in 0..64 {
            let i = (word(check) as usize).wrapping_mul(7919) % n;
            wrong += usize::from(ring.evaluate(&f, points[i])? != values[i]);
        }
    }
    Ok(wrong)
}
