//! The Walsh-Hadamard transform over ranks: of rows, of columns between two exchanges (paper 001 gives the transform; the split is
//! that of Bailey, FFTs in External or Hierarchical Memory, 1990).

use bytemuck::Pod;
use manycore_device::integers::{self, Integer, Integers};
use manycore_device::{Device, Team};
use manycore_spectral::{Scalar, Spectral, SpectralError, Walsh};

use crate::error::ClusterError;
use crate::exchange::all_gather;
use crate::ranks::Ranks;
use crate::slabs::Slabs;

/// Transforms data that ranks have in [slabs](Slabs::words) in place, in Hadamard order, not scaled: the same integers as of one
/// device, and the same floating-point numbers, whose sums are the same. Integers of all ranks whose absolute values add up to more
/// than their type holds are refused by all, before the work.
///
/// `n 2^n` additions for `2^n` words in all, and each rank sends its words twice.
///
/// # Errors
/// [`ClusterError::Length`] where a rank has other words than its part; [`ClusterError::Ranks`]; [`ClusterError::Lost`];
/// [`ClusterError::Spectral`].
pub fn walsh<T: Scalar + Pod>(
    ranks: &dyn Ranks,
    device: &Device,
    slabs: &Slabs,
    words: &mut [T],
) -> Result<(), ClusterError> {
    slabs.check(ranks, words.len())?;
    match Integers::of(words) {
        Some(Integers::I32(own)) => fit(ranks, own)?,
        Some(Integers::I64(own)) => fit(ranks, own)?,
        None => {}
    }
    wrapping_walsh(ranks, device, slabs, words)
}

/// [`walsh`] of integers modulo 2^32 or 2^64: sums that their type does not hold wrap.
///
/// # Errors
/// As [`walsh`], but for integers.
pub fn wrapping_walsh<T: Scalar + Pod>(
    ranks: &dyn Ranks,
    device: &Device,
    slabs: &Slabs,
    words: &mut [T],
) -> Result<(), ClusterError> {
    slabs.check(ranks, words.len())?;
    let spectral = Spectral::new(device);
    spectral.walsh(&mut *words, &Walsh::new().wrapping().batch(slabs.columns()))?;
    let mut columns = slabs.columns_of(ranks, words)?;
    spectral.walsh(&mut columns, &Walsh::new().wrapping().batch(slabs.rows()))?;
    words.copy_from_slice(&slabs.rows_of(ranks, &columns)?);
    Ok(())
}

/// Whether the type holds the sum of the absolute values of all ranks.
fn fit<T: Integer>(ranks: &dyn Ranks, own: &[T]) -> Result<(), ClusterError> {
    let own: u128 = integers::sizes(own, own.len().next_power_of_two(), Team::ALONE).iter().sum();
    let all = all_gather(ranks, &[own as u64, (own >> 64) as u64])?;
    let sum: u128 = all.iter().map(|size| size.iter().rev().fold(0, |all, &part| all << 64 | u128::from(part))).sum();
    if sum > T::LARGEST as u128 {
        let sum = i128::try_from(sum).unwrap_or(i128::MAX);
        return Err(SpectralError::Overflow { transform: None, sum, bits: T::BITS }.into());
    }
    Ok(())
}
