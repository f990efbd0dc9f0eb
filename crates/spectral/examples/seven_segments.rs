//! The seven segments of a digit's display as exclusive sums of products (Reed-Muller polynomials) of its four bits: for each segment
//! the polarity of the fewest terms, and the polynomial.
//!
//! ```text
//! cargo run --release -p manycore-spectral --example seven_segments
//! ```

use manycore_device::Device;
use manycore_spectral::{ReedMuller, Spectral, polarity};

/// The segments that light up for the digits from 0 on: bit 0 is segment a (top), then clockwise to f, and g in the middle.
const DIGITS: [u8; 10] = [0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f];

/// A product of variables, as `x3'x1`: complemented where the polarity has a bit.
fn product(of: usize, polarity: u64) -> String {
    let variable = |k: usize| format!("x{k}{}", if polarity >> k & 1 == 1 { "'" } else { "" });
    if of == 0 { "1".into() } else { (0..4).rev().filter(|k| of >> k & 1 == 1).map(variable).collect() }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let spectral = Spectral::new(&Device::from_env()?);
    let mut all = 0;
    for segment in 0..7 {
        // What is no digit is dark.
        let lit: Vec<u8> = (0..16).map(|x| DIGITS.get(x).map_or(0, |digit| digit >> segment & 1)).collect();
        let word = lit.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit));
        let (polarity, terms) = polarity::reed_muller(&[word], 4)?.best();
        let mut polynomial = lit;
        spectral.reed_muller(&mut polynomial, &ReedMuller::new().polarity(polarity))?;
        let products = (0..16).filter(|&i| polynomial[i] == 1).map(|i| product(i, polarity));
        println!("{} = {}", (b'a' + segment) as char, products.collect::<Vec<_>>().join(" + "));
        all += terms;
    }
    println!("{all} terms, sums modulo 2; x3 is the highest bit, and ' complements");
    Ok(())
}
