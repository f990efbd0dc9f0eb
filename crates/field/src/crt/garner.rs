//! Garner's algorithm for a few word-size moduli.

use super::{ModuliError, check_moduli};
use crate::algebra::Semiring as _;
use crate::modular::inverse_modulo;
use crate::prime_field::{PrimeField, ResidueWord, Shoup, ShoupFactor};

/// Numbers from their residues mod `N` fixed coprime moduli, in mixed radix: `x = d_0 + d_1 m_0 + d_2 m_0 m_1 + ...` with
/// `d_i < m_i`. `N (N - 1)` products by constants for each number, none longer than a word; `m_i` from 2 to
/// `2^(B - 1) - 1`, prime or not. Source: Knuth, The Art of Computer Programming 2, section 4.3.2.
///
/// ```
/// use manycore_field::crt::Garner;
///
/// let garner = Garner::new([469_762_049u32, 167_772_161, 754_974_721])?;
/// let x = 123_456_789_012_345_678_901_234u128;
/// let residues = garner.moduli().map(|m| (x % u128::from(m)) as u32);
/// assert_eq!(garner.to_u128(&residues), Some(x));
/// # Ok::<(), manycore_field::crt::ModuliError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Garner<W, const N: usize> {
    moduli: [Shoup<W>; N],
    /// One mod each modulus: a product by it reduces any word.
    units: [ShoupFactor<W>; N],
    /// At `[i][j]`, for `j < i`: the inverse of modulus `j` mod modulus `i`.
    inverses: [[ShoupFactor<W>; N]; N],
}

impl<W: ResidueWord, const N: usize> Garner<W, N> {
    /// Prepares the inverses.
    ///
    /// # Errors
    /// [`ModuliError`] for a modulus out of range and for two with a common divisor.
    pub fn new(moduli: [W; N]) -> Result<Self, ModuliError> {
        check_moduli(&moduli.map(ResidueWord::as_u64), 1 << (W::BITS - 1))?;
        let moduli = moduli.map(Shoup::below_half);
        let units = moduli.map(|by| by.factor(W::one()));
        let mut inverses = [units; N];
        for (i, by) in moduli.iter().enumerate() {
            for (j, other) in moduli[..i].iter().enumerate() {
                // The moduli are coprime, so that there always is an inverse.
                let inverse = inverse_modulo(other.modulus().as_u64(), by.modulus().as_u64()).unwrap_or(0);
                inverses[i][j] = by.factor(W::from_u64(inverse));
            }
        }
        Ok(Self { moduli, units, inverses })
    }

    /// One mod each modulus.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn units(&self) -> [ShoupFactor<W>; N] {
        self.units
    }

    /// At `[i][j]`, for `j < i`: the inverse of modulus `j` mod modulus `i`.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn inverses(&self) -> [[ShoupFactor<W>; N]; N] {
        self.inverses
    }

    /// The moduli.
    pub fn moduli(&self) -> [W; N] {
        self.moduli.map(|by| by.modulus())
    }

    /// The digits of the number with these residues, the least significant first.
    #[inline(always)]
    pub fn digits(&self, residues: &[W; N]) -> [W; N] {
        let mut digits = *residues;
        for i in 0..N {
            let by = &self.moduli[i];
            for j in 0..i {
                let known = by.mul(digits[j], &self.units[i]);
                let difference = digits[i].wrapping_sub(&known);
                let difference = difference.min(difference.wrapping_add(&by.modulus()));
                digits[i] = by.mul(difference, &self.inverses[i][j]);
            }
        }
        digits
    }

    /// The number below the product of the moduli; `None` from `2^128` on.
    #[inline]
    pub fn to_u128(&self, residues: &[W; N]) -> Option<u128> {
        let digits = self.digits(residues);
        (0..N).rev().try_fold(0u128, |value, i| {
            value.checked_mul(self.moduli[i].modulus().as_u64().into())?.checked_add(digits[i].as_u64().into())
        })
    }

    /// The number of least size with these residues, negative ones included (of two equally small ones the positive);
    /// `None` where it does not fit.
    pub fn to_i128(&self, residues: &[W; N]) -> Option<i128> {
        let mut negated = *residues;
        for (r, by) in negated.iter_mut().zip(&self.moduli) {
            *r = if *r == W::zero() { *r } else { by.modulus().wrapping_sub(r) };
        }
        match (self.to_u128(residues), self.to_u128(&negated)) {
            (Some(x), Some(y)) if x > y => 0i128.checked_sub_unsigned(y),
            (Some(x), _) => x.try_into().ok(),
            (None, Some(y)) => 0i128.checked_sub_unsigned(y),
            (None, None) => None,
        }
    }

    /// Prepares the reduction of numbers to residues of another modulus.
    pub fn modulo(&self, field: &PrimeField<W>) -> GarnerModulo<W, N> {
        let by = field.shoup();
        let mut weight = field.one();
        let weights = self.moduli.map(|m| {
            let factor = by.factor(weight);
            weight = field.mul(weight, field.reduce(m.modulus()));
            factor
        });
        GarnerModulo { garner: *self, field: *field, weights }
    }
}

/// From residues mod several primes to the residue mod one: what a convolution mod any prime ends with.
///
/// ```
/// use manycore_field::{PrimeField, crt::Garner};
///
/// let garner = Garner::new([469_762_049u32, 167_772_161, 754_974_721])?;
/// let to = garner.modulo(&PrimeField::new(1_000_000_007)?);
/// let x = 999_999_999_999_999_999_999u128;
/// let residues = garner.moduli().map(|m| (x % u128::from(m)) as u32);
/// assert_eq!(u128::from(to.residue(&residues)), x % 1_000_000_007);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GarnerModulo<W, const N: usize> {
    garner: Garner<W, N>,
    field: PrimeField<W>,
    /// The products of the moduli before each digit, mod `p`.
    weights: [ShoupFactor<W>; N],
}

impl<W: ResidueWord, const N: usize> GarnerModulo<W, N> {
    /// The residue mod `p` of the number below the product of the moduli with these residues.
    #[inline(always)]
    pub fn residue(&self, residues: &[W; N]) -> W {
        let digits = self.garner.digits(residues);
        let by = self.field.shoup();
        digits
            .iter()
            .zip(&self.weights)
            .fold(W::zero(), |sum, (&digit, weight)| self.field.add(sum, by.mul(digit, weight)))
    }

    /// What the digits are of.
    pub fn garner(&self) -> &Garner<W, N> {
        &self.garner
    }

    /// The field of the residues.
    pub fn field(&self) -> PrimeField<W> {
        self.field
    }

    /// The products of the moduli before each digit mod `p`, for kernels that do the same.
    pub fn weights(&self) -> &[ShoupFactor<W>; N] {
        &self.weights
    }
}
