//! Figures of a Boolean function, computed again from spectra of the host by plain loops.

use std::collections::BTreeMap;

use super::loops::{Packed, walsh_i64};
use crate::compared::compare;
use crate::{CheckError, Outcome, Passed, collected};

/// All figures of a Boolean function `f` of `n` variables, with the Walsh spectrum `W(w) = sum over x of (-1)^(f(x) + w
/// . x)` and the autocorrelation `r(a) = sum over x of (-1)^(f(x) + f(x + a))`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The number of variables.
    pub variables: u32,
    /// The number of `x` with `f(x) = 1`.
    pub weight: u64,
    /// Whether `W(0) = 0`.
    pub balanced: bool,
    /// The most variables of a term of the algebraic normal form; 0 for constants, the zero function included.
    pub degree: u32,
    /// The number of terms of the algebraic normal form.
    pub terms: u64,
    /// `(2^n - max |W|) / 2`.
    pub nonlinearity: u64,
    /// `max |W|`.
    pub linearity: u64,
    /// The largest `t` with `W(w) = 0` for all `w` of 1 to `t` ones, whatever `W(0)` is.
    pub correlation_immunity: u32,
    /// The correlation immunity of a balanced function.
    pub resiliency: Option<u32>,
    /// Whether `|W| = 2^(n/2)` everywhere.
    pub bent: bool,
    /// The one `|W|` other than 0, where there is one.
    pub plateaued: Option<u64>,
    /// The largest `|r(a)|` for `a` other than 0.
    pub absolute_indicator: u64,
    /// The sum of the squares of `r`.
    pub sum_of_squares: u128,
    /// The largest `l` with `r(a) = 0` for all `a` of 1 to `l` ones.
    pub propagation_order: u32,
    /// Whether the propagation order is at least 1.
    pub strict_avalanche: bool,
    /// For each bit the least `a` that it leads and whose `|r(a)|` is `2^n`, if there is one.
    pub linear_structures: Vec<u64>,
    /// The multiplicity of each `|W|`.
    pub walsh_sizes: BTreeMap<u64, u64>,
    /// The multiplicity of each `|r|`.
    pub autocorrelation_sizes: BTreeMap<u64, u64>,
}

impl Facts {
    /// The facts of the function with these packed values: `n 2^(n+1)` additions, `8 2^n` bytes.
    ///
    /// # Errors
    /// [`CheckError::Shape`] for words that are no function of 0 to 30 variables; [`CheckError::TooLarge`].
    pub fn of(variables: u32, words: &[u64]) -> Result<Self, CheckError> {
        let f = Packed::spectral(variables, words)?;
        let coefficients = f.moebius()?;
        let (degree, terms) = degree_and_terms(&coefficients);
        let mut values = collected((0..f.len()).map(|x| if f.bit(x) { -1i64 } else { 1 }))?;
        let len = values.len() as u64;
        walsh_i64(&mut values);
        let walsh = Sizes::of(&values);
        let correlation_immunity = walsh.zero_classes(variables);
        let balanced = values[0] == 0;
        let weight = (len as i64 - values[0]) as u64 / 2;
        for w in &mut values {
            *w *= *w;
        }
        walsh_i64(&mut values);
        for r in &mut values {
            *r >>= variables;
        }
        let r = Sizes::of(&values);
        let mut linear_structures = Vec::new();
        for bit in 0..variables {
            let led = 1usize << bit..2usize << bit;
            linear_structures.extend(led.into_iter().find(|&a| values[a].unsigned_abs() == len).map(|a| a as u64));
        }
        let propagation_order = r.zero_classes(variables);
        let nonzero: Vec<u64> = walsh.counts.keys().copied().filter(|&size| size > 0).collect();
        Ok(Self {
            variables,
            weight,
            balanced,
            degree,
            terms,
            nonlinearity: (len - walsh.most(0)) / 2,
            linearity: walsh.most(0),
            correlation_immunity,
            resiliency: balanced.then_some(correlation_immunity),
            bent: variables.is_multiple_of(2) && walsh.counts.keys().eq([&(1 << (variables / 2))]),
            plateaued: if nonzero.len() == 1 { Some(nonzero[0]) } else { None },
            absolute_indicator: r.most(1),
            sum_of_squares: r.counts.iter().map(|(&r, &count)| u128::from(r).pow(2) * u128::from(count)).sum(),
            propagation_order,
            strict_avalanche: propagation_order >= 1,
            linear_structures,
            walsh_sizes: walsh.counts,
            autocorrelation_sizes: r.counts,
        })
    }

    /// Whether these are the facts of the function with these packed values. No wrong ones pass.
    ///
    /// # Errors
    /// [`CheckError::Relation`] with the first wrong one; as [`Facts::of`].
    pub fn check(&self, variables: u32, words: &[u64]) -> Outcome {
        let right = Self::of(variables, words)?;
        compare!(
            self,
            right,
            variables,
            weight,
            balanced,
            degree,
            terms,
            nonlinearity,
            linearity,
            correlation_immunity,
            resiliency,
            bent,
            plateaued,
            absolute_indicator,
            sum_of_squares,
            propagation_order,
            strict_avalanche,
            linear_structures,
            walsh_sizes,
            autocorrelation_sizes
        );
        Ok(Passed::by_second_computation("every fact from a second computation of both spectra and the normal form"))
    }
}

/// The degree and the number of terms of packed coefficients, place by place.
pub(super) fn degree_and_terms(coefficients: &[u64]) -> (u32, u64) {
    coefficients.iter().enumerate().fold((0, 0), |facts, (at, &word)| {
        let ones = (0..64).filter(|bit| word >> bit & 1 == 1);
        ones.fold(facts, |(degree, terms), bit| (degree.max((64 * at + bit).count_ones()), terms + 1))
    })
}

/// The absolute values of a spectrum: how often each occurs, and the largest by the ones of the index.
struct Sizes {
    counts: BTreeMap<u64, u64>,
    most: Vec<u64>,
}

impl Sizes {
    fn of(values: &[i64]) -> Self {
        /// Sizes below this are counted in a list.
        const LISTED: usize = 1 << 20;
        let mut listed = vec![0u64; LISTED.min(values.len() + 1)];
        let mut counts = BTreeMap::new();
        let mut most = vec![0; values.len().ilog2() as usize + 1];
        for (index, value) in values.iter().enumerate() {
            let size = value.unsigned_abs();
            match listed.get_mut(size as usize) {
                Some(count) => *count += 1,
                None => *counts.entry(size).or_default() += 1,
            }
            let most = &mut most[index.count_ones() as usize];
            *most = size.max(*most);
        }
        counts.extend((0..).zip(listed).filter(|(_, count)| *count > 0));
        Self { counts, most }
    }

    /// The largest at indices of `least` ones or more.
    fn most(&self, least: usize) -> u64 {
        self.most[least..].iter().copied().max().unwrap_or(0)
    }

    /// The largest `t` so that all values at indices of 1 to `t` ones are 0.
    fn zero_classes(&self, variables: u32) -> u32 {
        (1..=variables).take_while(|&ones| self.most[ones as usize] == 0).count() as u32
    }
}
