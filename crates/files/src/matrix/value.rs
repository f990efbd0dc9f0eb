//! Types of the values of a matrix file.

use std::fmt::Debug;

use num_complex::Complex;

use crate::fault::LineFault;
use crate::integer::{self, DecimalInteger, whole};
use crate::shown::shown;

/// A type that values of a matrix file are read as: `i64`, `i128`, [`DecimalInteger`], `f64`, `Complex<f64>`, `()` for places
/// without values and, with the feature `bigint`, `BigInt` and `BigRational`. Integers are whole numbers with a point or an exponent, too.
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
                if let Ok(value) = word.parse() {
                    return Ok(value);
                }
                let (is_negative, digits) = whole(word)?;
                let signed = if is_negative { format!("-{digits}") } else { digits };
                signed.parse().map_err(|_| LineFault::Overflow { found: shown(word), kind: $kind })
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

impl EntryValue for DecimalInteger {
    fn of_words(words: &[&str]) -> Result<Self, LineFault> {
        words.first().map_or_else(|| Ok(Self::from(1)), |word| Self::parse(word))
    }

    fn negative(&self) -> Result<Self, LineFault> {
        Ok(self.negative())
    }
}

#[cfg(feature = "bigint")]
impl EntryValue for num_bigint::BigInt {
    fn of_words(words: &[&str]) -> Result<Self, LineFault> {
        let Some(word) = words.first() else { return Ok(Self::from(1)) };
        if let Ok(value) = word.parse::<i128>() {
            return Ok(value.into());
        }
        let (is_negative, digits) = whole(word)?;
        // The digits are decimal.
        let size: Self = digits.parse().unwrap_or_default();
        Ok(if is_negative { -size } else { size })
    }

    fn negative(&self) -> Result<Self, LineFault> {
        Ok(-self)
    }
}

/// Integers, decimal numbers, and fractions such as `-2/3`.
#[cfg(feature = "bigint")]
impl EntryValue for num_rational::BigRational {
    fn of_words(words: &[&str]) -> Result<Self, LineFault> {
        let Some(word) = words.first() else { return Ok(Self::from_integer(1.into())) };
        integer::fraction(word)
    }

    fn negative(&self) -> Result<Self, LineFault> {
        Ok(-self)
    }
}

/// A real number, `nan` and `inf` among them.
fn real(word: &str) -> Result<f64, LineFault> {
    let found = || shown(word);
    let value: f64 =
        integer::real(word).ok_or_else(|| LineFault::Number { found: found(), expected: "real number" })?;
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
        assert_eq!(i64::of_words(&["-3.0"]), Ok(-3));
        assert_eq!(i128::of_words(&["1.5D+03"]), Ok(1500));
        assert_eq!(DecimalInteger::of_words(&["1e20"]).unwrap().to_string(), "100000000000000000000");
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
