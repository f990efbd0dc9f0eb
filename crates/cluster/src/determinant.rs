//! Determinants over the integers, whose primes are shared among ranks.

use manycore_device::Device;
use manycore_linalg::exact::{
    DeterminantResidues, ExactDeterminant, IntegerEntry, determinant_of_parts, determinant_residues,
};

use crate::error::ClusterError;
use crate::exchange::all_gather;
use crate::ranks::Ranks;

/// The proved determinant of a square matrix of integers, row after row, which every rank has: each rank computes it modulo its share of
/// the primes, and every rank gets the result.
///
/// # Errors
/// [`ClusterError::Linalg`]; [`ClusterError::Lost`].
pub fn determinant<T: IntegerEntry>(
    ranks: &dyn Ranks,
    device: &Device,
    order: usize,
    words: &[T],
) -> Result<ExactDeterminant, ClusterError> {
    let own = determinant_residues(device, order, words, ranks.rank(), ranks.size())?;
    let flat: Vec<u32> = own.residues.iter().flat_map(|&(prime, residue)| [prime, residue]).collect();
    let parts: Vec<DeterminantResidues> = all_gather(ranks, &flat)?
        .into_iter()
        .map(|flat| DeterminantResidues {
            residues: flat.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect(),
            ..own.clone()
        })
        .collect();
    Ok(determinant_of_parts(&parts)?)
}
