//! The effects of a factorial experiment by one Kronecker transform (Yates 1937): yields of a chemical pilot plant at two temperatures,
//! two concentrations and with two catalysts (Box, Hunter and Hunter, Statistics for Experimenters, chapter 10).
//!
//! ```text
//! cargo run --release -p manycore-kronecker --example factorial_experiment
//! ```

use manycore_device::Device;
use manycore_kronecker::{Factor, Kronecker, KroneckerProduct, Reals};

/// Yields in grams. The catalyst changes slowest, then the concentration, and the temperature at every run.
const YIELDS: [f64; 8] = [60.0, 72.0, 54.0, 68.0, 52.0, 83.0, 45.0, 80.0];
const FACTORS: [&str; 3] = ["catalyst", "concentration", "temperature"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ring = Reals::<f64>::new();
    // Of two levels the mean, and what the second is above the first; means of the others' effects.
    let levels = Factor::new(&ring, &[[0.5, 0.5], [-1.0, 1.0]])?;
    let product = KroneckerProduct::new(&ring, vec![levels; 3])?;
    let mut effects = YIELDS;
    Kronecker::new(&Device::from_env()?).forward(&product, &mut effects)?;
    println!("mean of all runs: {} g", effects[0]);
    for (i, sum) in effects.iter().enumerate().skip(1) {
        let names: Vec<&str> = (0..3).filter(|k| i >> (2 - k) & 1 == 1).map(|k| FACTORS[k]).collect();
        // An interaction is half the difference of two effects.
        let effect = sum / f64::from(1u32 << (names.len() - 1));
        println!("{:<40} {effect:>6} g", names.join(" and "));
    }
    Ok(())
}
