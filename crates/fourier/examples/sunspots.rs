//! The period of the sunspots from the Fourier transform of their yearly numbers, 1900 to 1988 (Wolf numbers of the Royal Observatory
//! of Belgium, of the first version): 89 values, a prime number of them.
//!
//! ```text
//! cargo run --release -p manycore-fourier --example sunspots
//! ```

use manycore_characters::AbelianGroup;
use manycore_device::Device;
use manycore_fourier::{Complexes, Fourier};
use num_complex::Complex;

const NUMBERS: [f64; 89] = [
    9.5, 2.7, 5.0, 24.4, 42.0, 63.5, 53.8, 62.0, 48.5, 43.9, 18.6, 5.7, 3.6, 1.4, 9.6, 47.4, 57.1, 103.9, 80.6, 63.6,
    37.6, 26.1, 14.2, 5.8, 16.7, 44.3, 63.9, 69.0, 77.8, 64.9, 35.7, 21.2, 11.1, 5.7, 8.7, 36.1, 79.7, 114.4, 109.6,
    88.8, 67.8, 47.5, 30.6, 16.3, 9.6, 33.2, 92.6, 151.6, 136.3, 134.7, 83.9, 69.4, 31.5, 13.9, 4.4, 38.0, 141.7,
    190.2, 184.8, 159.0, 112.3, 53.9, 37.5, 27.9, 10.2, 15.1, 47.0, 93.8, 105.9, 105.5, 104.5, 66.6, 68.9, 38.0, 34.5,
    15.5, 12.6, 27.5, 92.5, 155.4, 154.6, 140.4, 115.9, 66.6, 45.9, 17.9, 13.4, 29.2, 100.2,
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let years = NUMBERS.len();
    let mean = NUMBERS.iter().sum::<f64>() / years as f64;
    let mut values: Vec<Complex<f64>> = NUMBERS.iter().map(|number| Complex::from(number - mean)).collect();
    let fourier = Fourier::new(&Device::from_env()?);
    fourier.forward(&AbelianGroup::new(&[years as u64])?, &Complexes::<f64>::new(), &mut values)?;
    let power: Vec<f64> = values.iter().map(Complex::norm_sqr).collect();
    let all: f64 = power.iter().sum();
    let mut waves: Vec<usize> = (1..=years / 2).collect();
    waves.sort_by(|&a, &b| power[b].total_cmp(&power[a]));
    for &wave in &waves[..5] {
        let share = 100.0 * 2.0 * power[wave] / all;
        println!("{:>5.1} years: {share:>4.1} % of the variance", years as f64 / wave as f64);
    }
    Ok(())
}
