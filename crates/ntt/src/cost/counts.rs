//! Operations of butterflies and products, counted from the sources of the kernels (`kernels/field/*.clh`) and of the
//! host (`ntt/host/*.rs`).

use manycore_device::{Device, WordType};
use manycore_field::Arithmetic;
use manycore_model::Machine;

use super::Operations;

/// Operations of an arithmetic in kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// A butterfly of a round's first level.
    first: Operations,
    /// A butterfly of a further level by the root 1.
    one: Operations,
    /// A butterfly by another root.
    root: Operations,
    /// A value that a round's fifth level settles.
    settle: Operations,
    /// A value that a round leaves.
    close: Operations,
    /// A product by a prepared factor.
    pub times: Operations,
    /// A product of two residues.
    pub product: Operations,
    /// A residue of a register to a canonical one.
    pub canonical: Operations,
}

impl Counts {
    /// The counts of an arithmetic.
    pub const fn of(arithmetic: Arithmetic) -> Self {
        const NONE: Operations = Operations::NONE;
        match arithmetic {
            // word32.clh. mod_times: three products. mod_butterfly_one: two minima of differences, a sum, a difference
            // and p. mod_mul: a product of two words, one by the reciprocal, one by p, a minimum.
            Arithmetic::Word32 => Self {
                first: Operations::int32(7),
                one: Operations::int32(7),
                root: Operations::int32(10),
                settle: NONE,
                close: NONE,
                times: Operations::int32(3),
                product: Operations { int32: 5, int64: 1, ..NONE },
                canonical: Operations::int32(2),
            },
            // word64.clh, below 4 p. mod_mul: a product of two words and Moeller and Granlund's division.
            Arithmetic::Word64 { lazy: true } => Self {
                first: Operations::long(0, 7),
                one: Operations::long(0, 7),
                root: Operations::long(3, 5),
                settle: NONE,
                close: NONE,
                times: Operations::long(3, 0),
                product: Operations::long(5, 18),
                canonical: Operations::long(0, 4),
            },
            // word64.clh, canonical: the sum and the difference have a minimum each, the product another.
            Arithmetic::Word64 { lazy: false } => Self {
                first: Operations::long(0, 6),
                one: Operations::long(0, 6),
                root: Operations::long(3, 8),
                settle: NONE,
                close: NONE,
                times: Operations::long(3, 2),
                product: Operations::long(5, 18),
                canonical: NONE,
            },
            // goldilocks_wide.clh: sums of three words of 32 bits; roots are shifts, of about as many operations as
            // three sums. goldilocks.clh: mod_mul reduces a product of two words by a difference and a sum.
            Arithmetic::Goldilocks => Self {
                first: Operations::int32(6),
                one: Operations::int32(6),
                root: Operations::int32(16),
                settle: NONE,
                close: Operations::int32(7),
                times: Operations { int32: 8, int64: 2, ..NONE },
                product: Operations { int32: 10, int64: 2, ..NONE },
                canonical: Operations::int32(4),
            },
            // floating.clh. mod_settle: three; mod_times: six; mod_mul: eight.
            Arithmetic::Floating => Self {
                first: Operations::f64(2),
                one: Operations::f64(5),
                root: Operations::f64(8),
                settle: Operations::f64(3),
                close: NONE,
                times: Operations::f64(6),
                product: Operations::f64(8),
                canonical: Operations::f64(5),
            },
        }
    }

    /// A round of `levels` levels on `2^levels` values: the blocks of a level have a root each, the first of which is
    /// 1.
    pub(super) fn round(&self, levels: u32) -> Operations {
        let half = (1u64 << levels) / 2;
        let level = |level: u32| {
            let by_one = half >> level;
            match level {
                0 => self.first.times(half),
                1..=3 => self.one.times(by_one).plus(self.root.times(half - by_one)),
                _ => self.one.times(by_one).plus(self.root.times(half - by_one)).plus(self.settle.times(half)),
            }
        };
        (0..levels).map(level).fold(self.close.times(1 << levels), Operations::plus)
    }
}

/// Operations of a butterfly modulo `p` on the host. Shoup's products are three of words; the ranges determine how
/// often sums are corrected.
pub fn host_butterfly(arithmetic: Arithmetic, p: u64) -> Operations {
    match arithmetic {
        // word32.rs: a product, three sums, and a minimum of a difference at every second level, at each, or two at
        // each.
        Arithmetic::Word32 if p < 1 << 29 => Operations::int32(7),
        Arithmetic::Word32 if p < 1 << 30 => Operations::int32(8),
        Arithmetic::Word32 => Operations::int32(10),
        // word64.rs: the same with two minima.
        Arithmetic::Word64 { .. } => Operations::long(3, 7),
        // goldilocks.rs: a product of two words, its reduction by a difference and a sum, then a sum and a difference.
        Arithmetic::Goldilocks => Operations::long(3, 11),
        // floating.rs: a product, a sum, a difference, and a reduction at every third level.
        Arithmetic::Floating => Operations::f64(9),
    }
}

/// Operations of a product of two residues on the host.
pub fn host_product(arithmetic: Arithmetic) -> Operations {
    match arithmetic {
        // word32.rs and word64.rs: Montgomery's, four products and a sum.
        Arithmetic::Word32 => Operations::int32(5),
        Arithmetic::Word64 { .. } => Operations::long(4, 1),
        Arithmetic::Goldilocks => Operations::long(3, 5),
        // floating.rs: a reduction and a product.
        Arithmetic::Floating => Operations::f64(9),
    }
}

/// The type of an arithmetic's words in memory.
pub(crate) const fn element(arithmetic: Arithmetic) -> WordType {
    match arithmetic {
        Arithmetic::Word32 => WordType::U32,
        _ => WordType::U64,
    }
}

/// The arithmetic whose `operations` take `machine` the least seconds, of those that hold for a field and that the
/// device computes right.
pub fn fastest(
    arithmetics: &[Arithmetic],
    device: &Device,
    machine: &Machine,
    operations: impl Fn(Arithmetic) -> Operations,
) -> Arithmetic {
    let is_right = |arithmetic: &Arithmetic| *arithmetic != Arithmetic::Floating || device.floating_residues();
    let possible: Vec<Arithmetic> = arithmetics.iter().copied().filter(is_right).collect();
    if let [only] = possible[..] {
        return only;
    }
    let seconds = |arithmetic: &Arithmetic| operations(*arithmetic).seconds(machine);
    // Every field has an arithmetic of integers.
    possible.into_iter().min_by(|a, b| seconds(a).total_cmp(&seconds(b))).unwrap_or(Arithmetic::Word64 { lazy: false })
}

/// The arithmetic whose butterflies a device does fastest.
pub(crate) fn fastest_butterflies(arithmetics: &[Arithmetic], device: &Device, machine: &Machine) -> Arithmetic {
    fastest(arithmetics, device, machine, |arithmetic| Counts::of(arithmetic).root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_have_a_root_for_each_block() {
        let counts = Counts::of(Arithmetic::Word32);
        assert_eq!(counts.round(0), Operations::NONE);
        assert_eq!(counts.round(1), Operations::int32(7));
        assert_eq!(counts.round(2), Operations::int32(2 * 7 + 7 + 10));
        assert_eq!(counts.round(3), Operations::int32(4 * 7 + (2 * 7 + 2 * 10) + (7 + 3 * 10)));
        // The fifth level settles what it adds to.
        let floating = Counts::of(Arithmetic::Floating);
        let fifth = 5 + 15 * 8 + 16 * 3;
        assert_eq!(floating.round(5).f64, 2 * floating.round(4).f64 + fifth);
        let goldilocks = Counts::of(Arithmetic::Goldilocks);
        assert_eq!(goldilocks.round(2), Operations::int32(2 * 6 + 6 + 16 + 4 * 7));
    }

    #[test]
    fn the_fastest_arithmetic_follows_the_rates() {
        let both = [Arithmetic::Word64 { lazy: true }, Arithmetic::Floating];
        let machine = Device::host().typical_machine();
        // The host's kernels are its own, in integers as far as this goes.
        let host = fastest_butterflies(&both, &Device::host(), &machine);
        assert_eq!(host, Arithmetic::Word64 { lazy: true });
        for device in manycore_testkit::opencl_devices().into_iter().filter(Device::floating_residues) {
            let mut machine = device.typical_machine();
            machine.rates.f64 = 10.0 * machine.rates.int64;
            assert_eq!(fastest_butterflies(&both, &device, &machine), Arithmetic::Floating);
            machine.rates.f64 = machine.rates.int64 / 10.0;
            assert_eq!(fastest_butterflies(&both, &device, &machine), both[0]);
        }
    }
}
