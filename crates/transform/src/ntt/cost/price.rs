//! What the arithmetics cost, in multiply-adds.

use manycore_device::{Device, WordType};
use manycore_field::Arithmetic;
use manycore_model::{Machine, Operation};

/// What the parts of an arithmetic's butterflies cost, in multiply-adds of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Price {
    pub(super) operation: Operation,
    /// The sum and the difference.
    pub(super) sums: u64,
    /// The product by the root of a block, where that is not 1.
    pub(super) root: u64,
    /// A product by a factor.
    pub(super) product: u64,
    /// What items lose by waiting for each other between rounds, for each value.
    pub(super) exchange: u64,
}

impl Price {
    /// A whole butterfly.
    const fn butterfly(&self) -> u64 {
        self.sums + self.root
    }

    /// What a round of `levels` levels between registers costs for `2^levels` values: each level's first block has the root 1.
    pub(super) const fn round(&self, levels: u32) -> u64 {
        let butterflies = (levels as u64) << levels >> 1;
        butterflies * self.butterfly() - ((1 << levels) - 1) * self.root
    }
}

pub(super) const fn price(arithmetic: Arithmetic) -> Price {
    let (operation, sums, root, product, exchange) = match arithmetic {
        Arithmetic::Word32 => (Operation::Int32, 1, 4, 3, 5),
        Arithmetic::Word64 { lazy: true } => (Operation::Int64, 1, 4, 4, 4),
        Arithmetic::Word64 { lazy: false } => (Operation::Int64, 2, 5, 5, 4),
        Arithmetic::Goldilocks => (Operation::Int64, 1, 1, 4, 2),
        Arithmetic::Floating => (Operation::F64, 3, 6, 6, 0),
    };
    Price { operation, sums, root, product, exchange }
}

/// The type of an arithmetic's words in memory.
pub(in crate::ntt) const fn element(arithmetic: Arithmetic) -> WordType {
    match arithmetic {
        Arithmetic::Word32 => WordType::U32,
        _ => WordType::U64,
    }
}

/// The arithmetic whose butterflies the device does fastest, of those that hold for a field. `slowdown` tells how many times
/// as long an arithmetic's operations take as the machine says, and is asked only where there is a choice.
pub(in crate::ntt) fn fastest(
    arithmetics: &[Arithmetic],
    device: &Device,
    machine: &Machine,
    slowdown: impl Fn(Arithmetic) -> f64,
) -> Arithmetic {
    let possible = |arithmetic: &Arithmetic| *arithmetic != Arithmetic::Floating || device.floating_residues();
    let possible: Vec<Arithmetic> = arithmetics.iter().copied().filter(possible).collect();
    if let [only] = possible[..] {
        return only;
    }
    let seconds = |arithmetic: Arithmetic| {
        let price = price(arithmetic);
        price.butterfly() as f64 / machine.rate(price.operation) * slowdown(arithmetic)
    };
    let timed = possible.into_iter().map(|arithmetic| (arithmetic, seconds(arithmetic)));
    // Every field has an arithmetic of integers.
    timed.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(Arithmetic::Word64 { lazy: false }, |(arithmetic, _)| arithmetic)
}
