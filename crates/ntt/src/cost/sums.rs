//! Operations of sums of products in kernels, counted from `kernels/poly/accumulate.clh` and `kernels/field/*.clh`.

use manycore_field::Arithmetic;

use super::Operations;

/// The most products, of 2 and 4, that `accumulate.clh` may add between two foldings modulo `p`.
pub const fn sum_terms(arithmetic: Arithmetic, p: u64) -> u32 {
    let room = match arithmetic {
        Arithmetic::Word32 => p <= 1 << 30,
        Arithmetic::Word64 { .. } => p <= 1 << 62,
        Arithmetic::Goldilocks => true,
        Arithmetic::Floating => false,
    };
    if room { 4 } else { 2 }
}

/// Operations of a sum of products, reduced as rarely as the arithmetic allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SumCounts {
    /// Four products that are added, with their foldings.
    pub four: Operations,
    /// The residue of a sum.
    pub residue: Operations,
    /// The sum of two residues.
    pub addition: Operations,
}

impl SumCounts {
    /// The counts of an arithmetic that folds sums after every `terms` products.
    pub const fn of(arithmetic: Arithmetic, terms: u32) -> Self {
        let (product, fold, residue, addition) = match arithmetic {
            // A product of two words and its sum are two operations of one word each; a folding is a minimum.
            Arithmetic::Word32 => {
                let residue = Operations { int32: 3, int64: 1, ..Operations::NONE };
                (Operations::int32(2), Operations::int32(2), residue, Operations::int32(3))
            }
            // Both words of a product, two sums, a carry; the residue folds and divides.
            Arithmetic::Word64 { .. } => {
                (Operations::long(2, 4), Operations::long(0, 2), Operations::long(3, 18), Operations::long(0, 3))
            }
            // Another carry, and no folding.
            Arithmetic::Goldilocks => {
                (Operations::long(2, 7), Operations::NONE, Operations::long(0, 9), Operations::long(0, 4))
            }
            // A product is reduced by its quotient before it is added.
            Arithmetic::Floating => (Operations::f64(7), Operations::f64(3), Operations::f64(5), Operations::f64(4)),
        };
        let terms = if terms == 0 { 1 } else { terms as u64 };
        Self { four: product.times(4).plus(fold.times(4_u64.div_ceil(terms))), residue, addition }
    }

    /// Operations of `count` products that are added.
    pub const fn products(&self, count: u64) -> Operations {
        self.four.times(count.div_ceil(4))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_sums_have_room() {
        for (arithmetic, bits, p) in [
            (Arithmetic::Word32, 32, (1u64 << 31) - 1),
            (Arithmetic::Word32, 32, 469_762_049),
            (Arithmetic::Word64 { lazy: false }, 64, (1 << 63) - 25),
            (Arithmetic::Word64 { lazy: true }, 64, 4_611_686_009_971_671_041),
        ] {
            let terms = u128::from(sum_terms(arithmetic, p));
            assert!(terms * u128::from(p) <= 1 << bits, "{arithmetic} {p}");
        }
        assert_eq!(sum_terms(Arithmetic::Word32, 2_013_265_921), 2);
        assert_eq!(sum_terms(Arithmetic::Word32, 469_762_049), 4);
    }

    #[test]
    fn foldings_count_as_often_as_they_come() {
        let four = |terms| SumCounts::of(Arithmetic::Word32, terms).four;
        assert_eq!((four(4), four(2)), (Operations::int32(4 * 2 + 2), Operations::int32(4 * 2 + 2 * 2)));
        let goldilocks = SumCounts::of(Arithmetic::Goldilocks, 4);
        assert_eq!(goldilocks.products(8), Operations::long(16, 56));
    }
}
