//! Vectors from texts.

use std::str::FromStr;

use manycore::FileError;
use manycore::files::memory::push;
use manycore::files::{DecimalInteger, Number, Text, real, shown};

use super::{InputError, finite};
use crate::vector::{Element, NumberType, Real, Vector};

/// Reads a text as numbers of the type wanted; without one, as i64, or as f64 where it has fractions.
pub(super) fn vector(text: &Text, wanted: Option<NumberType>) -> Result<Vector, InputError> {
    match wanted {
        Some(NumberType::I32) => integers::<i32>(text, true).map(Vector::I32),
        Some(NumberType::I64) => integers::<i64>(text, true).map(Vector::I64),
        Some(NumberType::F32) => reals::<f32>(text).map(Vector::F32),
        Some(NumberType::F64) => reals::<f64>(text).map(Vector::F64),
        None => match integers::<i64>(text, false) {
            Ok(values) => Ok(Vector::I64(values)),
            // A number past i64 is refused, rather than rounded, unless the text has fractions anyway.
            Err(InputError::File(FileError::Number { .. }) | InputError::Range { .. }) if has_fraction(text) => {
                reals::<f64>(text).map(Vector::F64)
            }
            Err(error) => Err(error),
        },
    }
}

/// Integers; whole numbers with a point or an exponent are some where `points` says so.
fn integers<T: Element + FromStr>(text: &Text, points: bool) -> Result<Vec<T>, InputError> {
    let mut values = Vec::new();
    text.words(|line, word| {
        let value = if let Ok(value) = word.parse::<T>() {
            value
        } else {
            let integer = DecimalInteger::parse(word).ok().filter(|_| points || is_integer(word));
            let integer = integer.ok_or_else(|| text.no_integer(line, word))?;
            let value = integer.short().and_then(|value| T::from_number(Number::Integer(value.into())));
            value.ok_or_else(|| InputError::Range {
                file: text.file().to_owned(),
                line,
                value: shown(word),
                number_type: T::NUMBER_TYPE,
            })?
        };
        Ok::<(), InputError>(push(&mut values, value, || format!("the values of {}", text.file()))?)
    })?;
    Ok(values)
}

/// Finite numbers: a word such as `nan` or `inf`, or one that rounds to infinity, is refused.
fn reals<T: Real + FromStr>(text: &Text) -> Result<Vec<T>, InputError> {
    let mut values = Vec::new();
    text.words(|line, word| {
        let value = real::<T>(word).ok_or_else(|| text.no_number(line, word))?;
        let place = || format!("{}:{line}", text.file());
        let value = finite(value, word.bytes().any(|byte| byte.is_ascii_digit()), place, || shown(word))?;
        Ok::<(), InputError>(push(&mut values, value, || format!("the values of {}", text.file()))?)
    })?;
    Ok(values)
}

/// Whether a word has digits and a sign alone.
fn is_integer(word: &str) -> bool {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether some word is a number but no integer.
fn has_fraction(text: &Text) -> bool {
    let mut found = false;
    let whole = text.words(|_, word| {
        found |= !is_integer(word) && real::<f64>(word).is_some();
        Ok::<(), FileError>(())
    });
    whole.is_ok() && found
}

#[cfg(test)]
mod tests {
    use manycore::files::Source;

    use super::*;

    fn read_text(text: &str, wanted: Option<NumberType>) -> Result<Vector, String> {
        let Source::Text(text) = Source::new("x.txt", text.as_bytes()).unwrap() else { panic!("a text") };
        vector(&text, wanted).map_err(|error| error.to_string())
    }

    #[test]
    fn separators_and_comments() {
        let text = "# four values\n1, 2\t-3 # and\n\n+4,\r\n";
        assert_eq!(read_text(text, None), Ok(Vector::I64(vec![1, 2, -3, 4])));
        assert_eq!(read_text("", None), Ok(Vector::I64(vec![])));
        assert_eq!(read_text("1,2,#", None), Ok(Vector::I64(vec![1, 2])));
    }

    #[test]
    fn types_are_taken_from_the_values() {
        assert_eq!(read_text("1 2.5", None), Ok(Vector::F64(vec![1.0, 2.5])));
        assert_eq!(read_text("1e3 2", None), Ok(Vector::F64(vec![1000.0, 2.0])));
        assert_eq!(read_text("9223372036854775807", None), Ok(Vector::I64(vec![i64::MAX])));
        assert_eq!(read_text("9223372036854775808 0.5", None), Ok(Vector::F64(vec![9.223_372_036_854_776e18, 0.5])));
        assert_eq!(read_text("1 2", Some(NumberType::I32)), Ok(Vector::I32(vec![1, 2])));
        assert_eq!(read_text("3.0 -1.5D+03", Some(NumberType::I64)), Ok(Vector::I64(vec![3, -1500])));
        assert_eq!(read_text("1.5D+03 2d0", None), Ok(Vector::F64(vec![1500.0, 2.0])));
        assert_eq!(read_text("3.0 4", None), Ok(Vector::F64(vec![3.0, 4.0])));
        let market = "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n";
        assert_eq!(read_text(market, None), Ok(Vector::I64(vec![1, 2, 3])));
        assert_eq!(read_text(market, Some(NumberType::F32)), Ok(Vector::F32(vec![1.0, 2.0, 3.0])));
        // Rounded once: by way of f64 this would be 1.
        let near = "1.00000005960464478";
        assert_eq!(read_text(near, Some(NumberType::F32)), Ok(Vector::F32(vec![1.0 + f32::EPSILON])));
        assert_eq!(read_text("1e-400 -0", Some(NumberType::F64)), Ok(Vector::F64(vec![0.0, -0.0])));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let cases = [
            ("1\n2 abc", None, "x.txt:2: `abc` is no number"),
            ("1\n2 0.5 abc", None, "x.txt:2: `abc` is no number"),
            ("1\n2.5", Some(NumberType::I32), "x.txt:2: `2.5` is no integer"),
            ("0x10", Some(NumberType::F64), "x.txt:1: `0x10` is no number"),
            ("0\n\n9223372036854775808", None, "x.txt:3: 9223372036854775808 is out of the range of i64"),
            ("-2147483649", Some(NumberType::I32), "x.txt:1: -2147483649 is out of the range of i32"),
            ("1\n2, ,3", None, "x.txt:2: no number before comma 2"),
            (",3", None, "x.txt:1: no number before comma 1"),
            ("1;2", None, "x.txt:1: `1;2` is no number"),
            ("\u{200b}1", None, "x.txt:1: `\\u{200b}1` is no number"),
            ("1\n3e9", Some(NumberType::I32), "x.txt:2: 3e9 is out of the range of i32"),
            ("+", None, "x.txt:1: `+` is no number"),
            ("1\n0.5 nan", None, "x.txt:2: nan is not finite"),
            ("-inf", Some(NumberType::F32), "x.txt:1: -inf is not finite"),
            ("1\n\n1e400", None, "x.txt:3: 1e400 is past the largest f64"),
            ("-1e39", Some(NumberType::F32), "x.txt:1: -1e39 is past the largest f32"),
        ];
        for (text, wanted, message) in cases {
            assert_eq!(read_text(text, wanted), Err(message.to_owned()), "{text:?}");
        }
    }
}
