//! Numbers of any size from their residues.

use num_bigint::{BigInt, BigUint};
use num_traits::{One as _, Zero as _};

use super::{ModuliError, check_moduli};
use crate::error::LengthMismatch;
use crate::modular::inverse_modulo;
use crate::prime_field::{Shoup, ShoupFactor};

/// Numbers from their residues mod any number of coprime moduli from 2 to `2^63 - 1`, in mixed radix as
/// [`Garner`](super::Garner): about `k^2` products of words for `k` moduli, and as much work in long numbers.
///
/// ```
/// use manycore_field::{crt::MixedRadix, primes};
///
/// let moduli: Vec<u64> = primes::ntt_primes(62, 20).take(5).collect();
/// let radix = MixedRadix::new(&moduli)?;
/// let residues: Vec<u64> = moduli.iter().map(|m| m - 7).collect();
/// assert_eq!(radix.to_bigint(&residues)?, (-7).into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MixedRadix {
    moduli: Vec<Shoup<u64>>,
    /// For each modulus the inverses of those before it.
    inverses: Vec<Vec<ShoupFactor<u64>>>,
    product: BigUint,
}

impl MixedRadix {
    /// Prepares the inverses.
    ///
    /// # Errors
    /// [`ModuliError`] for a modulus out of range and for two with a common divisor.
    pub fn new(moduli: &[u64]) -> Result<Self, ModuliError> {
        check_moduli(moduli, 1 << (u64::BITS - 1))?;
        let inverses = moduli
            .iter()
            .enumerate()
            .map(|(i, &m)| {
                let by = Shoup::below_half(m);
                // The moduli are coprime, so that there always is an inverse.
                moduli[..i].iter().map(|&other| by.factor(inverse_modulo(other, m).unwrap_or(0))).collect()
            })
            .collect();
        let product = moduli.iter().fold(BigUint::one(), |product, &m| product * m);
        Ok(Self { moduli: moduli.iter().map(|&m| Shoup::below_half(m)).collect(), inverses, product })
    }

    /// The product of the moduli: residues determine every number below it.
    pub fn product(&self) -> &BigUint {
        &self.product
    }

    /// The digits of the number with these residues, the least significant first.
    ///
    /// # Errors
    /// [`LengthMismatch`] unless there is one residue for each modulus.
    pub fn digits(&self, residues: &[u64]) -> Result<Vec<u64>, LengthMismatch> {
        if residues.len() != self.moduli.len() {
            return Err(LengthMismatch { left: residues.len(), right: self.moduli.len() });
        }
        let mut digits: Vec<u64> = Vec::with_capacity(residues.len());
        for ((&residue, by), inverses) in residues.iter().zip(&self.moduli).zip(&self.inverses) {
            let m = by.modulus();
            let mut digit = residue % m;
            for (&known, inverse) in digits.iter().zip(inverses) {
                let difference = digit.wrapping_sub(known % m);
                digit = by.mul(difference.min(difference.wrapping_add(m)), inverse);
            }
            digits.push(digit);
        }
        Ok(digits)
    }

    /// The number in `[0, M)`, for the product `M` of the moduli.
    ///
    /// # Errors
    /// [`LengthMismatch`] unless there is one residue for each modulus.
    pub fn to_biguint(&self, residues: &[u64]) -> Result<BigUint, LengthMismatch> {
        let digits = self.digits(residues)?;
        Ok(digits.iter().zip(&self.moduli).rev().fold(BigUint::zero(), |x, (&d, by)| x * by.modulus() + d))
    }

    /// The number of least size, in `(-M/2, M/2]`.
    ///
    /// # Errors
    /// [`LengthMismatch`] unless there is one residue for each modulus.
    pub fn to_bigint(&self, residues: &[u64]) -> Result<BigInt, LengthMismatch> {
        let x = self.to_biguint(residues)?;
        let over = &x * 2u32 > self.product;
        Ok(if over { BigInt::from(x) - BigInt::from(self.product.clone()) } else { x.into() })
    }
}
