//! The checks of Boolean functions: spectra, normal forms and what is read off them, computed again by plain loops on the host
//! and compared at every place.
//!
//! A function comes as the words that were read, bit `i` of word `w` being `f(64 w + i)`. The Walsh spectrum is transformed
//! again; the autocorrelation is the Walsh transform of the squares of the spectrum over `2^n` (Wiener and Khinchin), in
//! 64-bit integers; the normal form is the Moebius transform of the values.

mod facts;
pub(crate) mod loops;

pub use facts::Facts;
pub use loops::MOST_SPECTRAL_VARIABLES;

use crate::{CheckError, Outcome, Passed, collected};
use loops::{Packed, walsh_i32, walsh_i64};

/// Whether `values` is the Walsh spectrum `W(w) = sum over x of (-1)^(f(x) + w . x)` of the function with these packed values, in
/// natural order. No wrong spectrum passes. `n 2^n` additions, `4 2^n` bytes.
///
/// ```
/// use manycore_verify::boolean_function;
/// assert!(boolean_function::check_walsh(2, &[0b1000], &[2, 2, 2, -2]).is_ok());
/// assert!(boolean_function::check_walsh(2, &[0b1000], &[2, 2, -2, -2]).is_err());
/// ```
///
/// # Errors
/// [`CheckError::Length`] and [`CheckError::Value`] for a wrong spectrum; [`CheckError::Shape`] for words that are no function of
/// 0 to 30 variables; [`CheckError::TooLarge`].
pub fn check_walsh(variables: u32, words: &[u64], values: &[i32]) -> Outcome {
    let f = Packed::spectral(variables, words)?;
    let mut right = collected((0..f.len()).map(|x| if f.bit(x) { -1 } else { 1 }))?;
    walsh_i32(&mut right);
    crate::equal(values, &right, right.len())?;
    Ok(Passed::by_second_computation("every value by a second transform"))
}

/// Whether `values` is the autocorrelation `r(a) = sum over x of (-1)^(f(x) + f(x + a))` of the function with these packed
/// values. No wrong one passes. `n 2^(n+1)` additions, `8 2^n` bytes.
///
/// # Errors
/// As [`check_walsh`].
pub fn check_autocorrelation(variables: u32, words: &[u64], values: &[i32]) -> Outcome {
    let f = Packed::spectral(variables, words)?;
    let mut right = collected((0..f.len()).map(|x| if f.bit(x) { -1i64 } else { 1 }))?;
    walsh_i64(&mut right);
    for w in &mut right {
        *w *= *w;
    }
    walsh_i64(&mut right);
    if values.len() != right.len() {
        return Err(CheckError::Length { found: values.len(), expected: right.len() });
    }
    match values.iter().zip(&right).position(|(&found, &sum)| i64::from(found) << variables != sum) {
        None => Ok(Passed::by_second_computation("every value by second transforms, of the signs and of the squares")),
        Some(index) => Err(CheckError::Value {
            run: 0,
            index,
            found: values[index].to_string(),
            expected: (right[index] >> variables).to_string(),
        }),
    }
}

/// An algebraic normal form and its figures, as reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NormalForm<'a> {
    /// Bit `u` is the coefficient of the product of the variables whose bits stand in `u`: packed as values are.
    pub coefficients: &'a [u64],
    /// The most variables of a term; 0 for constants, the zero function included.
    pub degree: u32,
    /// The number of terms.
    pub terms: u64,
}

/// Whether a normal form is that of the function with these packed values. No wrong one passes. `n 2^n / 64` operations on
/// words, as many words of memory as the function has.
///
/// # Errors
/// [`CheckError::Length`], [`CheckError::Value`] with the term's index, and [`CheckError::Relation`] for a wrong form;
/// [`CheckError::Shape`] for words that are no function; [`CheckError::TooLarge`].
pub fn check_normal_form(variables: u32, words: &[u64], found: NormalForm<'_>) -> Outcome {
    let right = Packed::new(variables, words)?.moebius()?;
    if found.coefficients.len() != right.len() {
        return Err(CheckError::Length { found: found.coefficients.len(), expected: right.len() });
    }
    if let Some(at) = (0..right.len()).find(|&at| found.coefficients[at] != right[at]) {
        let bit = (found.coefficients[at] ^ right[at]).trailing_zeros();
        let value = |words: &[u64]| (words[at] >> bit & 1).to_string();
        let index = 64 * at + bit as usize;
        return Err(CheckError::Value { run: 0, index, found: value(found.coefficients), expected: value(&right) });
    }
    let (degree, terms) = facts::degree_and_terms(&right);
    let right = NormalForm { coefficients: &right, degree, terms };
    crate::compared::compare!(found, right, degree, terms);
    Ok(Passed::by_second_computation("every coefficient by a second Moebius transform"))
}

#[cfg(test)]
mod tests;
