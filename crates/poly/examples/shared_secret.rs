//! Shares a secret so that any three of five shares restore it and two reveal nothing (Shamir 1979): values of a polynomial of degree 2
//! whose constant term is the secret, restored by interpolation.
//!
//! ```text
//! cargo run --release -p manycore-poly --example shared_secret -- 31415926535
//! ```

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use manycore_device::Device;
use manycore_field::{Goldilocks, ModularField};
use manycore_poly::PolyRing;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let secret: u64 = std::env::args().nth(1).map_or(Ok(31_415_926_535), |text| text.parse())?;
    let ring = PolyRing::new(&Device::from_env()?, Goldilocks)?;
    let modulus = u128::from(Goldilocks.order());
    // Seeds of the system's hash tables, which an attacker does not know.
    let random = |i: u64| (u128::from(RandomState::new().hash_one(i)) % modulus) as u64;
    let f = ring.poly(&[secret, random(1), random(2)])?;
    let points = [1, 2, 3, 4, 5];
    let shares = ring.evaluate_at(&f, &ring.tree(&points)?)?.download()?;
    for (point, share) in points.iter().zip(&shares) {
        println!("share {point}: {share}");
    }
    let chosen = [2, 3, 5];
    let values: Vec<u64> = chosen.iter().map(|&point| shares[point as usize - 1]).collect();
    let tree = ring.tree(&chosen)?;
    let found = ring.interpolate(&tree, &ring.device().upload(&values)?)?;
    let restored = ring.evaluate(&found, 0)?;
    println!("of shares 2, 3 and 5: {restored}");
    if restored == secret { Ok(()) } else { Err("another secret".into()) }
}
