//! Types of the values of a matrix file.

use std::fmt::Debug;
use std::num::IntErrorKind;

use num_complex::Complex;

use super::fault::LineFault;
use crate::shown::shown;

/// A type that values of a matrix file are read as: `i64`, `i128`, `f64`, `Complex<f64>`, `()` for places without values and,
/// with the feature `bigint`, `BigInt`.
pub trait EntryValue: Clone + Debug {
    /// Whether complex values are held.
    const IS_COMPLEX: bool = false;

    /// The value of the words that stand for it: none for a pattern, which is 1; two for a complex number.
    ///
    /// # Errors
    /// [`LineFault::Number`] and [`LineFault::Overflow`] for a word that is no such number.
    fn of_words(words: &[&str]) -> Result<Self, LineFault>;

    /// The value with the other sign.
    ///
    /// # Errors
    /// [`LineFault::Overflow`] where the type does not hold it.
    fn negative(&self) -> Result<Self, LineFault>;

    /// The conjugate value.
    #[must_use]
    fn conjugate(&self) -> Self {
        self.clone()
    }

    /// Whether the imaginary part is zero.
    fn is_real(&self) -> bool {
        true
    }
}

impl EntryValue for () {
    const IS_COMPLEX: bool = true;

    fn of_words(_: &[&str]) -> Result<Self, LineFault> {
        Ok(())
    }

    fn negative(&self) -> Result<Self, LineFault> {
        Ok(())
    }
}

macro_rules! integers {
    ($($type:ty => $kind:literal, $negative:literal;)*) => {$(
        impl EntryValue for $type {
            fn of_words(words: &[&str]) -> Result<Self, LineFault> {
                let Some(word) = words.first() else { return Ok(1) };
                word.parse().map_err(|error: std::num::ParseIntError| match error.kind() {
                    IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => {
                        LineFault::Overflow { found: shown(word), kind: $kind }
                    }
                    _ => no_integer(word),
                })
            }

            fn negative(&self) -> Result<Self, LineFault> {
                self.checked_neg().ok_or_else(|| LineFault::Overflow { found: self.to_string(), kind: $negative })
            }
        }
    )*};
}

integers! {
    i64 => "integer of 64 bits", "integer of 64 bits that has a negative";
    i128 => "integer of 128 bits", "integer of 128 bits that has a negative";
}

/// What is said of a word that is no integer: it tells whether it is another number.
fn no_integer(word: &str) -> LineFault {
    let expected = if word.parse::<f64>().is_ok() { "integer" } else { "number" };
    LineFault::Number { found: shown(word), expected }
}

#[cfg(feature = "bigint")]
impl EntryValue for num_bigint::BigInt {
    fn of_words(words: &[&str]) -> Result<Self, LineFault> {
        let Some(word) = words.first() else { return Ok(Self::from(1)) };
        // Underscores are no part of numbers in files.
        let parsed = if word.contains('_') { None } else { word.parse().ok() };
        parsed.ok_or_else(|| no_integer(word))
    }

    fn negative(&self) -> Result<Self, LineFault> {
        Ok(-self)
    }
}

/// A real number, `nan` and `inf` among them.
fn real(word: &str) -> Result<f64, LineFault> {
    let found = || shown(word);
    // Fortran writes exponents with a `d`.
    let parsed = word.parse().or_else(|_| word.replace(['d', 'D'], "e").parse());
    let value: f64 = parsed.map_err(|_| LineFault::Number { found: found(), expected: "real number" })?;
    if value.is_infinite() && word.bytes().any(|byte| byte.is_ascii_digit()) {
        return Err(LineFault::Overflow { found: found(), kind: "number of double precision" });
    }
    Ok(value)
}

impl EntryValue for f64 {
    fn of_words(words: &[&str]) -> Result<Self, LineFault> {
        words.first().map_or(Ok(1.0), |word| real(word))
    }

    fn negative(&self) -> Result<Self, LineFault> {
        Ok(-self)
    }
}

impl EntryValue for Complex<f64> {
    const IS_COMPLEX: bool = true;

    fn of_words(words: &[&str]) -> Result<Self, LineFault> {
        let re = f64::of_words(words)?;
        let im = words.get(1).map_or(Ok(0.0), |word| real(word))?;
        Ok(Self::new(re, im))
    }

    fn negative(&self) -> Result<Self, LineFault> {
        Ok(-self)
    }

    fn conjugate(&self) -> Self {
        self.conj()
    }

    fn is_real(&self) -> bool {
        self.im == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_values_or_say_why_not() {
        assert_eq!(i64::of_words(&["-7"]), Ok(-7));
        assert_eq!(i64::of_words(&[]), Ok(1));
        assert_eq!(f64::of_words(&["1d1"]), Ok(10.0));
        assert_eq!(<()>::of_words(&["x"]), Ok(()));
        assert_eq!(Complex::of_words(&["1", "-2.5"]), Ok(Complex::new(1.0, -2.5)));
        assert_eq!(Complex::of_words(&["3"]), Ok(Complex::new(3.0, 0.0)));
        let message = |fault: Result<i64, LineFault>| fault.unwrap_err().to_string();
        assert_eq!(message(i64::of_words(&["x"])), "`x` is no number");
        assert_eq!(message(i64::of_words(&["1.5"])), "`1.5` is no integer");
        let long = "9223372036854775808";
        assert_eq!(message(i64::of_words(&[long])), format!("`{long}` is past the largest integer of 64 bits"));
        assert!(message(i64::MIN.negative()).ends_with("that has a negative"));
        assert_eq!(
            f64::of_words(&["1e999"]).unwrap_err().to_string(),
            "`1e999` is past the largest number of double precision"
        );
        assert!(f64::of_words(&["nan"]).unwrap().is_nan());
    }
}
