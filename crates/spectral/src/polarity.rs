//! All fixed polarities of a function at once: the number of terms of its polynomial in each, and the best one.
//!
//! A variable stands in a polynomial of fixed polarity either plain or complemented throughout. Coefficients where the variable
//! does not occur are those of the function with the variable 0 (plain) or 1 (complemented), coefficients where it occurs are
//! those of the difference of both, whatever the polarity. So the terms of all polarities of a function of `n` variables are
//! those of two functions of `n - 1` variables and of their difference: `T(n) = 3 T(n - 1)`, `3^n` operations for the `2^n`
//! polarities, instead of the `n * 4^n` of as many transforms. The threads of the host do it.

use manycore_device::Team;

use crate::error::SpectralError;
use crate::exact::{Of, Sums};
use crate::packed::{LOW_HALVES, reed_muller_word};
use crate::scalar::Scalar;
use crate::{lengths, threads};

/// The least number of variables for which several threads share the three parts of a function.
const SHARED_VARIABLES: u32 = 11;

/// What a function is given by: values, or words of packed ones.
trait Part: Copy + Default + Send + Sync {
    /// The function where a variable is 1, less that where it is 0.
    fn difference(zero: Self, one: Self) -> Self;

    /// Adds the terms of every polarity of a function that is too short to be taken apart; whether it is.
    fn add_short(x: &[Self], terms: &mut [u32]) -> bool;
}

impl Part for u64 {
    fn difference(zero: Self, one: Self) -> Self {
        zero ^ one
    }

    fn add_short(x: &[Self], terms: &mut [u32]) -> bool {
        if let [word] = x {
            of_word(*word, terms);
        }
        x.len() == 1
    }
}

impl<T: Scalar> Part for T {
    fn difference(zero: Self, one: Self) -> Self {
        one.minus(zero)
    }

    fn add_short(x: &[Self], terms: &mut [u32]) -> bool {
        let count = |value: T| u32::from(value != T::default());
        match x {
            [a] => terms[0] += count(*a),
            [a, b] => {
                let more = count(b.minus(*a));
                terms[0] += count(*a) + more;
                terms[1] += count(*b) + more;
            }
            _ => return false,
        }
        true
    }
}

/// The number of terms of a function's polynomial for every polarity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polarities {
    terms: Vec<u32>,
}

impl Polarities {
    /// The number of terms (coefficients other than 0) by polarity: variables at its set bits stand complemented.
    pub fn terms(&self) -> &[u32] {
        &self.terms
    }

    /// The polarity of the fewest terms, the least of several, and their number.
    pub fn best(&self) -> (u64, u32) {
        let by_terms = self.terms.iter().zip(0..).map(|(&terms, polarity)| (terms, polarity));
        by_terms.min().map_or((0, 0), |(terms, polarity)| (polarity, terms))
    }
}

/// The terms of the Reed-Muller polynomials of every fixed polarity of a function of `variables` variables, packed 64 values a
/// word: bit `i` of word `w` is value `64 w + i`. Below six variables, of the lowest `2^variables` bits of the word.
///
/// Takes `O(3^n)` operations on the threads of [`Device::host`](manycore_device::Device::host), and some times `2^n` words of
/// memory, the more the more threads there are.
///
/// ```
/// use manycore_spectral::polarity;
/// // x1' x2' has one term with both variables complemented, and 1 + x1 + x2 + x1 x2 without.
/// let all = polarity::reed_muller(&[0b0001], 2)?;
/// assert_eq!((all.terms()[0], all.best()), (4, (0b11, 1)));
/// # Ok::<(), manycore_spectral::SpectralError>(())
/// ```
///
/// # Errors
/// [`SpectralError::Packed`] where the words are not those of one function.
pub fn reed_muller(words: &[u64], variables: u32) -> Result<Polarities, SpectralError> {
    lengths::whole_words(words.len(), variables)?;
    if words.len() != 1 << variables.saturating_sub(6) {
        return Err(SpectralError::Packed { words: words.len(), variables });
    }
    let mut terms = vec![0; 1 << variables.max(6)];
    if let [word] = words {
        // A word of fewer variables is one of six that does not depend on the others.
        let own = if variables < 6 { word & ((1 << (1 << variables)) - 1) } else { *word };
        of_word((variables..6).fold(own, |word, k| word | word << (1 << k)), &mut terms);
    } else {
        of_default_host(words, &mut terms);
    }
    // The polarity of variables that do not exist.
    terms.truncate(1 << variables);
    Ok(Polarities { terms })
}

/// Adds the terms of every polarity of a function of six variables: one changes at a time, in Gray code.
fn of_word(word: u64, terms: &mut [u32]) {
    let mut spectrum = reed_muller_word(word, 0, 6);
    let mut polarity = 0_usize;
    for step in 1..=64_u32 {
        terms[polarity] += spectrum.count_ones();
        let k = step.trailing_zeros() as usize;
        if k < 6 {
            // With x = 1 + x', a + b x is (a + b) + b x'; and back the same.
            spectrum ^= (spectrum >> (1 << k)) & LOW_HALVES[k];
            polarity ^= 1 << k;
        }
    }
}

/// The terms of the arithmetic polynomials of every fixed polarity of the integer function `x` of `log2(len)` variables.
///
/// Takes operations and memory as [`reed_muller`]. Floating-point coefficients count where they are not exactly 0.
///
/// ```
/// use manycore_spectral::polarity;
/// // The exclusive or of two variables is x1 + x2 - 2 x1 x2, whatever is complemented but for a term 1.
/// assert_eq!(polarity::arithmetic(&[0, 1, 1, 0])?.terms(), [3, 4, 4, 3]);
/// # Ok::<(), manycore_spectral::SpectralError>(())
/// ```
///
/// # Errors
/// [`SpectralError::NotPowerOfTwo`] for another length; [`SpectralError::Overflow`] for integers whose absolute values add up to
/// more than their type holds.
#[inline(never)]
pub fn arithmetic<T: Scalar>(x: &[T]) -> Result<Polarities, SpectralError> {
    if !x.len().is_power_of_two() {
        return Err(SpectralError::NotPowerOfTwo { len: x.len() });
    }
    let mut terms = vec![0; x.len()];
    let sums = Sums { log_len: x.len().ilog2(), of: Of::Differences };
    threads::of_default_host(x.len() > 1 << SHARED_VARIABLES, |team| sums.before(x, team))?;
    of_default_host(x, &mut terms);
    Ok(Polarities { terms })
}

/// Adds the terms of every polarity of a function.
fn of_default_host<P: Part>(x: &[P], terms: &mut [u32]) {
    let long = terms.len() > 1 << SHARED_VARIABLES;
    threads::of_default_host(long, |team| of_all(vec![(x, terms)], team));
}

/// Counts the terms of several functions of equally many variables. Functions are split until there are enough for the threads.
fn of_all<P: Part>(mut functions: Vec<(&[P], &mut [u32])>, team: Team<'_>) {
    let Some((len, terms)) = functions.first().map(|(x, terms)| (x.len(), terms.len())) else { return };
    if functions.len() >= threads::least_parts(team) || terms <= 1 << SHARED_VARIABLES {
        return team.each(functions, |(x, terms)| alone(x, terms));
    }
    let mut differences = vec![P::default(); functions.len() * len / 2];
    team.each(functions.iter().zip(differences.chunks_exact_mut(len / 2)), |((x, _), to)| {
        let (plain, complemented) = x.split_at(len / 2);
        to.iter_mut().zip(plain).zip(complemented).for_each(|((to, a), b)| *to = P::difference(*a, *b));
    });
    let mut of_differences = vec![0; functions.len() * terms / 2];
    let mut parts = Vec::with_capacity(3 * functions.len());
    let more = differences.chunks_exact(len / 2).zip(of_differences.chunks_exact_mut(terms / 2));
    for ((x, all), difference) in functions.iter_mut().zip(more) {
        let (plain, complemented) = x.split_at(len / 2);
        let (of_plain, of_complemented) = all.split_at_mut(terms / 2);
        parts.extend([(plain, of_plain), (complemented, of_complemented), difference]);
    }
    of_all(parts, team);
    team.each(functions.into_iter().zip(of_differences.chunks_exact(terms / 2)), |((_, all), more)| add(all, more));
}

/// Counts the terms of one function, by the calling thread.
fn alone<P: Part>(x: &[P], terms: &mut [u32]) {
    if P::add_short(x, terms) {
        return;
    }
    let (plain, complemented) = x.split_at(x.len() / 2);
    let difference: Vec<P> = plain.iter().zip(complemented).map(|(a, b)| P::difference(*a, *b)).collect();
    let mut of_difference = vec![0; terms.len() / 2];
    let (of_plain, of_complemented) = terms.split_at_mut(of_difference.len());
    alone(plain, of_plain);
    alone(complemented, of_complemented);
    alone(&difference, &mut of_difference);
    add(terms, &of_difference);
}

/// Adds the terms of a difference to those of both halves.
fn add(terms: &mut [u32], of_difference: &[u32]) {
    for half in terms.chunks_exact_mut(of_difference.len()) {
        half.iter_mut().zip(of_difference).for_each(|(sum, more)| *sum += more);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::arithmetic::reference as of_integers;
    use crate::reed_muller::reference::reed_muller_packed;
    use manycore_arrays::orders::BitOrder;

    fn noise(i: usize) -> u64 {
        (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
    }

    #[test]
    fn every_polarity_has_the_terms_of_its_spectrum() {
        for variables in 0..=9_u32 {
            let words: Vec<u64> = (0..1_usize << variables.saturating_sub(6)).map(noise).collect();
            let function: Vec<u64> =
                if variables < 6 { vec![words[0] & ((1 << (1 << variables)) - 1)] } else { words.clone() };
            let all = reed_muller(&words, variables).unwrap();
            assert_eq!(all.terms().len(), 1 << variables);
            for (polarity, &terms) in all.terms().iter().enumerate() {
                let spectrum = reed_muller_packed(&function, variables, polarity).unwrap();
                assert_eq!(terms, spectrum.iter().map(|w| w.count_ones()).sum::<u32>(), "{variables} {polarity}");
            }
            let (best, terms) = all.best();
            assert_eq!(Some(&terms), all.terms().iter().min());
            assert_eq!(all.terms()[best as usize], terms);
        }
    }

    #[test]
    fn threads_agree() {
        let words: Vec<u64> = (0..1 << 8).map(noise).collect();
        let values: Vec<i32> = (0..1 << 13).map(|i| (noise(i) & 1) as i32).collect();
        let on = |threads| {
            threads::of_host_with(threads, |team| {
                let (mut of_words, mut of_values) = (vec![0; 1 << 14], vec![0; 1 << 13]);
                of_all(vec![(words.as_slice(), of_words.as_mut_slice())], team);
                of_all(vec![(values.as_slice(), of_values.as_mut_slice())], team);
                (of_words, of_values)
            })
        };
        let alone = on(1);
        assert!(alone == on(2) && alone == on(3));
        // By as many threads as there are.
        assert_eq!(reed_muller(&words, 14).unwrap().terms, alone.0);
        assert_eq!(arithmetic(&values).unwrap().terms, alone.1);
    }

    #[test]
    fn wrong_lengths_are_refused() {
        assert!(matches!(reed_muller(&[1, 2], 6), Err(SpectralError::Packed { words: 2, variables: 6 })));
        assert!(matches!(reed_muller(&[], 3), Err(SpectralError::Packed { words: 0, variables: 3 })));
        assert!(matches!(arithmetic::<i32>(&[]), Err(SpectralError::NotPowerOfTwo { len: 0 })));
        assert!(matches!(arithmetic(&[1, 2, 3]), Err(SpectralError::NotPowerOfTwo { len: 3 })));
    }

    proptest! {
        #[test]
        fn arithmetic_polarities_have_the_terms_of_their_spectra(
            (n, values) in (0_u32..7).prop_flat_map(|n| (Just(n), proptest::collection::vec(-2_i32..3, 1 << n))),
        ) {
            let all = arithmetic(&values).unwrap();
            for (polarity, &terms) in all.terms().iter().enumerate() {
                let spectrum = of_integers::arithmetic(&values, BitOrder::Natural, polarity).unwrap();
                prop_assert_eq!(terms as usize, spectrum.iter().filter(|&&c| c != 0).count(), "{} {}", n, polarity);
            }
        }
    }
}
