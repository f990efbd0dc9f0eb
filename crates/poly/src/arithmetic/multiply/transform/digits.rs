//! Digits of a mixed radix by vectors, for primes of 32 bits.

use manycore_field::crt::{Garner, GarnerModulo};
use manycore_field::{PrimeField, ResidueWord};

/// Coefficients that the host combines at a time: their residues stay in the nearest cache.
pub(super) const BLOCK: usize = 512;

/// What [`Vectors::digits`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    Nothing,
    /// Residues became digits.
    Digits,
    /// These became the results.
    All,
}

/// The constants of up to five primes.
#[derive(Debug)]
pub(super) enum Vectors {
    One(Of<1>),
    Two(Of<2>),
    Three(Of<3>),
    Four(Of<4>),
    Five(Box<Of<5>>),
}

/// Of `N` primes, and of the modulus where it has 32 bits, too.
#[derive(Debug)]
pub(super) struct Of<const N: usize> {
    garner: Garner<u32, N>,
    modulo: Option<GarnerModulo<u32, N>>,
}

impl<const N: usize> Of<N> {
    fn new(primes: &[u32], modulus: Option<PrimeField<u32>>) -> Option<Self> {
        let garner = Garner::new(<[u32; N]>::try_from(primes).ok()?).ok()?;
        Some(Self { garner, modulo: modulus.map(|field| garner.modulo(&field)) })
    }

    fn digits<E: ResidueWord>(&self, residues: &mut [[u32; BLOCK]], out: &mut [E]) -> Done {
        let Ok(residues) = <&mut [[u32; BLOCK]; N]>::try_from(residues) else { return Done::Nothing };
        let Some(len) = Some(out.len()).filter(|&len| len <= BLOCK) else { return Done::Nothing };
        let residues = residues.each_mut().map(|x| &mut x[..len]);
        let done = match (&self.modulo, bytemuck::try_cast_slice_mut::<E, u32>(out)) {
            (Some(modulo), Ok(out)) => modulo.residue_slices(residues, out).map(|()| Done::All),
            _ => self.garner.digit_slices(residues).map(|()| Done::Digits),
        };
        done.unwrap_or(Done::Nothing)
    }
}

impl Vectors {
    /// `None` for more than five primes.
    pub(super) fn new(primes: &[u32], modulus: Option<PrimeField<u32>>) -> Option<Self> {
        match primes.len() {
            1 => Of::new(primes, modulus).map(Self::One),
            2 => Of::new(primes, modulus).map(Self::Two),
            3 => Of::new(primes, modulus).map(Self::Three),
            4 => Of::new(primes, modulus).map(Self::Four),
            5 => Of::new(primes, modulus).map(|of| Self::Five(Box::new(of))),
            _ => None,
        }
    }

    /// The digits of `out.len()` numbers in the place of their residues modulo each prime, or what these are modulo `p`.
    pub(super) fn digits<E: ResidueWord>(&self, residues: &mut [[u32; BLOCK]], out: &mut [E]) -> Done {
        match self {
            Self::One(of) => of.digits(residues, out),
            Self::Two(of) => of.digits(residues, out),
            Self::Three(of) => of.digits(residues, out),
            Self::Four(of) => of.digits(residues, out),
            Self::Five(of) => of.digits(residues, out),
        }
    }
}
