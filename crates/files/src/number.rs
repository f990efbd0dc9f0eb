//! Numbers of files given a type: the one set of rules by which words of texts and numbers of arrays are read.

use std::fmt::Debug;

use crate::fault::LineFault;
use crate::integer::{DecimalInteger, real};
use crate::npy::Number;
use crate::shown::shown;

/// Which floating-point numbers that are not finite are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NotFinite {
    /// None: `nan`, `inf` and `-inf` are errors.
    Refused,
    /// `inf` and `-inf`; `nan` is an error.
    Infinities,
    /// `inf`, `-inf` and `nan`.
    Taken,
}

/// A type that numbers of files are read as: `i32`, `i64`, `u32`, `u64`, `f32`, `f64`.
///
/// Integers are decimal digits with a sign, or numbers with a point or an exponent that are whole. Floating-point numbers are rounded
/// once, to the nearest one; what rounds to infinity is an error.
///
/// ```
/// use manycore_files::{NotFinite, Number, Numeral};
/// assert_eq!(u64::of_word("2e3", NotFinite::Refused), Ok(2000));
/// assert_eq!(f64::of_word("-inf", NotFinite::Infinities), Ok(f64::NEG_INFINITY));
/// let message = |fault: manycore_files::LineFault| fault.to_string();
/// assert_eq!(f64::of_word("nan", NotFinite::Infinities).map_err(message), Err("nan is not finite".into()));
/// assert_eq!(f32::of_word("1e39", NotFinite::Taken).map_err(message), Err("1e39 is past the largest f32".into()));
/// assert_eq!(i32::of_word("3e9", NotFinite::Refused).map_err(message), Err("3e9 is out of the range of i32".into()));
/// assert_eq!(i64::of_number(Number::Real(0.5), NotFinite::Refused).map_err(message), Err("0.5 is no i64".into()));
/// ```
pub trait Numeral: Copy + Debug + PartialEq + Send {
    /// The name of the type.
    const NAME: &'static str;

    /// The number of a word.
    ///
    /// # Errors
    /// [`LineFault::Number`] for a word that is no number, or no integer; [`LineFault::Range`], [`LineFault::PastLargest`] and
    /// [`LineFault::NotFinite`] for one that the type does not hold.
    fn of_word(word: &str, not_finite: NotFinite) -> Result<Self, LineFault>;

    /// The number of an array's number: exactly for integers, rounded for floating point.
    ///
    /// # Errors
    /// [`LineFault::OfType`] for a number that an integer type does not hold; [`LineFault::PastLargest`] and
    /// [`LineFault::NotFinite`].
    fn of_number(number: Number, not_finite: NotFinite) -> Result<Self, LineFault>;
}

macro_rules! integers {
    ($($type:ident)*) => {$(
        impl Numeral for $type {
            const NAME: &'static str = stringify!($type);

            fn of_word(word: &str, _: NotFinite) -> Result<Self, LineFault> {
                if let Ok(value) = word.parse() {
                    return Ok(value);
                }
                let range = || LineFault::Range { found: shown(word), number_type: Self::NAME };
                match DecimalInteger::parse(word) {
                    Ok(integer) => integer.integer().and_then(|value| value.try_into().ok()).ok_or_else(range),
                    Err(LineFault::Digits { .. }) => Err(range()),
                    Err(fault) => Err(fault),
                }
            }

            #[inline]
            fn of_number(number: Number, _: NotFinite) -> Result<Self, LineFault> {
                let of_type = || LineFault::OfType { found: number.to_string(), number_type: Self::NAME };
                number.integer().and_then(|value| value.try_into().ok()).ok_or_else(of_type)
            }
        }
    )*};
}

integers! { i32 i64 u32 u64 }

macro_rules! reals {
    ($($type:ident)*) => {$(
        impl Numeral for $type {
            const NAME: &'static str = stringify!($type);

            fn of_word(word: &str, not_finite: NotFinite) -> Result<Self, LineFault> {
                let value: Self =
                    real(word).ok_or_else(|| LineFault::Number { found: shown(word), expected: "number" })?;
                let is_number = word.bytes().any(|byte| byte.is_ascii_digit());
                match not_finite.fault(value.into(), is_number, Self::NAME, || shown(word)) {
                    None => Ok(value),
                    Some(fault) => Err(fault),
                }
            }

            #[inline]
            fn of_number(number: Number, not_finite: NotFinite) -> Result<Self, LineFault> {
                let (value, is_number) = match number {
                    Number::Integer(value) => (value as Self, true),
                    Number::Real(value) => (value as Self, value.is_finite()),
                };
                match not_finite.fault(value.into(), is_number, Self::NAME, || number.to_string()) {
                    None => Ok(value),
                    Some(fault) => Err(fault),
                }
            }
        }
    )*};
}

reals! { f32 f64 }

impl NotFinite {
    /// The fault of a value; `is_number`: the text is a number, which rounded to infinity.
    fn fault(
        self,
        value: f64,
        is_number: bool,
        number_type: &'static str,
        found: impl FnOnce() -> String,
    ) -> Option<LineFault> {
        if value.is_finite() {
            return None;
        }
        if is_number {
            return Some(LineFault::PastLargest { found: found(), number_type });
        }
        let is_taken = match self {
            Self::Refused => false,
            Self::Infinities => value.is_infinite(),
            Self::Taken => true,
        };
        (!is_taken).then(|| LineFault::NotFinite { found: found() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word<T: Numeral>(word: &str, not_finite: NotFinite) -> Result<T, String> {
        T::of_word(word, not_finite).map_err(|fault| fault.to_string())
    }

    fn number<T: Numeral>(number: Number, not_finite: NotFinite) -> Result<T, String> {
        T::of_number(number, not_finite).map_err(|fault| fault.to_string())
    }

    #[test]
    fn integers_are_whole_numbers_in_range() {
        use NotFinite::Refused;
        for (text, value) in [("2.0", 2), ("2e3", 2000), ("1.5D+03", 1500), ("+7", 7), ("0", 0), ("-0", 0)] {
            assert_eq!(word::<i64>(text, Refused), Ok(value), "{text}");
            assert_eq!(word::<u32>(text, Refused), Ok(value as u32), "{text}");
        }
        assert_eq!(word::<u64>("18446744073709551615", Refused), Ok(u64::MAX));
        assert_eq!(word::<u64>("1.8446744073709551615e19", Refused), Ok(u64::MAX));
        assert_eq!(word::<i64>("-9223372036854775808.0", Refused), Ok(i64::MIN));
        for text in ["18446744073709551616", "-1", "1e400", "1e99999999999999999999"] {
            assert_eq!(word::<u64>(text, Refused), Err(format!("{text} is out of the range of u64")));
        }
        assert_eq!(word::<i64>("0.5", Refused), Err("`0.5` is no integer".into()));
        assert_eq!(word::<i64>("inf", NotFinite::Taken), Err("`inf` is no integer".into()));
        assert_eq!(word::<i64>("0x10", Refused), Err("`0x10` is no number".into()));
        assert_eq!(number::<i32>(Number::Real(-3.0), Refused), Ok(-3));
        assert_eq!(number::<i32>(Number::Integer(1 << 31), Refused), Err("2147483648 is no i32".into()));
        for refused in [0.5, f64::NAN, f64::INFINITY, 9_223_372_036_854_775_808.0, 1e300] {
            assert_eq!(number::<i64>(Number::Real(refused), Refused), Err(format!("{refused:?} is no i64")));
        }
        assert_eq!(number::<i64>(Number::Real(-9_223_372_036_854_775_808.0), Refused), Ok(i64::MIN));
    }

    #[test]
    fn what_is_not_finite_is_read_where_it_has_a_place() {
        let infinities = [("inf", f64::INFINITY), ("-inf", f64::NEG_INFINITY), ("Infinity", f64::INFINITY)];
        for (text, value) in infinities {
            assert_eq!(word::<f64>(text, NotFinite::Refused), Err(format!("{text} is not finite")));
            for taken in [NotFinite::Infinities, NotFinite::Taken] {
                assert_eq!(word::<f64>(text, taken), Ok(value));
                assert_eq!(number::<f32>(Number::Real(value), taken), Ok(value as f32));
            }
            assert_eq!(number::<f64>(Number::Real(value), NotFinite::Refused), Err(format!("{value:?} is not finite")));
        }
        assert_eq!(word::<f64>("nan", NotFinite::Infinities), Err("nan is not finite".into()));
        assert_eq!(number::<f64>(Number::Real(f64::NAN), NotFinite::Infinities), Err("NaN is not finite".into()));
        let nan = |text: &str| word::<f64>(text, NotFinite::Taken).unwrap();
        assert!(nan("nan").is_nan() && nan("NaN").is_sign_positive() && nan("-NaN").is_sign_negative());
        // A number that rounds to infinity is no infinity.
        for taken in [NotFinite::Refused, NotFinite::Infinities, NotFinite::Taken] {
            assert_eq!(word::<f64>("-1e400", taken), Err("-1e400 is past the largest f64".into()));
            assert_eq!(number::<f32>(Number::Real(1e39), taken), Err("1e39 is past the largest f32".into()));
        }
        assert_eq!(word::<f64>("1e-400", NotFinite::Refused), Ok(0.0));
        assert_eq!(
            number::<f64>(Number::Integer(u64::MAX.into()), NotFinite::Refused),
            Ok(18_446_744_073_709_551_616.0)
        );
        // Rounded once: by way of f64 this would be 1.
        assert_eq!(word::<f32>("1.00000005960464478", NotFinite::Refused), Ok(1.0 + f32::EPSILON));
    }
}
