//! Counts all functions of up to five variables by linearity, degree and weight, and checks what is known of the counts.
//!
//! ```text
//! cargo run --release -p manycore-boolean --example boolean_census
//! ```
//! The argument is the number of variables, 5 without one.

use std::time::Instant;

use manycore_boolean::census;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let variables = std::env::args().nth(1).map_or(Ok(5), |text| text.parse::<u32>())?;
    let start = Instant::now();
    let census = census(variables)?;
    let len = 1u64 << variables;
    println!("{} functions of {variables} variables, {:.2} s", 1u64 << len, start.elapsed().as_secs_f64());
    for (linearity, count) in census.by_linearity().iter().rev() {
        println!("nonlinearity {:>2}  {count:>12}", (len as u32 - linearity) / 2);
    }
    for (degree, count) in census.by(|class| class.degree) {
        println!("degree {degree:>8}  {count:>12}");
    }
    let balanced = census.by(|class| (2 * u64::from(class.weight) == len, class.linearity));
    for ((_, linearity), count) in balanced.iter().rev().filter(|((balanced, _), _)| *balanced) {
        println!("balanced, nonlinearity {:>2}  {count:>12}", (len as u32 - linearity) / 2);
    }

    // Weights are binomial coefficients, degrees differences of the dimensions of Reed-Muller codes.
    let binomial = |n: u64, k: u64| (0..k).fold(1u64, |c, i| c * (n - i) / (i + 1));
    let by_weight = census.by(|class| u64::from(class.weight));
    let mut right = by_weight.iter().all(|(&weight, &count)| count == binomial(len, weight));
    let size = |d: u64| 1u64 << (0..=d).map(|k| binomial(variables.into(), k)).sum::<u64>();
    let by_degree = census.by(|class| u64::from(class.degree));
    right &= by_degree.iter().all(|(&d, &count)| count == size(d) - if d > 0 { size(d - 1) } else { 0 });
    // Known: the functions of five variables that are farthest from the affine ones.
    right &= variables != 5 || census.by_linearity().first_key_value() == Some((&8, &27_387_136));
    if right { Ok(()) } else { Err("the counts are not those that are known".into()) }
}
