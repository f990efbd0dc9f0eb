//! Operations on residues, counted from `kernels/field/*.clh`, `kernels/linalg/*.cl` and the host's slices
//! (`crates/field/src/simd`, `field.rs`).

use manycore_field::{Arithmetic, Goldilocks};
use manycore_model::{Estimate, Machine};
use manycore_ntt::cost::{Counts, Operations, SumCounts};

use crate::field::TILE_COLUMNS;

/// Operations of the kernels in an arithmetic.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DeviceCounts {
    /// Sums of products.
    pub(crate) sums: SumCounts,
    /// A canonical product.
    pub(crate) product: Operations,
    /// The sum of two products, reduced.
    pub(crate) pair: Operations,
}

impl DeviceCounts {
    /// The counts of an arithmetic that folds sums after every `terms` products; `montgomery`: pairs of products are reduced after
    /// Montgomery.
    pub(crate) fn of(arithmetic: Arithmetic, terms: u32, montgomery: bool) -> Self {
        let (sums, counts) = (SumCounts::of(arithmetic, terms), Counts::of(arithmetic));
        let pair = match arithmetic {
            // Both words of two products and of the multiple of p, its low word, a difference, a sum, a minimum.
            Arithmetic::Word32 if montgomery => Operations::int32(2 * 2 + 2 + 3),
            Arithmetic::Word64 { .. } if montgomery => Operations::long(2 * 2 + 2, 4 + 3),
            _ => sums.four.shared(2).plus(sums.residue),
        };
        Self { sums, product: counts.product.plus(counts.canonical), pair }
    }
}

/// Operations of the host.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HostCounts {
    /// Bytes of a residue's word.
    pub(crate) word_bytes: u32,
    /// The modulus.
    pub(crate) order: u64,
}

impl HostCounts {
    /// Operations of `count` products that are added in tiles.
    pub(crate) fn products(&self, count: u64) -> Operations {
        match self.word_bytes {
            // In lanes of 64 bits a product with its sum; both halves of a sum, a product and a sum as often as products of numbers of
            // least size leave room for (`crates/field/src/simd/signed.rs`).
            4 => {
                let half = (self.order / 2).clamp(1, 1 << 30);
                let terms = ((1u64 << 63) - 1 - (half << 31) - (1 << 32)) / (half * half);
                Operations::int32(4).times(count).plus(Operations::int32(8).times(count / terms))
            }
            // A product of two words, two sums with a carry, its count.
            _ if self.order == Goldilocks::MODULUS => Operations::scalar(4).times(count),
            // A product of two words, two sums with a carry; a difference of two words with a comparison and two selections.
            _ => {
                let terms = u64::try_from((1u128 << 64) / u128::from(self.order.max(1))).unwrap_or(u64::MAX).max(1);
                Operations::scalar(3).times(count).plus(Operations::scalar(6).times(count / terms))
            }
        }
    }

    /// The residue of a sum, which is stored, added or subtracted.
    pub(crate) const fn residue(&self) -> Operations {
        match self.word_bytes {
            // Barrett's: two products, two differences, a minimum, both words.
            4 => Operations::scalar(6),
            // Two reductions by a difference and a sum, with their carries, and a difference.
            _ if self.order == Goldilocks::MODULUS => Operations::scalar(2 * 8 + 3),
            // Moeller and Granlund's division: two products and ten others.
            _ => Operations::scalar(12),
        }
    }

    /// Operations of `count` entries of a row from which a multiple of another row is subtracted.
    pub(crate) fn scaled(&self, count: u64) -> Operations {
        let one = match self.word_bytes {
            // A product by a constant, three products, with a correction, a sum, a difference, a minimum.
            4 => Operations::int32(3 + 4),
            // A product of two words with a sum and eight operations of the reduction, and a difference.
            _ if self.order == Goldilocks::MODULUS => Operations::scalar(2 + 8 + 3),
            _ => Operations::scalar(3 + 4),
        };
        one.times(count)
    }

    /// Operations of `count` entries from which four products are subtracted at once.
    pub(crate) fn four(&self, count: u64) -> Operations {
        let one = match self.word_bytes {
            // In lanes of 64 bits four products with their sums, and two of Montgomery's reduction, the second with a difference;
            // in words a difference, and two corrections by a sum and a minimum.
            4 => Operations::int32(2 * 4 + 2 * 2 + 1 + 2 * 2),
            _ if self.order == Goldilocks::MODULUS => self.products(4).plus(self.residue()).plus(Operations::scalar(3)),
            // Four products of two words, two sums with a carry each, a fold; Montgomery's reduction of two products, a difference, a
            // comparison and a sum, and a difference.
            _ => self.products(4).plus(Operations::scalar(5 + 3)),
        };
        one.times(count)
    }

    /// The inverse of a matrix of order four by its minors: 12 minors of two products, the determinant of six, 16 cofactors of three,
    /// each a residue, 16 products, and the inverse of a residue.
    pub(crate) fn head(&self) -> Operations {
        let products = Operations::scalar(12 * 2 + 6 + 16 * 3 + 16);
        products.plus(self.residue().times(12 + 1 + 16 + 16)).plus(self.inverse())
    }

    /// The inverse of a residue.
    pub(crate) const fn inverse(&self) -> Operations {
        Operations::scalar(inverse_steps(self.order))
    }

    /// Columns with those that fill the last tile.
    pub(crate) const fn filled(columns: u64) -> u64 {
        columns.next_multiple_of(TILE_COLUMNS as u64)
    }
}

/// Operations of Euclid's algorithm on two words, which wait for each other: about 0.58 steps for each bit, each of a division, two
/// products and two differences (Knuth, The Art of Computer Programming, volume 2, section 4.5.3).
pub(crate) const fn inverse_steps(order: u64) -> u64 {
    let bits = (u64::BITS - order.leading_zeros()) as u64;
    bits * 58 / 100 * 5
}

/// Parts into which steps are cut to count them: those within a part count as the one in its middle.
const PARTS: usize = 16;

/// The steps in the middles of parts of `count` steps, each with how many there are in its part.
pub(crate) fn parts(count: usize) -> impl Iterator<Item = (usize, u64)> {
    let part = count.div_ceil(PARTS).max(1);
    (0..count).step_by(part).map(move |first| {
        let len = part.min(count - first);
        (first + len / 2, len as u64)
    })
}

/// The estimate of launches that take the time of `chain` operations at least, which wait for each other: a roofline leaves
/// them out.
pub(crate) fn with_chain(mut estimate: Estimate, chain: u64, machine: &Machine) -> Estimate {
    let latency = chain as f64 * machine.operation_latency_seconds;
    for kernel in &mut estimate.kernels {
        let more = (latency - (kernel.seconds - kernel.launch)).max(0.0);
        kernel.arithmetic = kernel.arithmetic.max(latency);
        kernel.seconds += more;
        estimate.seconds += more;
    }
    estimate
}

/// The estimate with `count` waits of the host for the device.
pub(crate) fn with_trips(mut estimate: Estimate, count: u64, machine: &Machine) -> Estimate {
    let seconds = count as f64 * machine.round_trip_seconds;
    estimate.seconds += seconds;
    estimate.floor_seconds += seconds;
    estimate.theorem_seconds += seconds;
    estimate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_all_steps() {
        for count in [0, 1, 15, 16, 17, 100, 1000] {
            let found: Vec<(usize, u64)> = parts(count).collect();
            assert!(found.len() <= PARTS && found.iter().all(|&(middle, _)| middle < count));
            assert_eq!(found.iter().map(|&(_, steps)| steps).sum::<u64>(), count as u64);
        }
    }

    #[test]
    fn foldings_come_as_often_as_the_modulus_asks_for() {
        let host = |word_bytes, order| HostCounts { word_bytes, order };
        // Products of 31 bits are below 2^60 in size: six and a folded sum below 2^61 are below 2^63. Those of 29 bits are some hundred.
        assert_eq!(host(4, 2_147_483_647).products(16), Operations::int32(4 * 16 + 8 * 2));
        assert_eq!(host(4, 469_762_049).products(160), Operations::int32(4 * 160 + 8));
        assert_eq!(host(4, 2).products(16), Operations::int32(4 * 16));
        assert_eq!(host(8, 4_611_686_009_971_671_041).products(16), Operations::scalar(3 * 16 + 6 * 4));
        assert_eq!(host(8, Goldilocks::MODULUS).products(16), Operations::scalar(4 * 16));
        assert_eq!(HostCounts::filled(33), 64);
    }
}
