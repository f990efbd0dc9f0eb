//! A prime as a sum of two squares, where it is 1 modulo 4 (Fermat): a square root of -1 and Euclid's algorithm give them (Hermite,
//! Serret 1848).
//!
//! ```text
//! cargo run --release -p manycore-field --example two_squares -- 4611686018427387817
//! ```

use manycore_field::{ModularField, PrimeField};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let prime: u64 = std::env::args().nth(1).map_or(Ok(4_611_686_018_427_387_817), |text| text.parse())?;
    let field = PrimeField::<u64>::new(prime)?;
    let Some(root) = field.square_root(prime - 1) else {
        println!("{prime} is 3 modulo 4 and no sum of two squares");
        return Ok(());
    };
    // Remainders of the prime and the root: the first two that are at most the prime's square root.
    let (mut a, mut b) = (prime, root);
    while b > prime.isqrt() {
        (a, b) = (b, a % b);
    }
    let rest = if b == 0 { 1 } else { a % b };
    println!("{prime} = {b}^2 + {rest}^2");
    let squares = u128::from(b).pow(2) + u128::from(rest).pow(2);
    if squares == prime.into() { Ok(()) } else { Err("no sum of two squares".into()) }
}
