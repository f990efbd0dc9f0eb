//! The Walsh-Hadamard transform over ranks: of rows, of columns between two exchanges (paper 001 gives the transform; the split is
//! that of Bailey, FFTs in External or Hierarchical Memory, 1990).

use bytemuck::Pod;
use manycore_device::Device;
use manycore_spectral::{Scalar, Spectral, Walsh};

use crate::error::ClusterError;
use crate::ranks::Ranks;
use crate::slabs::Slabs;

/// Transforms data that ranks have in [slabs](Slabs::words) in place, in Hadamard order, not scaled: the same integers as of one
/// device, and the same floating-point numbers, whose sums are the same.
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
    let spectral = Spectral::new(device);
    spectral.walsh(&mut *words, &Walsh::new().batch(slabs.columns()))?;
    let mut columns = slabs.columns_of(ranks, words)?;
    spectral.walsh(&mut columns, &Walsh::new().batch(slabs.rows()))?;
    words.copy_from_slice(&slabs.rows_of(ranks, &columns)?);
    Ok(())
}
