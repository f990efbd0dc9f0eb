//! Encrypts a text by learning with errors over a ring (Lyubashevsky, Peikert and Regev 2010), in the ring of `NewHope`:
//! residues modulo 12289 and modulo `x^1024 + 1`, whose products are negacyclic transforms. A demonstration: the noise comes from a
//! generator that is no cryptographic one.
//!
//! ```text
//! cargo run --release -p manycore-ntt --example ring_encryption -- "attack at dawn"
//! ```

use manycore_device::{Buffer, Device};
use manycore_field::PrimeField;
use manycore_ntt::{Kind, Ntt};

type Failure = Box<dyn std::error::Error>;

const MODULUS: u32 = 12289;
const LENGTH: usize = 1024;

/// Numbers that look random (`SplitMix64`).
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 27)
    }

    fn uniform(&mut self) -> Vec<u32> {
        (0..LENGTH).map(|_| (self.word() % u64::from(MODULUS)) as u32).collect()
    }

    /// Differences of the ones in eight bits and eight others, modulo the prime.
    fn noise(&mut self) -> Vec<u32> {
        let one = |word: u64| MODULUS + (word & 0xff).count_ones() - (word >> 8 & 0xff).count_ones();
        (0..LENGTH).map(|_| one(self.word()) % MODULUS).collect()
    }
}

/// `a b + c`.
fn product_and_sum(ntt: &Ntt<PrimeField<u32>>, a: &[u32], b: &Buffer<u32>, c: &[u32]) -> Result<Vec<u32>, Failure> {
    let mut product = a.to_vec();
    ntt.convolve(&mut product, b)?;
    Ok(product.iter().zip(c).map(|(x, y)| (x + y) % MODULUS).collect())
}

fn main() -> Result<(), Failure> {
    let text = std::env::args().nth(1).unwrap_or_else(|| "attack at dawn".into());
    if 8 * text.len() > LENGTH {
        return Err(format!("{} bytes, at most {}", text.len(), LENGTH / 8).into());
    }
    let device = Device::from_env()?;
    let ntt = Ntt::new(&device, &PrimeField::<u32>::new(MODULUS)?, LENGTH, Kind::Negacyclic)?;
    let mut random = Random(2026);
    // The public key (a, b = a s + e) of the secret s.
    let (a, secret) = (device.upload(&random.uniform())?, random.noise());
    let b = product_and_sum(&ntt, &secret, &a, &random.noise())?;
    // The cipher (u = a r + e1, v = b r + e2 + text q / 2).
    let bits = (0..LENGTH).map(|i| text.as_bytes().get(i / 8).map_or(0, |byte| byte >> (i % 8) & 1));
    let masked = random.noise().into_iter().zip(bits);
    let masked: Vec<u32> = masked.map(|(noise, bit)| noise + u32::from(bit) * (MODULUS / 2)).collect();
    let r = random.noise();
    let u = product_and_sum(&ntt, &r, &a, &random.noise())?;
    let v = product_and_sum(&ntt, &r, &device.upload(&b)?, &masked)?;
    println!("v begins with {:?}", &v[..8]);
    // v - u s is near q / 2 where a bit is 1.
    let us = product_and_sum(&ntt, &secret, &device.upload(&u)?, &[0; LENGTH])?;
    let is_one = |(v, us): (&u32, &u32)| (MODULUS / 4..3 * MODULUS / 4).contains(&((v + MODULUS - us) % MODULUS));
    let bits: Vec<bool> = v.iter().zip(&us).map(is_one).collect();
    let bytes = bits.chunks(8).map(|bits| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit)));
    let found: Vec<u8> = bytes.take(text.len()).collect();
    println!("decrypted: {}", String::from_utf8_lossy(&found));
    if found == text.as_bytes() { Ok(()) } else { Err("the noise was too large".into()) }
}
