//! The primitives on the host's threads.

use manycore_device::Team;

use super::table::SBox;
use crate::tally::Best;
use crate::threads::{TASK, each_row, mapped, part_len};

/// Operations of a row: about one for each of its entries, and for each input.
fn row_cost(sbox: &SBox) -> usize {
    sbox.inputs().max(sbox.outputs())
}

fn sign(bits: u32) -> i32 {
    1 - 2 * (bits.count_ones() & 1) as i32
}

/// Rows of signs for each output mask from `first` on.
pub(super) fn components(team: Team<'_>, sbox: &SBox, first: usize, out: &mut [i32]) {
    each_row(team, out, sbox.inputs(), sbox.inputs(), |row, out| {
        let mask = (first + row) as u16;
        out.iter_mut().zip(sbox.values()).for_each(|(out, &y)| *out = sign(u32::from(y & mask)));
    });
}

/// Rows of sums of signs over each output's inputs, for each input mask from `first` on; `out` is zero before.
pub(super) fn preimages(team: Team<'_>, sbox: &SBox, first: usize, out: &mut [i32]) {
    each_row(team, out, sbox.outputs(), row_cost(sbox), |row, out| {
        let mask = (first + row) as u16;
        (0..=u16::MAX).zip(sbox.values()).for_each(|(x, &y)| out[usize::from(y)] += sign(u32::from(x & mask)));
    });
}

/// Rows of differences for each input difference from `first` on; `out` is zero before.
pub(super) fn differences(team: Team<'_>, sbox: &SBox, first: usize, out: &mut [u32]) {
    each_row(team, out, sbox.outputs(), row_cost(sbox), |row, out| {
        each_difference(sbox.values(), first + row, |difference| out[usize::from(difference)] += 2);
    });
}

/// The differences of half the inputs: `x` and `x + a` have the same one.
#[inline(always)]
pub(super) fn each_difference<T: Copy + Into<u16>>(values: &[T], a: usize, mut take: impl FnMut(u16)) {
    let lead = 1usize << a.checked_ilog2().unwrap_or(0);
    for block in values.chunks_exact(2 * lead) {
        // The leading one of a is the block's upper half; with the difference 0, an input is its own partner.
        let (low, high) = block.split_at(lead);
        let high = if a == 0 { low } else { high };
        for (i, &y) in low.iter().enumerate() {
            take(y.into() ^ high[(i ^ a) & (lead - 1)].into());
        }
    }
}

/// Rows of boomerangs of a permutation for each input difference `a` from `first` on. With `X = S^-1(S(x) + b)`, the boomerang of `x`
/// returns where `S(X) + S(X + a) = S(x) + S(x + a)`: so pairs of outputs whose inputs have one output difference are counted, by their
/// sum `b`, in place of all `x` for each `b`.
pub(super) fn boomerangs(team: Team<'_>, sbox: &SBox, first: usize, out: &mut [u32]) {
    let (values, len) = (sbox.values(), sbox.inputs());
    each_row(team, out, len, 4 * len, |row, out| {
        let a = first + row;
        if a == 0 {
            out.fill(len as u32);
            return;
        }
        let difference = |x: usize| usize::from(values[x] ^ values[x ^ a]);
        // Outputs by their differences: where those of each end.
        let mut ends = vec![0usize; len + 1];
        (0..len).for_each(|x| ends[difference(x) + 1] += 1);
        (0..len).for_each(|d| ends[d + 1] += ends[d]);
        let mut next = ends.clone();
        let mut sorted = vec![0u16; len];
        for (x, &y) in values.iter().enumerate() {
            let place = &mut next[difference(x)];
            sorted[*place] = y;
            *place += 1;
        }
        out.fill(0);
        for same in ends.windows(2).map(|ends| &sorted[ends[0]..ends[1]]) {
            for y in same {
                for z in same {
                    out[usize::from(y ^ z)] += 1;
                }
            }
        }
    });
}

/// Values that are counted by comparing all counters with each: a vector operation, where a look-up is none.
const COMPARED: u16 = 6;

/// What was counted of some rows.
struct Part {
    bins: Vec<u64>,
    best: Best,
}

impl Part {
    fn new(sbox: &SBox) -> Self {
        Self { bins: vec![0; sbox.inputs() / 2 + 1], best: Best::NONE }
    }

    /// Counts the row of `a`, in counters that are anything before: halves are at most `2^15`.
    fn row(mut self, sbox: &SBox, a: usize, counters: &mut [u16]) -> Self {
        counters.fill(0);
        each_difference(sbox.values(), a, |difference| counters[usize::from(difference)] += 1);
        let mut rest = counters.len();
        for value in 0..COMPARED.min(self.bins.len() as u16) {
            let found = counters.chunks(1 << 14).map(|part| count_equal(part, value)).sum::<usize>();
            self.bins[usize::from(value)] += found as u64;
            rest -= found;
        }
        if rest > 0 {
            counters.iter().filter(|count| **count >= COMPARED).for_each(|&count| self.bins[usize::from(count)] += 1);
        }
        if a == 0 {
            return self;
        }
        let most = counters.iter().copied().max().unwrap_or(0);
        if u32::from(most) > self.best.most {
            let at = counters.iter().position(|&count| count == most).unwrap_or(0);
            self.best = Best { most: most.into(), row: a as u32, column: at as u32, ..self.best };
        }
        // Most rows have too many ones to matter.
        let ones = a.count_ones();
        if self.best.branch.is_none_or(|branch| branch > ones) {
            let differences = (0u32..).zip(counters).filter(|(_, count)| **count != 0);
            let least = differences.map(|(difference, _)| difference.count_ones()).min().unwrap_or(0);
            self.best.branch = Some(self.best.branch.unwrap_or(u32::MAX).min(ones + least));
        }
        self
    }

    fn add(mut self, other: Self) -> Self {
        self.bins.iter_mut().zip(other.bins).for_each(|(a, b)| *a += b);
        Self { best: self.best.or(other.best), ..self }
    }
}

/// The number of counters, of at most `2^16 - 1`, that equal `value`, counted in 16 bits.
fn count_equal(counters: &[u16], value: u16) -> usize {
    usize::from(counters.iter().fold(0u16, |sum, &count| sum + u16::from(count == value)))
}

/// Counts of the halves of all entries, and the largest half.
pub(super) fn difference_counts(team: Team<'_>, sbox: &SBox) -> (Vec<u64>, Best) {
    let len = part_len(team, sbox.inputs(), TASK.div_ceil(row_cost(sbox)));
    let work = |start: usize| {
        let mut counters = vec![0; sbox.outputs()];
        let rows = start..sbox.inputs().min(start + len);
        rows.fold(Part::new(sbox), |part, a| part.row(sbox, a, &mut counters))
    };
    let part = mapped(team, (0..sbox.inputs()).step_by(len), work).fold(Part::new(sbox), Part::add);
    (part.bins, part.best)
}
