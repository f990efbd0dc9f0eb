//! Largest entries of rows of a difference distribution table, by counters of 8 or 16 bits.
//!
//! `x` and `x + a` have the same difference and are one pair: a counter is at most `2^(m-1)`, which 8 bits hold up to 8 input bits.

use crate::sbox::host::each_difference;

/// A counter of pairs.
pub(super) trait Counter: Copy + Ord + Default + Into<u16> {
    /// One more.
    fn next(self) -> Self;
}

impl Counter for u8 {
    #[inline(always)]
    fn next(self) -> Self {
        self.wrapping_add(1)
    }
}

impl Counter for u16 {
    #[inline(always)]
    fn next(self) -> Self {
        self.wrapping_add(1)
    }
}

/// Counters for every output of 16 bits, so that none is looked for past them.
pub(super) type Counters<C> = Box<[C; 1 << 16]>;

/// The most pairs of inputs with one difference of outputs of `output_bits` bits, of the rows `a` from 1 on in `rows`.
#[inline(always)]
pub(super) fn most_pairs<C: Counter, V: Copy + Into<u16>>(
    values: &[V],
    rows: std::ops::Range<usize>,
    output_bits: u32,
    counters: &mut Counters<C>,
) -> u16 {
    let mut most = C::default();
    for a in rows {
        counters[..1 << output_bits].fill(C::default());
        each_difference(values, a, |difference| {
            let counter = &mut counters[usize::from(difference)];
            *counter = counter.next();
        });
        most = counters[..1 << output_bits].iter().fold(most, |most, &count| most.max(count));
    }
    most.into()
}
