//! All fixed polarities of a function at once: how many terms its polynomial has in each, and the best one.
//!
//! A variable stands in a polynomial of fixed polarity either plain or complemented throughout. Coefficients where the variable
//! does not occur are those of the function with the variable 0 (plain) or 1 (complemented), coefficients where it occurs are
//! those of the difference of both, whatever the polarity. So the terms of all polarities of a function of `n` variables are
//! those of two functions of `n - 1` variables and of their difference: `T(n) = 3 T(n - 1)`, `3^n` operations for the `2^n`
//! polarities, instead of the `n * 4^n` of as many transforms. The threads of the host do it.

use rayon::prelude::*;

use crate::packed::{LOW_HALVES, reed_muller_word};
use crate::scalar::Scalar;
use crate::shift;
use crate::walsh::SpectralError;

/// From so many variables on, the three parts of a function are done by several threads.
const SHARED_VARIABLES: u32 = 11;

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
/// Takes `O(3^n)` operations on all threads and `2^n` words of memory.
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
    shift::whole_words(words.len(), variables)?;
    if words.len() != 1 << variables.saturating_sub(6) {
        return Err(SpectralError::Packed { words: words.len(), variables });
    }
    let mut terms = vec![0; 1 << variables.max(6)];
    if let [word] = words {
        // A word of fewer variables is one of six that does not depend on the others.
        let own = if variables < 6 { word & ((1 << (1 << variables)) - 1) } else { *word };
        of_word((variables..6).fold(own, |word, k| word | word << (1 << k)), &mut terms);
    } else {
        of_words(words, &mut terms);
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

/// Adds the terms of every polarity of a function of more variables.
fn of_words(words: &[u64], terms: &mut [u32]) {
    let half = words.len() / 2;
    let (plain, complemented) = words.split_at(half);
    let (of_plain, of_complemented) = terms.split_at_mut(terms.len() / 2);
    let difference: Vec<u64> = plain.iter().zip(complemented).map(|(a, b)| a ^ b).collect();
    let mut of_difference = vec![0; of_plain.len()];
    let part = |words: &[u64], terms: &mut [u32]| match words {
        [word] => of_word(*word, terms),
        _ => of_words(words, terms),
    };
    in_three(
        of_difference.len().ilog2(),
        || part(plain, of_plain),
        || part(complemented, of_complemented),
        || part(&difference, &mut of_difference),
    );
    for half in [of_plain, of_complemented] {
        half.iter_mut().zip(&of_difference).for_each(|(sum, more)| *sum += more);
    }
}

/// The terms of the arithmetic polynomials of every fixed polarity of the integer function `x` of `log2(len)` variables.
///
/// Takes `O(3^n)` operations on all threads and `2^n` words of memory. Floating-point coefficients count where they are not
/// exactly 0.
///
/// ```
/// use manycore_spectral::polarity;
/// // The exclusive or of two variables is x1 + x2 - 2 x1 x2, whatever is complemented but for a term 1.
/// assert_eq!(polarity::arithmetic(&[0, 1, 1, 0])?.terms(), [3, 4, 4, 3]);
/// # Ok::<(), manycore_spectral::SpectralError>(())
/// ```
///
/// # Errors
/// [`SpectralError::NotPowerOfTwo`] for another length.
pub fn arithmetic<T: Scalar>(x: &[T]) -> Result<Polarities, SpectralError> {
    if !x.len().is_power_of_two() {
        return Err(SpectralError::NotPowerOfTwo { len: x.len() });
    }
    let mut terms = vec![0; x.len()];
    of_values(x, &mut terms);
    Ok(Polarities { terms })
}

/// Adds the terms of every polarity of a function.
fn of_values<T: Scalar>(x: &[T], terms: &mut [u32]) {
    match x {
        [a] => terms[0] += u32::from(*a != T::default()),
        [a, b] => {
            let more = u32::from(b.minus(*a) != T::default());
            terms[0] += u32::from(*a != T::default()) + more;
            terms[1] += u32::from(*b != T::default()) + more;
        }
        _ => {
            let (plain, complemented) = x.split_at(x.len() / 2);
            let (of_plain, of_complemented) = terms.split_at_mut(x.len() / 2);
            let difference: Vec<T> = plain.iter().zip(complemented).map(|(a, b)| b.minus(*a)).collect();
            let mut of_difference = vec![0; of_plain.len()];
            in_three(
                of_difference.len().ilog2(),
                || of_values(plain, of_plain),
                || of_values(complemented, of_complemented),
                || of_values(&difference, &mut of_difference),
            );
            for half in [of_plain, of_complemented] {
                half.iter_mut().zip(&of_difference).for_each(|(sum, more)| *sum += more);
            }
        }
    }
}

/// Does three works, by several threads where they have many variables.
fn in_three(variables: u32, mut a: impl FnMut() + Send, mut b: impl FnMut() + Send, mut c: impl FnMut() + Send) {
    if variables < SHARED_VARIABLES || rayon::current_num_threads() == 1 {
        a();
        b();
        c();
    } else {
        let works: [&mut (dyn FnMut() + Send); 3] = [&mut a, &mut b, &mut c];
        works.into_par_iter().for_each(|work| work());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::arithmetic::reference as of_integers;
    use crate::bit_order::BitOrder;
    use crate::reed_muller::reference::reed_muller_packed;

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
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| reed_muller(&words, 14).unwrap())
        };
        assert_eq!(on(1), on(3));
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
