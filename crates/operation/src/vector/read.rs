//! Vectors and numbers from texts and arrays.

use std::sync::atomic::{AtomicBool, Ordering};

use manycore_files::{
    Array, DecimalInteger, FileError, Kind, LineFault, NotFinite, Number, Numeral, Source, Text, real, shown,
};

use super::{NumberType, Numbers, Vector};

/// The digits of integers that double precision holds all of.
const EXACT_DIGITS: usize = 15;

/// `10^15`: the integers of [`EXACT_DIGITS`].
const EXACT_BELOW: u128 = 1_000_000_000_000_000;

/// What messages call the numbers.
const WHAT: &str = "values";

impl Vector {
    /// Reads a vector of the type wanted, of no values too. Without one, integers become i64 and a text with fractions f64; an array of
    /// floating-point numbers keeps its type.
    ///
    /// # Errors
    /// What is wrong in the file, and where.
    pub fn read(source: Source<'_>, wanted: Option<NumberType>, not_finite: NotFinite) -> Result<Self, FileError> {
        match source {
            Source::Text(text) => vector(&text, wanted, not_finite),
            Source::Array(array) => array_of(array, wanted, not_finite),
        }
    }
}

impl Numbers {
    /// Reads numbers in the type that their file has, of no values too: as [`Vector::read`], but unsigned integers of 64 bits stay such.
    ///
    /// # Errors
    /// As [`Vector::read`].
    pub fn read(source: Source<'_>, not_finite: NotFinite) -> Result<Self, FileError> {
        match source {
            Source::Text(text) => own(&text, not_finite),
            Source::Array(array) if array.kind() == Kind::U64 => array.numbers(not_finite).map(Self::Unsigned),
            Source::Array(array) => array_of(array, None, not_finite).map(Self::Vector),
        }
    }
}

/// Reads an array in the type wanted; without one, in its own, and integers as i64.
fn array_of(array: Array<'_>, wanted: Option<NumberType>, not_finite: NotFinite) -> Result<Vector, FileError> {
    let own = match array.kind() {
        Kind::F32 => NumberType::F32,
        Kind::F64 => NumberType::F64,
        Kind::Integers | Kind::U64 => NumberType::I64,
    };
    Ok(match wanted.unwrap_or(own) {
        NumberType::I32 => Vector::I32(array.numbers(not_finite)?),
        NumberType::I64 => Vector::I64(array.numbers(not_finite)?),
        NumberType::F32 => Vector::F32(array.numbers(not_finite)?),
        NumberType::F64 => Vector::F64(array.numbers(not_finite)?),
    })
}

/// Reads a text as numbers of the type wanted; without one, as i64, or as f64 where it has fractions.
fn vector(text: &Text, wanted: Option<NumberType>, not_finite: NotFinite) -> Result<Vector, FileError> {
    Ok(match wanted {
        Some(NumberType::I32) => Vector::I32(text.numbers(not_finite)?),
        Some(NumberType::I64) => Vector::I64(text.numbers(not_finite)?),
        Some(NumberType::F32) => Vector::F32(text.numbers(not_finite)?),
        Some(NumberType::F64) => Vector::F64(text.numbers(not_finite)?),
        None => match text.values(None, |value| i64::try_from(value).ok(), integer, WHAT) {
            Ok(values) => Vector::I64(values),
            Err(error) => fractions(text, error, not_finite)?,
        },
    })
}

/// Reads a text with a word that is no 64-bit integer (`error`) as f64, where it has fractions.
fn fractions(text: &Text, error: FileError, not_finite: NotFinite) -> Result<Vector, FileError> {
    let of_integer = |value: i128| (value.unsigned_abs() < EXACT_BELOW).then_some(value as f64);
    let doubles = || text.values(None, of_integer, |word| double(word, not_finite), WHAT);
    let is_fraction = matches!(
        &error, FileError::Line { reason, .. } if matches!(**reason, LineFault::Number { expected: "integer", .. })
    );
    // Where no other word is wrong, the word of the error is a fraction.
    let read = is_fraction.then(doubles);
    match read {
        Some(Ok(values)) => Ok(Vector::F64(values)),
        // Beside fractions an integer may be past i64, where double precision holds it.
        read if has_fraction(text) => Ok(Vector::F64(read.unwrap_or_else(doubles)?)),
        _ => Err(error),
    }
}

/// Reads a text in the type that its numbers have, u64 among them.
fn own(text: &Text, not_finite: NotFinite) -> Result<Numbers, FileError> {
    match vector(text, None, not_finite) {
        Ok(vector) => Ok(Numbers::Vector(vector)),
        Err(error @ FileError::Line { .. }) => match text.numbers(not_finite) {
            Ok(values) => Ok(Numbers::Unsigned(values)),
            Err(_) => Err(error),
        },
        Err(error) => Err(error),
    }
}

/// An integer without a point or an exponent.
fn integer(word: &str) -> Result<i64, LineFault> {
    if is_integer(word) {
        return i64::of_word(word, NotFinite::Refused);
    }
    let expected = if real::<f64>(word).is_some() { "integer" } else { "number" };
    Err(LineFault::Number { found: shown(word), expected })
}

/// A number of double precision: an integer exactly, what has a point or an exponent rounded.
fn double(word: &str, not_finite: NotFinite) -> Result<f64, LineFault> {
    let value = f64::of_word(word, not_finite)?;
    let is_rounded = word.len() > EXACT_DIGITS
        && is_integer(word)
        && Number::Real(value).decimal() != Some(DecimalInteger::parse(word)?);
    if is_rounded { Err(LineFault::Rounded { found: shown(word) }) } else { Ok(value) }
}

/// Whether a word has digits and a sign alone.
fn is_integer(word: &str) -> bool {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether some word is a number but no integer.
fn has_fraction(text: &Text) -> bool {
    let found = AtomicBool::new(false);
    let look = |word: &str| {
        if !is_integer(word) && real::<f64>(word).is_some() {
            found.store(true, Ordering::Relaxed);
        }
        Ok(())
    };
    // Nothing is kept of a word, so that memory is none.
    let whole = text.values(None, |_| Some(()), look, WHAT);
    whole.is_ok() && found.into_inner()
}

#[cfg(test)]
mod tests {
    use manycore_files::{NpyNumber, write_npy};

    use super::*;

    fn read_text(text: &str, wanted: Option<NumberType>) -> Result<Vector, String> {
        let Source::Text(text) = Source::new("x.txt", text.as_bytes()).unwrap() else { panic!("a text") };
        vector(&text, wanted, NotFinite::Refused).map_err(|error| error.to_string())
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
        assert_eq!(read_text("9007199254740993. 0.5", None), Ok(Vector::F64(vec![9_007_199_254_740_992.0, 0.5])));
        assert_eq!(read_text("-9007199254740994 0.5", None), Ok(Vector::F64(vec![-9_007_199_254_740_994.0, 0.5])));
        assert_eq!(read_text("1 2", Some(NumberType::I32)), Ok(Vector::I32(vec![1, 2])));
        assert_eq!(read_text("3.0 -1.5D+03", Some(NumberType::I64)), Ok(Vector::I64(vec![3, -1500])));
        assert_eq!(read_text("1.5D+03 2d0", None), Ok(Vector::F64(vec![1500.0, 2.0])));
        assert_eq!(read_text("3.0 4", None), Ok(Vector::F64(vec![3.0, 4.0])));
        let market = "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n";
        assert_eq!(read_text(market, None), Ok(Vector::I64(vec![1, 2, 3])));
        assert_eq!(read_text(market, Some(NumberType::F32)), Ok(Vector::F32(vec![1.0, 2.0, 3.0])));
        assert_eq!(read_text("1e-400 -0", Some(NumberType::F64)), Ok(Vector::F64(vec![0.0, -0.0])));
    }

    #[test]
    fn numbers_have_the_type_of_their_text() {
        let read = |text: &str| {
            let Source::Text(text) = Source::new("x.txt", text.as_bytes()).unwrap() else { panic!("a text") };
            own(&text, NotFinite::Taken).map_err(|error| error.to_string())
        };
        assert_eq!(read("1 -2"), Ok(Numbers::Vector(Vector::I64(vec![1, -2]))));
        assert_eq!(read("9223372036854775813 1"), Ok(Numbers::Unsigned(vec![9_223_372_036_854_775_813, 1])));
        assert_eq!(read("inf -inf 1"), Ok(Numbers::Vector(Vector::F64(vec![f64::INFINITY, f64::NEG_INFINITY, 1.0]))));
        for (text, message) in [
            ("9223372036854775813 -1", "x.txt:1: 9223372036854775813 is out of the range of i64"),
            ("18446744073709551616", "x.txt:1: 18446744073709551616 is out of the range of i64"),
            ("1 x", "x.txt:1: `x` is no number"),
        ] {
            assert_eq!(read(text), Err(message.to_owned()));
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let cases = [
            (
                "0.5\n9007199254740993",
                None,
                "x.txt:2: 9007199254740993 is an integer that double precision does not hold exactly, beside fractions: write it \
                 with a point, and it is rounded",
            ),
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

    #[test]
    fn arrays_keep_their_type() {
        fn read<T: NpyNumber>(values: &[T], wanted: Option<NumberType>) -> Result<Vector, String> {
            let mut bytes = Vec::new();
            write_npy(&mut bytes, values).unwrap();
            Vector::read(Source::new("x.npy", &bytes[..]).unwrap(), wanted, NotFinite::Refused)
                .map_err(|error| error.to_string())
        }
        assert_eq!(read(&[1i32, -1], None), Ok(Vector::I64(vec![1, -1])));
        assert_eq!(read(&[1u64, 255], None), Ok(Vector::I64(vec![1, 255])));
        assert_eq!(read(&[1.5f32], None), Ok(Vector::F32(vec![1.5])));
        assert_eq!(read(&[-0.1f64], None), Ok(Vector::F64(vec![-0.1])));
        assert_eq!(read::<i64>(&[], None), Ok(Vector::I64(vec![])));
        let halves = [2.0f64, 0.5];
        assert_eq!(read(&halves, Some(NumberType::F32)), Ok(Vector::F32(vec![2.0, 0.5])));
        assert_eq!(read(&halves, Some(NumberType::I64)), Err("x.npy: value 2: 0.5 is no i64".into()));
        assert_eq!(read(&[u64::MAX], None), Err("x.npy: value 1: 18446744073709551615 is no i64".into()));
    }
}
