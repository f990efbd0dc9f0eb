//! Numbers from their residues: Chinese remaindering in mixed radix, and fractions from one residue.
//!
//! [`Garner`] is for two or three word-size moduli known in advance and many numbers (the products of polynomials by
//! several primes), [`MixedRadix`] for any number of moduli and numbers of any size, [`chinese_remainder`] the definition.

#[cfg(feature = "bigint")]
use num_bigint::BigUint;
use num_integer::Integer as _;
#[cfg(feature = "bigint")]
use num_traits::{One as _, Zero as _};
use thiserror::Error;

#[cfg(feature = "bigint")]
use crate::modular::inverse_modulo;

#[cfg(feature = "bigint")]
mod euclid;
mod garner;
#[cfg(feature = "bigint")]
mod mixed_radix;
#[cfg(feature = "bigint")]
mod rational;

pub use garner::{Garner, GarnerModulo};
#[cfg(feature = "bigint")]
pub use mixed_radix::MixedRadix;
#[cfg(feature = "bigint")]
pub use rational::{rational_reconstruction, rational_reconstruction_within};

/// Moduli that residues cannot be combined for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum ModuliError {
    /// A modulus is 0 or 1, or has the highest bit of its word set.
    #[error("modulus {index} is {modulus}, and must be from 2 to {}", limit - 1)]
    Range {
        /// Where it stands.
        index: usize,
        /// The modulus.
        modulus: u64,
        /// The bound that it must be below.
        limit: u64,
    },
    /// Two moduli have a divisor in common.
    #[error("moduli {first} and {second} have the divisor {divisor} in common")]
    NotCoprime {
        /// Where the first stands.
        first: usize,
        /// Where the second stands.
        second: usize,
        /// Their greatest common divisor.
        divisor: u64,
    },
}

/// Checks moduli for their range and that no two have a divisor in common.
fn check_moduli(moduli: &[u64], limit: u64) -> Result<(), ModuliError> {
    for (index, &modulus) in moduli.iter().enumerate() {
        if modulus < 2 || modulus >= limit {
            return Err(ModuliError::Range { index, modulus, limit });
        }
        for (first, earlier) in moduli[..index].iter().enumerate() {
            let divisor = earlier.gcd(&modulus);
            if divisor != 1 {
                return Err(ModuliError::NotCoprime { first, second: index, divisor });
            }
        }
    }
    Ok(())
}

/// The number below the product `M` of the moduli with the given residues, by the definition: the sum of
/// `r_i (M / m_i) ((M / m_i)^-1 mod m_i)` mod `M`. `None` where two moduli have a divisor in common, one is 0, or the
/// slices differ in length; 0 for no moduli.
///
/// ```
/// use manycore_field::crt::chinese_remainder;
///
/// assert_eq!(chinese_remainder(&[2, 3, 2], &[3, 5, 7]), Some(23u32.into())); // Sun Zi
/// ```
#[cfg(feature = "bigint")]
pub fn chinese_remainder(residues: &[u64], moduli: &[u64]) -> Option<BigUint> {
    if residues.len() != moduli.len() {
        return None;
    }
    let product: BigUint = moduli.iter().fold(BigUint::one(), |product, &m| product * m);
    let mut sum = BigUint::zero();
    for (&residue, &modulus) in residues.iter().zip(moduli) {
        if modulus == 0 {
            return None;
        }
        if modulus == 1 {
            continue;
        }
        let others = &product / modulus;
        let inverse = inverse_modulo((&others % modulus).try_into().ok()?, modulus)?;
        sum += others * inverse * residue;
    }
    Some(sum % product)
}
