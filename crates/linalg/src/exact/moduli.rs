//! Many primes at once.

use std::ops::Range;

use manycore_device::Buffer;
use manycore_field::PrimeField;

use crate::error::LinalgError;
use crate::modular::algebra::LinearAlgebra;

/// Primes with as many bits each, on a device.
pub(super) struct Moduli<'a> {
    fields: &'a [PrimeField<u32>],
    /// Prime `k` and the reciprocal that kernels multiply by, at `2 k`.
    words: Buffer<u64>,
}

impl<'a> Moduli<'a> {
    /// Brings primes to the device, once for all residues.
    pub(super) fn new(
        space: &LinearAlgebra<PrimeField<u32>>,
        fields: &'a [PrimeField<u32>],
    ) -> Result<Self, LinalgError> {
        let pair = |&field: &PrimeField<u32>| {
            let (p, reciprocal) = space.over(field).modulus();
            [u64::from(p), reciprocal]
        };
        let words: Vec<u64> = fields.iter().flat_map(pair).collect();
        Ok(Self { fields, words: space.device().upload(&words)? })
    }

    /// The fields of some of them.
    pub(super) fn fields(&self, range: &Range<usize>) -> &'a [PrimeField<u32>] {
        &self.fields[range.clone()]
    }

    /// The words of all.
    pub(super) fn words(&self) -> &Buffer<u64> {
        &self.words
    }
}
