//! Properties of a function that follow from its spectrum.

use std::collections::BTreeMap;

/// Sums and maxima over a table of `2^n` integers, by the number of ones of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClassSums {
    /// The largest `|v|` of each class.
    pub(crate) most: Vec<u32>,
    /// The number of `v` other than 0.
    pub(crate) nonzero: Vec<u64>,
    /// The sum of all squares.
    pub(crate) squares: u128,
    /// For each bit the lowest index that it leads and whose `|v|` is `2^n`.
    pub(crate) full: Vec<Option<u64>>,
}

impl ClassSums {
    pub(crate) fn new(variables: u32) -> Self {
        let classes = variables as usize + 1;
        Self { most: vec![0; classes], nonzero: vec![0; classes], squares: 0, full: vec![None; variables as usize] }
    }

    /// The largest `t` so that all classes from 1 to `t` are zero.
    fn zero_classes(&self) -> u32 {
        self.most[1..].iter().take_while(|&&most| most == 0).count() as u32
    }
}

/// Properties from the Walsh spectrum of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalshSummary {
    pub(crate) variables: u32,
    pub(crate) sums: ClassSums,
}

impl WalshSummary {
    /// The number of variables, `n`.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The largest `|W(w)|`, the linearity.
    pub fn linearity(&self) -> u64 {
        self.sums.most.iter().copied().max().unwrap_or(0).into()
    }

    /// The distance to the nearest affine function, `(2^n - max |W|) / 2`.
    pub fn nonlinearity(&self) -> u64 {
        // A device that failed may return too large a number.
        (1u64 << self.variables).saturating_sub(self.linearity()) / 2
    }

    /// The largest `|W(w)|` among the `w` of each weight from 0 to `n`.
    pub fn most_by_weight(&self) -> Vec<u64> {
        self.sums.most.iter().map(|&most| most.into()).collect()
    }

    /// The number of coefficients other than 0 among the `w` of each weight from 0 to `n`.
    pub fn nonzero_by_weight(&self) -> &[u64] {
        &self.sums.nonzero
    }

    /// The number of zeros.
    pub fn zeros(&self) -> u64 {
        (1u64 << self.variables).saturating_sub(self.nonzero())
    }

    fn nonzero(&self) -> u64 {
        self.sums.nonzero.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// The sum of the squares of all coefficients: `4^n` by Parseval's theorem; any other sum is a failure.
    pub fn sum_of_squares(&self) -> u128 {
        self.sums.squares
    }

    /// Whether 0 and 1 are taken equally often, `W(0) = 0`.
    pub fn is_balanced(&self) -> bool {
        self.sums.most[0] == 0
    }

    /// The correlation immunity: the largest `t` with `W(w) = 0` for all `w` of 1 to `t` ones; `n` for constants.
    pub fn correlation_immunity(&self) -> u32 {
        self.sums.zero_classes()
    }

    /// The resiliency, which is the correlation immunity of a balanced function; `None` for others.
    pub fn resiliency(&self) -> Option<u32> {
        self.is_balanced().then(|| self.correlation_immunity())
    }

    /// Whether `|W(w)| = 2^(n/2)` everywhere, the least possible maximum.
    pub fn is_bent(&self) -> bool {
        self.variables.is_multiple_of(2) && self.linearity() == 1 << (self.variables / 2)
    }

    /// The amplitude of a plateaued function, whose coefficients are 0 and `+-` one number; `None` for others.
    pub fn plateaued(&self) -> Option<u64> {
        let most = u128::from(self.linearity());
        let squares = u128::from(self.nonzero()).checked_mul(most * most);
        (squares == Some(self.sums.squares)).then(|| self.linearity())
    }
}

/// Properties from the autocorrelation of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutocorrelationSummary {
    pub(crate) variables: u32,
    pub(crate) sums: ClassSums,
}

impl AutocorrelationSummary {
    /// The number of variables, `n`.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The absolute indicator, the largest `|r(a)|` with `a != 0`; 0 for functions of no variables.
    pub fn absolute_indicator(&self) -> u64 {
        self.sums.most[1..].iter().copied().max().unwrap_or(0).into()
    }

    /// The sum-of-squares indicator, the sum of `r(a)^2` over all `a`, 0 included.
    pub fn sum_of_squares(&self) -> u128 {
        self.sums.squares
    }

    /// The largest `|r(a)|` among the `a` of each weight from 0 to `n`.
    pub fn most_by_weight(&self) -> Vec<u64> {
        self.sums.most.iter().map(|&most| most.into()).collect()
    }

    /// The order of the propagation criterion: the largest `l` with `r(a) = 0` for all `a` of 1 to `l` ones, that is, with
    /// balanced derivatives in all these directions.
    pub fn propagation_order(&self) -> u32 {
        self.sums.zero_classes()
    }

    /// Whether the strict avalanche criterion holds: every variable, changed alone, changes the value for half the inputs.
    pub fn strict_avalanche(&self) -> bool {
        self.propagation_order() >= 1
    }

    /// A basis of the space of linear structures, the `a` whose derivative is constant, each with another leading bit,
    /// ascending; empty where only 0 is one.
    pub fn linear_structures(&self) -> Vec<u64> {
        self.sums.full.iter().flatten().copied().collect()
    }
}

/// The multiplicities of the values of a table, and the largest absolute value with its place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Histogram {
    /// The number of entries of each value that occurs.
    pub counts: BTreeMap<i64, u64>,
}

impl Histogram {
    /// The number of entries of each absolute value.
    pub fn absolute(&self) -> BTreeMap<u64, u64> {
        self.counts.iter().fold(BTreeMap::new(), |mut counts, (value, count)| {
            let sum: &mut u64 = counts.entry(value.unsigned_abs()).or_default();
            *sum = sum.saturating_add(*count);
            counts
        })
    }

    /// The number of entries.
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The summary without some entries: pairs of a value and the number of its entries to leave out.
    pub(crate) fn without(&self, entries: [(i64, u64); 2]) -> Self {
        let mut counts = self.counts.clone();
        for (value, count) in entries {
            if let Some(found) = counts.get_mut(&value) {
                *found = found.saturating_sub(count);
            }
        }
        counts.retain(|_, count| *count > 0);
        Self { counts }
    }

    /// From bins of the even values `2 (i - offset)`.
    pub(crate) fn of_even(bins: &[u64], offset: usize) -> Self {
        let value = |i: usize| 2 * (i as i64 - offset as i64);
        let counts = bins.iter().enumerate().filter(|(_, count)| **count > 0);
        Self { counts: counts.map(|(i, &count)| (value(i), count)).collect() }
    }
}
