//! Tables of S-boxes.

use clap::Args;
use manycore::{Boolean, Device, SBox};
use serde_json::json;

use super::Explained;
use crate::error::Error;

/// The size of an S-box: as many output bits as input bits.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Input bits, and output bits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=16))]
    pub bits: u32,
}

/// A permutation without structure: an odd multiple, its bits mixed by a shift.
fn sbox(bits: u32) -> Result<SBox, Error> {
    let mask = (1_u32 << bits) - 1;
    let mix = |x: u32| x ^ x >> (bits / 2).max(1);
    let value = |x: u32| mix(x.wrapping_mul(0x9e37_79b1) & mask).wrapping_mul(0x85eb_ca6b) & mask;
    let values = (0..=mask).map(|x| value(x) as u16).collect();
    Ok(SBox::new(bits, values).map_err(manycore::BooleanError::from)?)
}

/// The linear approximation table.
pub(super) fn linear(arguments: &Arguments, device: &Device) -> Result<Explained, Error> {
    let choice = Boolean::new(device).explain_linear(&sbox(arguments.bits)?)?;
    Ok(Explained::new(&choice, &json!({ "bits": arguments.bits })))
}

/// The difference distribution table.
pub(super) fn differences(arguments: &Arguments, device: &Device) -> Result<Explained, Error> {
    let choice = Boolean::new(device).explain_differences(&sbox(arguments.bits)?)?;
    Ok(Explained::new(&choice, &json!({ "bits": arguments.bits })))
}

#[cfg(test)]
mod tests {
    use super::sbox;

    #[test]
    fn boxes_of_every_size_are_permutations() {
        for bits in 1..=16 {
            let mut values = sbox(bits).unwrap().values().to_vec();
            values.sort_unstable();
            assert!(values.iter().enumerate().all(|(i, &value)| i == usize::from(value)), "{bits}");
        }
    }
}
