//! How evenly primes fall into the classes modulo 15, by Dirichlet characters: sums of characters over the primes are small beside
//! their number, and give the count of each class (Dirichlet 1837).
//!
//! ```text
//! cargo run --release -p manycore-characters --example prime_classes -- 1000000
//! ```
//! The units modulo 15 are the group `C_2 x C_4`: `11^i 2^j`.

use manycore_characters::{AbelianGroup, Characters, Complexes, Tile};
use manycore_device::Device;
use num_complex::Complex;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limit: usize = std::env::args().nth(1).map_or(Ok(1_000_000), |text| text.parse())?;
    let group = AbelianGroup::new(&[2, 4])?;
    let units: Vec<usize> = (0..8).map(|i| 11usize.pow(i / 4) * 2usize.pow(i % 4) % 15).collect();
    // The sieve of Eratosthenes.
    let mut is_prime = vec![true; limit + 1];
    let mut counts = [0u32; 8];
    for n in 2..=limit {
        if is_prime[n] {
            (n.saturating_mul(n)..=limit).step_by(n).for_each(|multiple| is_prime[multiple] = false);
            // 3 and 5 are no units.
            if let Some(class) = units.iter().position(|&unit| unit == n % 15) {
                counts[class] += 1;
            }
        }
    }
    let characters = Characters::new(&Device::from_env()?);
    let table = characters.table(&group, &Complexes::<f64>::new(), &Tile::whole())?;
    let rows = table.download()?;
    let all: u32 = counts.iter().sum();
    let mut sums = Vec::new();
    for (character, row) in rows.chunks(8).enumerate() {
        let sum: Complex<f64> = row.iter().zip(counts).map(|(value, count)| value * f64::from(count)).sum();
        println!("character {}: sum over {all} primes {:.0}", table.row_name(character as u64)?, sum);
        sums.push(sum);
    }
    // Orthogonality: the count of a class is the mean of the sums, each times the conjugate of the character there.
    for class in 0..8 {
        let terms = (0..8).map(|character| sums[character] * rows[8 * character + class].conj());
        let count = terms.sum::<Complex<f64>>().re / 8.0;
        println!("{:>2} modulo 15: {count:.0} primes", units[class]);
        if (count - f64::from(counts[class])).abs() > 1e-6 * f64::from(all) {
            return Err("sums of characters that are not orthogonal".into());
        }
    }
    Ok(())
}
