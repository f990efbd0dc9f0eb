//! The check of counts of terms in every fixed polarity: counted again, by the halves of the function.
//!
//! With `f = f_0 + x (f_1 - f_0) = f_1 + (1 - x) (f_0 - f_1)` for the last variable x, the terms of f are those of the halves and
//! of their difference, in each polarity of the variables before it: `3^n` counts in all. Variables are taken in the order opposite to
//! that of the operation. Bits are done 64 at a time.

use crate::outcome::{CheckError, Outcome, Passed, collected, reserved};
use crate::threads;

const METHOD: &str = "terms of every polarity counted again";

/// Variables of a word of 64 values.
const WORD_VARIABLES: u32 = 6;

/// Checks the terms of the Reed-Muller polynomials of a function of `2^n` bits, each in a byte of its own: entry p of `terms`
/// has those of polarity p.
///
/// # Errors
/// [`CheckError::Value`], [`CheckError::Length`], [`CheckError::TooLarge`]; [`CheckError::Shape`].
pub fn reed_muller(bits: &[u8], terms: &[u32]) -> Outcome {
    let variables = variables(bits.len(), terms.len())?;
    let turned = collected((0..bits.len()).map(|i| bits[reversed(i, variables)]))?;
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0u64, |word, &bit| word << 1 | u64::from(bit & 1));
    let words = collected(turned.chunks(1 << WORD_VARIABLES).map(word))?;
    let inner = variables.min(WORD_VARIABLES);
    let found = counts(&words, inner, &|low, high| low ^ high, &|&word, out| count_word(word, inner, out))?;
    compare(terms, &found, variables)
}

/// Checks the terms of the arithmetic polynomials of a function of `2^n` integers, whose differences are taken in 128 bits.
///
/// # Errors
/// As [`reed_muller`].
pub fn arithmetic(values: &[i64], terms: &[u32]) -> Outcome {
    let variables = variables(values.len(), terms.len())?;
    let turned = collected((0..values.len()).map(|i| i128::from(values[reversed(i, variables)])))?;
    let leaf = |value: &i128, out: &mut [u32]| out[0] = u32::from(*value != 0);
    compare(terms, &counts(&turned, 0, &|low: i128, high| high - low, &leaf)?, variables)
}

fn variables(len: usize, terms: usize) -> Result<u32, CheckError> {
    if !len.is_power_of_two() {
        return Err(CheckError::Shape { what: format!("a function of {len} values") });
    }
    if terms != len {
        return Err(CheckError::Length { found: terms, expected: len });
    }
    Ok(len.ilog2())
}

/// An index with its bits in the other order.
fn reversed(index: usize, variables: u32) -> usize {
    index.reverse_bits().checked_shr(usize::BITS - variables).unwrap_or(0)
}

/// Compares terms with those that were counted for the variables in the other order.
fn compare(terms: &[u32], counted: &[u32], variables: u32) -> Outcome {
    let expected = collected((0..counted.len()).map(|polarity| counted[reversed(polarity, variables)]))?;
    crate::outcome::equal(terms, &expected, terms.len())?;
    Ok(Passed::by_second_computation(METHOD))
}

/// The number of terms in every polarity of the function with values `f`, each of `2^inner` bits; `leaf` counts the terms of one value.
fn counts<N: Copy + Send + Sync>(
    f: &[N],
    inner: u32,
    difference: &(impl Fn(N, N) -> N + Sync),
    leaf: &(impl Fn(&N, &mut [u32]) + Sync),
) -> Result<Vec<u32>, CheckError> {
    fn part<N: Copy + Send + Sync>(
        levels: u32,
        f: &[N],
        out: &mut [u32],
        difference: &(impl Fn(N, N) -> N + Sync),
        leaf: &(impl Fn(&N, &mut [u32]) + Sync),
    ) -> Result<(), CheckError> {
        if let [value] = f {
            leaf(value, out);
            return Ok(());
        }
        let (low, high) = f.split_at(f.len() / 2);
        let half = out.len() / 2;
        let (plain, complemented) = out.split_at_mut(half);
        // The counts of a function grow as a power of its length n above 1: the weight for the threads is n squared.
        let (first, second) = threads::join(
            levels,
            f.len() * f.len(),
            |levels| part(levels, low, plain, difference, leaf),
            |levels| part(levels, high, complemented, difference, leaf),
        );
        first.and(second)?;
        let differences = collected(low.iter().zip(high).map(|(&low, &high)| difference(low, high)))?;
        let mut of_differences = reserved(half)?;
        of_differences.resize(half, 0u32);
        part(levels, &differences, &mut of_differences, difference, leaf)?;
        for ((plain, complemented), more) in plain.iter_mut().zip(complemented).zip(of_differences) {
            *plain += more;
            *complemented += more;
        }
        Ok(())
    }
    let mut out = reserved(f.len() << inner)?;
    out.resize(f.len() << inner, 0);
    part(threads::levels(), f, &mut out, difference, leaf)?;
    Ok(out)
}

/// The terms in every polarity of a function of up to 6 variables, by its polynomials in the order of a Gray code: to complement
/// a variable adds the coefficients with it to those without.
fn count_word(word: u64, variables: u32, out: &mut [u32]) {
    let lows = |variable: u32| u64::MAX / ((1 << (1 << variable)) + 1);
    let mut polynomial = word;
    for variable in 0..variables {
        polynomial ^= (polynomial & lows(variable)) << (1 << variable);
    }
    let mut polarity = 0usize;
    for step in 1..=out.len() {
        out[polarity] = polynomial.count_ones();
        let variable = step.trailing_zeros();
        if variable < variables {
            polynomial ^= (polynomial >> (1 << variable)) & lows(variable);
            polarity ^= 1 << variable;
        }
    }
}

#[cfg(test)]
mod tests {
    use manycore_arrays::orders::BitOrder;
    use manycore_spectral::arithmetic::reference::arithmetic as integer_coefficients;
    use manycore_spectral::reed_muller::reference::reed_muller as bit_coefficients;

    use super::*;
    use crate::SplitMix;
    use crate::faults::all_found;

    #[test]
    fn true_counts_pass_and_every_change_is_found() {
        let mut random = SplitMix::new(1);
        for variables in 0..9 {
            let len = 1usize << variables;
            let bits: Vec<u8> = (0..len).map(|_| random.next_word() as u8 & 1).collect();
            let of = |polarity| bit_coefficients(&bits, BitOrder::Natural, polarity).unwrap();
            let terms: Vec<u32> = (0..len).map(|p| of(p).iter().map(|&bit| u32::from(bit)).sum()).collect();
            let changes = |_, value: u32| vec![value + 1, value ^ 1 << 20];
            all_found(&terms, changes, |terms| reed_muller(&bits, terms).map(|_| ()));

            let values: Vec<i64> = (0..len).map(|_| (random.next_word() % 3) as i64).collect();
            let of = |polarity| integer_coefficients(&values, BitOrder::Natural, polarity).unwrap();
            let terms: Vec<u32> = (0..len).map(|p| of(p).iter().filter(|&&value| value != 0).count() as u32).collect();
            all_found(&terms, changes, |terms| arithmetic(&values, terms).map(|_| ()));
        }
        assert!(matches!(reed_muller(&[1, 0, 1], &[0; 3]), Err(CheckError::Shape { .. })));
    }
}
