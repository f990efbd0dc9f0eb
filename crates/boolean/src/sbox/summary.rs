//! Figures from the tables of an S-box.

use super::SBox;
use crate::function::Histogram;
use crate::tally::Best;

/// Figures of the linear approximation table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinearSummary {
    /// The number of entries of each value `W(a, b)`, over all `2^m` input and all `2^n` output masks.
    pub histogram: Histogram,
    /// The linearity, the largest `|W(a, b)|` with `b != 0`.
    pub linearity: u64,
    /// Its place, the input mask `a` and the output mask `b`: the least `b`, and the least `a` for it.
    pub place: (u16, u16),
    /// The linear branch number, the least number of ones in `a` and `b` together, not both 0, with `W(a, b) != 0`.
    pub branch_number: u32,
    input_bits: u32,
}

impl LinearSummary {
    pub(super) fn new(sbox: &SBox, histogram: Histogram, best: Best) -> Self {
        Self {
            histogram,
            linearity: best.most.into(),
            place: (best.column as u16, best.row as u16),
            branch_number: best.branch.unwrap_or(0),
            input_bits: sbox.input_bits(),
        }
    }

    /// The least nonlinearity of a component function, `(2^m - linearity) / 2`.
    pub fn nonlinearity(&self) -> u64 {
        // A device that failed may return too large a number.
        (1u64 << self.input_bits).saturating_sub(self.linearity) / 2
    }

    /// The histogram of the component functions alone, without the output mask 0, whose coefficients are `2^m` once and 0.
    pub fn components(&self) -> Histogram {
        let inputs = 1u64 << self.input_bits;
        self.histogram.without([(inputs as i64, 1), (0, inputs - 1)])
    }
}

/// Figures of the difference distribution table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DifferenceSummary {
    /// The number of entries of each value, over all input and output differences.
    pub histogram: Histogram,
    /// The differential uniformity, the largest entry with an input difference other than 0.
    pub uniformity: u64,
    /// Its place, the input and the output difference: the least input difference, and the least output difference for it.
    pub place: (u16, u16),
    /// The differential branch number, the least number of ones in an input and an output difference together, of two
    /// different inputs.
    pub branch_number: u32,
    input_bits: u32,
    output_bits: u32,
}

impl DifferenceSummary {
    /// From the counts of the entries' halves.
    pub(super) fn new(sbox: &SBox, halves: &[u64], best: Best) -> Self {
        let counts = (0i64..).zip(halves).filter(|(_, count)| **count > 0).map(|(half, &count)| (2 * half, count));
        Self {
            histogram: Histogram { counts: counts.collect() },
            uniformity: 2 * u64::from(best.most),
            place: (best.row as u16, best.column as u16),
            branch_number: best.branch.unwrap_or(0),
            input_bits: sbox.input_bits(),
            output_bits: sbox.output_bits(),
        }
    }

    /// The histogram without the input difference 0, whose entries are `2^m` once and 0.
    pub fn nontrivial(&self) -> Histogram {
        self.histogram.without([(1 << self.input_bits, 1), (0, (1 << self.output_bits) - 1)])
    }
}
