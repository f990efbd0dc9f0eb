//! Products of residues per second on one thread of the host, with the data in the innermost cache.
//!
//! ```text
//! cargo run --release -p manycore-field --example host_rates
//! ```
//! Rates are medians of rounds that alternate between the candidates.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use manycore_field::{Goldilocks, LengthMismatch, PrimeField, ResidueWord, Semiring, SliceWord, primes};

/// Words of a slice: two slices and the result take 24 or 48 KiB at most.
const LEN: usize = 2048;
const REPEATS: usize = 500;
const ROUNDS: usize = 41;

type Work<'a, W> = (&'a str, Box<dyn FnMut(&mut [W], &[W]) + 'a>);

/// Prints the median rate of each, the rounds interleaved, and its ratio to the first.
fn compare<W: ResidueWord>(x: &[W], y: &[W], mut work: Vec<Work<'_, W>>) {
    let mut seconds = vec![Vec::new(); work.len()];
    for _ in 0..ROUNDS {
        for ((_, run), seconds) in work.iter_mut().zip(&mut seconds) {
            let mut x = x.to_vec();
            let start = Instant::now();
            for _ in 0..REPEATS {
                run(black_box(&mut x), black_box(y));
            }
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    let medians: Vec<f64> = seconds
        .iter_mut()
        .map(|seconds| {
            seconds.sort_by(f64::total_cmp);
            seconds[ROUNDS / 2]
        })
        .collect();
    for ((name, _), median) in work.iter().zip(&medians) {
        let rate = (LEN * REPEATS) as f64 / median / 1e9;
        println!("{name:44} {rate:7.3} G/s {:6.2} times the first", medians[0] / median);
    }
}

fn check<T>(result: Result<T, LengthMismatch>) {
    assert!(black_box(result).is_ok());
}

/// The work that both words share.
fn slices<W: SliceWord>(field: PrimeField<W>, c: W) -> Vec<Work<'static, W>> {
    let slices = field.slices();
    let by = field.montgomery();
    vec![
        ("slices, x y / R (Montgomery)", Box::new(move |x, y| check(slices.mul_montgomery(x, y)))),
        ("slices, x y", Box::new(move |x, y| check(slices.mul(x, y)))),
        ("slices, c x (Shoup)", Box::new(move |x, _| slices.scale(x, c))),
        ("slices, x + y", Box::new(move |x, y| check(slices.add(x, y)))),
        ("slices, dot product", Box::new(move |x, y| check(slices.dot(x, y)))),
        (
            "loop over PrimeField::mul (Barrett)",
            Box::new(move |x, y| {
                x.iter_mut().zip(y).for_each(|(x, &y)| *x = field.mul(*x, y));
            }),
        ),
        (
            "loop over Montgomery::mul",
            Box::new(move |x, y| {
                if let Some(by) = by {
                    x.iter_mut().zip(y).for_each(|(x, &y)| *x = by.mul(*x, y));
                }
            }),
        ),
    ]
}

fn main() -> Result<(), Box<dyn Error>> {
    let field = PrimeField::<u32>::new(469_762_049)?;
    let p = field.modulus();
    let x: Vec<u32> = (1..=LEN as u32).map(|i| field.reduce(i.wrapping_mul(2_654_435_761))).collect();
    let y: Vec<u32> = x.iter().rev().copied().collect();
    println!("p = {p}, {LEN} words of 32 bits");
    let mut work: Vec<Work<'_, u32>> = vec![(
        "loop over u64 %",
        Box::new(move |x, y| {
            let p = black_box(u64::from(p));
            x.iter_mut().zip(y).for_each(|(x, &y)| *x = (u64::from(*x) * u64::from(y) % p) as u32);
        }),
    )];
    work.extend(slices(field, 12_345));
    compare(&x, &y, work);

    let p = primes::ntt_primes(50, 20).next().ok_or("no prime")?;
    let field = PrimeField::<u64>::new(p)?;
    let x: Vec<u64> = (1..=LEN as u64).map(|i| field.reduce(i.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let y: Vec<u64> = x.iter().rev().copied().collect();
    println!("p = {p}, {LEN} words of 64 bits");
    let floating = field.floating_point().ok_or("too large")?;
    let mut work: Vec<Work<'_, u64>> = vec![(
        "loop over u128 %",
        Box::new(move |x, y| {
            let p = black_box(u128::from(p));
            x.iter_mut().zip(y).for_each(|(x, &y)| *x = (u128::from(*x) * u128::from(y) % p) as u64);
        }),
    )];
    work.extend(slices(field, 12_345));
    work.push((
        "loop over FloatingPoint::mul",
        Box::new(move |x, y| {
            x.iter_mut().zip(y).for_each(|(x, &y)| *x = floating.mul(*x, y));
        }),
    ));
    work.push((
        "loop over Goldilocks::mul",
        Box::new(|x, y| {
            x.iter_mut().zip(y).for_each(|(x, &y)| *x = Goldilocks.mul(*x, y));
        }),
    ));
    compare(&x, &y, work);
    Ok(())
}
