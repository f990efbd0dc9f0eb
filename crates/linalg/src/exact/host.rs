//! Residues and determinants modulo primes with the host's threads.

use manycore_device::HostPool;
use manycore_field::{PrimeField, Ring as _, Semiring as _};

use crate::modular::batch;

/// Residues that are worth a second thread.
const LONG: usize = 1 << 14;
/// Residues that a thread takes at a time.
const TASK: usize = 1 << 12;

/// `out[k count + e]` becomes integer `e` of `count > 0` modulo prime `k`, by Horner's rule. Word `l` of integer `e`, in two's
/// complement, stands at `l count + e`; there is at least one.
pub(super) fn residues(pool: &HostPool, fields: &[PrimeField<u32>], words: &[u64], count: usize, out: &mut [u32]) {
    let bytes = size_of_val(words) + size_of_val(out);
    let operations = words.len() * fields.len();
    pool.step("integer_residues", bytes as u64, operations as u64, || {
        let parts = fields.iter().zip(out.chunks_mut(count)).flat_map(|(field, out)| {
            out.chunks_mut(TASK).enumerate().map(move |(part, out)| (field, part * TASK, out))
        });
        pool.team().only_if(count * fields.len() >= LONG).each(parts, |(field, first, out)| {
            let slices = field.slices();
            // The sign stands above the highest word: 0 or -1.
            let signs = [field.zero(), field.neg(field.one())];
            let top = &words[words.len() - count..][first..];
            out.iter_mut().zip(top).for_each(|(out, &top)| *out = signs[(top >> 63) as usize]);
            for words in words.chunks(count).rev() {
                // Both slices have equal lengths.
                let _ = slices.append_words(out, &words[first..][..out.len()]);
            }
        });
    });
}

/// `out[k]` becomes the determinant modulo prime `k` of matrix `k` of residues, of an order above 0, which changes.
pub(super) fn determinants(
    pool: &HostPool,
    fields: &[PrimeField<u32>],
    order: usize,
    residues: &mut [u32],
    out: &mut [u32],
) {
    let operations = residues.len() * order;
    pool.step("determinants_modulo", size_of_val(residues) as u64, operations as u64, || {
        let matrices = fields.iter().zip(residues.chunks_mut(order * order)).zip(out);
        pool.team().only_if(operations >= LONG).each(matrices, |((field, words), out)| {
            *out = batch::host::determinant(field, words, order);
        });
    });
}
