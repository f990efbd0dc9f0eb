//! Counts of a product's steps other than transforms, and their distribution to threads and work-items.

use manycore_model::Machine;
use manycore_ntt::cost::Operations;

/// Words of a host's thread's piece.
pub(super) const PIECE: usize = 1 << 11;
/// Work-items of a group.
pub(super) const GROUP: usize = 256;
/// Words of a work-item.
pub(super) const EACH: usize = 4;

/// Operations of a step for each word, counted from the sources of the host and of the kernel.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) host: Operations,
    pub(super) device: Operations,
}

/// A word that is loaded: of `from` bytes, to residues of `to` bytes, which may have to be reduced.
pub(super) const fn load(from: usize, to: usize, reduce: bool) -> Step {
    if !reduce {
        return Step { host: Operations::NONE, device: Operations::NONE };
    }
    // On the host three minima, or a Montgomery reduction of 64 bits to 32. In kernels a product by the reciprocal, one
    // by the prime, a minimum.
    let host = if from > to { Operations::long(2, 3) } else { Operations::int32(6) };
    Step { host, device: Operations::long(2, 2) }
}

/// A word that is loaded to both parts of a row of three quarters or joined from them, on the host; a term of a
/// coefficient by its definition: a product and a sum of residues one at a time.
pub(super) const TWISTED: Operations = Operations::scalar(8 + 3);

/// A word that is made of residues modulo `primes` primes, of words of `digit` bytes, and stored in words of `to`
/// bytes; of no primes for a residue as it is.
pub(super) const fn store(primes: usize, digit: usize, to: usize) -> Step {
    let primes = primes as u64;
    let pairs = primes * primes.saturating_sub(1) / 2;
    // A digit less another one, times a constant: a minimum of a difference, three products, a minimum.
    let subtract = if digit == 8 { Operations::long(3, 4) } else { Operations::int32(7) };
    // A digit by its weight, and the sum.
    let weigh = if digit == 8 || to == 8 { Operations::long(3, 5) } else { Operations::int32(8) };
    // On the host weights of 64 bits are multiplied one at a time.
    let host_weigh = if digit == 8 || to == 8 { Operations::scalar(8) } else { weigh };
    let digits = subtract.times(pairs);
    Step { host: digits.plus(host_weigh.times(primes)), device: digits.plus(weigh.times(primes)) }
}

/// Whether the host's calling thread does a step alone, over `words` words with `operations` for each, which moves `bytes` bytes.
pub(super) fn is_alone(words: u64, operations: Operations, bytes: u64, machine: &Machine) -> bool {
    words < 2 * PIECE as u64 || operations.times(words).suit_one_processor(bytes, machine)
}
